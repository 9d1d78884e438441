// The features of the product with the plan that begins to have them, and the switches of the store.
import type { JsonValue } from '../../contract/types.ts';
import type { Context } from '../context.ts';
import { minimumPlans } from '../plans.ts';

/** S255, S256: every feature and the id of the lowest plan that has it. */
export async function allFeatures(context: Context): Promise<JsonValue> {
  return [...minimumPlans(context.definitions)].map(([key, plan]) => ({ key, min_plan: plan.id }));
}

/** S259, S260. */
export async function featureSwitches(context: Context): Promise<JsonValue> {
  return { featureSwitches: context.store.feature_switches };
}
