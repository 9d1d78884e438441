// The calls of customers that go to the app server (D170 - D172).
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { invalid, notFound, Refusal, type Context } from '../context.ts';
import { addressErrors, cleanAddress } from '../engine/address.ts';
import type { Address } from '../engine/delivery-options.ts';
import { wireMethod } from '../engine/methods.ts';
import { newIds, type CustomerRow, type MethodRow } from '../engine/rows.ts';
import { epoch } from '../engine/status.ts';
import { listRecords } from '../verbs/list.ts';
import { checkVersion } from '../verbs/version.ts';

interface Variables { id?: number; firstName?: string; lastName?: string; email?: string; phone?: string | null; countryCode?: string; tags?: string[]; address?: Address; version?: number }

/** Up to 50 customers whose name or e-mail address holds the words. */
export async function readAll(context: Context, { query }: { query?: string }): Promise<JsonValue> {
  return (await listRecords(context, context.shape('customer'), { q: query, size: 50, total: false })).records;
}

async function find({ trx, storeId }: Context, id: number, lock = false): Promise<CustomerRow> {
  const { rows } = await sql<CustomerRow>`select * from customers where store_id = ${storeId}::integer and id = ${id}::bigint ${lock ? sql`for update` : sql``}`.execute(trx);
  if (!rows[0]) throw notFound('customer');
  return rows[0];
}

/** A customer with addresses, payment methods and counts of subscriptions. */
export async function read(context: Context, { id }: { id: number }): Promise<JsonValue> {
  return view(context, await find(context, id));
}

async function view(context: Context, row: CustomerRow): Promise<JsonObject> {
  const { trx, storeId } = context;
  const addresses = await trx.selectFrom('customer_addresses').select(['id', 'is_default', 'address']).where('store_id', '=', storeId).where('customer_id', '=', row.id).orderBy('is_default', 'desc').orderBy('id').execute();
  const methods = (await sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer and customer_id = ${row.id}::bigint order by id`.execute(trx)).rows;
  const contracts = await trx.selectFrom('contracts').select(['status', 'next_billing_at', 'payment_method_id', 'backup_payment_method_id']).where('store_id', '=', storeId).where('customer_id', '=', row.id).execute();
  const active = contracts.filter(contract => contract.status === 'ACTIVE');
  const used = new Set(active.flatMap(contract => [contract.payment_method_id, contract.backup_payment_method_id].filter((id): id is number => id !== null)));
  const next = active.flatMap(contract => contract.next_billing_at ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
  const count = (status: string) => contracts.filter(contract => contract.status === status).length;
  return {
    id: row.id, shopifyId: row.shopify_id, email: row.email, firstName: row.first_name, lastName: row.last_name, phone: row.phone, countryCode: row.country_code, tags: row.tags, version: row.version,
    activeSubscriptionsCount: active.length, pausedSubscriptionsCount: count('PAUSED'), cancelledSubscriptionsCount: count('CANCELLED'), allSubscriptionsCount: contracts.length, nextBillingDateEpoch: next ? epoch(next) : null,
    addresses: addresses.map(one => ({ ...(one.address as JsonObject), id: one.id, isDefault: one.is_default })), paymentMethods: methods.map(method => wireMethod(method, context.now(), undefined, used)),
    createdAt: row.created_at.toISOString(), createdAtEpoch: epoch(row.created_at), updatedAt: row.updated_at.toISOString(),
  };
}

const searchOf = (row: Pick<CustomerRow, 'first_name' | 'last_name' | 'email'>): string => `${row.first_name} ${row.last_name} ${row.email}`.toLowerCase();

async function refuseTaken({ trx, storeId }: Context, email: string, self = 0): Promise<void> {
  const { rows } = await sql`select 1 from customers where store_id = ${storeId}::integer and lower(email) = lower(${email}) and id <> ${self}::bigint limit 1`.execute(trx);
  if (rows.length) throw new Refusal(409, 'TAKEN', `Another customer has the e-mail address ${email} already.`, [{ pointer: '/variables/email', rule: 'unique', message: 'Another customer has this e-mail address already.' }]);
}

async function addAddress({ trx, storeId }: Context, customerId: number, address: Address): Promise<void> {
  const clean = cleanAddress(address);
  const errors = addressErrors(clean, '/variables/address');
  if (errors.length) throw invalid(errors);
  await trx.updateTable('customer_addresses').set({ is_default: false }).where('store_id', '=', storeId).where('customer_id', '=', customerId).execute();
  await trx.insertInto('customer_addresses').values({ store_id: storeId, customer_id: customerId, is_default: true, address: JSON.stringify(clean) }).execute();
}

/** Creates a customer; an address becomes the default one. */
export async function create(context: Context, { variables }: { variables: Variables }): Promise<JsonValue> {
  const { trx, storeId } = context;
  if (!variables.email) throw invalid([{ pointer: '/variables/email', rule: 'required', message: 'Enter an e-mail address' }]);
  await refuseTaken(context, variables.email);
  const [id] = await newIds(trx, 'customers', 1);
  const names = { first_name: variables.firstName?.trim() ?? '', last_name: variables.lastName?.trim() ?? '', email: variables.email };
  await trx.insertInto('customers').values({
    store_id: storeId, id: id as number, shopify_id: 7_000_000_000 + (id as number), ...names, phone: variables.phone ?? null, country_code: variables.countryCode ?? variables.address?.countryCode ?? context.store.country_code, tags: variables.tags ?? [],
    portal_token: randomBytes(16).toString('hex'), search: searchOf(names), created_at: context.now(), updated_at: context.now(),
  }).execute();
  if (variables.address) await addAddress(context, id as number, variables.address);
  const after = await view(context, await find(context, id as number));
  await context.log({ action: 'customer.created', category: 'Customers', description: `Customer ${names.first_name} ${names.last_name} created`, entity: 'customer', entityId: id as number, after });
  return after;
}

/** Changes a customer; name and e-mail address are taken over by their subscriptions. An address becomes the default one. */
export async function update(context: Context, { variables }: { variables: Variables }): Promise<JsonValue> {
  const { trx, storeId } = context;
  if (variables.id === undefined) throw invalid([{ pointer: '/variables/id', rule: 'required', message: 'Name the customer by its id.' }]);
  const row = await find(context, variables.id, true);
  const before = await view(context, row);
  checkVersion({ expectedVersion: context.expectedVersion ?? variables.version }, 'customer', before, row.version, { by: '', at: row.updated_at });
  if (variables.email !== undefined && variables.email.toLowerCase() !== row.email.toLowerCase()) await refuseTaken(context, variables.email, row.id);
  const names = { first_name: variables.firstName?.trim() ?? row.first_name, last_name: variables.lastName?.trim() ?? row.last_name, email: variables.email ?? row.email };
  await trx.updateTable('customers').set({
    ...names, search: searchOf(names), phone: variables.phone === undefined ? row.phone : variables.phone, country_code: variables.countryCode ?? row.country_code, tags: variables.tags ?? row.tags, version: row.version + 1, updated_at: context.now(),
  }).where('store_id', '=', storeId).where('id', '=', row.id).execute();
  const was = `${row.first_name} ${row.last_name}`.trim(), is = `${names.first_name} ${names.last_name}`.trim();
  if (was !== is || row.email !== names.email) {
    await sql`update contracts set customer_name = ${is}, customer_email = ${names.email}, search = replace(replace(search, lower(${was}), lower(${is})), lower(${row.email}), lower(${names.email}))
      where store_id = ${storeId}::integer and customer_id = ${row.id}::bigint`.execute(trx);
  }
  if (variables.address) await addAddress(context, row.id, variables.address);
  const after = await view(context, await find(context, row.id));
  await context.log({ action: 'customer.updated', category: 'Customers', description: `Customer ${is} updated`, entity: 'customer', entityId: row.id, before, after });
  return after;
}
