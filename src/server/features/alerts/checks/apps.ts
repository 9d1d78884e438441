// Checks about other apps of the store: those whose vendor rejects our access, so that nothing reaches them.
import { sql } from 'kysely';
import { totalOf } from '../../../platform/db/page-total.ts';
import { CLEAN, counted, countOf, type Check, type Scope } from '../alert-check.ts';
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
  async find(scope) {
    const count = await countOf(scope, rejected(scope));
    if (count === 0) return CLEAN;
    return {
      count,
      summary: `${counted(count, 'app')} ${count === 1 ? 'rejects' : 'reject'} our access.`,
      impact: { mrr: null, orders: null },
    };
  },
  async rows(scope, { limit, offset }) {
    const { rows } = await sql<{ key: string; error: string; at: Date; all: number }>`
      select i.key, i.last_error as error, i.updated_at as at, count(*) over () as all ${rejected(scope)}
      order by i.key limit ${limit} offset ${offset}`.execute(scope.trx);
    return {
      total: await totalOf(rows[0]?.all, offset, () => countOf(scope, rejected(scope))),
      rows: rows.map(row => ({ id: row.key, label: row.error, at: row.at.toISOString() })),
    };
  },
};
