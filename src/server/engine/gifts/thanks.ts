// What the recipient of a gift writes to the giver.
import { sql } from 'kysely';
import { t } from '../../../domain/text/t.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import type { GiftRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { mailGiftThanks } from './gift-mails.ts';

const LONGEST = 500;

/** Writes the recipient's thanks, once, and sends them to the giver. @throws Refusal 409, 422 */
export async function thank(work: UnitOfWork, subscription: Aggregate, gift: GiftRow, message: string): Promise<void> {
  const text = message.trim();
  if (work.settings.gift.allowThanksMessage !== true) throw invalidState(t`This store passes no thanks on.`);
  if (gift.thanked_at !== null) throw invalidState(t`Thanks were written already.`);
  if (text === '' || text.length > LONGEST)
    throw invalid([{ pointer: '/message', rule: 'maxLength', message: t`Write between 1 and ${LONGEST} characters.` }]);
  await sql`update gifts set thanks_message = ${text}, thanked_at = ${work.at}::timestamptz where store_id = ${gift.store_id}::integer
    and id = ${gift.id}::bigint`.execute(work.context.trx);
  work.note(subscription, 'gift_thanked', { message: text });
  mailGiftThanks(work, subscription, gift, text);
}
