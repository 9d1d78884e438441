// What a person wants to have in the shop as it is here is changed there, one value after the other, and read again.
import { sql } from 'kysely';
import { toMinor } from '../../../domain/money/money.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import { afterRefusal, type Connection, type ConnectionServices } from './connection.ts';

interface Due {
  id: number;
  kind: 'PRODUCT' | 'VARIANT';
  platform_id: string;
  here: string;
  tries: number;
}

/** Changes the next value that is due there. @throws ShopError where the shop as a whole can't be reached or refuses the key */
export async function pushDifference({ db }: ConnectionServices, { row, platform, link }: Connection): Promise<void> {
  const storeId = row.store_id;
  const { rows } = await db.inStore(storeId, trx =>
    sql<Due>`select id, kind, platform_id, here, tries from platform_differences
      where store_id = ${storeId}::integer and state = 'THERE' and try_at <= now() order by try_at, id limit 1`.execute(trx),
  );
  const [due] = rows;
  if (!due) return;
  const error = await change().then(
    () => undefined,
    (caught: unknown) => {
      if (!(caught instanceof ShopError) || caught.code !== 'WRONG') throw caught;
      return caught;
    },
  );
  await db.inStore(storeId, async trx => {
    // Refused once is refused: the person who chose it chooses again.
    const set = error ? { ...afterRefusal(due.tries, error.fault), state: 'STUCK' } : { state: 'HERE', error: null };
    await trx.updateTable('platform_differences').set(set).where('store_id', '=', storeId).where('id', '=', due.id).execute();
    if (!error)
      await sql`insert into platform_changes (store_id, kind, platform_id, told_at)
        values (${storeId}::integer, ${due.kind}, ${due.platform_id}, clock_timestamp())
        on conflict (store_id, kind, platform_id) do update set told_at = excluded.told_at`.execute(trx);
  });

  function change(): Promise<void> {
    const { kind, platform_id: id, here } = due as Due;
    return kind === 'PRODUCT' ? platform.rename(link, id, here) : platform.reprice(link, id, toMinor(here, link.currency));
  }
}
