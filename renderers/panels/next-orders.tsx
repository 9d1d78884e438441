// The next three orders as they are and as they would be: beside each other while a change is being decided, alone while a subscription is
// made. Asked for when typing rests, and only what was asked last counts; what was shown stays until the newer answer is there.
import { useEffect, useId, useState } from 'react';
import { ArrowRight, CircleAlert, Info } from 'lucide-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { runCall } from '../../src/admin/platform/transport/calls.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { count, day, instant, money } from '../../src/admin/platform/format.ts';
import type { CallError } from '../../src/admin/platform/transport/transport.ts';
import { Picture } from '../../src/admin/ui/thumbnail.tsx';
import '../../src/admin/record/styles/next-orders.css';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

/** After the last change of the form; what is typed rests a moment before it reaches the form. */
const REST_MS = 250;
/** Errors that only say that something is still missing. */
const INCOMPLETE = new Set(['required', 'minItems', 'minLength', 'DELIVERY_METHOD_REQUIRED', 'INVALID_LINES']);
/** The dialog still stands as it was opened. */
const UNCHANGED = 'unchanged';

interface State {
  status: string;
  resumeDateEpoch: number | null;
  orders: JsonObject[];
}
interface Tried {
  before: State | null;
  after: State;
  currencyCode: string;
  warnings: string[];
  /** Products that change; of a subscription that is being made, none. */
  lines?: LineChange[];
}
interface LineChange {
  before: JsonObject | null;
  after: JsonObject | null;
  isOnce?: boolean;
}
/** The action would be refused. */
interface Refused {
  refusal: { code: string; message: string; errors: { rule?: string; message: string }[] };
}

function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** Asks what an action would do with the parameters as they are typed. */
function useTried(
  section: FormPanelProps['section'],
  params: JsonObject,
): { answer: Tried | Refused | undefined; error: CallError | null; isOld: boolean } {
  const text = JSON.stringify(params);
  const rested = useRested(text);
  const call = section.call ?? '';
  const given = (section.with ?? {}) as JsonObject;
  const { data, error, isPlaceholderData, isFetching } = useQuery<JsonValue, CallError>({
    queryKey: ['preview', call, given, rested],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await runCall(call, { ...given, params: JSON.parse(rested) as JsonObject }, { signal })).data,
  });
  return { answer: data as Tried | Refused | undefined, error, isOld: text !== rested || isPlaceholderData || isFetching };
}

export default function NextOrders({ data, section }: FormPanelProps) {
  const id = useId();
  const { answer, error, isOld } = useTried(section, data);
  const tried = answer && 'after' in answer ? answer : undefined;
  const refusal = answer && 'refusal' in answer ? answer.refusal : undefined;
  const refused = error?.message ?? (refusal && !isIncomplete(refusal) ? refusal.message : undefined);
  return (
    <section className={section.title ? 'p-card r-next r-next-card' : 'r-next'} aria-labelledby={id} aria-busy={isOld}>
      {section.title ? (
        <div className="p-card-head">
          <h2 id={id}>{section.title}</h2>
        </div>
      ) : (
        <h3 className="p-sr" id={id}>
          {t`What it does to the next orders`}
        </h3>
      )}
      <div className={section.title ? 'p-card-body' : undefined}>
        {refused && (
          <p className="p-error" role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            <span>{refused}</span>
          </p>
        )}
        {!refused && refusal && (
          <p className="p-hint r-next-hint">
            {section.title
              ? t`They show here as soon as customer, products, date and address are there.`
              : refusal.errors.some(one => one.rule === UNCHANGED)
                ? t`Nothing is changed yet.`
                : t`The next orders show here as soon as the rest is filled in.`}
          </p>
        )}
        {!error && !answer && <Waiting isPair={!section.title} />}
        {!error && tried && <Both tried={tried} />}
        <p className="p-sr" role="status">
          {!isOld && tried && !error ? summary(tried) : ''}
        </p>
      </div>
    </section>
  );
}

const isIncomplete = ({ errors }: Refused['refusal']): boolean =>
  errors.length > 0 && errors.every(one => one.rule === UNCHANGED || INCOMPLETE.has(one.rule ?? ''));

function Both({ tried: { before, after, currencyCode, warnings, lines = [] } }: { tried: Tried }) {
  const isSame =
    before !== null &&
    same(before.orders, after.orders) &&
    before.status === after.status &&
    before.resumeDateEpoch === after.resumeDateEpoch;
  const warningList = warnings.length > 0 && (
    <ul className="r-next-warnings">
      {warnings.map(one => (
        <li key={one}>
          <Info size={14} aria-hidden="true" />
          <span>{one}</span>
        </li>
      ))}
    </ul>
  );
  if (isSame)
    return (
      <>
        <Lines lines={lines} currency={currencyCode} />
        <p className="p-hint r-next-hint">
          {before.orders.length ? t`The next three orders stay as they are.` : t`There are no orders ahead, before or after.`}
        </p>
        {warningList}
      </>
    );
  return (
    <>
      <Lines lines={lines} currency={currencyCode} />
      <div className="r-next-pair" data-single={before === null || undefined}>
        {before && <Column title={t`Now`} state={before} currency={currencyCode} />}
        {before && <ArrowRight className="r-next-arrow" size={16} aria-hidden="true" />}
        <Column title={before ? t`After this` : ''} state={after} currency={currencyCode} {...(before ? { than: before } : {})} />
      </div>
      {warningList}
    </>
  );
}

/** The products that change, each beside what it was. */
function Lines({ lines, currency }: { lines: LineChange[]; currency: string }) {
  if (lines.length === 0) return null;
  return (
    <ul className="r-next-lines" aria-label={t`Products that change`}>
      {lines.map(({ before, after, isOnce }, i) => (
        <li key={i}>
          <Side line={before} currency={currency} none={t`Not in it yet`} />
          <ArrowRight size={16} aria-hidden="true" />
          <span className="p-sr">{t`becomes`}</span>
          <Side line={after} currency={currency} none={t`Removed`} {...(isOnce ? { note: t`Next order only` } : {})} />
        </li>
      ))}
    </ul>
  );
}

function Side({ line, currency, none, note }: { line: JsonObject | null; currency: string; none: string; note?: string }) {
  if (!line) return <span className="r-next-side p-muted">{none}</span>;
  const [price, full] = [money(line.price as string, currency), money(line.basePrice as string, currency)];
  return (
    <span className="r-next-side">
      <Picture src={line.image as string | null} size={36} />
      <span>
        <span className="r-next-name">{String(line.name ?? '')}</span>
        <span className="p-hint p-tabular">
          {countOf(line)} {price}
          {Number(line.basePrice) > Number(line.price) && (
            <>
              {' '}
              <s className="r-strike">
                <span className="p-sr">{t`instead of`} </span>
                {full}
              </s>
            </>
          )}
          {note && ` · ${note}`}
        </span>
      </span>
    </span>
  );
}

const NONE: Record<string, string> = {
  PAUSED: t`None while it is paused.`,
  CANCELLED: t`None: it is cancelled.`,
  EXPIRED: t`None: it has expired.`,
  FAILED: t`None: billing has ended.`,
  ACTIVE: t`None ahead.`,
};

function Column({ title, state, currency, than }: { title: string; state: State; currency: string; than?: State }) {
  const id = useId();
  return (
    <div className="r-next-column">
      {title && <h4 id={id}>{title}</h4>}
      {state.status === 'PAUSED' && state.resumeDateEpoch !== null && (
        <p className="p-hint">{tx`Paused until ${day(state.resumeDateEpoch)}`}</p>
      )}
      {state.orders.length === 0 && <p className="p-muted r-next-none">{NONE[state.status] ?? t`None ahead.`}</p>}
      <ol {...(title ? { 'aria-labelledby': id } : { 'aria-label': t`Next orders` })}>
        {state.orders.map((order, i) => (
          <Order key={String(order.cycle ?? i)} order={order} currency={currency} {...(than ? { was: than.orders[i] ?? null } : {})} />
        ))}
      </ol>
    </div>
  );
}

const linesOf = (order: JsonObject | null | undefined): JsonObject[] => (Array.isArray(order?.lines) ? (order.lines as JsonObject[]) : []);
/** "2 ×", which never stands apart at the end of a line. */
const countOf = (line: JsonObject): string => `${count(Number(line.quantity ?? 1))} ×`;
const lineText = (line: JsonObject): string => `${countOf(line)} ${String(line.name ?? '')}`;
const dayOf = (order: JsonObject): string => day(Number(order.billingDateEpoch));
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** `was`: the order that stands beside it; null where there is none. Without it nothing is marked as different. */
function Order({ order, currency, was }: { order: JsonObject; currency: string; was?: JsonObject | null }) {
  const isSkipped = order.status === 'SKIPPED';
  const differs = (is: boolean): { 'data-new'?: true } => (was !== undefined && is ? { 'data-new': true } : {});
  const before = linesOf(was).map(lineText);
  const flags = [
    isSkipped && t`Skipped`,
    order.isPrepaidDelivery === true && t`Prepaid`,
    order.isRescheduled === true && t`Moved`,
    order.isDelayed === true && t`Waits for stock`,
  ].filter(Boolean);
  const total = money(order.total as string, currency);
  return (
    <li {...(isSkipped ? { 'data-skipped': true } : {})}>
      <div className="r-next-row">
        <time
          className="p-tabular"
          dateTime={new Date(Number(order.billingDateEpoch) * 1000).toISOString()}
          data-tip={instant(Number(order.billingDateEpoch))}
          {...differs(!was || dayOf(was) !== dayOf(order))}
        >
          {dayOf(order)}
        </time>
        <span className="p-tabular" {...differs(!was || was.total !== order.total)}>
          {isSkipped ? '–' : total}
        </span>
      </div>
      {flags.length > 0 && (
        <p className="p-hint" {...differs(isSkipped && was?.status !== 'SKIPPED')}>
          {flags.join(' · ')}
        </p>
      )}
      {!isSkipped && (
        <p className="p-hint">
          {linesOf(order).map((line, i) => (
            <span key={i} {...differs(!before.includes(lineText(line)))}>
              {i > 0 && ', '}
              <span className="r-next-count">{countOf(line)}</span> {String(line.name ?? '')}
            </span>
          ))}
        </p>
      )}
    </li>
  );
}

/** For those who hear it: the first order of both sides. */
function summary({ before, after, currencyCode, warnings }: Tried): string {
  const say = (state: State): string => {
    const next = state.orders.find(order => order.status !== 'SKIPPED');
    return next ? t`${money(next.total as string, currencyCode)} on ${dayOf(next)}` : t.as('order')`none`;
  };
  return [before ? t`Next order now: ${say(before)}. After this: ${say(after)}.` : t`First order: ${say(after)}.`, ...warnings].join(' ');
}

const Waiting = ({ isPair }: { isPair: boolean }) => (
  <div className="r-next-pair" data-single={isPair ? undefined : true} aria-hidden="true">
    {(isPair ? [0, 1] : [0]).map(side => (
      <div key={side} className="r-next-column r-next-wait">
        {[0, 1, 2].map(row => (
          <span key={row} className="p-skeleton r-sk-line" />
        ))}
      </div>
    ))}
  </div>
);
