// The e-mails that the engine sends, one small function for each: what they say stands in schemas/messages. All go by way of the outbox, in
// the transaction of the change they tell of.
import { dateLabel, isoDay } from '../../domain/calendar/calendar.ts';
import { notOnQuietDays } from '../../domain/calendar/quiet-time.ts';
import { toMinor } from '../../domain/money/money.ts';
import { failureCategory, type FailureKey } from '../../domain/recovery/failure-codes.ts';
import type { MessageKey, MessageValues } from '../../generated/families.ts';
import { letterFor } from '../platform/mail/letter-for.ts';
import { isSwitchedOff, letterOf } from '../platform/mail/message-edits.ts';
import { PRODUCT_LANGUAGE, speechOf, type Speech } from '../platform/mail/speech.ts';
import { confirmLink } from './action-links.ts';
import type { Aggregate } from './aggregate.ts';
import { isGift } from './gifts/gift.ts';
import { messageVariables, type Told } from './message-variables.ts';
import { whyFailed } from './failure-words.ts';
import { portalBase } from './portal-link.ts';
import { nameOf, type PricedOrder } from './price.ts';
import { productsOfOrder, productsRead } from './products-read.ts';
import type { LineRow, MethodRow, OrderRow } from './rows.ts';
import type { UnitOfWork } from './unit-of-work.ts';

type AdminKey = Extract<MessageKey, `ADMIN_${string}`>;
type CustomerKey = Exclude<MessageKey, AdminKey>;
/** Messages that have one for the store's people beside the customer's. */
type BothKey = CustomerKey & (AdminKey extends `ADMIN_${infer K}` ? K : never);

/** What a message says, in the language that it is written in. */
export type Values<K extends MessageKey> = (say: Speech) => MessageValues[K];

const speechOfWork =
  ({ context, settings: { words, dateFormat }, zone }: UnitOfWork) =>
  (language: string): Speech =>
    speechOf({ words, texts: context.texts, zone, dateFormat }, language);
/** The letter for a reader of `locale`; for the store's people (undefined) in the words of the product. */
export function fill<K extends MessageKey>(
  work: UnitOfWork,
  subscription: Pick<Aggregate, 'lines'> & { contract: Told },
  key: K,
  values: Values<K>,
  locale?: string | null,
) {
  const { context, settings } = work;
  const kind = context.messages[key];
  if (!kind) throw new Error(`There is no schemas/messages/${key}.json.`);
  const speech = speechOfWork(work);
  const valuesIn = (language: string): object => {
    const say = speech(language);
    return {
      ...messageVariables(
        { ...context, hasPortal: settings.hasPortal, letsEnterCards: settings.letsEnterCards },
        subscription.contract,
        subscription.lines,
        say,
      ),
      ...values(say),
    };
  };
  const edit = settings.messages[key];
  const letter =
    locale === undefined
      ? letterOf(kind, edit, valuesIn(PRODUCT_LANGUAGE), settings.words.primary)
      : letterFor(kind, edit, { words: settings.words, locale }, valuesIn);
  return { template: key, ...letter };
}
export const isOff = (work: UnitOfWork, key: MessageKey): boolean => {
  const kind = work.context.messages[key];
  return kind !== undefined && isSwitchedOff(kind, work.settings.messages[key]);
};

/**
 * To the customer, in their language. Who gave or gets a gift has letters of their own (gifts/gift-mails.ts). `once` makes the letter
 * unique: sent once, however often the work is repeated.
 */
export function toCustomer<K extends CustomerKey>(
  work: UnitOfWork,
  subscription: Aggregate,
  key: K,
  once: string,
  values: Values<K>,
  sendAfter?: Date,
): void {
  const { customer_email: to, customer_locale: locale, id: contractId } = subscription.contract;
  if (!to || isGift(subscription.contract) || work.context.mails === 'NONE' || isOff(work, key)) return;
  const wanted = sendAfter ?? work.at;
  // What was asked for is sent on any day.
  const at = work.context.messages[key]?.always ? wanted : notOnQuietDays(wanted, work.settings.quiet, work.zone);
  const letter = fill(work, subscription, key, values, locale);
  work.mail({ ...letter, to, contractId, dedupeKey: `${key}:${once}`, ...(at === work.at ? {} : { sendAfter: at }) });
}
/** To everybody who is to hear about the store's subscriptions (settings, general). */
function toAdmins<K extends AdminKey>(work: UnitOfWork, subscription: Aggregate, key: K, once: string, values: Values<K>): void {
  if (work.context.mails || isOff(work, key)) return;
  const letter = fill(work, subscription, key, values);
  for (const to of work.settings.adminEmails)
    work.mail({ ...letter, to, contractId: subscription.contract.id, dedupeKey: `${key}:${once}:${to}` });
}
/** Every change of a contract has its own version, so one e-mail for each change. */
const version = (subscription: Aggregate): string => `${subscription.contract.id}:${subscription.contract.version}`;

/** The customer's letter and the one beside it; `once` where one change may send several of a kind. */
function both<K extends BothKey>(
  work: UnitOfWork,
  subscription: Aggregate,
  key: K,
  values: (say: Speech) => MessageValues[K] & MessageValues[`ADMIN_${K}`],
  { tellCustomer = true, once = version(subscription) } = {},
): void {
  if (tellCustomer) toCustomer(work, subscription, key, once, values);
  toAdmins(work, subscription, `ADMIN_${key}`, once, values);
}
const dayOrNull = (say: Speech, at: Date | null): string | null => at && say.day(at);

export const mailCreated = (work: UnitOfWork, subscription: Aggregate, tellCustomer: boolean): void =>
  both(work, subscription, 'NEW_SUBSCRIPTION', () => ({}), { tellCustomer });
export const mailPaused = (work: UnitOfWork, subscription: Aggregate): void =>
  both(work, subscription, 'SUBSCRIPTION_PAUSED', say => ({ resumeOn: dayOrNull(say, subscription.contract.resume_at) }));
export const mailResumed = (work: UnitOfWork, subscription: Aggregate, next: Date | null): void =>
  both(work, subscription, 'SUBSCRIPTION_RESUMED', say => ({ nextOrderOn: dayOrNull(say, next) }));
export const mailReactivated = (work: UnitOfWork, subscription: Aggregate, next: Date | null): void =>
  both(work, subscription, 'SUBSCRIPTION_REACTIVATED', say => ({ nextOrderOn: dayOrNull(say, next) }));
export const mailCancelled = (work: UnitOfWork, subscription: Aggregate, tellCustomer: boolean): void =>
  both(work, subscription, 'SUBSCRIPTION_CANCELLED', () => ({ reason: subscription.contract.cancellation_reason }), { tellCustomer });
export const mailMarkedForCancellation = (work: UnitOfWork, subscription: Aggregate): void =>
  both(work, subscription, 'SUBSCRIPTION_MARKED_FOR_CANCELLATION', () => ({ deliveriesLeft: subscription.contract.prepaid_credits }));
export const mailExpired = (work: UnitOfWork, subscription: Aggregate): void =>
  both(work, subscription, 'SUBSCRIPTION_EXPIRED', () => ({}));
export const mailUpgraded = (work: UnitOfWork, subscription: Aggregate, upgradedTo: string): void =>
  both(work, subscription, 'SUBSCRIPTION_UPGRADED', () => ({ upgradedTo }));
export const mailRescheduled = (work: UnitOfWork, subscription: Aggregate, next: Date): void =>
  both(work, subscription, 'SUBSCRIPTION_RESCHEDULED', say => ({ nextOrderOn: say.day(next) }));
export const mailDelayed = (work: UnitOfWork, subscription: Aggregate, next: Date): void =>
  both(work, subscription, 'SUBSCRIPTION_DELAYED', say => ({ nextOrderOn: say.day(next) }));
const onceAnOrder = (subscription: Aggregate, order: Date) => ({ once: `${version(subscription)}:${order.toISOString()}` });
/** One letter for orders that are skipped together: "July 3, July 10 and July 17". */
export const mailSkipped = (work: UnitOfWork, subscription: Aggregate, ...orders: [Date, ...Date[]]): void =>
  both(
    work,
    subscription,
    'ORDER_SKIPPED',
    say => ({ orderOn: new Intl.ListFormat(say.language).format(orders.map(order => say.day(order))) }),
    onceAnOrder(subscription, orders[0]),
  );
export const mailUnskipped = (work: UnitOfWork, subscription: Aggregate, order: Date): void =>
  both(work, subscription, 'ORDER_UNSKIPPED', say => ({ orderOn: say.day(order) }), onceAnOrder(subscription, order));

/** Some products were out of stock and left out. */
export function mailPartial(work: UnitOfWork, subscription: Aggregate, order: OrderRow, omitted: readonly LineRow[]): void {
  const { inventory } = work.settings;
  const read = (say: Speech): string[] => productsRead(subscription.contract, omitted.map(say.named)).map(one => one.name);
  if (inventory.notifyCustomer) toCustomer(work, subscription, 'ORDER_PARTIALLY_BILLED', String(order.id), say => ({ omitted: read(say) }));
  if (inventory.notifyAdmin)
    toAdmins(work, subscription, 'ADMIN_ORDER_PARTIALLY_BILLED', String(order.id), () => ({ omitted: omitted.map(nameOf) }));
}

/** An order waits for stock, or was skipped for lack of it. */
export function mailOutOfStock(work: UnitOfWork, subscription: Aggregate, order: OrderRow, outcome: 'DELAYED' | 'SKIPPED'): void {
  const { inventory } = work.settings;
  const once = `${order.id}:${outcome}`;
  if (inventory.notifyCustomer) toCustomer(work, subscription, 'PRODUCT_OUT_OF_STOCK', once, () => ({ outcome }));
  if (inventory.notifyAdmin)
    toAdmins(work, subscription, 'ADMIN_PRODUCT_OUT_OF_STOCK', once, say => ({ outcome, orderOn: say.day(order.billing_at) }));
}

/** What a failed charge sends: more tries to come, one last try to come, or failed for good. */
export function mailPaymentFailed(
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  failed: {
    kind: 'WILL_RETRY' | 'LAST_RETRY' | 'FAILED';
    category: FailureKey;
    nextRetryAt: Date | null;
    finalAction: string | null;
    sendAfter: Date;
    attempt: number;
    /** False: they have a letter about it. */
    tellCustomer: boolean;
  },
): void {
  const { label: failure } = failureCategory(failed.category);
  const amount = (say: Speech): string => say.money(order.total, order.currency_code);
  const explanation = (say: Speech): string => whyFailed(say, failed.category);
  const once = `${order.id}:${failed.attempt}`;
  const finalAction = failed.finalAction ?? 'NONE';
  const retryOn = (say: Speech): string | null => dayOrNull(say, failed.nextRetryAt);
  if (failed.kind === 'FAILED') {
    const told = (say: Speech) => ({ explanation: explanation(say), amount: amount(say), finalAction });
    toCustomer(work, subscription, 'PAYMENT_FAILED', once, told, failed.sendAfter);
    toAdmins(work, subscription, 'ADMIN_PAYMENT_FAILED', once, say => ({ amount: amount(say), failure, finalAction }));
    return;
  }
  const isLast = failed.kind === 'LAST_RETRY';
  const told = (say: Speech) => ({ explanation: explanation(say), amount: amount(say), isLast, retryOn: retryOn(say) });
  if (failed.tellCustomer) toCustomer(work, subscription, 'PAYMENT_FAILED_WITH_RETRIES', once, told, failed.sendAfter);
  const toTell = (say: Speech) => ({ amount: amount(say), failure, retryOn: retryOn(say) });
  toAdmins(work, subscription, isLast ? 'ADMIN_LAST_PAYMENT_RETRY' : 'ADMIN_PAYMENT_FAILED_WITH_RETRIES', once, toTell);
}

/** Leads the customer to where they confirm a payment, at once. False: it is not known where that is, or the store sends no such letter. */
export function mailToConfirm(
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  { attempt, nextRetryAt }: { attempt: number; nextRetryAt: Date },
): boolean {
  const { config, store } = work.context;
  const link = confirmLink(portalBase(config), store, order, work.at);
  if (link === null || isOff(work, 'PAYMENT_TO_CONFIRM')) return false;
  toCustomer(work, subscription, 'PAYMENT_TO_CONFIRM', `${order.id}:${attempt}`, say => ({
    amount: say.money(order.total, order.currency_code),
    link,
    retryOn: say.day(nextRetryAt),
  }));
  return true;
}

/** The team hears of a payment that its customer disputes, and until when it may answer. */
export const mailDisputed = (
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  { reference, amount, dueEpoch }: { reference: string; amount: number; dueEpoch: number | null },
): void =>
  toAdmins(work, subscription, 'ADMIN_PAYMENT_DISPUTED', reference, say => ({
    amount: say.money(amount, order.currency_code),
    answerBy: dueEpoch === null ? null : say.day(new Date(dueEpoch * 1000)),
  }));

/** Money of an order was given back: `amount` (minor units) by this refund, which `once` names. */
export const mailRefunded = (
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  { amount, once }: { amount: number; once: string },
): void =>
  toCustomer(work, subscription, 'ORDER_REFUNDED', once, say => ({
    amount: say.money(amount, order.currency_code),
    isWhole: order.refunded >= order.total,
    orderedOn: say.day(order.processed_at ?? order.billing_at),
  }));

/** The store's side is at fault: only the merchant hears, once a day for each reason. */
export function mailStoreSide(work: UnitOfWork, subscription: Aggregate, category: FailureKey, nextTry: Date | null): void {
  const { label: failure, description } = failureCategory(category);
  const values = (say: Speech) => ({ failure, description, retryOn: dayOrNull(say, nextTry) });
  toAdmins(work, subscription, 'ADMIN_PAYMENT_BLOCKED', `${category}:${isoDay(work.at.getTime(), work.zone)}`, values);
}

const onceAnHour = (work: UnitOfWork, subscription: Aggregate): string =>
  `${subscription.contract.id}:${work.at.toISOString().slice(0, 13)}`;

/** Asks the customer for a new payment method: by the link of the customer portal, or (null) by writing to the store. */
export const mailUpdateMethod = (
  work: UnitOfWork,
  subscription: Aggregate,
  link: string | null,
  validFor: (language: string) => string,
): void =>
  toCustomer(work, subscription, 'PAYMENT_METHOD_UPDATE', onceAnHour(work, subscription), say => ({
    link,
    validFor: validFor(say.language),
  }));

/** The link to the customer's own page, on the merchant's wish. */
export const mailPortalLink = (work: UnitOfWork, subscription: Aggregate, link: string, validFor: (language: string) => string): void =>
  toCustomer(work, subscription, 'CUSTOMER_PORTAL_LINK', onceAnHour(work, subscription), say => ({
    link,
    validFor: validFor(say.language),
  }));

/** Words of a flow in the store's primary language, and which of its texts they are. */
export interface FlowText {
  flowId: number;
  key: 'rewardNotification.emailText' | 'rewardNotification.upcomingOrderEmailText';
  text: string;
}
const inLanguage = ({ settings: { words } }: UnitOfWork, { language }: Speech, { flowId, key, text }: FlowText): string =>
  words.find(language, { ownerKind: 'flow', ownerId: String(flowId), key })?.value ?? text;

/** Some days before an order is charged, or sent where it is paid in advance: what is in it, and what is charged for it (minor units). */
export const mailUpcomingOrder = (
  work: UnitOfWork,
  subscription: Aggregate,
  { billingAt, isPrepaidDelivery: isPrepaid }: { billingAt: number; isPrepaidDelivery: boolean },
  { lines, total, shipping, discount }: Pick<PricedOrder, 'lines' | 'total' | 'shipping' | 'discount'>,
  rewards: readonly FlowText[],
): void => {
  const { contract } = subscription;
  const money = (say: Speech, minor: number): string => say.money(minor, contract.currency_code);
  const products = (say: Speech) =>
    productsOfOrder(contract, lines, say.named).map(({ name, quantity, line, lines: all }) => {
      const price = all.reduce((sum, one) => sum + toMinor(one.total, contract.currency_code), 0);
      return { name, quantity, picture: line?.image ?? null, price: price === 0 ? null : money(say, price) };
    });
  const values = (say: Speech) => ({
    date: say.day(new Date(billingAt)),
    products: products(say),
    shipping: total === 0 || shipping === 0 ? null : money(say, shipping),
    discount: total === 0 || discount === 0 ? null : money(say, -discount),
    rewards: rewards.map(text => inLanguage(work, say, text)),
    amount: total === 0 ? null : money(say, total),
    isPrepaid,
  });
  toCustomer(work, subscription, 'UPCOMING_ORDER', `${contract.id}:${dateLabel(billingAt, work.zone)}`, values);
};

/** What a flow has added to the next order, in the store's own words. */
export const mailReward = (work: UnitOfWork, subscription: Aggregate, once: string, reward: FlowText): void =>
  toCustomer(work, subscription, 'REWARD_ADDED', once, say => ({
    reward: inLanguage(work, say, reward),
    nextOrderOn: dayOrNull(say, subscription.contract.next_billing_at),
  }));

/** Some days before a card expires; one letter for a card, however many subscriptions it pays for. */
export const mailCardExpiring = (work: UnitOfWork, subscription: Aggregate, method: MethodRow, days: number): void =>
  toCustomer(work, subscription, 'CARD_EXPIRING', `${method.id}:${method.expiry_year}-${method.expiry_month}:${days}`, () => ({
    lastDigits: method.last_digits ?? '',
    days,
    expiry: `${String(method.expiry_month).padStart(2, '0')}/${method.expiry_year}`,
  }));
