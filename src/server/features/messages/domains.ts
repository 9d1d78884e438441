// Own domains to send from: looking for their records in DNS, when a person asks for it, and by the hour.
import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { isFound, recordsWithKey, statusAfter, type DomainRecord, type DomainStatus } from '../../../domain/messages/sender-domain.ts';
import type { DomainRecords } from '../../platform/outgoing/domain-records.ts';
import { signingKeyOf } from '../../platform/mail/signing.ts';
import type { SecretBox } from '../../platform/outgoing/secret-box.ts';

export const newProof = (): string => randomBytes(16).toString('hex');

/**
 * The records to be found of a domain. One that was added before it had a key is given its key's record. Undefined: there is no such
 * domain.
 */
export async function wantedRecords(
  { trx, storeId, secrets }: { trx: Kysely<Tables>; storeId: number; secrets: SecretBox },
  id: number,
): Promise<DomainRecord[] | undefined> {
  const own = await trx
    .selectFrom('email_domains')
    .select(['domain', 'records'])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!own) return undefined;
  return recordsWithKey(own.records as DomainRecord[], own.domain, await signingKeyOf({ trx, storeId, secrets }, own.domain));
}

export interface Looked {
  records: DomainRecord[];
  /** No DNS server answered: nothing is known of what is not found. */
  isUnreachable: boolean;
}

/** Looks every record up. One for which no DNS server answered keeps what was known of it. */
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

/** Writes down what was found; where no DNS server answered the state stays as it is. @returns the state from now on */
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
