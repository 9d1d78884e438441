// The rows behind what is ahead: each planned charge of a subscription, and each order that holds pieces of a variant.
import { addDays, type Period } from '../../../domain/calendar/plain-days.ts';
import { t } from '../../../domain/text/t.ts';
import type { ChartInput } from '../../platform/analytics/chart.ts';
import type { Listed, ListedPlace } from '../../platform/analytics/listed-rows.ts';
import type { Context } from '../../platform/context.ts';
import { FARTHEST, planned } from './planned.ts';

/** Charges of the plan in some days: what they bring, or one for each. */
async function charges(context: Context, input: ChartInput, unit: 'money' | 'count', daysOf: (today: string) => Period): Promise<Listed> {
  const { orders, today } = await planned(context, input, { list: 'value' });
  const days = daysOf(today);
  return {
    title: t`Planned charges`,
    unit,
    days,
    rows: orders
      .filter(({ date }) => date >= days.startDate && date <= days.endDate)
      .map(row => (unit === 'money' ? row : { ...row, value: 1 })),
  };
}
const next =
  (days: number) =>
  (today: string): Period => ({ startDate: today, endDate: addDays(today, days - 1) });

export async function forecastAmounts(context: Context, input: ChartInput, { metric }: ListedPlace): Promise<Listed | undefined> {
  if (metric === 'planned-orders') return charges(context, input, 'count', next(FARTHEST));
  const [, span] = /^planned-(30|60|90)$/.exec(metric) ?? [];
  return span === undefined ? undefined : charges(context, input, 'money', next(Number(span)));
}

export async function forecastWeeks(context: Context, input: ChartInput, { metric, days }: ListedPlace): Promise<Listed | undefined> {
  if (metric !== 'planned' && metric !== 'planned-orders') return undefined;
  return charges(context, input, metric === 'planned' ? 'money' : 'count', today => days ?? next(FARTHEST)(today));
}

export async function forecastStock(context: Context, input: ChartInput, { metric, part = '' }: ListedPlace): Promise<Listed | undefined> {
  const [, span] = /^needed-(7|30|60|90)$/.exec(metric) ?? [];
  if (span === undefined || !/^\d{1,15}$/.test(part)) return undefined;
  const { orders, today, isWithin } = await planned(context, input, { list: { variantId: Number(part) } });
  return {
    title: t`Pieces`,
    unit: 'count',
    days: next(Number(span))(today),
    rows: orders.filter(({ date }) => isWithin(date, Number(span))),
  };
}
