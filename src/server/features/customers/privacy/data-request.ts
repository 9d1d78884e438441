// A customer's data request: everything that is held about one person, as a file to hand over.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { isoDay } from '../../../../domain/calendar/calendar.ts';
import { inLine, Refusal, Reply, type Context } from '../../../platform/context.ts';
import type { CustomerRow } from '../../../engine/index.ts';
import { findCustomer } from '../customer-reads.ts';
import { t } from '../../../../domain/text/t.ts';

/** Whose rows: the customer and the subscriptions they have. */
export interface Person {
  storeId: number;
  customer: CustomerRow;
  contracts: readonly number[];
  paymentMethods: readonly number[];
}

/** Rows that hold something of a person: those of a table (`r`) that meet `where`. */
interface Held {
  section: string;
  table: string;
  where(person: Person): RawBuilder<unknown>;
  /** Columns that are no data of theirs: secrets, the words of a search, others' names. */
  omit?: readonly string[];
}
const ofCustomer = ({ customer }: Person): RawBuilder<unknown> => sql`r.customer_id = ${customer.id}::bigint`;
/** Rows of their subscriptions. */
export const ofContracts = ({ contracts }: Person): RawBuilder<unknown> => sql`r.contract_id = any(${contracts}::bigint[])`;
/** Entries of the account log about the customer, their subscriptions and payment methods. */
const ofLog = ({ customer, contracts, paymentMethods }: Person): RawBuilder<unknown> =>
  sql`((r.entity = 'customer' and r.entity_id = ${String(customer.id)})
    or (r.entity = 'subscription' and r.entity_id = any(${contracts.map(String)}::text[]))
    or (r.entity = 'payment-method' and r.entity_id = any(${paymentMethods.map(String)}::text[])))`;

/** Written into the log with each file; not part of it, so that asking twice gives the same. */
const EXPORTED = 'customer.dataExported';

const HELD: readonly Held[] = [
  {
    section: 'customer',
    table: 'customers',
    where: ({ customer }) => sql`r.id = ${customer.id}::bigint`,
    omit: ['search', 'portal_token'],
  },
  { section: 'addresses', table: 'customer_addresses', where: ofCustomer },
  { section: 'paymentMethods', table: 'payment_methods', where: ofCustomer, omit: ['gateway_token'] },
  { section: 'subscriptions', table: 'contracts', where: ofCustomer, omit: ['search'] },
  { section: 'products', table: 'contract_lines', where: ofContracts },
  { section: 'discounts', table: 'contract_discounts', where: ofContracts },
  { section: 'prepaidCredits', table: 'credit_transactions', where: ofContracts, omit: ['created_by'] },
  { section: 'orders', table: 'orders', where: ofCustomer, omit: ['idempotency_key'] },
  { section: 'gifts', table: 'gifts', where: ofCustomer, omit: ['search', 'portal_token', 'note'] },
  {
    section: 'giftsReceived',
    table: 'gifts',
    where: ({ customer }) => sql`lower(r.recipient_email) = lower(${customer.email})`,
    omit: ['search', 'portal_token', 'note', 'customer_id', 'paid_amount'],
  },
  { section: 'payments', table: 'billing_attempts', where: ofContracts, omit: ['idempotency_key', 'started_by'] },
  { section: 'refunds', table: 'refunds', where: ofContracts, omit: ['idempotency_key', 'created_by', 'reason'] },
  { section: 'activity', table: 'events', where: ofContracts, omit: ['entity', 'messages'] },
  {
    section: 'emails',
    table: 'outbox',
    where: person => sql`lower(r.recipient) = lower(${person.customer.email})
      or (${ofContracts(person)} and r.template not like 'ADMIN\\_%')`,
    omit: ['dedupe_key', 'open_key', 'copies', 'html', 'claimed_at', 'branding_version'],
  },
  {
    section: 'emailBlocks',
    table: 'mail_blocks',
    where: ({ customer }) => sql`r.address = lower(${customer.email})`,
    omit: ['created_by', 'version'],
  },
  {
    section: 'accountLog',
    table: 'account_log',
    where: person => sql`${ofLog(person)} and r.action <> ${EXPORTED}`,
    omit: ['user_id', 'user_email', 'ip', 'request_id'],
  },
];

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** @throws Refusal 403 unless the person is the owner or an admin: the file and erasing reach into every area at once */
export function mustRunStore({ user }: Context): void {
  if (user.type === 'MEMBER')
    throw new Refusal(403, 'FORBIDDEN', t`Only the owner and admins can export or erase everything about a customer.`);
}

/** The customer with the ids of all their subscriptions and payment methods. @throws Refusal 404 */
export async function personOf(context: Context, id: number, lock = false): Promise<Person> {
  const { trx, storeId } = context;
  // Contracts first, as billing does it, so that neither waits for the other.
  const { rows } = await sql<{ id: number }>`select id from contracts where store_id = ${storeId}::integer
      and customer_id = ${id}::bigint order by id ${lock ? sql`for update` : sql``}`.execute(trx);
  const customer = await findCustomer(context, id, lock);
  const { rows: methods } = await sql<{ id: number }>`select id from payment_methods where store_id = ${storeId}::integer
      and customer_id = ${id}::bigint`.execute(trx);
  return { storeId, customer, contracts: rows.map(row => row.id), paymentMethods: methods.map(row => row.id) };
}

/**
 * Everything that is held about a customer, in one JSON file: a section for each kind of record, members named as in the API. Amounts
 * are in the smallest unit of their currency. Secrets and what says something of others alone are left out.
 * @throws Refusal 403 for members of the team, 404
 */
export const dataRequest = inLine('exports', async (context: Context, { id }: { id: number }): Promise<Reply> => {
  mustRunStore(context);
  const person = await personOf(context, id);
  const sections: JsonObject = {};
  for (const held of HELD) {
    const { rows } = await sql<{ row: JsonObject }>`select to_jsonb(r) - ${['store_id', ...(held.omit ?? [])]}::text[] as row
        from ${sql.table(held.table)} r where r.store_id = ${context.storeId}::integer and (${held.where(person)}) order by r.id`.execute(
      context.trx,
    );
    const records = rows.map(({ row }) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value as JsonValue])),
    );
    sections[held.section] = held.section === 'customer' ? (records[0] ?? null) : records;
  }
  await context.log({
    action: EXPORTED,
    category: 'Customers',
    description: `Everything held about customer #${id} exported`,
    entity: 'customer',
    entityId: id,
  });
  const about = {
    store: context.store.name,
    madeOn: isoDay(context.now().getTime(), context.store.timezone),
    amounts: 'In the smallest unit of their currency.',
  };
  return new Reply(null, {
    file: {
      name: `customer-${id}-data.json`,
      contentType: 'application/json; charset=utf-8',
      content: `${JSON.stringify({ about, ...sections }, null, 2)}\n`,
    },
  });
});
