// New customers: their row in the database, and the lock that gives an e-mail address to one of them only. Used wherever customers are
// created: by the team, from an imported file, by a purchase, from a connected shop.
import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { customerSearch } from './customer-reads.ts';

/** Added to our id of a customer, it makes the id that calls name `shopifyId`: as large as real ones, and never two the same. */
const SHOPIFY_ID_BASE = 7_000_000_000;

export interface NewCustomer {
  email: string;
  firstName?: string;
  lastName?: string;
  phone?: string | null;
  /** Two letters (ISO 3166-1). */
  countryCode: string;
}

/**
 * Locks e-mail addresses (in upper or lower case) until the transaction ends, so that two transactions can't give one address to two
 * customers: the second one waits, and then finds the first one's customer. Lock before you look whether an address is in use.
 */
export async function lockEmails(trx: Kysely<Tables>, storeId: number, emails: readonly string[]): Promise<void> {
  // In one order everywhere: two transactions with the same addresses never wait for each other.
  const keys = [...new Set(emails.map(email => `${storeId} customer ${email.toLowerCase()}`))].sort();
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0))
    from unnest(${keys}::text[]) with ordinality as k(key, n) order by n`.execute(trx);
}

/**
 * The row to insert for a customer without subscriptions and addresses. Names and phone are trimmed; the e-mail address is taken as it is.
 * @param id the next one of the table's sequence
 * @param now when the customer is created, on the store's clock
 */
export function newCustomerRow(storeId: number, id: number, customer: NewCustomer, now: Date) {
  const searchable = {
    id,
    first_name: customer.firstName?.trim() ?? '',
    last_name: customer.lastName?.trim() ?? '',
    email: customer.email,
    phone: customer.phone?.trim() || null,
  };
  return {
    ...searchable,
    store_id: storeId,
    shopify_id: SHOPIFY_ID_BASE + id,
    country_code: customer.countryCode,
    // Signs the links to the customer's page of the portal.
    portal_token: randomBytes(16).toString('hex'),
    search: customerSearch(searchable),
    created_at: now,
    updated_at: now,
  };
}
