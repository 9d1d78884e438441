// The letter to those who get the store's reports when a bulk action is over, with its counts.
import { type EngineContext, linkBase, readSettings } from '../../engine/index.ts';
import { fillMessage } from '../../platform/mail/message.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import type { BulkRow } from './bulk-record.ts';

const ENDED: Record<string, string> = {
  COMPLETED: 'is done',
  COMPLETED_WITH_ERRORS: 'is done, with errors',
  FAILED: 'failed',
  CANCELLED: 'was cancelled',
};

/**
 * One letter for each address that reports go to (settings, general), but for those that got one already; sent once.
 */
export async function mailFinished(context: EngineContext, row: BulkRow, told: readonly string[] = []): Promise<void> {
  const { reportEmails, messages } = await readSettings(context);
  const edit = messages.ADMIN_BULK_ACTION_FINISHED;
  if (edit?.isOff) return;
  const n = (value: number): string => value.toLocaleString('en-US');
  const left = row.total - row.processed;
  const base = linkBase(context.config);
  const isCounted = row.error === null || row.started_at !== null;
  const letter = fillMessage(
    context.messages,
    'ADMIN_BULK_ACTION_FINISHED',
    { store: { name: context.store.name, email: context.store.email } },
    {
      link: base === undefined ? null : `${base}/bulk-actions/${row.id}`,
      label: row.label,
      ending: ENDED[row.status] ?? 'is over',
      error: row.error,
      counts: isCounted
        ? [
            `${n(row.total)} subscriptions`,
            `${n(row.succeeded)} changed`,
            `${n(row.skipped)} skipped`,
            `${n(row.failed)} failed`,
            ...(left > 0 ? [`${n(left)} not begun`] : []),
          ]
        : [],
      hasFile: row.failed + row.skipped > 0,
    },
  );
  for (const to of reportEmails.filter(address => !told.includes(address.toLowerCase()))) {
    await enqueueMail(context.trx, context.storeId, { ...letter, to, dedupeKey: `BULK_ACTION:${row.id}:${to}` }, context.now());
  }
}
