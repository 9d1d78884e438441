// What e-mails carry besides their words: pictures that stand in them, and files. Kept beside the outbox until some days after they left.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Message } from '../context.ts';
import { mailRow } from './mail-rows.ts';

export interface Attachment {
  name: string;
  contentType: string;
  /** Of a picture: what the letter calls it (`![words](cid:chart)` of its body). Absent: a file beside the letter. */
  cid?: string;
  content: Uint8Array;
}

/** The most that one letter may carry (bytes): many mail servers take none of more than 10 MB, and what is attached grows by a third. */
export const MOST_ATTACHED = 5 * 1_048_576;
/** They are kept so many days. */
export const ATTACHED_DAYS = 30;

/**
 * Adds a message with what it carries; the same `dedupeKey` of a store is added once. `now` is the store's clock.
 * @returns whether it was added
 * @throws Error for more than MOST_ATTACHED
 */
export async function enqueueWithAttachments(
  trx: Kysely<Tables>,
  storeId: number,
  message: Message,
  attachments: readonly Attachment[],
  now: Date,
): Promise<boolean> {
  const size = attachments.reduce((all, { content }) => all + content.length, 0);
  if (size > MOST_ATTACHED) throw new Error(`The letter ${message.template} would carry ${size} bytes; at most ${MOST_ATTACHED} are sent.`);
  const row = await trx
    .insertInto('outbox')
    .values(mailRow(storeId, message, now))
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  if (attachments.length)
    await trx
      .insertInto('mail_attachments')
      .values(
        attachments.map(({ name, contentType, cid, content }, no) => ({
          store_id: storeId,
          outbox_id: row.id,
          no,
          name,
          content_type: contentType,
          cid: cid ?? null,
          content: Buffer.from(content),
          created_at: now,
        })),
      )
      .execute();
  return true;
}

/** What some letters of the outbox carry, by their ids. */
export async function attachmentsOf(
  trx: Kysely<Tables>,
  storeId: number,
  letters: readonly number[],
): Promise<ReadonlyMap<number, Attachment[]>> {
  const found = new Map<number, Attachment[]>();
  if (letters.length === 0) return found;
  const { rows } = await sql<{ outbox_id: number; name: string; content_type: string; cid: string | null; content: Uint8Array }>`
    select outbox_id, name, content_type, cid, content from mail_attachments
    where store_id = ${storeId}::integer and outbox_id = any(${[...letters]}::bigint[]) order by outbox_id, no`.execute(trx);
  for (const { outbox_id: id, name, content_type: contentType, cid, content } of rows)
    found.set(Number(id), [...(found.get(Number(id)) ?? []), { name, contentType, content, ...(cid === null ? {} : { cid }) }]);
  return found;
}
