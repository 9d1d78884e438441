// Orders that should have been charged and were not, or of which it is not known whether they were.
import { sql } from 'kysely';
import { contractRows, counted, weigh, type Check, type Hits, type Scope } from '../alert-check.ts';
import { later, t } from '../../../../domain/text/t.ts';

const HOURS = 6;

/**
 * Subscriptions with an order, a charge or a retry that has waited for more than six hours. Each of
 * the four begins at an index of what is due.
 */
export const overdue = ({ store, now }: Scope): Hits => {
  const before = new Date(now.getTime() - HOURS * 3_600_000);
  return sql`
    select contract_id, null::text as label, min(reason) as reason, min(at) as at, max(amount) as amount from (
      select id as contract_id, 'NOT_CHARGED' as reason, next_billing_at as at, null::bigint as amount from contracts
        where store_id = ${store.id}::integer and status = 'ACTIVE' and next_billing_at <= ${before}
      union all select p.contract_id, 'PUT_OFF', p.since, null from contracts_put_off p join contracts c on c.store_id = p.store_id
        and c.id = p.contract_id and c.status = 'ACTIVE' and c.next_billing_at = p.until where p.store_id = ${store.id}::integer
          and p.since <= ${before}
      union all select contract_id, 'NO_ANSWER', updated_at, total from orders o where store_id = ${store.id}::integer
        and status = 'PROCESSING' and unclear_since is null and updated_at <= ${before} and not exists (select 1 from billing_attempts t
          where t.store_id = o.store_id and t.order_id = o.id and not t.ready and t.look_up_at > ${before})
      union all select o.contract_id, 'NOT_RETRIED', o.next_retry_at, o.total from orders o join contracts c on c.store_id = o.store_id
        and c.id = o.contract_id and c.status = 'ACTIVE' where o.store_id = ${store.id}::integer and o.next_retry_at <= ${before}
    ) late group by contract_id`;
};

export const overdueOrders: Check = {
  key: 'OVERDUE_ORDERS',
  title: later`Orders past due, not charged`,
  category: 'Orders',
  severity: 'CRITICAL',
  every: 'HOUR',
  entityType: 'order',
  get watches() {
    return t`Orders, retries and charges that should have happened more than ${HOURS} hours ago and did not.`;
  },
  action: {
    label: later`Charge overdue orders`,
    kind: 'BULK_ACTION',
    target: 'CHARGE_ORDER',
    text: later`Orders that were put off are tried again every hour. Open a subscription below to see what stands in its way, or charge
      all of them now.`,
  },
  async find(scope) {
    const { count, mrr } = await weigh(scope, overdue(scope));
    return {
      count,
      summary: `${counted(count, 'order')} should have been charged more than ${HOURS} hours ago and ${count === 1 ? 'was' : 'were'} not.`,
      impact: { mrr, orders: count },
    };
  },
  rows: (scope, window) => contractRows(scope, overdue(scope), window),
};

/** Subscriptions with a payment that is disputed and waits for the store's answer. */
const disputed = ({ store }: Scope): Hits => sql`
  select contract_id, dispute ->> 'reference' as label, replace(dispute ->> 'reason', '_', ' ') as reason,
    to_timestamp((dispute ->> 'dueEpoch')::bigint) as at, (dispute ->> 'amount')::bigint as amount
    from orders where store_id = ${store.id}::integer and dispute ->> 'status' = 'NEEDS_RESPONSE' and dispute is not null`;

export const disputedPayments: Check = {
  key: 'PAYMENT_DISPUTED',
  title: later`Disputed payments without an answer`,
  category: 'Payments',
  severity: 'CRITICAL',
  every: 'HOUR',
  entityType: 'order',
  watches: later`Payments that customers dispute at their bank, until you have answered at your payment provider.`,
  action: {
    label: later`See the orders`,
    kind: 'IN_PLACE',
    target: 'subscription-contract.disputeEvidence',
    text: later`Get the evidence of each order in the order history of its subscription, and answer with it at your payment provider
      before the day on which the bank decides.`,
  },
  async find(scope) {
    const { count, mrr } = await weigh(scope, disputed(scope));
    return {
      count,
      summary: `${counted(count, 'payment is', 'payments are')} disputed and not answered yet.`,
      impact: { mrr, orders: count },
    };
  },
  rows: (scope, window) => contractRows(scope, disputed(scope), window),
};

/** Subscriptions with an order of which the payment provider can't tell whether it was charged; each has one at most. */
const unclear = ({ store }: Scope): Hits => sql`
  select contract_id, idempotency_key as label, null::text as reason, unclear_since as at, total as amount, id as order_id from orders
    where store_id = ${store.id}::integer and status = 'PROCESSING' and unclear_since is not null`;

export const unclearCharges: Check = {
  key: 'CHARGE_UNCLEAR',
  title: later`Charges without a known outcome`,
  category: 'Payments',
  severity: 'CRITICAL',
  every: 'HOUR',
  entityType: 'order',
  watches: later`Charges that the payment provider did not answer and does not know any more: a second charge could be one too many.`,
  action: {
    label: later`See the orders`,
    kind: 'IN_PLACE',
    target: 'subscription-contract.confirmCharge',
    text: later`Look for each charge at your payment provider, then say whether it was made or charge the order again. Until then nothing
      more is charged for these subscriptions.`,
  },
  async find(scope) {
    const { count, mrr } = await weigh(scope, unclear(scope));
    return {
      count,
      summary: `The payment provider can’t tell whether ${counted(count, 'order was', 'orders were')} charged.`,
      impact: { mrr, orders: count },
    };
  },
  rows: (scope, window) => contractRows(scope, unclear(scope), window),
};
