// Opens a checkout link: its products go into the visitor's cart, in front of what is there already. A link that is opened twice adds them
// once. Then the visitor goes on to the cart or to the checkout, as the link says.
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import { linkBehind } from '../../checkout/link.ts';
import { asBundles } from '../bundles.ts';
import { keepCart, lineKey, MOST_LINES, readCart, type CartBundle, type CartLine } from '../cart.ts';
import { nothingSold } from '../html/layout.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH } from '../shop.ts';

export const cartLink: PublicPage = {
  path: `${SHOP_PATH}/link/:code`,
  secret: null,
  asks: ASKS,
  cookie: CART_COOKIE,
  get: (services, request) =>
    inShop(services, request, async shop => {
      const found = await linkBehind(shop.context, request.params.code ?? '');
      if (!found) return nothingSold(shop);
      const { link, items } = found;
      const cart = await readCart(shop, true);
      const all = items.map(({ variantId, planId, quantity }): CartLine => ({ variantId, planId, quantity }));
      const { lines: mine, bundles: own } = await asBundles(shop.context, all);
      const isMine = ({ variantId, planId }: CartBundle): boolean => own.some(one => one.variantId === variantId && one.planId === planId);
      const keys = new Set(mine.map(lineKey));
      const lines = [...mine, ...cart.data.lines.filter(line => !keys.has(lineKey(line)))].slice(0, MOST_LINES);
      const cookie = await keepCart(shop, cart, {
        ...cart.data,
        lines,
        bundles: [...own, ...(cart.data.bundles ?? []).filter(one => !isMine(one))].slice(0, MOST_LINES - lines.length),
        linkId: link.id,
        ...(link.discountCode ? { code: link.discountCode } : {}),
        ...(link.note ? { note: link.note } : {}),
      });
      return { redirect: shop.to(link.redirect === 'CART' ? '/cart' : '/checkout'), ...(cookie ? { cookie } : {}) };
    }),
};
