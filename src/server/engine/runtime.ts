// How jobs, seeds and tests open a piece of work for a store: a transaction with everything the engine needs around it.
import type { Gateway } from '../platform/gateway/gateway.ts';
import type { Database } from '../platform/db/database.ts';
import type { StoreLog } from '../platform/db/engine.ts';
import { DatabaseBusy, DatabaseUnavailable, SerializationFailure } from '../platform/db/errors.ts';
import type { EngineContext } from './context.ts';
import { engineForJob, type SystemServer } from './system-context.ts';

/**
 * Opens a transaction of the store and commits it before the promise resolves. The work may run again after a
 * deadlock, so it does nothing but database work.
 */
export type Transact = <T>(work: (context: EngineContext) => Promise<T>) => Promise<T>;

export interface Runtime extends SystemServer {
  db: Database;
  gateway: Gateway;
  log?: StoreLog;
}

/** An error of the database as a whole: trying contracts one by one would not help. */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof DatabaseBusy || error instanceof SerializationFailure;

/** The longest a batch may take. */
const BATCH_MS = 30_000;

/** Transactions of one store in the name of the system. `clock` overrides the store's clock (a run that moves it). */
export const transactIn =
  ({ db, definitions, config }: Pick<Runtime, 'db' | 'definitions' | 'config'>, storeId: number, clock?: () => Date): Transact =>
  work =>
    db.inStore(
      storeId,
      async trx => {
        const context = await engineForJob({ definitions, config }, trx, storeId);
        return work(clock ? { ...context, now: clock } : context);
      },
      { timeoutMs: BATCH_MS },
    );
