// The updates of all subscriptions that settings pages start: product prices, shipping prices, the billing hour and the order schedule.
import { sql } from 'kysely';
import { atBillingHour } from '../../../../domain/calendar/calendar.ts';
import { type Outcome, type PriceSettings, recomputeShipping, updatePrices } from '../../../engine/index.ts';
import { presetBundles } from '../../bundles/preset-update.ts';
import { running, type ContractUpdate } from './contract-update.ts';
import { chargeOffsets, deliveryDateFields } from './order-schedule-update.ts';

export const productPrices: ContractUpdate = {
  kind: 'UPDATE_PRODUCT_PRICE',
  // Only contracts with a line whose variant costs something else now.
  async candidates(trx, storeId, after, limit) {
    const { rows } = await sql<{ id: number }>`select c.id from contracts c
      where c.store_id = ${storeId} and c.status in ('ACTIVE', 'PAUSED') and c.id > ${after} and exists (
        select 1 from contract_lines l join variants v on v.store_id = l.store_id and v.id = l.variant_id and v.deleted_at is null
        where l.store_id = ${storeId} and l.contract_id = c.id and not l.one_time_added and l.base_price <> v.price)
      order by c.id limit ${limit}`.execute(trx);
    return rows.map(row => row.id);
  },
  async count(trx, storeId) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from contracts c
      where c.store_id = ${storeId} and c.status in ('ACTIVE', 'PAUSED') and exists (
        select 1 from contract_lines l join variants v on v.store_id = l.store_id and v.id = l.variant_id and v.deleted_at is null
        where l.store_id = ${storeId} and l.contract_id = c.id and not l.one_time_added and l.base_price <> v.price)`.execute(trx);
    return rows[0]?.n ?? 0;
  },
  async apply(work, aggregates) {
    await work.loadVariants(aggregates);
    const settings = (await work.context.setting('auto-updates')) as PriceSettings;
    const outcomes: Outcome[] = [];
    for (const subscription of aggregates) outcomes.push(await updatePrices(work, subscription, settings));
    return outcomes;
  },
};

export const shippingPrices: ContractUpdate = {
  kind: 'UPDATE_SHIPPING_PRICE',
  ...running,
  async apply(work, aggregates) {
    return aggregates.map(subscription => recomputeShipping(work, subscription));
  },
};

/** Moves every order ahead to the billing hour of its day, in the store's time zone. The hour is that of the run's start. */
export const billingHours: ContractUpdate = {
  kind: 'UPDATE_BILLING_HOUR',
  ...running,
  async apply(work, aggregates, input) {
    const hour = Number(input.billingHour);
    const move = (at: Date): Date => new Date(atBillingHour(at.getTime(), work.zone, hour));
    return aggregates.map((subscription): Outcome => {
      const { contract } = subscription;
      const next = contract.next_billing_at;
      if (contract.base_at) contract.base_at = move(contract.base_at);
      if (contract.resume_at) contract.resume_at = move(contract.resume_at);
      for (const order of subscription.orders) {
        if (order.cycle < contract.next_cycle || order.status !== 'SCHEDULED' || !order.is_rescheduled) continue;
        order.billing_at = move(order.billing_at);
        order.delivery_at = move(order.delivery_at);
        order.scheduled_at = move(order.scheduled_at);
      }
      const changed = next !== null && move(next).getTime() !== next.getTime();
      if (changed) work.note(subscription, 'order_schedule_preferences', { billingHour: hour, isAutomatic: true });
      return { contractId: contract.id, changed };
    });
  },
};

export const UPDATES: Record<string, ContractUpdate> = Object.fromEntries(
  [productPrices, shippingPrices, billingHours, chargeOffsets, deliveryDateFields, presetBundles].map(update => [update.kind, update]),
);
