// The account log: who did what in a store.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { LogEntry } from '../context.ts';

/** Who it was, and when; what is left out is the system's, by the store's clock. */
export interface LogAuthor {
  userId?: number;
  userEmail?: string;
  source?: string;
  /** Of the request. */
  ip?: string;
  requestId?: string;
  at?: Date;
}

const text = (value: string | number | undefined): string => String(value ?? '');
const json = (value: LogEntry['after']): string | null => (value === undefined ? null : JSON.stringify(value));

/** Writes a line of the account log of a store, in a transaction that belongs to it. */
export async function writeLog(
  trx: Kysely<Tables>,
  storeId: number,
  { action, category, description, entity, entityId, before, after }: LogEntry,
  { userId, userEmail = '', source = 'System', ip, requestId, at }: LogAuthor = {},
): Promise<void> {
  await trx
    .insertInto('account_log')
    .values({
      store_id: storeId,
      action,
      category,
      description,
      entity: text(entity),
      entity_id: text(entityId),
      user_id: userId || null,
      user_email: userEmail,
      source,
      ip: ip || null,
      request_id: requestId ?? null,
      before: json(before),
      after: json(after),
      created_at:
        at ?? sql<Date>`now() + (select s.clock_offset_ms from stores s where s.id = ${storeId}::integer) * interval '1 millisecond'`,
    })
    .execute();
}
