// What goes of a person who is erased, table by table: each is a step that is done a page of rows at a time, in the order of the table's
// key.
import { sql, type RawBuilder } from 'kysely';
import { erasedEmail } from '../../../engine/index.ts';

/** Pairs of what is looked for in free text (a PostgreSQL pattern), longest first, and what is put in its place. */
export type Words = [pattern: string, instead: string][];

/** A person who is being erased, as the run keeps them until nothing is left to look for. */
export type Erased = {
  customerId: number;
  email: string;
  /** Their subscriptions. */
  contracts: number[];
  /** What stands for them anywhere, and what does where it is known to be about them. */
  everywhere: Words;
  own: Words;
  /** By key of an event the members of its payload that say who they are. */
  personal: Record<string, string[]>;
  now: string;
};

export interface Step {
  table: string;
  /** The table's primary key after the store: column and type. */
  key: Readonly<Record<string, 'bigint' | 'integer' | 'text'>>;
  /** Rows of their subscriptions alone, one subscription after the other; without it all rows of the store. */
  ofContracts?: true;
  /** Which rows (`r`) of a page are meant. */
  meant(person: Erased): RawBuilder<unknown>;
  /** What they become; `TRAIL`: what the audit trail's own function makes of them. */
  change: 'DELETE' | 'TRAIL' | ((person: Erased) => RawBuilder<unknown>);
}

const ID = { id: 'bigint' } as const;
const patternOf = (words: Words): string => words.map(([one]) => one).join('|');
const without = (column: string, words: Words): RawBuilder<unknown> =>
  sql`erased_words(r.${sql.ref(column)}::text, ${JSON.stringify(words)}::jsonb)`;

/** Texts in which a person may be named: by those who wrote them, in filters, in reasons of failures. */
function texts(
  table: string,
  columns: { text?: readonly string[]; json?: readonly string[] },
  more: Partial<Pick<Step, 'key' | 'ofContracts'>> & { only?: RawBuilder<unknown> } = {},
): Step {
  const { text = [], json = [] } = columns;
  const { key = ID, only = sql`true`, ofContracts } = more;
  const wordsOf = ({ own, everywhere }: Erased): Words => (ofContracts ? own : everywhere);
  return {
    table,
    key,
    ...(ofContracts ? { ofContracts } : {}),
    meant: person =>
      sql`${only} and (${sql.join(
        [...text, ...json].map(column => sql`r.${sql.ref(column)}::text ~* ${patternOf(wordsOf(person))}`),
        sql` or `,
      )})`,
    change: person =>
      sql.join([
        ...text.map(column => sql`${sql.ref(column)} = ${without(column, wordsOf(person))}`),
        ...json.map(column => sql`${sql.ref(column)} = ${without(column, wordsOf(person))}::jsonb`),
      ]),
  };
}
const BULK_ROW = { bulk_action_id: 'bigint', position: 'integer' } as const;
const trail = (table: string, columns: readonly string[], key: Step['key'] = ID): Step => ({
  table,
  key,
  meant: ({ everywhere }) =>
    sql.join(
      columns.map(column => sql`r.${sql.ref(column)}::text ~* ${patternOf(everywhere)}`),
      sql` or `,
    ),
  change: 'TRAIL',
});
const emptied = (table: string, change: (person: Erased) => RawBuilder<unknown>, key: Step['key'] = ID): Step => ({
  table,
  key,
  ofContracts: true,
  meant: () => sql`true`,
  change,
});

/** Of rows of contracts (by their column `id`): those of gifts that the person got from others. The step of gifts comes before. */
const gotAsGift =
  (id: 'id' | 'contract_id') =>
  ({ customerId }: Erased): RawBuilder<unknown> =>
    sql`exists (select 1 from gifts g where g.store_id = r.store_id
    and g.id = r.${sql.ref(id)} and g.customer_id <> ${customerId}::bigint and g.recipient_email = ${erasedEmail(customerId)})`;

/** The kind of the run that does the steps: it holds the words until the end. */
export const ERASE = 'ERASE_CUSTOMER';

/** In this order. A run goes on at the step and row that it had come to, so steps are only ever added at the end. */
export const STEPS: readonly Step[] = [
  {
    table: 'events',
    key: ID,
    ofContracts: true,
    meant: ({ personal }) => sql`${JSON.stringify(personal)}::jsonb ? r.key
      and r.data ?| array(select jsonb_array_elements_text(${JSON.stringify(personal)}::jsonb -> r.key))`,
    change: 'TRAIL',
  },
  emptied('cancellation_attempts', () => sql`comment = null`),
  emptied('contract_lines', () => sql`attributes = '[]'`),
  emptied(
    'orders',
    ({ own, now }) => sql`shipping_address = null, note = '', custom_attributes = '[]', updated_at = ${now}::timestamptz,
      error_message = ${without('error_message', own)}, skip_reason = ${without('skip_reason', own)},
      lines = (select coalesce(jsonb_agg(case when line ? 'attributes' then line || '{"attributes":[]}' else line end order by place), '[]')
        from jsonb_array_elements(r.lines) with ordinality as all_lines (line, place))`,
  ),
  emptied(
    'bulk_action_rows',
    ({ own }) => sql`"values" = null, before = null, after = null, undo = null, reason = ${without('reason', own)},
      given = ${without('given', own)}`,
    BULK_ROW,
  ),
  texts('billing_attempts', { text: ['error_message'] }, { ofContracts: true }),
  texts('credit_transactions', { text: ['reason'] }, { ofContracts: true }),
  {
    table: 'outbox',
    key: ID,
    meant: ({ email, contracts }) => sql`(lower(r.recipient) = lower(${email}) or r.contract_id = any(${contracts}::bigint[]))`,
    change: ({ customerId }) => sql`recipient = case when template like 'ADMIN\\_%' then recipient else ${erasedEmail(customerId)} end,
      subject = 'Erased', text = '', html = '', failed_reason = null, copies = '{}'`,
  },
  // The recipient of a gift is known only through its giver, so they go together; another customer's gift loses only its recipient.
  {
    table: 'gifts',
    key: ID,
    meant: ({ customerId, email }) => sql`(r.customer_id = ${customerId}::bigint or lower(r.recipient_email) = lower(${email}))`,
    change: ({ customerId, now }) => sql`recipient_first_name = 'Erased', recipient_last_name = '',
      recipient_email = ${erasedEmail(customerId)}, recipient_phone = null, message = '', thanks_message = '', note = '', portal_token = '',
      sender_name = case when r.customer_id = ${customerId}::bigint then 'Erased' else sender_name end, updated_at = ${now}::timestamptz`,
  },
  // A purchase that is still being paid ends first: its row then holds the e-mail address alone, and goes with its days.
  {
    table: 'shop_purchases',
    key: ID,
    meant: ({ email }) => sql`(r.status <> 'CHARGING' and lower(r.outcome ->> 'email') = lower(${email}))`,
    change: 'DELETE',
  },
  {
    table: 'shop_carts',
    key: { id: 'text' },
    // Theirs, or with a gift for them.
    meant: ({ email }) => sql`(lower(r.data ->> 'email') = lower(${email}) or exists (select 1
      from jsonb_array_elements(coalesce(r.data -> 'gifts', '[]')) g where lower(g #>> '{recipient,email}') = lower(${email})))`,
    change: 'DELETE',
  },
  // A request that is repeated finds the person erased, and is refused.
  {
    table: 'idempotency_keys',
    key: { user_id: 'bigint', key: 'text' },
    meant: ({ everywhere }) => sql`r.answer::text ~* ${everywhere[0]?.[0] ?? ''}`,
    change: 'DELETE',
  },
  // A file that names them is let go of as a whole; what was imported from it stays.
  {
    table: 'subscription_imports',
    key: ID,
    meant: ({ everywhere }) => sql`r.content is not null and convert_from(r.content, 'UTF8') ~* ${everywhere[0]?.[0] ?? ''}`,
    change: () => sql`content = null`,
  },
  {
    ...trail('account_log', ['description', 'before', 'after']),
    meant: ({ customerId, contracts, everywhere }) => {
      const pattern = patternOf(everywhere);
      return sql`((r.entity = 'customer' and r.entity_id = ${String(customerId)}) or r.entity = 'payment-method'
        or (r.entity = 'subscription' and r.entity_id = any(${contracts.map(String)}::text[]))
        or r.description ~* ${pattern} or r.before::text ~* ${pattern} or r.after::text ~* ${pattern})`;
    },
  },
  trail('record_history', ['data'], { entity: 'text', id: 'bigint', version: 'integer' }),
  trail('alert_logs', ['note']),
  texts('bulk_action_rows', { text: ['given', 'reason', 'before', 'after'], json: ['values'] }, { key: BULK_ROW }),
  texts('bulk_actions', { text: ['label', 'error'], json: ['input', 'selection'] }),
  texts('runs', { text: ['error'], json: ['input', 'cursor', 'result'] }, { only: sql`r.kind <> ${ERASE}` }),
  texts('subscription_import_rows', { text: ['external_id', 'message'] }, { key: { import_id: 'bigint', position: 'integer' } }),
  // Files of letters and reports hold whatever was in the lists then.
  { table: 'mail_attachments', key: { outbox_id: 'bigint', no: 'integer' }, meant: () => sql`true`, change: 'DELETE' },
  { table: 'report_export_pieces', key: { export_id: 'bigint', no: 'integer' }, meant: () => sql`true`, change: 'DELETE' },
  texts('subscription_imports', { text: ['file_name', 'error'], json: ['columns'] }),
  texts('records', { json: ['data'] }, { key: { entity: 'text', id: 'bigint' } }),
  texts('alerts', { text: ['title', 'summary', 'error', 'resolution'], json: ['impact', 'recommended_action', 'resolving'] }),
  texts('event_failures', { text: ['reason'] }, { key: { consumer: 'text', event_id: 'bigint' } }),
  texts('gifts', { text: ['sender_name', 'message', 'thanks_message', 'note'] }),
  texts('deliveries', { text: ['error'], json: ['payload', 'request', 'answer'] }),
  texts('outbox', { text: ['recipient', 'subject', 'text', 'html', 'failed_reason', 'dedupe_key'] }),
  texts('movement_reasons', { text: ['text'] }),
  texts('refunds', { text: ['reason', 'error_message'] }, { ofContracts: true }),
  {
    table: 'contracts',
    key: ID,
    meant: gotAsGift('id'),
    change: ({ now }) => sql`shipping_address = null,
      delivery_method = case when delivery_method is null then null else jsonb_build_object('type', delivery_method -> 'type') end,
      version = version + 1, updated_at = ${now}::timestamptz`,
  },
  {
    table: 'orders',
    key: ID,
    meant: gotAsGift('contract_id'),
    change: ({ now }) => sql`shipping_address = null, updated_at = ${now}::timestamptz`,
  },
  {
    table: 'events',
    key: ID,
    meant: person => sql`(${JSON.stringify(person.personal)}::jsonb ? r.key and ${gotAsGift('contract_id')(person)})`,
    change: 'TRAIL',
  },
  {
    table: 'account_log',
    key: ID,
    meant: ({ customerId }) => sql`(r.entity in ('subscription', 'gift-subscription') and exists (select 1 from gifts g
      where g.store_id = r.store_id and g.id::text = r.entity_id and g.recipient_email = ${erasedEmail(customerId)}))`,
    change: 'TRAIL',
  },
];
