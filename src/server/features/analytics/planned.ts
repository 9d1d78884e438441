// The orders of the next days that the pages of figures speak of.
import { addDays } from '../../../domain/calendar/plain-days.ts';
import type { Context } from '../../platform/context.ts';
import type { ChartInput } from '../../platform/analytics/chart.ts';
import { narrowed } from '../../platform/analytics/measure.ts';
import { todayOf } from '../../platform/records/store-days.ts';
import { engineOf, ordersAhead, readSettings } from '../../engine/index.ts';

export const SPANS = [30, 60, 90] as const;
export const FARTHEST = 90;

type Ahead = Awaited<ReturnType<typeof ordersAhead>>;
const underWay = new Map<string, Promise<Ahead>>();
/** The components of a page are asked for at once: who asks for what is being worked out for another waits for that. */
async function shared(key: string, work: () => Promise<Ahead>): Promise<Ahead> {
  const found = await underWay.get(key)?.catch(() => undefined);
  if (found) return found;
  const begun = work();
  underWay.set(key, begun);
  try {
    return await begun;
  } finally {
    if (underWay.get(key) === begun) underWay.delete(key);
  }
}

/**
 * What is planned for the next 90 days of the store, of the subscriptions that filters leave (`ordersAhead`), with the pieces of each
 * variant. `list`: its orders one by one.
 */
export async function planned(context: Context, { filters }: Pick<ChartInput, 'filters'>, list?: 'value' | { variantId: number }) {
  const { trx, store } = context;
  const ahead = await shared(JSON.stringify([store.id, store.clock_offset_ms, filters, list]), async () => {
    const { prepaidShippingCharge } = await readSettings(engineOf(context));
    const narrow = narrowed(filters);
    return ordersAhead(trx, store, context.now(), FARTHEST, { prepaidShippingCharge, narrow, ...(list ? { list } : { withUnits: true }) });
  });
  const today = todayOf(store, context.now());
  return { ...ahead, today, isWithin: (date: string, days: number): boolean => date < addDays(today, days) };
}
