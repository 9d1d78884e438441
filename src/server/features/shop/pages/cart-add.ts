// What a product page or a widget puts into the cart, by the fields that the platform's cart takes.
import { sql } from 'kysely';
import type { PageRequest } from '../../../platform/http/page-request.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { groupsOfBundles, readCatalogue } from '../../../engine/index.ts';
import { plansOfBundle } from '../../bundles/catalogue.ts';
import { asBundles, presetsOf } from '../bundles.ts';
import { added, keepCart, MOST_LINES, MOST_PIECES, readCart, withBundles, type CartLine } from '../cart.ts';
import { platformNumber } from '../product-plans.ts';
import { goOn, sentByElement } from './gift.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, type Shop } from '../shop.ts';
import { isSold } from '../sold.ts';

interface Wanted {
  id: number;
  quantity: number;
  plan: string;
}

const numberOf = (text: string | undefined): number => (/^\d{1,15}$/.test((text ?? '').trim()) ? Number(text) : 0);
/** One product as `id`, `quantity`, `selling_plan`, or several as `items[0][id]` and so on. */
function wantedIn(form: PageRequest['form']): Wanted[] {
  const one = (name: (field: string) => string): Wanted => ({
    id: numberOf(form[name('id')]),
    quantity: form[name('quantity')] === undefined ? 1 : numberOf(form[name('quantity')]),
    plan: form[name('selling_plan')] ?? '',
  });
  if (form.id !== undefined) return [one(field => field)];
  const several: Wanted[] = [];
  for (let i = 0; i < MOST_LINES && form[`items[${i}][id]`] !== undefined; i++) several.push(one(field => `items[${i}][${field}]`));
  return several;
}

/** The lines of our own that are meant; undefined where one of them is not sold like that. */
async function linesOf({ context }: Shop, wanted: readonly Wanted[]): Promise<CartLine[] | undefined> {
  const { byShopifyId, plans } = await readCatalogue(context, { shopifyIds: wanted.map(({ id }) => id) });
  const presets = await presetsOf(context);
  // Plans that only bundles are sold with, as on the page of the product.
  const hidden = await groupsOfBundles(context);
  const lines: CartLine[] = [];
  for (const { id, quantity, plan } of wanted) {
    const variant = byShopifyId.get(id);
    if (!isSold(variant)) continue;
    const preset = presets.get(variant.id);
    const all = preset
      ? await plansOfBundle(context, preset.bundle)
      : (plans.get(variant.id) ?? []).filter(one => !hidden.has(one.groupId));
    const offered = all.find(one => String(platformNumber(one)) === plan);
    if (plan === '' || offered) lines.push({ variantId: variant.id, planId: offered?.plan.lspId ?? null, quantity });
  }
  return lines.length === wanted.length && lines.length > 0 ? lines : undefined;
}

async function handleOf({ context }: Shop, shopifyId: number): Promise<string | undefined> {
  const { rows } = await sql<{ handle: string }>`select p.handle from variants v join products p on p.store_id = v.store_id
      and p.id = v.product_id
    where v.store_id = ${context.storeId}::integer and v.shopify_id = ${shopifyId}::bigint`.execute(context.trx);
  return rows[0]?.handle;
}

async function add(shop: Shop, form: PageRequest['form']): Promise<PageAnswer> {
  const wanted = wantedIn(form);
  const [first] = wanted;
  const lines = await linesOf(shop, wanted);
  const back = async (why: string): Promise<PageAnswer> => {
    const handle = first && (await handleOf(shop, first.id));
    const to = handle
      ? shop.to(`/products/${encodeURIComponent(handle)}`, { notice: why, variant: first.id })
      : shop.to('/cart', { notice: 'gone' });
    return { redirect: to };
  };
  if (!lines) return { redirect: shop.to('/cart', { notice: 'gone' }) };
  if (wanted.some(({ quantity }) => quantity < 1 || quantity > MOST_PIECES)) return back('quantity');
  const widgetId = numberOf(form['properties[_perennial_widget]']);
  const asGift = sentByElement(form);
  const handle = asGift && (await handleOf(shop, first?.id ?? 0));
  const gift = handle && (await goOn(shop, handle, first?.id ?? 0, asGift));
  if (gift) return gift;
  const cart = await readCart(shop, true);
  const more = await asBundles(shop.context, lines);
  const all = added(
    cart.data.lines,
    more.lines.map(line => (widgetId ? { ...line, widgetId } : line)),
  );
  const bundles = all && withBundles({ ...cart.data, lines: all }, more.bundles);
  if (!all || !bundles) return back('full');
  const note = form.note?.trim().slice(0, 500);
  const cookie = await keepCart(shop, cart, { ...cart.data, lines: all, bundles, ...(note ? { note } : {}) });
  const next = form.then === 'checkout' ? shop.to('/checkout') : shop.to('/cart', { notice: 'added' });
  return { redirect: next, ...(cookie ? { cookie } : {}) };
}

export const cartAdd: PublicPage = {
  path: `${SHOP_PATH}/cart/add`,
  secret: null,
  asks: ASKS,
  cookie: CART_COOKIE,
  get: (services, request) => inShop(services, request, async shop => ({ redirect: shop.to('/cart') })),
  post: (services, request) => inShop(services, request, shop => add(shop, request.form)),
};
