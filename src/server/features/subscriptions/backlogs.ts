// Charges that are late: those whose day has come and that were not made, and those that were made and never answered.
import type { Backlog } from '../../platform/metrics/backlog.ts';

/** A store's clock as real time: all that is due is written down by the store's clock, which the demo moves ahead. */
const real = (instant: string): string => `${instant} - s.clock_offset_ms * interval '1 millisecond'`;
const STORE_NOW = "now() + s.clock_offset_ms * interval '1 millisecond'";

export const backlogs: Backlog[] = [
  {
    // Stuck: subscriptions whose order could not be begun because of a fault, and that are tried again later (`contracts_put_off`).
    of: 'charges due',
    sql: `select count(*) as waiting, min(${real('c.next_billing_at')}) as since, (select count(*) from contracts_put_off) as stuck
      from stores s join contracts c on c.store_id = s.id and c.status = 'ACTIVE' and c.next_billing_at <= ${STORE_NOW}`,
  },
  {
    // Waits for no customer (a bank that wants to be asked by them) and no provider (it says when to look again). Stuck: `unclear_since`.
    of: 'charges unanswered',
    sql: `select count(*) filter (where o.unclear_since is null) as waiting,
        min(${real('coalesce(a.look_up_at, a.created_at)')}) filter (where o.unclear_since is null) as since,
        count(*) filter (where o.unclear_since is not null) as stuck
      from stores s join orders o on o.store_id = s.id and o.status = 'PROCESSING'
        join billing_attempts a on a.store_id = o.store_id and a.order_id = o.id and not a.ready and a.next_action_url is null
      where coalesce(a.look_up_at, a.created_at) <= ${STORE_NOW}`,
  },
];
