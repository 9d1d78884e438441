// The connection of a store as its jobs use it.
import { sql, type Kysely, type Selectable } from 'kysely';
import type { StoreConnectionsTable, Tables } from '../../../generated/tables.ts';
import type { ShopError } from '../../platform/store-platform/shop-fault.ts';
import type { ShopLink, StorePlatform } from '../../platform/store-platform/store-platform.ts';
import { readSecret } from '../../platform/outgoing/secrets.ts';
import { SecretUnreadable } from '../../platform/outgoing/secret-box.ts';
import type { Services } from '../../platform/services.ts';
import { PLATFORMS } from './platforms.ts';

export const QUEUE = 'store-connection';

/** Where the secret stands by which the shop signs what it tells. */
export const signingPlace = (storeId: number, id: number) => ({ storeId, table: 'store-connection', column: 'signing', id });

/** What work with a connection needs of the server. */
export type ConnectionServices = Pick<Services, 'db' | 'definitions' | 'config' | 'outgoing' | 'secrets' | 'queue' | 'address'>;
export type ConnectionRow = Selectable<StoreConnectionsTable>;
export interface Connection {
  row: ConnectionRow;
  platform: StorePlatform;
  link: ShopLink;
  signing: string | undefined;
  /** The shop told of changes that were not read yet. */
  hasChanges: boolean;
  /** An order is to be made in the shop now. */
  hasOrders: boolean;
}

/** The pause (ms) after so many failures in a row; the last one goes on. */
const PAUSES = [5000, 15_000, 60_000, 300_000];

/** The store's connection; undefined where it is ours alone. */
export async function openConnection({ db, outgoing, secrets }: ConnectionServices, storeId: number): Promise<Connection | undefined> {
  return db.inStore(storeId, async trx => {
    const row = await trx.selectFrom('store_connections').selectAll().where('store_id', '=', storeId).executeTakeFirst();
    if (!row) return undefined;
    const change = await trx.selectFrom('platform_changes').select('kind').where('store_id', '=', storeId).limit(1).executeTakeFirst();
    const order = await trx
      .selectFrom('platform_orders')
      .select('id')
      .where('store_id', '=', storeId)
      .where('state', '=', 'WAITING')
      .where('try_at', '<=', sql<Date>`now()`)
      .limit(1)
      .executeTakeFirst();
    const key = await readSecret({ trx, secrets }, { storeId, table: 'store-connection', column: 'apiKey', id: row.id }).catch(unreadable);
    const signing = await readSecret({ trx, secrets }, signingPlace(storeId, row.id)).catch(unreadable);
    const link = { address: row.address, key: key ?? '', send: outgoing.send };
    return {
      row,
      platform: PLATFORMS[row.kind as keyof typeof PLATFORMS],
      link,
      signing,
      hasChanges: change !== undefined,
      hasOrders: order !== undefined,
    };
  });
}

/** A key that can't be opened any more is as good as none: a person enters it again. */
const unreadable = (error: unknown): undefined => {
  if (!(error instanceof SecretUnreadable)) throw error;
};

/** Holds the connection until the transaction ends. False: it was taken away or entered again meanwhile, so nothing of it counts. */
export async function holds(trx: Kysely<Tables>, { row }: Pick<Connection, 'row'>): Promise<boolean> {
  const { rows } = await sql`select 1 from store_connections where store_id = ${row.store_id}::integer and id = ${row.id}::bigint
    and version = ${row.version}::integer for update`.execute(trx);
  return rows.length > 0;
}

/** Writes how it stands, unless it was taken away or entered again meanwhile. */
export async function note(
  trx: Kysely<Tables>,
  { row }: Pick<Connection, 'row'>,
  values: Partial<Omit<ConnectionRow, 'store_id' | 'id' | 'version'>>,
): Promise<void> {
  await trx
    .updateTable('store_connections')
    .set({ ...values, updated_at: new Date() })
    .where('store_id', '=', row.store_id)
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .execute();
}

/** Writes down what went wrong: what a person has to see to stops the connection, the rest is tried again. */
export async function noteFailure({ db }: Pick<Services, 'db'>, connection: Connection, error: ShopError): Promise<void> {
  const { row } = connection;
  const stops = error.code === 'REFUSED' || row.status === 'CHECKING';
  const pause = PAUSES[Math.min(row.failures, PAUSES.length - 1)] ?? 0;
  await db.inStore(row.store_id, trx =>
    note(trx, connection, {
      status: stops ? 'NOT_CONNECTED' : 'UNREACHABLE',
      error: error.fault,
      failures: row.failures + 1,
      due_at: stops ? null : new Date(Date.now() + pause),
    }),
  );
}
