// An import of subscriptions as it is kept, and what its job is given.
import { sql, type Kysely, type Selectable } from 'kysely';
import type { SubscriptionImportsTable, Tables } from '../../../../generated/tables.ts';
import { IMPORT_JOB } from '../queue-names.ts';
import type { Context } from '../../../platform/context.ts';

export type ImportRecord = Omit<Selectable<SubscriptionImportsTable>, 'content'>;
export type ImportStatus =
  | 'CHECKING'
  | 'READY'
  | 'IN_PROGRESS'
  | 'STOPPED'
  | 'COMPLETED'
  | 'COMPLETED_WITH_ERRORS'
  | 'FAILED'
  | 'UNDOING'
  | 'UNDONE';

/** What the job is given. */
export interface ImportData {
  storeId: number;
  importId: number;
}

/** States in which the job has something to do. */
export const UNDER_WAY: readonly ImportStatus[] = ['CHECKING', 'IN_PROGRESS', 'UNDOING'];

/** How long after its end an import can be undone. */
export const UNDO_MS = 86_400_000;
/** Days that the file and the rows of an import are kept. */
export const KEPT_DAYS = 30;

/** Columns without the file, which is large. */
const COLUMNS = [
  'store_id',
  'id',
  'version',
  'file_name',
  'size',
  'columns',
  'status',
  'total',
  'processed',
  'cursor',
  'importable',
  'failed',
  'skipped',
  'imported',
  'subscriptions',
  'error',
  'acting_user_id',
  'created_by',
  'created_at',
  'started_at',
  'finished_at',
  'updated_at',
] as const;

/** Locks an import for the next step of `status`; undefined when it is in another state by now. */
export const lockImport = (
  trx: Kysely<Tables>,
  { storeId, importId }: ImportData,
  status: ImportStatus,
): Promise<ImportRecord | undefined> =>
  trx
    .selectFrom('subscription_imports')
    .select(COLUMNS)
    .where('store_id', '=', storeId)
    .where('id', '=', importId)
    .where('status', '=', status)
    .forUpdate()
    .executeTakeFirst();

/** An import as it stands, without a lock. */
export const findImport = (trx: Kysely<Tables>, { storeId, importId }: ImportData): Promise<ImportRecord | undefined> =>
  trx.selectFrom('subscription_imports').select(COLUMNS).where('store_id', '=', storeId).where('id', '=', importId).executeTakeFirst();

/** The file of an import; null when it is not kept any more. */
export async function contentOf(trx: Kysely<Tables>, { storeId, importId }: ImportData): Promise<Uint8Array | null> {
  const row = await trx
    .selectFrom('subscription_imports')
    .select('content')
    .where('store_id', '=', storeId)
    .where('id', '=', importId)
    .executeTakeFirst();
  return row?.content ?? null;
}

type Kept = Partial<
  Pick<
    ImportRecord,
    | 'status'
    | 'total'
    | 'processed'
    | 'cursor'
    | 'importable'
    | 'failed'
    | 'skipped'
    | 'imported'
    | 'subscriptions'
    | 'error'
    | 'acting_user_id'
    | 'started_at'
    | 'finished_at'
  >
>;
/** Writes how far an import is. */
export async function keepImport(trx: Kysely<Tables>, { storeId, importId }: ImportData, values: Kept, now: Date): Promise<void> {
  await trx
    .updateTable('subscription_imports')
    .set({ ...values, version: sql<number>`version + 1`, updated_at: now })
    .where('store_id', '=', storeId)
    .where('id', '=', importId)
    .execute();
}

/** Calls a worker for an import, in the transaction that gives it something to do. */
export const callWorker = ({ trx, queue }: Pick<Context, 'trx' | 'queue'>, data: ImportData): Promise<unknown> =>
  queue.send(IMPORT_JOB, data, { trx });
