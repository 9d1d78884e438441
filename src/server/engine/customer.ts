// The customer of contracts, beyond what the contract repeats.
import { sql } from 'kysely';
import type { CustomerRow } from './rows.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The customer of contracts, where a rule needs more than the name and e-mail that the contract repeats. */
export async function loadCustomer(work: UnitOfWork, customerId: number): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`select * from customers where store_id = ${work.context.storeId}::integer
        and id = ${customerId}::bigint`.execute(work.context.trx);
  return rows[0];
}
