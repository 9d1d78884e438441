// The orders of the next days that the pages of figures speak of.
import { addDays } from '../../../domain/calendar/plain-days.ts';
import type { Context } from '../../platform/context.ts';
import type { ChartInput } from '../../platform/analytics/chart.ts';
import { narrowed } from '../../platform/analytics/measure.ts';
import { todayOf } from '../../platform/records/store-days.ts';
import { engineOf, ordersAhead, readSettings } from '../../engine/index.ts';

export const SPANS = [30, 60, 90] as const;
export const FARTHEST = 90;

/**
 * What is planned for the next 90 days of the store, of the subscriptions that filters leave (`ordersAhead`).
 * `more`: with the pieces of each variant, or its orders one by one.
 */
export async function planned(
  context: Context,
  { filters }: Pick<ChartInput, 'filters'>,
  more: { withUnits?: true; list?: 'value' | { variantId: number } } = {},
) {
  const { trx, store } = context;
  const { prepaidShippingCharge } = await readSettings(engineOf(context));
  const ahead = await ordersAhead(trx, store, context.now(), FARTHEST, { prepaidShippingCharge, narrow: narrowed(filters), ...more });
  const today = todayOf(store, context.now());
  return { ...ahead, today, isWithin: (date: string, days: number): boolean => date < addDays(today, days) };
}
