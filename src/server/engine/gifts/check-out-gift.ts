// The purchase of a gift in the store: all its orders are paid there, the first one is placed, the others follow without a charge.
import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { firstDelivery, type FirstDelivery } from '../../../domain/schedule/first-delivery.ts';
import { toDecimal, toMinor } from '../../../domain/money/money.ts';
import { invalid } from '../../platform/context.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { placeCheckout, type ChargedBy } from '../charging/place-order.ts';
import { noOne, type PricedBasket, withFirstOrder } from '../edits/check-out.ts';
import { buildContract, customerOf } from '../edits/create-contract.ts';
import { addDiscount } from '../edits/discounts.ts';
import type { CustomerRow } from '../rows.ts';
import { syncSchedule } from '../schedule.ts';
import { epoch } from '../status.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { GIFT, giftsOf } from './gift.ts';
import { mailGiftCreated, mailGiftReceived } from './gift-mails.ts';
import { giftErrors, giftSold, type GiftPurchase, type SoldGift } from './gift-purchase.ts';

/** An amount of the store in the currency of the purchase, as a decimal. */
function inCurrency({ store }: EngineContext, amount: string | undefined, currency: string): string {
  const minor = toMinor(amount ?? '0', store.currency_code);
  return toDecimal(convert(store, minor, store.currency_code, currency) ?? minor, currency);
}

/** What the price of a gift follows from. Without an address the rates of the store are left out. */
export type GiftBasket = Pick<GiftPurchase, 'lines' | 'startsAt' | 'currencyCode'> & Partial<Pick<GiftPurchase, 'address'>>;

/** The contract of a gift in memory, and the dates that it begins with. */
async function build(
  work: UnitOfWork,
  { program, plan }: SoldGift,
  basket: GiftBasket & { deliveryPrice?: string },
  customer: CustomerRow,
): Promise<{ subscription: Aggregate; dates: FirstDelivery }> {
  const { context } = work;
  const currency = basket.currencyCode ?? context.store.currency_code;
  const delivery = { interval: plan.interval ?? 'MONTH', intervalCount: plan.intervalCount };
  const billing = { ...delivery, intervalCount: plan.intervalCount * plan.orders };
  const startsAt = Math.max(basket.startsAt?.getTime() ?? 0, work.at.getTime());
  const terms = { billing, delivery, anchor: null, preAnchorBehavior: 'ASAP' as const, cutOffDays: 0 };
  const dates = firstDelivery(startsAt, terms, work.zone, work.settings.billingHour);
  const percentage = plan.discountType === 'PERCENTAGE';
  const deliveryPrice =
    basket.deliveryPrice ??
    (program.shippingMode === 'FREE'
      ? '0'
      : program.shippingMode === 'PER_ORDER'
        ? inCurrency(context, program.shippingPricePerOrder, currency)
        : undefined);
  const subscription = await buildContract(
    work,
    {
      lines: basket.lines.map(line => ({
        ...line,
        discountType: percentage ? 'PERCENTAGE' : 'NONE',
        ...(percentage ? { discountValue: plan.discountValue ?? null } : {}),
      })),
      billingPolicy: { ...billing, minCycles: null, maxCycles: 1 },
      deliveryPolicy: delivery,
      nextBillingDateEpoch: Math.floor(dates.nextChargeAt / 1000),
      currencyCode: currency,
      askForPaymentMethod: true,
      ...(basket.address ? { deliveryType: 'SHIPPING' as const, address: basket.address } : { deliveryType: 'LATER' as const }),
      ...(deliveryPrice === undefined ? {} : { deliveryPrice }),
    },
    { customer, methods: [], source: GIFT },
  );
  if (plan.discountType === 'FIXED') {
    const noted = work.notes.length;
    const value = inCurrency(context, plan.discountValue, currency);
    await addDiscount(work, subscription, { title: plan.label, type: 'FIXED_AMOUNT', value, orderLimit: 1 });
    work.clearNotes(noted);
  }
  return { subscription, dates };
}

/**
 * Prices a gift as `checkOutGift` would, and writes nothing.
 * @throws Refusal 422 with the lines at `/lines/0`, the address at `/address`
 */
export async function priceGift(given: EngineContext, sold: SoldGift, basket: GiftBasket): Promise<PricedBasket> {
  const context: EngineContext = { ...given, isOfGift: true };
  const work = await UnitOfWork.open(context);
  const { subscription } = await build(work, sold, basket, noOne(context));
  return withFirstOrder(work, subscription);
}

/**
 * Makes the gift at the moment of `context`: a contract that is paid in full and has no payment method, and who gives it to whom.
 * `context.source` is Shopify. `paid`: what was sold and at which price for the shipping of each order, where it was checked, priced and
 * charged before, by what; nothing that has changed since then refuses it.
 * @throws Refusal 422 with every field that is wrong
 */
export async function checkOutGift(
  given: EngineContext,
  purchase: GiftPurchase,
  paid?: SoldGift & { deliveryPrice: string; charged: ChargedBy | null },
): Promise<Aggregate> {
  const context: EngineContext = { ...given, isOfGift: true };
  const work = await UnitOfWork.open(context);
  const customer = await customerOf(context, { customerId: purchase.customerId });
  const sold = paid ?? (await giftSold(context, purchase.giftPlanLoopId));
  const errors = paid ? [] : giftErrors(work, purchase, customer.email, sold?.program);
  if (errors.length || !sold) throw invalid(errors);
  const { program, plan } = sold;

  const isLater = purchase.startsAt !== undefined && purchase.startsAt > work.at;
  const startsAt = isLater ? (purchase.startsAt as Date) : work.at;
  const { subscription, dates } = await build(
    work,
    sold,
    { ...purchase, ...(paid ? { deliveryPrice: paid.deliveryPrice } : {}) },
    customer,
  );
  await work.loadVariants([subscription], true);
  const order = placeCheckout(work, subscription, dates.shipsAt, paid?.charged ?? null);
  if (subscription.contract.status === 'ACTIVE') {
    subscription.contract.base_at = new Date(dates.baseAt);
    subscription.contract.base_cycle = dates.baseCycle;
  }
  syncSchedule(subscription, work.zone);
  work.note(subscription, 'gift_created', {
    programId: program.id,
    plan: plan.label,
    orders: plan.orders,
    startDateEpoch: epoch(startsAt),
  });
  await work.conclude();
  subscription.contract.origin_order_shopify_id = order.shopify_id;
  await work.flush();
  await insertGift(context, subscription, {
    program,
    plan,
    purchase,
    phone: work.settings.gift.collectRecipientPhone === 'HIDDEN' ? null : purchase.recipientPhone?.trim() || null,
    paid: order.total,
    startsAt,
    receivedAt: isLater ? null : work.at,
  });
  const gift = (await giftsOf(context, [subscription])).get(subscription.contract.id);
  if (!gift) throw new Error(`The gift ${subscription.contract.id} was not written.`);
  mailGiftCreated(work, subscription, gift, isLater ? startsAt : null);
  if (!isLater) {
    work.note(subscription, 'gift_received', { orders: gift.total_orders });
    mailGiftReceived(work, subscription, gift);
  }
  await work.flush();
  return subscription;
}

interface Bought {
  program: SoldGift['program'];
  plan: SoldGift['plan'];
  purchase: GiftPurchase;
  phone: string | null;
  paid: number;
  startsAt: Date;
  receivedAt: Date | null;
}
async function insertGift({ trx, storeId }: EngineContext, { contract }: Aggregate, bought: Bought): Promise<void> {
  const { program, plan, purchase, phone, paid, startsAt, receivedAt } = bought;
  await sql`insert into gifts (store_id, id, program_id, program_name, plan_id, plan_label, status,
      recipient_first_name, recipient_last_name, recipient_email, recipient_phone, sender_name, message,
      total_orders, paid_amount, start_at, received_at, portal_token, created_at, updated_at, version, customer_id, giver_name,
      giver_email, products, currency_code, completed_orders, next_order_at, completed_at)
    select c.store_id, c.id, ${program.id}::bigint, ${program.name}, ${plan.loopId ?? ''}, ${plan.label},
      gift_status(c.status, ${receivedAt}::timestamptz), ${purchase.recipientFirstName.trim()}, ${purchase.recipientLastName.trim()},
      ${purchase.recipientEmail.trim()}, ${phone}::text, ${purchase.senderName.trim()}, ${purchase.senderMessage?.trim() ?? ''},
      ${plan.orders}::integer, ${paid}::bigint, ${startsAt}::timestamptz, ${receivedAt}::timestamptz, ${randomBytes(16).toString('hex')},
      c.created_at, c.updated_at, c.version, c.customer_id, c.customer_name, c.customer_email, c.products_label, c.currency_code,
      ${plan.orders}::integer - c.prepaid_credits, c.next_billing_at, c.expired_at
    from contracts c where c.store_id = ${storeId}::integer and c.id = ${contract.id}::bigint`.execute(trx);
}
