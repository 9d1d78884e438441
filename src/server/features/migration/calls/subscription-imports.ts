// A file of subscriptions is chosen; and an example of one.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalid, ownTransactions, type Context, type Reply } from '../../../platform/context.ts';
import { csvFile } from '../../../platform/csv/csv-file.ts';
import { isBlank } from '../../../platform/csv/csv-table.ts';
import { needRow, viewOf } from '../../../platform/records/record-repository.ts';
import { guessColumns, TEMPLATE_HEAD } from '../import/columns.ts';
import { exampleRows } from '../import/example-file.ts';
import { callWorker } from '../import/import-record.ts';
import { readSubscriptionCsv } from '../import/read-file.ts';
import { t } from '../../../../domain/text/t.ts';

interface Chosen {
  file: { name: string; content: string };
}

/**
 * Keeps the file, guesses what its columns hold and has every row looked at. Nothing is imported yet. The file is read before a transaction
 * is opened, so that a large one keeps no other call waiting. @throws Refusal 422 for what is no CSV
 */
export const create = ownTransactions(async (context: Context, { file: { name, content } }: Chosen): Promise<JsonValue> => {
  const { table, error } = await readSubscriptionCsv(content);
  const wrong = (message: string) => invalid([{ pointer: '/file', rule: 'CSV', message }]);
  if (error) throw wrong(error.message);
  const total = table.body.filter(record => !isBlank(record)).length;
  if (total === 0) throw wrong(t`This file has a header but no rows.`);
  const bytes = Buffer.from(content, 'utf8');
  return context.transaction(async inner => {
    const { trx, storeId } = inner;
    const row = await trx
      .insertInto('subscription_imports')
      .values({
        store_id: storeId,
        file_name: name,
        content: bytes,
        size: bytes.length,
        columns: JSON.stringify(guessColumns(table.head, table.body)),
        total,
        acting_user_id: inner.user.id,
        created_by: inner.user.email,
        created_at: inner.now(),
        updated_at: inner.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await callWorker(inner, { storeId, importId: row.id });
    await inner.log({
      action: 'subscription-import.created',
      category: 'Subscription imports',
      description: `File “${name}” chosen to import subscriptions from`,
      entity: 'subscription-import',
      entityId: row.id,
      after: { fileName: name, rows: total } as JsonObject,
    });
    const shape = inner.shape('subscription-import');
    return viewOf(inner, shape, await needRow(inner, shape, row.id, { computed: true }));
  });
});

/** A file with every column by its own name, and a few subscriptions to products of the store as an example. */
export const template = async (context: Context): Promise<Reply> =>
  csvFile('subscriptions-example.csv', TEMPLATE_HEAD, await exampleRows(context));
