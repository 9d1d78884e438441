// What offers brought in a period, beside the period before: counted from offer_events, in the store's currency and days.
import { sql, type RawBuilder } from 'kysely';
import { besideBefore, eachDay, addDays, type Compared, type Period } from '../../../domain/calendar/plain-days.ts';
import { isoDay } from '../../../domain/calendar/calendar.ts';
import { changePercent } from '../../../domain/money/metrics.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { checkPeriods } from '../../platform/records/store-days.ts';
import type { OfferKind } from './offer.ts';

type Asking = Pick<RuleContext, 'trx' | 'storeId' | 'store' | 'now'>;

/** A figure: how it is summed up over rows of offer_events, and whether it is an amount in the store's currency. */
interface Measure {
  sql: RawBuilder<number>;
  isMoney?: true;
}
const taken = sql`happened = 'ACCEPTED'`;
const MEASURES = {
  accepted: { sql: sql<number>`count(*) filter (where ${taken})` },
  pieces: { sql: sql<number>`coalesce(sum(quantity) filter (where ${taken}), 0)` },
  subscribers: { sql: sql<number>`count(distinct contract_id) filter (where ${taken})` },
  savedInCancellationFlow: { sql: sql<number>`count(*) filter (where ${taken} and place = 'CANCELLATION_FLOW')` },
  revenue: { sql: sql<number>`coalesce(sum(value_after - value_before) filter (where ${taken}), 0)`, isMoney: true },
  oneTimeRevenue: { sql: sql<number>`coalesce(sum(value_after - value_before) filter (where ${taken} and is_once), 0)`, isMoney: true },
  monthlyChange: { sql: sql<number>`coalesce(sum(monthly_change) filter (where ${taken}), 0)`, isMoney: true },
  viewed: { sql: sql<number>`count(*) filter (where happened = 'VIEWED')` },
  opened: { sql: sql<number>`count(*) filter (where happened = 'OPENED')` },
  /** Of a hundred who saw it, how many took it. */
  conversionRate: {
    sql: sql<number>`coalesce(round(1000.0 * count(*) filter (where ${taken})
      / nullif(count(*) filter (where happened = 'VIEWED'), 0)) / 10, 0)::float8`,
  },
} satisfies Record<string, Measure>;
type MeasureName = keyof typeof MEASURES;
export const isMeasure = (name: string): name is MeasureName => Object.hasOwn(MEASURES, name);

export interface FiguresInput extends Partial<Compared> {
  profileId?: number;
}

/** The period that is asked for, by default the last 30 days, beside the one it is compared with. @throws Refusal 422 */
export function periodOf({ store, now }: Pick<Asking, 'store' | 'now'>, input: FiguresInput): Compared {
  const endDate = input.endDate ?? isoDay(now().getTime(), store.timezone);
  const own = besideBefore({ startDate: input.startDate ?? addDays(endDate, -29), endDate });
  const period = {
    ...own,
    ...(input.comparisonStartDate && input.comparisonEndDate
      ? { comparisonStartDate: input.comparisonStartDate, comparisonEndDate: input.comparisonEndDate }
      : {}),
  };
  checkPeriods(period);
  return period;
}

const within = (kind: OfferKind, { startDate, endDate }: Period, profileId: number | undefined, storeId: number): RawBuilder<unknown> =>
  sql`store_id = ${storeId}::integer and kind = ${kind} and day between ${startDate}::date and ${endDate}::date
    ${profileId === undefined ? sql`` : sql`and profile_id = ${profileId}::bigint`}`;

/** Figures by the names that a call gives them: { value, previousValue, changePercent, trend }, the trend with a value for each day. */
export async function figures(
  context: Asking,
  kind: OfferKind,
  input: FiguresInput,
  wanted: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  const { trx, storeId, store } = context;
  const period = periodOf(context, input);
  const before = { startDate: period.comparisonStartDate, endDate: period.comparisonEndDate };
  const names = Object.keys(wanted);
  const columns = sql.join(names.map(name => sql`(${MEASURES[wanted[name] as MeasureName].sql})::float8 as ${sql.ref(name)}`));
  type Sums = Record<string, number>;
  const sums = async (of: Period): Promise<Sums> => {
    const { rows } = await sql<Sums>`select ${columns} from offer_events where ${within(kind, of, input.profileId, storeId)}`.execute(trx);
    return rows[0] ?? {};
  };
  const [now, then] = [await sums(period), await sums(before)];
  const days = await sql<Sums & { day: string }>`select to_char(day, 'YYYY-MM-DD') as day, ${columns} from offer_events
    where ${within(kind, period, input.profileId, storeId)} group by 1`.execute(trx);
  const byDay = new Map(days.rows.map(row => [row.day, row]));
  const figureValue = (name: string, amount: number): JsonValue => {
    const measure: Measure = MEASURES[wanted[name] as MeasureName];
    return measure.isMoney ? toDecimal(amount, store.currency_code) : amount;
  };
  return Object.fromEntries(
    names.map(name => [
      name,
      {
        value: figureValue(name, now[name] ?? 0),
        previousValue: figureValue(name, then[name] ?? 0),
        changePercent: changePercent(now[name] ?? 0, then[name] ?? 0),
        trend: eachDay(period).map(day => ({ day, value: figureValue(name, byDay.get(day)?.[name] ?? 0) })),
      },
    ]),
  );
}

/** The products that were swapped for which most often, of a period. */
export async function topPairs(context: Asking, kind: OfferKind, input: FiguresInput): Promise<JsonValue> {
  const { trx, storeId } = context;
  const { rows } = await sql<{ from: string; to: string; count: number }>`
    select coalesce(f.title, '–') as "from", coalesce(t.title, '–') as "to", count(*)::integer as count
    from (select * from offer_events where ${within(kind, periodOf(context, input), input.profileId, storeId)} and happened = 'ACCEPTED') e
      left join variants fv on fv.store_id = e.store_id and fv.id = e.from_variant_id
      left join products f on f.store_id = e.store_id and f.id = fv.product_id
      left join variants tv on tv.store_id = e.store_id and tv.id = e.to_variant_id
      left join products t on t.store_id = e.store_id and t.id = tv.product_id
    group by 1, 2 order by 3 desc, 1, 2 limit 10`.execute(trx);
  return rows;
}

/** What profiles brought in a period, by default the last 30 days, for their list: one object for each id, in their order. */
export async function ofProfiles(context: Asking, kind: OfferKind, ids: readonly number[], period?: Period): Promise<JsonObject[]> {
  const { trx, storeId, store } = context;
  const { startDate, endDate } = period ?? periodOf(context, {});
  const isWithin = sql`e.day between ${startDate}::date and ${endDate}::date`;
  const { rows } = await sql<{
    id: number;
    accepted: number;
    viewed: number;
    opened: number;
    revenue: number;
    monthly: number;
    last: Date | null;
  }>`
    select f.id, count(e.id) filter (where e.happened = 'ACCEPTED' and ${isWithin})::integer as accepted,
      count(e.id) filter (where e.happened = 'VIEWED' and ${isWithin})::integer as viewed,
      count(e.id) filter (where e.happened = 'OPENED' and ${isWithin})::integer as opened,
      coalesce(sum(e.value_after - e.value_before) filter (where e.happened = 'ACCEPTED' and ${isWithin}), 0)::float8 as revenue,
      coalesce(sum(e.monthly_change) filter (where e.happened = 'ACCEPTED' and ${isWithin}), 0)::float8 as monthly,
      max(e.created_at) filter (where e.happened = 'ACCEPTED') as last
    from unnest(${[...ids]}::bigint[]) as f(id)
      left join offer_events e on e.store_id = ${storeId}::integer and e.kind = ${kind} and e.profile_id = f.id
    group by f.id`.execute(trx);
  const byId = new Map(rows.map(row => [row.id, row]));
  return ids.map(id => {
    const row = byId.get(id);
    return {
      accepted: row?.accepted ?? 0,
      viewed: row?.viewed ?? 0,
      opened: row?.opened ?? 0,
      revenue: toDecimal(row?.revenue ?? 0, store.currency_code),
      monthlyChange: toDecimal(row?.monthly ?? 0, store.currency_code),
      lastAcceptedAt: row?.last?.toISOString() ?? null,
    };
  });
}
