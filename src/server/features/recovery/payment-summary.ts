// What became of the orders that were first charged in a period: paid, paid after a failure, still
// being tried, lost. In the store's currency.
import { sql, type Kysely } from 'kysely';
import { changePercent } from '../../../domain/money/metrics.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { Period } from '../../../domain/calendar/plain-days.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import { beginOf, endOf } from '../../platform/records/store-days.ts';

/** `value` and `previous` are decimal amounts; `changePercent` has one decimal and is null where there is nothing to compare with. */
export type Figure = {
  value: string;
  count: number;
  previous: string;
  previousCount: number;
  changePercent: number | null;
};
export const FIGURES = ['attempted', 'realized', 'recovered', 'underRecovery', 'lost'] as const;
export type Summary = Record<(typeof FIGURES)[number], Figure>;

type Fate = 'PAID' | 'RECOVERED' | 'OPEN' | 'LOST';
interface Row {
  is_now: boolean;
  fate: Fate;
  n: number;
  amount: number;
}

const COUNTS: Record<(typeof FIGURES)[number], readonly Fate[]> = {
  attempted: ['PAID', 'RECOVERED', 'OPEN', 'LOST'],
  realized: ['PAID', 'RECOVERED'],
  recovered: ['RECOVERED'],
  underRecovery: ['OPEN'],
  lost: ['LOST'],
};

/**
 * Sums up both periods; their days are days of the store's time zone, first and last included. An order belongs to the day of its first
 * attempt; only where that one failed does the order itself tell how it ended. An amount in another currency counts as on Home: by the
 * rate of its day, which the attempt keeps.
 */
export async function summarise(trx: Kysely<Tables>, store: Store, now: Period, before: Period): Promise<Summary> {
  const part = (isNow: boolean, { startDate, endDate }: Period) => sql`
    select ${isNow}::boolean as is_now, fate, count(*) as n,
      sum(booked(amount, currency_code, rate, ${store.currency_code}::text))::bigint as amount from (
      select 'PAID' as fate, t.currency_code, t.amount, t.rate from billing_attempts t
        where t.store_id = ${store.id}::integer and t.attempt_number = 1
          and t.created_at >= ${beginOf(store, startDate)} and t.created_at < ${endOf(store, endDate)} and t.success
      union all
      select case when o.status = 'PAID' then 'RECOVERED'
          when o.next_retry_at is not null or o.status = 'PROCESSING' then 'OPEN' else 'LOST' end, t.currency_code, t.amount, t.rate
        from billing_attempts t join orders o on o.store_id = t.store_id and o.id = t.order_id
        where t.store_id = ${store.id}::integer and t.attempt_number = 1
          and t.created_at >= ${beginOf(store, startDate)} and t.created_at < ${endOf(store, endDate)} and t.success is distinct from true
    ) charged group by 2`;
  const { rows } = await sql<Row>`${part(true, now)} union all ${part(false, before)}`.execute(trx);
  const sum = (name: (typeof FIGURES)[number], isNow: boolean): { amount: number; n: number } =>
    rows
      .filter(row => row.is_now === isNow && COUNTS[name].includes(row.fate))
      .reduce((total, { amount, n }) => ({ amount: total.amount + amount, n: total.n + n }), { amount: 0, n: 0 });
  return Object.fromEntries(
    FIGURES.map(name => {
      const [now, then] = [sum(name, true), sum(name, false)];
      const [current, previous] = [now.amount, then.amount];
      return [
        name,
        {
          value: toDecimal(current, store.currency_code),
          count: now.n,
          previous: toDecimal(previous, store.currency_code),
          previousCount: then.n,
          changePercent: changePercent(current, previous),
        } satisfies Figure,
      ];
    }),
  ) as Summary;
}
