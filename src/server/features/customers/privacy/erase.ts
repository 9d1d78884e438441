// Erasing a person: what says who they are goes from every table, in one transaction; money, orders and ids stay.
import { sql, type RawBuilder } from 'kysely';
import type { JsonValue } from '../../../../contract/types.ts';
import { invalid, invalidState, type Context } from '../../../platform/context.ts';
import { BEING_PROCESSED } from '../../subscriptions/engine/guards.ts';
import { mustRunStore, ofContracts, personOf, type Person } from './data-request.ts';
import { ERASED_NAME, erasedEmail, isErased, refuseErased } from '../../subscriptions/engine/erased.ts';
import { t, translated } from '../../../../domain/text/t.ts';

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

/** What is looked for in free text, longest first, and what is put in its place. */
type Words = [pattern: string, instead: string][];
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

interface Swept {
  table: string;
  text?: readonly string[];
  json?: readonly string[];
  /** Only rows that are known to be about the person; without it all rows of the store. */
  where?: (person: Person) => RawBuilder<unknown>;
}
/** Texts in which a person may be named: by those who wrote them, in filters, in reasons of failures. */
const SWEPT: readonly Swept[] = [
  { table: 'billing_attempts', text: ['error_message'], where: ofContracts },
  { table: 'orders', text: ['error_message', 'skip_reason'], where: ofContracts },
  { table: 'credit_transactions', text: ['reason'], where: ofContracts },
  { table: 'bulk_action_rows', text: ['reason', 'given'], where: ofContracts },
  { table: 'bulk_action_rows', text: ['given', 'reason', 'before', 'after'], json: ['values'] },
  { table: 'bulk_actions', text: ['label', 'error'], json: ['input', 'selection'] },
  { table: 'runs', text: ['error'], json: ['input', 'cursor', 'result'] },
  { table: 'subscription_import_rows', text: ['external_id', 'message'] },
  { table: 'subscription_imports', text: ['file_name', 'error'], json: ['columns'] },
  { table: 'records', json: ['data'] },
  { table: 'alerts', text: ['title', 'summary', 'error', 'resolution'], json: ['impact', 'recommended_action', 'resolving'] },
  { table: 'event_failures', text: ['reason'] },
  { table: 'gifts', text: ['sender_name', 'message', 'thanks_message', 'note'] },
  { table: 'deliveries', text: ['error'], json: ['payload', 'request', 'answer'] },
  { table: 'outbox', text: ['recipient', 'subject', 'text', 'html', 'failed_reason', 'dedupe_key'] },
];

/** Takes the person out of texts, and out of the audit trail. */
async function sweep({ trx, definitions }: Context, person: Person): Promise<void> {
  const { everywhere, own } = wordsFor(person);
  const personal = Object.fromEntries(
    Object.entries(definitions.events).flatMap(([key, kind]) => (kind.personal?.length ? [[key, kind.personal]] : [])),
  );
  await sql`select erase_from_trail(${person.customer.id}::bigint, ${JSON.stringify(personal)}::jsonb, ${JSON.stringify(everywhere)}::jsonb,
    ${JSON.stringify(own)}::jsonb)`.execute(trx);
  for (const { table, text = [], json = [], where } of SWEPT) {
    const words = where ? own : everywhere;
    const pattern = words.map(([one]) => one).join('|');
    const without = (column: string) => sql`erased_words(r.${sql.ref(column)}::text, ${JSON.stringify(words)}::jsonb)`;
    const set = [
      ...text.map(column => sql`${sql.ref(column)} = ${without(column)}`),
      ...json.map(column => sql`${sql.ref(column)} = ${without(column)}::jsonb`),
    ];
    const found = [...text, ...json].map(column => sql`r.${sql.ref(column)}::text ~* ${pattern}`);
    await sql`update ${sql.table(table)} r set ${sql.join(set)} where r.store_id = ${person.storeId}::integer
      and ${where ? where(person) : sql`true`} and (${sql.join(found, sql` or `)})`.execute(trx);
  }
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
  // A request that is repeated finds the person erased, and is refused.
  await sql`delete from ${mine('idempotency_keys')} and r.answer::text ~* ${alone(customer.email)}`.execute(trx);
  await sql`delete from ${mine('customer_addresses')} and r.customer_id = ${customer.id}::bigint`.execute(trx);
  const now = context.now();
  await sql`update payment_methods r set name = null, last_digits = null, expiry_month = null, expiry_year = null,
      paypal_account_email = null, gateway_token = 'erased', revoked_at = coalesce(revoked_at, ${now}), updated_at = ${now}
    where r.store_id = ${storeId}::integer and r.customer_id = ${customer.id}::bigint`.execute(trx);
  await sql`update contracts r set customer_name = ${ERASED_NAME}, customer_email = ${email}, shipping_address = null,
      delivery_method = case when delivery_method is null then null else jsonb_build_object('type', delivery_method -> 'type') end,
      note = '', next_order_note = '', custom_attributes = '[]', cancellation_comment = null,
      payment_method_id = null, backup_payment_method_id = null,
      search = concat_ws(' ', id, shopify_id, ${ERASED_NAME.toLowerCase()}::text, lower(products_label)),
      version = version + 1, updated_at = ${now}
    where r.store_id = ${storeId}::integer and r.customer_id = ${customer.id}::bigint`.execute(trx);
  await sql`update cancellation_attempts r set comment = null
    where r.store_id = ${storeId}::integer and r.customer_id = ${customer.id}::bigint`.execute(trx);
  await sql`update contract_lines r set attributes = '[]' where r.store_id = ${storeId}::integer and ${ofContracts(person)}`.execute(trx);
  await sql`update orders r set shipping_address = null, note = '', custom_attributes = '[]', updated_at = ${now},
      lines = (select coalesce(jsonb_agg(case when line ? 'attributes' then line || '{"attributes":[]}' else line end order by place), '[]')
        from jsonb_array_elements(r.lines) with ordinality as all_lines (line, place))
    where r.store_id = ${storeId}::integer and r.customer_id = ${customer.id}::bigint`.execute(trx);
  await sql`update bulk_action_rows r set "values" = null, before = null, after = null, undo = null
    where r.store_id = ${storeId}::integer and ${ofContracts(person)}`.execute(trx);
  // Of gifts, who got them is known from who gave them alone, so they go together; to somebody else's gift the recipient is lost alone.
  await sql`update gifts r set recipient_first_name = 'Erased', recipient_last_name = '', recipient_email = ${email},
      recipient_phone = null, message = '', thanks_message = '', note = '', portal_token = '',
      sender_name = case when r.customer_id = ${customer.id}::bigint then 'Erased' else sender_name end, updated_at = ${now}
    where r.store_id = ${storeId}::integer and (r.customer_id = ${customer.id}::bigint
      or lower(r.recipient_email) = lower(${customer.email}))`.execute(trx);
  await sql`delete from ${mine('payment_migrations')} and r.customer_id = ${customer.id}::bigint`.execute(trx);
  // A file that names them is let go of as a whole; what was imported from it stays.
  await sql`update subscription_imports r set content = null where r.store_id = ${storeId}::integer and r.content is not null
    and convert_from(r.content, 'UTF8') ~* ${alone(customer.email)}`.execute(trx);
  const unsent = sql`r.sent_at is null and (lower(r.recipient) = lower(${customer.email}) or ${ofContracts(person)})`;
  await sql`delete from ${mine('outbox')} and ${unsent}`.execute(trx);
  await sql`update outbox r set recipient = case when template like 'ADMIN\\_%' then recipient else ${email} end, subject = 'Erased',
      text = '', html = '', failed_reason = null, copies = '{}'
    where r.store_id = ${storeId}::integer and (lower(r.recipient) = lower(${customer.email}) or ${ofContracts(person)})`.execute(trx);
  await sql`update customers set first_name = ${ERASED_NAME.split(' ')[0]}, last_name = ${ERASED_NAME.split(' ')[1]}, email = ${email},
      phone = null, tags = '{}', portal_token = '', search = ${`${ERASED_NAME.toLowerCase()} ${customer.id}`}, erased_at = ${now},
      version = version + 1, updated_at = ${now}
    where store_id = ${storeId}::integer and id = ${customer.id}::bigint`.execute(trx);
}

/** @throws Refusal 409 while something of theirs still goes on */
async function mustBeOver({ trx }: Context, { storeId, customer }: Person): Promise<void> {
  const { rows: open } = await sql<{ id: number; processing: boolean }>`select c.id, exists (select 1 from orders o
      where o.store_id = c.store_id and o.contract_id = c.id and o.status = 'PROCESSING') as processing from contracts c
    where c.store_id = ${storeId}::integer and c.customer_id = ${customer.id}::bigint
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
  await sweep(context, person);
  const { rows } = await sql<{ n: number }>`select count(*) as n from orders where store_id = ${storeId}::integer
      and customer_id = ${id}::bigint`.execute(context.trx);
  await context.log({
    action: 'customer.erased',
    category: 'Customers',
    description: `Customer #${id} erased`,
    entity: 'customer',
    entityId: id,
  });
  return { id, subscriptions: contracts.length, orders: Number(rows[0]?.n ?? 0) };
}
