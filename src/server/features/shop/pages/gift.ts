// Giving a product away: who gets it, where, from when on, and with which words. What is written goes into the cart.
import { randomBytes } from 'node:crypto';
import { t } from '../../../../domain/text/t.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { addressErrors, cleanAddress } from '../../../../domain/places/address.ts';
import { ERASED_NAME, giftErrors, isErased, type Program, readCatalogue, readSettings } from '../../../engine/index.ts';
import { addressIn } from '../../../platform/http/address-fields.ts';
import { keepCart, MOST_PIECES, readCart, type Cart, type GiftLine } from '../cart.ts';
import { productNamed, type Product } from '../catalogue.ts';
import { dayIn, pricesOf, programFor, purchaseOf, quoteGifts } from '../gift.ts';
import type { Errors, Typed } from '../html/fields.ts';
import { giftHtml, giftPath, MOST_DAYS_AHEAD, typedOf } from '../html/gift.ts';
import { frame, nothingSold } from '../html/layout.ts';
import { leftOf } from '../sold.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, type Shop } from '../shop.ts';

/** Gifts in one cart. */
const MOST_GIFTS = 10;
/** What is wrong in a purchase, by the field of the form. */
const FIELDS: Readonly<Record<string, string>> = {
  '/recipientFirstName': 'firstName',
  '/recipientLastName': 'lastName',
  '/recipientEmail': 'email',
  '/recipientPhone': 'phone',
  '/senderName': 'sender',
  '/senderMessage': 'message',
  '/startsAt': 'day',
};

interface Given {
  product: Product;
  variant: Product['variants'][number];
  variants: Product['variants'];
  program: Program;
}

/** The product that is given, in the variant that is meant; undefined where none of it is given. */
async function givenOf(
  shop: Shop,
  handle: string,
  meant: { shopifyId?: string | undefined; id?: number | undefined },
): Promise<Given | undefined> {
  const product = await productNamed(shop, handle);
  const by = new Map<number, Program>();
  for (const { id } of product?.variants ?? []) {
    const program = await programFor(shop, id);
    if (program) by.set(id, program);
  }
  const variants = product?.variants.filter(({ id }) => by.has(id)) ?? [];
  const variant =
    variants.find(one => one.id === meant.id || String(one.shopify_id) === meant.shopifyId) ??
    variants.find(one => leftOf(one) !== 0) ??
    variants[0];
  const program = variant && by.get(variant.id);
  return product && program ? { product, variant, variants, program } : undefined;
}

async function show(
  shop: Shop,
  given: Given,
  cart: Cart,
  { typed, errors = new Map(), problem, status }: { typed: Typed; errors?: Errors; problem?: string | undefined; status?: number },
): Promise<PageAnswer> {
  const { gift } = await readSettings(shop.context);
  const { product, variant, program } = given;
  const html = giftHtml(shop, {
    ...given,
    prices: await pricesOf(shop, program, variant.id),
    phone: gift.collectRecipientPhone ?? 'OPTIONAL',
    longest: Number(gift.maxMessageLength),
    typed,
    errors,
    problem: problem ?? (leftOf(variant) === 0 ? t`It is sold out.` : undefined),
  });
  return frame(shop, {
    title: t`Give ${product.title}`,
    html,
    status: status ?? (errors.size || problem ? 422 : 200),
    cart: cart.data,
    here: giftPath(product.handle),
  });
}

async function take(shop: Shop, handle: string, form: Typed): Promise<PageAnswer> {
  const given = await givenOf(shop, handle, { shopifyId: form.variant });
  if (!given) return { redirect: shop.to('/cart', { notice: 'gone' }) };
  const cart = await readCart(shop, true);
  const { gifts = [] } = cart.data;
  const known = gifts.find(({ id }) => id === form.edit);
  const { gift, errors } = await giftIn(shop, given, form, cart, known?.id);
  if (errors.size) return show(shop, given, cart, { typed: form, errors });
  if (!known && gifts.length >= MOST_GIFTS)
    return show(shop, given, cart, { typed: form, problem: t`The cart holds ${MOST_GIFTS} gifts at most. Pay for those first.` });
  // It has its place among what the cart holds besides: the stock is for all of it.
  const others = gifts.filter(one => one !== known);
  const taken = new Map<number, number>();
  for (const { variantId, quantity } of [...cart.data.lines, ...others]) taken.set(variantId, (taken.get(variantId) ?? 0) + quantity);
  const catalogue = await readCatalogue(shop.context, { ids: [gift.variantId] });
  const [quoted] = await quoteGifts(shop, [gift], { catalogue, taken, giver: cart.data.email ?? '' });
  if (quoted?.problem !== undefined) return show(shop, given, cart, { typed: form, problem: quoted.problem });
  const cookie = await keepCart(shop, cart, {
    ...cart.data,
    gifts: known ? gifts.map(one => (one === known ? gift : one)) : [...gifts, gift],
  });
  return { redirect: shop.to('/cart', { notice: known ? 'changed' : 'added' }), ...(cookie ? { cookie } : {}) };
}

/** The gift that a form describes, and what is wrong with it by field. */
async function giftIn(
  { context }: Shop,
  { variant, program }: Given,
  form: Typed,
  { data }: Cart,
  id: string | undefined,
): Promise<{ gift: GiftLine; errors: Errors }> {
  const text = (name: string, most: number): string => (form[name] ?? '').trim().slice(0, most);
  const errors = new Map<string, string>();
  const rules = { settings: await readSettings(context), at: context.now() };
  const isPhoneAsked = rules.settings.gift.collectRecipientPhone !== 'HIDDEN';
  const { phone: _phone, ...where } = addressIn(form);
  const phone = isPhoneAsked ? text('phone', 40) : '';
  const address = cleanAddress({ ...where, ...(phone ? { phone } : {}) });
  const day = dayIn(text('day', 10), context);
  const quantity = /^\d{1,2}$/.test(text('quantity', 3)) ? Number(text('quantity', 3)) : 0;
  const plan = program.plans.find(one => one.loopId === form.plan) ?? program.plans.find(one => one.isDefault);
  const gift: GiftLine = {
    id: id ?? randomBytes(6).toString('hex'),
    variantId: variant.id,
    quantity,
    plan: plan?.loopId ?? '',
    recipient: { firstName: text('firstName', 100), lastName: text('lastName', 100), email: text('email', 200), phone },
    sender: text('sender', 100),
    message: (form.message ?? '').trim().replaceAll('\r\n', '\n').slice(0, 2000),
    day: day ?? null,
    address,
    ...(/^[1-9]\d{0,14}$/.test(form.widget ?? '') ? { widgetId: Number(form.widget) } : {}),
  };
  for (const { pointer, message } of [
    ...addressErrors(address, ''),
    ...giftErrors(rules, purchaseOf({ context }, gift), data.email ?? '', program),
  ])
    if (!errors.has(FIELDS[pointer] ?? pointer.slice(1))) errors.set(FIELDS[pointer] ?? pointer.slice(1), message);
  if (day === undefined) errors.set('day', t`Choose a day from today on, ${MOST_DAYS_AHEAD} days ahead at most.`);
  if (quantity < 1 || quantity > MOST_PIECES) errors.set('quantity', t`Enter a quantity from 1 to 99.`);
  if (isErased(gift.recipient.email)) errors.set('email', t`Enter a valid e-mail address.`);
  if (gift.recipient.lastName === ERASED_NAME) errors.set('lastName', t`Enter a last name`);
  return { gift, errors };
}

/** What the store's own element for gifts sends with the form of a product; undefined where the product is not to be a gift. */
export const sentByElement = (form: Typed): Typed | undefined =>
  form['properties[_gift_recipient_email]'] === undefined
    ? undefined
    : {
        // Which part of a name is the last one, its writer says.
        firstName: form['properties[_gift_recipient_name]'] ?? '',
        email: form['properties[_gift_recipient_email]'],
        message: form['properties[_gift_message]'] ?? '',
        day: form['properties[_gift_delivery_date]'] ?? '',
        widget: form['properties[_gift_widget]'] ?? '',
        ...(form.quantity === undefined ? {} : { quantity: form.quantity }),
      };

/**
 * Goes on with a gift that was begun on the page of a product: what is still missing is filled in on its form. It is no answer of success,
 * so that a script that sent the form lets the browser show it.
 */
export async function goOn(shop: Shop, handle: string, shopifyId: number, typed: Typed): Promise<PageAnswer | undefined> {
  const given = await givenOf(shop, handle, { shopifyId: String(shopifyId) });
  return given && show(shop, given, await readCart(shop), { typed, status: 422 });
}

export const gift: PublicPage = {
  path: `${SHOP_PATH}/gift/:handle`,
  secret: null,
  asks: [...ASKS, 'variant', 'edit'],
  cookie: CART_COOKIE,
  get: (services, request) =>
    inShop(services, request, async shop => {
      const cart = await readCart(shop);
      const known = cart.data.gifts?.find(({ id }) => id === request.query.edit);
      const given = await givenOf(shop, request.params.handle ?? '', { shopifyId: request.query.variant, id: known?.variantId });
      return given ? show(shop, given, cart, { typed: known ? typedOf(known) : {} }) : nothingSold(shop);
    }),
  post: (services, request) => inShop(services, request, shop => take(shop, request.params.handle ?? '', request.form)),
};
