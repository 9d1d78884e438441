// The check about the shop of the store: whether it is connected as its people set it up.
import { sql } from 'kysely';
import { faultText } from '../../../platform/store-platform/shop-fault.ts';
import { counting, type Check, type Scope } from '../alert-check.ts';
import { later } from '../../../../domain/text/t.ts';

/** One that is only not reachable is tried again by itself. */
const stopped = ({ store }: Scope) => sql`from store_connections c where c.store_id = ${store.id}::integer and c.status = 'NOT_CONNECTED'`;

export const shopNotConnected: Check = {
  key: 'SHOP_NOT_CONNECTED',
  title: later`Shop that is not connected`,
  category: 'Apps',
  severity: 'HIGH',
  every: 'DAY',
  entityType: 'store',
  watches: later`A shop that refuses our key, or that can't be connected as it is set up.`,
  action: {
    label: later`Open the store connection`,
    kind: 'LINK',
    target: '/settings/store-connections',
    text: later`Products do not come over and orders are not made in the shop until this is corrected. It is not tried again by itself.`,
  },
  ...counting<{ id: number; address: string; error: string | null; at: Date }>({
    from: stopped,
    columns: sql`c.id, c.address, c.error, c.updated_at as at`,
    order: sql`c.id`,
    says: () => 'Your shop is not connected.',
    row: ({ id, address: label, error, at }) => ({ id: String(id), label, detail: faultText(error) ?? '', at: at.toISOString() }),
  }),
};
