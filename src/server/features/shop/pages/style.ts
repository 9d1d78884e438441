// The CSS of the shop: pages for customers allow none but the product's own.
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import { transactIn, asCustomer } from '../../../engine/index.ts';
import { liveTheme } from '../../../platform/portal-look/theme.ts';
import { SHOP_PATH, shopNamed } from '../shop.ts';
import { shopCss, stylePath } from '../style.ts';

export const shopStyle: PublicPage = {
  path: `${SHOP_PATH}/style/:file`,
  secret: null,
  async get(services, { params: { store, file = '' } }) {
    const storeId = await shopNamed(services, store);
    if (!storeId || !/^[\w-]{1,80}\.css$/.test(file)) return nothingHere();
    const theme = await transactIn(services, storeId)(opened => liveTheme(asCustomer(services, opened)));
    return { css: shopCss(theme), isFinal: stylePath(storeId, theme).endsWith(`/${file}`) };
  },
};
