// The products of a store.
import { t } from '../../../../domain/text/t.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import { readCart } from '../cart.ts';
import { listProducts, type Listed } from '../catalogue.ts';
import { e, frame, href, picture } from '../html/layout.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, type Shop } from '../shop.ts';

function tile(shop: Shop, { handle, title, image, price, isFrom, hasPlan, isSoldOut }: Listed): string {
  const amount = shop.money(price);
  const about = isSoldOut ? t`Sold out` : hasPlan ? t`Also as a subscription` : '';
  return (
    `<li><a class="card"${href(shop.to(`/products/${encodeURIComponent(handle)}`))}>${picture(image, 'tile')}<h2>${e(title)}</h2>` +
    `<p>${e(isFrom ? t`from ${amount}` : amount)}</p>${about && `<p class="quiet">${e(about)}</p>`}</a></li>`
  );
}

export const collection: PublicPage = {
  path: SHOP_PATH,
  secret: null,
  asks: [...ASKS, 'page'],
  cookie: CART_COOKIE,
  get: (services, request) =>
    inShop(services, request, async shop => {
      const page = /^[1-9]\d{0,3}$/.test(request.query.page ?? '') ? Number(request.query.page) : 1;
      const { products, hasMore } = await listProducts(shop, page);
      const turns = [
        ...(page > 1 ? [`<a${href(shop.to('', { page: page - 1 }))} rel="prev">${e(t`Previous page`)}</a>`] : []),
        ...(hasMore ? [`<a${href(shop.to('', { page: page + 1 }))} rel="next">${e(t`Next page`)}</a>`] : []),
      ];
      const html =
        `<h1>${e(t`Products`)}</h1>` +
        (products.length
          ? `<ul class="grid">${products.map(one => tile(shop, one)).join('')}</ul>`
          : `<p>${e(t`There is nothing for sale at the moment.`)}</p>`) +
        (turns.length ? `<nav aria-label="${e(t`Pages`)}">${turns.join('')}</nav>` : '');
      return frame(shop, { title: t`Products`, html, cart: (await readCart(shop)).data, here: '' });
    }),
};
