// All subscriptions that match a filter as CSV, streamed: a page at a time, each in a transaction of its own.
import { stringify } from 'csv-stringify/sync';
import { compileValidator } from '../../contract/compile.ts';
import { filterSchema } from '../../contract/calls.ts';
import { judge } from '../../contract/validate.ts';
import type { JsonObject, JsonValue, Schema } from '../../contract/types.ts';
import { invalid, Reply, type Context } from '../context.ts';
import { listRecords, type ListQuery } from '../verbs/list.ts';

/** Columns in the order of the list page: the name in the file and the field of the record. */
const COLUMNS: [string, string][] = [
  ['subscription_id', 'id'], ['platform_id', 'shopifyId'], ['status', 'status'], ['customer', 'customerName'], ['email', 'customerEmail'], ['products', 'products'], ['frequency', 'frequency'], ['next_order', 'nextBillingDateEpoch'],
  ['total', 'total'], ['currency', 'currencyCode'], ['orders_completed', 'completedOrdersCount'], ['last_payment', 'lastPaymentStatus'], ['payment_failure', 'paymentFailureReason'], ['country', 'countryCode'], ['delivery_method', 'deliveryType'],
  ['tags', 'tags'], ['source', 'source'], ['note', 'note'], ['created', 'createdAtEpoch'], ['updated', 'updatedAtEpoch'],
];
const PAGE = 200;

/** A cell that a spreadsheet would run as a formula is written as text. */
const safe = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function cell(field: string, value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (field.endsWith('Epoch')) return new Date((value as number) * 1000).toISOString();
  if (typeof value === 'number') return String(value);
  return safe(Array.isArray(value) ? value.join(', ') : String(value));
}

let judged: { schema: Schema; validator: ReturnType<typeof compileValidator> } | undefined;

/** The file; `input` is what the list call takes. */
export async function exportSubscriptions(context: Context, { q, filter, sort, order }: { q?: string; filter?: JsonObject; sort?: string; order?: 'ASC' | 'DESC' }): Promise<Reply> {
  const shape = context.shape('subscription');
  judged ??= (schema => ({ schema, validator: compileValidator(schema) }))(filterSchema(shape.schema));
  const errors = filter ? judge(judged.schema, judged.validator, filter).map(error => ({ ...error, pointer: `/filter${error.pointer}` })) : [];
  if (errors.length) throw invalid(errors);
  const query: ListQuery = { q, filter, sort, order, size: PAGE, total: false };
  // A wrong sort or search is told before the first byte.
  await listRecords(context, shape, { ...query, size: 1 });
  const { db, store, storeId } = context;
  async function* rows(): AsyncGenerator<string> {
    yield `\uFEFF${stringify([COLUMNS.map(([name]) => name)])}`;
    for (let after: string | undefined; ;) {
      const page = await db.inStore(storeId, trx => listRecords({ trx, storeId, store }, shape, { ...query, ...(after ? { after } : {}) }), { readOnly: true });
      if (page.records.length) yield stringify(page.records.map(record => COLUMNS.map(([, field]) => cell(field, record[field]))));
      after = page.pageInfo.nextCursor ?? undefined;
      if (!page.pageInfo.hasNextPage || !after) return;
    }
  }
  const day = context.now().toISOString().slice(0, 10);
  return new Reply(null, { file: { name: `subscriptions-${day}.csv`, contentType: 'text/csv; charset=utf-8', content: rows() } });
}
