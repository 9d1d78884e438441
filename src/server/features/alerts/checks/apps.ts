// Checks about other apps of the store: those whose vendor rejects our access, so that nothing reaches them.
import { sql } from 'kysely';
import { counted, counting, type Check, type Scope } from '../alert-check.ts';
import { later } from '../../../../domain/text/t.ts';

const rejected = ({ store }: Scope) => sql`from integrations i where i.store_id = ${store.id}::integer and i.status = 'ERROR'`;

export const integrationDisconnected: Check = {
  key: 'INTEGRATION_DISCONNECTED',
  title: later`Apps that reject our access`,
  category: 'Apps',
  severity: 'HIGH',
  every: 'DAY',
  entityType: 'store',
  watches: later`Connected apps whose vendor rejected our access three times in a row.`,
  action: {
    label: later`Open the apps`,
    kind: 'LINK',
    target: '/integrations?tab=connected',
    text: later`Nothing reaches the apps below until they are connected again. What waits is sent then, for up to two days.`,
  },
  ...counting<{ key: string; error: string; at: Date }>({
    from: rejected,
    columns: sql`i.key, i.last_error as error, i.updated_at as at`,
    order: sql`i.key`,
    says: count => `${counted(count, 'app')} ${count === 1 ? 'rejects' : 'reject'} our access.`,
    row: ({ key: id, error: label, at }) => ({ id, label, at: at.toISOString() }),
  }),
};
