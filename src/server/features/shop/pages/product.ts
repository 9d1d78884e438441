// The page of a product.
import { t } from '../../../../domain/text/t.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import { productPagePath } from '../../storefront/product-page.ts';
import { boxesWith } from '../boxes.ts';
import { readCart } from '../cart.ts';
import { productNamed } from '../catalogue.ts';
import { programFor } from '../gift.ts';
import { frame, nothingSold } from '../html/layout.ts';
import { productHtml } from '../html/product.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH } from '../shop.ts';
import { leftOf } from '../sold.ts';

export const product: PublicPage = {
  path: `${SHOP_PATH}/products/:handle`,
  secret: null,
  asks: [...ASKS, 'variant', 'notice'],
  cookie: CART_COOKIE,
  get: (services, request) =>
    inShop(services, request, async shop => {
      const found = await productNamed(shop, request.params.handle ?? '');
      const [first] = found?.variants ?? [];
      if (!found || !first) return nothingSold(shop);
      const chosen =
        found.variants.find(one => String(one.shopify_id) === request.query.variant) ??
        found.variants.find(one => leftOf(one) !== 0) ??
        first;
      const problem =
        request.query.notice === 'quantity'
          ? t`Enter a quantity from 1 to 99.`
          : request.query.notice === 'full'
            ? t`The cart can't hold more of this: it takes 20 products, 99 pieces of each.`
            : undefined;
      return frame(shop, {
        title: found.title,
        html: productHtml(shop, found, chosen, {
          problem,
          boxes: await boxesWith(shop, found.id),
          isGiven: (await programFor(shop, chosen.id)) !== undefined,
        }),
        cart: (await readCart(shop)).data,
        isScripted: true,
        reads: [productPagePath(shop.context.storeId, found.shopifyId)],
        here: `/products/${encodeURIComponent(found.handle)}`,
      });
    }),
};
