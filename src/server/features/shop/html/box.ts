// The page on which a box is filled, as it works without scripts: sizes, ways to buy, products by category, and what it comes to. The
// storefront's element takes the place of these fields and fills them in.
import { boxFaults } from '../../../../domain/bundles/bundle.ts';
import { boxText, discountWords, faultWords, nameOfPiece, savingWords } from '../../../../domain/bundles/box-words.ts';
import { boxPrice, piecePrice, piecesOf, sectionsOf, type BoxProduct } from '../../../../domain/bundles/published-box.ts';
import { deliveriesPerCharge } from '../../../../domain/selling-plans/selling-plan.ts';
import { t } from '../../../../domain/text/t.ts';
import { boxTitle, ruleOf, type Chosen, type OpenBox } from '../boxes.ts';
import { platformNumber } from '../product-plans.ts';
import { rhythmOf, type Shop } from '../shop.ts';
import { e, hidden, href, picture } from './layout.ts';
import { actionOf } from './product.ts';
import { rich } from '../../../platform/texts/text-verbs.ts';

export interface BoxPage {
  open: OpenBox;
  chosen: Chosen;
  /** Its bundle in the cart, which it takes the place of. */
  instead: string;
  /** It was asked what it costs, or to put it into the cart. */
  isPressed: boolean;
}

/** What stands in the way of a box: the rules that it breaks, in the words of the store. */
export const boxFaultWords = ({ box, texts }: OpenBox, { filling, sizeId }: Chosen): string[] =>
  boxFaults(box, piecesOf(box, filling), sizeId).map(fault => faultWords(box, texts, fault));

const radio = (name: string, value: string | number, isChosen: boolean, inner: string): string =>
  `<label class="option"><input type="radio" name="${name}" value="${e(String(value))}"${isChosen ? ' checked' : ''}>${inner}</label>`;

function sizesHtml(shop: Shop, { box, texts }: OpenBox, { sizeId }: Chosen): string {
  if (sizeId === undefined) return '';
  const rows = box.boxSizes.map(size => {
    const saved = box.discounts.find(one => one.conditionType === 'QUANTITY' && one.minCartQuantity === size.minSize);
    const { discountType: type } = box;
    const badge =
      saved && type === 'PERCENTAGE'
        ? ` <span class="badge">${e(boxText(texts, 'bundleDiscount', { discount: percentOf(shop, saved.value) }))}</span>`
        : '';
    const count = size.maxSize === size.minSize ? String(size.minSize) : t`${size.minSize} to ${size.maxSize || '∞'}`;
    const name = texts[`boxSizes.${size.id}.name`] ?? size.name;
    return radio(
      'size',
      size.id,
      size.id === sizeId,
      `<b>${e(name)}${badge}</b><small>${e(boxText(texts, 'bundleSizePieces', { count }))}</small>`,
    );
  });
  return `<fieldset class="sizes"><legend class="seen">${e(texts.bundleSizeLabel ?? '')}</legend>${rows.join('')}</fieldset>`;
}

const percentOf = (shop: Shop, value: string): string =>
  discountWords({ name: '', type: 'PERCENTAGE', value }, shop.context.store.currency_code, shop.speech.language);

function plansHtml(shop: Shop, { box, texts, plans }: OpenBox, { plan }: Chosen): string {
  if (plans.length === 0 || !box.look.hasFrequencies) return hidden('selling_plan', plan ? platformNumber(plan) : '');
  const once =
    box.purchaseType === 'SUBSCRIPTION' ? '' : radio('selling_plan', '', plan === null, `<b>${e(texts.bundleOnetimeLabel ?? '')}</b>`);
  const rows = plans.map(one => {
    const rule = ruleOf(shop, one)?.rule;
    const badge =
      rule?.type === 'PERCENTAGE' && rule.value > 0 ? ` <span class="badge">−${e(percentOf(shop, String(rule.value)))}</span>` : '';
    const detail = rhythmOf(shop, one, deliveriesPerCharge(one.plan) ?? 1);
    return radio(
      'selling_plan',
      platformNumber(one),
      one === plan,
      `<b>${e(shop.planName(one))}${badge}</b>${detail && `<small>${e(detail)}</small>`}`,
    );
  });
  const legend = e((box.purchaseType === 'SUBSCRIPTION' ? texts.bundleSubscriptionLabel : texts.bundleFrequencyLabel) ?? '');
  return `<fieldset><legend class="seen">${legend}</legend>${rows.join('')}${once}</fieldset>`;
}

function productHtml(shop: Shop, { box, texts }: OpenBox, { filling, plan }: Chosen, product: BoxProduct): string {
  const rule = ruleOf(shop, plan);
  const limits = box.details.find(one => one.productId === product.id);
  const about = [
    texts[`details.${product.id}.shortDescription`] ?? '',
    limits?.minQuantity ? boxText(texts, 'bundleProductMin', { min: limits.minQuantity }) : '',
    limits?.maxQuantity ? boxText(texts, 'bundleProductMax', { max: limits.maxQuantity }) : '',
  ].filter(Boolean);
  const rows = product.variants.map(variant => {
    const id = `q-${variant.id}`;
    const label = boxText(texts, 'bundleQuantityLabel', { product_name: nameOfPiece(product, variant) });
    const price = box.look.hasPrice ? e(shop.money(piecePrice(variant, rule))) : '';
    const field = variant.isSoldOut
      ? `<span class="quiet">${e(texts.bundleOutOfStock ?? '')}</span>`
      : `<input id="${id}" type="number" name="q[${variant.id}]" value="${filling.get(variant.id) ?? 0}" min="0" max="500"` +
        ` inputmode="numeric" aria-label="${e(label)}">`;
    return `<div class="pick"><span>${e(variant.title)}${variant.title && price ? '<br>' : ''}<b>${price}</b></span>${field}</div>`;
  });
  return (
    `<li class="card">${picture(product.image ?? product.variants[0]?.image ?? null, 'tile')}<h3>${e(product.title)}</h3>` +
    `${about.map(text => `<p class="quiet">${e(text)}</p>`).join('')}${rows.join('')}</li>`
  );
}

function limitsOf({ box, texts }: OpenBox, id: number): string {
  const { minProducts = 0, maxProducts = 0 } = box.categories.find(one => one.id === id) ?? {};
  return [
    minProducts > 0 ? boxText(texts, 'bundleCategoryMin', { min: minProducts }) : '',
    maxProducts > 0 ? boxText(texts, 'bundleCategoryMax', { max: maxProducts }) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function sectionsHtml(shop: Shop, open: OpenBox, chosen: Chosen): string {
  const { box, texts } = open;
  return sectionsOf(box)
    .filter(({ products }) => products.length > 0)
    .map(({ category, products }) => {
      const limits = category === null ? '' : limitsOf(open, category);
      const name = category === null ? '' : (texts[`categories.${category}.name`] ?? '');
      const about = category === null ? '' : (texts[`categories.${category}.description`] ?? '');
      return (
        `<section>${name ? `<h2 class="first">${e(name)}</h2>` : ''}${about ? `<p>${e(about)}</p>` : ''}` +
        `${limits ? `<p class="quiet">${e(limits)}</p>` : ''}<ul class="grid">` +
        `${products.map(one => productHtml(shop, open, chosen, one)).join('')}</ul></section>`
      );
    })
    .join('');
}

/** What is in it and what it costs, as the form says. */
function summaryHtml(shop: Shop, open: OpenBox, chosen: Chosen, instead: string): string {
  const { box, texts } = open;
  const currency = shop.context.store.currency_code;
  const rule = ruleOf(shop, chosen.plan);
  const price = boxPrice(box, chosen.filling, currency, rule);
  const pieces = piecesOf(box, chosen.filling);
  const list = pieces.length
    ? `<ul class="inside">${pieces
        .map(({ product, variant, quantity }) => `<li>${quantity} × ${e(nameOfPiece(product, variant))}</li>`)
        .join('')}</ul>`
    : `<p class="quiet">${e(texts.bundleEmptySummary ?? '')}</p>`;
  const deliveries = rule?.deliveriesPerCharge ?? 1;
  const was = box.look.hasPriceBefore && price.full > price.total ? `<s class="was">${e(shop.money(price.full))}</s>` : '';
  const ahead =
    deliveries > 1 ? `<p class="quiet">${e(boxText(texts, 'bundlePaidAhead', { price: shop.money(price.total), deliveries }))}</p>` : '';
  const total = pieces.length
    ? `<p class="price"><span class="quiet">${e(texts.bundleTotalLabel ?? '')}</span> ${e(shop.money(price.total))}${was}</p>` +
      ahead +
      savingWords(price, texts, currency, shop.speech.language, boxFaultWords(open, chosen).length === 0)
        .map(text => `<p class="quiet">${e(text)}</p>`)
        .join('')
    : '';
  return (
    `<div class="aside"><div class="panel"><h2 class="first">${e(texts.bundleSummaryTitle ?? '')}</h2>${list}${total}` +
    `<button class="second" name="do" value="look">${e(texts.bundleShowPrice ?? '')}</button>` +
    `<button class="go" name="do" value="add">${e((instead ? texts.bundleUpdate : texts.bundleAddToCart) ?? '')}</button></div></div>`
  );
}

export function boxHtml(shop: Shop, { open, chosen, instead, isPressed }: BoxPage): string {
  const { box, texts, bundle } = open;
  const title = boxTitle(open);
  const faults = isPressed ? boxFaultWords(open, chosen) : [];
  const alarm = faults.length ? `<ul class="refused" role="alert">${faults.map(text => `<li>${e(text)}</li>`).join('')}</ul>` : '';
  const { description = '', footer = '' } = bundle as typeof bundle & { description?: string; footer?: string };
  const inWords = (key: string, own: string): string =>
    texts[key] && texts[key] !== box.texts[key] ? `<p>${e(texts[key]).replaceAll('\n', '<br>')}</p>` : rich(own);
  const hero = box.look.hero && box.hero ? `<img class="band" src="${e(box.hero)}" alt="">` : '';
  const cancel = instead ? `<p><a${href(shop.to('/cart'))}>${e(t`Back to the cart`)}</a></p>` : '';
  return (
    `${hero}<h1>${e(title)}</h1><div class="prose">${inWords('description', description)}</div>${alarm}` +
    `<form class="box" method="post"${actionOf(shop.to(`/boxes/${box.id}`))}>${instead ? hidden('instead', instead) : ''}` +
    `<perennial-box bundle="${e(box.id)}"${instead ? ' update' : ''}${shop.sellsOnce ? '' : ' subscription-only'}>` +
    `<div class="two"><div>${sizesHtml(shop, open, chosen)}` +
    `${plansHtml(shop, open, chosen)}${sectionsHtml(shop, open, chosen)}</div>${summaryHtml(shop, open, chosen, instead)}</div>` +
    `</perennial-box></form>${footer ? `<div class="prose">${inWords('footer', footer)}</div>` : ''}${cancel}`
  );
}
