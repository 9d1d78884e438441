// The work on an import, in steps: look at every row (the dry run), then make what they say. Each step is one transaction that also notes
// how far it came, so that a process that dies loses nothing and nothing is done twice; every step asks whether it may still go on.
import type { Definitions } from '../../../../contract/types.ts';
import { needsOfCall, tellEnded, withdrawn } from '../../../platform/auth/acting.ts';
import { BatchSize } from '../../../platform/queue/batch-size.ts';
import { inSteps } from '../../../platform/queue/in-steps.ts';
import { type EngineContext, isOutage, type Runtime, transactIn } from '../../../engine/index.ts';
import { buildUnits, type UnitOutcome } from './build-units.ts';
import { missingFields, type FileColumn } from './columns.ts';
import { contentOf, findImport, keepImport, lockImport, type ImportData, type ImportRecord } from './import-record.ts';
import { beginOf, readSubscriptionCsv, unitsOf, type ImportUnit } from './read-file.ts';
import { forgetRows, importedRows, keepRows, rowsOf } from './import-rows.ts';
import { writeLog } from '../../../platform/records/account-log.ts';

export type ImportRuntime = Runtime & { definitions: Definitions };
export interface RunOptions {
  /** Subscriptions of a step, in tests. */
  size?: number;
  /** Called after every step. */
  onStep?: () => Promise<void> | void;
}

/** Most subscriptions of a step. */
const MOST = 200;
const BROKEN = 'It could not be imported because of an error on our side. Import the file again for this row.';
const GONE = 'The file is not kept any more. Choose it again.';

/** Does what the state of an import asks for, until it is over, stopped, or the process shuts down. */
export async function runImport(runtime: ImportRuntime, data: ImportData, signal: AbortSignal, options: RunOptions = {}): Promise<void> {
  const transact = transactIn(runtime, data.storeId);
  const record = await transact(({ trx }) => findImport(trx, data));
  if (record?.status !== 'CHECKING' && record?.status !== 'IN_PROGRESS') return;
  const phase = record.status;
  const units = await unitsIn(runtime, data, record);
  if (units === null)
    return transact(async ({ trx, now }) => {
      if (await lockImport(trx, data, phase)) await keepImport(trx, data, { status: 'FAILED', error: GONE, finished_at: now() }, now());
    });
  if (phase === 'CHECKING')
    await inSteps(runtime.db, data.storeId, { signal, progressed: async () => undefined }, async (trx, most, begun) => {
      const locked = await lockImport(trx, data, phase);
      begun();
      return locked !== undefined && (await forgetRows(trx, data, locked.cursor, most)) >= most;
    });
  // A dry run that was cut off begins again where it was: its rows are kept with its place.
  let left = units.filter(unit => beginOf(unit) > record.cursor);
  const batchSize = new BatchSize(runtime.db, MOST, { exactly: options.size });
  while (left.length > 0) {
    signal.throwIfAborted();
    const some = left.slice(0, batchSize.next());
    const went = await batchSize.timed(begun => step(runtime, data, phase, some, units, begun));
    if (!went) return;
    left = left.slice(some.length);
    await options.onStep?.();
  }
  await transact(context => end(context, data, phase));
}

/** What the file of an import holds; null where it is not kept any more. The file itself is not held in memory while the work goes on. */
async function unitsIn(runtime: ImportRuntime, data: ImportData, record: ImportRecord): Promise<ImportUnit[] | null> {
  const content = await transactIn(runtime, data.storeId)(({ trx }) => contentOf(trx, data));
  if (content === null) return null;
  const columns = record.columns as FileColumn[];
  const { table } = await readSubscriptionCsv(content);
  return table && missingFields(columns).length === 0 ? unitsOf(table, columns) : [];
}

/** One step; when it fails as a whole its units are done one by one, so that one that can't be done holds up no other. */
async function step(
  runtime: ImportRuntime,
  data: ImportData,
  phase: 'CHECKING' | 'IN_PROGRESS',
  units: readonly ImportUnit[],
  all: readonly ImportUnit[],
  begun: () => void,
): Promise<boolean> {
  const transact = transactIn(runtime, data.storeId);
  const attempt = (given: readonly ImportUnit[], broken = false): Promise<boolean> =>
    transact(async context => {
      begun();
      const record = await lockImport(context.trx, data, phase);
      if (!record || (await endWithoutRights(context, runtime.definitions, data, record))) return false;
      // Another process may have been at it as well.
      const some = given.filter(unit => beginOf(unit) > record.cursor);
      if (some.length === 0) return true;
      const outcomes: UnitOutcome[] = broken
        ? some.map(unit => ({ unit, status: 'FAILED', problems: unit.rows.map(({ position }) => ({ position, message: BROKEN })) }))
        : await buildUnits({ ...context, noteData: { importId: data.importId } }, some, {
            rehearse: phase === 'CHECKING',
            by: record.created_by,
          });
      await note(context, data, record, outcomes, all);
      return true;
    });
  try {
    return await attempt(units);
  } catch (error) {
    if (isOutage(error)) throw error;
    for (const unit of units) {
      try {
        if (!(await attempt([unit]))) return false;
      } catch (error_) {
        if (isOutage(error_)) throw error_;
        runtime.log?.error({ err: error_, ...data, position: beginOf(unit) }, 'A row of an import failed.');
        if (!(await attempt([unit], true))) return false;
      }
    }
    return true;
  }
}

/** Writes what became of units, and how far the import is. */
async function note(
  context: EngineContext,
  data: ImportData,
  record: ImportRecord,
  outcomes: readonly UnitOutcome[],
  all: readonly ImportUnit[],
): Promise<void> {
  const { trx, now } = context;
  const isCheck = record.status === 'CHECKING';
  const rows = rowsOf(outcomes, record.columns as FileColumn[], isCheck);
  await keepRows(trx, data, rows);
  const n = (status: string): number => rows.filter(row => row.status === status).length;
  await keepImport(
    trx,
    data,
    {
      total: all.reduce((sum, unit) => sum + unit.rows.length, 0),
      cursor: Math.max(record.cursor, ...outcomes.map(({ unit }) => beginOf(unit))),
      processed: record.processed + rows.length,
      failed: record.failed + n('FAILED'),
      skipped: record.skipped + n('SKIPPED'),
      ...(isCheck
        ? {
            importable: record.importable + n('PENDING'),
            subscriptions: record.subscriptions + outcomes.filter(({ status }) => status === 'MADE').length,
          }
        : { imported: record.imported + n('IMPORTED') }),
    },
    now(),
  );
}

async function end({ trx, now, storeId }: EngineContext, data: ImportData, phase: 'CHECKING' | 'IN_PROGRESS'): Promise<void> {
  const record = await lockImport(trx, data, phase);
  if (!record) return;
  if (phase === 'CHECKING') return keepImport(trx, data, { status: 'READY' }, now());
  await keepImport(trx, data, { status: record.failed > 0 ? 'COMPLETED_WITH_ERRORS' : 'COMPLETED', finished_at: now() }, now());
  const subscriptions = (await importedRows(trx, data)).contracts;
  await writeLog(
    trx,
    storeId,
    {
      action: 'subscriptions.imported',
      category: 'Subscription imports',
      description:
        `Subscriptions imported from “${record.file_name}”: ${subscriptions} made, ${record.failed} rows with errors, ` +
        `${record.skipped} there already`,
      entity: 'subscription-import',
      entityId: data.importId,
      after: { subscriptions, imported: record.imported, failed: record.failed, skipped: record.skipped },
    },
    { userEmail: record.created_by, at: now() },
  );
}

/** Ends an import whose person may not do it any more. True: it is over. */
export async function endWithoutRights(
  { trx, storeId, now, messages }: EngineContext,
  definitions: Definitions,
  data: ImportData,
  record: ImportRecord,
): Promise<boolean> {
  const needs = needsOfCall(definitions, 'subscription-imports.start');
  const reason = await withdrawn({ trx, storeId }, definitions, record.acting_user_id, needs);
  if (reason === undefined) return false;
  await keepImport(trx, data, { status: 'FAILED', error: `${reason} What was done before stays.`, finished_at: now() }, now());
  await tellEnded({ trx, storeId, messages }, now(), {
    what: `The import of subscriptions from “${record.file_name}”`,
    reason,
    category: 'Subscription imports',
    action: 'subscriptions.import_ended',
    entity: 'subscription-import',
    entityId: data.importId,
  });
  return true;
}
