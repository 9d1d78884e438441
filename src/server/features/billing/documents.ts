// What the page of plans shows: the plans side by side, how much of the present one is used, and what each month came to.
import { sql } from 'kysely';
import type { JsonObject, Plan } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { inUse, isCustom, misfit, periodAt, presentPlan, runningOf, sold } from './plans.ts';

/** Months that are told, the present one among them. */
const MONTHS = 12;

const named = (key: string): string => {
  const words = key.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export async function billing(context: RuleContext): Promise<JsonObject> {
  const { trx, storeId, store, definitions } = context;
  const { plan: present, since } = presentPlan(definitions, store);
  const now = context.now();
  const [running, used, changes] = [await runningOf(trx, storeId), await inUse(trx, storeId), await changesOf(context)];
  const isMine = (feature: string): boolean =>
    present.features.includes(feature) || sold(definitions).some(one => one.rank <= present.rank && one.features.includes(feature));
  const plans = sold(definitions).map((plan): JsonObject => {
    const has = new Set(sold(definitions).flatMap(one => (one.rank <= plan.rank ? one.features : [])));
    const lost = sold(definitions)
      .flatMap(one => one.features)
      .filter(feature => isMine(feature) && !has.has(feature));
    return {
      id: plan.id,
      name: plan.name,
      rank: plan.rank,
      isPresent: plan.id === present.id,
      isCustom: isCustom(plan),
      canChoose: !isCustom(plan) || store.is_demo,
      fixedCharge: plan.fixedCharge,
      transactionCharge: String(Number(plan.transactionCharge)),
      limit: plan.subscriptionLimit ?? null,
      features: plan.features.map(named),
      misfit: misfit(plan, running) ?? null,
      stops:
        plan.rank < present.rank
          ? lost.map(feature => ({ title: named(feature), count: used[feature]?.count ?? 0, what: used[feature]?.what ?? '' }))
          : [],
    };
  });
  const ahead = changes.find(({ status, appliedAt }) => status === 'APPROVED' && !appliedAt);
  const waiting = changes.find(({ status }) => status === 'REQUESTED');
  const period = periodAt(since, now);
  return {
    plans,
    present: {
      id: present.id,
      name: present.name,
      since: since.toISOString(),
      periodFrom: period.from.toISOString(),
      periodTo: period.to.toISOString(),
    },
    usage: { running, limit: present.subscriptionLimit ?? null },
    ahead: ahead ? { id: ahead.id, plan: ahead.plan, effectiveAt: ahead.effectiveAt } : null,
    waiting: waiting ? { id: waiting.id, plan: waiting.plan } : null,
    charges: await chargesOf(context, present, changes),
  };
}

interface Change {
  id: number;
  planId: number;
  plan: string;
  fromPlan: string;
  status: string;
  effectiveAt: string;
  appliedAt: string | null;
}
async function changesOf({ trx, storeId, definitions }: RuleContext): Promise<Change[]> {
  const { rows } = await sql<{ id: number; data: Omit<Change, 'id' | 'plan'> }>`select id, data from records
    where store_id = ${storeId}::integer and entity = 'plan-change' and deleted_at is null order by id desc limit 200`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id, plan: definitions.plans.find(one => one.id === data.planId)?.name ?? '' }));
}

/** One row for each month with orders: their value in dollars, and what the plan at the end of the month took of it. */
async function chargesOf(
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
  return rows
    .filter(({ orders, ends }) => orders > 0 || ends > now())
    .map(({ month, ends, orders, value }) => {
      const plan = planAt(ends);
      const fee = Math.round((value * Number(plan.transactionCharge)) / 100);
      const fixed = Math.round(Number(plan.fixedCharge) * 100);
      const dollars = (cents: number): string => (cents / 100).toFixed(2);
      return {
        month,
        plan: plan.name,
        orders,
        value: dollars(value),
        isCustom: isCustom(plan),
        isOpen: ends > now(),
        fixed: dollars(fixed),
        fee: dollars(fee),
        total: dollars(fixed + fee),
      };
    });
}
