// Analytics about subscriptions that came from another app.
import { sql } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';

/** For so long imported subscriptions distort figures of growth and churn. */
const RECENT_DAYS = 90;

/** Whether subscriptions were imported in the last 90 days: how many, and when the last one (ISO 8601). */
export async function checkRecentMigration({ trx, storeId, now }: Context): Promise<JsonObject> {
  const { rows } = await sql<{ n: number; last: Date | null }>`select count(*)::integer as n, max(created_at) as last from contracts
    where store_id = ${storeId}::integer and source = 'MIGRATION'
      and created_at >= ${new Date(now().getTime() - RECENT_DAYS * 86_400_000)}`.execute(trx);
  const { n = 0, last = null } = rows[0] ?? {};
  return { hasRecentMigration: n > 0, migratedAt: last?.toISOString() ?? null, count: n };
}
