// How far what was started to resolve an alert is.
import { sql } from 'kysely';
import { OVER, type BulkStatus } from '../bulk-actions/bulk-record.ts';
import type { Scope } from './alert-check.ts';

/**
 * What an alert's `resolving` holds: the bulk actions or the collections that were started last, and the message
 * for when they are over and some are left.
 */
export type Started = {
  kind: 'BULK' | 'COLLECTIONS';
  ids: number[];
  left?: string;
};

export interface Progress {
  status: 'NOT_STARTED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  processed: number;
  total: number;
  error: string | null;
  bulkActionIds?: number[];
}

/** D088: how far the resolution of an alert is. */
export async function progressOf(
  scope: Pick<Scope, 'trx' | 'store'>,
  alert: { resolving: unknown; error: string | null },
): Promise<Progress> {
  const started = alert.resolving as Started | null;
  if (!started) return { status: alert.error ? 'FAILED' : 'NOT_STARTED', processed: 0, total: 0, error: alert.error };
  return started.kind === 'BULK' ? ofBulk(scope, started.ids) : ofCollections(scope, started.ids);
}

async function ofBulk({ trx, store }: Pick<Scope, 'trx' | 'store'>, ids: number[]): Promise<Progress> {
  const rows = await trx
    .selectFrom('bulk_actions')
    .select(['status', 'total', 'processed', 'succeeded', 'failed', 'error'])
    .where('store_id', '=', store.id)
    .where('id', 'in', ids)
    .execute();
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const figures = { processed: sum(row => row.processed), total: sum(row => row.total), bulkActionIds: ids };
  if (rows.some(row => !OVER.includes(row.status as BulkStatus))) return { ...figures, status: 'IN_PROGRESS', error: null };
  const failed = sum(row => row.failed);
  if (rows.some(row => row.status === 'CANCELLED'))
    return {
      ...figures,
      status: 'FAILED',
      error:
        `It was cancelled after ${figures.processed.toLocaleString('en-US')} of ${figures.total.toLocaleString('en-US')} ` +
        `subscriptions.`,
    };
  if (failed === 0) return { ...figures, status: 'COMPLETED', error: null };
  return {
    ...figures,
    status: 'FAILED',
    error:
      rows.find(row => row.error)?.error ??
      `${failed.toLocaleString('en-US')} of ${figures.total.toLocaleString('en-US')} subscriptions could not be changed. The bulk ` +
        `action tells why.`,
  };
}

async function ofCollections({ trx, store }: Pick<Scope, 'trx' | 'store'>, ids: number[]): Promise<Progress> {
  const { rows } = await sql<{
    all: number;
    running: number;
    failed: number;
  }>`select count(*) as all, count(*) filter (where sync_status in ('QUEUED', 'IN_PROGRESS')
      or seed_status in ('QUEUED', 'IN_PROGRESS')) as running,
    count(*) filter (where sync_status = 'FAILED' or seed_status = 'FAILED') as failed from collections
        where store_id = ${store.id}::integer and id = any(${ids}::bigint[])`.execute(trx);
  const { all = 0, running = 0, failed = 0 } = rows[0] ?? {};
  if (running > 0) return { status: 'IN_PROGRESS', processed: all - running, total: all, error: null };
  return {
    status: failed ? 'FAILED' : 'COMPLETED',
    processed: all,
    total: all,
    error: failed ? `${failed === 1 ? 'One collection' : `${failed} collections`} could not be copied again.` : null,
  };
}
