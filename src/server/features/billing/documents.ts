// What the page of plans shows: the plans side by side, how much of the present one is used, and what each month came to.
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { changesOf, chargesOf } from './charges.ts';
import { inUse, isCustom, misfit, periodAt, presentPlan, runningOf, sold } from './plans.ts';

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
