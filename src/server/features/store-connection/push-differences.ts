// Where the admin and the connected shop have different values, a person chooses one. Here the admin's value is written into the shop.
import { sql } from 'kysely';
import { toMinor } from '../../../domain/money/money.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import { afterRefusal, type Connection, type ConnectionServices } from './connection.ts';

/** A row of platform_differences: THERE is the state of those whose value is still to be written into the shop. */
interface Difference {
  id: number;
  kind: 'PRODUCT' | 'VARIANT';
  /** The id of the product or variant in the shop. */
  platform_id: string;
  /** The admin's value: the title of a product; the price of a variant as a decimal in the store's currency. */
  here: string;
  /** How often the shop has refused this value. */
  tries: number;
}

/**
 * Writes the next due value into the shop, if there is one, and marks its product to be read from the shop again. A value that the shop
 * refuses becomes STUCK: it is not tried again until a person chooses again.
 * @throws ShopError if the shop can't be reached or refuses the API key; the value then stays due
 */
export async function pushDifference({ db }: ConnectionServices, connection: Connection): Promise<void> {
  const storeId = connection.row.store_id;
  const difference = await db.inStore(storeId, async trx => {
    const { rows } = await sql<Difference>`select id, kind, platform_id, here, tries from platform_differences
      where store_id = ${storeId}::integer and state = 'THERE' and try_at <= now() order by try_at, id limit 1`.execute(trx);
    return rows[0];
  });
  if (!difference) return;
  // Outside of any transaction: the shop may take its time.
  const refusal = await writeToShop(connection, difference);
  await db.inStore(storeId, async trx => {
    const result = refusal ? { ...afterRefusal(difference.tries, refusal.fault), state: 'STUCK' } : { state: 'HERE', error: null };
    await trx.updateTable('platform_differences').set(result).where('store_id', '=', storeId).where('id', '=', difference.id).execute();
    if (refusal) return;
    // Reading the product from the shop again shows that both sides agree, and ends the difference.
    await sql`insert into platform_changes (store_id, kind, platform_id, told_at)
      values (${storeId}::integer, ${difference.kind}, ${difference.platform_id}, clock_timestamp())
      on conflict (store_id, kind, platform_id) do update set told_at = excluded.told_at`.execute(trx);
  });
}

/** Changes the title or the price in the shop. Gives the shop's refusal of this very value; every other error is thrown. */
async function writeToShop({ platform, link }: Connection, { kind, platform_id: id, here }: Difference): Promise<ShopError | undefined> {
  try {
    await (kind === 'PRODUCT' ? platform.rename(link, id, here) : platform.reprice(link, id, toMinor(here, link.currency)));
    return undefined;
  } catch (error) {
    if (error instanceof ShopError && error.code === 'WRONG') return error;
    throw error;
  }
}
