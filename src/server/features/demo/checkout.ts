// Checkout links and upgrades of the demo store.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAYS = 60;

interface Sold {
  id: number;
  groupId: number;
  planId: number;
}

/** A variant by its sku, with the first plan that it is sold on. */
async function soldOf(trx: Kysely<Tables>, storeId: number, sku: string): Promise<Sold | undefined> {
  const { rows } = await sql<Sold>`select v.id, g.id as "groupId", (g.data -> 'sellingPlans' -> 0 ->> 'lspId')::bigint as "planId"
    from variants v join plan_products p on p.store_id = v.store_id and p.product_id = v.product_id
      join records g on g.store_id = p.store_id and g.id = p.group_id and g.entity = 'selling-plan-group' and g.deleted_at is null
    where v.store_id = ${storeId}::integer and v.sku = ${sku} and g.data ->> 'status' = 'ACTIVE' order by g.id limit 1`.execute(trx);
  return rows[0];
}

/** Writes them, as they were made some weeks ago. */
export async function writeCheckout(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  const [coffee, matcha] = [await soldOf(trx, store.id, 'HHB-250-W'), await soldOf(trx, store.id, 'MOS-30')];
  if (!coffee || !matcha) return;
  const since = new Date(now - DAYS * 86_400_000);
  const write = async (entity: string, data: JsonObject, position: number | null): Promise<void> => {
    await sql`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
      values (${store.id}::integer, ${entity}, ${position}::integer, ${JSON.stringify(data)}::jsonb, ${since}, ${since},
        ${store.email})`.execute(trx);
  };
  const item = ({ id, planId }: Sold, quantity = 1): JsonObject => ({ variantId: id, quantity, sellingPlanId: planId });
  const links: JsonObject[] = [
    {
      name: 'House blend, from the newsletter',
      items: [item(coffee)],
      discountCode: 'WELCOME10',
      utmSource: 'newsletter',
      utmMedium: 'e-mail',
    },
    { name: 'Morning set: coffee and matcha', items: [item(coffee, 2), item(matcha)], utmSource: 'instagram', utmMedium: 'social' },
  ];
  // How often they are opened is counted from what happens: the shop of the store is there to open them.
  for (const [i, link] of links.entries())
    await write('checkout-link', { redirect: 'CHECKOUT', code: `demo-checkout-link-${i + 1}`, ...link }, null);
  const words = {
    description: 'Delivered as often as you like. Cancel at any time.',
    buttonText: 'Upgrade to a subscription',
    undoText: 'Undo',
  };
  await write(
    'checkout-upgrade',
    {
      ...words,
      name: 'Coffee in the checkout',
      status: 'ACTIVE',
      planGroupId: coffee.groupId,
      allProducts: true,
      title: 'Subscribe and save {{saving}}',
    },
    1,
  );
  await sql`insert into settings (store_id, name, data, updated_by)
    values (${store.id}::integer, 'checkout-widget', '{"isCheckoutWidgetPublished": true}', ${store.email})
    on conflict (store_id, name) do update set data = settings.data || excluded.data`.execute(trx);
  await write(
    'checkout-upgrade',
    {
      ...words,
      name: 'Matcha, any rhythm',
      status: 'DRAFT',
      planGroupId: matcha.groupId,
      allProducts: true,
      allowFrequencyChoice: true,
      title: 'Have it delivered',
    },
    2,
  );
}
