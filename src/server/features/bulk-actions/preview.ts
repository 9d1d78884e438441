// What a bulk action would do to five of its subscriptions: the action itself, run in memory and never written.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { invalid, type Context } from '../../platform/context.ts';
import {
  applyTo,
  changesOf,
  engineOf,
  loadAggregates,
  offeredAction,
  prepare,
  readInput,
  refreshContract,
  refusalByState,
  sideOf,
  type SubscriptionAction,
  syncSchedule,
  touchesFacts,
  UnitOfWork,
} from '../../engine/index.ts';
import { givenBy, resolve, someMatching, type GivenRow, type Selection } from './selection.ts';
import { translated } from '../../../domain/text/t.ts';
import { inBulk } from './in-bulk.ts';

/** Rows of a preview, and how many subscriptions are looked through for five that change. */
const SHOWN = 5;
const LOOKED = 40;

/** The first given rows that would be done; where there is none, the first that name a subscription, so that the reason is seen. */
function affected(action: SubscriptionAction, rows: readonly GivenRow[]): GivenRow[] {
  const known = rows.filter(row => row.fault === null);
  const right = known.filter(row => row.status !== null && refusalByState(action, row.status) === null);
  return (right.length ? right : known).slice(0, LOOKED);
}

/**
 * Five subscriptions with what would change; where fewer do, others with why nothing would. `looked` says how many were looked through,
 * `skipped` how many of them would be skipped. @throws Refusal 422 for an input that is not whole
 */
export async function previewBulk(
  context: Context,
  { actionKey, selection, input: given }: { actionKey: string; selection: Selection; input?: JsonObject },
): Promise<JsonValue> {
  const action = offeredAction(context, actionKey);
  const { input, errors } = readInput(context, action, given);
  if (errors.length) throw invalid(errors);
  const rows =
    selection.mode === 'FILTER'
      ? (await someMatching(context, selection, LOOKED)).map(id => ({ contractId: id, values: null }))
      : affected(
          action,
          await resolve(context, await givenBy(selection, (input as { mode?: string }).mode === 'FILE' ? action.columns : [])),
        );
  const engine = inBulk(engineOf(context), action, 0, input);
  const ids = rows.map(row => row.contractId as number);
  const orderIds = (await action.orderIds?.(engine, ids, input)) ?? [];
  const work = await UnitOfWork.open(engine);
  const aggregates = await loadAggregates(context.trx, context.storeId, ids, { lock: false, orderIds });
  for (const subscription of aggregates) work.add(subscription);
  const refusals = await prepare(work, action, aggregates, input);
  const changed: JsonObject[] = [],
    skipped: JsonObject[] = [];
  let looked = 0;
  for (const row of rows) {
    const subscription = work.aggregates.get(row.contractId as number);
    if (!subscription) continue;
    looked++;
    const { status, reason } = await applyTo(work, subscription, action, input, row.values ?? {}, refusals);
    if (status === 'SUCCESS') {
      syncSchedule(subscription, work.zone);
      if (touchesFacts(subscription)) refreshContract(subscription, work.settings.prepaidShippingCharge);
    }
    const changes = status === 'SUCCESS' ? changesOf(work, subscription.before, subscription) : [];
    (status === 'SUCCESS' ? changed : skipped).push({
      subscriptionId: subscription.contract.id,
      customerName: subscription.contract.customer_name,
      result: status === 'SUCCESS' ? 'CHANGES' : 'SKIPPED',
      reason: reason && translated(reason),
      changes: changes as JsonValue,
      before: sideOf(changes, 'before'),
      after: sideOf(changes, 'after'),
    });
  }
  return { rows: [...changed.slice(0, SHOWN), ...skipped].slice(0, SHOWN), looked, skipped: skipped.length };
}
