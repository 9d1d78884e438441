// Figures that no sum over facts can say: the orders ahead, which the engine plans.
import { eachDay, addDays } from '../../../domain/calendar/plain-days.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import type { Context } from '../../platform/context.ts';
import { todayOf } from '../../platform/records/store-days.ts';
import { engineOf, ordersAhead, readSettings } from '../../engine/index.ts';

export { forecastAmounts, forecastStock, forecastWeeks } from './forecast.ts';

const DAYS = 30;

/** Orders of each of the next 30 days and what they are worth, as on the home page. */
export async function upcomingOrders(context: Context): Promise<JsonObject> {
  const { trx, store } = context;
  const { prepaidShippingCharge } = await readSettings(engineOf(context));
  const { days: charged } = await ordersAhead(trx, store, context.now(), DAYS, { prepaidShippingCharge });
  const ahead = new Map(charged.map(day => [day.date, day]));
  const today = todayOf(store, context.now());
  const days = eachDay({ startDate: today, endDate: addDays(today, DAYS - 1) });
  const points = (value: (date: string) => string | number): JsonObject[] => days.map(date => ({ x: date, to: date, y: value(date) }));
  return {
    currencyCode: store.currency_code,
    xType: 'DATE',
    grain: 'day',
    series: [
      {
        key: 'upcoming-amount',
        label: t`Expected revenue`,
        unit: 'money',
        better: 'up',
        points: points(date => toDecimal(ahead.get(date)?.value ?? 0, store.currency_code)),
      },
      { key: 'upcoming-orders', label: t`Orders`, unit: 'count', better: 'up', points: points(date => ahead.get(date)?.count ?? 0) },
    ],
  };
}
