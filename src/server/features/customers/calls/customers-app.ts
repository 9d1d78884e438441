// The calls of customers that go to the app server (D170 - D172).
import { sql } from 'kysely';
import { same } from '../../../../contract/paths.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import { ACTION_KINDS } from '../../../../generated/actions.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalid, Refusal, type Context } from '../../../platform/context.ts';
import { type Address, addressErrors, cleanAddress } from '../../../../domain/places/address.ts';
import {
  type CustomerRow,
  epoch,
  hasPortal,
  isErased,
  leadingContract,
  newestGift,
  type MethodRow,
  momentOf,
  newIds,
  refuseErased,
  retagCustomers,
  subscriptionTags,
  wireMethod,
} from '../../../engine/index.ts';
import { renameInContracts } from '../rename-in-contracts.ts';
import { customerSearch, findCustomer } from '../customer-reads.ts';
import { lockEmails, newCustomerRow } from '../new-customer.ts';
import { blocksOf, takeChoiceAlong } from '../../../platform/mail/blocks.ts';
import { unmet } from '../../../platform/auth/needs.ts';
import { checkVersion } from '../../../platform/records/version-check.ts';
import { countryOf, noCountry } from '../../../../domain/places/places.ts';
import { t, translated } from '../../../../domain/text/t.ts';
import { nameKey } from '../../../../domain/text/names.ts';
import { uniqueTags } from '../../../../domain/text/tags.ts';

export { ordersOfCustomer as orders, sendPortalLink } from '../customer-reads.ts';
export { dataRequest } from '../privacy/data-request.ts';
export { eraseCustomer as erase } from '../privacy/erase.ts';
export { setAdvertising } from '../advertising.ts';

interface Variables {
  id?: number;
  firstName?: string;
  lastName?: string;
  email?: string;
  phone?: string | null;
  countryCode?: string;
  /** Null: the store's primary language. */
  locale?: string | null;
  version?: number;
  address?: Address | null;
  /** All tags, or the store's own alone; those that follow from subscriptions are kept by the product either way. */
  tags?: string[];
  ownTags?: string[];
}
/** The call's line takes the record out of `variables`; other code hands it over as it goes over the wire. */
type Given = Variables & { variables?: Variables };
/** Country and address come as they are saved. @throws Refusal 422 for what is no country */
function opened({ variables, ...input }: Given): { given: Variables; at: string } {
  const [given, at] = variables ? [variables, '/variables'] : [input, ''];
  const { address, countryCode } = given;
  const code = countryCode === undefined ? undefined : countryOf(countryCode);
  if (countryCode !== undefined && code === undefined)
    throw invalid([{ pointer: `${at}/countryCode`, rule: 'pattern', message: noCountry(countryCode) }]);
  return { given: { ...given, ...(code ? { countryCode: code } : {}), ...(address ? { address: cleanAddress(address) } : {}) }, at };
}

/** A customer with addresses, payment methods, tags of both kinds, and what their subscriptions amount to. */
export async function read(context: Context, { id }: { id: number }): Promise<JsonValue> {
  return view(context, await findCustomer(context, id));
}

const wordsOf = (tags: JsonObject): Record<string, string> => tags as Record<string, string>;

async function view(context: Context, row: CustomerRow): Promise<JsonObject> {
  const { trx, storeId } = context;
  const [addresses, methods, contracts, spent, paying, generated, blocks] = await Promise.all([
    addressesOf(context, row.id),
    sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer and customer_id = ${row.id}::bigint order by id`
      .execute(trx)
      .then(({ rows }) => rows),
    trx
      .selectFrom('contracts')
      .select(['id', 'status', 'next_billing_at', 'payment_method_id', 'backup_payment_method_id', 'last_payment_status', 'currency_code'])
      .where('store_id', '=', storeId)
      .where('customer_id', '=', row.id)
      .orderBy('id')
      .execute(),
    sql<{
      currency_code: string;
      n: number;
      total: number;
    }>`select currency_code, count(*) as n, coalesce(sum(total), 0)::bigint as total from orders
      where store_id = ${storeId}::integer and status = 'PAID' and contract_id = any(array(select id from contracts
        where store_id = ${storeId}::integer and customer_id = ${row.id}::bigint)) group by 1 order by 2 desc, 1`
      .execute(trx)
      .then(({ rows }) => rows),
    leadingContract(context, row.id),
    context
      .setting('subscription-tags')
      .then(tags => subscriptionTags(trx, storeId, wordsOf(tags)).then(found => new Set([...found].map(nameKey)))),
    blocksOf({ trx, storeId }, [row.email]),
  ]);
  const returned = blocks.find(({ reason }) => reason !== 'UNSUBSCRIBED');
  const active = contracts.filter(contract => contract.status === 'ACTIVE');
  const used = new Set(
    active.flatMap(contract => [contract.payment_method_id, contract.backup_payment_method_id].filter((id): id is number => id !== null)),
  );
  const next = active.flatMap(contract => contract.next_billing_at ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
  const count = (status: string) => contracts.filter(contract => contract.status === status).length;
  const currency = spent[0]?.currency_code ?? contracts[0]?.currency_code ?? context.store.currency_code;
  const running = contracts.filter(contract => contract.status !== 'CANCELLED' && contract.status !== 'EXPIRED');
  const chargedFor = (method: MethodRow) =>
    running.filter(contract => contract.payment_method_id === method.id).map(contract => contract.id);
  const name = `${row.first_name} ${row.last_name}`.trim() || row.email;
  return {
    id: row.id,
    shopifyId: row.shopify_id,
    name,
    email: row.email,
    emailBlock: returned?.reason ?? null,
    emailBlockId: returned?.id ?? null,
    // Nothing at all reaches an address that came back or reported spam.
    getsAdvertising: blocks.length === 0,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    countryCode: row.country_code,
    locale: row.locale,
    version: row.version,
    tags: row.tags,
    ownTags: row.tags.filter(tag => !generated.has(nameKey(tag))),
    subscriptionTags: row.tags.filter(tag => generated.has(nameKey(tag))),
    activeSubscriptionsCount: active.length,
    pausedSubscriptionsCount: count('PAUSED'),
    cancelledSubscriptionsCount: count('CANCELLED'),
    allSubscriptionsCount: contracts.length,
    nextBillingDateEpoch: next ? epoch(next) : null,
    subscriberStatus: active.length ? 'ACTIVE' : count('PAUSED') ? 'PAUSED' : contracts.length ? 'FORMER' : 'NONE',
    hasFailedPayment: running.some(contract => contract.last_payment_status === 'FAILED'),
    ordersCount: spent.reduce((sum, one) => sum + Number(one.n), 0),
    totalSpent: toDecimal(Number(spent[0]?.total ?? 0), currency),
    currencyCode: currency,
    payingSubscriptionId: paying,
    hasPortalPage: (paying ?? (await newestGift(context, row.id))) !== null && (await hasPortal(context)),
    address: addresses[0]?.is_default ? addresses[0].address : null,
    addresses: addresses.map(one => ({ ...one.address, id: one.id, isDefault: one.is_default })),
    paymentMethods: methods.map(method => ({ ...wireMethod(method, momentOf(context), undefined, used), chargedFor: chargedFor(method) })),
    erasedAtEpoch: row.erased_at ? epoch(row.erased_at) : null,
    createdAt: row.created_at.toISOString(),
    createdAtEpoch: epoch(row.created_at),
    updatedAt: row.updated_at.toISOString(),
  };
}

async function addressesOf(
  { trx, storeId }: Context,
  customerId: number,
): Promise<{ id: number; is_default: boolean; address: JsonObject }[]> {
  const rows = await trx
    .selectFrom('customer_addresses')
    .select(['id', 'is_default', 'address'])
    .where('store_id', '=', storeId)
    .where('customer_id', '=', customerId)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(row => ({ ...row, address: row.address as JsonObject }));
}

async function refuseTaken({ trx, storeId }: Context, email: string, at: string, self = 0): Promise<void> {
  await lockEmails(trx, storeId, [email]);
  const { rows } =
    await sql`select 1 from customers where store_id = ${storeId}::integer and lower(email) = lower(${email}) and id <> ${self}::bigint
        limit 1`.execute(trx);
  if (rows.length)
    throw new Refusal(409, 'TAKEN', t`Another customer has the e-mail address ${email} already.`, [
      { pointer: `${at}/email`, rule: 'unique', message: t`Another customer has this e-mail address already.` },
    ]);
}

/** The rights to what customers do to their subscriptions in the portal, whose link goes to their address. */
const OF_PORTAL = [...new Set(Object.values(ACTION_KINDS).flatMap(one => (one.in.portal ? [one.permission] : [])))];

/** Refuses to give an address, and with it the portal, where a person may not do by hand what is done there. @throws Refusal 422 */
async function refusePortal(context: Context, { allSubscriptionsCount }: JsonObject, pointer: string): Promise<void> {
  if (!allSubscriptionsCount || !(await hasPortal(context))) return;
  const missing = unmet(
    context,
    OF_PORTAL.map(permission => ({ permission, mode: 'WRITE' })),
  );
  if (!missing || !('permission' in missing)) return;
  const label = translated(context.definitions.permissions[missing.permission]?.label ?? missing.permission);
  throw invalid([
    {
      ...{ pointer, rule: 'permission' },
      message: t`The portal is opened by this address. To change it you need permission for all that customers do there, and lack:
        ${label}.`,
    },
  ]);
}

const isEmpty = (address: Address): boolean => Object.values(address).every(part => part === null || part === undefined || part === '');

/**
 * Makes an address the default one: a new one where there is none yet, else in place of the one that was. What subscriptions ship to stays.
 */
async function keepAddress(context: Context, customerId: number, address: Address, at: string): Promise<void> {
  const clean = cleanAddress(address);
  const errors = addressErrors(clean, `${at}/address`);
  if (errors.length) throw invalid(errors);
  const { trx, storeId } = context;
  const [first] = await addressesOf(context, customerId);
  if (first?.is_default)
    await trx
      .updateTable('customer_addresses')
      .set({ address: JSON.stringify(clean) })
      .where('store_id', '=', storeId)
      .where('id', '=', first.id)
      .execute();
  else
    await trx
      .insertInto('customer_addresses')
      .values({ store_id: storeId, customer_id: customerId, is_default: true, address: JSON.stringify(clean) })
      .execute();
}

/** Creates a customer; an address becomes the default one (D172). */
export async function create(context: Context, input: Given): Promise<JsonValue> {
  const { trx, storeId } = context;
  const { given, at } = opened(input);
  if (!given.email) throw invalid([{ pointer: `${at}/email`, rule: 'required', message: t`Enter an e-mail address` }]);
  await refuseTaken(context, given.email, at);
  const [id] = (await newIds(trx, 'customers', 1)) as [number];
  const address = given.address && !isEmpty(given.address) ? given.address : undefined;
  const row = newCustomerRow(
    storeId,
    id,
    { ...given, email: given.email, countryCode: given.countryCode ?? address?.countryCode ?? context.store.country_code },
    context.now(),
  );
  await trx
    .insertInto('customers')
    .values({ ...row, locale: given.locale ?? null, tags: uniqueTags(given.ownTags ?? given.tags ?? []) })
    .execute();
  if (address) await keepAddress(context, id, address, at);
  await retagCustomers(trx, storeId, [id], wordsOf(await context.setting('subscription-tags')), context.now());
  const after = await view(context, await findCustomer(context, id));
  await context.log({
    action: 'customer.created',
    category: 'Customers',
    description: `Customer ${String(after.name)} created`,
    entity: 'customer',
    entityId: id,
    after: changeable(after),
  });
  return after;
}

/** What people change; the log compares it. */
const CHANGEABLE = ['firstName', 'lastName', 'email', 'phone', 'countryCode', 'locale', 'tags', 'address'];
const changeable = (record: JsonObject): JsonObject => Object.fromEntries(CHANGEABLE.map(name => [name, record[name] ?? null]));

/**
 * Changes a customer (D172); what is left out stays. Name and e-mail address are taken over by their
 * subscriptions; an address becomes the default one.
 * @throws Refusal 409 when another person saved meanwhile, or another customer has the e-mail address
 */
export async function update(context: Context, input: Given): Promise<JsonValue> {
  const { trx, storeId } = context;
  const { given, at } = opened(input);
  if (given.id === undefined) throw invalid([{ pointer: `${at}/id`, rule: 'required', message: t`Name the customer by its id.` }]);
  // Contracts first, as billing does it, so that neither waits for the other.
  await sql`select 1 from contracts where store_id = ${storeId}::integer and customer_id = ${given.id}::bigint
      order by id for update`.execute(trx);
  const row = await findCustomer(context, given.id, true);
  if (isErased(row.email)) throw refuseErased();
  const before = await view(context, row);
  checkVersion({ expectedVersion: context.expectedVersion ?? given.version }, 'customer', before, row.version, {
    by: '',
    at: row.updated_at,
  });
  if (given.email !== undefined && given.email.toLowerCase() !== row.email.toLowerCase()) {
    await refusePortal(context, before, `${at}/email`);
    await refuseTaken(context, given.email, at, row.id);
  }
  const address =
    given.address && !isEmpty(given.address) && !same(cleanAddress(given.address), before.address) ? given.address : undefined;
  const names = {
    first_name: given.firstName?.trim() ?? row.first_name,
    last_name: given.lastName?.trim() ?? row.last_name,
    email: given.email ?? row.email,
    phone: given.phone === undefined ? row.phone : given.phone?.trim() || null,
  };
  const own = given.ownTags ?? given.tags;
  const locale = given.locale === undefined ? row.locale : given.locale;
  const isMoved =
    address !== undefined &&
    address.countryCode !== undefined &&
    (given.countryCode === undefined || given.countryCode === row.country_code);
  await trx
    .updateTable('customers')
    .set({
      ...names,
      search: customerSearch({ id: row.id, ...names }),
      country_code: isMoved ? address.countryCode : (given.countryCode ?? row.country_code),
      locale,
      tags: own ? uniqueTags([...own, ...(before.subscriptionTags as string[])]) : row.tags,
      version: row.version + 1,
      updated_at: context.now(),
    })
    .where('store_id', '=', storeId)
    .where('id', '=', row.id)
    .execute();
  const was = `${row.first_name} ${row.last_name}`.trim(),
    is = `${names.first_name} ${names.last_name}`.trim();
  if (was !== is || row.first_name !== names.first_name || row.email !== names.email) {
    await renameInContracts({ trx, storeId }, row, names);
  }
  if (row.email.toLowerCase() !== names.email.toLowerCase()) await takeChoiceAlong({ trx, storeId }, row.email, names.email);
  if (locale !== row.locale)
    await trx
      .updateTable('contracts')
      .set({ customer_locale: locale })
      .where('store_id', '=', storeId)
      .where('customer_id', '=', row.id)
      .execute();
  if (address) await keepAddress(context, row.id, address, at);
  if (own) await retagCustomers(trx, storeId, [row.id], wordsOf(await context.setting('subscription-tags')), context.now());
  const after = await view(context, await findCustomer(context, row.id));
  await context.log({
    action: 'customer.updated',
    category: 'Customers',
    description: `Customer ${String(after.name)} updated`,
    entity: 'customer',
    entityId: row.id,
    before: changeable(before),
    after: changeable(after),
  });
  return after;
}
