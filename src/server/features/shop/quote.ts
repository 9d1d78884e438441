// What a cart costs now: the engine prices each part of it as the purchase would, and nothing is written.
import { deliveriesPerCharge } from '../../../domain/selling-plans/selling-plan.ts';
import { isOutOfStock } from '../../../domain/schedule/inventory.ts';
import { toMinor } from '../../../domain/money/money.ts';
import { Refusal } from '../../platform/context.ts';
import {
  type Address,
  type Catalogue,
  deliveryOptions,
  detailsOf,
  nameOfVariant,
  type OfferedPlan,
  parcelOf,
  pieceInCharge,
  policyOfPlan,
  type PricedBasket,
  priceBasket,
  readCatalogue,
  type SoldVariant,
} from '../../engine/index.ts';
import { lineKey, type CartData, type CartLine } from './cart.ts';
import type { Shop } from './shop.ts';

type Option = ReturnType<typeof deliveryOptions>[number];
export type DeliveryChoice = Pick<Option, 'type' | 'code' | 'title' | 'description'> & { price: number };

export interface QuotedLine extends CartLine {
  key: string;
  variant: SoldVariant;
  offered: OfferedPlan | null;
  /** One piece in this charge, before discounts. */
  piece: number;
  /** All pieces, before and after discounts. */
  full: number;
  total: number;
}
/** What comes together: the products of one plan, with those that are bought once. */
export interface Shipment {
  planId: number | null;
  lines: QuotedLine[];
  code: string | undefined;
  isShipped: boolean;
}
export interface Quote {
  shipments: Shipment[];
  /** Lines that can't be bought any more as they are. */
  gone: { line: CartLine; name: string }[];
  /** Lines of which there is less than is wanted. */
  short: { line: CartLine; name: string; left: number }[];
  subtotal: number;
  discount: number;
  shipping: number;
  total: number;
  /** Why the discount code takes nothing off. */
  codeProblem: string | undefined;
  /** Ways of delivery to the address of the cart, for all that is shipped; none without an address. */
  options: DeliveryChoice[];
  chosen: DeliveryChoice | undefined;
  needsDelivery: boolean;
  catalogue: Catalogue;
}

/** Deliveries that a charge of a plan pays for. */
export const deliveriesOf = (offered: OfferedPlan | null): number => (offered ? (deliveriesPerCharge(offered.plan) ?? 1) : 1);

/** Minor units that one piece of a variant costs in the first charge. */
export function pieceOf({ context }: Pick<Shop, 'context'>, price: number, offered: OfferedPlan | null): number {
  const { store } = context;
  const policy = offered && policyOfPlan(store, offered.plan, store.currency_code);
  const line = { price, base_price: price, price_is_manual: false, pricing_policy: policy };
  return pieceInCharge(line, 1, deliveriesOf(offered), store.currency_code);
}

/** Pieces that are left of a variant; undefined where it never runs out (D068). */
export const leftOf = (variant: SoldVariant): number | undefined =>
  isOutOfStock({ ...variant, quantity: Number.MAX_SAFE_INTEGER }) ? Math.max(0, variant.inventory_quantity) : undefined;
export const isSold = (variant: SoldVariant | undefined): variant is SoldVariant =>
  variant !== undefined && !variant.deleted_at && !variant.is_gift_card && variant.product_status === 'ACTIVE';

export async function quoteOf(shop: Shop, data: CartData): Promise<Quote> {
  const { context } = shop;
  const catalogue = await readCatalogue(context, { ids: data.lines.map(line => line.variantId) });
  const gone: Quote['gone'] = [];
  const short: Quote['short'] = [];
  const found: { line: CartLine; variant: SoldVariant; offered: OfferedPlan | null }[] = [];
  const wanted = new Map<number, number>();
  for (const line of data.lines) {
    const variant = catalogue.byId.get(line.variantId);
    const offered = (catalogue.plans.get(line.variantId) ?? []).find(({ plan }) => plan.lspId === line.planId) ?? null;
    if (!isSold(variant) || (line.planId !== null && !offered)) {
      gone.push({ line, name: variant ? nameOfVariant(variant) : '' });
      continue;
    }
    const before = wanted.get(line.variantId) ?? 0;
    wanted.set(line.variantId, before + line.quantity);
    const left = leftOf(variant);
    if (left !== undefined && before + line.quantity > left)
      short.push({ line, name: nameOfVariant(variant), left: Math.max(0, left - before) });
    found.push({ line, variant, offered });
  }
  const quote: Quote = {
    shipments: shipmentsOf(found),
    gone,
    short,
    ...{ subtotal: 0, discount: 0, shipping: 0, total: 0 },
    codeProblem: undefined,
    options: [],
    chosen: undefined,
    needsDelivery: found.some(({ variant }) => variant.requires_shipping),
    catalogue,
  };
  await priceAll({ ...shop, context: { ...context, catalogue } }, data, quote);
  return quote;
}

/** Products of one plan come together; what is bought once comes with the first of them that is shipped, else by itself. */
function shipmentsOf(found: readonly { line: CartLine; variant: SoldVariant; offered: OfferedPlan | null }[]): Shipment[] {
  const all = new Map<number, Shipment>();
  const once: QuotedLine[] = [];
  for (const { line, variant, offered } of found) {
    const quoted: QuotedLine = { ...line, key: lineKey(line), variant, offered, piece: 0, full: 0, total: 0 };
    if (line.planId === null) once.push(quoted);
    else {
      const shipment = all.get(line.planId) ?? { planId: line.planId, lines: [], code: undefined, isShipped: false };
      shipment.lines.push(quoted);
      shipment.isShipped ||= variant.requires_shipping;
      all.set(line.planId, shipment);
    }
  }
  if (once.length === 0) return [...all.values()];
  const needsShipping = once.some(({ variant }) => variant.requires_shipping);
  const host = [...all.values()].find(({ isShipped }) => isShipped || !needsShipping);
  if (!host) return [...all.values(), { planId: null, lines: once, code: undefined, isShipped: needsShipping }];
  host.lines.push(...once);
  return [...all.values()];
}

/** What the engine calls the lines of a shipment. */
export const basketOf = ({ planId, lines }: Shipment) => ({
  sellingPlanId: planId,
  lines: lines.map(line => ({
    variantId: line.variantId,
    quantity: line.quantity,
    ...(planId !== null && line.planId === null ? { isOneTime: true } : {}),
  })),
});

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
      one.basket = await priceBasket(shop.context, { ...basketOf(shipment), ...deliveryOf(chosen, address), ...codesOf(shipment) });
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
  const given = { ...basketOf(shipment), deliveryType: 'LATER' as const };
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
}
