// The first step of the checkout: who buys, and where it goes.
import { t } from '../../../../domain/text/t.ts';
import { isEmail } from '../../../../contract/validation/patterns.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { addressErrors, cleanAddress } from '../../../../domain/places/address.ts';
import { ERASED_NAME, isErased } from '../../../engine/index.ts';
import { addressIn } from '../../../platform/http/address-fields.ts';
import { isEmpty, isForOthers, keepCart, readCart, type Cart } from '../cart.ts';
import { addressHtml } from '../html/checkout.ts';
import type { Errors, Typed } from '../html/fields.ts';
import { frame } from '../html/layout.ts';
import { isWhole, quoteOf } from '../quote.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, type Shop } from '../shop.ts';

async function show(shop: Shop, cart: Cart, typed: Typed = {}, errors: Errors = new Map()): Promise<PageAnswer> {
  const quote = await quoteOf(shop, cart.data);
  if (isEmpty(cart.data) || !isWhole(quote)) return { redirect: shop.to('/cart') };
  return frame(shop, {
    title: t`Address`,
    html: addressHtml(shop, cart.data, quote, typed, errors),
    status: errors.size ? 422 : 200,
    cart: cart.data,
    here: '/checkout',
  });
}

async function take(shop: Shop, form: Typed): Promise<PageAnswer> {
  const cart = await readCart(shop, true);
  if (cart.id === null || isEmpty(cart.data)) return { redirect: shop.to('/cart') };
  const { gifts = [] } = cart.data;
  const forOthers = isForOthers(cart.data);
  const address = cleanAddress(addressIn(form));
  const email = (form.email ?? '').trim();
  const errors = new Map(
    addressErrors(address, '')
      .map(({ pointer, message }) => [pointer.slice(1), message] as const)
      .filter(([name]) => !forOthers || name === 'lastName'),
  );
  if (gifts.some(({ recipient }) => recipient.email.toLowerCase() === email.toLowerCase()))
    errors.set('email', t`Recipient and buyer e-mail must differ.`);
  if (email.length > 200 || !isEmail(email) || isErased(email)) errors.set('email', t`Enter a valid e-mail address.`);
  if (address.lastName === ERASED_NAME) errors.set('lastName', t`Enter a last name`);
  if (errors.size) return show(shop, cart, form, errors);
  const { firstName = '', lastName = '' } = address;
  await keepCart(shop, cart, {
    ...cart.data,
    email,
    ...(forOthers ? { name: { firstName: firstName ?? '', lastName: lastName ?? '' } } : { address }),
  });
  return { redirect: shop.to('/pay') };
}

export const checkout: PublicPage = {
  path: `${SHOP_PATH}/checkout`,
  secret: null,
  asks: ASKS,
  cookie: CART_COOKIE,
  get: (services, request) => inShop(services, request, async shop => show(shop, await readCart(shop))),
  post: (services, request) => inShop(services, request, shop => take(shop, request.form)),
};
