// What only flows have besides the verbs: trying one on a subscription, and doing again what failed.
import { sql } from 'kysely';
import { wordsInServer } from '../condition-words.ts';
import type { ConditionSet } from '../../../../contract/conditions.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { meets } from '../../../../domain/conditions/evaluate.ts';
import { grantErrors, refuseUse } from '../../../platform/auth/grants.ts';
import { invalid, invalidState, notFound, Refusal, type Context } from '../../../platform/context.ts';
import { askedIn, factScope, factsOfContract } from '../../../platform/records/conditions/compile.ts';
import {
  actionErrors,
  changesOf,
  engineOf,
  loadAggregates,
  NOTHING_CHANGES,
  readInput,
  refreshContract,
  sideOf,
  syncSchedule,
  touchesFacts,
  UnitOfWork,
} from '../../../engine/index.ts';
import { applyAction, flowAction, leftOutOf, statusOf, type ActionResult } from '../actions.ts';
import { IS_OF_FLOW, type FlowAction } from '../flow.ts';
import { insertRow } from '../../../platform/records/record-repository.ts';
import { TEMPLATES, type TemplateKey } from '../templates.ts';
import { retryActions, writeResults } from '../run-flow.ts';
import { inEnglish } from '../../../platform/request-language.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';
import { nameKey } from '../../../../domain/text/names.ts';

interface Draft {
  conditions?: ConditionSet;
  actions?: FlowAction[];
  orderNumber?: number;
}

/**
 * What a flow would do to a subscription now, and why not: each condition with whether it is met, each action with what would
 * change. Nothing is written. @throws Refusal 404; 422 for an action that is not whole
 */
export async function dryRun(context: Context, { subscriptionId, flow }: { subscriptionId: number; flow: Draft }): Promise<JsonObject> {
  const conditions = await verdicts(context, subscriptionId, flow);
  const isMet =
    flow.conditions?.match === 'ANY' && conditions.length > 0 ? conditions.some(one => one.met) : conditions.every(one => one.met);
  return {
    wouldRun: isMet,
    conditions: conditions as JsonValue,
    actions: (await tried(context, subscriptionId, flow.actions ?? [])) as JsonValue,
  };
}

async function verdicts(
  context: Context,
  contractId: number,
  { conditions, orderNumber }: Draft,
): Promise<{ text: string; met: boolean }[]> {
  const { definitions, store, trx } = context;
  const set = conditions ?? { match: 'ALL', rows: [] };
  const asked = askedIn(set as JsonObject, definitions.conditions, store.currency_code);
  const names = asked.rows.map(row => row.fact);
  const facts = await factsOfContract(trx, contractId, ['status', ...names], await factScope(context, names));
  if (!facts) throw notFound(later`subscription`);
  if (orderNumber !== undefined) facts.orderNumber = orderNumber;
  return asked.rows.map((row, i) => ({ text: wordsInServer(definitions.conditions, set.rows[i]), met: meets(facts[row.fact], row) }));
}

/** Each action in memory, one after the other as they would run. */
async function tried(context: Context, contractId: number, actions: readonly FlowAction[]): Promise<JsonObject[]> {
  const engine = { ...engineOf(context), source: 'Flow' as const, userEmail: '', mails: 'NONE' as const };
  const work = await UnitOfWork.open(engine);
  const found: JsonObject[] = [];
  // The outcome of an action is hidden from people who may not do it by hand.
  const forbidden = grantErrors(context, context.shape('flow').schema, { actions: actions as unknown as JsonValue });
  if (forbidden.length) throw invalid(forbidden.map(error => ({ ...error, pointer: `/flow${error.pointer}` })));
  for (const [i, given] of actions.entries()) {
    const errors = actionErrors(context, 'flow', given);
    const action = flowAction(given.action);
    if (errors.length || !action) throw invalid(errors.map(error => ({ ...error, pointer: `/flow/actions/${i}${error.pointer}` })));
    const { input } = readInput(context, action, given.input);
    const orderIds = (await action.orderIds?.(engine, [contractId], input)) ?? [];
    const [subscription] = await loadAggregates(context.trx, context.storeId, [contractId], { lock: false, orderIds });
    if (!subscription) throw notFound(later`subscription`);
    work.add(subscription);
    found.push({ label: translated(action.title), ...(await outcome(work, subscription, action, input)) });
  }
  return found;
}

async function outcome(
  work: UnitOfWork,
  subscription: Parameters<typeof applyAction>[1],
  action: Parameters<typeof applyAction>[2],
  input: JsonObject,
): Promise<JsonObject> {
  const leftOut = leftOutOf(work, subscription, action);
  if (leftOut !== null) return { status: 'SKIPPED', message: leftOut, before: null, after: null };
  try {
    const status = await applyAction(work, subscription, action, input);
    if (status === 'SKIPPED') return { status, message: translated(NOTHING_CHANGES), before: null, after: null };
    syncSchedule(subscription, work.zone);
    if (touchesFacts(subscription)) refreshContract(subscription, work.settings.prepaidShippingCharge);
    const changes = changesOf(work, subscription.before, subscription);
    return { status, message: null, before: sideOf(changes, 'before'), after: sideOf(changes, 'after') };
  } catch (error) {
    if (error instanceof Refusal) return { status: 'FAILED', message: error.message, before: null, after: null };
    throw error;
  }
}

/** Does the failed actions of a run again, as the subscription is now. @throws Refusal 404; 409 where nothing failed */
export async function retry(context: Context, { id }: { id: number }): Promise<JsonObject> {
  const { trx, storeId } = context;
  const { rows } = await sql<{
    id: number;
    flow_id: number;
    flow_name: string;
    contract_id: number;
    chain: JsonValue;
    results: ActionResult[];
  }>`select id, flow_id, flow_name, contract_id, chain, results from flow_runs r
    where store_id = ${storeId}::integer and id = ${id}::bigint and ${IS_OF_FLOW} for update`.execute(trx);
  const [run] = rows;
  if (!run) throw notFound(later`run`);
  if (!run.results.some(one => one.status === 'FAILED')) throw invalidState(t`Nothing of this run has failed.`);
  const actions = run.results.filter(one => one.status === 'FAILED').map(({ action, input }) => ({ action, input }));
  refuseUse(context, context.shape('flow').schema, { actions });
  const engine = { ...engineOf(context), source: 'Flow' as const, userEmail: '' };
  const results = await inEnglish(() => retryActions(engine, run));
  await writeResults(engine, run.id, results);
  await sql`update flow_runs set tries = tries + 1 where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
  const failed = results.filter(one => one.status === 'FAILED').length;
  await context.log({
    action: 'flow.retry',
    category: 'Flows',
    entity: 'flow-run',
    entityId: String(id),
    description: `Failed actions of “${run.flow_name}” on subscription #${run.contract_id} were tried again`,
  });
  return { id, status: statusOf(results), failed };
}

/** Makes a flow that is off from a template; a name that is taken gets a number. @throws Refusal 422 where the gift can't be given */
export async function fromTemplate(
  context: Context,
  { template, variantId = 0 }: { template: TemplateKey; variantId?: number },
): Promise<JsonObject> {
  const shape = context.shape('flow');
  const made: JsonObject = { status: 'DRAFT', ...TEMPLATES[template](variantId) };
  const { rows } = await sql<{ name: string }>`select data ->> 'name' as name from records
    where store_id = ${context.storeId}::integer and entity = 'flow' and deleted_at is null`.execute(context.trx);
  const taken = new Set(rows.map(row => nameKey(row.name)));
  const own = String(made.name);
  let name = own;
  for (let n = 2; taken.has(nameKey(name)); n++) name = `${own} ${n}`;
  const data: JsonObject = { ...made, name };
  const filled = { ...data, ...(await shape.rules.fill?.('create', { record: data, input: data }, context)) };
  const errors = await shape.rules.validate?.('create', { record: filled, input: data }, context);
  if (errors instanceof Refusal) throw errors;
  if (errors?.length) throw invalid(errors);
  const row = await insertRow(context, shape, filled);
  await context.log({
    action: 'flow.created',
    category: 'Flows',
    entity: 'flow',
    entityId: String(row.id),
    description: `Flow "${name}" created from a template`,
  });
  return { id: Number(row.id), name };
}
