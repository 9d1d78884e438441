// One flow behind one event: whether it runs, what it does, and the row that tells of it. All in the caller's transaction.
import { sql } from 'kysely';
import type { Definitions, JsonObject, JsonValue } from '../../../contract/types.ts';
import { meetsAll } from '../../../domain/conditions/evaluate.ts';
import type { Trigger } from '../../../domain/flows/triggers.ts';
import { addEvents } from '../../platform/events/emit.ts';
import type { StoredEvent } from '../../platform/events/consumer.ts';
import { askedOf, factScope, factsOfContract } from '../../platform/records/conditions/compile.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { type EngineContext, mailReward, UnitOfWork } from '../../engine/index.ts';
import { doAction, statusOf, type ActionResult } from './actions.ts';
import { actionsAt, type Flow, type FlowAction } from './flow.ts';

/** Flows that may follow one another from one change; a longer chain is taken for a loop. */
const LONGEST_CHAIN = 10;

/** What runs are made with. */
export interface FlowScope {
  engine: EngineContext;
  definitions: Pick<Definitions, 'conditions'>;
  shape: RuleContext['shape'];
}

const wholes = (value: JsonValue | undefined): number[] => (Array.isArray(value) ? value.filter(one => typeof one === 'number') : []);
const whole = (value: JsonValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

/** Whether the subscription meets the flow's conditions as it was at the event. */
export async function meetsConditions(
  { engine, definitions, shape }: FlowScope,
  flow: Flow,
  contractId: number,
  orderId?: number,
): Promise<boolean> {
  const { trx, storeId, store } = engine;
  if (!flow.conditions?.rows.length) return true;
  const asked = askedOf(flow.conditions, definitions.conditions, store.currency_code);
  const names = asked.rows.map(row => row.fact);
  const scope = await factScope({ trx, storeId, store: store as RuleContext['store'], shape, now: () => engine.now() }, names, orderId);
  const facts = await factsOfContract(trx, contractId, names, scope);
  return facts !== undefined && meetsAll(facts, asked);
}

/** Follows an event with a flow, at most once, and at most once for a subscription where the flow says so. */
export async function followEvent(scope: FlowScope, flow: Flow, trigger: Trigger, event: StoredEvent): Promise<void> {
  const { engine } = scope;
  const { contractId } = event;
  if (contractId === null) return;
  const orderId = whole(event.payload.orderId);
  const actions = actionsAt(flow, whole(event.payload.orderNumber));
  if (actions.length === 0 || !(await meetsConditions(scope, flow, contractId, orderId))) return;
  const chain = wholes(event.payload.flowChain);
  const isLoop = chain.includes(flow.id) || chain.length >= LONGEST_CHAIN;
  const isOnce = flow.runOncePerSubscription === true && !isLoop;
  const { rows } = await sql<{ id: number }>`insert into flow_runs (store_id, flow_id, flow_name, contract_id, event_id, order_id, trigger,
      status, is_once, chain, started_at)
    values (${engine.storeId}::integer, ${flow.id}::bigint, ${flow.name}, ${contractId}::bigint, 
      ${event.id}::bigint, ${orderId ?? null}::bigint,
      ${trigger}, 'SKIPPED', ${isOnce}, ${JSON.stringify(chain)}::jsonb, ${engine.now()}::timestamptz)
    on conflict do nothing returning id`.execute(engine.trx);
  const [run] = rows;
  if (!run) return;
  const results = isLoop ? [await stopped(engine, flow, chain)] : await doActions(engine, flow, contractId, actions, chain);
  if (results.some(one => one.status === 'SUCCESS')) await tellCustomer(engine, flow, contractId, event.id);
  await writeResults(engine, run.id, results);
}

async function doActions(
  engine: EngineContext,
  flow: Flow,
  contractId: number,
  actions: readonly FlowAction[],
  chain: readonly number[],
): Promise<ActionResult[]> {
  const noteData = { flowId: flow.id, flowChain: [...chain, flow.id] };
  const results: ActionResult[] = [];
  for (const action of actions) results.push(await doAction(engine, contractId, action, noteData));
  await tell(engine, flow, contractId, noteData, results);
  return results;
}

/** An entry of the subscription's activity that the flow ran, where it did something. */
async function tell(
  engine: EngineContext,
  flow: Pick<Flow, 'id' | 'name'>,
  contractId: number,
  noteData: JsonObject,
  results: readonly ActionResult[],
): Promise<void> {
  if (!results.some(one => one.status === 'SUCCESS')) return;
  await addEvents(engine.trx, [
    {
      store_id: engine.storeId,
      contract_id: contractId,
      key: 'flow_executed',
      source: 'Flow',
      entity: '',
      data: { ...noteData, flowId: flow.id, name: flow.name },
      messages: 'NONE',
      created_at: engine.now(),
    },
  ]);
}

/** The e-mail that tells the customer what was added, once for the event, where the flow wants one. */
async function tellCustomer(engine: EngineContext, flow: Flow, contractId: number, eventId: number): Promise<void> {
  const { sendEmail = false, emailText = '' } = flow.rewardNotification ?? {};
  if (!sendEmail || !emailText.trim()) return;
  const work = await UnitOfWork.open({ ...engine, mails: 'CUSTOMER' });
  const [subscription] = await work.load([contractId]);
  if (!subscription) return;
  mailReward(work, subscription, `${flow.id}:${eventId}`, { flowId: flow.id, key: 'rewardNotification.emailText', text: emailText.trim() });
  await work.flush();
}

/** Why a flow does not follow what it, or too many before it, led to. */
async function stopped({ trx, storeId }: EngineContext, flow: Flow, chain: readonly number[]): Promise<ActionResult> {
  const { rows } = await sql<{ id: number; name: string }>`select id, data ->> 'name' as name from records
    where store_id = ${storeId}::integer and entity = 'flow' and id = any(${[...chain]}::bigint[])`.execute(trx);
  const names = [...chain, flow.id].map(id => `“${id === flow.id ? flow.name : (rows.find(row => row.id === id)?.name ?? `#${id}`)}”`);
  const message = chain.includes(flow.id)
    ? `Stopped: this flow led to this change itself (${names.join(' → ')}).`
    : `Stopped: ${chain.length} flows followed one another from one change.`;
  return { action: 'LOOP', label: 'Loop', input: {}, status: 'SKIPPED', message };
}

export const writeResults = ({ trx, storeId }: EngineContext, runId: number, results: readonly ActionResult[]): Promise<unknown> =>
  sql`update flow_runs set status = ${statusOf(results)}, results = ${JSON.stringify(results)}::jsonb
    where store_id = ${storeId}::integer and id = ${runId}::bigint`.execute(trx);

/** Does the actions of a run again that failed; gives all results. */
export async function retryActions(
  engine: EngineContext,
  run: { flow_id: number; flow_name: string; contract_id: number; chain: JsonValue; results: ActionResult[] },
): Promise<ActionResult[]> {
  const noteData = { flowId: run.flow_id, flowChain: [...wholes(run.chain), run.flow_id] };
  const results: ActionResult[] = [];
  const again: ActionResult[] = [];
  for (const one of run.results) {
    const done = one.status === 'FAILED' ? await doAction(engine, run.contract_id, one, noteData) : one;
    if (one.status === 'FAILED') again.push(done);
    results.push(done);
  }
  await tell(engine, { id: run.flow_id, name: run.flow_name }, run.contract_id, noteData, again);
  return results;
}
