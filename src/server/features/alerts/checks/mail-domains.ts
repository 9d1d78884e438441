// Checks about the domains that a store sends its e-mails from.
import { sql } from 'kysely';
import { counted, counting, type Check, type Scope } from '../alert-check.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** Hours in which the records of a new domain may become known. */
const HOURS = 48;

const unverified = ({ store, now }: Scope) => sql`from email_domains d where d.store_id = ${store.id}::integer
  and (d.status = 'FAILED' or (d.status <> 'VERIFIED' and d.created_at < ${now}::timestamptz - make_interval(hours => ${HOURS}::integer)))`;

export const domainUnverified: Check = {
  key: 'DOMAIN_UNVERIFIED',
  title: later`Sender domain not verified`,
  category: 'Notifications',
  severity: 'MEDIUM',
  every: 'DAY',
  entityType: 'store',
  get watches() {
    return t`Domains to send e-mails from whose records are missing ${HOURS} hours after they were added, or not there any more.`;
  },
  action: {
    label: later`See the records`,
    kind: 'LINK',
    target: '/settings/notifications/domains',
    text: later`Until all records are there, e-mails come from the shared address. Compare them with those of your domain.`,
  },
  ...counting<{ id: number; from_email: string; status: string; at: Date }>({
    from: unverified,
    columns: sql`d.id, d.from_email, d.status, coalesce(d.last_checked_at, d.created_at) as at`,
    order: sql`d.id`,
    says: count => `${counted(count, 'sender domain is', 'sender domains are')} not verified: e-mails come from the shared address.`,
    row: ({ id, from_email: label, status, at }) => ({
      id: String(id),
      label,
      detail: status === 'FAILED' ? 'Records that were there are missing.' : 'Not all records are there yet.',
      at: at.toISOString(),
    }),
  }),
};
