// The cart: what is in it, how many of each, a discount code.
import { t } from '../../../../domain/text/t.ts';
import type { PageRequest } from '../../../platform/http/page-request.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { isEmpty, keepCart, lineKey, MOST_PIECES, readCart, type CartData } from '../cart.ts';
import { handlesOf } from '../catalogue.ts';
import { cartHtml, emptyHtml } from '../html/cart.ts';
import { frame, notice } from '../html/layout.ts';
import { lastOrder } from '../last-order.ts';
import { quoteOf } from '../quote.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, type Shop } from '../shop.ts';
import { alarm } from '../../../platform/http/form-fields.ts';

const NOTICES: Readonly<Record<string, () => string>> = {
  added: () => notice(t`It is in your cart.`),
  changed: () => notice(t`Your cart is changed.`),
  removed: () => notice(t`It is no longer in your cart.`),
  quantity: () => alarm(t`Enter a quantity from 1 to 99.`),
  gone: () => alarm(t`This is not sold like this any more. Choose it again.`),
};

async function show(shop: Shop, noted: string | undefined): Promise<PageAnswer> {
  const { id, data } = await readCart(shop);
  const above = noted !== undefined && Object.hasOwn(NOTICES, noted) ? (NOTICES[noted]?.() ?? '') : '';
  const handles = await handlesOf(
    shop,
    (data.gifts ?? []).map(({ variantId }) => variantId),
  );
  const html =
    above + (isEmpty(data) ? emptyHtml(shop, await lastOrder(shop, id)) : cartHtml(shop, data, await quoteOf(shop, data), handles));
  return frame(shop, { title: t`Cart`, html, cart: data, here: '/cart' });
}

/** What is in the cart after a press; undefined where nothing is changed. */
function changed(data: CartData, form: PageRequest['form']): { data: CartData; noted: string } | undefined {
  const { lines, bundles = [] } = data;
  if (form.do === 'code') {
    const code = (form.code ?? '').trim().slice(0, 60);
    const { code: _before, ...rest } = data;
    return { data: code ? { ...rest, code } : rest, noted: 'changed' };
  }
  if (form.do === 'removeGift')
    return { data: { ...data, gifts: (data.gifts ?? []).filter(({ id }) => id !== form.gift) }, noted: 'removed' };
  if (form.do === 'remove') {
    const left = { lines: lines.filter(line => lineKey(line) !== form.line), bundles: bundles.filter(one => one.id !== form.line) };
    return { data: { ...data, ...left }, noted: 'removed' };
  }
  const quantity = /^\d{1,3}$/.test(form.quantity ?? '') ? Number(form.quantity) : 0;
  if (quantity < 1 || quantity > MOST_PIECES) return undefined;
  return { data: { ...data, lines: lines.map(line => (lineKey(line) === form.line ? { ...line, quantity } : line)) }, noted: 'changed' };
}

export const cart: PublicPage = {
  path: `${SHOP_PATH}/cart`,
  secret: null,
  asks: [...ASKS, 'notice'],
  cookie: CART_COOKIE,
  get: (services, request) => inShop(services, request, shop => show(shop, request.query.notice)),
  post: (services, request) =>
    inShop(services, request, async shop => {
      const before = await readCart(shop, true);
      const after = changed(before.data, request.form);
      if (!after) return { redirect: shop.to('/cart', { notice: 'quantity' }) };
      // Without a cart there is nothing to change, and none is made.
      if (before.id !== null) await keepCart(shop, before, after.data);
      return { redirect: shop.to('/cart', { notice: after.noted }) };
    }),
};
