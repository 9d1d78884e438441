// Charges the next order, one that failed, or one that is past its date.
import { sql } from 'kysely';
import { t } from '../../../../domain/text/t.ts';
import { type Aggregate, orderIdOf } from '../../aggregate.ts';
import { retryOf } from '../../charging/stock.ts';
import * as orders from '../../edits/orders.ts';
import { nextPlanned } from '../../schedule.ts';
import type { UnitOfWork } from '../../unit-of-work.ts';
import { skip, type ActionCode, type Charging, namedOrder } from '../action.ts';

interface Charge {
  which: 'NEXT' | 'FAILED' | 'OVERDUE';
  keepSchedule?: boolean;
}

/** What was next when it was prepared may have been charged since, by hand, by a link or by itself: the one behind it was not asked for. */
function refuseSecond({ context: { askedAt } }: UnitOfWork, { contract, orders: all }: Aggregate): void {
  const last = all.filter(order => order.cycle < contract.next_cycle && order.status !== 'SKIPPED').at(-1);
  const chargedAt = last && (last.status === 'FAILED' ? retryOf(last)?.firstFailedAt : last.processed_at?.getTime());
  if (askedAt && chargedAt !== undefined && chargedAt >= askedAt.getTime())
    throw skip(t`An order was charged after this bulk action was prepared. Prepare another one to charge the next order.`);
}

/** The order that is charged: named, so that a repeated row can never charge the next one. */
function orderToCharge(work: UnitOfWork, subscription: Aggregate, which: Charge['which']): number {
  if (which === 'FAILED') {
    const failed = subscription.orders.filter(order => order.status === 'FAILED').sort((x, y) => y.cycle - x.cycle)[0];
    if (!failed) throw skip(t`No payment of this subscription has failed.`);
    return failed.id;
  }
  refuseSecond(work, subscription);
  if (subscription.contract.status === 'PAUSED' && which === 'NEXT')
    return orderIdOf(subscription.contract.id, subscription.contract.next_cycle);
  const next = nextPlanned(subscription, work.zone);
  if (!next) throw skip(t`This subscription has no order to charge.`);
  if (which === 'OVERDUE' && next.billingAt > work.at.getTime()) throw skip(t`No order of this subscription is past its date.`);
  return orderIdOf(subscription.contract.id, next.cycle);
}

export const action: ActionCode<Charge, { orderId: number; keepSchedule?: boolean }> = {
  variants: true,
  mayCharge: true,
  orderIds: async ({ trx, storeId }, contractIds, { which }) => {
    if (which !== 'FAILED') return [];
    const { rows } = await sql<{ id: number }>`select o.id from unnest(${contractIds}::bigint[]) as c(id) cross join lateral (
      select id from orders where store_id = ${storeId}::integer and contract_id = c.id and status = 'FAILED' order by cycle desc
        limit 1) o`.execute(trx);
    return rows.map(row => row.id);
  },
  // Tried again, it is the same order: one that was paid meanwhile is left alone, and the one after it was not asked for.
  one: orders.chargeNow,
  apply: (work, subscription, { which, keepSchedule = false }, values): Charging =>
    orders.chargeNow(work, subscription, { orderId: namedOrder(values) ?? orderToCharge(work, subscription, which), keepSchedule }),
};
