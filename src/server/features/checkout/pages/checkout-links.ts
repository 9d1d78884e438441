// The page behind a checkout link: on to the filled cart of the store.
import { escapeHtml, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import { hasShop } from '../../../platform/config.ts';
import type { Store } from '../../../platform/context.ts';
import type { PageServices } from '../../../platform/http/page-request.ts';
import { storeNamed } from '../../../platform/http/store-in-path.ts';
import { todayOf } from '../../../platform/records/store-days.ts';
import { type EngineContext, transactIn } from '../../../engine/index.ts';
import { language, t } from '../../../../domain/text/t.ts';
import { cartForm, permalink } from '../cart.ts';
import { linkBehind } from '../link.ts';

function gone(): PageAnswer {
  const title = t`This link is no longer available.`;
  return {
    status: 404,
    title,
    html: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(t`Please look for the product in the store.`)}</p>`,
    language: language(),
  };
}

async function open(services: Pick<PageServices, 'visits' | 'config'>, context: EngineContext, code: string): Promise<PageAnswer> {
  const { storeId, store, now } = context;
  const found = await linkBehind(context, code);
  if (!found) return gone();
  const { link, items } = found;
  services.visits.count({ storeId, linkId: link.id, day: todayOf(store, now()) });
  // A store without a platform sells in the shop here.
  if (hasShop(services.config) && (store as Store).is_demo) return { redirect: `/shop/${storeId}/link/${code}` };
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
    const storeId = /^[\w-]{6,40}$/.test(code) ? await storeNamed(services, store) : 0;
    return storeId ? transactIn(services, storeId)(context => open(services, context, code)) : gone();
  },
};
