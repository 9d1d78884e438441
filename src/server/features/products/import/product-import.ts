// The import of a product file: what it would do (preview), and doing it as a run. A product comes in whole or not at all.
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { needsOfCall } from '../../../platform/auth/acting.ts';
import { endWithoutRights, lockRun, noteRun, type RunData, type RunRow } from '../../../platform/queue/system-run.ts';
import type { Services } from '../../../platform/services.ts';
import type { Database } from '../../../platform/db/database.ts';
import { DatabaseError } from '../../../platform/db/errors.ts';
import { BatchSize } from '../../../platform/queue/batch-size.ts';
import { applyChanges, type Applied } from './apply.ts';
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import { changeOf, readExisting, type Change } from './changes.ts';
import type { FileProduct } from './catalogue-product.ts';
import { type RowError } from './read-csv.ts';
import { type ImportMode, needFile, readFile, NAMED, errorWire, STEP } from './preview-import.ts';
import { writeLog } from '../../../platform/records/account-log.ts';

export const IMPORT_KIND = 'PRODUCT_IMPORT';
export const IMPORT_JOB = 'product-import';

interface Progress extends JsonObject {
  created: number;
  changed: number;
  unchanged: number;
  priceChanges: number;
}
const NONE: Progress = { created: 0, changed: 0, unchanged: 0, priceChanges: 0 };
const add = (a: Progress, b: Applied): Progress => ({
  created: a.created + b.created,
  changed: a.changed + b.changed,
  unchanged: a.unchanged + b.unchanged,
  priceChanges: a.priceChanges + b.priceChanges,
});
/** How far an interrupted run came. */
function progressOf(result: unknown): { progress: Progress; failures: RowError[] } {
  const { failures = [], ...progress } = (result ?? {}) as Partial<Progress> & { failures?: RowError[] };
  return { progress: { ...NONE, ...progress } as Progress, failures };
}
const doneWords = ({ created, changed, unchanged }: Progress): string => `${created} created, ${changed} changed, ${unchanged} unchanged`;

/** What a finished import leaves to do: prices that changed may concern subscriptions. */
export type AfterImport = (trx: Kysely<Tables>, progress: Progress) => Promise<void>;

/**
 * Imports the file of a run. SKIP_ERRORS: one transaction per product, resumed where it stopped. ALL_OR_NOTHING: one transaction for all,
 * so that a file of which one product can't be written changes nothing. On the embedded database, which serves no other call meanwhile, it
 * is steps instead: what differs is written once for a try and taken back, then for good, resumed where it stopped. Each step compares
 * again, so that what others wrote in between is no reason to fail. Running it again changes nothing.
 */
export async function runImport(
  { db, definitions }: Pick<Services, 'db' | 'definitions'>,
  data: RunData,
  after: AfterImport,
  signal: AbortSignal,
): Promise<void> {
  const { storeId } = data;
  const needs = needsOfCall(definitions, 'product-import.start');
  const mayNotGoOn = (trx: Kysely<Tables>, run: RunRow, fileName: string | undefined, at: Date): Promise<boolean> =>
    endWithoutRights(
      trx,
      definitions,
      data,
      run,
      { what: `The import of products from “${fileName ?? 'a file'}”`, needs, category: 'Products' },
      at,
    );
  const begun = await db.inStore(storeId, async trx => {
    const run = await lockRun(trx, data);
    if (!run) return undefined;
    const store = await trx
      .selectFrom('stores')
      .select(['currency_code', 'clock_offset_ms'])
      .where('id', '=', storeId)
      .executeTakeFirstOrThrow();
    const now = (): Date => new Date(Date.now() + store.clock_offset_ms);
    const input = run.input as { fileId: number; mode: ImportMode; fileName?: string };
    if (await mayNotGoOn(trx, run, input.fileName, now())) return undefined;
    if (run.status === 'QUEUED') await noteRun(trx, data, { status: 'IN_PROGRESS', started_at: now() });
    return {
      input,
      currency: store.currency_code,
      now,
      file: await needFile(trx, storeId, input.fileId),
      done: run.processed,
      ...progressOf(run.result),
      createdBy: run.created_by,
    };
  });
  if (!begun) return;
  const { input, currency, now, createdBy } = begun;
  /** Locks the run for a step of it. False: it is over, or ends here because the person it acts for may not do it any more. */
  const lockStep = async (trx: Kysely<Tables>): Promise<boolean> => {
    const run = await lockRun(trx, data);
    return run !== undefined && !(await mayNotGoOn(trx, run, begun.file.name, now()));
  };
  const file = await readFile(begun.file.content, currency);
  const products = [...file.products].sort((a, b) => a.row - b.row);
  const total = products.length;
  const finish = async (trx: Kysely<Tables>, progress: Progress, failures: RowError[]): Promise<void> => {
    const errors = [...file.errors, ...failures];
    await noteRun(trx, data, {
      status: 'COMPLETED',
      finished_at: now(),
      total,
      processed: total,
      succeeded: total - failures.length,
      failed: failures.length + new Set(file.errors.map(error => error.handle)).size,
      result: { ...progress, errors: errors.slice(0, NAMED).map(errorWire), errorCount: errors.length },
    });
    await writeLog(
      trx,
      storeId,
      {
        action: 'products.imported',
        category: 'Products',
        description: `Products imported from “${begun.file.name}”: ${doneWords(progress)}`,
        entity: 'product',
        after: { ...progress, runId: data.runId, fileId: input.fileId },
      },
      { userEmail: createdBy, at: now() },
    );
    await after(trx, progress);
  };

  if (input.mode === 'ALL_OR_NOTHING') {
    if (file.errors.length) {
      await db.inStore(storeId, trx =>
        noteRun(trx, data, {
          status: 'FAILED',
          finished_at: now(),
          error: 'Nothing was imported, because some rows have errors.',
          result: { ...NONE, errors: file.errors.slice(0, NAMED).map(errorWire), errorCount: file.errors.length },
        }),
      );
      return;
    }
    if (db.kind === 'embedded') {
      const write = (some: readonly FileProduct[]) => (trx: Kysely<Tables>) => importProducts(trx, storeId, some, currency, now());
      const differing = await differingOf(db, storeId, products, currency, signal);
      let { created, changed, priceChanges } = begun.progress;
      if (created + changed === 0) await inSteps(db, differing, signal, some => rehearsed(db, storeId, write(some)));
      const progress = (): Progress => ({ created, changed, unchanged: total - created - changed, priceChanges });
      let left = differing.length;
      await inSteps(db, differing, signal, async some => {
        // Counted in the step's own transaction, so that a run that goes on counts it once.
        const came = await db.inStore(
          storeId,
          async trx => {
            if (!(await lockStep(trx))) return undefined;
            const sum = add(progress(), await write(some)(trx));
            const processed = total - left + some.length;
            await noteRun(trx, data, { total, processed, succeeded: processed, result: sum });
            return sum;
          },
          { timeoutMs: STEP_MS },
        );
        if (!came) return 'over';
        ({ created, changed, priceChanges } = came);
        left -= some.length;
        return undefined;
      });
      await db.inStore(storeId, async trx => {
        if (await lockRun(trx, data)) await finish(trx, progress(), []);
      });
      return;
    }
    await db.inStore(
      storeId,
      async trx => {
        if (!(await lockStep(trx))) return;
        const applied = await importProducts(trx, storeId, products, currency, now());
        await finish(trx, add(NONE, applied), []);
      },
      { timeoutMs: 600_000 },
    );
    return;
  }

  let { progress } = begun;
  const failures: RowError[] = [...begun.failures];
  for (let at = begun.done; at < total; at += 1) {
    signal.throwIfAborted();
    const product = products[at] as FileProduct;
    try {
      const came = await db.inStore(
        storeId,
        async trx => {
          if (!(await lockStep(trx))) return undefined;
          const sum = add(progress, await importProducts(trx, storeId, [product], currency, now()));
          // Noted in the product's own transaction, so that a run that goes on counts it once.
          await noteRun(trx, data, {
            total,
            processed: at + 1,
            succeeded: at + 1 - failures.length,
            result: { ...sum, failures: failures as JsonObject[] },
          });
          return sum;
        },
        { timeoutMs: 60_000 },
      );
      if (!came) return;
      progress = came;
    } catch (error) {
      if (!(error instanceof DatabaseError) || !isOfTheProduct(error)) throw error;
      failures.push({
        row: product.row,
        handle: product.handle,
        message:
          `“${product.title ?? product.handle}” could not be written, because it was changed at the same moment. Import ` +
          `the file again.`,
      });
      await db.inStore(storeId, trx =>
        noteRun(trx, data, {
          total,
          processed: at + 1,
          failed: failures.length,
          result: { ...progress, failures: failures as JsonObject[] },
        }),
      );
    }
  }
  await db.inStore(storeId, async trx => {
    if (await lockRun(trx, data)) await finish(trx, progress, failures);
  });
}

/** Longest (ms) that a step may take, waiting included. */
const STEP_MS = 60_000;

/** Goes through products in steps that keep other calls waiting only shortly, until one says that it is over. */
async function inSteps(
  db: Database,
  products: readonly FileProduct[],
  signal: AbortSignal,
  work: (some: readonly FileProduct[]) => Promise<'over' | void>,
): Promise<void> {
  const batchSize = new BatchSize(db, STEP);
  for (let at = 0; at < products.length;) {
    signal.throwIfAborted();
    const some = products.slice(at, at + batchSize.next());
    if ((await batchSize.timed(() => work(some))) === 'over') return;
    at += some.length;
  }
}

/** The products that importing would create or change; the others need no write. */
async function differingOf(
  db: Database,
  storeId: number,
  products: readonly FileProduct[],
  currency: string,
  signal: AbortSignal,
): Promise<FileProduct[]> {
  const differing: FileProduct[] = [];
  const yieldTurn = yieldToEventLoop();
  await inSteps(db, products, signal, async some => {
    const existing = await db.inStore(
      storeId,
      trx =>
        readExisting(
          trx,
          storeId,
          some.map(product => product.handle),
        ),
      { readOnly: true, timeoutMs: STEP_MS },
    );
    for (const product of some) {
      if (changeOf(product, existing, currency).kind !== 'NONE') differing.push(product);
      await yieldTurn();
    }
  });
  return differing;
}

class TakenBack extends Error {}

/** Does work in a transaction and takes it back. What the database would refuse, it refuses now. */
async function rehearsed(db: Database, storeId: number, work: (trx: Kysely<Tables>) => Promise<unknown>): Promise<void> {
  await db
    .inStore(
      storeId,
      async trx => {
        await work(trx);
        throw new TakenBack();
      },
      { timeoutMs: STEP_MS },
    )
    .catch((error: unknown) => {
      if (!(error instanceof TakenBack)) throw error;
    });
}

/** Constraint and data errors concern one product; anything else (no connection, no disk) concerns the whole run. */
const isOfTheProduct = (error: DatabaseError): boolean => /^(22|23)/.test(error.code ?? '');

async function importProducts(
  trx: Kysely<Tables>,
  storeId: number,
  products: readonly FileProduct[],
  currency: string,
  at: Date,
): Promise<Applied> {
  const existing = await readExisting(
    trx,
    storeId,
    products.map(product => product.handle),
    { lock: true },
  );
  const changes: Change[] = [];
  const yieldTurn = yieldToEventLoop();
  for (const product of products) {
    changes.push(changeOf(product, existing, currency));
    await yieldTurn();
  }
  return applyChanges(trx, storeId, changes, at);
}

/** Notes that an import gave up. */
export async function failImport(db: Database, data: RunData): Promise<void> {
  await db.inStore(data.storeId, async trx => {
    const run = await lockRun(trx, data);
    if (!run) return;
    const someCameIn = run.processed > 0 || (run.input as { mode?: ImportMode } | null)?.mode === 'SKIP_ERRORS';
    await noteRun(trx, data, {
      status: 'FAILED',
      finished_at: new Date(),
      error: someCameIn
        ? 'The import stopped because of an error on our side. Products that came in stay; import the file again for the rest.'
        : 'The import stopped because of an error on our side. Nothing was imported; try it again.',
    });
  });
}
