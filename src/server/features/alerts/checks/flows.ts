// Checks about flows: actions that could not be done.
import { sql } from 'kysely';
import { counted, counting, type Check, type Scope } from '../alert-check.ts';
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
  ...counting<{ flow_id: number; name: string; n: number; at: Date; reason: string | null }>({
    from: failing,
    columns: sql`g.*`,
    order: sql`g.n desc, g.flow_id`,
    says: count => `Actions of ${counted(count, 'flow')} failed in the last ${DAYS} days.`,
    row: ({ flow_id: id, name: label, n: runs, at, reason }) => ({
      id: String(id),
      label,
      detail: reason ?? '',
      runs,
      at: at.toISOString(),
    }),
  }),
};
