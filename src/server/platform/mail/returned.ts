// What follows when an e-mail came back, or its reader called it spam: its record says so, and nothing more is sent to the address.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Returned, Verdict } from '../../../domain/messages/mail-report.ts';
import { later } from '../../../domain/text/t.ts';
import { emit } from '../events/emit.ts';
import { block, type BlockReason } from './blocks.ts';

/** What the record of an e-mail says that came back. */
export const CAME_BACK: Readonly<Record<Returned, string>> = {
  HARD: later`It came back: this address does not exist.`,
  SOFT: later`It came back: the mailbox could not take it this time.`,
  COMPLAINT: later`The reader reported it as spam.`,
};
/** A later report counts if it says more than the one before. */
const WEIGHT: Readonly<Record<Returned, number>> = { SOFT: 1, HARD: 2, COMPLAINT: 3 };
/** So many e-mails in a row that could not be delivered for now, and the address gets no more. */
export const SOFT_IN_A_ROW = 5;

export interface ReturnScope {
  trx: Kysely<Tables>;
  storeId: number;
  /** The store's clock. */
  at: Date;
}

/**
 * Writes down what was reported about an e-mail; safe to repeat. What a report says about a hidden copy says nothing about the recipient.
 * @returns false where there is no such e-mail, it is known already, or it was about a copy
 */
export async function noteReturned({ trx, storeId, at }: ReturnScope, id: number, verdict: Verdict): Promise<boolean> {
  const mail = await trx
    .selectFrom('outbox')
    .select(['recipient', 'copies', 'returned', 'contract_id'])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!mail) return false;
  const { returned, recipients, detail } = verdict;
  const recipient = mail.recipient.toLowerCase();
  const isOfCopy = !recipients.includes(recipient) && mail.copies.some(copy => recipients.includes(copy.toLowerCase()));
  if (isOfCopy || (mail.returned !== null && WEIGHT[mail.returned as Returned] >= WEIGHT[returned])) return false;
  await trx
    .updateTable('outbox')
    .set({ returned, failed_reason: CAME_BACK[returned] })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute();
  if (mail.contract_id !== null)
    await emit(trx, {
      storeId,
      contractId: mail.contract_id,
      key: 'email_returned',
      payload: { returned },
      source: 'System',
      entity: '',
      at,
    });
  const reason = await reasonFor({ trx, storeId, at }, id, recipient, returned);
  // An address of a domain that can't exist stands for a customer who was erased meanwhile.
  if (reason && !recipient.endsWith('.invalid')) await block({ trx, storeId }, { address: recipient, reason, detail, mail: id, at });
  return true;
}

async function reasonFor(
  { trx, storeId }: ReturnScope,
  id: number,
  recipient: string,
  returned: Returned,
): Promise<BlockReason | undefined> {
  if (returned !== 'SOFT') return returned === 'HARD' ? 'HARD_BOUNCE' : 'COMPLAINT';
  // Reports take days: e-mails that left after this one may still come back.
  const { rows } = await sql<{ soft: boolean }>`select returned is not distinct from 'SOFT' as soft from outbox
    where store_id = ${storeId}::integer and lower(recipient) = ${recipient} and id <= ${id}::bigint
      and (sent_at is not null or returned is not null)
    order by id desc limit ${SOFT_IN_A_ROW}`.execute(trx);
  return rows.length === SOFT_IN_A_ROW && rows.every(({ soft }) => soft) ? 'SOFT_BOUNCES' : undefined;
}
