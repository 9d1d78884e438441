// Checks about payments: expired methods, more failures than usual, charges that fail on the store's side, and payments that no retry
// recovered.
import { sql } from 'kysely';
import { FAILURE_CATEGORIES, failureCategory, type FailureKey } from '../../../../domain/recovery/failure-codes.ts';
import { dayOf } from '../../../../domain/calendar/calendar.ts';
import { CLEAN, contractRows, counted, weigh, type Check, type Hits, type Scope } from '../alert-check.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** The month of the store's day: a card is good until the end of the month that stands on it. */
const monthOf = ({ store, now }: Scope): { year: number; month: number } => dayOf(now.getTime(), store.timezone);

/** Active subscriptions whose payment method is past its month; begins at the expired methods. */
export const withExpiredMethod = (scope: Scope): Hits => {
  const { year, month } = monthOf(scope);
  return sql`
    select c.id as contract_id, initcap(replace(m.brand, '_', ' ')) || coalesce(' •••• ' || m.last_digits, '') as label,
      null::text as reason,
      (make_date(m.expiry_year, m.expiry_month,
        1) + interval '1 month' - interval '1 second')::timestamp at time zone ${scope.store.timezone}::text as at, null::bigint as amount
    from payment_methods m join contracts c on c.store_id = m.store_id and c.customer_id = m.customer_id and c.payment_method_id = m.id
      and c.status = 'ACTIVE'
    where m.store_id = ${scope.store.id}::integer and m.expiry_year is not null and m.expiry_year <= ${year}::integer
      and (m.expiry_year < ${year}::integer or m.expiry_month < ${month}::integer)`;
};

export const expiredMethods: Check = {
  key: 'EXPIRED_METHODS',
  title: later`Active subscriptions with an expired payment method`,
  category: 'Payments',
  severity: 'HIGH',
  every: 'DAY',
  entityType: 'subscription',
  watches: later`Active subscriptions whose card is past its expiry date.`,
  personal: ['label'],
  ofCards: ['label', 'at'],
  action: {
    label: later`Ask for new cards`,
    kind: 'BULK_ACTION',
    target: 'SEND_PAYMENT_UPDATE_EMAIL',
    text: later`Ask the customers for a new card: each gets an e-mail that says how to give it. No customer gets two within a day.`,
  },
  async find(scope) {
    const { count, mrr, orders } = await weigh(scope, withExpiredMethod(scope));
    return {
      count,
      summary: `${counted(count, 'active subscription')} will fail at the next charge because the card has expired.`,
      impact: { mrr, orders },
    };
  },
  rows: (scope, window) => contractRows(scope, withExpiredMethod(scope), window),
};

/** So many first charges must have failed in a day before it counts as more than usual. */
const SPIKE_LEAST = 20;

/** The orders whose first charge failed in the last 24 hours, one for each subscription. */
const failedToday = ({ store, now }: Scope): Hits => sql`
  select t.contract_id, null::text as label, max(t.error_category) as reason, max(t.created_at) as at, max(t.amount) as amount
    from billing_attempts t
  where t.store_id = ${store.id}::integer and t.attempt_number = 1 and t.success = false
    and t.created_at > ${now}::timestamptz - interval '24 hours' and t.created_at <= ${now}::timestamptz group by 1`;

const percent = (rate: number): string => `${(rate * 100).toFixed(rate < 0.1 ? 1 : 0)}%`;

export const paymentFailureSpike: Check = {
  key: 'PAYMENT_FAILURE_SPIKE',
  title: later`Payment failures above normal`,
  category: 'Payments',
  severity: 'HIGH',
  every: 'HOUR',
  entityType: 'order',
  get watches() {
    return t`First charges of the last 24 hours: at least ${SPIKE_LEAST} failed, and the share of failures is more than twice that of the
      30 days before.`;
  },
  action: {
    label: later`Open failed payments`,
    kind: 'LINK',
    target: '/subscriptions?lastPaymentStatus=FAILED',
    text: later`Look at the reasons below. One reason for all points at your payment provider or a bank; many reasons pass by themselves
      with the retries.`,
  },
  // First charges alone: retries of the same cards would make a bad day look worse. Failures are counted before anything else, since they
  // are few.
  async find(scope) {
    const { trx, store, now } = scope;
    const counts = async (from: string, to: string): Promise<{ all: number; failed: number }> => {
      const { rows } = await sql<{
        all: number;
        failed: number;
      }>`select count(*) as all, count(*) filter (where not success) as failed from billing_attempts
        where store_id = ${store.id}::integer and attempt_number = 1 and success is not null
          and created_at > ${now}::timestamptz - ${from}::interval and created_at <= ${now}::timestamptz - ${to}::interval`.execute(trx);
      return rows[0] ?? { all: 0, failed: 0 };
    };
    const today = await counts('24 hours', '0 hours');
    if (today.failed < SPIKE_LEAST) return CLEAN;
    const before = await counts('31 days', '24 hours');
    const rate = today.failed / today.all;
    const usual = before.all ? before.failed / before.all : 0;
    if (rate <= 2 * usual) return CLEAN;
    const { mrr } = await weigh(scope, failedToday(scope));
    return {
      count: today.failed,
      summary:
        `${percent(rate)} of the first charges failed in the last 24 hours (${counted(today.failed, 'order')} of ` +
        `${today.all.toLocaleString('en-US')}), against ${percent(usual)} in the 30 days before.`,
      impact: { mrr, orders: today.failed },
    };
  },
  rows: (scope, window) => contractRows(scope, failedToday(scope), window),
};

/** What only the merchant can correct: wrong amounts and addresses, rules, a provider that is switched off. */
const STORE_SIDE = FAILURE_CATEGORIES.filter(one => one.kind === 'STORE').map(one => one.key);

/**
 * Orders that failed on the store's side in the last two days and are still unpaid: they are tried again once a day, so that two days hold
 * one try at least.
 */
const blocked = ({ store, now }: Scope): Hits => sql`
  select t.contract_id, null::text as label, max(t.error_category) as reason, max(t.created_at) as at, max(o.total) as amount
  from billing_attempts t join orders o on o.store_id = t.store_id and o.id = t.order_id and o.status = 'FAILED'
    and o.error_category = t.error_category
  where t.store_id = ${store.id}::integer and t.success = false and t.created_at > ${now}::timestamptz - interval '48 hours'
    and t.created_at <= ${now}::timestamptz and t.error_category = any(${STORE_SIDE}::text[]) group by 1`;

export const gatewayDisabled: Check = {
  key: 'GATEWAY_DISABLED',
  title: later`Charges blocked on your side`,
  category: 'Payments',
  severity: 'CRITICAL',
  every: 'HOUR',
  entityType: 'order',
  watches: later`Charges that fail for a reason on the store’s side, such as a payment provider that is switched off or in test mode.`,
  action: {
    label: later`Open failed payments`,
    kind: 'LINK',
    target: '/subscriptions?lastPaymentStatus=FAILED',
    text: later`Customers can’t correct this and get no e-mail. Correct the reason below in the payment settings of your store; the
      orders are tried again once a day, three times at most.`,
  },
  async find(scope) {
    const { rows } = await sql<{
      reason: FailureKey;
      n: number;
    }>`select reason, count(*) as n from (${blocked(scope)}) b group by 1 order by n desc, reason limit 3`.execute(scope.trx);
    if (rows.length === 0) return CLEAN;
    const { count, mrr } = await weigh(scope, blocked(scope));
    return {
      count,
      summary:
        `${counted(count, 'order')} failed for a reason on your side: ` +
        `${rows.map(row => failureCategory(row.reason).label.toLowerCase()).join(', ')}.`,
      impact: { mrr, orders: count },
    };
  },
  rows: (scope, window) => contractRows(scope, blocked(scope), window),
};

/** Subscriptions whose last retry failed within the week, and that go on unpaid; begins at the failed charges of the week. */
const unrecovered = ({ store, now }: Scope): Hits => sql`
  select c.id as contract_id, null::text as label, max(t.error_category) as reason, max(t.created_at) as at, max(t.amount) as amount
  from billing_attempts t join contracts c on c.store_id = t.store_id and c.id = t.contract_id and c.status in ('ACTIVE', 'PAUSED',
    'FAILED') and c.dunning ->> 'state' = 'LOST' and c.dunning ->> 'orderId' = t.order_id::text
  where t.store_id = ${store.id}::integer and t.success = false and t.created_at > ${now}::timestamptz - interval '7 days'
    and t.created_at <= ${now}::timestamptz group by 1`;

export const retriesExhausted: Check = {
  key: 'RETRIES_EXHAUSTED',
  title: later`Payments that no retry recovered`,
  category: 'Payments',
  severity: 'MEDIUM',
  every: 'HOUR',
  entityType: 'order',
  watches: later`Orders whose last retry failed within the last 7 days and that were not charged since.`,
  action: {
    label: later`Open lost payments`,
    kind: 'LINK',
    target: '/payment-recovery?tab=lost',
    text: later`Nothing is tried any more for the orders below. Charge them by hand once the customer has a working card. How often and
      when failed payments are tried again is up to your recovery settings.`,
  },
  async find(scope) {
    const { count, mrr } = await weigh(scope, unrecovered(scope));
    return {
      count,
      summary: `The last retry of ${counted(count, 'order')} failed within the last 7 days. Nothing more is tried.`,
      impact: { mrr, orders: count },
    };
  },
  rows: (scope, window) => contractRows(scope, unrecovered(scope), window),
};
