// The outbox: mail is written down in the transaction that causes it and leaves afterwards, once.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { framed } from '../../../domain/messages/frame.ts';
import { buttonHtml } from '../../../domain/messages/letter.ts';
import { withUtm } from '../../../domain/messages/utm.ts';
import type { Definitions } from '../../../contract/types.ts';
import { newToken } from '../auth/tokens.ts';
import type { Message } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { StoreLog } from '../db/engine.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import { attachmentsOf, type Attachment } from './attachments.ts';
import { endingOf } from './endings.ts';
import { letterheadOf, type Letterhead } from './letterhead.ts';
import { NOT_SENT, blockFor, blocksOf, type BlockReason } from './blocks.ts';
import { readMailWords } from './mail-words.ts';
import { addMails, mailRow } from './mail-rows.ts';
import { mailToken } from './mail-token.ts';
import { PermanentFailure, ServerAway, type Letter, type MailTransport } from './mail-transport.ts';
import { noteReturned } from './returned.ts';
import { inLanguage } from '../languages.ts';
import { later, translated } from '../../../domain/text/t.ts';
import { phraseOf } from './speech.ts';
import { signInPath } from './account-link.ts';
import type { Words } from '../texts/words.ts';

/** Adds one message; the same `dedupeKey` of a store is added once. `now` is the store's clock. */
export const enqueueMail = (trx: Kysely<Tables>, storeId: number, message: Message, now: Date): Promise<void> =>
  addMails(trx, [mailRow(storeId, message, now)]);

/** Tries per message; the pause between them doubles from one minute to an hour. */
const MAX_ATTEMPTS = 8;
const BATCH = 50;
/** Why a letter whose link has ended was not sent, as its record says it. */
export const TOO_LATE = later`Not sent: its link had ended before the mail server took it.`;

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
  contract_id: number | null;
}

/** What sending knows besides the messages. */
export interface Sending {
  definitions: Definitions;
  /** Opens the keys that letters of own domains are signed with. */
  secrets: SecretBox;
  /** Where pictures of e-mails are served, without a slash at the end. */
  base: string;
  /** Where undeliverable mail comes back to, "bounces@mail.example.com"; absent: to the sender. */
  returnAddress?: string | undefined;
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
  const { rows: stores } =
    await db.ownerQuery<SendingStore>(`select s.id, s.name, s.link_secret, s.clock_offset_ms from stores s where exists (
      select 1 from outbox o where o.store_id = s.id and o.sent_at is null and o.failed_reason is null
        and o.send_after <= now() + s.clock_offset_ms * interval '1 millisecond')`);
  for (const store of stores) {
    const storeId = store.id;
    for (;;) {
      sending.signal?.throwIfAborted();
      const { messages, ...known } = await db.inStore(storeId, async trx => {
        const claimed = await claimDue(trx, storeId, sending.isTracked);
        const head = await letterheadOf(
          { trx, storeId, definitions: sending.definitions, secrets: sending.secrets },
          store.name,
          sending.base,
        );
        const blocks = await blocksOf({ trx, storeId }, [...claimed.map(({ recipient }) => recipient), ...head.bcc]);
        const to = (address: string) => blocks.filter(one => one.address === address.toLowerCase());
        const bcc = head.bcc.filter(copy => blockFor(undefined, to(copy)) === undefined);
        const blocked = new Map(
          claimed.flatMap(({ id, template, recipient }): [number, BlockReason][] => {
            const reason = blockFor(sending.definitions.messages[template], to(recipient));
            return reason ? [[id, reason]] : [];
          }),
        );
        const words = claimed.some(one => isInWordsOfStore(one, sending)) ? await readMailWords({ trx, storeId }) : undefined;
        const attached = await attachmentsOf(
          trx,
          storeId,
          claimed.map(({ id }) => id),
        );
        return { messages: claimed, store, head: { ...head, bcc }, blocked, words, attached };
      });
      let away: ServerAway | undefined;
      for (const message of messages) {
        // What one letter told of the server holds for the others too.
        const outcome = away ? { error: away } : await send(message, known, transport, sending);
        if ('error' in outcome && outcome.error instanceof ServerAway) away = outcome.error;
        await db.inStore(storeId, trx => note(trx, message, outcome, new Date(Date.now() + store.clock_offset_ms)));
        if ('letter' in outcome) sent++;
        else if ('error' in outcome && !away)
          log.warn(
            {
              storeId,
              message: message.id,
              attempt: message.attempts,
              error: outcome.error instanceof Error ? outcome.error.message : 'unknown',
            },
            'A mail could not be sent.',
          );
      }
      if (away) {
        log.error({ server: away.server, code: away.code, error: away.message }, 'The mail server is away; letters wait for it.');
        return sent;
      }
      if (messages.length < BATCH) break;
    }
  }
  return sent;
}

interface SendingStore {
  id: number;
  name: string;
  link_secret: string;
  clock_offset_ms: number;
}
/** What is known about the e-mails of a store that are sent together. */
interface Known {
  store: SendingStore;
  head: Letterhead;
  /** By their ids those whose recipient gets nothing, or no advertising. */
  blocked: ReadonlyMap<number, BlockReason>;
  /** Those of the store, where a foot says something in them. */
  words: Words | undefined;
  /** By their ids what they carry. */
  attached: ReadonlyMap<number, readonly Attachment[]>;
}
type Outcome = { letter: Letter; brandVersion: number } | { blocked: BlockReason } | { error: unknown };

const SEE_SUBSCRIPTION = later`See the subscription`;
const isToCustomer = ({ template }: Pick<Due, 'template'>, { definitions }: Pick<Sending, 'definitions'>): boolean =>
  definitions.messages[template]?.audience === 'customer';
/** Whether its foot says something in the words of the store. */
const isInWordsOfStore = (one: Pick<Due, 'template'>, sending: Pick<Sending, 'definitions'>): boolean =>
  isToCustomer(one, sending) || sending.definitions.messages[one.template]?.purpose === 'advertising';

/** A letter to a customer about what is theirs; who gives or gets a gift has no pages of their own. */
const isAboutSubscription = ({ template }: Pick<Due, 'template'>, { definitions }: Pick<Sending, 'definitions'>): boolean => {
  const { audience, purpose } = definitions.messages[template] ?? {};
  return audience === 'customer' && purpose === 'contract' && !template.startsWith('GIFT_');
};

async function send(message: Due, known: Known, transport: MailTransport, sending: Sending): Promise<Outcome> {
  const blocked = known.blocked.get(message.id);
  if (blocked) return { blocked };
  const letter = letterFor(message, known, sending);
  return transport.carry(letter).then(
    () => ({ letter, brandVersion: known.head.brandVersion }),
    (error: unknown) => ({ error }),
  );
}

/** A message under the letterhead of its store. What the product itself writes to its people is sent in its own name. */
function letterFor(message: Due, { store, head, words, attached }: Known, sending: Sending): Letter {
  const { definitions, base, isTracked, returnAddress } = sending;
  const audience = definitions.messages[message.template]?.audience;
  const isOwn = audience === 'user';
  const isToCustomer = audience === 'customer';
  const { subject, text, html } = isToCustomer ? withUtm(message, head.utm) : message;
  const pixel = isToCustomer && isTracked && message.open_key ? `${base}/mail/opened/${message.open_key}.gif` : '';
  const returnToken = mailToken(store.link_secret, 'return', { storeId: store.id, id: message.id });
  const say = (key: string): string => (words && phraseOf({ words, texts: definitions.texts }, message.language, key)) ?? '';
  const unsubscribe = endingOf(definitions.messages[message.template], { base, store, mail: message.id, language: message.language, say });
  const account = words &&
    head.hasPortal &&
    isAboutSubscription(message, sending) && { href: base + signInPath(store.id), words: say('mailAccount') };
  // The team comes to the subscription that the letter speaks of by one press.
  const record =
    audience === 'admins' && message.contract_id !== null
      ? { href: `${base}/subscriptions/${message.contract_id}`, words: inLanguage(message.language, () => translated(SEE_SUBSCRIPTION)) }
      : undefined;
  const ways = [record, account, unsubscribe].flatMap(way => way || []);
  const from = { ...(head.senderName ? { name: head.senderName } : {}), ...(head.from ? { address: head.from } : {}) };
  return {
    recipient: message.recipient,
    subject,
    text: [text, ...ways.map(way => `${way.words}:\n${way.href}`)].join('\n\n'),
    html:
      html &&
      framed({
        subject,
        html: record ? `${html}\n${buttonHtml(record.words, record.href)}` : html,
        language: message.language,
        storeName: head.storeName,
        brand: head.brand,
        ...(pixel ? { pixel } : {}),
        ...(account ? { account } : {}),
        ...(unsubscribe ? { unsubscribe } : {}),
      }),
    messageId: `perennial-${returnToken}`,
    ...(returnAddress ? { returnPath: returnAddress.replace('@', `+${returnToken}@`) } : {}),
    ...(unsubscribe ? { unsubscribe: unsubscribe.href } : {}),
    ...(isOwn || Object.keys(from).length === 0 ? {} : { from }),
    ...(!isOwn && head.signature ? { signature: head.signature } : {}),
    ...(!isOwn && audience !== 'admins' && head.replyTo ? { replyTo: head.replyTo } : {}),
    ...(isToCustomer && head.bcc.length ? { bcc: head.bcc } : {}),
    ...(attached.has(message.id) ? { attachments: attached.get(message.id) ?? [] } : {}),
  };
}

async function claimDue(trx: Kysely<Tables>, storeId: number, isTracked: boolean): Promise<Due[]> {
  await sql`update outbox set failed_reason = ${TOO_LATE} where store_id = ${storeId}
    and sent_at is null and failed_reason is null and send_before <= now()`.execute(trx);
  const { rows } = await sql<Due>`update outbox set claimed_at = now(), attempts = attempts + 1
    where store_id = ${storeId} and id in (
      select o.id from outbox o join stores s on s.id = o.store_id
      where o.store_id = ${storeId} and o.sent_at is null and o.failed_reason is null
        and o.send_after <= now() + s.clock_offset_ms * interval '1 millisecond'
        and (o.claimed_at is null or o.claimed_at < now() - least(interval '1 minute' * power(2, o.attempts - 1), interval '1 hour'))
      order by o.id limit ${BATCH} for update of o skip locked)
    returning store_id, id, template, recipient, subject, text, html, language, attempts, open_key, contract_id`.execute(trx);
  if (isTracked && rows.length) {
    // One that is tried again keeps the key that it may have left with.
    for (const row of rows) row.open_key ??= newToken();
    await sql`update outbox o set open_key = k.key from unnest(${rows.map(row => row.id)}::bigint[],
      ${rows.map(row => row.open_key)}::text[]) as k(id, key) where o.store_id = ${storeId} and o.id = k.id`.execute(trx);
  }
  return rows;
}

async function note(trx: Kysely<Tables>, message: Due, outcome: Outcome, at: Date): Promise<void> {
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
  if ('blocked' in outcome) {
    await here.set({ failed_reason: NOT_SENT[outcome.blocked] }).execute();
    return;
  }
  if (outcome.error instanceof ServerAway) {
    // No try of this letter: it waits as long as the server is away, and is tried again half a minute after the first try.
    await here.set({ attempts: message.attempts - 1 }).execute();
    return;
  }
  const isFinal = outcome.error instanceof PermanentFailure || message.attempts >= MAX_ATTEMPTS;
  if (isFinal)
    await here
      .set({ failed_reason: outcome.error instanceof Error ? outcome.error.message.slice(0, 500) : 'The mail server refused the message.' })
      .execute();
  if (outcome.error instanceof PermanentFailure && outcome.error.refused)
    await noteReturned({ trx, storeId: message.store_id, at }, message.id, { ...outcome.error.refused, recipients: [message.recipient] });
}
