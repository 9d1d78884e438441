// The page of a product: its variants, and every way to buy it with its price.
import { allocate } from '../../../../domain/money/money.ts';
import { ruleFor, ruleLabel } from '../../../../domain/money/pricing.ts';
import { pricesOf } from '../../../../domain/selling-plans/selling-plan.ts';
import { intlLocale, t } from '../../../../domain/text/t.ts';
import type { OfferedPlan } from '../../../engine/index.ts';
import { boxTitle, type OpenBox } from '../boxes.ts';
import type { Product } from '../catalogue.ts';
import { platformNumber } from '../product-plans.ts';
import { deliveriesOf, pieceOf, reservedEach } from '../quote.ts';
import { rhythmOf, type Shop } from '../shop.ts';
import { leftOf } from '../sold.ts';
import { e, hidden, href, picture } from './layout.ts';
import { widgetPlace } from './widget-place.ts';
import { rich } from '../../../platform/texts/text-verbs.ts';
import { alarm } from '../../../platform/http/form-fields.ts';

type Variant = Product['variants'][number];

interface Way {
  value: string;
  name: string;
  cost: string;
  detail: string;
  badge: string;
}

/** What one delivery of a charge costs, as the engine divides it. */
export const aDelivery = (piece: number, deliveries: number): number =>
  allocate(
    piece,
    Array.from({ length: deliveries }, () => 1),
  )[0] ?? 0;

/** The second price of a plan: "from order 3 on 10% off". */
function thenOf(prices: Parameters<typeof ruleFor>[0], order: number, currency: string): string {
  const price = ruleLabel(ruleFor(prices, order), currency, intlLocale());
  return t`from order ${order} on ${price}`;
}

/** What a variant costs: one that stands for a bundle costs what the bundle costs. */
function offerOf(shop: Shop, { asBundle }: Product, { price, compareAt, shopify_id: number, ...variant }: Variant) {
  const set = asBundle?.variants.find(one => one.id === number);
  const before = set ? set.compareAt : compareAt === null ? undefined : Number(compareAt);
  return {
    price: set?.price ?? price,
    was: before !== undefined && before > (set?.price ?? price) ? before : undefined,
    isOut: set ? set.isSoldOut === true : leftOf({ ...variant, price, shopify_id: number }) === 0,
    mayBeOnce: shop.sellsOnce && asBundle?.isSubscriptionOnly !== true,
    /** What the checkout charges for a piece under a plan. */
    piece: (offered: OfferedPlan): number => set?.planPrices?.[String(platformNumber(offered))] ?? pieceOf(shop, price, offered),
  };
}

function wayOf(shop: Shop, { price, piece: pieceBy }: ReturnType<typeof offerOf>, offered: OfferedPlan): Way {
  const { plan } = offered;
  const currency = shop.context.store.currency_code;
  const deliveries = deliveriesOf(offered);
  const piece = pieceBy(offered);
  const each = shop.money(aDelivery(piece, deliveries));
  const prices = pricesOf(plan, currency);
  const saved = price * deliveries - piece;
  const percent = price > 0 ? Math.floor((saved * 100) / (price * deliveries)) : 0;
  const [, later] = prices;
  const total = shop.money(piece);
  const details = [
    rhythmOf(shop, offered, deliveries),
    deliveries > 1 ? t`${total} now for ${deliveries} deliveries` : '',
    later ? thenOf(prices, later.afterCycle + 1, currency) : '',
  ];
  return {
    value: String(platformNumber(offered)),
    name: shop.planName(offered),
    cost: deliveries > 1 ? t`${each} per delivery` : each,
    detail: details.filter(Boolean).join(' · '),
    badge: percent > 0 ? t`Save ${percent}%` : '',
  };
}

const option = ({ value, name, cost, detail, badge }: Way, isChosen: boolean): string =>
  `<label class="option"><input type="radio" name="selling_plan" value="${e(value)}"${isChosen ? ' checked' : ''}>` +
  `<b>${e(name)}${badge && ` <span class="badge">${e(badge)}</span>`}</b><span class="cost">${e(cost)}</span>` +
  `${detail && `<small>${e(detail)}</small>`}</label>`;

function variantsOf(shop: Shop, product: Product, chosen: Variant): string {
  if (product.variants.length < 2) return '';
  const links = product.variants.map(one => {
    const { isOut } = offerOf(shop, product, one);
    const { title } = shop.speech.named(one);
    const name = isOut ? t`${title}, sold out` : title;
    return (
      `<a${href(shop.to(`/products/${encodeURIComponent(product.handle)}`, { variant: one.shopify_id }))}${isOut ? ' class="out"' : ''}` +
      `${one.id === chosen.id ? ' aria-current="true"' : ''} aria-label="${e(name)}">${e(title)}</a>`
    );
  });
  return `<nav class="pills" aria-label="${e(t`Choose a variant`)}">${links.join('')}</nav>`;
}

/** The way to the boxes that a product may be part of. */
const boxLinks = (shop: Shop, boxes: readonly OpenBox[]): string =>
  boxes
    .map(open => {
      const name = boxTitle(open);
      return `<p><a${href(shop.to(`/boxes/${open.box.id}`))}>${e(t`Also in your own box: ${name}`)}</a></p>`;
    })
    .join('');

/** What else there is to say of a product: what was wrong with a press, boxes that it may be part of, whether it can be given away. */
export interface Around {
  problem: string | undefined;
  boxes: readonly OpenBox[];
  isGiven: boolean;
}

export function productHtml(shop: Shop, product: Product, chosen: Variant, { problem, boxes, isGiven }: Around): string {
  const { store } = shop.context;
  const left = product.asBundle ? undefined : leftOf(chosen);
  // A plan that reserves all its deliveries is offered while there is enough for them.
  const plans = (product.plans.get(chosen.id) ?? []).filter(one => left === undefined || left >= reservedEach(one));
  const offer = offerOf(shop, product, chosen);
  const { price, was, isOut, mayBeOnce } = offer;
  const once: Way = { value: '', name: t`One-time purchase`, cost: shop.money(price), detail: '', badge: '' };
  const ways = plans.length
    ? `<fieldset><legend class="seen">${e(t`How would you like to buy it?`)}</legend>${mayBeOnce ? option(once, false) : ''}${plans
        .map((one, i) => {
          const isFirst = plans[i - 1]?.groupId !== one.groupId;
          return (isFirst ? `<p class="group">${e(shop.groupName(one))}</p>` : '') + option(wayOf(shop, offer, one), i === 0);
        })
        .join('')}</fieldset>`
    : hidden('selling_plan', '');
  const widget = (inner: string): string =>
    widgetPlace(
      store,
      {
        'product-id': String(product.shopifyId),
        'cart-url': shop.to('/cart'),
        'checkout-url': shop.to('/checkout'),
        ...(mayBeOnce ? {} : { 'subscription-only': '' }),
      },
      inner,
    );
  const give = isGiven
    ? `<perennial-gift product-id="${product.shopifyId}" template="product"><a class="give"` +
      `${href(shop.to(`/gift/${encodeURIComponent(product.handle)}`, { variant: chosen.shopify_id }))}>${e(t`Give as a gift`)}</a>` +
      `</perennial-gift>`
    : '';
  const isPayable = plans.length > 0 || mayBeOnce;
  const buy = isOut
    ? `<p class="refused" role="status">${e(t`Sold out`)}</p>`
    : !isPayable
      ? `<p class="refused" role="status">${e(t`Without a subscription this can’t be paid here at the moment.`)}</p>${give}`
      : `<form method="post"${actionOf(shop.to('/cart/add'))}>${hidden('id', chosen.shopify_id)}${widget(ways)}${give}` +
        `<div class="row"><div><label for="quantity">${e(t`Quantity`)}</label>` +
        `<input id="quantity" type="number" name="quantity" value="1" min="1" max="99" inputmode="numeric" required></div>` +
        `<button class="wide" type="submit" data-perennial-add>${e(t`Add to cart`)}</button>` +
        `<button class="second wide" name="then" value="checkout">${e(t`Buy now`)}</button></div></form>`;
  return (
    `<div class="two"><div>` +
    `${picture(chosen.image ?? product.image, 'hero', product.title)}</div><div>` +
    `<h1>${e(product.title)}</h1><p class="price">` +
    `${e(shop.money(price))}${was === undefined ? '' : `<s class="was">${e(shop.money(was))}</s>`}</p>` +
    `${alarm(problem)}${variantsOf(shop, product, chosen)}${buy}${boxLinks(shop, boxes)}` +
    `<div class="prose">${rich(product.description)}</div>` +
    `<p class="quiet">${e(t`Sold by ${store.name}`)}</p></div></div>`
  );
}
export const actionOf = (address: string): string => ` action="${e(address)}"`;
