// Changes to a lower plan that are due: made if the store fits in the plan by then, else given up with the reason.
import { sql, type Kysely } from 'kysely';
import type { JsonObject, Plan } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { writeLog } from '../../platform/records/account-log.ts';
import { misfit, putOnPlan, runningOf } from './plans.ts';

/** Makes what is due of one store at a moment of its clock. Safe to repeat. */
export async function applyDue(trx: Kysely<Tables>, storeId: number, now: Date, plans: readonly Plan[]): Promise<void> {
  const { rows } = await sql<{ id: number; data: JsonObject }>`select id, data from records
    where store_id = ${storeId}::integer and entity = 'plan-change' and data ->> 'status' = 'APPROVED' and data ->> 'appliedAt' is null
      and (data ->> 'effectiveAt')::timestamptz <= ${now}::timestamptz order by id for update`.execute(trx);
  for (const { id, data } of rows) {
    const plan = plans.find(one => one.id === data.planId);
    const reason = plan ? misfit(plan, await runningOf(trx, storeId)) : 'This plan is not offered any more.';
    const outcome: JsonObject = reason ? { status: 'DECLINED', failure: reason } : { appliedAt: String(data.effectiveAt) };
    if (!reason) await putOnPlan(trx, storeId, Number(data.planId), new Date(String(data.effectiveAt)));
    await sql`update records set data = data || ${JSON.stringify(outcome)}::jsonb, version = version + 1, updated_at = now()
      where store_id = ${storeId}::integer and id = ${id}::bigint and entity = 'plan-change'`.execute(trx);
    await writeLog(
      trx,
      storeId,
      {
        action: 'plan.changed',
        category: 'Billing',
        description: reason ? `Plan not changed: ${reason}` : `Plan changed to ${plan?.name ?? ''}`,
        entity: 'plan-change',
        entityId: id,
      },
      { at: now },
    );
  }
}
