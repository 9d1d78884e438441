// Imports of subscriptions: what stands around the verbs of their record.
import { sql } from 'kysely';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { linkBase } from '../../engine/index.ts';
import { invalid, invalidState, type Context } from '../../platform/context.ts';
import { incomingPath } from '../../platform/http/incoming.ts';
import { deleteRowsOf } from '../../platform/queue/delete-rows.ts';
import { rules } from '../../platform/records/rules.ts';
import { create as createCustomer } from '../customers/calls/customers-app.ts';
import { PROVIDERS, type ProviderKey } from './payments/providers.ts';
import { PAYMENT_JOB } from './queue-names.ts';
import { missingFields, type FileColumn } from './import/columns.ts';
import { callWorker, keepImport, UNDO_MS, type ImportData } from './import/import-record.ts';
import { importedRows } from './import/import-rows.ts';
import { t } from '../../../domain/text/t.ts';
import { listed } from '../../../contract/validation/sentences.ts';

const dataOf = ({ storeId }: Pick<Context, 'storeId'>, record: JsonObject | undefined): ImportData => ({
  storeId,
  importId: Number(record?.id),
});
const columnsOf = (record: JsonObject | undefined): FileColumn[] => (record?.mapping ?? []) as FileColumn[];

/** Every field is read from one column at most. */
function doubles(columns: readonly FileColumn[]): FieldError[] {
  const taken = new Map<string, string>();
  return columns.flatMap(({ head, field }, index) => {
    if (field === null) return [];
    const other = taken.get(field);
    taken.set(field, other ?? head);
    return other === undefined
      ? []
      : [
          {
            pointer: `/mapping/${index}/field`,
            rule: 'unique',
            message: t`The column “${other}” is read as this already. Choose something else for one of them.`,
          },
        ];
  });
}

/** The store does one thing with imports at a time. */
async function refuseBusy({ trx, storeId }: Context, self: number): Promise<string | undefined> {
  const other = await trx
    .selectFrom('subscription_imports')
    .select('file_name')
    .where('store_id', '=', storeId)
    .where('id', '<>', self)
    .where('status', 'in', ['IN_PROGRESS', 'UNDOING'])
    .executeTakeFirst();
  return other && t`“${other.file_name}” is being imported or undone. Wait until that is done.`;
}

export const guards = {
  importCanStart: async (context: Context, record: JsonObject): Promise<string | undefined> => {
    const missing = missingFields(columnsOf(record));
    if (missing.length) return t`No column says ${missing.map(listed).join(', ')}. Choose the columns first.`;
    if (Number(record.importable) === 0) return t`No row can be imported. Correct the file and choose it again.`;
    return refuseBusy(context, Number(record.id));
  },
  importCanUndo: async (context: Context, record: JsonObject): Promise<string | undefined> => {
    if (Number(record.imported) === 0) return t`This import made no subscription.`;
    const finished = Number(record.finishedAtEpoch) * 1000;
    if (context.now().getTime() - finished >= UNDO_MS) return t`An import can be undone for a day. This one is over for longer.`;
    const { charged } = await importedRows(context.trx, dataOf(context, record));
    if (charged !== null)
      return t`Subscription #${charged} was charged since, so the import can't be undone any more. Cancel subscriptions one by one.`;
    return refuseBusy(context, Number(record.id));
  },
};

export const subscriptionImport = rules({
  columns: ({ now }) => ({
    percent: sql`case when r.status in ('READY', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'UNDONE') then 100 when r.total = 0 then 0
      else r.processed * 100 / r.total end`,
    isUndoable: sql`r.imported > 0 and r.status in ('STOPPED', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED')
      and r.finished_at > ${new Date(now().getTime() - UNDO_MS)}::timestamptz`,
  }),
  // The columns are the file's; what they are read as is the person's.
  fill(verb, { before, input }): JsonObject {
    if (verb !== 'update') return {};
    const given = columnsOf(input);
    const columns = columnsOf(before).map((column, index) => ({ ...column, field: given[index]?.field ?? null }));
    return { mapping: columns as JsonObject[], status: 'CHECKING' };
  },
  validate(verb, { before, record }) {
    const { status, imported } = before ?? {};
    if (verb === 'update')
      return status === 'READY' ? doubles(columnsOf(record)) : invalidState(t`Columns can be chosen until the import is started.`);
    if (
      verb === 'delete' &&
      (['CHECKING', 'IN_PROGRESS', 'UNDOING'].includes(String(status)) || (Number(imported) > 0 && status !== 'UNDONE'))
    )
      return invalidState(t`Only an import that made nothing can be discarded.`);
    return undefined;
  },
  async after(verb, { before, record }, context) {
    if (verb === 'delete' && before) await deleteRowsOf(context, 'subscription_import_rows', Number(before.id));
    if (verb !== 'update' && verb !== 'move') return;
    const data = dataOf(context, record);
    const { trx } = context;
    const [person, at] = [{ acting_user_id: context.user.id }, context.now()];
    const fromStart = { cursor: 0, processed: 0, failed: 0, skipped: 0 };
    if (record?.status === 'CHECKING') await keepImport(trx, data, { ...person, ...fromStart, importable: 0, subscriptions: 0 }, at);
    if (record?.status === 'IN_PROGRESS')
      await keepImport(
        trx,
        data,
        { ...person, finished_at: null, ...(before?.status === 'STOPPED' ? {} : { ...fromStart, started_at: at }) },
        at,
      );
    if (record?.status === 'STOPPED') await keepImport(trx, data, { finished_at: at }, at);
    if (record?.status === 'UNDOING') await keepImport(trx, data, person, at);
    if (record?.status !== 'STOPPED') await callWorker(context, data);
  },
});

/**
 * Whether charges, refunds or open pages of a provider have no outcome yet: what became of them is looked up there, with its key.
 */
async function isSettling({ trx, storeId }: Context, provider: string): Promise<boolean> {
  const row = await trx
    .selectFrom('billing_attempts as t')
    .innerJoin('orders as o', join => join.onRef('o.store_id', '=', 't.store_id').onRef('o.id', '=', 't.order_id'))
    .select('t.id')
    .where('o.store_id', '=', storeId)
    .where('o.status', '=', 'PROCESSING')
    .where('o.unclear_since', 'is', null)
    .where('t.ready', '=', false)
    .where('t.gateway', '=', provider)
    .limit(1)
    .executeTakeFirst();
  const refund = await trx
    .selectFrom('refunds')
    .select('id')
    .where('store_id', '=', storeId)
    .where('status', '=', 'PENDING')
    .where('gateway', '=', provider)
    .limit(1)
    .executeTakeFirst();
  const { rows: pages } = await sql`select 1 from shop_purchases where store_id = ${storeId}::integer and status = 'CHARGING'
      and gateway = ${provider}
    union all
    select 1 from card_setups where store_id = ${storeId}::integer and status = 'OPEN' and gateway = ${provider}
    limit 1`.execute(trx);
  return row !== undefined || refund !== undefined || pages.length > 0;
}

const askLater = ({ trx, queue, storeId }: Context): Promise<unknown> => queue.send(PAYMENT_JOB, { storeId }, { trx });

/** Whether a change is about events alone: the account is not looked at again for that. */
const isAboutEvents = ({ input }: { input: JsonObject }): boolean => input.webhookSecret !== undefined && input.apiKey === undefined;

export const paymentProvider = rules({
  columns: ({ storeId, config, address }) => ({
    eventsUrl: sql`case when r.provider = 'STRIPE' then
      ${`${(config && linkBase(config)) ?? address ?? ''}${incomingPath('stripe', storeId)}`}::text end`,
  }),
  fill: (verb, written, { user }): JsonObject =>
    isAboutEvents(written) ? {} : { status: 'PENDING', ...(verb === 'create' ? { createdBy: user.email } : {}) },
  async validate(verb, { before }, context) {
    if (verb !== 'delete') return undefined;
    if (before?.charges === true) return invalidState(t`Orders are charged through this account. Stop charging through it first.`);
    return (await isSettling(context, String(before?.provider)))
      ? invalidState(t`Charges of this account are not settled yet. Disconnect it when they are.`)
      : undefined;
  },
  async after(verb, written, context) {
    if (verb !== 'delete' && !isAboutEvents(written)) await askLater(context);
  },
});

/** The same token of the same customer is moved once. */
async function movedBefore({ trx, storeId }: Context, record: JsonObject): Promise<FieldError[]> {
  const row = await trx
    .selectFrom('payment_migrations')
    .select('status')
    .where('store_id', '=', storeId)
    .where('customer_id', '=', Number(record.customerId))
    .where('provider', '=', String(record.provider))
    .where('provider_payment_id', '=', String(record.providerPaymentId))
    .executeTakeFirst();
  const message =
    row?.status === 'FAILED' ? t`This was tried before and failed. Try it again on its page.` : t`This payment method was moved before.`;
  return row ? [{ pointer: '/providerPaymentId', rule: 'unique', message }] : [];
}

async function notConnected({ trx, storeId }: Context, provider: ProviderKey): Promise<FieldError[]> {
  const row = await trx
    .selectFrom('payment_providers')
    .select('status')
    .where('store_id', '=', storeId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.status === 'CONNECTED'
    ? []
    : [
        {
          pointer: '/provider',
          rule: 'GATEWAY_NOT_ENABLED',
          message: t`${PROVIDERS[provider].name} isn't connected. Connect it among the providers first.`,
        },
      ];
}

export const paymentMigration = rules({
  columns: ({ storeId }) => ({
    customerName: sql`(select c.name from customers c where c.store_id = ${storeId}::integer and c.id = r.customer_id)`,
  }),
  async fill(verb, { input }, context): Promise<JsonObject> {
    if (verb !== 'create') return { status: 'PENDING' };
    const made = { createdBy: context.user.email, status: 'PENDING', providerCustomerId: input.providerCustomerId ?? '' };
    if (input.isNewCustomer !== true) return made;
    // No customer is made for what is refused anyway, such as no provider at all.
    const { provider } = input;
    if (typeof provider !== 'string' || !(provider in PROVIDERS)) return made;
    const errors = await notConnected(context, provider as ProviderKey);
    if (errors.length) throw invalid(errors);
    const customer = (await createCustomer(context, { ...(input.newCustomer as JsonObject) })) as JsonObject;
    return { ...made, customerId: Number(customer.id) };
  },
  async validate(verb, { before, record }, context) {
    if (verb === 'update' && before?.status !== 'FAILED') return invalidState(t`Only the tokens of what failed can be corrected.`);
    if (verb === 'update' && record?.providerPaymentId !== before?.providerPaymentId) return movedBefore(context, record as JsonObject);
    if (verb !== 'create' || !record) return undefined;
    const { provider, customerId } = record;
    if (typeof provider !== 'string' || !(provider in PROVIDERS) || typeof customerId !== 'number') return undefined;
    const there = await context.trx
      .selectFrom('customers')
      .select('id')
      .where('store_id', '=', context.storeId)
      .where('id', '=', customerId)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    if (!there) return [{ pointer: '/customerId', rule: 'CUSTOMER_DOES_NOT_EXIST', message: t`This customer doesn't exist.` }];
    return [...(await notConnected(context, provider as ProviderKey)), ...(await movedBefore(context, record))];
  },
  async after(_verb, _written, context) {
    await askLater(context);
  },
});
