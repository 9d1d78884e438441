// The products of a store.
import { t } from '../../../../domain/text/t.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import { boxPrice } from '../../../../domain/bundles/published-box.ts';
import { boxTitle, listBoxes, ruleOf, type OpenBox } from '../boxes.ts';
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

/** A box among the products: what it is called, and the sizes it comes in. */
function boxTile(shop: Shop, open: OpenBox): string {
  const { box, texts } = open;
  const sizes = box.boxSizes.map(size => texts[`boxSizes.${size.id}.name`] ?? size.name).join(' · ');
  const amount = shop.money(lowest(shop, open));
  return (
    `<li><a class="card"${href(shop.to(`/boxes/${box.id}`))}>${picture(box.image ?? box.products[0]?.image ?? null, 'tile')}` +
    `<h2>${e(boxTitle(open))}</h2><p>${e(t`from ${amount}`)}</p><p class="quiet">${e(`${t`Fill your own box`} · ${sizes}`)}</p></a></li>`
  );
}

/** The smallest box of its cheapest product, bought once; a box on subscription alone by its first plan. */
function lowest(shop: Shop, { box, plans }: OpenBox): number {
  const variants = box.products.flatMap(one => one.variants).sort((one, other) => one.price - other.price);
  const least = Math.min(...box.boxSizes.map(size => size.minSize));
  const plan = box.purchaseType === 'SUBSCRIPTION' ? ruleOf(shop, plans[0] ?? null) : undefined;
  return boxPrice(box, new Map(variants[0] ? [[variants[0].id, least]] : []), shop.context.store.currency_code, plan).total;
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
      const boxes = page === 1 ? await listBoxes(shop) : [];
      const tiles = [...boxes.map(one => boxTile(shop, one)), ...products.map(one => tile(shop, one))];
      const html =
        `<h1>${e(t`Products`)}</h1>` +
        (tiles.length ? `<ul class="grid">${tiles.join('')}</ul>` : `<p>${e(t`There is nothing for sale at the moment.`)}</p>`) +
        (turns.length ? `<nav aria-label="${e(t`Pages`)}">${turns.join('')}</nav>` : '');
      return frame(shop, { title: t`Products`, html, cart: (await readCart(shop)).data, here: '' });
    }),
};
