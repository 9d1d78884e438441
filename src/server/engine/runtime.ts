// How jobs, seeds and tests open a piece of work for a store: a transaction with everything the engine needs around it.
import { sql } from 'kysely';
import { withDefaults } from '../../contract/validation/defaults.ts';
import type { Definitions, JsonObject } from '../../contract/types.ts';
import type { Store } from '../platform/context.ts';
import type { Gateway } from '../platform/gateway/gateway.ts';
import type { Database } from '../platform/db/database.ts';
import type { StoreLog } from '../platform/db/engine.ts';
import { prepared } from '../platform/db/prepared-statements.ts';
import { DatabaseBusy, DatabaseUnavailable, SerializationFailure } from '../platform/db/errors.ts';
import type { EngineContext } from './context.ts';
import type { PortalConfig } from './portal-link.ts';

/**
 * Opens a transaction of the store and commits it before the promise resolves. The work may run again after a
 * deadlock, so it does nothing but database work.
 */
export type Transact = <T>(work: (context: EngineContext) => Promise<T>) => Promise<T>;

export interface Runtime {
  db: Database;
  gateway: Gateway;
  definitions: Pick<Definitions, 'settings' | 'messages' | 'texts'>;
  config: PortalConfig;
  log?: StoreLog;
}

/** An error of the database as a whole: trying contracts one by one would not help. */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof DatabaseBusy || error instanceof SerializationFailure;

/** The longest a batch may take. */
const BATCH_MS = 30_000;

/**
 * Transactions of one store in the name of the system. `clock` overrides the store's clock (a run that moves it); by default it is real
 * time plus the store's offset. The store and all its settings pages are read in one statement per transaction.
 */
export const transactIn =
  ({ db, definitions, config }: Pick<Runtime, 'db' | 'definitions' | 'config'>, storeId: number, clock?: () => Date): Transact =>
  work =>
    db.inStore(
      storeId,
      async trx => {
        const {
          rows: [row],
        } = await prepared(sql<Store & { pages: Record<string, JsonObject> | null }>`
    select s.*, (select jsonb_object_agg(p.name, p.data) from settings p where p.store_id = s.id) as pages from stores s
      where s.id = ${storeId}::integer`).execute(trx);
        if (!row) throw new Error(`Store ${storeId} does not exist.`);
        const { pages, ...store } = row;
        const context: EngineContext = {
          trx,
          storeId,
          store,
          config,
          now: clock ?? (() => new Date(Date.now() + store.clock_offset_ms)),
          source: 'System',
          userEmail: '',
          messages: definitions.messages,
          texts: definitions.texts,
          setting: async name => {
            const schema = definitions.settings[name];
            return schema ? withDefaults<JsonObject>(schema, pages?.[name] ?? {}) : (pages?.[name] ?? {});
          },
        };
        return work(context);
      },
      { timeoutMs: BATCH_MS },
    );
