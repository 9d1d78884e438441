// The pages of the checkout: who buys and where it goes, then delivery, an upgrade, the card, and what it costs.
import { t } from '../../../../domain/text/t.ts';
import { testCards } from '../../../platform/gateway/card-vault.ts';
import { takesCardsBy } from '../../../platform/gateway/gateway.ts';
import type { Address } from '../../../../domain/places/address.ts';
import { type OfferedPlan } from '../../../engine/index.ts';
import type { UpgradeOffer } from '../../checkout/offers.ts';
import { addressFields, addressLines, type AddressPart } from '../../../platform/http/address-fields.ts';
import { field, alarm } from '../../../platform/http/form-fields.ts';
import { isForOthers, type CartData } from '../cart.ts';
import { platformNumber } from '../product-plans.ts';
import { hostedRefusal } from '../pay-hosted.ts';
import { deliveriesOf, pieceOf, type DeliveryChoice, type Quote, type QuotedLine } from '../quote.ts';
import { rhythmOf, type Shop } from '../shop.ts';
import { linesHtml, sumsHtml } from './cart.ts';
import { type Errors, HALF, LABELS, NAMES, type Typed } from './fields.ts';
import { e, hidden, href } from './layout.ts';
import { actionOf } from './product.ts';

const steps = (now: 'ADDRESS' | 'PAY'): string => {
  const all = [
    ['ADDRESS', t`Address`],
    ['PAY', t`Payment`],
  ] as const;
  return `<ol class="steps">${all.map(([key, name]) => `<li${key === now ? ' aria-current="step"' : ''}>${e(name)}</li>`).join('')}</ol>`;
};

export function addressHtml(shop: Shop, data: CartData, quote: Quote, typed: Typed, errors: Errors): string {
  const { address, email } = data;
  const valueOf = (name: AddressPart): string => typed[name] ?? { ...data.name, ...address }[name] ?? '';
  const country = valueOf('countryCode') || shop.context.store.country_code;
  const fields = addressFields({
    country,
    home: shop.context.store.country_code,
    language: shop.speech.language,
    valueOf,
    label: key => LABELS[key]?.() ?? key,
    errorOf: name => errors.get(name),
  });
  const forOthers = isForOthers(data);
  const mail = field({
    name: 'email',
    label: t`E-mail`,
    value: typed.email ?? email ?? '',
    isRequired: true,
    maxLength: 200,
    autocomplete: 'email',
    ...(errors.has('email') ? { error: errors.get('email') ?? '' } : {}),
  });
  return (
    `<div class="two pay"><div>${steps('ADDRESS')}<h1>${e(forOthers ? t`Who pays for it?` : t`Where does it go?`)}</h1>` +
    `${errors.size ? alarm(t`Something is missing. What it is stands below each field.`) : ''}` +
    `<form method="post"${actionOf(shop.to('/checkout'))}><div class="panel"><div class="fields"><div>${mail}</div>` +
    `${fields
      .filter(({ name }) => !forOthers || NAMES.has(name))
      .map(one => `<div${HALF.has(one.name) ? ' class="half"' : ''}>${field(one)}</div>`)
      .join('')}</div>` +
    `${forOthers ? '' : hidden('partsOf', country)}` +
    `<button class="go">${e(t`Continue to payment`)}</button></div></form><p><a${href(shop.to('/cart'))}>${e(t`Back to the cart`)}` +
    `</a></p></div>` +
    `<div class="aside"><div class="panel">${linesHtml(shop, quote)}<hr>${sumsHtml(shop, quote, false)}</div></div></div>`
  );
}

const deliveryButton = (shop: Shop, { code, title, description, price }: DeliveryChoice, isChosen: boolean): string =>
  `<button class="choose" name="delivery" value="${e(code)}" aria-pressed="${isChosen}"><span>${e(title)}</span><b>` +
  `${e(price ? shop.money(price) : t`Free`)}</b>${description && `<small>${e(description)}</small>`}</button>`;

function offerHtml(shop: Shop, { line, offer, plans, productNumber }: PayPage['offers'][number]): string {
  const buttons = plans.map(one => {
    const price = shop.money(pieceOf(shop, line.variant.price, one) * line.quantity);
    const rhythm = [shop.planName(one), rhythmOf(shop, one, deliveriesOf(one))].filter(Boolean).join(' · ');
    return (
      `<button class="second" name="plan" value="${one.plan.lspId}">${e(`${offer.buttonText}: ${price}`)}<br><small>` +
      `${e(rhythm)}</small></button>`
    );
  });
  return (
    `<form class="panel" method="post"${actionOf(shop.to('/pay'))}>` +
    `${hidden('do', 'upgrade')}${hidden('line', line.key)}${hidden('upgrade', offer.upgradeId)}` +
    `${offer.imageUrl ? `<img src="${e(offer.imageUrl)}" alt="">` : ''}<h2 class="first">${e(offer.title)}</h2><p class="quiet">` +
    `${e(shop.nameOf(line.variant))}</p>${offer.description ? `<p>${e(offer.description)}</p>` : ''}` +
    // With a published widget for the checkout the plans are chosen there.
    `<perennial-widget type="CHECKOUT" subscription-only product-id="${productNumber}"` +
    ` variant-id="${line.variant.shopify_id}" plans="${plans.map(platformNumber).join(' ')}">${buttons.join('')}</perennial-widget></form>`
  );
}

const undoHtml = (shop: Shop, line: QuotedLine, words: { appliedText: string; undoText: string }): string =>
  `<form class="panel" method="post"${actionOf(shop.to('/pay'))}>${hidden('do', 'undo')}${hidden('line', line.key)}` +
  `<p role="status">${e(words.appliedText || t`You subscribe to this product.`)}</p>` +
  `<p class="quiet">${e(shop.nameOf(line.variant))}</p><button class="second">${e(words.undoText || t`Undo`)}</button></form>`;

export interface PayPage {
  data: CartData;
  quote: Quote;
  round: number;
  /** `productNumber`: the platform's. */
  offers: { line: QuotedLine; offer: UpgradeOffer; plans: OfferedPlan[]; productNumber: number }[];
  upgraded: { line: QuotedLine; appliedText: string; undoText: string }[];
  typed: Typed;
  errors: Errors;
  problem?: string | undefined;
}

export function payHtml(shop: Shop, { data, quote, round, offers, upgraded, typed, errors, problem }: PayPage): string {
  const total = shop.money(quote.total);
  const { firstName, lastName } = { ...data.name, ...data.address };
  const owner = [firstName, lastName].filter(Boolean).join(' ');
  const cardField = (name: string, label: string, autocomplete: string, maxLength: number, value = typed[name] ?? ''): string =>
    field({
      name,
      label,
      value,
      isRequired: true,
      maxLength,
      autocomplete,
      ...(errors.has(name) ? { error: errors.get(name) ?? '' } : {}),
    });
  const delivery = quote.options.length
    ? `<form class="panel" method="post"${actionOf(shop.to('/pay'))}>${hidden('do', 'delivery')}<h2 class="first">` +
      `${e(t`Delivery`)}</h2>${quote.options.map(one => deliveryButton(shop, one, one.code === quote.chosen?.code)).join('')}</form>`
    : quote.needsDelivery
      ? alarm(t`The store doesn't deliver to this address. Choose another one.`)
      : '';
  const cards = testCards()
    .map(({ title, number }) => `<li>${e(number)}: ${e(title)}</li>`)
    .join('');
  const refusal = hostedRefusal(shop, quote);
  const mayPay = !refusal && (!quote.needsDelivery || quote.chosen !== undefined);
  const isHosted = takesCardsBy(shop.context.store) !== 'TEST';
  const toProvider =
    `<form class="panel" method="post"${actionOf(shop.to('/pay'))}>${hidden('round', round)}${hidden('total', quote.total)}` +
    `<p>${e(t`You pay on the secure page of our payment provider and come back here afterwards.`)}</p>` +
    `<button class="go">${e(t`Pay ${total}`)}</button></form>`;
  const pay =
    `<form class="panel" method="post"${actionOf(shop.to('/pay'))}>${hidden('round', round)}${hidden('total', quote.total)}` +
    `<h2 class="first">${e(t`Card`)}</h2>` +
    `<details class="try"><summary>${e(t`Test cards`)}</summary><p>` +
    `${e(t`No real card is taken here. Any date ahead and any security code do.`)}</p><ul>${cards}</ul></details>` +
    `<div class="fields"><div>${cardField('number', t`Card number`, 'cc-number', 30)}</div>` +
    `<div>${cardField('name', t`Name on the card`, 'cc-name', 100, typed.name ?? owner)}</div>` +
    `<div class="half">${cardField('expiry', t`Valid until (month/year)`, 'cc-exp', 7)}</div><div class="half">` +
    `${cardField('verificationCode', t`Security code`, 'cc-csc', 4, '')}</div></div>` +
    `<button class="go">${e(t`Pay ${total}`)}</button></form>`;
  return (
    `<div class="two pay"><div>${steps('PAY')}<h1>${e(t`Payment`)}</h1>` +
    `${alarm(problem)}${addressSummary(shop, data.address ?? data.name, data.email ?? '')}${delivery}` +
    offers.map(one => offerHtml(shop, one)).join('') +
    upgraded.map(one => undoHtml(shop, one.line, one)).join('') +
    (refusal ? `${alarm(refusal)}<p><a${href(shop.to('/cart'))}>${e(t`Back to the cart`)}</a></p>` : '') +
    `${mayPay ? (isHosted ? toProvider : pay) : ''}</div>` +
    `<div class="aside"><div class="panel">${linesHtml(shop, quote)}<hr>${sumsHtml(shop, quote, true)}</div></div></div>`
  );
}

function addressSummary(shop: Shop, address: Address | undefined, email: string): string {
  const lines = addressLines(address, shop.speech.language);
  return (
    `<div class="panel"><p>${e(email)}<br>${e(lines.join(', '))}</p><p><a${href(shop.to('/checkout'))}>` +
    `${e(address?.address1 ? t`Change the address` : t`Change who pays`)}</a></p></div>`
  );
}
