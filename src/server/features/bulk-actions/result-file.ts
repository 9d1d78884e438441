// The file of an ended bulk action: a line for every row with its outcome and why; and the template of the file that starts one.
import { sql } from 'kysely';
import { csvLine } from '../../../domain/csv/write.ts';
import { invalidState, type Context, type Reply } from '../../platform/context.ts';
import { csvFile } from '../../platform/csv/csv-file.ts';
import { exportRecords } from '../../platform/records/list/export.ts';
import { seesWhat } from './reads.ts';
import { KEPT_DAYS, needBulk, type BulkRow } from './bulk-record.ts';
import { ID_COLUMN } from './selection.ts';
import { t } from '../../../domain/text/t.ts';
import { offeredAction } from '../../engine/index.ts';

const PAGE = 1000;
const HEADER = [ID_COLUMN, 'status', 'reason', 'before', 'after', 'processed_at'];
const notBegun = ({ error }: BulkRow): string => `Not begun: ${error ?? 'the bulk action was cancelled.'}`;

const nameOf = (row: BulkRow): string => `bulk-action-${row.id}.csv`;

/** The result of a bulk action as CSV, for 30 days after its end. An export gives the subscriptions themselves. @throws Refusal 409 */
export async function resultFile(context: Context, id: number): Promise<Reply> {
  const bulk = await needBulk(context, id);
  if (!bulk.finished_at || !bulk.started_at) throw invalidState(t`There is no result file yet. Wait until the bulk action is over.`);
  if (context.now().getTime() - bulk.finished_at.getTime() >= KEPT_DAYS * 86_400_000)
    throw invalidState(t`Result files are kept for ${KEPT_DAYS} days. This one is gone.`);
  if (bulk.is_system) return systemFile(context, bulk);
  if (bulk.action_key === 'EXPORT_SUBSCRIPTION') {
    const { columns } = bulk.input as { columns?: string[] };
    const reply = await exportRecords(context, 'subscription', {
      ...(columns?.length ? { columns } : {}),
      where: [
        sql`r.id in (select contract_id from bulk_action_rows where store_id = ${context.storeId}::integer
          and bulk_action_id = ${id}::bigint and status = 'SUCCESS')`,
      ],
    });
    return reply;
  }
  const { db, storeId } = context;
  const isOpen = seesWhat(context, bulk.action_key);
  async function* lines(): AsyncGenerator<string> {
    for (let after = 0; ;) {
      const rows = await db.inStore(
        storeId,
        trx =>
          trx
            .selectFrom('bulk_action_rows')
            .select(['position', 'contract_id', 'given', 'status', 'reason', 'before', 'after', 'processed_at'])
            .where('store_id', '=', storeId)
            .where('bulk_action_id', '=', id)
            .where('position', '>', after)
            .orderBy('position')
            .limit(PAGE)
            .execute(),
        { readOnly: true },
      );
      if (rows.length) {
        yield rows
          .map(row =>
            csvLine([
              row.given ?? String(row.contract_id ?? ''),
              row.status === 'PENDING' ? 'SKIPPED' : row.status,
              row.status === 'PENDING' ? notBegun(bulk) : (row.reason ?? ''),
              (isOpen && row.before) || '',
              (isOpen && row.after) || '',
              row.processed_at?.toISOString() ?? '',
            ]),
          )
          .join('');
      }
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.position ?? after;
    }
  }
  return csvFile(nameOf(bulk), HEADER, lines());
}

/** What an update of all subscriptions left out, and why. */
async function systemFile({ trx, storeId }: Context, bulk: BulkRow): Promise<Reply> {
  const run =
    bulk.run_id === null
      ? undefined
      : await trx.selectFrom('runs').select('result').where('store_id', '=', storeId).where('id', '=', bulk.run_id).executeTakeFirst();
  const skipped = (run?.result as { skipped?: { subscriptionId: number; reason: string }[] } | null)?.skipped ?? [];
  const finishedAt = bulk.finished_at?.toISOString() ?? '';
  const rows = skipped.map(one => [String(one.subscriptionId), 'SKIPPED', one.reason, '', '', finishedAt]);
  return csvFile(nameOf(bulk), HEADER, rows);
}

/** An empty file with the header that an action takes, and one line as an example. */
export function template(context: Pick<Context, 'config'>, actionKey?: string): Reply {
  const columns = actionKey === undefined ? [] : (offeredAction(context, actionKey).columns ?? []);
  const example = ['1', ...columns.map(column => (column === 'next_order_date' ? '2027-01-31' : ''))];
  return csvFile('bulk-action-template.csv', [ID_COLUMN, ...columns], [example]);
}
