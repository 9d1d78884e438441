// The lines and sums of a cart, as the pages of the cart and of the checkout show them.
import { t } from '../../../../domain/text/t.ts';
import { isForOthers, type CartData } from '../cart.ts';
import { contentsOf, deliveriesOf, isWhole, type Quote, type QuotedBundle, type QuotedLine } from '../quote.ts';
import { rhythmOf, type Shop } from '../shop.ts';
import { e, hidden, href, picture } from './layout.ts';
import { editableGift, giftLineHtml, giftProblems } from './gift.ts';
import { actionOf, aDelivery } from './product.ts';
import { alarm } from '../../../platform/http/form-fields.ts';

/** How a line is bought, and what it costs in each delivery. */
export function wayOf(shop: Shop, { offered, piece }: QuotedLine): string {
  if (!offered) return t`One-time purchase`;
  const deliveries = deliveriesOf(offered);
  const each = shop.money(aDelivery(piece, deliveries));
  const cost = deliveries > 1 ? t`${each} per delivery` : t`${each} each`;
  return [shop.planName(offered), rhythmOf(shop, offered, deliveries), cost].filter(Boolean).join(' · ');
}

/** How a bundle is bought. */
function wayOfBundle(shop: Shop, { bought: { offered } }: QuotedBundle): string {
  if (!offered) return t`One-time purchase`;
  return [shop.planName(offered), rhythmOf(shop, offered, deliveriesOf(offered))].filter(Boolean).join(' · ');
}

/** What is in a bundle, one product a line. */
const insideOf = (bundle: QuotedBundle): string =>
  bundle.bought.bundle.hideContents
    ? ''
    : `<ul class="inside">${bundle.contents.map(({ name, quantity }) => `<li>${quantity} × ${e(name)}</li>`).join('')}</ul>`;

const sumOf = (shop: Shop, { full, total }: Pick<QuotedLine, 'full' | 'total'>): string =>
  `<div class="sum">${e(shop.money(total))}${total < full ? `<br><s class="was">${e(shop.money(full))}</s>` : ''}</div>`;

/** A line with what can be done to it. */
function editable(shop: Shop, line: QuotedLine): string {
  const name = shop.nameOf(line.variant);
  const form = (inner: string): string => `<form method="post"${actionOf(shop.to('/cart'))}>${hidden('line', line.key)}${inner}</form>`;
  return (
    `<li class="line">${picture(line.variant.image ?? line.variant.product_image, 'thumb')}<div class="about"><h2>${e(name)}</h2>` +
    `<p class="quiet">${e(wayOf(shop, line))}</p>` +
    form(
      `<label for="q-${line.key}" class="quiet">${e(t`Quantity`)}</label>` +
        `<input id="q-${line.key}" type="number" name="quantity" value="${line.quantity}" min="1" max="99" inputmode="numeric" required>` +
        `<button class="second slim" name="do" value="quantity" aria-label="${e(t`Change the quantity: ${name}`)}">${e(t`Change`)}` +
        `</button>`,
    ) +
    form(`<button class="text" name="do" value="remove" aria-label="${e(t`Remove: ${name}`)}">${e(t`Remove`)}</button>`) +
    `</div>${sumOf(shop, line)}</li>`
  );
}

/** A bundle: a box may be filled in another way, and either is removed as a whole. */
function editableBundle(shop: Shop, bundle: QuotedBundle): string {
  const { cart, bought, name, image } = bundle;
  const title = cart.quantity > 1 ? `${cart.quantity} × ${name}` : name;
  const change =
    bought.bundle.bundleType === 'BYOB'
      ? `<a${href(shop.to(`/boxes/${bought.bundle.publicId ?? ''}`, { instead: cart.id }))}` +
        ` aria-label="${e(t`Change what is in it: ${name}`)}">${e(t`Change what is in it`)}</a> `
      : '';
  return (
    `<li class="line">${picture(image, 'thumb')}<div class="about"><h2>${e(title)}</h2>` +
    `<p class="quiet">${e(wayOfBundle(shop, bundle))}</p>${insideOf(bundle)}${change}` +
    `<form method="post"${actionOf(shop.to('/cart'))}>${hidden('line', cart.id)}` +
    `<button class="text" name="do" value="remove" aria-label="${e(t`Remove: ${name}`)}">${e(t`Remove`)}</button></form>` +
    `</div>${sumOf(shop, bundle)}</li>`
  );
}

/** Sentences about what can't be bought as it is. */
export function problemsOf(quote: Quote): string[] {
  return [
    ...quote.gone.map(({ name, why }) =>
      why.length
        ? [`${name}:`, ...why, t`Change what is in it, or remove it to go on.`].join(' ')
        : name
          ? t`${name} is not sold like this any more. Remove it to go on.`
          : t`A product is not sold any more. Remove it to go on.`,
    ),
    ...quote.short.map(({ name, left }) =>
      left > 0 ? t`Of ${name} there are only ${left} left. Choose fewer to go on.` : t`${name} is sold out. Remove it to go on.`,
    ),
    ...giftProblems(quote.gifts),
  ];
}

const gone = (shop: Shop, { key, name, why }: Quote['gone'][number]): string =>
  `<li class="line">${picture(null, 'thumb')}<div class="about"><h2>${e(name || t`A product that is gone`)}</h2>` +
  `<p class="refused">${e(why.join(' ') || t`Not sold like this any more`)}</p>` +
  `<form method="post"${actionOf(shop.to('/cart'))}>${hidden('line', key)}` +
  `<button class="text" name="do" value="remove">${e(t`Remove`)}</button></form></div></li>`;

/** Subtotal, discount, shipping and total. */
export function sumsHtml(shop: Shop, quote: Quote, isShippingKnown: boolean): string {
  const row = (name: string, amount: string, kind = ''): string => `<dt${kind}>${e(name)}</dt><dd${kind}>${e(amount)}</dd>`;
  const shipping = !quote.needsDelivery
    ? ''
    : row(t`Shipping`, isShippingKnown ? (quote.shipping ? shop.money(quote.shipping) : t`Free`) : t`In the next step`);
  return (
    `<dl class="sums">` +
    row(t`Subtotal`, shop.money(quote.subtotal)) +
    (quote.discount ? row(t`Discount`, `−${shop.money(quote.discount)}`) : '') +
    shipping +
    (quote.gifts.length ? row(t`Shipping of gifts`, quote.giftShipping ? shop.money(quote.giftShipping) : t`Free`) : '') +
    `${row(t`Total`, shop.money(quote.total), ' class="all"')}</dl>`
  );
}

/** Lines to read, beside the sums. */
export function linesHtml(shop: Shop, quote: Quote): string {
  const row = (one: { image: string | null; quantity: number; name: string; about: string; sum: string }): string =>
    `<li class="line">${picture(one.image, 'thumb')}<div class="about"><h2>` +
    `${one.quantity > 1 ? `${one.quantity} × ` : ''}${e(one.name)}</h2>${one.about}</div>${one.sum}</li>`;
  const lines = quote.shipments.flatMap(({ lines: own, bundles }) => [
    ...own.map(line => {
      const { variant, quantity } = line;
      const about = `<p class="quiet">${e(wayOf(shop, line))}</p>`;
      return { image: variant.image ?? variant.product_image, quantity, name: shop.nameOf(variant), about, sum: sumOf(shop, line) };
    }),
    ...bundles.map(one => {
      const about = `<p class="quiet">${e([wayOfBundle(shop, one), contentsOf(one)].filter(Boolean).join(' · '))}</p>`;
      return { image: one.image, quantity: one.cart.quantity, name: one.name, about, sum: sumOf(shop, one) };
    }),
  ]);
  return `<ul class="plain">${lines.map(row).join('')}${quote.gifts.map(one => giftLineHtml(shop, one)).join('')}</ul>`;
}

/** `handles`: of the products that are given, by their variants. */
export function cartHtml(shop: Shop, data: CartData, quote: Quote, handles: ReadonlyMap<number, string>): string {
  const lines = quote.shipments.flatMap(one => one.lines);
  const bundles = quote.shipments.flatMap(one => one.bundles);
  const problems = problemsOf(quote);
  // Codes are not for gifts.
  const code = isForOthers(data)
    ? ''
    : `<form method="post"${actionOf(shop.to('/cart'))}><label for="code">${e(t`Discount code`)}</label><div class="row">` +
      `<input class="wide" id="code" name="code" value="${e(data.code ?? '')}" maxlength="60" autocomplete="off"` +
      `${quote.codeProblem ? ' aria-invalid="true" aria-describedby="e-code"' : ''}>` +
      `<button class="second slim" name="do" value="code">${e(t`Apply`)}</button></div>` +
      `${quote.codeProblem ? `<p class="refused" id="e-code">${e(quote.codeProblem)}</p>` : ''}</form><hr>`;
  const next = !isWhole(quote) ? '' : `<a class="go"${href(shop.to('/checkout'))}>${e(t`Continue to checkout`)}</a>`;
  return `<h1>${e(t`Cart`)}</h1>${problems.map(one => alarm(one)).join('')}<div class="two"><div class="panel"><ul class="plain">${[
    ...quote.gone.map(one => gone(shop, one)),
    ...bundles.map(one => editableBundle(shop, one)),
    ...lines.map(one => editable(shop, one)),
    ...quote.gifts.map(one => editableGift(shop, one, handles.get(one.gift.variantId))),
  ].join('')}</ul></div><div class="aside"><div class="panel">${code}${sumsHtml(shop, quote, false)}${next}</div></div></div>`;
}

/** `paid`: the order that was just paid from it. */
export const emptyHtml = (shop: Shop, paid: { page: number; number: number } | undefined): string =>
  (paid
    ? `<p class="said" role="status">${e(t`Your order ${paid.number} is paid.`)} <a${href(shop.to(`/thanks/${paid.page}`))}>` +
      `${e(t`See your order`)}</a></p>`
    : '') +
  `<div class="empty"><h1>${e(t`Your cart is empty`)}</h1><p>${e(t`Choose something, then it waits for you here.`)}</p>` +
  `<a class="go"${href(shop.to())}>${e(t`See the products`)}</a></div>`;
