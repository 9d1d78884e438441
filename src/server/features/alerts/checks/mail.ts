// Checks about what the store's team is written: addresses that nothing reaches.
import { sql } from 'kysely';
import { counted, counting, type Check, type Scope } from '../alert-check.ts';
import { later, t } from '../../../../domain/text/t.ts';

const DAYS = 7;

/**
 * The team's addresses that e-mails of the last week could not be delivered to: those of the settings, else the
 * store's own. Begins at the few failures.
 */
const unreached = ({ store, now }: Scope) => sql`from (
  select lower(o.recipient) as recipient, count(*) as n, max(o.created_at) as at, (array_agg(o.failed_reason
    order by o.id desc))[1] as reason
  from outbox o
  where o.store_id = ${store.id}::integer and o.failed_reason is not null
    and o.created_at > ${now}::timestamptz - make_interval(days => ${DAYS}::integer)
    and lower(o.recipient) in (
      select lower(address) from coalesce((select nullif(s.data -> 'adminEmails', '[]') from settings s
        where s.store_id = ${store.id}::integer and s.name = 'notification-preferences'), (select nullif(s.data -> 'storeEmail', '[]')
        from settings s where s.store_id = ${store.id}::integer and s.name = 'general'), jsonb_build_array(${store.email}::text)) addresses,
          jsonb_array_elements_text(addresses) address
      union
      select lower(address) from settings s, jsonb_array_elements_text(s.data -> 'adminReportingEmail') address
        where s.store_id = ${store.id}::integer and s.name = 'general')
  group by 1) f`;

export const emailInvalid: Check = {
  key: 'EMAIL_INVALID',
  title: later`E-mails that did not reach your team`,
  category: 'Notifications',
  severity: 'MEDIUM',
  every: 'DAY',
  entityType: 'store',
  get watches() {
    return t`Addresses of your team to which e-mails of the last ${DAYS} days could not be delivered.`;
  },
  action: {
    label: later`Change the addresses`,
    kind: 'LINK',
    target: '/settings/notifications/preferences',
    text: later`E-mails to the addresses below do not arrive. Enter other addresses under “Your team”, or have the mailboxes repaired.`,
  },
  ...counting<{ recipient: string; n: number; at: Date; reason: string }>({
    from: unreached,
    columns: sql`f.*`,
    order: sql`f.recipient`,
    says: count => `E-mails to ${counted(count, 'address', 'addresses')} of your team could not be delivered in the last ${DAYS} days.`,
    row: ({ recipient, n: mails, at, reason }) => ({ id: recipient, label: recipient, detail: reason, mails, at: at.toISOString() }),
  }),
};
