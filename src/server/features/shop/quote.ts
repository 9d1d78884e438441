// What a cart costs now: the engine prices each part of it as the purchase would, and nothing is written.
import { deliveriesPerCharge } from '../../../domain/selling-plans/selling-plan.ts';
import { sum, toMinor } from '../../../domain/money/money.ts';
import { Refusal } from '../../platform/context.ts';
import type { Address } from '../../../domain/places/address.ts';
import {
  type Catalogue,
  deliveryOptions,
  detailsOf,
  type OfferedPlan,
  parcelOf,
  pieceInCharge,
  policyOfPlan,
  type PricedBasket,
  priceBasket,
  readCatalogue,
  type SoldVariant,
} from '../../engine/index.ts';
import { type BoughtBundle, findBundles, forEngine, type FoundBundle, presetsOf, problemsOfBundle } from './bundles.ts';
import { lineKey, type CartBundle, type CartData, type CartLine } from './cart.ts';
import { quoteGifts, type QuotedGift } from './gift.ts';
import type { Shop } from './shop.ts';
import { isSold, leftOf } from './sold.ts';

type Option = ReturnType<typeof deliveryOptions>[number];
export type DeliveryChoice = Pick<Option, 'type' | 'code' | 'title' | 'description'> & { price: number };

export interface QuotedLine extends CartLine {
  key: string;
  /** As the visitor reads it. */
  name: string;
  variant: SoldVariant;
  offered: OfferedPlan | null;
  /** One piece in this charge, before discounts. */
  piece: number;
  /** All pieces, before and after discounts. */
  full: number;
  total: number;
}
/** A bundle with what it costs in this charge, before and after discounts. */
export interface QuotedBundle {
  cart: CartBundle;
  bought: BoughtBundle;
  name: string;
  image: string | null;
  contents: { variant: SoldVariant; quantity: number; name: string }[];
  full: number;
  total: number;
}
/** What comes together: the products and bundles of one plan, with those that are bought once. */
export interface Shipment {
  planId: number | null;
  lines: QuotedLine[];
  bundles: QuotedBundle[];
  code: string | undefined;
  isShipped: boolean;
}
export interface Quote {
  shipments: Shipment[];
  /** Lines that can't be bought any more as they are, by their keys; `why`: of a box, the rules that it breaks. */
  gone: { key: string; name: string; why: string[] }[];
  gifts: QuotedGift[];
  /** Products of which there is less than is wanted. */
  short: { name: string; left: number }[];
  subtotal: number;
  discount: number;
  shipping: number;
  /** The shipping of gifts, which have addresses of their own. */
  giftShipping: number;
  total: number;
  /** Why the discount code takes nothing off. */
  codeProblem: string | undefined;
  /** Ways of delivery to the address of the cart, for all that is shipped; none without an address. */
  options: DeliveryChoice[];
  chosen: DeliveryChoice | undefined;
  needsDelivery: boolean;
  catalogue: Catalogue;
}

/** Pieces that must be there when one is sold: of all deliveries that are paid at once where the plan reserves them with the order. */
export const reservedEach = (offered: OfferedPlan | null): number =>
  offered?.plan.inventoryReserve === 'ON_SALE' ? deliveriesOf(offered) : 1;
/** Deliveries that a charge of a plan pays for. */
export const deliveriesOf = (offered: OfferedPlan | null): number => (offered ? (deliveriesPerCharge(offered.plan) ?? 1) : 1);

/** Minor units that one piece of a variant costs in the first charge. */
export function pieceOf({ context }: Pick<Shop, 'context'>, price: number, offered: OfferedPlan | null): number {
  const { store } = context;
  const policy = offered && policyOfPlan(store, offered.plan, store.currency_code);
  const line = { price, base_price: price, price_is_manual: false, pricing_policy: policy };
  return pieceInCharge(line, 1, deliveriesOf(offered), store.currency_code);
}

/** What is bought of a line or a bundle. */
interface Wanted {
  planId: number | null;
  isShipped: boolean;
  line?: QuotedLine;
  bundle?: QuotedBundle;
}

/** Whether all that is in the cart can be bought. */
export const isWhole = ({ gone, short, gifts }: Quote): boolean =>
  gone.length + short.length === 0 && gifts.every(({ problem }) => problem === undefined);

export async function quoteOf(shop: Shop, data: CartData): Promise<Quote> {
  const { context } = shop;
  const bundles = await findBundles(shop, data.bundles ?? []);
  const catalogue = await readCatalogue(context, {
    ids: [...data.lines.map(line => line.variantId), ...bundles.flatMap(idsOfBundle), ...(data.gifts ?? []).map(one => one.variantId)],
  });
  const presets = await presetsOf(context);
  const gone: Quote['gone'] = [];
  const short: Quote['short'] = [];
  const found: Wanted[] = [];
  const wanted = new Map<number, number>();
  const take = (variant: SoldVariant, quantity: number, each: number): void => {
    const before = wanted.get(variant.id) ?? 0;
    wanted.set(variant.id, before + quantity * each);
    const left = leftOf(variant);
    if (left !== undefined && before + quantity * each > left)
      short.push({ name: shop.nameOf(variant), left: Math.max(0, Math.floor((left - before) / each)) });
  };
  for (const line of data.lines) {
    const variant = catalogue.byId.get(line.variantId);
    const offered = (catalogue.plans.get(line.variantId) ?? []).find(({ plan }) => plan.lspId === line.planId) ?? null;
    const key = lineKey(line);
    // A product that stands for a bundle is bought as the bundle.
    if (!isSold(variant) || presets.has(variant.id) || (line.planId !== null && !offered)) {
      gone.push({ key, name: variant ? shop.nameOf(variant) : '', why: [] });
      continue;
    }
    take(variant, line.quantity, reservedEach(offered));
    const quoted: QuotedLine = { ...line, key, name: shop.nameOf(variant), variant, offered, piece: 0, full: 0, total: 0 };
    found.push({ planId: line.planId, isShipped: variant.requires_shipping, line: quoted });
  }
  for (const one of bundles) {
    const why = problemsOfBundle(shop, one, catalogue);
    if (!one.bought || why.length) {
      gone.push({ key: one.cart.id, name: one.name, why });
      continue;
    }
    const bundle = quotedBundle(shop, { ...one, bought: one.bought }, catalogue);
    for (const { variant, quantity } of bundle.contents) take(variant, quantity, reservedEach(one.bought.offered));
    const isShipped = bundle.contents.some(({ variant }) => variant.requires_shipping);
    found.push({ planId: one.cart.planId, isShipped, bundle });
  }
  const quote: Quote = {
    shipments: shipmentsOf(found),
    gifts: [],
    gone,
    short,
    ...{ subtotal: 0, discount: 0, shipping: 0, giftShipping: 0, total: 0 },
    codeProblem: undefined,
    options: [],
    chosen: undefined,
    needsDelivery: found.some(({ isShipped }) => isShipped),
    catalogue,
  };
  await priceAll({ ...shop, context: { ...context, catalogue } }, data, quote);
  quote.gifts = await quoteGifts(shop, data.gifts ?? [], { catalogue, taken: wanted, giver: data.email ?? '' });
  for (const gift of quote.gifts) {
    quote.subtotal += gift.full;
    quote.discount += gift.full - gift.total;
    quote.giftShipping += gift.shipping;
    quote.total += gift.total + gift.shipping;
  }
  return quote;
}

const idsOfBundle = ({ cart, contents }: FoundBundle): number[] => [
  ...contents.map(one => one.variantId),
  ...(cart.variantId === undefined ? [] : [cart.variantId]),
];

function quotedBundle(
  { nameOf }: Shop,
  { cart, bought, name, contents }: FoundBundle & { bought: BoughtBundle },
  { byId }: Catalogue,
): QuotedBundle {
  const parent = byId.get(cart.variantId ?? 0);
  const pieces = contents.flatMap(({ variantId, quantity }) => {
    const variant = byId.get(variantId);
    return variant ? [{ variant, quantity, name: nameOf(variant) }] : [];
  });
  const image = bought.bundle.imageUrl ?? parent?.image ?? parent?.product_image ?? pieces[0]?.variant.image ?? null;
  return { cart, bought, name, image, contents: pieces, full: 0, total: 0 };
}

/** What is of one plan comes together; what is bought once comes with the first of it that is shipped, else by itself. */
function shipmentsOf(found: readonly Wanted[]): Shipment[] {
  const all = new Map<number | null, Shipment>();
  const put = (planId: number | null, { isShipped, line, bundle }: Wanted): void => {
    const shipment = all.get(planId) ?? { planId, lines: [], bundles: [], code: undefined, isShipped: false };
    if (line) shipment.lines.push(line);
    if (bundle) shipment.bundles.push(bundle);
    shipment.isShipped ||= isShipped;
    all.set(planId, shipment);
  };
  for (const one of found) if (one.planId !== null) put(one.planId, one);
  const once = found.filter(one => one.planId === null);
  const needsShipping = once.some(one => one.isShipped);
  const host = [...all.values()].find(({ isShipped }) => isShipped || !needsShipping);
  for (const one of once) put(host?.planId ?? null, one);
  return [...all.values()];
}

/** What is bought of a shipment, as it is written down. */
export const basketOf = ({ planId, lines, bundles }: Shipment) => ({
  sellingPlanId: planId,
  lines: lines.map(line => ({
    variantId: line.variantId,
    quantity: line.quantity,
    ...(planId !== null && line.planId === null ? { isOneTime: true } : {}),
  })),
  bundles: bundles.map(one => one.bought),
});
/** What is in a bundle, in words; '' where the store keeps it secret. */
export const contentsOf = ({ bought, contents }: QuotedBundle): string =>
  bought.bundle.hideContents ? '' : contents.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');

/** Every piece of a shipment, those of its bundles too. */
export const piecesOfShipment = ({ lines, bundles }: Shipment): { variant: SoldVariant; quantity: number }[] => [
  ...lines,
  ...bundles.flatMap(one => one.contents),
];

async function priceAll(shop: Shop, data: CartData, quote: Quote): Promise<void> {
  const { context } = shop;
  const { code, address } = data;
  const known = detailsOf(context.store).discountCodes?.find(one => one.code.toLowerCase() === code?.toLowerCase());
  // An amount off the order is taken off once, however many subscriptions the order becomes.
  const isOnce = known?.type === 'FIXED_AMOUNT' && known.appliesOnEachItem !== true;
  const priced: { shipment: Shipment; basket: PricedBasket }[] = [];
  let isApplied = false;
  for (const shipment of quote.shipments) {
    const mayHave = code !== undefined && !(isOnce && isApplied);
    const { basket, problem } = await withCode(shop, shipment, mayHave ? code : undefined);
    if (mayHave && problem === undefined) {
      isApplied = true;
      shipment.code = known?.code ?? code;
    } else if (problem !== undefined) quote.codeProblem ??= problem;
    priced.push({ shipment, basket });
  }
  if (isApplied) quote.codeProblem = undefined;
  const shipped = priced.filter(({ shipment }) => shipment.isShipped);
  if (address && shipped.length) {
    quote.options = commonOptions(
      shop,
      shipped.map(({ basket }) => basket),
      address,
    );
    quote.chosen =
      quote.options.find(one => one.code === data.delivery) ??
      [...quote.options].sort((x, y) => Number(x.type !== 'SHIPPING') - Number(y.type !== 'SHIPPING') || x.price - y.price)[0];
  }
  for (const one of priced) {
    const { shipment } = one;
    const { chosen } = quote;
    if (chosen && address && shipment.isShipped)
      one.basket = await priceBasket(shop.context, {
        ...forEngine(basketOf(shipment)),
        ...deliveryOf(chosen, address),
        ...codesOf(shipment),
      });
    addUp(shop, quote, one);
  }
}

/** A way of delivery as the engine takes it. */
export const deliveryOf = ({ type, code }: Pick<DeliveryChoice, 'type' | 'code'>, address: Address) => ({
  deliveryType: type,
  optionCode: code,
  address,
  ...(address.phone ? { phone: address.phone } : {}),
});
export const codesOf = ({ code }: Shipment) => (code ? { discountCodes: [code] } : {});

async function withCode(
  { context }: Shop,
  shipment: Shipment,
  code: string | undefined,
): Promise<{ basket: PricedBasket; problem?: string }> {
  const given = { ...forEngine(basketOf(shipment)), deliveryType: 'LATER' as const };
  if (code === undefined) return { basket: await priceBasket(context, given) };
  try {
    return { basket: await priceBasket(context, { ...given, discountCodes: [code] }) };
  } catch (error) {
    const wrong = error instanceof Refusal ? error.errors?.find(({ pointer }) => pointer === '/code') : undefined;
    if (!wrong) throw error;
    return { basket: await priceBasket(context, given), problem: wrong.message };
  }
}

function commonOptions({ context }: Shop, baskets: readonly PricedBasket[], address: Address): DeliveryChoice[] {
  const lists = baskets.map(({ subscription: { contract, lines } }) =>
    deliveryOptions(
      context.store,
      parcelOf(
        contract,
        lines.filter(line => !line.one_time_added),
      ),
      address,
    ).filter(one => one.price !== null && (!one.phoneRequired || Boolean(address.phone))),
  );
  const [first = [], ...rest] = lists;
  return first.flatMap(option => {
    const same = rest.map(list => list.find(one => one.code === option.code));
    if (same.some(one => one === undefined)) return [];
    const price = [option, ...same].reduce((sum, one) => sum + (one?.price ?? 0), 0);
    return [{ type: option.type, code: option.code, title: option.title, description: option.description, price }];
  });
}

function addUp(
  { context }: Shop,
  quote: Quote,
  { shipment, basket: { order, subscription } }: { shipment: Shipment; basket: PricedBasket },
): void {
  const currency = context.store.currency_code;
  quote.subtotal += order.subtotal;
  quote.discount += order.discount;
  quote.shipping += order.shipping;
  quote.total += order.total;
  // The lines of the order are in the order in which they were given.
  for (const [i, line] of shipment.lines.entries()) {
    const priced = order.lines[i];
    if (!priced || subscription.lines[i]?.variant_id !== line.variantId)
      throw new Error('The engine priced other lines than the cart has.');
    line.piece = toMinor(priced.price, currency);
    line.full = toMinor(priced.total, currency);
    line.total = toMinor(priced.discountedPrice, currency);
  }
  for (const bundle of shipment.bundles) {
    const own = order.lines.filter(({ bundleTransactionId }) => bundleTransactionId === bundle.cart.id);
    if (own.length === 0) throw new Error('The engine priced no bundle that the cart has.');
    bundle.full = sum(own.map(({ total }) => toMinor(total, currency)));
    bundle.total = sum(own.map(({ discountedPrice }) => toMinor(discountedPrice, currency)));
  }
}
