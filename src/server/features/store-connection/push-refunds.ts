// Money that was given back here for an order which the shop has is written down there too, one refund after the other, once for its key.
import { sql } from 'kysely';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import { afterRefusal, REFUNDS_DUE, type Connection, type ConnectionServices } from './connection.ts';

interface Due {
  id: number;
  tries: number;
  amount: number;
  key: string;
  order_there: string;
}

/** Passes on the next refund that is due. @throws ShopError where the shop as a whole can't be reached or refuses the key */
export async function pushRefund(services: ConnectionServices, { row, platform, link }: Connection): Promise<void> {
  const storeId = row.store_id;
  const { rows } = await services.db.inStore(storeId, trx =>
    sql<Due>`select due.id, due.tries, due.order_there, due.amount, r.idempotency_key as key
      from (select p.id, p.tries, p.try_at, p.amount::float8 as amount, o.platform_id as order_there
        ${REFUNDS_DUE(sql`${storeId}::integer`)}) as due
      join refunds r on r.store_id = ${storeId}::integer and r.id = due.id order by due.try_at, due.id limit 1`.execute(trx),
  );
  const [due] = rows;
  if (!due) return;
  const set = await platform.refund(link, { order: due.order_there, key: due.key, amount: due.amount }).then(
    ({ id }) => ({ state: 'MADE', error: null, platform_id: id, tries: due.tries + 1, made_at: new Date() }),
    (error: unknown) => {
      if (!(error instanceof ShopError) || error.code !== 'WRONG') throw error;
      return afterRefusal(due.tries, error.fault);
    },
  );
  await services.db.inStore(storeId, async trx => {
    await trx
      .updateTable('platform_refunds')
      .set(set)
      .where('store_id', '=', storeId)
      .where('id', '=', due.id)
      .where('state', '<>', 'MADE')
      .execute();
    // Whether both sides are even now is looked at again.
    await sql`insert into platform_changes (store_id, kind, platform_id, told_at)
      select ${storeId}::integer, 'ORDER', ${due.order_there}, clock_timestamp() where ${set.state === 'MADE'}::boolean
      on conflict (store_id, kind, platform_id) do update set told_at = excluded.told_at`.execute(trx);
  });
}
