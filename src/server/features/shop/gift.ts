// Gifts in the cart: what is given to whom, by a plan of the store's gift programs, and what it costs now.
import { instant, isoDay } from '../../../domain/calendar/calendar.ts';
import { isDay } from '../../../domain/calendar/plain-days.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import { t } from '../../../domain/text/t.ts';
import { Refusal } from '../../platform/context.ts';
import {
  type Catalogue,
  giftErrors,
  type GiftPurchase,
  priceGift,
  type Program,
  programsOn,
  readSettings,
  type SoldGift,
  type SoldVariant,
} from '../../engine/index.ts';
import { presetsOf } from './bundles.ts';
import type { GiftLine } from './cart.ts';
import { isSold, leftOf } from './sold.ts';
import type { Shop } from './shop.ts';

/** Minor units of the store's currency. */
export interface QuotedGift {
  gift: GiftLine;
  name: string;
  variant: SoldVariant | undefined;
  sold: SoldGift | undefined;
  /** All orders of the gift, before and after what is taken off. */
  full: number;
  total: number;
  shipping: number;
  /** The shipping of one order, as a decimal. */
  deliveryPrice: string;
  /** Why it can't be bought as it is. */
  problem?: string;
}

/** The purchase that a line of the cart becomes; whose it is follows from the person who pays. */
export const purchaseOf = ({ context }: Pick<Shop, 'context'>, gift: GiftLine): Omit<GiftPurchase, 'customerId'> => ({
  giftPlanLoopId: gift.plan,
  lines: [{ variantId: gift.variantId, quantity: gift.quantity }],
  recipientFirstName: gift.recipient.firstName,
  recipientLastName: gift.recipient.lastName,
  recipientEmail: gift.recipient.email,
  recipientPhone: gift.recipient.phone,
  senderName: gift.sender,
  senderMessage: gift.message,
  ...(gift.day === null ? {} : { startsAt: startOf(gift.day, context.store.timezone) }),
  address: gift.address,
});

/** The morning of a day in the store's zone: its letter is there when the recipient gets up. */
function startOf(day: string, zone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(instant({ year, month, day: date }, { hour: 7, minute: 0, second: 0, millisecond: 0 }, zone));
}

/** A day as a form has it; null for none and for today, undefined for what is no day. */
export function dayIn(text: string, { now, store }: Pick<Shop['context'], 'now' | 'store'>): string | null | undefined {
  if (text === '') return null;
  if (!isDay(text)) return undefined;
  return text === isoDay(now().getTime(), store.timezone) ? null : text;
}

/** The program by which a variant is given; undefined where it is not, or gifts are off. */
export async function programFor({ context }: Shop, variantId: number): Promise<Program | undefined> {
  if ((await context.setting('gift-preferences')).isGiftEnabled !== true) return undefined;
  // A product that stands for a bundle is bought as the bundle, and no bundle is given.
  if ((await presetsOf(context)).has(variantId)) return undefined;
  return (await programsOn(context)).find(({ variantIds }) => variantIds?.includes(variantId));
}

/**
 * What the gifts of a cart cost. `taken`: pieces of each variant that the rest of the cart takes; `giver`: the e-mail address of the buyer,
 * '' while it is not known.
 */
export async function quoteGifts(
  shop: Shop,
  gifts: readonly GiftLine[],
  { catalogue, taken, giver }: { catalogue: Catalogue; taken: ReadonlyMap<number, number>; giver: string },
): Promise<QuotedGift[]> {
  if (gifts.length === 0) return [];
  const context = { ...shop.context, catalogue };
  const programs = await programsOn(context);
  const rules = { settings: await readSettings(context), at: context.now() };
  const pieces = new Map(taken);
  const quoted: QuotedGift[] = [];
  for (const gift of gifts) {
    const variant = catalogue.byId.get(gift.variantId);
    const program = programs.find(({ plans }) => plans.some(one => one.loopId === gift.plan));
    const plan = program?.plans.find(one => one.loopId === gift.plan);
    const sold = program && plan && { program, plan };
    const name = variant ? shop.nameOf(variant) : '';
    const one: QuotedGift = { gift, name, variant, sold, full: 0, total: 0, shipping: 0, deliveryPrice: '0' };
    quoted.push(one);
    const before = pieces.get(gift.variantId) ?? 0;
    pieces.set(gift.variantId, before + gift.quantity);
    const problem = isSold(variant)
      ? (giftErrors(rules, purchaseOf(shop, gift), giver, program)[0]?.message ?? shortage(variant, before, gift.quantity))
      : t`This product is not sold any more.`;
    if (problem !== undefined || !sold) one.problem = problem ?? t`This gift plan is not offered any more.`;
    else await price({ ...shop, context }, sold, one);
  }
  return quoted;
}

function shortage(variant: SoldVariant, before: number, wanted: number): string | undefined {
  const left = leftOf(variant);
  if (left === undefined || before + wanted <= left) return undefined;
  const rest = left - before;
  return rest > 0 ? t`There are only ${rest} left.` : t`It is sold out.`;
}

async function price({ context }: Shop, sold: SoldGift, one: QuotedGift): Promise<void> {
  try {
    const { order, subscription } = await priceGift(context, sold, purchaseOf({ context }, one.gift));
    const { store } = context;
    one.shipping = order.shipping;
    one.total = order.total - order.shipping;
    one.full = Math.max(one.total, (one.variant?.price ?? 0) * one.gift.quantity * sold.plan.orders);
    one.deliveryPrice = toDecimal(subscription.contract.delivery_price, store.currency_code);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    one.problem = error.errors?.[0]?.message ?? error.message;
  }
}

/** Minor units that a gift costs by each plan of its program, without the rates of the store where those count. */
export async function pricesOf(
  { context }: Shop,
  program: Program,
  variantId: number,
): Promise<{ plan: SoldGift['plan']; total: number; shipping: number }[]> {
  const priced = [];
  for (const plan of program.plans) {
    const { order } = await priceGift(context, { program, plan }, { lines: [{ variantId }] });
    priced.push({ plan, total: order.total - order.shipping, shipping: order.shipping });
  }
  return priced;
}
