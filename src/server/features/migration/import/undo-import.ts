// Takes back what an import made: its subscriptions go as though they had never been, and with them the customers that it made and that
// have nothing else. Apps that heard of them hear that they are cancelled. What was charged meanwhile stays.
import { sql } from 'kysely';
import { BatchSize } from '../../../platform/queue/batch-size.ts';
import { cancel, type EngineContext, transactIn, UnitOfWork } from '../../../engine/index.ts';
import { keepImport, lockImport, type ImportData } from './import-record.ts';
import { endWithoutRights, type ImportRuntime, type RunOptions } from './run-import.ts';

const MOST = 200;
const CHARGED = 'It was charged since, so it stays.';
/** Tables whose rows belong to a subscription alone. */
const OF_CONTRACTS = ['contract_lines', 'contract_discounts', 'credit_transactions', 'orders', 'reminders'] as const;
const OF_CUSTOMERS = ['customer_addresses', 'payment_methods', 'payment_migrations'] as const;

/** Undoes an import step by step until nothing is left of it, or the process shuts down. */
export async function undoImport(runtime: ImportRuntime, data: ImportData, signal: AbortSignal, options: RunOptions = {}): Promise<void> {
  const transact = transactIn(runtime, data.storeId);
  const batchSize = new BatchSize(runtime.db, MOST, { exactly: options.size });
  for (let more = true; more;) {
    signal.throwIfAborted();
    const size = batchSize.next();
    more = await batchSize.timed(begun =>
      transact(async context => {
        begun();
        const record = await lockImport(context.trx, data, 'UNDOING');
        if (!record || (await endWithoutRights(context, runtime.definitions, data, record))) return false;
        const { rows, cursor } = await takeBack(
          { ...context, mails: 'NONE', noteData: { importId: data.importId } },
          data,
          record.cursor,
          size,
        );
        // Nothing behind the cursor: once more from the beginning, since nothing says where it stood when the import ended.
        const isOver = rows === undefined && record.cursor === 0;
        await keepImport(
          context.trx,
          data,
          isOver ? { status: 'UNDONE', finished_at: context.now() } : { imported: record.imported - (rows ?? 0), cursor },
          context.now(),
        );
        return !isOver;
      }),
    );
    await options.onStep?.();
  }
}

interface TakenBack {
  /** How many rows of the file they were; undefined: none is left behind the cursor. */
  rows: number | undefined;
  /** The row up to which there is nothing to take back. */
  cursor: number;
}

/** Removes some of the subscriptions of an import, in the order of the rows behind the cursor. */
async function takeBack(context: EngineContext, { storeId, importId }: ImportData, cursor: number, size: number): Promise<TakenBack> {
  const { trx } = context;
  const mine = sql`store_id = ${storeId}::integer and import_id = ${importId}::bigint and status = 'IMPORTED' and message = ''`;
  const { rows: taken } = await sql<{ id: number; position: number }>`select contract_id as id, position from subscription_import_rows
    where ${mine} and position > ${cursor}::integer order by position limit ${size}`.execute(trx);
  const last = taken.at(-1);
  if (!last) return { rows: undefined, cursor: 0 };
  const ids = [...new Set(taken.map(({ id }) => id))];
  const work = await UnitOfWork.open(context);
  const loaded = await work.load(ids);
  const { rows: charged } = await sql<{ id: number }>`select distinct contract_id as id from orders where store_id = ${storeId}::integer
    and contract_id = any(${loaded.map(one => one.contract.id)}::bigint[]) and status not in ('SCHEDULED', 'SKIPPED')`.execute(trx);
  const staying = new Set(charged.map(({ id }) => id));
  const going = loaded.filter(subscription => !staying.has(subscription.contract.id));
  for (const subscription of going)
    if (subscription.contract.status !== 'CANCELLED')
      cancel(work, subscription, { reason: 'Import undone', comment: null, source: 'MERCHANT', notifyCustomer: false });
  await work.flush();
  await remove(
    context,
    going.map(subscription => subscription.contract.id),
  );
  if (staying.size > 0)
    await sql`update subscription_import_rows set message = ${CHARGED}
      where ${mine} and contract_id = any(${[...staying]}::bigint[])`.execute(trx);
  // Those that were removed meanwhile are gone as well.
  const { rows: undone } = await sql<{
    customerId: number | null;
  }>`update subscription_import_rows set status = 'UNDONE', contract_id = null
    where ${mine} and contract_id = any(${ids.filter(id => !staying.has(id))}::bigint[]) returning customer_id as "customerId"`.execute(
    trx,
  );
  await removeCustomers(context, importId, [
    ...undone.flatMap(({ customerId }) => customerId ?? []),
    ...going.flatMap(subscription => subscription.contract.customer_id ?? []),
  ]);
  return { rows: undone.length, cursor: last.position };
}

async function remove({ trx, storeId }: EngineContext, ids: readonly number[]): Promise<void> {
  for (const table of OF_CONTRACTS)
    await sql`delete from ${sql.table(table)} where store_id = ${storeId}::integer and contract_id = any(${ids}::bigint[])`.execute(trx);
  await sql`delete from outbox where store_id = ${storeId}::integer and contract_id = any(${ids}::bigint[]) and sent_at is null`.execute(
    trx,
  );
  await sql`delete from contracts where store_id = ${storeId}::integer and id = any(${ids}::bigint[])`.execute(trx);
}

/** Of some customers, those that undone rows made and who have no subscription. */
async function removeCustomers({ trx, storeId }: EngineContext, importId: number, some: readonly number[]): Promise<void> {
  // Each statement by one index, and the rest here: right after an import the database knows too little of these tables to choose well.
  const { rows: made } = await sql<{ id: number; importId: number; status: string }>`
    select customer_id as id, import_id as "importId", status from subscription_import_rows
    where store_id = ${storeId}::integer and customer_id = any(${[...new Set(some)]}::bigint[])`.execute(trx);
  const mine = made.flatMap(row => (row.importId === importId && row.status === 'UNDONE' ? row.id : []));
  const { rows } = await sql<{ id: number; subscriptions: number }>`select id, all_subscriptions_count as subscriptions from customers
    where store_id = ${storeId}::integer and id = any(${mine}::bigint[]) order by id for update`.execute(trx);
  const ids = rows.flatMap(row => (row.subscriptions === 0 ? row.id : []));
  if (ids.length === 0) return;
  for (const table of OF_CUSTOMERS)
    await sql`delete from ${sql.table(table)} where store_id = ${storeId}::integer and customer_id = any(${ids}::bigint[])`.execute(trx);
  await sql`delete from customers where store_id = ${storeId}::integer and id = any(${ids}::bigint[])`.execute(trx);
}
