// The purchase of a gift in the store: all its orders are paid there, the first one is placed, the others follow without a charge.
import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { firstDelivery } from '../../../domain/schedule/first-delivery.ts';
import { toDecimal, toMinor } from '../../../domain/money/money.ts';
import type { FieldError } from '../../../contract/types.ts';
import { isEmail } from '../../../contract/validation/patterns.ts';
import type { GiftPlan } from '../../../generated/entities.ts';
import { invalid } from '../../platform/context.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import { t } from '../../../domain/text/t.ts';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { placeCheckout } from '../charging/place-order.ts';
import type { Address } from '../delivery/address.ts';
import { buildContract, customerOf } from '../edits/create-contract.ts';
import { addDiscount } from '../edits/discounts.ts';
import { syncSchedule } from '../schedule.ts';
import { epoch } from '../status.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { GIFT, giftsOf } from './gift.ts';
import { mailGiftCreated, mailGiftReceived } from './gift-mails.ts';
import { programsOn, type Program } from './gift-programs.ts';

export interface GiftPurchase {
  customerId: number;
  /** What the cart calls the plan. */
  giftPlanLoopId: string;
  lines: { variantId: number; quantity?: number }[];
  recipientFirstName: string;
  recipientLastName: string;
  recipientEmail: string;
  recipientPhone?: string;
  senderName: string;
  senderMessage?: string;
  /** The day on which the recipient hears of it; today where none is given. */
  startsAt?: Date;
  /** Where its orders go. */
  address: Address;
  currencyCode?: string;
}

const MOST_DAYS_AHEAD = 365;

/** What the checkout refuses, field by field. */
function purchaseErrors(work: UnitOfWork, given: GiftPurchase, giver: string, program: Program | undefined): FieldError[] {
  const { gift } = work.settings;
  const errors: FieldError[] = [];
  const refuse = (pointer: string, rule: string, message: string): unknown => errors.push({ pointer, rule, message });
  const variants = new Set(program?.variantIds ?? []);
  if (gift.isGiftEnabled !== true) refuse('/giftPlanLoopId', 'GIFTS_OFF', t`This store sells no gifts at the moment.`);
  if (!program) refuse('/giftPlanLoopId', 'reference', t`This gift plan is not offered any more.`);
  for (const [i, { variantId }] of given.lines.entries())
    if (program && !variants.has(variantId))
      refuse(`/lines/${i}/variantId`, 'NOT_IN_PROGRAM', t`This product is not part of the gift program.`);
  if (!given.recipientFirstName.trim()) refuse('/recipientFirstName', 'required', t`Enter the first name of the recipient.`);
  if (!given.recipientLastName.trim()) refuse('/recipientLastName', 'required', t`Enter the last name of the recipient.`);
  if (!given.senderName.trim()) refuse('/senderName', 'required', t`Enter who the gift is from.`);
  if (!isEmail(given.recipientEmail)) refuse('/recipientEmail', 'format', t`Enter a valid e-mail address.`);
  else if (given.recipientEmail.toLowerCase() === giver.toLowerCase())
    refuse('/recipientEmail', 'x-unlike', t`Recipient and buyer e-mail must differ.`);
  if (gift.collectRecipientPhone === 'REQUIRED' && !given.recipientPhone?.trim())
    refuse('/recipientPhone', 'required', t`Enter the phone number of the recipient.`);
  const most = Number(gift.maxMessageLength);
  if ((given.senderMessage ?? '').length > most) refuse('/senderMessage', 'maxLength', t`The message can have ${most} characters at most.`);
  const ahead = ((given.startsAt ?? work.at).getTime() - work.at.getTime()) / 86_400_000;
  if (ahead < -1 || ahead > MOST_DAYS_AHEAD)
    refuse('/startsAt', 'date', t`Choose a day from today on, ${MOST_DAYS_AHEAD} days ahead at most.`);
  return errors;
}

/** An amount of the store in the currency of the purchase, as a decimal. */
function inCurrency({ store }: EngineContext, amount: string | undefined, currency: string): string {
  const minor = toMinor(amount ?? '0', store.currency_code);
  return toDecimal(convert(store, minor, store.currency_code, currency) ?? minor, currency);
}

/**
 * Makes the gift at the moment of `context`: a contract that is paid in full and has no payment method, and who gives it to whom.
 * `context.source` is Shopify.
 * @throws Refusal 422 with every field that is wrong
 */
export async function checkOutGift(given: EngineContext, purchase: GiftPurchase): Promise<Aggregate> {
  const context: EngineContext = { ...given, isOfGift: true };
  const work = await UnitOfWork.open(context);
  const customer = await customerOf(context, { customerId: purchase.customerId });
  const isOffered = ({ loopId }: GiftPlan): boolean => loopId === purchase.giftPlanLoopId;
  const program = (await programsOn(context)).find(({ plans }) => plans.some(isOffered));
  const plan = program?.plans.find(isOffered);
  const errors = purchaseErrors(work, purchase, customer.email, program);
  if (errors.length || !program || !plan) throw invalid(errors);

  const currency = purchase.currencyCode ?? context.store.currency_code;
  const delivery = { interval: plan.interval ?? 'MONTH', intervalCount: plan.intervalCount };
  const billing = { ...delivery, intervalCount: plan.intervalCount * plan.orders };
  const isLater = purchase.startsAt !== undefined && purchase.startsAt > work.at;
  const startsAt = isLater ? (purchase.startsAt as Date) : work.at;
  const terms = { billing, delivery, anchor: null, preAnchorBehavior: 'ASAP' as const, cutOffDays: 0 };
  const dates = firstDelivery(startsAt.getTime(), terms, work.zone, work.settings.billingHour);
  const percentage = plan.discountType === 'PERCENTAGE';
  const subscription = await buildContract(
    work,
    {
      lines: purchase.lines.map(line => ({
        ...line,
        discountType: percentage ? 'PERCENTAGE' : 'NONE',
        ...(percentage ? { discountValue: plan.discountValue ?? null } : {}),
      })),
      billingPolicy: { ...billing, minCycles: null, maxCycles: 1 },
      deliveryPolicy: delivery,
      nextBillingDateEpoch: Math.floor(dates.nextChargeAt / 1000),
      currencyCode: currency,
      askForPaymentMethod: true,
      deliveryType: 'SHIPPING',
      address: purchase.address,
      ...(program.shippingMode === 'FREE' ? { deliveryPrice: '0' } : {}),
      ...(program.shippingMode === 'PER_ORDER' ? { deliveryPrice: inCurrency(context, program.shippingPricePerOrder, currency) } : {}),
    },
    { customer, methods: [], source: GIFT },
  );
  if (plan.discountType === 'FIXED') {
    const noted = work.notes.length;
    const value = inCurrency(context, plan.discountValue, currency);
    await addDiscount(work, subscription, { title: plan.label, type: 'FIXED_AMOUNT', value, orderLimit: 1 });
    work.clearNotes(noted);
  }
  await work.loadVariants([subscription], true);
  const order = placeCheckout(work, subscription, dates.shipsAt);
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
  program: Program;
  plan: GiftPlan;
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
