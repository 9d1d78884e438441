// Customers of the shop become customers here.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { newIds } from '../../engine/index.ts';
import type { ShopCustomer } from '../../platform/store-platform/store-platform.ts';
import { customerSearch } from '../customers/customer-reads.ts';
import { lockEmails, newCustomerRow } from '../customers/new-customer.ts';
import { renameInContracts } from '../customers/rename-in-contracts.ts';
import { remember } from './mirror-products.ts';

interface Scope {
  trx: Kysely<Tables>;
  storeId: number;
  /** Of the store: for customers without an address. */
  countryCode: string;
  at: Date;
}
interface Row {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
  is_erased: boolean;
  platform_id: string | null;
  /** Before they were linked: their address is their own. */
  was_here: boolean;
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** Those who are known by the shop's id, and those who have the e-mail address of one who comes and come from nowhere else. */
async function known({ trx, storeId }: Scope, customers: readonly ShopCustomer[]) {
  const { rows } =
    await sql<Row>`select c.id, c.email, c.first_name, c.last_name, c.phone, c.erased_at is not null as is_erased, i.platform_id,
      i.was_here is not false as was_here
    from customers c left join platform_ids i on i.store_id = c.store_id and i.kind = 'CUSTOMER' and i.id = c.id
    where c.store_id = ${storeId}::integer and (
      c.id in (select id from platform_ids where store_id = ${storeId}::integer and kind = 'CUSTOMER'
        and platform_id = any(${customers.map(one => one.id)}::text[]))
      or lower(c.email) = any(${customers.map(one => one.email.toLowerCase())}::text[]))
    order by c.id for update of c`.execute(trx);
  return {
    byId: new Map(rows.filter(row => row.platform_id !== null).map(row => [row.platform_id, row])),
    byEmail: new Map(rows.map(row => [row.email.toLowerCase(), row])),
  };
}

/**
 * Brings customers of the shop over. Who was erased here stays erased; a name that the shop does not know stays as it is here. Who has the
 * address of another customer of the shop is left out: an address is one customer's. So is who has the address of a customer here and has
 * not shown the shop that it is theirs.
 */
export async function mirrorCustomers(scope: Scope, customers: readonly ShopCustomer[]): Promise<void> {
  const { trx, storeId, at } = scope;
  const given = customers.filter(one => isEmail(one.email));
  if (given.length === 0) return;
  await lockEmails(
    trx,
    storeId,
    given.map(one => one.email),
  );
  const { byId, byEmail } = await known(scope, given);
  const pairs: { id: number; there: string }[] = [];
  const paired = new Set<number>();
  const fresh: ShopCustomer[] = [];
  for (const one of given) {
    const sameEmail = byEmail.get(one.email.toLowerCase());
    const row = byId.get(one.id) ?? (sameEmail?.platform_id === null && one.isVerified ? sameEmail : undefined);
    if (row && paired.has(row.id)) continue;
    if (row) {
      paired.add(row.id);
      pairs.push({ id: row.id, there: one.id });
      if (!row.is_erased)
        await change(scope, row, row.was_here || (sameEmail && sameEmail.id !== row.id) ? { ...one, email: row.email } : one);
    } else if (!sameEmail) {
      fresh.push(one);
      byEmail.set(one.email.toLowerCase(), {
        id: 0,
        email: one.email,
        first_name: '',
        last_name: '',
        phone: null,
        is_erased: false,
        platform_id: one.id,
        was_here: false,
      });
    }
  }
  const ids = await newIds(trx, 'customers', fresh.length);
  if (fresh.length)
    await trx
      .insertInto('customers')
      .values(
        fresh.map((one, index) => ({
          ...newCustomerRow(storeId, ids[index] ?? 0, { ...one, countryCode: one.countryCode ?? scope.countryCode }, at),
          locale: null,
          tags: [],
        })),
      )
      .execute();
  await remember(scope, 'CUSTOMER', [...pairs, ...fresh.map((one, index) => ({ id: ids[index] ?? 0, there: one.id, isNew: true }))]);
}

async function change({ trx, storeId, at }: Scope, row: Row, given: ShopCustomer): Promise<void> {
  const hasName = given.firstName !== '' || given.lastName !== '';
  const after = {
    email: given.email,
    first_name: hasName ? given.firstName : row.first_name,
    last_name: hasName ? given.lastName : row.last_name,
    phone: given.phone ?? row.phone,
  };
  if (after.email === row.email && after.first_name === row.first_name && after.last_name === row.last_name && after.phone === row.phone)
    return;
  await trx
    .updateTable('customers')
    .set(({ eb }) => ({ ...after, search: customerSearch({ id: row.id, ...after }), version: eb('version', '+', 1), updated_at: at }))
    .where('store_id', '=', storeId)
    .where('id', '=', row.id)
    .execute();
  await renameInContracts({ trx, storeId }, row, after);
}
