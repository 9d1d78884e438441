// What became of the orders that were first charged in a period: paid, paid after a failure, still
// being tried, lost. In the store's currency.
import { sql, type Kysely } from 'kysely';
import { changePercent } from '../../../domain/money/metrics.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { Period } from '../../../domain/calendar/plain-days.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { beginOf, endOf } from '../../platform/records/store-days.ts';

/** `value` and `previous` are decimal amounts; `changePercent` has one decimal and is null where there is nothing to compare with. */
export interface Figure {
  value: string;
  count: number;
  previous: string;
  previousCount: number;
  changePercent: number | null;
}
export const FIGURES = ['attempted', 'realized', 'recovered', 'underRecovery', 'lost'] as const;
export type Summary = Record<(typeof FIGURES)[number], Figure>;

type Fate = 'PAID' | 'RECOVERED' | 'OPEN' | 'LOST';
interface Row {
  is_now: boolean;
  fate: Fate;
  currency_code: string;
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
 * attempt; only where that one failed does the order itself tell how it ended.
 */
export async function summarise(trx: Kysely<Tables>, store: Store, now: Period, before: Period): Promise<Summary> {
  const part = (isNow: boolean, { startDate, endDate }: Period) => sql`
    select ${isNow}::boolean as is_now, fate, currency_code, count(*) as n, sum(amount)::bigint as amount from (
      select 'PAID' as fate, currency_code, amount from billing_attempts
        where store_id = ${store.id}::integer and attempt_number = 1 and created_at >= ${beginOf(store, startDate)} and created_at < ${endOf(store, endDate)} and success
      union all
      select case when o.status = 'PAID' then 'RECOVERED' when o.next_retry_at is not null or o.status = 'PROCESSING' then 'OPEN' else 'LOST' end, t.currency_code, t.amount
        from billing_attempts t join orders o on o.store_id = t.store_id and o.id = t.order_id
        where t.store_id = ${store.id}::integer and t.attempt_number = 1 and t.created_at >= ${beginOf(store, startDate)} and t.created_at < ${endOf(store, endDate)} and t.success is distinct from true
    ) charged group by fate, currency_code`;
  const { rows } = await sql<Row>`${part(true, now)} union all ${part(false, before)}`.execute(trx);
  const sum = (name: (typeof FIGURES)[number], isNow: boolean) =>
    rows
      .filter(row => row.is_now === isNow && COUNTS[name].includes(row.fate))
      .reduce((total, row) => ({ amount: total.amount + inStoreCurrency(store, row.amount, row.currency_code), n: total.n + row.n }), {
        amount: 0,
        n: 0,
      });
  return Object.fromEntries(
    FIGURES.map(name => {
      const current = sum(name, true),
        previous = sum(name, false);
      return [
        name,
        {
          value: toDecimal(current.amount, store.currency_code),
          count: current.n,
          previous: toDecimal(previous.amount, store.currency_code),
          previousCount: previous.n,
          changePercent: changePercent(current.amount, previous.amount),
        } satisfies Figure,
      ];
    }),
  ) as Summary;
}
