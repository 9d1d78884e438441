// The e-mails about gifts (schemas/messages/GIFT_SUBSCRIPTION_*.json): to who gives and to who gets, in the language of the purchase.
import { notOnQuietDays } from '../../../domain/calendar/quiet-time.ts';
import type { MessageKey } from '../../../generated/families.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import type { Aggregate } from '../aggregate.ts';
import { fill, isOff, type Values } from '../mails.ts';
import type { GiftRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { giftPage, ordersLeft } from './gift.ts';
import type { productsOfOrder } from '../products-read.ts';

type GiftKey = Extract<MessageKey, `GIFT_SUBSCRIPTION_${string}`>;

function send<K extends GiftKey>(work: UnitOfWork, subscription: Aggregate, gift: GiftRow, key: K, once: string, values: Values<K>): void {
  const kind = work.context.messages[key];
  if (work.context.mails === 'NONE' || isOff(work, key)) return;
  const { contract, lines } = subscription;
  const reader =
    kind?.gift === 'recipient'
      ? {
          ...contract,
          customer_name: `${gift.recipient_first_name} ${gift.recipient_last_name}`.trim(),
          customer_first_name: gift.recipient_first_name,
          customer_email: gift.recipient_email,
        }
      : contract;
  if (!reader.customer_email) return;
  const at = notOnQuietDays(work.at, work.settings.quiet, work.zone);
  const letter = fill(work, { contract: reader, lines }, key, values, contract.customer_locale);
  work.mail({
    ...letter,
    to: reader.customer_email,
    contractId: contract.id,
    dedupeKey: `${key}:${once}`,
    ...(at === work.at ? {} : { sendAfter: at }),
  });
}
const dayOrNull = (say: Speech, at: Date | null): string | null => at && say.day(at);

/** To the giver, after the purchase; `startsOn` where the recipient hears of it on another day. */
export const mailGiftCreated = (work: UnitOfWork, subscription: Aggregate, gift: GiftRow, startsOn: Date | null): void =>
  send(work, subscription, gift, 'GIFT_SUBSCRIPTION_CREATED', String(gift.id), say => ({
    recipientFirstName: gift.recipient_first_name,
    ordersTotal: gift.total_orders,
    startsOn: dayOrNull(say, startsOn),
  }));

/** To the recipient, on the day that the gift starts. */
export const mailGiftReceived = (work: UnitOfWork, subscription: Aggregate, gift: GiftRow): void =>
  send(work, subscription, gift, 'GIFT_SUBSCRIPTION_RECEIVED', String(gift.id), say => ({
    giverName: gift.sender_name,
    message: gift.message,
    ordersTotal: gift.total_orders,
    nextOrderOn: dayOrNull(say, subscription.contract.next_billing_at),
    giftPage: giftPage(work.context.config, gift),
  }));

/** To the recipient, some days before an order. */
export const mailGiftOrder = (
  work: UnitOfWork,
  subscription: Aggregate,
  gift: GiftRow,
  { date, day, products }: { date: Date; day: string; products: ReturnType<typeof productsOfOrder> },
): void =>
  send(work, subscription, gift, 'GIFT_SUBSCRIPTION_UPCOMING_ORDER', `${gift.id}:${day}`, say => ({
    giverName: gift.sender_name,
    date: say.day(date),
    products: products.map(({ name, quantity, line }) => ({ name, quantity, picture: line?.image ?? null })),
    ordersLeft: ordersLeft(subscription),
    giftPage: giftPage(work.context.config, gift),
  }));

/** To the giver, when the recipient has written thanks. */
export const mailGiftThanks = (work: UnitOfWork, subscription: Aggregate, gift: GiftRow, thanksMessage: string): void =>
  send(work, subscription, gift, 'GIFT_SUBSCRIPTION_THANKS_MESSAGE', String(gift.id), () => ({
    recipientFirstName: gift.recipient_first_name,
    thanksMessage,
  }));

/** To the recipient, some days after the last order. */
export const mailGiftCompleted = (work: UnitOfWork, subscription: Aggregate, gift: GiftRow): void =>
  send(work, subscription, gift, 'GIFT_SUBSCRIPTION_COMPLETED', String(gift.id), () => ({
    giverName: gift.sender_name,
    ordersTotal: gift.total_orders,
  }));
