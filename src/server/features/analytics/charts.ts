// What is ahead if nothing changes: the charges that are planned, and the pieces of each variant that go out with them, beside its stock.
import { sql } from 'kysely';
import { addDays, daysBetween } from '../../../domain/calendar/plain-days.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject, JsonValue, Metric } from '../../../contract/types.ts';
import { inFigures, t } from '../../../domain/text/t.ts';
import type { Context } from '../../platform/context.ts';
import type { ChartInput } from '../../platform/analytics/chart.ts';
import { evaluate } from '../../platform/analytics/evaluate.ts';
import { namesOf } from '../../platform/analytics/labels.ts';
import { type Filters, partsOf } from '../../platform/analytics/measure.ts';
import { group } from '../../engine/index.ts';
import { FARTHEST, planned, SPANS } from './planned.ts';

export { lifetimeValue } from './lifetime.ts';

/**
 * The part of what fell due that was collected, of charges that began in the 90 days before the last 30, whose recovery is over by now;
 * null where nothing fell due.
 */
async function collectedPart(context: Context, filters: Filters, today: string): Promise<number | null> {
  const { definitions, trx, store } = context;
  const metrics = ['collected-amount', 'attempted-amount'].map(key => definitions.metrics[key] as Metric);
  const period = { startDate: addDays(today, -120), endDate: addDays(today, -31) };
  const { groups } = await evaluate({ trx, store, filters, now: context.now() }, metrics, period);
  const [collected, attempted] = groups.get('[]') ?? [];
  return attempted ? Number(collected ?? 0) / attempted : null;
}

/** What is charged in the next 30, 60 and 90 days of the store, today's among them, and what of it is likely to come in. */
export async function forecastAmounts(context: Context, input: ChartInput): Promise<JsonObject> {
  const { store } = context;
  const { days, today, isWithin } = await planned(context, input);
  const part = await collectedPart(context, input.filters, today);
  const sum = (within: number, of: 'count' | 'value'): number =>
    days.filter(day => isWithin(day.date, within)).reduce((all, day) => all + day[of], 0);
  const item = (key: string, label: string, about: string, unit: 'money' | 'count', value: number | null): JsonObject => ({
    key,
    label,
    about,
    unit,
    better: 'up',
    value: value === null ? null : unit === 'money' ? toDecimal(value, store.currency_code) : value,
    previousValue: null,
    changePercent: null,
    isOfNow: true,
    // What is likely is a part of the plan, and no order of its own.
    ...(key === 'likely' ? { hasRows: false } : {}),
  });
  const planSays = t`What active subscriptions are charged in these days if nothing changes: nothing that is skipped, no new ones.`;
  const percent = inFigures((part ?? 0) * 100, { maximumFractionDigits: 1 });
  const likelySays =
    part === null
      ? t`There are no charges yet to judge by.`
      : t`The plan, times the part of charges that came in of the 90 days before the last 30, recovery included: ${percent}%.`;
  return {
    currencyCode: store.currency_code,
    items: [
      ...SPANS.map(span => item(`planned-${span}`, t`Next ${span} days`, planSays, 'money', sum(span, 'value'))),
      item('planned-orders', t`Orders in ${FARTHEST} days`, planSays, 'count', sum(FARTHEST, 'count')),
      item('likely', t`Likely to come in`, likelySays, 'money', part === null ? null : Math.round(sum(FARTHEST, 'value') * part)),
    ],
  };
}

/** The same by weeks from today on; the last one may be shorter. */
export async function forecastWeeks(context: Context, input: ChartInput): Promise<JsonObject> {
  const { store } = context;
  const { days, today } = await planned(context, input);
  const weeks = partsOf({ startDate: today, endDate: addDays(today, FARTHEST - 1) }, 'week');
  const series = (key: string, label: string, unit: 'money' | 'count', of: 'count' | 'value'): JsonObject => ({
    key,
    label,
    unit,
    better: 'up',
    points: weeks.map(({ startDate, endDate }) => {
      const sum = days.filter(({ date }) => date >= startDate && date <= endDate).reduce((all, day) => all + day[of], 0);
      return { x: startDate, to: endDate, y: unit === 'money' ? toDecimal(sum, store.currency_code) : sum };
    }),
  });
  return {
    currencyCode: store.currency_code,
    xType: 'DATE',
    grain: 'week',
    series: [series('planned', t`Planned charges`, 'money', 'value'), series('planned-orders', t`Orders`, 'count', 'count')],
  };
}

/** Variants that are listed at most. */
const MOST = 250;

/** Pieces of each variant that go out in the next days, beside what is on stock: those that run out first stand first. */
export async function forecastStock(context: Context, input: ChartInput): Promise<JsonObject> {
  const { trx, store, definitions } = context;
  const { units, today, isWithin } = await planned(context, input, { withUnits: true });
  const byVariant = group(units, unit => unit.variantId);
  const ids = [...byVariant.keys()];
  const { rows } = await sql<{ id: number; product_id: number; on_hand: number | null }>`select id, product_id,
      case when inventory_management is null then null else greatest(inventory_quantity, 0) end as on_hand
    from variants where store_id = ${store.id}::integer and id = any(${ids}::bigint[])`.execute(trx);
  const variants = new Map(rows.map(row => [Number(row.id), row]));
  const asking = { trx, store, filters: {}, now: context.now() };
  const name = await namesOf(asking, definitions, 'variant', ids);
  const listed = [...byVariant].map(([id, all]) => {
    const onHand = variants.get(id)?.on_hand ?? null;
    const needed = (within: number): number =>
      all.filter(unit => isWithin(unit.date, within)).reduce((sum, { quantity }) => sum + quantity, 0);
    let left = onHand ?? 0;
    const short = all.toSorted((a, b) => (a.date < b.date ? -1 : 1)).find(unit => (left -= unit.quantity) < 0);
    const lasts = onHand === null || !short ? null : daysBetween(today, short.date);
    return {
      key: String(variants.get(id)?.product_id ?? ''),
      part: String(id),
      label: name(id === 0 ? null : id),
      lasts,
      values: [7, ...SPANS].map(needed),
      onHand,
    };
  });
  listed.sort((a, b) => (a.lasts ?? Infinity) - (b.lasts ?? Infinity) || (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  const column = (key: string, label: string, about: string, unit: 'count' | 'days' = 'count') => ({
    ...(key.startsWith('needed-') ? {} : { hasRows: false }),
    key,
    label,
    about,
    unit,
    better: 'neither',
  });
  const needs = t`Pieces that orders of these days hold if nothing changes, prepaid deliveries among them.`;
  return {
    columns: [
      ...[7, ...SPANS].map(span => column(`needed-${span}`, t`Next ${span} days`, needs)),
      column('on-hand', t`On stock`, t`What is there now; a dash where stock is not tracked.`),
      column(
        'lasts',
        t`Lasts`,
        t`Until subscriptions need more than is there; a dash where it is enough for ${FARTHEST} days or not tracked.`,
        'days',
      ),
    ] as JsonValue,
    rows: listed
      .slice(0, MOST)
      .map(({ key, part, label, values, onHand, lasts }) => ({ key, part, label, values: [...values, onHand, lasts] })),
    total: listed.length,
  };
}
