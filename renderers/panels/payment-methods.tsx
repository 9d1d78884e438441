// How a subscription is paid: the method in use and its state, the backup, and the customer's other saved methods to switch to.
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { mayOpen } from '../../src/navigation/navigation.ts';
import { fieldOf, optionsOf } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { FAILURE_CATEGORIES } from '../../src/domain/recovery/failure-codes.ts';
import { definitions, useSchema } from '../../src/admin/platform/definitions.ts';
import { day, instant, money } from '../../src/admin/platform/format.ts';
import { PaymentBrandIcon } from '../../src/admin/ui/payment-brand.tsx';
import { ActionButton, RowMenu } from '../../src/admin/form/actions/buttons.tsx';
import type { AvailableAction } from '../../src/admin/form/actions/available-actions.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useAnswer } from '../../src/admin/record/use-rows.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import BadgeCell from '../cells/badge.tsx';
import { toneOf } from '../../src/admin/ui/tone.ts';
import { language, t, translated } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

const isMethod = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

export default function PaymentMethods(props: PanelProps) {
  return props.options.all === true ? <AllMethods {...props} /> : <OfSubscription {...props} />;
}

/** Whether the store has a card vault that takes the cards which are entered here (C528). Nothing is offered before that is known. */
function useCardsAllowed(): boolean {
  const { data } = useAnswer(definitions.calls['payments.isAllowedForDomain'], {});
  return isMethod(data) && data.isAllowed === true;
}
/** What can be done to a method here: entering a card needs a vault. */
const usable = (offers: AvailableAction[], cards: boolean): AvailableAction[] =>
  cards ? offers : offers.filter(({ action }) => action.prerequisite === undefined);

/** Every method of a customer, with the subscriptions that are charged to it. */
function AllMethods({ record, actionsOfRow, offer, start }: PanelProps) {
  const schema = useSchema('entities/payment-method');
  const cards = useCardsAllowed();
  const methods = (Array.isArray(record.paymentMethods) ? record.paymentMethods : []).filter(isMethod);
  const [ask, add] = [offer('askPaymentMethod'), cards ? offer('addCard') : undefined];
  return (
    <>
      {methods.length === 0 ? (
        <p className="p-muted">{t`No payment method is saved.`}</p>
      ) : (
        <ul className="r-methods">
          {methods.map(method => (
            <li key={String(method.id)}>
              <Method method={method} schema={schema} offers={usable(actionsOfRow(method), cards)} onStart={one => start(one, method)}>
                <ChargedFor ids={Array.isArray(method.chargedFor) ? method.chargedFor : []} />
              </Method>
            </li>
          ))}
        </ul>
      )}
      <Ways offers={[add, ask]} start={start} />
    </>
  );
}
const ChargedFor = ({ ids }: { ids: JsonValue[] }) =>
  ids.length === 0 ? (
    <p className="p-hint">{t`Not charged for any subscription`}</p>
  ) : (
    <p className="p-hint">
      {t`Charged for`}{' '}
      {ids.map((id, i) => (
        <Fragment key={String(id)}>
          {i > 0 && ', '}
          <Link to={`/subscriptions/${String(id)}`}>#{String(id)}</Link>
        </Fragment>
      ))}
    </p>
  );

function OfSubscription({ data, record, actionsOfRow, offer, start }: PanelProps) {
  const schema = useSchema('entities/payment-method');
  const primary = isMethod(record.paymentMethod) ? record.paymentMethod : undefined;
  const backup = isMethod(record.backupPaymentMethod) ? record.backupPaymentMethod : undefined;
  const others = (Array.isArray(data) ? (data as JsonObject[]) : []).filter(
    method => method.id !== primary?.id && method.id !== backup?.id,
  );
  const cards = useCardsAllowed();
  const draw = (method: JsonObject) => (
    <Method
      key={String(method.id)}
      method={method}
      schema={schema}
      offers={usable(actionsOfRow(method), cards)}
      onStart={one => start(one, method)}
    />
  );
  return (
    <>
      {primary ? draw(primary) : <p className="p-muted">{t`No payment method. Orders can't be charged until there is one.`}</p>}
      {backup && (
        <div className="r-part">
          <BackupTitle subscription={record.shopifyId ?? null} />
          {draw(backup)}
        </div>
      )}
      {others.length > 0 && (
        <div className="r-part">
          <h3>{t`Also saved by the customer`}</h3>
          <ul className="r-methods">
            {others.map(method => (
              <li key={String(method.id)}>{draw(method)}</li>
            ))}
          </ul>
        </div>
      )}
      {isMethod(record.lastBillingAttempt) && <LastAttempt attempt={record.lastBillingAttempt} />}
      <Ways offers={[cards ? offer('addCard') : undefined, offer('editPaymentMethod')]} start={start} />
    </>
  );
}

/** A backup counts only while the store wants backups at all: a switch of the recovery settings. */
function BackupTitle({ subscription }: { subscription: JsonValue }) {
  const session = useSession();
  const { data } = useAnswer(definitions.calls['backup-payment-method.paymentDetails'], { subscriptionShopifyId: subscription });
  const settings = mayOpen(definitions, RECOVERY, session).ok ? (
    <Link to={RECOVERY}>{t`your recovery settings`}</Link>
  ) : (
    t`your recovery settings`
  );
  if (!isMethod(data) || data.backupPaymentEnabled !== false) return <h3>{t`Backup, tried when the first charge fails`}</h3>;
  return (
    <>
      <h3>{t`Backup`}</h3>
      <p className="p-hint">{tx`Not tried at present: backup methods are switched off in ${settings}.`}</p>
    </>
  );
}
const RECOVERY = '/settings/paymentRecovery';

/** How another method gets here. */
function Ways({ offers, start }: { offers: (AvailableAction | undefined)[]; start: PanelProps['start'] }) {
  const there = offers.filter(one => one !== undefined);
  return (
    there.length > 0 && (
      <div className="r-links">
        {there.map(one => (
          <ActionButton key={one.action.id} offer={one} small onStart={() => start(one)} />
        ))}
      </div>
    )
  );
}

/** A reason within a sentence: only its first letter is small, and only in English. */
const within = (reason: string): string =>
  language() === 'en' ? reason.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase()) : reason;

/** What became of the newest try to charge, with the reason of a failure in words. */
function LastAttempt({ attempt }: { attempt: JsonObject }) {
  const failed = attempt.success === false;
  const category = FAILURE_CATEGORIES.find(one => one.key === attempt.errorCategory);
  const amount = money(attempt.amount as string, String(attempt.currencyCode ?? ''));
  const what =
    attempt.success === true
      ? t`was paid`
      : failed
        ? t`failed: ${within(category ? translated(category.label) : t`Payment failed`)}`
        : attempt.nextActionUrl
          ? t`waits for the customer to confirm`
          : attempt.ready
            ? t`was not charged`
            : attempt.lookUpAt
              ? t`is being processed by the payment provider`
              : t`is under way`;
  const why = category ? translated(category.description) : String(attempt.errorMessage ?? '');
  const sum = <span className="p-tabular">{amount}</span>;
  const time = (
    <time dateTime={String(attempt.createdAt)} data-tip={instant(String(attempt.createdAt))}>
      {day(String(attempt.createdAt))}
    </time>
  );
  return (
    <div className="r-part">
      <h3>{t`Last attempt`}</h3>
      <p>{attempt.isBackup === true ? tx`${sum} ${what}, ${time} by the backup method.` : tx`${sum} ${what}, ${time}.`}</p>
      {failed && (
        <p className="p-hint">
          {attempt.nextRetryDateEpoch ? t`${why} It is tried again on ${day(Number(attempt.nextRetryDateEpoch))}.` : why}
        </p>
      )}
    </div>
  );
}

interface MethodProps {
  method: JsonObject;
  schema: ReturnType<typeof useSchema>;
  offers: ReturnType<PanelProps['actionsOfRow']>;
  onStart: (offer: ReturnType<PanelProps['actionsOfRow']>[number]) => void;
  children?: ReactNode;
}
function Method({ method, schema, offers, onStart, children }: MethodProps) {
  const brand = optionsOf(fieldOf(schema, 'brand')).find(one => one.value === method.brand)?.title ?? String(method.brand ?? '');
  const number = String(method.maskedNumber ?? method.paypalAccountEmail ?? '');
  const [month, year] = [Number(method.expiryMonth), Number(method.expiryYear)];
  // What is looked for at a method stands in sight, the rest in its menu.
  const [first] = offers.filter(offer => offer.action.primary);
  const rest = offers.filter(offer => offer !== first);
  const end = `${String(month).padStart(2, '0')}/${year}`;
  const expiry = !(month && year) ? '' : method.status === 'EXPIRED' ? t`Expired ${end}` : t`Expires ${end}`;
  return (
    <div className="r-method">
      <PaymentBrandIcon brand={typeof method.brand === 'string' ? method.brand : undefined} />
      <div className="r-method-text">
        <p>
          <span className="p-strong">{brand}</span> <span className="p-tabular">{number}</span>
        </p>
        <p className="p-row p-wrap">
          <span className="p-hint">{[expiry, method.name].filter(Boolean).join(' · ')}</span>
          {method.status !== 'ACTIVE' && (
            <BadgeCell value={method.status} record={method} schema={fieldOf(schema, 'status')} options={{}} />
          )}
          {method.inactive === true && (
            <span className="p-badge" data-tone={toneOf('terminated')}>
              {t`Agreement ended`}
            </span>
          )}
        </p>
        {children}
        {first && (
          <button
            type="button"
            className="p-link"
            {...(first.refusal === undefined ? {} : { 'aria-disabled': true, 'data-tip': first.refusal })}
            onClick={() => onStart(first)}
          >
            {first.action.title}
            <span className="p-sr"> {number}</span>
          </button>
        )}
      </div>
      {rest.length > 0 && <RowMenu name={`${brand} ${number}`} offers={() => rest} onStart={onStart} />}
    </div>
  );
}
