// What people do with bulk actions: create, queue, schedule, cancel, retry what failed.
import { sql } from 'kysely';
import type { Definitions, FieldError, JsonObject } from '../../../contract/types.ts';
import { needsOfCall, permissionWords, unmet, type Need } from '../../platform/auth/acting.ts';
import { invalid, invalidState, Refusal, type Context } from '../../platform/context.ts';
import type { Asking as Selecting } from '../../platform/records/conditions/compile.ts';
import { BULK_JOB } from './queue-names.ts';
import { confirmOf, keepBulk, leftOf, logBulk, mayMove, move, needBulk, type BulkData, type BulkRow } from './bulk-record.ts';
import {
  countMatching,
  freezeFilter,
  freezeGiven,
  givenBy,
  mostFiltered,
  noneMatch,
  resolve,
  tooMany,
  type Selection,
} from './selection.ts';
import { inEnglish } from '../../platform/request-language.ts';
import { inFigures, t } from '../../../domain/text/t.ts';
import {
  accessFor,
  actionOf,
  ACTIONS,
  NAMED_ORDER,
  offeredAction,
  readInput,
  refusalByState,
  type SubscriptionAction,
} from '../../engine/index.ts';

/** Days ahead that a bulk action may be scheduled. */
export const MAX_DAYS_AHEAD = 30;
const DAY_MS = 86_400_000;

/**
 * The rights of the single actions, besides that of bulk actions: of the action itself, and with its input of what that asks for more.
 * @throws Refusal 403
 */
export const mustMay = (context: Asking, action: SubscriptionAction, input?: JsonObject): void =>
  must(context, needsOf(context, action, input));

/**
 * What is needed for an action besides the right of bulk actions: that of the action itself, and with its input of what that asks for more.
 */
const needsOf = ({ definitions }: Pick<Context, 'definitions'>, action: SubscriptionAction, input?: JsonObject): Need[] => [
  { permission: action.permission, mode: accessFor(action, definitions) },
  ...(input ? (action.alsoNeeds?.(input) ?? []) : []).map((permission): Need => ({ permission, mode: 'WRITE' })),
];
const SEE_SUBSCRIPTIONS: Need = { permission: 'subscriptionDetails', mode: 'READ' };

/** What a bulk action needs as long as it goes on: what starting it needed. */
export const needsToRun = (definitions: Definitions, row: Pick<BulkRow, 'action_key' | 'input'>): Need[] => [
  ...needsOfCall(definitions, 'bulk-actions.runBulkAction'),
  ...needsOf({ definitions }, actionOf(row.action_key), row.input as JsonObject),
  SEE_SUBSCRIPTIONS,
];
type Asking = Pick<Context, 'session' | 'user' | 'definitions'>;

/** Who may not look at subscriptions sees none of them by way of bulk actions either. @throws Refusal 403 */
export const mustSeeSubscriptions = (context: Asking): void => must(context, [SEE_SUBSCRIPTIONS]);

function must(context: Asking, needs: readonly Need[]): void {
  const missing = unmet(context, needs);
  if (missing && 'permission' in missing)
    throw new Refusal(
      403,
      'FORBIDDEN',
      t`You may not do this: it needs ${permissionWords(context.definitions, missing.permission, missing.mode)}.`,
    );
}

function refuseMoment(now: Date, at: number): FieldError[] {
  if (at * 1000 <= now.getTime())
    return [{ pointer: '/scheduledAtEpoch', rule: 'date', message: t`Choose a time that is still ahead, or run it now.` }];
  if (at * 1000 > now.getTime() + MAX_DAYS_AHEAD * DAY_MS)
    return [{ pointer: '/scheduledAtEpoch', rule: 'date', message: t`Choose a time within the next ${MAX_DAYS_AHEAD} days.` }];
  return [];
}

export interface NewBulk {
  actionKey: string;
  selection: Selection;
  input?: JsonObject;
  label?: string;
  scheduledAtEpoch?: number;
  retryOf?: number;
}

/** Makes a draft: ids and files are looked up at once, a filter is frozen when the draft is queued. @throws Refusal 403, 422 */
export async function createBulk(
  context: Context,
  { actionKey, selection, input: given, label, scheduledAtEpoch, retryOf }: NewBulk,
): Promise<BulkRow> {
  const { trx, storeId, user } = context;
  const action = offeredAction(context, actionKey);
  mustMay(context, action);
  mustSeeSubscriptions(context);
  const { input, errors } = readInput(context, action, given);
  const isByFile = (input as { mode?: string }).mode === 'FILE';
  if (errors.length === 0) mustMay(context, action, input);
  if (isByFile && selection.mode !== 'CSV')
    errors.push({
      pointer: '/input/mode',
      rule: 'enum',
      message: t`Choose the subscriptions by a CSV file with the dates, or choose another way to move them.`,
    });
  if (scheduledAtEpoch !== undefined) errors.push(...refuseMoment(context.now(), scheduledAtEpoch));
  if (errors.length) throw invalid(errors);
  const isFilter = selection.mode === 'FILTER';
  const rows = isFilter ? [] : await resolve(context, await givenBy(selection, isByFile ? action.columns : []));
  if (!isFilter && !rows.some(row => row.fault === null))
    throw invalid([
      {
        pointer: '/selection',
        rule: 'minItems',
        message:
          rows.length === 0
            ? t`Select at least one subscription.`
            : rows.length === 1
              ? t`This id wasn't found.`
              : t`${inFigures(rows.length)} ids weren't found.`,
      },
    ]);
  const count = isFilter ? await countMatching(context, selection) : rows.length;
  if (count === 0) throw noneMatch();
  if (isFilter && count > mostFiltered(context)) throw tooMany(mostFiltered(context));
  const kept: JsonObject = {
    mode: selection.mode,
    ...(isFilter ? { filter: selection.filter ?? {}, ...(selection.q ? { q: selection.q } : {}) } : {}),
    ...(selection.mode === 'CSV' ? { fileName: selection.fileName ?? null } : {}),
  };
  const now = context.now();
  const made = await trx
    .insertInto('bulk_actions')
    .values({
      store_id: storeId,
      action_key: action.key,
      label: label?.trim() || action.title,
      input: JSON.stringify(input),
      selection: JSON.stringify(kept),
      total: count,
      retry_of: retryOf ?? null,
      created_by: user.email,
      acting_user_id: user.id,
      created_at: now,
      updated_at: now,
      scheduled_at: scheduledAtEpoch === undefined ? null : new Date(scheduledAtEpoch * 1000),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  let row: BulkRow = made;
  if (!isFilter) {
    const { total, failed, skipped } = await freezeGiven(context, made.id, rows, status => inEnglish(() => refusalByState(action, status)));
    row = await trx
      .updateTable('bulk_actions')
      .set({ total, failed, not_found: failed, skipped, processed: failed + skipped })
      .where('store_id', '=', storeId)
      .where('id', '=', made.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  await logBulk(context, row, 'created');
  return row;
}

/**
 * Freezes the selection, if it is a filter, and lets the bulk action wait for a worker.
 * @throws Refusal 422 when nothing matches any more
 */
export async function enqueue(
  context: Selecting & Pick<Context, 'db' | 'queue'>,
  row: BulkRow,
  event: 'queue' | 'runBulkAction' | 'fallDue',
): Promise<BulkRow> {
  const status = move(row, event);
  const selection = row.selection as Selection;
  const total = selection.mode === 'FILTER' ? await freezeFilter(context, row.id, selection) : row.total;
  // What was typed stands for so many and no more; there is no person to type another number.
  const above = ACTIONS.get(row.action_key)?.confirmAbove;
  if (event === 'fallDue' && above !== undefined && total > above && total > row.total) {
    throw invalidState(
      t`${inFigures(total)} subscriptions match by now, more than the ${inFigures(row.total)} that were confirmed. Nothing was done. Make
        a new one and confirm the new number.`,
    );
  }
  const queued = await keepBulk(
    context,
    row.id,
    { status, total, queued_at: context.now(), acting_user_id: row.acting_user_id },
    context.now(),
  );
  await context.queue.send(BULK_JOB, { storeId: context.storeId, bulkId: row.id } satisfies BulkData, {
    trx: context.trx,
    singletonKey: `${context.storeId}-${row.id}-1`,
  });
  return queued;
}

export interface Start {
  id: number;
  scheduledAtEpoch?: number;
  confirmCount?: number;
}

/**
 * Starts a draft: now, or at its time. From then on it acts for the person who started it, not for the one who made it.
 * @throws Refusal 403, 409 INVALID_STATE, 422 when a number must be typed
 */
export async function startBulk(
  context: Context,
  { id, scheduledAtEpoch, confirmCount }: Start,
  event: 'queue' | 'runBulkAction',
): Promise<BulkRow> {
  const draft = await needBulk(context, id, true);
  if (draft.is_system) throw invalidState(t`What the system started can't be changed.`);
  must(context, needsToRun(context.definitions, draft));
  move(draft, event);
  const at = scheduledAtEpoch ?? (event === 'queue' && draft.scheduled_at ? Math.floor(draft.scheduled_at.getTime() / 1000) : undefined);
  if (at !== undefined) {
    const errors = refuseMoment(context.now(), at);
    if (errors.length) throw invalid(errors);
  }
  const isFilter = (draft.selection as Selection).mode === 'FILTER';
  // Counted where the number is asked for, or shown before the selection is frozen.
  const mustCount = isFilter && (at !== undefined || actionOf(draft.action_key).confirmAbove !== undefined);
  const total = mustCount ? await countMatching(context, draft.selection as Selection) : draft.total;
  const wanted = confirmOf({ ...draft, total });
  if (wanted !== null && confirmCount !== wanted) {
    throw invalid([
      {
        pointer: '/confirmCount',
        rule: 'confirm',
        message:
          confirmCount !== undefined && confirmCount === leftOf(draft)
            ? t`Meanwhile ${inFigures(wanted)} subscriptions match. Type this number to go on.`
            : t`Type the number of subscriptions, ${inFigures(wanted)}, to go on.`,
      },
    ]);
  }
  const started =
    at === undefined
      ? await enqueue(context, { ...draft, acting_user_id: context.user.id }, event)
      : await keepBulk(
          context,
          id,
          { status: move(draft, 'schedule'), total, scheduled_at: new Date(at * 1000), acting_user_id: context.user.id },
          context.now(),
        );
  await logBulk(context, started, 'initiated', at === undefined ? {} : { scheduledAtEpoch: at });
  return started;
}

/** Cancels: what has not begun does nothing, a running one ends after the rows it is at. @throws Refusal 409 */
export async function cancelBulk(context: Context, id: number): Promise<BulkRow> {
  const row = await needBulk(context, id, true);
  if (row.is_system) throw invalidState(t`What the system started can't be changed.`);
  mustMay(context, actionOf(row.action_key));
  const running = mayMove(row, 'stop');
  const now = context.now();
  const cancelled = await keepBulk(
    context,
    id,
    running ? { status: move(row, 'stop') } : { status: move(row, 'cancel'), finished_at: now },
    now,
  );
  // A worker ends it; one is called in case that the one at it has died.
  if (running)
    await context.queue.send(BULK_JOB, { storeId: context.storeId, bulkId: id } satisfies BulkData, {
      trx: context.trx,
      singletonKey: `${context.storeId}-${id}-1`,
    });
  await logBulk(context, cancelled, 'cancelled', { processed: cancelled.processed, succeeded: cancelled.succeeded });
  return cancelled;
}

/**
 * A new draft of the same action for the rows that failed; a row that charged an order names it, so that no other one is charged.
 * @throws Refusal 409 when none did
 */
export async function retryFailed(context: Context, id: number): Promise<BulkRow> {
  const { trx, storeId } = context;
  const row = await needBulk(context, id);
  if (row.is_system) throw invalidState(t`What the system started can't be changed.`);
  const action = offeredAction(context, row.action_key);
  mustMay(context, action, row.input as JsonObject);
  if (!row.finished_at) throw invalidState(t`This bulk action is not over yet. Wait until it is.`);
  // Counted, not read from the record: rows are deleted after a while.
  const { failed } = await trx
    .selectFrom('bulk_action_rows')
    .select(eb => eb.fn.countAll<number>().as('failed'))
    .where('store_id', '=', storeId)
    .where('bulk_action_id', '=', id)
    .where('status', '=', 'FAILED')
    .where('contract_id', 'is not', null)
    .executeTakeFirstOrThrow();
  if (failed === 0) throw invalidState(t`No subscription failed that could be tried again.`);
  const now = context.now();
  const made = await trx
    .insertInto('bulk_actions')
    .values({
      store_id: storeId,
      action_key: row.action_key,
      label: row.label,
      input: JSON.stringify(row.input),
      selection: JSON.stringify({ mode: 'IDS' }),
      total: failed,
      retry_of: id,
      undo_of: row.undo_of,
      created_by: context.user.email,
      acting_user_id: context.user.id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await sql`insert into bulk_action_rows (store_id, bulk_action_id, position, contract_id, given, "values")
    select store_id, ${made.id}::bigint, row_number() over (order by position), contract_id, given,
      case when order_id is null then "values" else coalesce("values", '{}') || jsonb_build_object(${NAMED_ORDER}::text,
        order_id::text) end from bulk_action_rows
    where store_id = ${storeId}::integer and bulk_action_id = ${id}::bigint and status = 'FAILED' and contract_id is not null`.execute(trx);
  await logBulk(context, row, 'retried', { draftId: made.id, total: failed });
  await logBulk(context, made, 'created', { retryOf: id });
  return made;
}
