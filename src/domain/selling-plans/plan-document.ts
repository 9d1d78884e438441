// A selling plan group as it is kept: plans with ids and places, everything spelled out as the wire spells it (D021, D022).
import { planToWire } from '../codecs/selling-plan-group.ts';
import { groupType, planType, type SellingPlan, type SellingPlanGroup } from './selling-plan.ts';
import { pointToWrite, resultingPlans } from './selling-plan-write.ts';
import type { FieldError, JsonObject, JsonValue } from '../../contract/types.ts';

export type KeptPlan = SellingPlan & { lspId: number; shopifyId: number | null };
export interface KeptGroup extends JsonObject {
  name: string;
  merchantCode: string;
  optionLabel: string;
  status: 'DRAFT' | 'ACTIVE' | 'DELETED';
}

const trimmed = (value: JsonValue | undefined): JsonValue => (typeof value === 'string' ? value.trim() : (value ?? null));
const asPlans = (value: JsonValue | undefined): SellingPlan[] => (Array.isArray(value) ? (value as SellingPlan[]) : []);

/** The plans of a kept group in their order. */
export const plansOf = (group: JsonObject): SellingPlan[] =>
  [...asPlans(group.sellingPlans)].sort((a, b) => (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER));

/** A group as the rules of the domain take it. */
export const asGroup = (group: JsonObject): SellingPlanGroup => ({
  ...(group as unknown as SellingPlanGroup),
  sellingPlans: plansOf(group),
});

/**
 * What the two ticks of the form stand for, and what follows from the rest, is written down; text loses the space around it.
 * Billing that is not said follows the delivery, save for a prepaid plan in a store that may no longer sell those: it keeps its own.
 */
function spelledOut(plan: JsonObject, before: SellingPlan | undefined): SellingPlan {
  const { shopifyId: _ours, ...derived } = planToWire(plan);
  // A kind of day that was sent stays, so that the rules refuse one that does not go with the deliveries.
  const wire = plan.hasAnchor === true && plan.anchorType ? { ...derived, anchorType: plan.anchorType } : derived;
  const noDiscount = wire.fixedDiscountType === 'NONE' || wire.fixedDiscountType === undefined;
  const second = wire.recurringDiscountType ?? null;
  const hasBilling =
    wire.recurringBillingPolicyInterval !== undefined &&
    wire.recurringBillingPolicyInterval !== null &&
    wire.recurringBillingPolicyIntervalCount !== undefined &&
    wire.recurringBillingPolicyIntervalCount !== null;
  const spelled = {
    ...wire,
    name: trimmed(wire.name) ?? '',
    optionLabel: trimmed(wire.optionLabel) ?? '',
    description: trimmed(wire.description) ?? null,
    category: 'SUBSCRIPTION',
    isDefault: wire.isDefault === true,
    ...(hasBilling
      ? {}
      : before && isPrepaid(before)
        ? {
            recurringBillingPolicyInterval: before.recurringBillingPolicyInterval,
            recurringBillingPolicyIntervalCount: before.recurringBillingPolicyIntervalCount,
          }
        : {
            recurringBillingPolicyInterval: wire.recurringDeliveryPolicyInterval,
            recurringBillingPolicyIntervalCount: wire.recurringDeliveryPolicyIntervalCount,
          }),
    recurringBillingPolicyMinCycles: wire.recurringBillingPolicyMinCycles ?? null,
    recurringBillingPolicyMaxCycles: wire.recurringBillingPolicyMaxCycles ?? null,
    anchorType: wire.anchorType ?? null,
    anchorDay: wire.anchorType ? (wire.anchorDay ?? null) : null,
    anchorMonth: wire.anchorType ? (wire.anchorMonth ?? null) : null,
    recurringDeliveryPolicyPreAnchorBehavior: wire.anchorType ? (wire.recurringDeliveryPolicyPreAnchorBehavior ?? 'ASAP') : null,
    recurringDeliveryPolicyCutOff: wire.anchorType ? (wire.recurringDeliveryPolicyCutOff ?? 0) : null,
    fixedDiscountType: wire.fixedDiscountType ?? 'NONE',
    fixedDiscountValue: noDiscount ? null : (wire.fixedDiscountValue ?? null),
    recurringDiscountType: second,
    recurringDiscountValue: second === null || second === 'NONE' ? null : (wire.recurringDiscountValue ?? null),
    recurringDiscountAfterCycle: second === null ? null : (wire.recurringDiscountAfterCycle ?? null),
  };
  return spelled as SellingPlan;
}

export interface Result {
  plans: SellingPlan[];
  errors: FieldError[];
}

/**
 * The plans that a write leaves. `given` is the form's list (plans without an id are new), `known` the ids the writer knew of:
 * known plans that are not in the list go, plans it did not know of stay. Errors point into `given`.
 */
export function resultOf(before: readonly SellingPlan[], given: readonly JsonObject[], known: readonly number[]): Result {
  const plans = given.map(plan =>
    spelledOut(
      plan,
      before.find(one => one.lspId === plan.lspId),
    ),
  );
  const updates = plans.filter(plan => plan.lspId != null);
  const creates = plans.filter(plan => plan.lspId == null);
  const named = new Set(updates.map(plan => plan.lspId));
  const write = { sellingPlansToUpdate: updates, sellingPlansToCreate: creates, sellingPlansToDelete: known.filter(id => !named.has(id)) };
  const resulting = resultingPlans(before, write);
  const place = (error: FieldError): FieldError => {
    const [, list, index, rest = ''] = /^\/(sellingPlansTo\w+)\/(\d+)(\/.*)?$/.exec(error.pointer) ?? [];
    const plan =
      list === 'sellingPlansToUpdate' ? updates[Number(index)] : list === 'sellingPlansToCreate' ? creates[Number(index)] : undefined;
    // Ids are not seen in the form; the sentence stands at the plan's name.
    return { ...error, pointer: plan ? `/sellingPlans/${plans.indexOf(plan)}${rest === '/lspId' ? '/name' : rest}` : '/sellingPlans' };
  };
  // Positions say the order; a plan that came without one follows those that have one.
  const inOrder = resulting.plans
    .map((plan, index) => ({ plan, index }))
    .sort((a, b) => (a.plan.position ?? Number.MAX_SAFE_INTEGER) - (b.plan.position ?? Number.MAX_SAFE_INTEGER) || a.index - b.index);
  const places = inOrder.map(({ plan }) => plan.position);
  const isSaid = places.every(place => place != null) && new Set(places).size === places.length;
  return {
    plans: isSaid ? inOrder.map(({ plan }) => plan) : inOrder.map(({ plan }, index) => ({ ...plan, position: index + 1 })),
    errors: pointToWrite(resulting.errors, []).map(place),
  };
}

/** Exactly one plan is selected at first; the first that says so, else none is marked and the first by place counts. */
export function oneDefault(plans: readonly SellingPlan[]): SellingPlan[] {
  const chosen = plans.findIndex(plan => plan.isDefault);
  return plans.map((plan, index) => ({ ...plan, isDefault: index === chosen }));
}

export const typeOf = (plans: readonly SellingPlan[]) => groupType({ sellingPlans: plans });
export const isPrepaid = (plan: SellingPlan): boolean => planType(plan) !== 'STANDARD';
