// What each month came to, by the plan of its time.
import { sql } from 'kysely';
import type { JsonObject, Plan } from '../../../contract/types.ts';
import { creditsUsed } from '../../../domain/money/credits.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { earnedByMonth } from './earned.ts';
import { isCustom } from './plans.ts';

/** How many months the answer has, with the present one. */
const MONTHS = 12;

export interface Change {
  id: number;
  planId: number;
  plan: string;
  fromPlan: string;
  status: string;
  effectiveAt: string;
  appliedAt: string | null;
}
export async function changesOf({ trx, storeId, definitions }: RuleContext): Promise<Change[]> {
  const { rows } = await sql<{ id: number; data: Omit<Change, 'id' | 'plan'> }>`select id, data from records
    where store_id = ${storeId}::integer and entity = 'plan-change' and deleted_at is null order by id desc limit 200`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id, plan: definitions.plans.find(one => one.id === data.planId)?.name ?? '' }));
}

/**
 * One row for each month with orders: their value in dollars, what the plan at the end of the month took of it, and the credit from
 * referrals that came off. A credit that twelve months did not use up is gone.
 */
export async function chargesOf(
  { trx, storeId, store, definitions, now }: RuleContext,
  present: Plan,
  changes: readonly Change[],
): Promise<JsonObject[]> {
  const { rows } = await sql<{ month: string; ends: Date; orders: number; value: number }>`
    select to_char(m.first, 'YYYY-MM') as month, (m.first + interval '1 month') at time zone ${store.timezone} as ends,
      count(o.id) as orders, coalesce(sum(o.total_usd), 0)::bigint as value
    from generate_series(date_trunc('month', ${now()}::timestamptz at time zone ${store.timezone})
        - make_interval(months => ${MONTHS - 1}::integer),
      date_trunc('month', ${now()}::timestamptz at time zone ${store.timezone}), interval '1 month') as m(first)
    left join orders o on o.store_id = ${storeId}::integer and o.status = 'PAID' and not o.is_prepaid_delivery
      and o.processed_at >= m.first at time zone ${store.timezone}
      and o.processed_at < (m.first + interval '1 month') at time zone ${store.timezone}
    group by m.first order by m.first desc`.execute(trx);
  const made = changes.filter(({ appliedAt }) => appliedAt).toSorted((x, y) => String(x.appliedAt).localeCompare(String(y.appliedAt)));
  const planAt = (at: Date): Plan => {
    const later = made.find(({ appliedAt }) => Date.parse(String(appliedAt)) >= at.getTime());
    return (
      definitions.plans.find(({ name }) => name === later?.fromPlan) ??
      (later ? present : definitions.plans.find(({ id }) => id === present.id)!)
    );
  };
  const due = rows
    .filter(({ orders, ends }) => orders > 0 || ends > now())
    .map(row => {
      const plan = planAt(row.ends);
      const fee = Math.round((row.value * Number(plan.transactionCharge)) / 100);
      return { ...row, plan, fee, fixed: Math.round(Number(plan.fixedCharge) * 100) };
    });
  const credits = creditsUsed(
    due.map(({ month, fixed, fee }) => ({ month, cents: fixed + fee })),
    await earnedByMonth(trx, storeId, store.timezone),
  );
  const dollars = (cents: number): string => (cents / 100).toFixed(2);
  return due.map(({ month, ends, orders, value, plan, fee, fixed }) => {
    const credit = credits.get(month) ?? 0;
    return {
      month,
      plan: plan.name,
      orders,
      value: dollars(value),
      isCustom: isCustom(plan),
      isOpen: ends > now(),
      fixed: dollars(fixed),
      fee: dollars(fee),
      credit: dollars(credit),
      total: dollars(fixed + fee - credit),
    };
  });
}
