// Messages as rows of the outbox.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Message } from '../context.ts';

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
  send_before: message.sendBefore ?? null,
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
