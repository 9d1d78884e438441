// Taking back what a bulk action did: another bulk action, linked to the first, over the rows that it changed and that were not changed
// since.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { invalidState, type Context } from '../../platform/context.ts';
import { actionOf, type Aggregate, skip, type SubscriptionAction, type UnitOfWork } from '../../engine/index.ts';
import { keepBulk, logBulk, needBulk, whyNotUndone, type BulkRow } from './bulk-record.ts';
import { enqueue, mustMay, mustSeeSubscriptions } from './start.ts';
import { t } from '../../../domain/text/t.ts';

/** What a row of an undo is given, in its values under names that no column of a file can have. */
const WAS = '#was';
const VERSION = '#version';
export const CHANGED_SINCE = 'It was changed since, so it was left as it is.';

/** What is kept of a row that an action changed, to take it back: undefined where it can't be taken back exactly. */
export const rememberedOf = (
  work: UnitOfWork,
  action: SubscriptionAction,
  was: Aggregate['before'],
  subscription: Aggregate,
): JsonObject | undefined => action.undoing?.remember(work, was, subscription);

/** The action that takes back what `action` did to a row. The state machine is asked as for the opposite by hand. */
export function undoOf(action: SubscriptionAction): SubscriptionAction {
  const { undoing, forMany: _forMany, check: _check, refusals: _refusals, orderIds: _orderIds, ...rest } = action;
  if (!undoing) throw new Error(`${action.key} can't be undone.`);
  return {
    ...rest,
    action: undoing.action,
    apply: (work, subscription, _input, values) => {
      if (subscription.contract.version !== Number(values[VERSION])) throw skip(CHANGED_SINCE);
      undoing.apply(work, subscription, JSON.parse(values[WAS] ?? '{}') as JsonObject);
    },
  };
}

/**
 * Takes back what a bulk action did, at once: a new bulk action with a row for each that it changed. Asked twice, it is done once.
 * @throws Refusal 403, 409 where it can't be taken back (any more)
 */
export async function undoBulk(context: Context, id: number): Promise<BulkRow> {
  const { trx, storeId } = context;
  const row = await needBulk(context, id, true);
  const reason = whyNotUndone(row, context.now());
  if (reason !== null) throw invalidState(reason);
  mustMay(context, actionOf(row.action_key));
  mustSeeSubscriptions(context);
  const now = context.now();
  const made = await trx
    .insertInto('bulk_actions')
    .values({
      store_id: storeId,
      action_key: row.action_key,
      label: `Undo: ${row.label}`.slice(0, 200),
      input: '{}',
      selection: JSON.stringify({ mode: 'IDS' }),
      undo_of: id,
      created_by: context.user.email,
      acting_user_id: context.user.id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { numAffectedRows } = await sql`insert into bulk_action_rows (store_id, bulk_action_id, position, contract_id, given, "values")
    select store_id, ${made.id}::bigint, row_number() over (order by position), contract_id, given,
      jsonb_build_object(${WAS}::text, undo::text, ${VERSION}::text, version::text)
    from bulk_action_rows where store_id = ${storeId}::integer and bulk_action_id = ${id}::bigint and status = 'SUCCESS'
      and undo is not null`.execute(trx);
  const total = Number(numAffectedRows ?? 0);
  if (total === 0) throw invalidState(t`None of its subscriptions can be brought back exactly as it was. Change them by hand.`);
  await keepBulk(context, id, { undone_by: made.id }, now);
  const filled = await keepBulk(context, made.id, { total }, now);
  const started = await enqueue(context, filled, 'runBulkAction');
  await logBulk(context, row, 'undone', { undoId: made.id, total });
  await logBulk(context, started, 'initiated', { undoOf: id });
  return started;
}
