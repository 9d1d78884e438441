// E-mails that a person sends by a press of a button, or a program by a call: links, invitations, tests, letters sent again. However
// often they ask, an address gets few of them within an hour, and a store sends no more than people would by hand.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { invalidState, Refusal, type Message } from '../context.ts';
import { NOT_SENT, blockFor, blocksOf } from './blocks.ts';
import { addMails, mailRow } from './mail-rows.ts';

/** The most of one kind within an hour: to one address, and of the whole store. */
interface MailLimit {
  toOne: number;
  ofStore: number;
}
const USUAL: MailLimit = { toOne: 5, ofStore: 200 };
/** Other limits by template. Who writes letters sends tests of them to themselves again and again. */
const LIMITS: Readonly<Record<string, MailLimit>> = { TEST: { toOne: 60, ofStore: 200 } };
export const mailLimit = (template: string): MailLimit => LIMITS[template] ?? USUAL;

const HOUR_SECONDS = 3600;

/**
 * Puts an e-mail into the outbox that was asked for by a call; `now` is the store's clock.
 * @throws Refusal 409 where nothing is sent to the address any more, 429 with Retry-After (s) when the address, or the store, had its
 *   share within the hour
 */
export async function mailByHand(trx: Kysely<Tables>, storeId: number, message: Message, now: Date): Promise<void> {
  const { template, to } = message;
  const { toOne, ofStore } = mailLimit(template);
  const blocked = blockFor(undefined, await blocksOf({ trx, storeId }, [to]));
  if (blocked) throw invalidState(translated(NOT_SENT[blocked]));
  // Those that come at once are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} mail by hand ${template}`}, 0))`.execute(trx);
  const { rows } = await sql<{ sent: number; sent_to: number; wait: number | null; wait_to: number | null }>`
    with sent as (select created_at, lower(recipient) = lower(${to}) as is_theirs from outbox where store_id = ${storeId}::integer
      and by_hand and template = ${template} and created_at > ${now}::timestamptz - ${HOUR_SECONDS} * interval '1 second')
    select count(*)::integer as sent, (count(*) filter (where is_theirs))::integer as sent_to,
      ceil(extract(epoch from min(created_at) - ${now}::timestamptz))::integer + ${HOUR_SECONDS} as wait,
      ceil(extract(epoch from min(created_at) filter (where is_theirs) - ${now}::timestamptz))::integer + ${HOUR_SECONDS} as wait_to
    from sent`.execute(trx);
  const { sent = 0, sent_to: sentTo = 0, wait = null, wait_to: waitTo = null } = rows[0] ?? {};
  const refuse = (text: string, seconds: number | null): Refusal =>
    new Refusal(429, 'TOO_MANY_REQUESTS', text, undefined, undefined, Math.max(1, seconds ?? HOUR_SECONDS));
  if (sentTo >= toOne)
    throw refuse(
      t`${to} was sent this e-mail ${toOne} times within an hour. Ask them to look in their spam folder, or try again later.`,
      waitTo,
    );
  if (sent >= ofStore) throw refuse(t`Your store has sent ${ofStore} of these e-mails within an hour. Go on in a while.`, wait);
  await addMails(trx, [{ ...mailRow(storeId, message, now), by_hand: true }]);
}
