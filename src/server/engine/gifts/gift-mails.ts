// The e-mails about gifts (schemas/messages/GIFT_SUBSCRIPTION_*.json): to the giver and to the recipient, in the language of the purchase.
import { notOnQuietDays } from '../../../domain/calendar/quiet-time.ts';
import { t } from '../../../domain/text/t.ts';
import type { MessageKey } from '../../../generated/families.ts';
import { invalidState } from '../../platform/context.ts';
import { mailByHand } from '../../platform/mail/by-hand.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import type { Aggregate } from '../aggregate.ts';
import { isErased } from '../erased.ts';
import { fill, isOff, type Values } from '../mails.ts';
import type { GiftRow, OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { giftPage, ordersLeft } from './gift.ts';
import type { productsOfOrder } from '../products-read.ts';

type GiftKey = Extract<MessageKey, `GIFT_SUBSCRIPTION_${string}`>;

/** The contract as a letter about it sees it: its customer is who reads it. */
function readerOf(
  { context }: UnitOfWork,
  { contract, lines }: Aggregate,
  gift: GiftRow,
  key: GiftKey,
): Pick<Aggregate, 'lines'> & { reader: Aggregate['contract'] } {
  const reader =
    context.messages[key]?.gift === 'recipient'
      ? {
          ...contract,
          customer_name: `${gift.recipient_first_name} ${gift.recipient_last_name}`.trim(),
          customer_first_name: gift.recipient_first_name,
          customer_email: gift.recipient_email,
        }
      : contract;
  return { reader, lines };
}

function send<K extends GiftKey>(work: UnitOfWork, subscription: Aggregate, gift: GiftRow, key: K, once: string, values: Values<K>): void {
  if (work.context.mails === 'NONE' || isOff(work, key)) return;
  const { contract } = subscription;
  const { reader, lines } = readerOf(work, subscription, gift, key);
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
/** Where the letter leads to; null while the store has no pages for customers. */
const pageFor = ({ settings, context, at }: UnitOfWork, gift: GiftRow): string | null =>
  settings.hasPortal ? giftPage(context.config, gift, at) : null;
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
  send(work, subscription, gift, RECEIVED, String(gift.id), received(work, subscription, gift));

/** The same once more, where its link is too old or the letter was lost. @throws Refusal 409, 429 */
export async function sendGiftAgain(work: UnitOfWork, subscription: Aggregate, gift: GiftRow): Promise<void> {
  const { context } = work;
  if (gift.received_at === null || gift.status === 'CANCELLED' || isErased(gift.recipient_email))
    throw invalidState(t`There is no e-mail of this gift to send.`);
  if (isOff(work, RECEIVED)) throw invalidState(t`The store sends no e-mails about gifts at the moment.`);
  const { reader, lines } = readerOf(work, subscription, gift, RECEIVED);
  const letter = fill(work, { contract: reader, lines }, RECEIVED, received(work, subscription, gift), reader.customer_locale);
  await mailByHand(
    context.trx,
    context.storeId,
    { ...letter, to: reader.customer_email, contractId: gift.id, dedupeKey: `${RECEIVED}:${gift.id}:${work.at.getTime()}` },
    work.at,
  );
}

const RECEIVED = 'GIFT_SUBSCRIPTION_RECEIVED';
const received =
  (work: UnitOfWork, subscription: Aggregate, gift: GiftRow): Values<typeof RECEIVED> =>
  say => ({
    giverName: gift.sender_name,
    message: gift.message,
    ordersTotal: gift.total_orders,
    nextOrderOn: dayOrNull(say, subscription.contract.next_billing_at),
    giftPage: pageFor(work, gift),
  });

/** To the recipient, some days before an order. */
export const mailGiftOrder = (
  work: UnitOfWork,
  subscription: Aggregate,
  gift: GiftRow,
  { date, day, products }: { date: Date; day: string; products: (say: Speech) => ReturnType<typeof productsOfOrder> },
): void =>
  send(work, subscription, gift, 'GIFT_SUBSCRIPTION_UPCOMING_ORDER', `${gift.id}:${day}`, say => ({
    giverName: gift.sender_name,
    date: say.day(date),
    products: products(say).map(({ name, quantity, line }) => ({ name, quantity, picture: line?.image ?? null })),
    ordersLeft: ordersLeft(subscription),
    giftPage: pageFor(work, gift),
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

/** To the giver, when money was given back (minor units); `once` makes it one letter for each refund. */
export const mailGiftRefunded = (
  work: UnitOfWork,
  subscription: Aggregate,
  gift: GiftRow,
  order: OrderRow,
  { amount, once }: { amount: number; once: string },
): void =>
  send(work, subscription, gift, 'GIFT_SUBSCRIPTION_REFUNDED', once, say => ({
    recipientFirstName: gift.recipient_first_name,
    amount: say.money(amount, order.currency_code),
    isWhole: order.refunded >= order.total,
  }));
