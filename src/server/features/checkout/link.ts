// A checkout link by its code, with what of it can still be bought.
import { sql } from 'kysely';
import { prepaidRefusal } from '../../../contract/switches.ts';
import { planType } from '../../../domain/selling-plans/selling-plan.ts';
import { soldName } from '../../../domain/text/variant-name.ts';
import { type EngineContext, readCatalogue } from '../../engine/index.ts';
import type { CartItem, CheckoutLink } from './cart.ts';

/** By our own numbers besides the platform's. */
export interface LinkItem extends CartItem {
  variantId: number;
  planId: number | null;
}

/** Undefined where there is no such link, or nothing of it is sold any more. */
export async function linkBehind(context: EngineContext, code: string): Promise<{ link: CheckoutLink; items: LinkItem[] } | undefined> {
  const { trx, storeId } = context;
  const { rows } = await sql<{ id: number; data: Omit<CheckoutLink, 'id'> }>`select id, data from records
    where store_id = ${storeId}::integer and entity = 'checkout-link' and deleted_at is null and data ->> 'code' = ${code} limit 1`.execute(
    trx,
  );
  const [row] = rows;
  if (!row) return undefined;
  const link = { ...row.data, id: row.id };
  const items = await itemsOf(context, link);
  return items.length ? { link, items } : undefined;
}

async function itemsOf(context: EngineContext, link: CheckoutLink): Promise<LinkItem[]> {
  const { byId, plans } = await readCatalogue(context, { ids: link.items.map(item => item.variantId) });
  return link.items.flatMap(({ variantId, quantity = 1, sellingPlanId }) => {
    const variant = byId.get(variantId);
    if (!variant || variant.deleted_at) return [];
    const closed = prepaidRefusal(context.store.feature_switches, { part: 'CHECKOUT_LINKS' }) !== null;
    const plan = (plans.get(variantId) ?? []).find(one => one.plan.lspId === sellingPlanId)?.plan;
    if (plan && closed && planType(plan) !== 'STANDARD') return [];
    const planShopifyId = plan ? ((plan as { shopifyId?: number | null }).shopifyId ?? plan.lspId) : null;
    const name = soldName(variant.product_title, variant.title);
    return [{ name, variantId, planId: plan?.lspId ?? null, variantShopifyId: variant.shopify_id, quantity, planShopifyId }];
  });
}
