// Own domains to send from: looking for their records in DNS, when somebody asks and by the hour.
import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { isFound, statusAfter, type DomainRecord, type DomainStatus } from '../../../domain/messages/sender-domain.ts';
import type { DomainRecords } from '../../platform/outgoing/domain-records.ts';
import { senderOf } from '../../platform/mail/mail-transport.ts';

/** Where the shared sender's mail comes from; the records of own domains lead there. */
export const mailHost = ({ mailFrom }: { mailFrom: string }): string => senderOf(mailFrom).address.replace(/^.*@/, '');

export const newProof = (): string => randomBytes(16).toString('hex');

export interface Looked {
  records: DomainRecord[];
  /** Nobody could be asked: nothing is known of what is not found. */
  isUnreachable: boolean;
}

/** Looks every record up. One that nobody could be asked about keeps what was known of it. */
export async function lookUp(records: readonly DomainRecord[], dns: DomainRecords): Promise<Looked> {
  let isUnreachable = false;
  const found = await Promise.all(
    records.map(async record => {
      try {
        return { ...record, verified: isFound(record, await dns.find(record.type, record.host)) };
      } catch {
        isUnreachable = true;
        return record;
      }
    }),
  );
  return { records: found, isUnreachable };
}

/** Writes down what was found; where nobody could be asked the state stays as it is. @returns the state from now on */
export async function noteLooked(
  trx: Kysely<Tables>,
  { storeId, id, at }: { storeId: number; id: number; at: Date },
  { records, isUnreachable }: Looked,
): Promise<DomainStatus | undefined> {
  const here = await trx
    .selectFrom('email_domains')
    .select('status')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!here) return undefined;
  const before = here.status as DomainStatus;
  const status = isUnreachable ? before : statusAfter(before, records);
  await trx
    .updateTable('email_domains')
    .set({
      status,
      records: JSON.stringify(records),
      last_checked_at: at,
      ...(status === 'VERIFIED' && before !== 'VERIFIED' ? { verified_at: at } : {}),
      version: sql<number>`version + 1`,
      updated_at: at,
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute();
  return status;
}
