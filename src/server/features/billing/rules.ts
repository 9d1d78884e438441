// Changes of plan: an upgrade counts at once, a lower plan from the end of the billing period, and only if what the store has fits in it.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { invalid, Refusal, type Context } from '../../platform/context.ts';
import { rules } from '../../platform/records/rules.ts';
import { chargeOf, feeOf, isCustom, misfit, periodAt, presentPlan, putOnPlan, runningOf, sold } from './plans.ts';
import { t } from '../../../domain/text/t.ts';

const wrong = (message: string): Refusal => invalid([{ pointer: '/planId', rule: 'plan', message }]);

/** What keeps a store from a plan. */
async function refused(planId: unknown, { trx, storeId, store, definitions }: Context): Promise<Refusal | undefined> {
  const plan = sold(definitions).find(({ id }) => id === planId);
  const { plan: present } = presentPlan(definitions, store);
  if (!plan) return wrong(t`Choose one of the plans that are offered.`);
  if (plan.id === present.id) return wrong(t`You are on the ${plan.name} plan already.`);
  if (isCustom(plan) && !store.is_demo) return wrong(t`The ${plan.name} plan is agreed with you. Write to us from the help center.`);
  const reason = misfit(plan, await runningOf(trx, storeId));
  return reason ? wrong(reason) : undefined;
}

export const planChange = rules({
  fill(verb, { input }, context): JsonObject {
    if (verb !== 'create') return {};
    const plan = sold(context.definitions).find(({ id }) => id === input.planId);
    const { plan: present, since } = presentPlan(context.definitions, context.store);
    const isLower = plan !== undefined && plan.rank < present.rank;
    const now = context.now();
    return {
      fromPlan: present.name,
      isLower,
      effectiveAt: (isLower ? periodAt(since, now).to : now).toISOString(),
      ...(plan ? { charge: chargeOf(plan), fee: feeOf(plan) } : {}),
      appliedAt: null,
      failure: null,
      requestedBy: context.user.email,
    };
  },
  async validate(verb, { before, record }, context) {
    // Two changes of one store never meet.
    await sql`select 1 from stores where id = ${context.storeId}::integer for update`.execute(context.trx);
    if (verb === 'create') return refused(record?.planId, context);
    if (verb === 'move' && record?.status === 'APPROVED') return refused(record.planId, context);
    if (verb === 'move' && before?.status === 'APPROVED' && before.appliedAt)
      return new Refusal(409, 'INVALID_STATE', t`This plan is in effect. Choose another one on the page of plans.`);
    return undefined;
  },
  async after(verb, { record }, { trx, storeId, now, user }) {
    const id = Number(record?.id);
    // A new choice takes the place of those that wait.
    if (verb === 'create' || record?.status === 'APPROVED')
      await sql`update records set data = data || '{"status": "DECLINED"}', version = version + 1, updated_at = now(),
          updated_by = ${user.email}
        where store_id = ${storeId}::integer and entity = 'plan-change' and id <> ${id}::bigint
          and (data ->> 'status' = 'REQUESTED' or (data ->> 'status' = 'APPROVED' and data ->> 'appliedAt' is null
            and ${verb === 'move'}))`.execute(trx);
    if (record?.status !== 'APPROVED' || record.isLower === true) return;
    await putOnPlan(trx, storeId, Number(record.planId), now());
    await sql`update records set data = data || jsonb_build_object('appliedAt', ${now().toISOString()}::text,
        'effectiveAt', ${now().toISOString()}::text)
      where store_id = ${storeId}::integer and entity = 'plan-change' and id = ${id}::bigint`.execute(trx);
  },
});
