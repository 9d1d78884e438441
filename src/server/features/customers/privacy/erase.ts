// Erasing a person: who they are is gone at once, with their subscriptions, cards, addresses and waiting mail; what else names them in any
// table goes in steps right after, however much it is. Money, orders and ids stay.
import { sql } from 'kysely';
import type { JsonValue } from '../../../../contract/types.ts';
import { invalid, invalidState, type Context } from '../../../platform/context.ts';
import { BEING_PROCESSED, ERASED_NAME, erasedEmail, isErased, refuseErased } from '../../../engine/index.ts';
import { mustRunStore, ofContracts, personOf, type Person } from './data-request.ts';
import { eraseInSteps } from './erase-run.ts';
import type { Words } from './erase-steps.ts';
import { t, translated } from '../../../../domain/text/t.ts';

const [FIRST = '', LAST = ''] = ERASED_NAME.split(' ');

/**
 * A PostgreSQL pattern for a text that stands by itself: "ana@mail.example" is not meant by "mariana@mail.example". In addresses of pages
 * it stands encoded.
 */
function alone(text: string): string {
  const words = text
    .replace(/[^\p{L}\p{N}\s@_-]/gu, String.raw`\$&`)
    .replaceAll('@', '(?:@|%40)')
    .replaceAll(/\s+/g, String.raw`(?:\s+|\+|%20)`);
  return `(?:(?<![[:alnum:]._+-])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))${words}(?![[:alnum:]_-]|\\.[[:alnum:]])`;
}

function wordsFor({ customer: row }: Person): { everywhere: Words; own: Words } {
  const full = `${row.first_name} ${row.last_name}`.trim();
  const long = (text: string | null): text is string => (text?.trim().length ?? 0) > 1;
  const everywhere: Words = [[alone(row.email), erasedEmail(row.id)]];
  if (long(row.first_name) && long(row.last_name)) everywhere.push([alone(full), ERASED_NAME]);
  if (row.phone && row.phone.replace(/\D/g, '').length > 6) everywhere.push([alone(row.phone), '…']);
  // Where it is known to be about them, one of their names is enough.
  const own: Words = [...everywhere, ...[row.first_name, row.last_name].filter(long).map((name): [string, string] => [alone(name), '…'])];
  return { everywhere, own };
}

/** The records of the person themselves, their subscriptions and orders. */
async function empty(context: Context, person: Person): Promise<void> {
  const { trx } = context;
  const { storeId, customer } = person;
  const mine = (table: string) => sql`${sql.table(table)} r where r.store_id = ${storeId}::integer`;
  const email = erasedEmail(customer.id);
  const token = sql`select gateway_token from payment_methods
    where store_id = ${storeId}::integer and customer_id = ${customer.id}::bigint`;
  await sql`delete from ${mine('card_vault_sessions')} and (r.gateway_token in (${token})
      or lower(r.name) = lower(${customer.name}))`.execute(trx);
  await sql`delete from ${mine('card_setups')} and r.customer_id = ${customer.id}::bigint`.execute(trx);
  await sql`delete from ${mine('customer_addresses')} and r.customer_id = ${customer.id}::bigint`.execute(trx);
  const now = context.now();
  await sql`update payment_methods r set name = null, last_digits = null, expiry_month = null, expiry_year = null,
      paypal_account_email = null, gateway_token = 'erased', revoked_at = coalesce(revoked_at, ${now}), updated_at = ${now}
    where r.store_id = ${storeId}::integer and r.customer_id = ${customer.id}::bigint`.execute(trx);
  await sql`update contracts r set customer_name = ${ERASED_NAME}, customer_first_name = ${FIRST}, customer_email = ${email},
      shipping_address = null,
      delivery_method = case when delivery_method is null then null else jsonb_build_object('type', delivery_method -> 'type') end,
      note = '', next_order_note = '', custom_attributes = '[]', cancellation_comment = null,
      payment_method_id = null, backup_payment_method_id = null,
      search = concat_ws(' ', id, shopify_id, ${ERASED_NAME}::text, products_label),
      version = version + 1, updated_at = ${now}
    where r.store_id = ${storeId}::integer and r.customer_id = ${customer.id}::bigint`.execute(trx);
  await sql`delete from ${mine('mail_blocks')} and r.address = lower(${customer.email})`.execute(trx);
  await sql`delete from ${mine('payment_migrations')} and r.customer_id = ${customer.id}::bigint`.execute(trx);
  // Each by an index of its own.
  for (const theirs of [sql`lower(r.recipient) = lower(${customer.email})`, ofContracts(person)])
    await sql`delete from ${mine('outbox')} and r.sent_at is null and ${theirs}`.execute(trx);
  await sql`update customers set first_name = ${FIRST}, last_name = ${LAST}, email = ${email},
      phone = null, tags = '{}', portal_token = '', search = ${`${ERASED_NAME} ${customer.id}`}, erased_at = ${now},
      version = version + 1, updated_at = ${now}
    where store_id = ${storeId}::integer and id = ${customer.id}::bigint`.execute(trx);
}

/** By key of an event the members of its payload that identify a person. */
const personalMembers = ({ definitions }: Context): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(definitions.events).flatMap(([key, { personal = [] }]) => (personal.length ? [[key, [...personal]]] : [])),
  );

/** @throws Refusal 409 while something of theirs still goes on */
async function mustBeOver({ trx }: Context, { storeId, customer }: Person): Promise<void> {
  const { rows: open } = await sql<{ id: number; processing: boolean }>`select c.id, exists (select 1 from orders o
      where o.store_id = c.store_id and o.contract_id = c.id and o.status = 'PROCESSING') as processing from contracts c
    where c.store_id = ${storeId}::integer and (c.customer_id = ${customer.id}::bigint or exists (select 1 from gifts g
        where g.store_id = c.store_id and g.id = c.id and lower(g.recipient_email) = lower(${customer.email})))
      and (c.status in ('ACTIVE', 'PAUSED', 'FAILED') or exists (select 1 from orders o
        where o.store_id = c.store_id and o.contract_id = c.id and o.status = 'PROCESSING')) order by c.id`.execute(trx);
  if (open.some(one => one.processing)) throw invalidState(translated(BEING_PROCESSED));
  if (open.length === 0) return;
  const named = open.slice(0, 3).map(one => `#${one.id}`);
  const more = open.length - named.length;
  const [first = '', second = '', third = ''] = named;
  if (open.length === 1) throw invalidState(t`Cancel subscription ${first} first. Only then can the customer be erased.`);
  if (open.length === 2) throw invalidState(t`Cancel subscriptions ${first} and ${second} first. Only then can the customer be erased.`);
  const list = `${first}, ${second}, ${third}`;
  throw invalidState(
    more > 0
      ? t`Cancel subscriptions ${list} and ${more} more first. Only then can the customer be erased.`
      : t`Cancel subscriptions ${list} first. Only then can the customer be erased.`,
  );
}

/**
 * Erases a customer for good. `email` is their address, typed to confirm it.
 * @returns how many subscriptions and orders stay, without them
 * @throws Refusal 403 for members of the team, 404, 409 for a customer who was erased or whose subscriptions go on, 422 for another address
 */
export async function eraseCustomer(context: Context, { id, email }: { id: number; email: string }): Promise<JsonValue> {
  mustRunStore(context);
  const person = await personOf(context, id, true);
  const { customer, contracts, storeId } = person;
  if (isErased(customer.email)) throw refuseErased();
  if (email.trim().toLowerCase() !== customer.email.toLowerCase())
    throw invalid([{ pointer: '/email', rule: 'const', message: t`Type the customer's e-mail address as it stands on this page.` }]);
  await mustBeOver(context, person);
  await empty(context, person);
  await eraseInSteps(context, {
    customerId: id,
    email: customer.email,
    contracts: [...contracts],
    ...wordsFor(person),
    personal: personalMembers(context),
    now: context.now().toISOString(),
  });
  const { rows } = await sql<{ n: number }>`select count(*) as n from orders r where r.store_id = ${storeId}::integer
      and ${ofContracts(person)}`.execute(context.trx);
  await context.log({
    action: 'customer.erased',
    category: 'Customers',
    description: `Customer #${id} erased`,
    entity: 'customer',
    entityId: id,
  });
  return { id, subscriptions: contracts.length, orders: Number(rows[0]?.n ?? 0) };
}
