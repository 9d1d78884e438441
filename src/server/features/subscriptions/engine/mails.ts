// The e-mails that the engine sends: one small function for each, all by way of the outbox. Keys are those of the notification settings.
import { formatMoney } from '../../../../domain/money/money.ts';
import { dateLabel } from '../../../../domain/calendar/calendar.ts';
import { failureCategory, type FailureKey } from '../../../../domain/recovery/failure-codes.ts';
import type { Message } from '../../../platform/context.ts';
import type { Aggregate } from './aggregate.ts';
import { nameOf } from './price.ts';
import type { MethodRow, OrderRow } from './rows.ts';
import type { UnitOfWork } from './unit-of-work.ts';

interface Letter {
  template: string;
  subject: string;
  lines: (string | false | null | undefined)[];
}

const firstName = (a: Aggregate): string => a.contract.customer_name.split(' ')[0] || 'there';
const day = (work: UnitOfWork, at: Date): string => dateLabel(at.getTime(), work.zone);
const list = (a: Aggregate): string =>
  a.lines
    .filter(line => !line.one_time_added)
    .map(line => `- ${line.quantity} × ${nameOf(line)}`)
    .join('\n');
const text = (lines: Letter['lines']): string => lines.filter(Boolean).join('\n\n');

/** To the customer. `key` makes the letter unique: sent once, however often the work is repeated. */
function toCustomer(work: UnitOfWork, a: Aggregate, key: string, { template, subject, lines }: Letter, sendAfter?: Date): void {
  if (!a.contract.customer_email) return;
  const { store } = work.context;
  const message: Message = {
    template,
    to: a.contract.customer_email,
    subject,
    text: text([`Hi ${firstName(a)},`, ...lines, store.name]),
    contractId: a.contract.id,
    dedupeKey: `${template}:${key}`,
  };
  work.mail(sendAfter ? { ...message, sendAfter } : message);
}
/** How customers change things by themselves: on their own page where a portal stands, else by asking the store. */
const byThemselves = ({ context }: UnitOfWork): string =>
  context.config.portalUrl === undefined ? `by writing to ${context.store.email}` : 'in your customer account';
/** To everybody who is to hear about the store's subscriptions (settings, general). */
function toAdmins(work: UnitOfWork, a: Aggregate, key: string, { template, subject, lines }: Letter): void {
  for (const address of work.settings.adminEmails) {
    work.mail({
      template: `ADMIN_${template}`,
      to: address,
      subject,
      text: text([...lines, `Subscription #${a.contract.id} of ${a.contract.customer_name} (${a.contract.customer_email}).`]),
      contractId: a.contract.id,
      dedupeKey: `ADMIN_${template}:${key}:${address}`,
    });
  }
}
/** Every change of a contract has its own version, so one e-mail for each change. */
const once = (a: Aggregate): string => `${a.contract.id}:${a.contract.version}`;

/** `key` where one change may send several of a kind. */
function both(
  work: UnitOfWork,
  a: Aggregate,
  template: string,
  subject: string,
  customer: Letter['lines'],
  admin: string,
  tellCustomer = true,
  key = once(a),
): void {
  if (work.context.mails === 'NONE') return;
  if (tellCustomer) toCustomer(work, a, key, { template, subject, lines: customer });
  toAdmins(work, a, key, { template, subject: `${subject} (#${a.contract.id})`, lines: [admin] });
}

export const mailCreated = (work: UnitOfWork, a: Aggregate, tellCustomer: boolean): void =>
  both(
    work,
    a,
    'NEW_SUBSCRIPTION',
    'Your subscription has started',
    [
      `Thank you for subscribing. You get ${a.contract.frequency.toLowerCase()}:`,
      list(a),
      a.contract.next_billing_at && `Your next order is on ${day(work, a.contract.next_billing_at)}.`,
    ],
    'A new subscription was created.',
    tellCustomer,
  );

export const mailPaused = (work: UnitOfWork, a: Aggregate): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_PAUSED',
    'Your subscription is paused',
    [
      a.contract.resume_at
        ? `Your subscription is paused. It goes on by itself on ${day(work, a.contract.resume_at)}.`
        : 'Your subscription is paused. No order is placed until you resume it.',
    ],
    a.contract.resume_at ? `A subscription was paused until ${day(work, a.contract.resume_at)}.` : 'A subscription was paused.',
  );

export const mailResumed = (work: UnitOfWork, a: Aggregate, next: Date | null): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_RESUMED',
    'Your subscription goes on',
    ['Your subscription is active again.', next && `Your next order is on ${day(work, next)}.`],
    'A subscription was resumed.',
  );

export const mailReactivated = (work: UnitOfWork, a: Aggregate, next: Date | null): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_REACTIVATED',
    'Your subscription is active again',
    ['Welcome back. Your subscription is active again.', next && `Your next order is on ${day(work, next)}.`],
    'A subscription was reactivated.',
  );

export const mailCancelled = (work: UnitOfWork, a: Aggregate, tellCustomer: boolean): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_CANCELLED',
    'Your subscription is cancelled',
    ['Your subscription is cancelled and no further order is placed.'],
    `A subscription was cancelled${a.contract.cancellation_reason ? `: ${a.contract.cancellation_reason}` : ''}.`,
    tellCustomer,
  );

export const mailMarkedForCancellation = (work: UnitOfWork, a: Aggregate): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_MARKED_FOR_CANCELLATION',
    'Your subscription ends after the paid deliveries',
    [`Your subscription ends by itself when the ${a.contract.prepaid_credits} paid deliveries are sent. Nothing more is charged.`],
    'A prepaid subscription was marked to end after its paid deliveries.',
  );

export const mailExpired = (work: UnitOfWork, a: Aggregate): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_EXPIRED',
    'Your subscription is complete',
    ['The last order of your subscription is placed. Thank you for having been with us.'],
    'A subscription reached its last order and ended.',
  );

export const mailUpgraded = (work: UnitOfWork, a: Aggregate, name: string): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_UPGRADED',
    'Your subscription is upgraded',
    [`From your next order on you get ${name}, ${a.contract.frequency.toLowerCase()}.`],
    `A subscription was upgraded to ${name}.`,
  );

export const mailRescheduled = (work: UnitOfWork, a: Aggregate, next: Date): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_RESCHEDULED',
    'Your next order has a new date',
    [`Your next order is now on ${day(work, next)}.`],
    `An order was moved to ${day(work, next)}.`,
  );

export const mailDelayed = (work: UnitOfWork, a: Aggregate, next: Date): void =>
  both(
    work,
    a,
    'SUBSCRIPTION_DELAYED',
    'Your next order comes later',
    [`Your next order is now on ${day(work, next)}.`],
    `An order was delayed to ${day(work, next)}.`,
  );

export const mailSkipped = (work: UnitOfWork, a: Aggregate, order: Date): void =>
  both(
    work,
    a,
    'ORDER_SKIPPED',
    'Your order is skipped',
    [`Your order of ${day(work, order)} is skipped. Nothing is charged for it.`],
    `The order of ${day(work, order)} was skipped.`,
    true,
    `${once(a)}:${order.toISOString()}`,
  );

export const mailUnskipped = (work: UnitOfWork, a: Aggregate, order: Date): void =>
  both(
    work,
    a,
    'ORDER_UNSKIPPED',
    'Your order is back',
    [`Your order of ${day(work, order)} is placed after all.`],
    `The skipped order of ${day(work, order)} was put back.`,
    true,
    `${once(a)}:${order.toISOString()}`,
  );

/** Some products were out of stock and left out. */
export function mailPartial(work: UnitOfWork, a: Aggregate, order: OrderRow, omitted: readonly string[]): void {
  const { inventory } = work.settings;
  const lines = [
    `These products are out of stock and come with your next order: ${omitted.join(', ')}.`,
    'Everything else is on its way, and only that was charged.',
  ];
  if (inventory.notifyCustomer)
    toCustomer(work, a, String(order.id), { template: 'ORDER_PARTIALLY_BILLED', subject: 'A part of your order is out of stock', lines });
  if (inventory.notifyAdmin)
    toAdmins(work, a, String(order.id), {
      template: 'ORDER_PARTIALLY_BILLED',
      subject: `Order partially billed (#${a.contract.id})`,
      lines: [`Left out for lack of stock: ${omitted.join(', ')}.`],
    });
}

/** An order waits for stock, or was skipped for lack of it. */
export function mailOutOfStock(work: UnitOfWork, a: Aggregate, order: OrderRow, outcome: 'DELAYED' | 'SKIPPED'): void {
  const { inventory } = work.settings;
  const what = outcome === 'DELAYED' ? 'We place it as soon as everything is there again.' : 'We skip it this time. Nothing is charged.';
  const key = `${order.id}:${outcome}`;
  if (inventory.notifyCustomer)
    toCustomer(work, a, key, {
      template: 'PRODUCT_OUT_OF_STOCK',
      subject: 'Your order is out of stock',
      lines: ['A product of your order is out of stock.', what],
    });
  if (inventory.notifyAdmin)
    toAdmins(work, a, key, {
      template: 'PRODUCT_OUT_OF_STOCK',
      subject: `Order ${outcome === 'DELAYED' ? 'waits for stock' : 'skipped, out of stock'} (#${a.contract.id})`,
      lines: [`The order of ${day(work, order.billing_at)} lacks stock.`],
    });
}

const FINAL_TEXT: Record<string, string> = {
  SKIP: 'We skip this order; your subscription goes on with the next one.',
  PAUSE: 'Your subscription is paused.',
  CANCEL: 'Your subscription is cancelled.',
  NONE: 'The order stays unpaid.',
};

/** What a failed charge sends: more tries to come, one last try to come, or failed for good. */
export function mailPaymentFailed(
  work: UnitOfWork,
  a: Aggregate,
  order: OrderRow,
  failure: {
    kind: 'WILL_RETRY' | 'LAST_RETRY' | 'FAILED';
    category: FailureKey;
    nextRetryAt: Date | null;
    finalAction: string | null;
    sendAfter: Date;
    attempt: number;
  },
): void {
  const { customerText, label } = failureCategory(failure.category);
  const amount = formatMoney(order.total, order.currency_code);
  const key = `${order.id}:${failure.attempt}`;
  const retry = failure.nextRetryAt ? day(work, failure.nextRetryAt) : '';
  const isFinal = failure.kind === 'FAILED';
  const template = isFinal ? 'PAYMENT_FAILED' : 'PAYMENT_FAILED_WITH_RETRIES';
  toCustomer(
    work,
    a,
    key,
    {
      template,
      subject: isFinal ? 'Your payment failed' : 'We could not take your payment',
      lines: [
        `${customerText} The payment of ${amount} was not taken.`,
        failure.kind === 'WILL_RETRY' && `We try again on ${retry}.`,
        failure.kind === 'LAST_RETRY' && `We try one last time on ${retry}.`,
        isFinal && FINAL_TEXT[failure.finalAction ?? 'NONE'],
        `You can update your payment method ${byThemselves(work)}.`,
      ],
    },
    failure.sendAfter,
  );
  const subject = isFinal
    ? 'Payment failed'
    : failure.kind === 'LAST_RETRY'
      ? 'Last payment retry ahead'
      : 'Payment failed, will be retried';
  toAdmins(work, a, key, {
    template: failure.kind === 'LAST_RETRY' ? 'LAST_PAYMENT_RETRY' : template,
    subject: `${subject} (#${a.contract.id})`,
    lines: [
      `${amount}: ${label}.`,
      isFinal ? `No further try. Done: ${(failure.finalAction ?? 'NONE').toLowerCase()}.` : `Next try on ${retry}.`,
    ],
  });
}

/** The store's side is at fault: only the merchant hears, once a day for each reason. */
export function mailStoreSide(work: UnitOfWork, a: Aggregate, category: FailureKey, nextTry: Date | null): void {
  const { label, description } = failureCategory(category);
  toAdmins(work, a, `${category}:${work.at.toISOString().slice(0, 10)}`, {
    template: 'PAYMENT_BLOCKED',
    subject: `Charges fail on the store's side: ${label}`,
    lines: [
      description,
      nextTry ? `The next try is on ${day(work, nextTry)}.` : 'No further try is made. Charge the order by hand when it is solved.',
    ],
  });
}

/** Asks the customer for a new payment method: by the link of the customer portal, or (null) by writing to the store. */
export const mailUpdateMethod = (work: UnitOfWork, a: Aggregate, link: string | null): void =>
  toCustomer(work, a, `${a.contract.id}:${work.at.toISOString().slice(0, 13)}`, {
    template: 'PAYMENT_METHOD_UPDATE',
    subject: 'Please update your payment method',
    lines: link
      ? ['Please enter your payment method anew, so that your subscription goes on.', link, 'The link is valid for 24 hours.']
      : [
          'We need a new payment method from you, so that your subscription goes on.',
          `Please write to ${work.context.store.email}, and we tell you how to give it. Never send card numbers by e-mail.`,
        ],
  });

/** The link to the customer's own page, on the merchant's wish. */
export const mailPortalLink = (work: UnitOfWork, a: Aggregate, link: string): void =>
  toCustomer(work, a, `${a.contract.id}:${work.at.toISOString().slice(0, 13)}`, {
    template: 'CUSTOMER_PORTAL_LINK',
    subject: 'Your link to your subscription',
    lines: ['Here you can see and change your subscription:', link, 'The link is valid for 24 hours.'],
  });

/** Some days before an order is charged, or sent where it is paid in advance: what is in it, and what is charged for it (minor units). */
export const mailUpcomingOrder = (
  work: UnitOfWork,
  a: Aggregate,
  { billingAt, isPrepaidDelivery }: { billingAt: number; isPrepaidDelivery: boolean },
  { lines, total }: { lines: readonly { name: string; quantity: number }[]; total: number },
): void =>
  toCustomer(work, a, `${a.contract.id}:${dateLabel(billingAt, work.zone)}`, {
    template: 'UPCOMING_ORDER',
    subject: `Your next order is on ${dateLabel(billingAt, work.zone)}`,
    lines: [
      `Your next order is on ${dateLabel(billingAt, work.zone)}:`,
      lines.map(line => `- ${line.quantity} × ${line.name}`).join('\n'),
      total === 0
        ? isPrepaidDelivery
          ? 'It is paid already, nothing is charged.'
          : 'Nothing is charged for it.'
        : (isPrepaidDelivery ? 'The delivery itself is paid already; beside it ' : '') +
          `${formatMoney(total, a.contract.currency_code)} will be charged.`,
      `Before that day you can change or skip it ${byThemselves(work)}.`,
    ],
  });

/** Some days before a card expires; one letter for a card, however many subscriptions it pays for. */
export const mailCardExpiring = (work: UnitOfWork, a: Aggregate, method: MethodRow, days: number): void =>
  toCustomer(work, a, `${method.id}:${method.expiry_year}-${method.expiry_month}:${days}`, {
    template: 'CARD_EXPIRING',
    subject: 'Your card is about to expire',
    lines: [
      `Your card ending in ${method.last_digits ?? ''} expires ${days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`}, ` +
        `at the end of ${String(method.expiry_month).padStart(2, '0')}/${method.expiry_year}.`,
      `It pays for your subscription. You can replace it ${byThemselves(work)}, so that your orders go on.`,
    ],
  });
