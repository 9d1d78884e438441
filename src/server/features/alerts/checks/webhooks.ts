// Checks about programs of the store: webhooks that nothing reaches.
import { sql } from 'kysely';
import { counted, counting, type Check, type Scope } from '../alert-check.ts';
import { later, t } from '../../../../domain/text/t.ts';

const DAYS = 7;

/** Webhooks that are off after failures, or have deliveries of the last week that were not accepted and failed by now. */
const failing = ({ store }: Scope) => sql`from (
  select w.id, w.address, w.status, coalesce(d.n, 0) as n, coalesce(d.at, w.updated_at) as at, d.reason
  from webhooks w left join lateral (
    select count(*) as n, max(finished_at) as at, (array_agg(error order by id desc))[1] as reason from deliveries
    where store_id = w.store_id and sender = 'webhooks' and target = w.id::text and state = 'FAILED'
      and finished_at > now() - make_interval(days => ${DAYS}::integer)) d on true
  where w.store_id = ${store.id}::integer and (w.status = 'FAILED' or (w.status = 'ON' and d.n > 0))) f`;

export const webhookFailures: Check = {
  key: 'WEBHOOK_FAILURES',
  title: later`Webhook failures`,
  category: 'System',
  severity: 'MEDIUM',
  every: 'DAY',
  entityType: 'store',
  get watches() {
    return t`Webhooks with deliveries of the last ${DAYS} days that were not accepted, and those that were switched off for it.`;
  },
  action: {
    label: later`Open webhooks`,
    kind: 'LINK',
    target: '/settings/webhooks',
    text: later`The page of each webhook says what came back. Repair its receiver, switch it on, and send again what is missing.`,
  },
  ...counting<{ id: number; address: string; status: string; at: Date; reason: string | null }>({
    from: failing,
    columns: sql`f.*`,
    order: sql`f.id`,
    says: count => `${counted(count, 'webhook')} could not be reached in the last ${DAYS} days.`,
    row: ({ id, address: label, status, at, reason }) => ({
      id: String(id),
      label,
      detail: status === 'FAILED' ? 'Switched off after 48 hours of failures.' : (reason ?? ''),
      at: at.toISOString(),
    }),
  }),
};
