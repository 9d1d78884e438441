// Charts that the team of a demo store put together.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;
const CHARTS: JsonObject[] = [
  {
    name: 'New and lost, month by month',
    type: 'bar',
    metrics: ['new-subscriptions', 'cancelled-subscriptions'],
    by: 'time',
    days: 'LAST_12_MONTHS',
    top: 8,
    isShared: true,
    isOnHome: false,
    mailDay: 'MONDAY',
  },
  {
    name: 'What each product brings',
    type: 'table',
    metrics: ['line-revenue', 'line-units', 'line-orders'],
    by: 'product',
    days: 'LAST_90_DAYS',
    top: 12,
    isShared: true,
    isOnHome: false,
  },
];

/** Writes the charts of one store, made by its owner, who gets one of them each week. `now`: ms of the store's clock. */
export async function writeOwnCharts(trx: Kysely<Tables>, { id, email }: SeedStore, now: number): Promise<void> {
  for (const [i, chart] of CHARTS.entries()) {
    const at = new Date(now - (20 - i) * DAY_MS);
    await sql`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
      select ${id}::integer, 'custom-chart', ${i + 1}::integer, ${JSON.stringify(chart)}::jsonb
          || jsonb_build_object('ownerId', u.id, 'ownerName', u.first_name || ' ' || u.last_name)
          -- Its first letter is due, and comes within minutes.
          || case when ${'mailDay' in chart}::boolean then jsonb_build_object('mailTo', jsonb_build_array(u.id), 'mailNextAt',
            ${new Date(now).toISOString()}::text) else '{}' end, ${at}, ${at}, ${email}
        from users u where u.store_id = ${id}::integer and u.type = 'OWNER' limit 1`.execute(trx);
  }
}
