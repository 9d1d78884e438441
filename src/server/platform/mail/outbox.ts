// The outbox: mail is written down in the transaction that causes it and leaves afterwards, once.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { framed } from '../../../domain/messages/frame.ts';
import { withUtm } from '../../../domain/messages/utm.ts';
import type { Definitions } from '../../../contract/types.ts';
import { newToken } from '../auth/tokens.ts';
import type { Message } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { StoreLog } from '../db/engine.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import { letterheadOf, type Letterhead } from './letterhead.ts';
import { PermanentFailure, type Letter, type MailTransport } from './mail-transport.ts';

/** A message as the outbox holds it. */
export type MailRow = ReturnType<typeof mailRow>;
export const mailRow = (storeId: number, message: Message, now: Date) => ({
  store_id: storeId,
  dedupe_key: message.dedupeKey ?? null,
  template: message.template,
  recipient: message.to,
  subject: message.subject,
  text: message.text,
  html: message.html ?? '',
  language: message.language ?? 'en',
  contract_id: message.contractId ?? null,
  send_after: message.sendAfter ?? now,
  resends: message.resends ?? null,
  by_hand: false,
  created_at: now,
});

/** Adds messages in one statement; the same `dedupe_key` of a store is added once. */
export async function addMails(trx: Kysely<Tables>, rows: readonly MailRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map(name => sql.ref(name)));
  await sql`insert into outbox (${columns}) select ${columns}
    from jsonb_populate_recordset(null::outbox, ${JSON.stringify(rows)}::jsonb) on conflict do nothing`.execute(trx);
}

/** Adds one message; the same `dedupeKey` of a store is added once. `now` is the store's clock. */
export const enqueueMail = (trx: Kysely<Tables>, storeId: number, message: Message, now: Date): Promise<void> =>
  addMails(trx, [mailRow(storeId, message, now)]);

/** Tries per message; the pause between them doubles from one minute to an hour. */
const MAX_ATTEMPTS = 8;
const BATCH = 50;

interface Due {
  store_id: number;
  id: number;
  template: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  language: string;
  attempts: number;
  open_key: string | null;
}

/** What sending knows besides the messages. */
export interface Sending {
  definitions: Definitions;
  /** Opens the keys that letters of own domains are signed with. */
  secrets: SecretBox;
  /** Where pictures of e-mails are served, without a slash at the end. */
  base: string;
  /** Letters carry a picture of one pixel that tells when they are opened; only where recipients can reach `base`. */
  isTracked: boolean;
  signal?: AbortSignal;
}

/**
 * Sends what is due in every store, by each store's clock. Messages are claimed first, so that processes don't send the same one twice; a
 * process that dies between sending and noting it leaves a message to be sent again, under the same message id.
 * @returns how many left
 */
export async function sendDueMail(db: Database, transport: MailTransport, log: StoreLog, sending: Sending): Promise<number> {
  let sent = 0;
  const { rows: stores } = await db.ownerQuery<{
    id: number;
    name: string;
  }>(`select s.id, s.name from stores s where exists (select 1 from outbox o where o.store_id = s.id and o.sent_at is null
      and o.failed_reason is null
    and o.send_after <= now() + s.clock_offset_ms * interval '1 millisecond')`);
  for (const { id: storeId, name } of stores) {
    for (;;) {
      sending.signal?.throwIfAborted();
      const { messages, head } = await db.inStore(storeId, async trx => ({
        messages: await claimDue(trx, storeId, sending.isTracked),
        head: await letterheadOf({ trx, storeId, definitions: sending.definitions, secrets: sending.secrets }, name, sending.base),
      }));
      for (const message of messages) {
        const letter = letterFor(message, head, sending);
        const outcome = await transport.carry(letter).then(
          () => ({ letter, brandVersion: head.brandVersion }),
          (error: unknown) => ({ error }),
        );
        await db.inStore(storeId, trx => note(trx, message, outcome));
        if ('letter' in outcome) sent++;
        else
          log.warn(
            {
              storeId,
              message: message.id,
              attempt: message.attempts,
              error: outcome.error instanceof Error ? outcome.error.name : 'unknown',
            },
            'A mail could not be sent.',
          );
      }
      if (messages.length < BATCH) break;
    }
  }
  return sent;
}

/** A message under the letterhead of its store. What the product itself writes to its people is sent in its own name. */
function letterFor(message: Due, head: Letterhead, { definitions, base, isTracked }: Sending): Letter {
  const audience = definitions.messages[message.template]?.audience;
  const isOwn = audience === 'user';
  const isToCustomer = audience === 'customer';
  const { subject, text, html } = isToCustomer ? withUtm(message, head.utm) : message;
  const pixel = isToCustomer && isTracked && message.open_key ? `${base}/mail/opened/${message.open_key}.gif` : '';
  const from = { ...(head.senderName ? { name: head.senderName } : {}), ...(head.from ? { address: head.from } : {}) };
  return {
    recipient: message.recipient,
    subject,
    text,
    html:
      html &&
      framed({ subject, html, language: message.language, storeName: head.storeName, brand: head.brand, ...(pixel ? { pixel } : {}) }),
    messageId: `perennial-${message.store_id}-${message.id}`,
    ...(isOwn || Object.keys(from).length === 0 ? {} : { from }),
    ...(!isOwn && head.signature ? { signature: head.signature } : {}),
    ...(!isOwn && audience !== 'admins' && head.replyTo ? { replyTo: head.replyTo } : {}),
    ...(isToCustomer && head.bcc.length ? { bcc: head.bcc } : {}),
  };
}

async function claimDue(trx: Kysely<Tables>, storeId: number, isTracked: boolean): Promise<Due[]> {
  const { rows } = await sql<Due>`update outbox set claimed_at = now(), attempts = attempts + 1
    where store_id = ${storeId} and id in (
      select o.id from outbox o join stores s on s.id = o.store_id
      where o.store_id = ${storeId} and o.sent_at is null and o.failed_reason is null
        and o.send_after <= now() + s.clock_offset_ms * interval '1 millisecond'
        and (o.claimed_at is null or o.claimed_at < now() - least(interval '1 minute' * power(2, o.attempts - 1), interval '1 hour'))
      order by o.id limit ${BATCH} for update of o skip locked)
    returning store_id, id, template, recipient, subject, text, html, language, attempts, open_key`.execute(trx);
  if (isTracked && rows.length) {
    // One that is tried again keeps the key that it may have left with.
    for (const row of rows) row.open_key ??= newToken();
    await sql`update outbox o set open_key = k.key from unnest(${rows.map(row => row.id)}::bigint[],
      ${rows.map(row => row.open_key)}::text[]) as k(id, key) where o.store_id = ${storeId} and o.id = k.id`.execute(trx);
  }
  return rows;
}

async function note(
  trx: Kysely<Tables>,
  message: Due,
  outcome: { letter: Letter; brandVersion: number } | { error: unknown },
): Promise<void> {
  const here = trx.updateTable('outbox').where('store_id', '=', message.store_id).where('id', '=', message.id);
  if ('letter' in outcome) {
    const { from, bcc = [] } = outcome.letter;
    await here
      .set({
        sent_at: sql<Date>`now()`,
        branding_version: outcome.brandVersion,
        sent_from: from?.address ?? null,
        copies: [...bcc],
      })
      .execute();
    return;
  }
  const isFinal = outcome.error instanceof PermanentFailure || message.attempts >= MAX_ATTEMPTS;
  if (isFinal)
    await here
      .set({ failed_reason: outcome.error instanceof Error ? outcome.error.message.slice(0, 500) : 'The mail server refused the message.' })
      .execute();
}
