// Flows: what their actions are given, what no schema can say about them, and what they did of late.
import { sql } from 'kysely';
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import { accessOf } from '../../../contract/access.ts';
import { forbiddenRows } from '../../../contract/conditions.ts';
import { TRIGGERS, type Trigger } from '../../../domain/flows/triggers.ts';
import type { Context } from '../../platform/context.ts';
import { deleteRowsOf } from '../../platform/queue/delete-rows.ts';
import { rules } from '../../platform/records/rules.ts';
import { IS_OF_FLOW, isJourney, triggersOf, type Flow, type FlowAction } from './flow.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { actionErrors, filledIn } from '../../engine/index.ts';

type Asking = Pick<Context, 'definitions' | 'session' | 'now'>;

/** Every list of actions that counts, with its pointer. */
function listsOf(flow: Flow): [pointer: string, actions: readonly FlowAction[]][] {
  if (!isJourney(flow)) return [['/actions', flow.actions ?? []]];
  return (flow.journeySteps ?? []).map((step, i) => [`/journeySteps/${i}/actions`, step.actions ?? []]);
}

/** Conditions that ask about what the person who saves may not read, or about an event which the flow does not follow. */
function conditionErrors(context: Asking, flow: Flow): FieldError[] {
  const followed = new Set<string>(triggersOf(flow).flatMap(trigger => TRIGGERS[trigger].events));
  const { conditions } = context.definitions;
  const mayRead = (area: string): boolean => accessOf(context.session).can(area, 'READ');
  const forbidden = forbiddenRows(conditions, (flow.conditions ?? {}) as JsonObject, mayRead);
  const misplaced = (flow.conditions?.rows ?? []).flatMap((row, i) => {
    const { events = [] } = conditions[row.conditionKey] ?? {};
    if (events.length === 0 || [...followed].every(key => events.includes(key))) return [];
    const trigger = (Object.keys(TRIGGERS) as Trigger[]).find(key => TRIGGERS[key].events.some(event => events.includes(event)));
    const title = trigger ? translated(TRIGGERS[trigger].title) : events.join(', ');
    const message =
      trigger === 'PAYMENT_FAILED'
        ? t`Payment conditions need the payment-failed trigger.`
        : t`This condition needs the trigger “${title}”.`;
    return [{ pointer: `/conditions/rows/${i}/conditionKey`, rule: 'conditions', message }];
  });
  return [...forbidden.map(error => ({ ...error, pointer: `/conditions${error.pointer}` })), ...misplaced];
}

function stepErrors(flow: Flow): FieldError[] {
  const seen = new Set<number>();
  return (isJourney(flow) ? (flow.journeySteps ?? []) : []).flatMap(({ orderNumber }, i) => {
    const isFirst = !seen.has(orderNumber);
    seen.add(orderNumber);
    if (isFirst) return [];
    return [{ pointer: `/journeySteps/${i}/orderNumber`, rule: 'unique', message: t`Another entry is for this order already.` }];
  });
}

export const flow = rules({
  fill(_verb, { record, input }, context): JsonObject {
    const given = (record ?? input) as Flow;
    const steps = (given.journeySteps ?? []).map(step => ({ ...step, actions: filledIn(context, 'flow', step.actions) }));
    return {
      ...(given.actions ? { actions: filledIn(context, 'flow', given.actions) as JsonValue } : {}),
      ...(given.journeySteps ? { journeySteps: steps as JsonValue } : {}),
    };
  },
  validate(verb, { record }, context) {
    if (!record || verb === 'delete' || verb === 'move') return undefined;
    const given = record as Flow;
    const wrong = listsOf(given).flatMap(([at, actions]) =>
      actions.flatMap((action, i) =>
        actionErrors(context, 'flow', action).map(error => ({ ...error, pointer: `${at}/${i}${error.pointer}` })),
      ),
    );
    return [...conditionErrors(context, given), ...stepErrors(given), ...wrong];
  },
  async after(verb, { before }, context) {
    if (verb === 'delete' && before) await deleteRowsOf(context, 'flow_runs', Number(before.id));
  },
  derive: {
    needs: ['id'],
    members: ['lastRunAt', 'runsLast30Days', 'failuresLast30Days'],
    async of(flows, { trx, storeId, now }) {
      const ids = flows.map(({ id }) => Number(id));
      const { rows } = await sql<{ id: number; last: Date; runs: number; failures: number }>`select f.id, l.at as last, s.runs, s.failures
        from unnest(${ids}::bigint[]) as f(id)
        cross join lateral (select max(started_at) as at from (select started_at from flow_runs
          where store_id = ${storeId}::integer and flow_id = f.id order by id desc limit 1) newest) l
        cross join lateral (select count(*)::integer as runs, count(*) filter (where status in ('FAILED', 'PARTIAL'))::integer as failures
          from flow_runs where store_id = ${storeId}::integer and flow_id = f.id
            and started_at > ${now()}::timestamptz - interval '30 days') s`.execute(trx);
      return flows.map(({ id }) => {
        const row = rows.find(one => one.id === id);
        return { lastRunAt: row?.last?.toISOString() ?? null, runsLast30Days: row?.runs ?? 0, failuresLast30Days: row?.failures ?? 0 };
      });
    },
  },
});

export const flowRun = rules({
  // Those of a deleted flow are not there any more, also while they are still being deleted.
  scope: () => IS_OF_FLOW,
  columns: () => ({ actionResults: sql`r.results` }),
  derive: {
    needs: ['id', 'actionResults'],
    members: ['summary'],
    of: runs =>
      runs.map(({ actionResults }) => ({
        summary: (Array.isArray(actionResults) ? (actionResults as { label: string; status: string; message: string | null }[]) : [])
          .map(({ label, status, message }) => (status === 'SUCCESS' ? label : `${label}: ${message ?? 'failed'}`))
          .join(' · '),
      })),
  },
});

/** Moves of a flow that have to be looked at. */
export const guards = {
  canEnableFlow: (_context: Context, record: JsonObject): string | undefined => {
    const given = record as Flow;
    if (triggersOf(given).length === 0) return t`Choose a trigger.`;
    return listsOf(given).every(([, actions]) => actions.length > 0) && listsOf(given).length > 0 ? undefined : t`Add at least one action.`;
  },
};
