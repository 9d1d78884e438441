// What lists are read with where a test has no request: the first owner of the store, with a session that no rule of the entity asks.
import type { Session } from '../../src/contract/types.ts';
import type { Services } from '../../src/server/platform/services.ts';
import type { RuleContext } from '../../src/server/platform/records/rules.ts';

export const readerOf = (services: Services, trx: RuleContext['trx'], store: RuleContext['store']): RuleContext => ({
  trx,
  store,
  storeId: store.id,
  definitions: services.definitions,
  shape: name => services.shape(name),
  now: () => new Date(),
  user: { id: 1, email: 'owner@example.com', name: 'Owner', type: 'OWNER' },
  session: {} as Session,
});
