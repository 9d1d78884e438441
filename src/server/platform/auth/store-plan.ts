// The plan a store is on, with all it includes.
import { featuresGiven } from '../../../contract/switches.ts';
import type { Definitions, Plan, Session } from '../../../contract/types.ts';
import type { Store } from '../context.ts';

/** feature -> the lowest plan that has it; flagged plans (trials, previews) are not for sale and don't count. */
export function minimumPlans(definitions: Pick<Definitions, 'plans'>): Map<string, Plan> {
  const lowest = new Map<string, Plan>();
  for (const plan of [...definitions.plans].filter(one => !one.flagged).sort((a, b) => a.rank - b.rank)) {
    for (const feature of plan.features) if (!lowest.has(feature)) lowest.set(feature, plan);
  }
  return lowest;
}

/** The store's plan, with what its feature switches give it besides. An id that the catalogue no longer has counts as the lowest plan. */
export function planOf(
  definitions: Pick<Definitions, 'plans'>,
  store: Pick<Store, 'billing_plan_id' | 'details' | 'created_at' | 'feature_switches'>,
): Session['plan'] {
  const plan = definitions.plans.find(one => one.id === store.billing_plan_id) ?? [...definitions.plans].sort((a, b) => a.rank - b.rank)[0];
  if (!plan) throw new Error('schemas/common/plans.json has no plan.');
  const since = (store.details as { planSince?: string } | null)?.planSince;
  const features = new Set([
    ...definitions.plans.filter(one => !one.flagged && one.rank <= plan.rank).flatMap(one => one.features),
    ...plan.features,
    ...featuresGiven(store.feature_switches),
  ]);
  return {
    billing_plan_id: plan.id,
    name: plan.name,
    fixed_charge: plan.fixedCharge,
    transaction_charge: plan.transactionCharge,
    createdAt: since ?? store.created_at.toISOString(),
    features: [...features],
    minimumPlans: Object.fromEntries([...minimumPlans(definitions)].map(([feature, one]) => [feature, one.rank])),
    rank: plan.rank,
  };
}

/** How many subscriptions the store's plan allows; undefined where it sets no limit (S311: 50 on the free plan). */
export const subscriptionLimit = ({
  definitions,
  session,
}: {
  definitions: Pick<Definitions, 'plans'>;
  session: Pick<Session, 'plan'>;
}): number | undefined => definitions.plans.find(plan => plan.id === session.plan.billing_plan_id)?.subscriptionLimit;
/** Whether so many active and paused subscriptions are more than the plan allows. */
export const isOverLimit = (context: Parameters<typeof subscriptionLimit>[0], running: number): boolean =>
  running > (subscriptionLimit(context) ?? Number.POSITIVE_INFINITY);
