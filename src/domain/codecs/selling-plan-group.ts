// A selling plan group in the form <-> on the wire. The form holds one list of plans, and says "paid in advance" and "on a certain day"
// in one tick each; the wire names plans to create, update and delete, and spells every policy out (D021, D022).
import { ANCHOR_TYPE } from '../calendar/anchor-type.ts';
import type { IntervalUnit } from '../calendar/interval.ts';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { t } from '../text/t.ts';
import { WireError } from './rest-query.ts';

const object = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
const list = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
/** Where a plan stands; one that does not say comes last. */
const place = (plan: JsonObject): number => (typeof plan.position === 'number' ? plan.position : Number.MAX_SAFE_INTEGER);
const isId = (value: JsonValue | undefined): value is number => typeof value === 'number';

/** A plan as the wire spells it: without the two ticks, with what they stand for. What is not said stays unsaid. */
export function planToWire(plan: JsonObject): JsonObject {
  const { isPrepaid, hasAnchor, ...wire } = plan;
  if (isPrepaid === false) {
    wire.recurringBillingPolicyInterval = wire.recurringDeliveryPolicyInterval ?? null;
    wire.recurringBillingPolicyIntervalCount = wire.recurringDeliveryPolicyIntervalCount ?? null;
  }
  if (hasAnchor === false) Object.assign(wire, { anchorType: null, anchorDay: null, anchorMonth: null });
  else if (hasAnchor === true) {
    const unit = wire.recurringDeliveryPolicyInterval as IntervalUnit;
    wire.anchorType = ANCHOR_TYPE[unit] ?? null;
    if (wire.anchorType === null) wire.anchorDay = null;
    if (wire.anchorType !== 'YEARDAY') wire.anchorMonth = null;
  }
  return wire;
}

/** A plan as the form shows it. A second price of type NONE without an order number is the wire's way to say that there is none. */
export function planFromWire(wire: JsonObject): JsonObject {
  const plan: JsonObject = { ...wire };
  if (plan.isPrepaid === undefined && wire.recurringBillingPolicyInterval !== undefined) {
    plan.isPrepaid =
      wire.recurringBillingPolicyInterval !== wire.recurringDeliveryPolicyInterval ||
      wire.recurringBillingPolicyIntervalCount !== wire.recurringDeliveryPolicyIntervalCount;
  }
  if (plan.hasAnchor === undefined && wire.anchorType !== undefined) plan.hasAnchor = wire.anchorType !== null;
  if (wire.recurringDiscountType === 'NONE' && !wire.recurringDiscountAfterCycle) plan.recurringDiscountType = null;
  if (wire.recurringDeliveryPolicyPreAnchorBehavior === null) plan.recurringDeliveryPolicyPreAnchorBehavior = 'ASAP';
  if (wire.recurringDeliveryPolicyCutOff === null) plan.recurringDeliveryPolicyCutOff = 0;
  return plan;
}

/**
 * A day that the form could not show would be lost without a word: one of daily deliveries, one of another kind than the deliveries', and
 * one without its kind. @throws WireError
 */
function refuseLostAnchors(lists: Record<string, JsonValue | undefined>): void {
  for (const [name, plans] of Object.entries(lists))
    for (const [i, plan] of list(plans).entries()) {
      const { anchorType, anchorDay, hasAnchor, recurringDeliveryPolicyInterval: unit } = object(plan);
      const suited = ANCHOR_TYPE[unit as IntervalUnit];
      // An unknown unit is left for the schema to refuse.
      if (suited === undefined || hasAnchor === false) continue;
      const hasDay = anchorType != null || anchorDay != null;
      const at = `${name}/${i}/anchorType`;
      if (suited === null) {
        if (hasDay || hasAnchor === true)
          throw new WireError(at, t`Specific day billing isn't available for daily deliveries. Leave out “anchorType” and “anchorDay”.`);
      } else if (hasDay && suited !== anchorType && (anchorType != null || hasAnchor !== true))
        throw new WireError(
          at,
          t`With “${String(unit)}” as “recurringDeliveryPolicyInterval”, the “anchorType” of a billing day must be “${suited}”.`,
        );
    }
}

/** A plan of a write as the form shows it; what is no plan is left for the schema to refuse. */
const asInForm = (plan: JsonValue): JsonValue =>
  plan !== null && typeof plan === 'object' && !Array.isArray(plan) ? planFromWire(plan) : plan;

/** For answers: a whole group. */
export const sellingPlanGroup = {
  encode: (ours: JsonValue): JsonValue => {
    const { planIds: _planIds, publish: _publish, ...group } = object(ours);
    return group.sellingPlans === undefined
      ? group
      : { ...group, sellingPlans: list(group.sellingPlans).map(plan => planToWire(object(plan))) };
  },
  decode: (wire: JsonValue): JsonValue => {
    const group = object(wire);
    if (group.sellingPlans === undefined) return group;
    const plans = list(group.sellingPlans).map(plan => planFromWire(object(plan)));
    return { ...group, sellingPlans: plans, planIds: plans.map(plan => plan.lspId).filter(isId) };
  },
};

/**
 * For writes. Plans without an id are created, the others updated; those that the form was opened with and that are gone are deleted.
 * Their order is their position; that of the group is sent by programs alone. `publish` is the status to be: ACTIVE or DRAFT.
 */
export const sellingPlanChanges = {
  encode: (ours: JsonValue): JsonValue => {
    // A form carries the place that the group had when it was opened; the list of groups sets it.
    const { sellingPlans, planIds, publish, position: _place, ...group } = object(ours);
    const status: JsonObject = typeof publish === 'boolean' ? { status: publish ? 'ACTIVE' : 'DRAFT' } : {};
    if (sellingPlans === undefined) return { ...group, ...status };
    const plans = list(sellingPlans).map((plan, index): JsonObject => ({ ...planToWire(object(plan)), position: index + 1 }));
    const ids = plans.map(plan => plan.lspId).filter(isId);
    return {
      ...group,
      ...status,
      sellingPlansToCreate: plans.filter(plan => !isId(plan.lspId)).map(({ lspId: _lspId, ...plan }) => plan),
      sellingPlansToUpdate: plans.filter(plan => isId(plan.lspId)),
      sellingPlansToDelete: list(planIds)
        .filter(isId)
        .filter(id => !ids.includes(id)),
    };
  },
  decode: (wire: JsonValue): JsonValue => {
    const { sellingPlansToCreate, sellingPlansToUpdate, sellingPlansToDelete, status, ...group } = object(wire);
    const publish: JsonObject = status === 'ACTIVE' ? { publish: true } : status === 'DRAFT' ? { publish: false } : {};
    const named = [sellingPlansToUpdate, sellingPlansToCreate, sellingPlansToDelete];
    const { sellingPlans: whole } = group;
    refuseLostAnchors({ sellingPlansToUpdate, sellingPlansToCreate, sellingPlans: whole });
    if (named.every(part => part === undefined))
      return { ...group, ...publish, ...(Array.isArray(whole) ? { sellingPlans: whole.map(asInForm) } : {}) };
    // What is no list is left for the schema to refuse.
    const odd =
      [sellingPlansToUpdate, sellingPlansToCreate].find(part => part !== undefined && !Array.isArray(part)) ??
      (Array.isArray(sellingPlansToDelete ?? []) ? undefined : sellingPlansToDelete);
    if (odd !== undefined) return { ...group, ...publish, sellingPlans: odd };
    const plans = [...list(sellingPlansToUpdate), ...list(sellingPlansToCreate)]
      .map(plan => planFromWire(object(plan)))
      .sort((a, b) => place(a) - place(b));
    return {
      ...group,
      ...publish,
      sellingPlans: plans,
      planIds: [...plans.map(plan => plan.lspId), ...list(sellingPlansToDelete)].filter(isId),
    };
  },
};
