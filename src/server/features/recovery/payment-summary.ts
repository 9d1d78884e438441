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
  is_own: boolean;
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
 * rate of its day, which the order keeps in US dollars, rounded once.
 */
export async function summarise(trx: Kysely<Tables>, store: Store, now: Period, before: Period): Promise<Summary> {
  const part = (isNow: boolean, { startDate, endDate }: Period) => sql`
    select ${isNow}::boolean as is_now, fate, currency_code = ${store.currency_code} as is_own, count(*) as n,
      sum(case when currency_code = ${store.currency_code} then amount else usd end)::bigint as amount from (
      select 'PAID' as fate, t.currency_code, t.amount, o.total_usd as usd
        from billing_attempts t left join orders o
          on t.currency_code <> ${store.currency_code} and o.store_id = t.store_id and o.id = t.order_id
        where t.store_id = ${store.id}::integer and t.attempt_number = 1
          and t.created_at >= ${beginOf(store, startDate)} and t.created_at < ${endOf(store, endDate)} and t.success
      union all
      select case when o.status = 'PAID' then 'RECOVERED'
          when o.next_retry_at is not null or o.status = 'PROCESSING' then 'OPEN' else 'LOST' end, t.currency_code, t.amount, o.total_usd
        from billing_attempts t join orders o on o.store_id = t.store_id and o.id = t.order_id
        where t.store_id = ${store.id}::integer and t.attempt_number = 1
          and t.created_at >= ${beginOf(store, startDate)} and t.created_at < ${endOf(store, endDate)} and t.success is distinct from true
    ) charged group by 2, 3`;
  const { rows } = await sql<Row>`${part(true, now)} union all ${part(false, before)}`.execute(trx);
  const sum = (name: (typeof FIGURES)[number], isNow: boolean) =>
    rows
      .filter(row => row.is_now === isNow && COUNTS[name].includes(row.fate))
      .reduce(
        (total, row) => ({ ...total, [row.is_own ? 'own' : 'usd']: total[row.is_own ? 'own' : 'usd'] + row.amount, n: total.n + row.n }),
        {
          own: 0,
          usd: 0,
          n: 0,
        },
      );
  const worth = ({ own, usd }: { own: number; usd: number }): number => own + inStoreCurrency(store, usd, 'USD');
  return Object.fromEntries(
    FIGURES.map(name => {
      const [now, then] = [sum(name, true), sum(name, false)];
      const [current, previous] = [worth(now), worth(then)];
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
