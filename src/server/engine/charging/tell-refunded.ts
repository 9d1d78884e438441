// The letter about money that was given back: to the customer of a subscription, or to who gave a gift.
import { giftsOf } from '../gifts/gift.ts';
import { mailGiftRefunded } from '../gifts/gift-mails.ts';
import type { Aggregate } from '../aggregate.ts';
import { mailRefunded } from '../mails.ts';
import type { OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** `amount` in minor units; `once` makes it one letter for each refund. */
export async function tellRefunded(
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  about: { amount: number; once: string },
): Promise<void> {
  const gift = (await giftsOf(work.context, [subscription])).get(subscription.contract.id);
  if (gift) mailGiftRefunded(work, subscription, gift, order, about);
  else mailRefunded(work, subscription, order, about);
}
