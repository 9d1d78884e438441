// The connection of a store as its jobs use it.
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { StoreConnectionsTable, Tables } from '../../../generated/tables.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import type { ShopLink, StorePlatform } from '../../platform/store-platform/store-platform.ts';
import { readSecret } from '../../platform/outgoing/secrets.ts';
import { SecretUnreadable } from '../../platform/outgoing/secret-box.ts';
import type { Services } from '../../platform/services.ts';
import { PLATFORMS } from './platforms.ts';

export const QUEUE = 'store-connection';

/** Where the secret stands by which the shop signs what it tells. */
export const signingPlace = (storeId: number, id: number) => ({ storeId, table: 'store-connection', column: 'signing', id });

/** What work with a connection needs of the server. */
export type ConnectionServices = Pick<Services, 'db' | 'definitions' | 'config' | 'outgoing' | 'secrets' | 'queue' | 'address' | 'stripe'>;
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
  /** What was given back here is to be written down in the shop now. */
  hasRefunds: boolean;
  /** A value is to be changed in the shop now. */
  hasDifferences: boolean;
  /** Something that was bought in the shop is to become a subscription now. */
  hasPurchases: boolean;
  /** The shop shows other plans than there are. */
  hasPlans: boolean;
}

/** The pause (ms) after so many failures in a row; the last one goes on. */
const PAUSES = [5000, 15_000, 60_000, 300_000];

/** SQL: refunds of a store that are due, of orders which the shop has. */
export const REFUNDS_DUE = (store: ReturnType<typeof sql>) => sql`from platform_refunds p
  join platform_orders o on o.store_id = p.store_id and o.id = p.order_id and o.state = 'MADE'
  where p.store_id = ${store} and p.state = 'WAITING' and p.try_at <= now()`;

/** What is to be tried now. */
const DUE = (table: 'platform_orders' | 'platform_purchases', storeId: number) =>
  sql`select from ${sql.table(table)} where store_id = ${storeId}::integer and state = 'WAITING' and try_at <= now()`;

/** The pause (ms) after so many tries of one thing that is refused; after the last one a person has to act. */
const REFUSALS = [60_000, 600_000, 3_600_000, 6 * 3_600_000];

/** Columns of an order or a purchase that was refused once more. */
export function afterRefusal(tries: number, fault: string) {
  const pause = REFUSALS[tries];
  return { state: pause === undefined ? 'STUCK' : 'WAITING', tries: tries + 1, try_at: new Date(Date.now() + (pause ?? 0)), error: fault };
}

/** The store's connection; undefined where it is ours alone. */
export async function openConnection({ db, outgoing, secrets }: ConnectionServices, storeId: number): Promise<Connection | undefined> {
  return db.inStore(storeId, async trx => {
    const row = await trx.selectFrom('store_connections').selectAll().where('store_id', '=', storeId).executeTakeFirst();
    if (!row) return undefined;
    const { currency_code: currency } = await trx
      .selectFrom('stores')
      .select('currency_code')
      .where('id', '=', storeId)
      .executeTakeFirstOrThrow();
    const has = async (rows: RawBuilder<unknown>): Promise<boolean> =>
      (await sql`select from (${rows}) as waiting limit 1`.execute(trx)).rows.length > 0;
    const key = await readSecret({ trx, secrets }, { storeId, table: 'store-connection', column: 'apiKey', id: row.id }).catch(unreadable);
    const signing = await readSecret({ trx, secrets }, signingPlace(storeId, row.id)).catch(unreadable);
    const link = { address: row.address, key: key ?? '', send: outgoing.send, currency, precision: row.precision };
    return {
      row,
      platform: PLATFORMS[row.kind as keyof typeof PLATFORMS],
      link,
      signing,
      hasChanges: await has(sql`select from platform_changes where store_id = ${storeId}::integer`),
      hasOrders: await has(DUE('platform_orders', storeId)),
      hasRefunds: await has(sql`select ${REFUNDS_DUE(sql`${storeId}::integer`)}`),
      hasDifferences: await has(sql`select from platform_differences
        where store_id = ${storeId}::integer and state = 'THERE' and try_at <= now()`),
      hasPurchases: await has(DUE('platform_purchases', storeId)),
      hasPlans: await has(sql`select from storefronts f join store_connections c using (store_id)
        where f.store_id = ${storeId}::integer and (c.offered_at is null or f.built_at > c.offered_at)`),
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

/** What the shop says of its orders; undefined where the key may not read them, which stops nothing else: no plans are sold then. */
export async function ofOrders<T>({ db }: Pick<Services, 'db'>, connection: Connection, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ShopError) || error.code !== 'REFUSED') throw error;
    await db.inStore(connection.row.store_id, trx => note(trx, connection, { sells: false }));
    return undefined;
  }
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
