// A bulk action as it is kept, moved between its states, and answered.
import { sql, type Kysely, type Selectable } from 'kysely';
import entity from '../../../../schemas/entities/bulk-action.json' with { type: 'json' };
import type { JsonObject, JsonValue, Move } from '../../../contract/types.ts';
import type { BulkActionsTable, Tables } from '../../../generated/tables.ts';
import { invalidState, notFound, type Context } from '../../platform/context.ts';
import { titleOf } from './titles.ts';
import { inSentence, later, t, translated } from '../../../domain/text/t.ts';
import { ACTIONS } from '../../engine/index.ts';

export type BulkRow = Selectable<BulkActionsTable>;
export type BulkStatus =
  | 'DRAFT'
  | 'SCHEDULED'
  | 'QUEUED'
  | 'IN_PROGRESS'
  | 'COMPLETED'
  | 'COMPLETED_WITH_ERRORS'
  | 'FAILED'
  | 'CANCELLING'
  | 'CANCELLED';
/** What a job about a bulk action is given. */
export interface BulkData {
  storeId: number;
  bulkId: number;
  part?: number;
}

/** The states in which nothing more happens. */
export const OVER: readonly BulkStatus[] = ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED'];
/** Days that the rows of an ended bulk action are kept. */
export const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

const moves = entity['x-states'].moves as Record<string, Move>;
const STATES = new Map(entity.properties.status.oneOf.map(one => [one.const, one.title]));

/** Where an event leads from a state. @throws Refusal 409 with the sentence of the move */
export function move(row: Pick<BulkRow, 'status'>, event: string): BulkStatus {
  const one = moves[event];
  if (!one) throw new Error(`"${event}" is no move of a bulk action.`);
  if (one.from.includes(row.status)) return one.to as BulkStatus;
  throw invalidState(
    one.error === undefined
      ? t`This bulk action is ${inSentence(translated(STATES.get(row.status) ?? row.status))}.`
      : translated(one.error),
  );
}
export const mayMove = (row: Pick<BulkRow, 'status'>, event: string): boolean => moves[event]?.from.includes(row.status) ?? false;

/** A bulk action by its id; `lock` keeps it for the transaction. @throws Refusal 404 */
export async function needBulk({ trx, storeId }: { trx: Kysely<Tables>; storeId: number }, id: number, lock = false): Promise<BulkRow> {
  let query = trx.selectFrom('bulk_actions').selectAll().where('store_id', '=', storeId).where('id', '=', id);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw notFound(later`bulk action`);
  return row;
}

/** Writes columns of a bulk action and counts its version up. */
export async function keepBulk(
  { trx, storeId }: { trx: Kysely<Tables>; storeId: number },
  id: number,
  values: Partial<Omit<BulkRow, 'input' | 'selection'>> & { selection?: string },
  now: Date,
): Promise<BulkRow> {
  return trx
    .updateTable('bulk_actions')
    .set({ ...values, version: sql<number>`version + 1`, updated_at: now })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const epoch = (at: Date | null): number | null => (at ? Math.floor(at.getTime() / 1000) : null);
export const percentOf = ({ status, total, processed }: Pick<BulkRow, 'status' | 'total' | 'processed'>): number =>
  status === 'COMPLETED' || status === 'COMPLETED_WITH_ERRORS'
    ? 100
    : total === 0
      ? 0
      : Math.min(100, Math.floor((processed / total) * 100));

function etaOf(row: BulkRow, now: Date): number | null {
  if (row.status !== 'IN_PROGRESS' || !row.started_at || row.processed === 0) return null;
  const perRow = Math.max(1, now.getTime() - row.started_at.getTime()) / row.processed;
  return Math.ceil((perRow * Math.max(0, row.total - row.processed)) / 1000);
}

/** Rows that are still to be done; of given ids some are marked before anything runs. */
export const leftOf = ({ total, processed }: Pick<BulkRow, 'total' | 'processed'>): number => total - processed;
/** Failed rows that can be tried again: an unknown id stays one. */
export const retriableOf = ({
  is_system: isSystem,
  failed,
  not_found: unknown,
}: Pick<BulkRow, 'is_system' | 'failed' | 'not_found'>): number => (isSystem ? 0 : failed - unknown);

/** The number that must be typed before it runs; null when none must. */
export function confirmOf(row: Pick<BulkRow, 'action_key' | 'is_system' | 'status' | 'total' | 'processed'>): number | null {
  const above = row.is_system ? undefined : ACTIONS.get(row.action_key)?.confirmAbove;
  const left = leftOf(row);
  return row.status === 'DRAFT' && above !== undefined && left > above ? left : null;
}

/** How long after its end a bulk action can be undone. */
const UNDO_MS = DAY_MS;
/** Why a bulk action can't be undone, as a sentence; null: it can. */
export function whyNotUndone(row: BulkRow, now: Date): string | null {
  if (row.is_system || row.undo_of !== null || ACTIONS.get(row.action_key)?.undo === undefined) return t`This bulk action can't be undone.`;
  if (row.undone_by !== null) return t`This bulk action was undone already.`;
  if (!row.finished_at || !row.started_at) return t`This bulk action is not over yet. Wait until it is.`;
  if (now.getTime() - row.finished_at.getTime() >= UNDO_MS) return t`A bulk action can be undone for a day. This one is over for longer.`;
  return row.succeeded === 0 ? t`It changed no subscription.` : null;
}

/** Calls that its state allows; what the system started can only be looked at. */
function actionsOf(row: BulkRow, hasFile: boolean, now: Date): string[] {
  if (row.is_system) return hasFile ? ['resultFile'] : [];
  return [
    ...(mayMove(row, 'queue') ? ['queue', 'runBulkAction'] : []),
    ...(mayMove(row, 'cancel') || mayMove(row, 'stop') ? ['cancel'] : []),
    ...(hasFile ? ['resultFile'] : []),
    ...(hasFile && retriableOf(row) > 0 ? ['retryFailed'] : []),
    ...(whyNotUndone(row, now) === null ? ['undo'] : []),
  ];
}

/** A bulk action as the wire has it. */
export function bulkWire(row: BulkRow, now: Date): JsonObject {
  const hasFile = row.finished_at !== null && row.started_at !== null && now.getTime() - row.finished_at.getTime() < KEPT_DAYS * DAY_MS;
  return {
    id: row.id,
    version: row.version,
    label: row.label || titleOf(row.action_key),
    actionKey: row.action_key,
    status: row.status,
    input: row.input as JsonValue,
    selection: { ...(row.selection as JsonObject), count: row.total },
    total: row.total,
    processed: row.processed,
    succeeded: row.succeeded,
    failed: row.failed,
    skipped: row.skipped,
    percent: percentOf(row),
    remaining: leftOf(row),
    notFound: row.not_found,
    retriable: retriableOf(row),
    isSystem: row.is_system,
    createdBy: row.is_system ? 'System' : row.created_by,
    createdAtEpoch: epoch(row.created_at),
    scheduledAtEpoch: epoch(row.scheduled_at),
    startedAtEpoch: epoch(row.started_at),
    finishedAtEpoch: epoch(row.finished_at),
    createdAt: row.created_at.toISOString(),
    scheduledAt: row.scheduled_at?.toISOString() ?? null,
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    etaSeconds: etaOf(row, now),
    resultFileUrl: hasFile ? `/host/bulk/bulkActions/${row.id}/resultFile` : null,
    retryOf: row.retry_of,
    undoOf: row.undo_of,
    undoneBy: row.undone_by,
    isUndoable: !row.is_system && row.undo_of === null && ACTIONS.get(row.action_key)?.undo === true,
    error: row.error,
    confirmCount: confirmOf(row),
    actions: actionsOf(row, hasFile, now),
  };
}

/** Writes what a person did with a bulk action into the account log (settings, account logs). */
export const logBulk = (
  context: Context,
  row: BulkRow,
  event: 'created' | 'initiated' | 'cancelled' | 'retried' | 'undone',
  after: JsonObject = {},
): Promise<void> =>
  context.log({
    action: `bulk_action.${event}`,
    category: 'Bulk actions',
    description: `Bulk action “${row.label}” ${event}`,
    entity: 'bulk-action',
    entityId: row.id,
    after: { actionKey: row.action_key, status: row.status, total: row.total, remaining: leftOf(row), ...after },
  });
