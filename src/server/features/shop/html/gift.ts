// Gifts on the pages of the shop: the form in which one is described, and its line in the cart and beside the sums.
import { addDays, isoDay } from '../../../../domain/calendar/calendar.ts';
import { t } from '../../../../domain/text/t.ts';
import { type Program, type SoldGift } from '../../../engine/index.ts';
import { addressFields, type AddressPart } from '../../../platform/http/address-fields.ts';
import { field, type Field, alarm } from '../../../platform/http/form-fields.ts';
import type { Product } from '../catalogue.ts';
import type { GiftLine } from '../cart.ts';
import { purchaseOf, type QuotedGift } from '../gift.ts';
import type { Shop } from '../shop.ts';
import { HALF, LABELS, type Errors, type Typed } from './fields.ts';
import { e, hidden, href, picture } from './layout.ts';
import { actionOf } from './product.ts';

/** How many orders a gift is, and how often they come, in the visitor's words. */
export function ordersOf({ speech }: Pick<Shop, 'speech'>, { orders, interval, intervalCount }: SoldGift['plan']): string {
  const often = speech.every({ interval: interval ?? 'MONTH', intervalCount });
  return orders === 1 ? t`One delivery` : t`${orders} deliveries, ${often}`;
}

const PERSON: ReadonlySet<string> = new Set(['firstName', 'lastName', 'phone']);
export const MOST_DAYS_AHEAD = 365;
/** Below which address the form of a gift of a product is. */
export const giftPath = (handle: string): string => `/gift/${encodeURIComponent(handle)}`;

export interface GiftForm {
  product: Product;
  variant: Product['variants'][number];
  /** Variants of the product that are given. */
  variants: Product['variants'];
  program: Program;
  prices: readonly { plan: SoldGift['plan']; total: number; shipping: number }[];
  phone: 'HIDDEN' | 'OPTIONAL' | 'REQUIRED';
  longest: number;
  typed: Typed;
  errors: Errors;
  problem?: string | undefined;
}

function planOptions(shop: Shop, { prices, program, typed, variant }: GiftForm): string {
  const chosen = prices.find(({ plan }) => plan.loopId === typed.plan) ?? prices.find(({ plan }) => plan.isDefault) ?? prices[0];
  return prices
    .map(one => {
      const { plan, total, shipping } = one;
      const full = variant.price * plan.orders;
      const percent = full > 0 ? Math.floor(((full - total) * 100) / full) : 0;
      const extra = shop.money(shipping);
      const delivered =
        program.shippingMode === 'STORE_RATES' && variant.requires_shipping
          ? t`plus shipping`
          : shipping > 0
            ? t`plus ${extra} for shipping`
            : t`shipping included`;
      const checked = one === chosen ? ' checked' : '';
      return (
        `<label class="option"><input type="radio" name="plan" value="${e(plan.loopId ?? '')}" required${checked}>` +
        `<b>${e(shop.giftPlanName({ program, plan }))}${percent > 0 ? ` <span class="badge">${e(t`Save ${percent}%`)}</span>` : ''}</b>` +
        `<span class="cost">${e(shop.money(total))}</span><small>${e(`${ordersOf(shop, plan)} · ${delivered}`)}</small></label>`
      );
    })
    .join('');
}

const fieldset = (title: string, inner: string): string =>
  `<fieldset class="panel"><legend class="seen">${e(title)}</legend>${inner}</fieldset>`;

export function giftHtml(shop: Shop, form: GiftForm): string {
  const { product, variant, variants, phone, longest, typed, errors, problem } = form;
  const { store } = shop.context;
  const country = typed.countryCode || store.country_code;
  const all = addressFields({
    country,
    home: store.country_code,
    language: shop.speech.language,
    valueOf: (name: AddressPart) => typed[name] ?? '',
    label: key => LABELS[key]?.() ?? key,
    errorOf: name => errors.get(name),
  }).map((one): Field => ({ ...one, autocomplete: 'off' }));
  const laid = (fields: readonly Field[]): string =>
    `<div class="fields">${fields.map(one => `<div${HALF.has(one.name) ? ' class="half"' : ''}>${field(one)}</div>`).join('')}</div>`;
  const own = (name: string, label: string, more: Partial<Field> = {}): Field => ({
    name,
    label,
    value: typed[name] ?? '',
    ...(errors.has(name) ? { error: errors.get(name) ?? '' } : {}),
    ...more,
  });
  const person: Field[] = [
    ...all.filter(({ name }) => name === 'firstName' || name === 'lastName').map(one => ({ ...one, isRequired: true })),
    own('email', t`E-mail`, { isRequired: true, maxLength: 200, autocomplete: 'off', type: 'email' }),
    ...(phone === 'HIDDEN'
      ? []
      : all
          .filter(({ name }) => name === 'phone')
          .map(one => (phone === 'REQUIRED' ? { ...one, label: t`Phone with country code`, isRequired: true } : one))),
  ];
  const today = isoDay(shop.context.now().getTime(), store.timezone);
  const last = isoDay(addDays(shop.context.now().getTime(), MOST_DAYS_AHEAD, store.timezone), store.timezone);
  const words: Field[] = [
    own('sender', t`Who is it from?`, { isRequired: true, maxLength: 100, autocomplete: 'name' }),
    own('message', t`Your message (optional)`, { isLong: true, maxLength: longest }),
    own('day', t`On which day does it begin?`, { type: 'date', value: typed.day || today, min: today, max: last, autocomplete: 'off' }),
  ];
  const others =
    variants.length > 1
      ? `<nav class="pills" aria-label="${e(t`Choose a variant`)}">${variants
          .map(
            one =>
              `<a${href(shop.to(giftPath(product.handle), { variant: one.shopify_id }))}` +
              `${one.id === variant.id ? ' aria-current="true"' : ''}>${e(shop.speech.named(one).title)}</a>`,
          )
          .join('')}</nav>`
      : '';
  const known = ['edit', 'widget'].map(name => (typed[name] ? hidden(name, typed[name]) : '')).join('');
  return (
    `<div class="two pay"><div><h1>${e(t`Give ${product.title}`)}</h1>` +
    `<p>${e(t`You pay once. The deliveries go to the person you give them to, who gets your words by e-mail.`)}</p>` +
    `${alarm(problem ?? (errors.size ? t`Something is missing. What it is stands below each field.` : undefined))}${others}` +
    `<form method="post"${actionOf(shop.to(giftPath(product.handle)))}>${hidden('variant', variant.shopify_id)}${known}` +
    fieldset(t`How much do you give?`, planOptions(shop, form) + quantity(typed.quantity ?? '1', errors.get('quantity'))) +
    fieldset(t`Who is it for?`, laid(person)) +
    fieldset(t`Where does it go?`, laid(all.filter(({ name }) => !PERSON.has(name))) + hidden('partsOf', country)) +
    fieldset(
      t`Your words`,
      laid(words) + `<p class="quiet">${e(t`On this day the recipient hears of it by e-mail, and the first delivery is sent.`)}</p>`,
    ) +
    `<button class="go">${e(typed.edit ? t`Save the gift` : t`Put the gift into the cart`)}</button></form>` +
    `<p><a${href(shop.to(`/products/${encodeURIComponent(product.handle)}`, { variant: variant.shopify_id }))}>` +
    `${e(t`Back to the product`)}</a></p></div><div class="aside">${picture(variant.image ?? product.image, 'hero', product.title)}` +
    `<p class="quiet">${e(shop.nameOf(variant))} · ${e(shop.money(variant.price))}</p></div></div>`
  );
}

const quantity = (value: string, error: string | undefined): string =>
  `<div class="row pieces"><div><label for="quantity">${e(t`Pieces in each delivery`)}</label><input id="quantity" type="number" ` +
  `name="quantity" value="${e(value)}" min="1" max="99" inputmode="numeric" required${error ? ' aria-invalid="true"' : ''}></div></div>` +
  `${error ? `<p class="refused">${e(error)}</p>` : ''}`;

/** What stands below the name of a gift: for whom, how much, from when on. */
function about(shop: Shop, { gift, sold }: QuotedGift): string[] {
  const name = [gift.recipient.firstName, gift.recipient.lastName].join(' ');
  const { startsAt } = purchaseOf(shop, gift);
  const day = startsAt ? shop.speech.day(startsAt) : '';
  return [
    [t`Gift for ${name}`, ...(sold ? [ordersOf(shop, sold.plan)] : [])].join(' · '),
    day ? t`Begins on ${day}` : t`Begins with your payment`,
  ];
}

function line(shop: Shop, one: QuotedGift, actions: string): string {
  const { gift, variant, name, full, total, problem } = one;
  const title = name || t`A product that is gone`;
  const sum = problem
    ? ''
    : `<div class="sum">${e(shop.money(total))}${total < full ? `<br><s class="was">${e(shop.money(full))}</s>` : ''}</div>`;
  return (
    `<li class="line">${picture(variant?.image ?? variant?.product_image ?? null, 'thumb')}<div class="about"><h2>` +
    `${gift.quantity > 1 ? `${gift.quantity} × ` : ''}${e(title)}</h2>` +
    about(shop, one)
      .map(text => `<p class="quiet">${e(text)}</p>`)
      .join('') +
    `${problem ? `<p class="refused">${e(problem)}</p>` : ''}${actions}</div>${sum}</li>`
  );
}

/** A gift in the cart, with what can be done to it. `handle`: of its product, where that is still sold. */
export function editableGift(shop: Shop, one: QuotedGift, handle: string | undefined): string {
  const { firstName } = one.gift.recipient;
  const edit = handle
    ? `<a class="text"${href(shop.to(giftPath(handle), { edit: one.gift.id }))} aria-label="${e(t`Change the gift for ${firstName}`)}">` +
      `${e(t`Change`)}</a>`
    : '';
  const remove =
    `<form method="post"${actionOf(shop.to('/cart'))}>${hidden('gift', one.gift.id)}<button class="text" name="do" value="removeGift"` +
    ` aria-label="${e(t`Remove the gift for ${firstName}`)}">${e(t`Remove`)}</button></form>`;
  return line(shop, one, `<div class="line-links">${edit}${remove}</div>`);
}
export const giftLineHtml = (shop: Shop, one: QuotedGift): string => line(shop, one, '');

/** What keeps gifts of a cart from being bought, each with whom it is for. */
export const giftProblems = (gifts: readonly QuotedGift[]): string[] =>
  gifts.flatMap(({ gift, problem }) => {
    const { firstName } = gift.recipient;
    return problem === undefined ? [] : [t`Change or remove the gift for ${firstName} to go on. ${problem}`];
  });

/** What a form of a gift shows that is in the cart already. */
export const typedOf = ({ id, plan, quantity: pieces, recipient, sender, message, day, address, widgetId }: GiftLine): Typed => ({
  edit: id,
  plan,
  quantity: String(pieces),
  ...Object.fromEntries(Object.entries(address).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
  ...recipient,
  sender,
  message,
  day: day ?? '',
  widget: String(widgetId ?? ''),
});
