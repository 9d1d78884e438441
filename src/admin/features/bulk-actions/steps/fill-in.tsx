// The third step: what the action needs to know, as the form of its own schema, and what it would do to five of the subscriptions.
import { CircleAlert } from 'lucide-react';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import type { JsonObject } from '../../../../contract/types.ts';
import { useAsk } from '../../../platform/transport/calls.ts';
import { SchemaForm } from '../../../form/engine/schema-form.tsx';
import { useFormServices } from '../../../form/fields/use-services.ts';
import { count } from '../../../platform/format.ts';
import { useSession } from '../../../platform/session/session.tsx';
import { storeNow } from '../../../platform/store-clock.ts';
import type { CatalogueAction } from '../catalogue.ts';
import type { Input } from './action-input.ts';
import { number, text } from '../states.ts';
import { BULK, EXPORT } from '../bulk-calls.ts';
import { toneOf } from '../../../ui/tone.ts';
import { inSentence, t } from '../../../../domain/text/t.ts';
import { tx } from '../../../ui/tx.ts';

const REST_MS = 400;

/** The form of an action's input, on a page or in a dialog. */
const FEW = ['', t`One subscription`, t`Two subscriptions`, t`Three subscriptions`, t`Four subscriptions`, t`Five subscriptions`];
const inWords = (n: number): string => FEW[n] || t`${n} subscriptions`;

export function InputForm({ input, onSubmit }: { input: Input; onSubmit: () => void }): ReactElement | null {
  const session = useSession();
  const services = useFormServices();
  const { store } = input;
  return store ? (
    <SchemaForm
      plain
      schema={store.schema}
      value={store.value}
      store={store}
      services={services}
      currency={session.store.currency_code}
      timezone={session.store.timezone}
      now={storeNow}
      onSubmit={onSubmit}
    />
  ) : null;
}

export function FillIn({
  action,
  input,
  selection,
  within,
  onSubmit,
}: {
  action: CatalogueAction;
  input: Input;
  selection: JsonObject | undefined;
  within: RefObject<HTMLDivElement | null>;
  onSubmit: () => void;
}): ReactElement {
  const isEmpty = Object.keys(input.store?.schema.properties ?? {}).length === 0;
  return (
    <div className="p-stack">
      <div ref={within}>
        {isEmpty ? (
          <p className="p-card p-card-body p-muted">
            {tx`There is nothing to set up: ${inSentence(action.label)} needs no more than the subscriptions.`}
          </p>
        ) : (
          <div className="p-card p-card-body ba-form">
            <InputForm input={input} onSubmit={onSubmit} />
          </div>
        )}
      </div>
      <Preview action={action} input={input} selection={selection} />
    </div>
  );
}

/** What the form holds once typing rests; undefined while it could not be sent. */
function useRested(input: Input): JsonObject | undefined {
  const now = JSON.stringify(input.isValid ? input.value : null);
  const [rested, setRested] = useState(now);
  useEffect(() => {
    if (now === rested) return;
    const timer = setTimeout(() => setRested(now), REST_MS);
    return () => clearTimeout(timer);
  }, [now, rested]);
  return (JSON.parse(rested) as JsonObject | null) ?? undefined;
}

function Preview({ action, input, selection }: { action: CatalogueAction; input: Input; selection: JsonObject | undefined }): ReactElement {
  const value = useRested(input);
  const { data, error, isFetching, refetch } = useAsk<JsonObject>(
    BULK.preview,
    selection && value ? { actionKey: action.key, selection, input: value } : undefined,
    { placeholderData: keepPreviousData },
  );
  const rows = rowsOf(data);
  const unchangedText = action.mails
    ? t`The customer gets an e-mail. Nothing of the subscription changes.`
    : action.key === EXPORT
      ? t`It becomes a row of the file.`
      : t`Nothing of the subscription itself changes.`;
  const [looked, skipped] = [number(data ?? {}, 'looked'), number(data ?? {}, 'skipped')];
  // What only the server can tell (a date that has passed meanwhile, a name that is there twice) stands at its field as everything else
  // does.
  useEffect(() => {
    const wrong =
      error?.errors.flatMap(one => (one.pointer.startsWith('/input/') ? [{ ...one, pointer: one.pointer.slice('/input'.length) }] : [])) ??
      [];
    if (wrong.length) input.store?.refuse(wrong);
  }, [error, input.store]);
  return (
    <section className="p-card ba-preview" aria-labelledby="ba-preview" data-busy={isFetching || undefined}>
      <div className="p-card-head">
        <h3 id="ba-preview">{t`What it would do`}</h3>
        <span className="p-hint">{rows?.length ? t`${inWords(rows.length)}, before and after` : ''}</span>
      </div>
      {!value ? (
        <p className="p-card-body p-muted">{t`Fill in the form, and you see here what it would do to the first five subscriptions.`}</p>
      ) : error ? (
        <div className="p-card-body p-row p-wrap">
          <p className="p-error">
            <CircleAlert size={14} aria-hidden="true" />
            {error.errors[0]?.message ?? error.message}
          </p>
          <button type="button" className="p-link" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </div>
      ) : !rows ? (
        <Bones />
      ) : (
        <>
          <div className="p-table-wrap">
            <table className="p-table p-table-s" role="table" aria-label={t`Before and after`}>
              <thead role="rowgroup">
                <tr role="row">
                  {[t`Subscription`, t`What`, t.as('column')`Before`, t.as('column')`After`].map(title => (
                    <th key={title} role="columnheader" scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              {rows.map(row => (
                <Changes key={text(row.subscriptionId)} row={row} unchangedText={unchangedText} />
              ))}
            </table>
          </div>
          {skipped > 0 && (
            <p className="p-hint ba-note">
              {skipped === looked
                ? looked === 1
                  ? t`It would be skipped.`
                  : t`All ${count(looked)} that were looked at would be skipped.`
                : t`Of the first ${count(looked)} that were looked at, ${count(skipped)} would be skipped.`}
            </p>
          )}
        </>
      )}
    </section>
  );
}

const rowsOf = (data: unknown): JsonObject[] | undefined => {
  const rows = Array.isArray(data) ? data : (data as JsonObject | undefined)?.rows;
  return Array.isArray(rows) ? (rows as JsonObject[]) : undefined;
};

/** A subscription with a line for each thing that changes, or the reason why nothing does. */
function Changes({
  row,
  unchangedText,
}: {
  row: JsonObject;
  /** What is said where nothing of the subscription itself changes. */ unchangedText: string;
}): ReactElement {
  const changes = (Array.isArray(row.changes) ? row.changes : []) as JsonObject[];
  const name = (
    <th role="rowheader" scope="rowgroup" rowSpan={Math.max(1, changes.length)}>
      <a className="p-link" href={`/subscriptions/${text(row.subscriptionId)}`} target="_blank" rel="noopener">
        #{text(row.subscriptionId)}
      </a>
      <span className="p-hint ba-who">{text(row.customerName)}</span>
    </th>
  );
  if (row.result === 'SKIPPED')
    return (
      <tbody role="rowgroup">
        <tr role="row">
          {name}
          <td role="cell" colSpan={3}>
            <span className="p-row ba-skip">
              <span className="p-badge" data-tone={toneOf('skipped')}>
                {t`Skipped`}
              </span>
              <span>{text(row.reason)}</span>
            </span>
          </td>
        </tr>
      </tbody>
    );
  const [first, ...rest] = changes;
  if (!first)
    return (
      <tbody role="rowgroup">
        <tr role="row">
          {name}
          <td role="cell" colSpan={3}>
            {unchangedText}
          </td>
        </tr>
      </tbody>
    );
  return (
    <tbody role="rowgroup">
      <tr role="row">
        {name}
        <Change change={first} />
      </tr>
      {rest.map(change => (
        <tr role="row" key={text(change.title)}>
          <Change change={change} />
        </tr>
      ))}
    </tbody>
  );
}
const Change = ({ change }: { change: JsonObject }): ReactElement => (
  <>
    <td role="cell" className="ba-of">
      {text(change.title)}
    </td>
    <td role="cell" className="p-muted">
      {text(change.before)}
    </td>
    <td role="cell" className="p-strong">
      {text(change.after)}
    </td>
  </>
);

const Bones = (): ReactElement => (
  <div className="p-card-body p-stack-s" role="status" aria-label={t`Loading`}>
    {[64, 52, 70].map(width => (
      <span key={width} className="p-skeleton" style={{ width: `${width}%` }} />
    ))}
  </div>
);
