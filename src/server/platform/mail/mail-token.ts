// What names one e-mail to the outside, signed with a secret of its store: by it undeliverable mail is known again, and a reader's choice.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/database.ts';

/**
 * `return`: in the address that undeliverable mail comes back to, and in message ids. `choice`: in the link to get no advertising, `chart`:
 * in the one to get no letter of a chart.
 */
export type MailPurpose = 'return' | 'choice' | 'chart';
export interface NamedMail {
  storeId: number;
  /** Row of the outbox. */
  id: number;
}

/** Digits of the signature: 80 bits. Small letters and digits alone, because mail servers may change the case of an address. */
const DIGITS = 20;
const signatureOf = (secret: string, purpose: MailPurpose, { storeId, id }: NamedMail): string =>
  createHmac('sha256', secret).update(`mail ${purpose} ${storeId} ${id}`).digest('hex').slice(0, DIGITS);

/** "1-4711.0a1b…": what names an e-mail for a purpose. `secret` is the store's link secret. */
export const mailToken = (secret: string, purpose: MailPurpose, mail: NamedMail): string =>
  `${mail.storeId}-${mail.id}.${signatureOf(secret, purpose, mail)}`;

/** Where the signature stands in a token. */
export const MAIL_SIGNATURE = new RegExp(String.raw`\.([0-9a-f]{${DIGITS}})$`);

const TOKEN = new RegExp(String.raw`(?<!\d)(\d{1,9})-(\d{1,15})\.([0-9a-f]{${DIGITS}})(?!\w)`, 'gi');
/** Texts of strangers are read so far. */
const LONGEST = 2000;

/** The e-mail that one of these texts names with a signature that fits: the first of them; undefined where none does. */
export async function namedMail(db: Database, purpose: MailPurpose, texts: readonly string[]): Promise<NamedMail | undefined> {
  const named = texts.flatMap(text => [...text.slice(0, LONGEST).matchAll(TOKEN)]).slice(0, 10);
  if (named.length === 0) return undefined;
  const { rows } = await db.ownerQuery<{ id: number; link_secret: string }>(
    'select id, link_secret from stores where id = any($1::integer[])',
    [named.map(([, store]) => Number(store))],
  );
  const secrets = new Map(rows.map(row => [row.id, row.link_secret]));
  for (const [, store, mail, signed = ''] of named) {
    const one: NamedMail = { storeId: Number(store), id: Number(mail) };
    const secret = secrets.get(one.storeId);
    if (secret && timingSafeEqual(Buffer.from(signatureOf(secret, purpose, one)), Buffer.from(signed.toLowerCase()))) return one;
  }
  return undefined;
}
