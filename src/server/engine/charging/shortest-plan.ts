// How often what is on sale is charged at most: retries of a failed payment that last longer meet the next order.
import { sql } from 'kysely';
import { approxDays, type Interval, type IntervalUnit } from '../../../domain/calendar/interval.ts';
import type { Context } from '../../platform/context.ts';

/** The shortest frequency of any plan that is on sale; null when there is none. */
export async function shortestPlan({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>): Promise<Interval | null> {
  const { rows } = await sql<{
    interval: IntervalUnit;
    count: number;
  }>`select distinct p->>'recurringDeliveryPolicyInterval' as interval, (p->>'recurringDeliveryPolicyIntervalCount')::integer as count
    from records r cross join lateral jsonb_array_elements(r.data->'sellingPlans') as p
    where r.store_id = ${storeId} and r.entity = 'selling-plan-group' and r.deleted_at is null and r.data->>'status' = 'ACTIVE'`.execute(
    trx,
  );
  return (
    rows.map(({ interval, count }): Interval => ({ interval, intervalCount: count })).sort((a, b) => approxDays(a) - approxDays(b))[0] ??
    null
  );
}
