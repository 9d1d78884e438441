/** A write to a selling plan group names plans to create, to update and to delete; the rules hold for the set that results. */
import type { FieldError } from '../../contract/types.ts';
import type { SellingPlan } from './selling-plan.ts';
import { t } from '../text/t.ts';

export type PlanWrite = {
  sellingPlansToCreate?: readonly SellingPlan[];
  sellingPlansToUpdate?: readonly SellingPlan[];
  sellingPlansToDelete?: readonly number[];
};

export type PlanOrigin = { list: 'sellingPlansToCreate' | 'sellingPlansToUpdate' | 'sellingPlans'; index: number };

/** `origins[i]` says where the plan `plans[i]` of the resulting set was named, so that its errors can point there. */
export type ResultingPlans = { plans: SellingPlan[]; origins: PlanOrigin[]; errors: FieldError[] };

/** Applies a write to the plans that a group has. Plans keep their places, new ones follow. Unknown ids are errors, not ignored. */
export function resultingPlans(existing: readonly SellingPlan[], write: PlanWrite): ResultingPlans {
  const errors: FieldError[] = [];
  const known = new Set(existing.map(({ lspId }) => lspId));
  const updates = new Map<number, { plan: SellingPlan; index: number }>();
  (write.sellingPlansToUpdate ?? []).forEach((plan, index) => {
    if (plan.lspId != null && known.has(plan.lspId)) {
      updates.set(plan.lspId, { plan, index });
      return;
    }
    const rule = plan.lspId == null ? 'PLAN_ID_MUST_BE_SPECIFIED_TO_UPDATE' : 'PLAN_DOES_NOT_EXIST';
    errors.push({ pointer: `/sellingPlansToUpdate/${index}/lspId`, rule, message: t`This selling plan no longer exists` });
  });
  const deleted = new Set(write.sellingPlansToDelete ?? []);
  [...deleted].forEach((lspId, index) => {
    if (!known.has(lspId))
      errors.push({
        pointer: `/sellingPlansToDelete/${index}`,
        rule: 'PLAN_DOES_NOT_EXIST',
        message: t`This selling plan no longer exists`,
      });
  });
  const plans: SellingPlan[] = [];
  const origins: PlanOrigin[] = [];
  existing.forEach((plan, index) => {
    if (plan.lspId != null && deleted.has(plan.lspId)) return;
    const update = plan.lspId == null ? undefined : updates.get(plan.lspId);
    plans.push(update ? { ...plan, ...update.plan } : plan);
    origins.push(update ? { list: 'sellingPlansToUpdate', index: update.index } : { list: 'sellingPlans', index });
  });
  (write.sellingPlansToCreate ?? []).forEach((plan, index) => {
    plans.push(plan);
    origins.push({ list: 'sellingPlansToCreate', index });
  });
  return { plans, origins, errors };
}

/** Moves errors of the resulting set (`/sellingPlans/2/name`) to the list and place where the write named the plan. */
export function pointToWrite(errors: readonly FieldError[], origins: readonly PlanOrigin[]): FieldError[] {
  return errors.map(error => {
    const match = /^\/sellingPlans\/(\d+)(\/.*)?$/.exec(error.pointer);
    const origin = match ? origins[Number(match[1])] : undefined;
    return origin ? { ...error, pointer: `/${origin.list}/${origin.index}${match?.[2] ?? ''}` } : error;
  });
}
