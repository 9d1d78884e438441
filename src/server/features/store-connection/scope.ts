// What is written of the shop, and on which clock.
import type { Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { holds, type Connection } from './connection.ts';

export interface MirrorScope {
  trx: Kysely<Tables>;
  storeId: number;
  /** Of the store, which is the shop's. */
  currency: string;
  /** What counts the stock, as variants keep it. */
  stockIn: string;
  /** The store's clock. */
  at: Date;
}
/** The scope of writing, in a transaction that holds the connection; undefined where that was taken away. */
export async function scopeOf(trx: Kysely<Tables>, connection: Connection): Promise<(MirrorScope & { countryCode: string }) | undefined> {
  const { row } = connection;
  if (!(await holds(trx, connection))) return undefined;
  const store = await trx.selectFrom('stores').selectAll().where('id', '=', row.store_id).executeTakeFirstOrThrow();
  return {
    trx,
    storeId: row.store_id,
    currency: store.currency_code,
    countryCode: store.country_code,
    stockIn: row.kind.toLowerCase(),
    at: new Date(Date.now() + store.clock_offset_ms),
  };
}
