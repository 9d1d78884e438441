// Takes back what an import made: its subscriptions go as though they had never been, and with them the customers that it made and that
// have nothing else. Whoever heard of them hears that they are cancelled. What was charged meanwhile stays.
import { sql } from 'kysely';
import { BatchSize } from '../../../platform/queue/batch-size.ts';
import type { EngineContext } from '../../subscriptions/engine/context.ts';
import { transactIn } from '../../subscriptions/engine/runtime.ts';
import { cancel } from '../../subscriptions/engine/status.ts';
import { UnitOfWork } from '../../subscriptions/engine/unit-of-work.ts';
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
        const gone = await takeBack({ ...context, mails: 'NONE', noteData: { importId: data.importId } }, data, size);
        if (gone === undefined) {
          await keepImport(context.trx, data, { status: 'UNDONE', finished_at: context.now() }, context.now());
          return false;
        }
        await keepImport(context.trx, data, { imported: record.imported - gone }, context.now());
        return true;
      }),
    );
    await options.onStep?.();
  }
}

/** Removes some of the subscriptions of an import. Answers how many rows of the file they were; undefined: none is left. */
async function takeBack(context: EngineContext, { storeId, importId }: ImportData, size: number): Promise<number | undefined> {
  const { trx } = context;
  const mine = sql`store_id = ${storeId}::integer and import_id = ${importId}::bigint and status = 'IMPORTED' and message = ''`;
  const { rows: taken } = await sql<{ id: number }>`select distinct contract_id as id from subscription_import_rows where ${mine}
    order by contract_id limit ${size}`.execute(trx);
  if (taken.length === 0) return undefined;
  const work = await UnitOfWork.open(context);
  const loaded = await work.load(taken.map(({ id }) => id));
  const { rows: charged } = await sql<{ id: number }>`select distinct contract_id as id from orders where store_id = ${storeId}::integer
    and contract_id = any(${loaded.map(a => a.contract.id)}::bigint[]) and status not in ('SCHEDULED', 'SKIPPED')`.execute(trx);
  const staying = new Set(charged.map(({ id }) => id));
  const going = loaded.filter(a => !staying.has(a.contract.id));
  for (const a of going)
    if (a.contract.status !== 'CANCELLED')
      cancel(work, a, { reason: 'Import undone', comment: null, source: 'MERCHANT', notifyCustomer: false });
  await work.flush();
  await remove(
    context,
    going.map(a => a.contract.id),
  );
  await sql`update subscription_import_rows set message = ${CHARGED}
    where ${mine} and contract_id = any(${[...staying]}::bigint[])`.execute(trx);
  // Those that somebody removed meanwhile are gone as well.
  const { numAffectedRows } = await sql`update subscription_import_rows set status = 'UNDONE', contract_id = null where ${mine}
    and contract_id = any(${taken.flatMap(({ id }) => (staying.has(id) ? [] : id))}::bigint[])`.execute(trx);
  await removeCustomers(context, { storeId, importId });
  return Number(numAffectedRows ?? 0);
}

async function remove({ trx, storeId }: EngineContext, ids: readonly number[]): Promise<void> {
  for (const table of OF_CONTRACTS)
    await sql`delete from ${sql.table(table)} where store_id = ${storeId}::integer and contract_id = any(${ids}::bigint[])`.execute(trx);
  await sql`delete from outbox where store_id = ${storeId}::integer and contract_id = any(${ids}::bigint[]) and sent_at is null`.execute(
    trx,
  );
  await sql`delete from contracts where store_id = ${storeId}::integer and id = any(${ids}::bigint[])`.execute(trx);
}

/** Customers that undone rows made and who have no subscription. */
async function removeCustomers({ trx, storeId }: EngineContext, { importId }: ImportData): Promise<void> {
  const { rows } = await sql<{ id: number }>`select c.id from customers c join subscription_import_rows i
      on i.store_id = c.store_id and i.customer_id = c.id
    where i.store_id = ${storeId}::integer and i.import_id = ${importId}::bigint and i.status = 'UNDONE'
      and c.all_subscriptions_count = 0 for update of c`.execute(trx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  for (const table of OF_CUSTOMERS)
    await sql`delete from ${sql.table(table)} where store_id = ${storeId}::integer and customer_id = any(${ids}::bigint[])`.execute(trx);
  await sql`delete from customers where store_id = ${storeId}::integer and id = any(${ids}::bigint[])`.execute(trx);
}
