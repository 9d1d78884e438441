// The page behind a checkout link: on to the filled cart of the store.
import { sql } from 'kysely';
import { soldName } from '../../../../domain/text/variant-name.ts';
import { escapeHtml, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import type { PageServices } from '../../../platform/http/page-request.ts';
import { todayOf } from '../../../platform/records/store-days.ts';
import { type EngineContext, readCatalogue, transactIn } from '../../../engine/index.ts';
import { language, t } from '../../../../domain/text/t.ts';
import { cartForm, permalink, type CartItem, type CheckoutLink } from '../cart.ts';

function gone(): PageAnswer {
  const title = t`This link is no longer available.`;
  return {
    status: 404,
    title,
    html: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(t`Please look for the product in the store.`)}</p>`,
    language: language(),
  };
}

/** What of a link can still be bought, by the platform's numbers. */
async function itemsOf(context: EngineContext, link: CheckoutLink): Promise<CartItem[]> {
  const { byId, plans } = await readCatalogue(context, { ids: link.items.map(item => item.variantId) });
  return link.items.flatMap(({ variantId, quantity = 1, sellingPlanId }) => {
    const variant = byId.get(variantId);
    if (!variant || variant.deleted_at) return [];
    const plan = (plans.get(variantId) ?? []).find(one => one.plan.lspId === sellingPlanId)?.plan;
    const planShopifyId = plan ? ((plan as { shopifyId?: number | null }).shopifyId ?? plan.lspId) : null;
    return [{ name: soldName(variant.product_title, variant.title), variantShopifyId: variant.shopify_id, quantity, planShopifyId }];
  });
}

async function open(services: Pick<PageServices, 'visits'>, context: EngineContext, code: string): Promise<PageAnswer> {
  const { trx, storeId, store, now } = context;
  const { rows } = await sql<{
    id: number;
    data: Omit<CheckoutLink, 'id'>;
  }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'checkout-link' and deleted_at is null and data ->> 'code' = ${code} limit 1`.execute(trx);
  const [row] = rows;
  if (!row) return gone();
  const link = { ...row.data, id: row.id };
  const items = await itemsOf(context, link);
  if (items.length === 0) return gone();
  services.visits.count({ storeId, linkId: link.id, day: todayOf(store, now()) });
  const address = permalink(store.myshopify_domain, link, items);
  if (address) return { redirect: address };
  const { action, fields } = cartForm(store.myshopify_domain, link, items);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(String(value))}">`,
  );
  return {
    status: 200,
    title: store.name,
    language: language(),
    // The cart sends on to the checkout, which may be at another domain of the platform.
    formAction: 'https:',
    html:
      `<h1>${escapeHtml(store.name)}</h1><ul>${items.map(item => `<li>${item.quantity} × ${escapeHtml(item.name)}</li>`).join('')}</ul>` +
      `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}` +
      `<button type="submit">${escapeHtml(t`Continue to checkout`)}</button></form>`,
  };
}

export const checkoutLinks: PublicPage = {
  path: '/c/:store/:code',
  // What the store publishes.
  secret: null,
  async get(services, { params: { store = '', code = '' } }) {
    if (!/^[1-9]\d{0,8}$/.test(store) || !/^[\w-]{6,40}$/.test(code)) return gone();
    const { rows } = await services.db.ownerQuery('select 1 from stores where id = $1', [Number(store)]);
    return rows.length === 0 ? gone() : transactIn(services, Number(store))(context => open(services, context, code));
  },
};
