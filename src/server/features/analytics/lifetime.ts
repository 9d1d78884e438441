// The forecast of what a subscriber brings: bounded by a horizon, with the range that so many lost subscribers leave open, and nothing at
// all where they are too few to tell.
import { sql } from 'kysely';
import { HORIZON_MONTHS, LEAST_LOST, LEAST_MONTHS, LOOKED_BACK, monthsThere, rateBetween } from '../../../domain/analytics/lifetime.ts';
import { formatMoney, toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject, Metric } from '../../../contract/types.ts';
import { inFigures, intlLocale, t } from '../../../domain/text/t.ts';
import type { ChartInput } from '../../platform/analytics/chart.ts';
import { monthAfter } from '../../platform/analytics/cohort.ts';
import { evaluate } from '../../platform/analytics/evaluate.ts';
import type { Context } from '../../platform/context.ts';
import { todayOf } from '../../platform/records/store-days.ts';

/** The last whole months of the store, at most six, none of them before its first subscription. */
async function wholeMonths({ trx, store, now }: Context): Promise<string[]> {
  const thisMonth = todayOf(store, now()).slice(0, 7);
  const { rows } = await sql<{ month: string | null }>`select to_char(min(day), 'YYYY-MM') as month from movements
    where store_id = ${store.id}::integer`.execute(trx);
  const first = rows[0]?.month ?? thisMonth;
  return Array.from({ length: LOOKED_BACK }, (_, i) => monthAfter(thisMonth, i - LOOKED_BACK).startDate.slice(0, 7)).filter(
    month => month > first,
  );
}

/** What a subscriber is likely to bring in the first 36 months, and what that is worked out from. */
export async function lifetimeValue(context: Context, { filters }: Pick<ChartInput, 'filters'>): Promise<JsonObject> {
  const { trx, store, definitions } = context;
  const currencyCode = store.currency_code;
  const months = await wholeMonths(context);
  const [first, last] = [months[0], months.at(-1)];
  if (!first || !last || months.length < LEAST_MONTHS)
    return {
      currencyCode,
      mistake: t`There are ${months.length} whole months since the first subscription; ${LEAST_MONTHS} are needed to tell
        how long subscribers stay.`,
    };
  const period = { startDate: `${first}-01`, endDate: monthAfter(last, 0).endDate };
  const metrics = ['subscriber-revenue', 'lost-subscribers', 'subscriber-months'].map(key => definitions.metrics[key] as Metric);
  const { groups } = await evaluate({ trx, store, filters, now: context.now() }, metrics, period, { grain: 'month' });
  const sums = metrics.map((_, i) => [...groups.values()].reduce((all, figures) => all + Number(figures[i] ?? 0), 0));
  const [revenue = 0, lost = 0, there = 0] = sums;
  if (lost < LEAST_LOST || there <= lost)
    return {
      currencyCode,
      mistake: t`${inFigures(lost)} subscribers were lost in the last ${months.length} whole months; ${LEAST_LOST} are needed to tell
        how long subscribers stay.`,
    };
  const month = revenue / there;
  const worth = (churn: number): number => Math.round(month * monthsThere(churn));
  const [low, high] = rateBetween(lost, there);
  const money = (minor: number): string => formatMoney(minor, currencyCode, intlLocale());
  const percent = (part: number): string => inFigures(part, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const basis = t`Of the last ${months.length} whole months; gifts are left out.`;
  const item = (key: string, label: string, unit: string, value: number, about: string, note?: string): JsonObject => ({
    key,
    label,
    about,
    unit,
    better: key === 'leaving' ? 'down' : 'up',
    value: unit === 'money' ? toDecimal(value, currencyCode) : value,
    previousValue: null,
    changePercent: null,
    isOfNow: true,
    ...(note === undefined ? {} : { note }),
  });
  return {
    currencyCode,
    items: [
      item(
        'lifetime',
        t`Value in ${HORIZON_MONTHS} months`,
        'money',
        worth(lost / there),
        t`What a new subscriber is likely to bring in the first ${HORIZON_MONTHS} months: ${money(Math.round(month))} in each month in which
          they are there, while ${percent(lost / there)} of those who are left leave in each. What comes after ${HORIZON_MONTHS} months is
          not counted. ${inFigures(lost)} subscribers were lost in these months: that leaves it between ${money(worth(high))} and
          ${money(worth(low))}, in 95 of 100 cases. ${basis}`,
        t`between ${money(worth(high))} and ${money(worth(low))}`,
      ),
      item(
        'month',
        t`Revenue in a month`,
        'money',
        Math.round(month),
        t`Paid first orders and renewals of a month, divided by the customers who were subscribers when it began or became one in it.
          ${basis}`,
      ),
      item(
        'leaving',
        t`Leave in a month`,
        'percent',
        Math.round((lost / there) * 1000) / 10,
        t`Lost subscribers of a month, in percent of the customers who were subscribers when it began or became one in it. ${basis}`,
      ),
      item(
        'stay',
        t`Months there`,
        'number',
        Math.round(monthsThere(lost / there) * 10) / 10,
        t`For how many of the first ${HORIZON_MONTHS} months a subscriber is there on average, if as many leave in each month as did.
          ${basis}`,
      ),
    ],
  };
}
