// The row of a new customer, for those who are entered by hand and those who come with a file.
import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { customerSearch } from './customer-reads.ts';

export interface NewCustomer {
  email: string;
  firstName?: string;
  lastName?: string;
  phone?: string | null;
  countryCode: string;
}

/** Who has an e-mail address is settled until the transaction ends: of two who take it at once the second finds it taken. */
export async function lockEmails(trx: Kysely<Tables>, storeId: number, emails: readonly string[]): Promise<void> {
  const keys = [...new Set(emails.map(email => `${storeId} customer ${email.toLowerCase()}`))].sort();
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0))
    from unnest(${keys}::text[]) with ordinality as k(key, n) order by n`.execute(trx);
}

/** Columns of a customer who has nothing yet. `id` comes from the table's sequence. */
export function newCustomerRow(storeId: number, id: number, given: NewCustomer, now: Date) {
  const row = {
    id,
    first_name: given.firstName?.trim() ?? '',
    last_name: given.lastName?.trim() ?? '',
    email: given.email,
    phone: given.phone?.trim() || null,
  };
  return {
    ...row,
    store_id: storeId,
    shopify_id: 7_000_000_000 + id,
    country_code: given.countryCode,
    portal_token: randomBytes(16).toString('hex'),
    search: customerSearch(row),
    created_at: now,
    updated_at: now,
  };
}
