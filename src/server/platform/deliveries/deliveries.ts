// What leaves over HTTP because something happened. It is written down in the transaction of what causes it, as mail is, and sent by a job.
//
// A consumer calls `addDeliveries` in its transaction; a file in the feature's senders/ (sender.ts) makes the request when its turn has
// come.
// At least once: a process that dies between sending and noting it sends again, under the same idempotency key.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';

/** The job that sends them. */
export const SEND_DELIVERIES = 'send-deliveries';

export interface NewDelivery {
  sender: string;
  target: string;
  /** Once for each target: a second one with the same subject is not added. Of an event: its id. */
  subject: string;
  eventId?: number;
  topic: string;
  /** What the sender makes the request of. Kept for 30 days. */
  payload: JsonObject;
}

/** Adds deliveries, due at once; those that are there already stay as they are. */
export async function addDeliveries(trx: Kysely<Tables>, storeId: number, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('deliveries')
    .values(
      rows.map(row => ({
        store_id: storeId,
        sender: row.sender,
        target: row.target,
        subject: row.subject,
        event_id: row.eventId ?? null,
        topic: row.topic,
        payload: JSON.stringify(row.payload),
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/**
 * Sends deliveries again by hand, taken ones as well, and tries for two more days.
 * @param ids of the store; those of other senders or targets, and those that are waiting anyway, are left alone
 * @returns how many are due now
 */
export async function sendAgain(
  trx: Kysely<Tables>,
  storeId: number,
  which: { sender: string; target?: string; ids?: readonly number[]; states?: readonly ('SENT' | 'FAILED' | 'CANCELLED')[] },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`update deliveries set state = 'PENDING', attempts = 0, next_at = now(), finished_at = null,
      give_up_at = now() + interval '48 hours', keep_until = now() + interval '30 days'
    where store_id = ${storeId}::integer and sender = ${which.sender}
      and state = any(${which.states ?? ['SENT', 'FAILED', 'CANCELLED']}::text[])
      ${which.target === undefined ? sql`` : sql`and target = ${which.target}`}
      ${which.ids === undefined ? sql`` : sql`and id = any(${which.ids}::bigint[])`} returning id`.execute(trx);
  return rows.length;
}

/** Gives up what waits for a target: it was disconnected or deleted. */
export async function cancelDeliveries(trx: Kysely<Tables>, storeId: number, sender: string, target: string): Promise<void> {
  await sql`update deliveries set state = 'CANCELLED', finished_at = now(), error = 'The receiver was disconnected.'
    where store_id = ${storeId}::integer and sender = ${sender} and target = ${target} and state = 'PENDING'`.execute(trx);
}
