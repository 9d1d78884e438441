// Importing products from a Shopify product CSV: look at it, start, follow.
import type { JsonObject } from '../../../../contract/types.ts';
import { runWire, startRun } from '../../../platform/queue/system-run.ts';
import { Reply, ownTransactions, type Context } from '../../../platform/context.ts';
import { IMPORT_JOB, IMPORT_KIND } from '../import/product-import.ts';
import { needFile, previewImport, refuseBadFile, type ImportMode } from '../import/preview-import.ts';
import { t } from '../../../../domain/text/t.ts';

/** What the file would create and change, and its errors by row. Nothing is changed; the file is kept for `start`. */
export const preview = ownTransactions(
  (context: Context, { fileName, content }: { fileName: string; content: string }): Promise<JsonObject> =>
    previewImport(context, fileName, content),
);

/** Starts the import of a file that was looked at. @throws Refusal 422 when nothing would come in, 409 while another import runs */
export const start = ownTransactions(async (context: Context, { fileId, mode }: { fileId: number; mode: ImportMode }): Promise<Reply> => {
  const { name, content } = await context.transaction(inner => needFile(inner.trx, inner.storeId, fileId));
  const total = await refuseBadFile(context.storeId, fileId, content, context.store.currency_code, mode);
  const run = await context.transaction(async inner => {
    const started = await startRun(inner, {
      kind: IMPORT_KIND,
      queue: IMPORT_JOB,
      input: { fileId, mode, fileName: name },
      total,
      busy: t`Products are being imported already. Wait until that import is done.`,
    });
    await inner.log({
      action: 'products.import_started',
      category: 'Products',
      description: `Import of products from “${name}” started`,
      entity: 'product',
      after: { runId: started.id, fileId, mode },
    });
    return started;
  });
  return new Reply(runWire(run), { message: t`The import has started. It goes on when you leave this page.` });
});
