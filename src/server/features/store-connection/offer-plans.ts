// The plans that the store publishes are shown on the shop's products: the groups with their words and prices, and which variant is offered
// by which. Only what differs from what was sent before is sent.
import { sql } from 'kysely';
import type { PublishedGroup, PublishedProducts, StorefrontIndex } from '../../../domain/widgets/published.ts';
import type { ShopOffer } from '../../platform/store-platform/store-platform.ts';
import { ofOrders, type Connection, type ConnectionServices } from './connection.ts';

interface Published {
  /** As text: an instant of JavaScript is not as fine as one of the database. */
  builtAt: string;
  groups: PublishedGroup[];
  /** The number of a variant -> the groups that it is offered by. */
  variants: Map<number, number[]>;
}

async function published({ db }: Pick<ConnectionServices, 'db'>, storeId: number): Promise<Published | undefined> {
  return db.inStore(
    storeId,
    async trx => {
      const { rows } = await sql<{ content: string; builtAt: string }>`select content, built_at::text as "builtAt" from storefronts
        where store_id = ${storeId}::integer`.execute(trx);
      if (!rows[0]) return undefined;
      const index = JSON.parse(rows[0].content) as StorefrontIndex;
      const files = await sql<{ name: string; content: string }>`select name, content from storefront_files
        where store_id = ${storeId}::integer and name = any(${[index.plans, ...index.products]}::text[])`.execute(trx);
      const read = new Map(files.rows.map(one => [one.name, one.content]));
      const variants = index.products
        .flatMap(name => Object.values(JSON.parse(read.get(name) ?? '{}') as PublishedProducts).flatMap(product => product.variants))
        // What stands for a bundle is sold as one, by our own cart.
        .filter(variant => variant.planPrices === undefined);
      return {
        builtAt: rows[0].builtAt,
        groups: JSON.parse(read.get(index.plans) ?? '[]') as PublishedGroup[],
        variants: new Map(variants.map(one => [one.id, one.groups])),
      };
    },
    { readOnly: true },
  );
}

interface Row {
  id: number;
  there: string;
  number: number;
  offered: string | null;
}

/** Shows the plans in the shop. Repeated it sends the plans alone. */
export async function offerPlans(services: ConnectionServices, connection: Connection): Promise<void> {
  const { row, platform, link } = connection;
  const storeId = row.store_id;
  const found = await published(services, storeId);
  if (!found) return;
  const { rows } = await services.db.inStore(storeId, trx =>
    sql<Row>`select i.id, i.platform_id as there, v.shopify_id::float8 as number, i.offered
      from platform_ids i join variants v on v.store_id = i.store_id and v.id = i.id
      where i.store_id = ${storeId}::integer and i.kind = 'VARIANT' order by i.id`.execute(trx),
  );
  const wanted = rows
    .map(({ offered, ...one }) => ({ ...one, groups: found.variants.get(one.number) ?? [], offered: offered ?? '' }))
    .filter(one => one.groups.join(' ') !== one.offered);
  const offer: ShopOffer = { groups: found.groups, variants: wanted.map(one => ({ id: one.there, groups: one.groups })) };
  // What can't be taken over afterwards is not sold.
  const mayRead = (await ofOrders(services, connection, platform.ordersById(link, ['0']))) !== undefined;
  const sells = mayRead && (await platform.offerPlans(link, offer));
  await services.db.inStore(storeId, async trx => {
    if (sells)
      await sql`update platform_ids i set offered = w.offered
        from jsonb_to_recordset(${JSON.stringify(wanted.map(({ groups, ...one }) => ({ ...one, offered: groups.join(' ') })))}::jsonb)
          as w(id bigint, there text, offered text)
        where i.store_id = ${storeId}::integer and i.kind = 'VARIANT' and i.id = w.id and i.platform_id = w.there`.execute(trx);
    await sql`update store_connections set sells = ${sells}::boolean, offered_at = ${found.builtAt}::timestamptz
      where store_id = ${storeId}::integer and id = ${row.id}::bigint and version = ${row.version}::integer`.execute(trx);
  });
}
