// Checks about flows: actions that could not be done.
import { sql } from 'kysely';
import { totalOf } from '../../../platform/db/page-total.ts';
import { CLEAN, counted, countOf, type Check, type Scope } from '../alert-check.ts';
import { later, t } from '../../../../domain/text/t.ts';

const DAYS = 7;

/** Flows with runs of the last days in which something failed, and was not done since. */
const failing = ({ store, now }: Scope) => sql`from (
  select f.flow_id, max(f.flow_name) as name, count(*)::integer as n, max(f.started_at) as at,
    (select x ->> 'message' from flow_runs l, jsonb_array_elements(l.results) x where l.store_id = f.store_id and l.id = max(f.id)
      and x ->> 'status' = 'FAILED' limit 1) as reason
  from flow_runs f where exists (select 1 from records g where g.store_id = f.store_id and g.entity = 'flow' and g.id = f.flow_id
    and g.deleted_at is null) and f.store_id = ${store.id}::integer and f.status in ('FAILED', 'PARTIAL')
    and f.started_at > ${now}::timestamptz - make_interval(days => ${DAYS}::integer)
  group by f.store_id, f.flow_id) g`;

export const flowFailures: Check = {
  key: 'FLOW_FAILURES',
  title: later`Flows with failed actions`,
  category: 'Flows',
  severity: 'MEDIUM',
  every: 'DAY',
  entityType: 'flow',
  get watches() {
    return t`Flows of which an action failed in the last ${DAYS} days.`;
  },
  action: {
    label: later`Open the log`,
    kind: 'LINK',
    target: '/flows/log?tab=with-failures',
    text: later`See why actions failed, change the flows, and try the failed actions again.`,
  },
  async find(scope) {
    const count = await countOf(scope, failing(scope));
    if (count === 0) return CLEAN;
    return {
      count,
      summary: `Actions of ${counted(count, 'flow')} failed in the last ${DAYS} days.`,
      impact: { mrr: null, orders: null },
    };
  },
  async rows(scope, { limit, offset }) {
    const { rows } = await sql<{ flow_id: number; name: string; n: number; at: Date; reason: string | null; all: number }>`
      select g.*, count(*) over () as all ${failing(scope)} order by g.n desc, g.flow_id limit ${limit} offset ${offset}`.execute(
      scope.trx,
    );
    return {
      total: await totalOf(rows[0]?.all, offset, () => countOf(scope, failing(scope))),
      rows: rows.map(row => ({
        id: String(row.flow_id),
        label: row.name,
        detail: row.reason ?? '',
        runs: row.n,
        at: row.at.toISOString(),
      })),
    };
  },
};
