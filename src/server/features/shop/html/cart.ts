// The lines and sums of a cart, as the pages of the cart and of the checkout show them.
import { t } from '../../../../domain/text/t.ts';
import { nameOfVariant } from '../../../engine/index.ts';
import type { CartData } from '../cart.ts';
import { deliveriesOf, type Quote, type QuotedLine } from '../quote.ts';
import { rhythmOf, type Shop } from '../shop.ts';
import { alarm, e, hidden, href, picture } from './layout.ts';
import { actionOf, aDelivery } from './product.ts';

/** How a line is bought, and what it costs in each delivery. */
export function wayOf(shop: Shop, { offered, piece }: QuotedLine): string {
  if (!offered) return t`One-time purchase`;
  const deliveries = deliveriesOf(offered);
  const each = shop.money(aDelivery(piece, deliveries));
  const cost = deliveries > 1 ? t`${each} per delivery` : t`${each} each`;
  return [shop.planName(offered), rhythmOf(shop, offered, deliveries), cost].filter(Boolean).join(' · ');
}

const sumOf = (shop: Shop, { full, total }: QuotedLine): string =>
  `<div class="sum">${e(shop.money(total))}${total < full ? `<br><s class="was">${e(shop.money(full))}</s>` : ''}</div>`;

/** A line with what can be done to it. */
function editable(shop: Shop, line: QuotedLine): string {
  const name = nameOfVariant(line.variant);
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

/** Sentences about what can't be bought as it is. */
export function problemsOf(quote: Quote): string[] {
  return [
    ...quote.gone.map(({ name }) =>
      name ? t`${name} is not sold like this any more. Remove it to go on.` : t`A product is not sold any more. Remove it to go on.`,
    ),
    ...quote.short.map(({ name, left }) =>
      left > 0 ? t`Of ${name} there are only ${left} left. Choose fewer to go on.` : t`${name} is sold out. Remove it to go on.`,
    ),
  ];
}

const gone = (shop: Shop, { line, name }: Quote['gone'][number]): string =>
  `<li class="line">${picture(null, 'thumb')}<div class="about"><h2>${e(name || t`A product that is gone`)}</h2>` +
  `<p class="refused">${e(t`Not sold like this any more`)}</p>` +
  `<form method="post"${actionOf(shop.to('/cart'))}>${hidden('line', `${line.variantId}-${line.planId ?? 0}`)}` +
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
    `${row(t`Total`, shop.money(quote.total), ' class="all"')}</dl>`
  );
}

/** Lines to read, beside the sums. */
export const linesHtml = (shop: Shop, quote: Quote): string =>
  `<ul class="plain">${quote.shipments
    .flatMap(({ lines }) => lines)
    .map(
      line =>
        `<li class="line">${picture(line.variant.image ?? line.variant.product_image, 'thumb')}<div class="about"><h2>` +
        `${line.quantity > 1 ? `${line.quantity} × ` : ''}${e(nameOfVariant(line.variant))}</h2>` +
        `<p class="quiet">${e(wayOf(shop, line))}</p></div>${sumOf(shop, line)}</li>`,
    )
    .join('')}</ul>`;

export function cartHtml(shop: Shop, data: CartData, quote: Quote): string {
  const lines = quote.shipments.flatMap(one => one.lines);
  const problems = problemsOf(quote);
  const code =
    `<form method="post"${actionOf(shop.to('/cart'))}><label for="code">${e(t`Discount code`)}</label><div class="row">` +
    `<input class="wide" id="code" name="code" value="${e(data.code ?? '')}" maxlength="60" autocomplete="off"` +
    `${quote.codeProblem ? ' aria-invalid="true" aria-describedby="e-code"' : ''}>` +
    `<button class="second slim" name="do" value="code">${e(t`Apply`)}</button></div>` +
    `${quote.codeProblem ? `<p class="refused" id="e-code">${e(quote.codeProblem)}</p>` : ''}</form>`;
  const next = problems.length ? '' : `<a class="go"${href(shop.to('/checkout'))}>${e(t`Continue to checkout`)}</a>`;
  return `<h1>${e(t`Cart`)}</h1>${problems.map(one => alarm(one)).join('')}<div class="two"><div class="panel"><ul class="plain">${[
    ...quote.gone.map(one => gone(shop, one)),
    ...lines.map(one => editable(shop, one)),
  ].join('')}</ul></div><div class="aside"><div class="panel">${code}<hr>${sumsHtml(shop, quote, false)}${next}</div></div></div>`;
}

export const emptyHtml = (shop: Shop): string =>
  `<div class="empty"><h1>${e(t`Your cart is empty`)}</h1><p>${e(t`Choose something, then it waits for you here.`)}</p>` +
  `<a class="go"${href(shop.to())}>${e(t`See the products`)}</a></div>`;
