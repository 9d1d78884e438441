// What lists are read with where a test has no request: the first owner of the store, with every right.
import type { Session } from '../../src/contract/types.ts';
import { permissionsOf } from '../../src/server/platform/auth/permissions.ts';
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
  session: {
    user: { loopUserType: 'OWNER', permissions: permissionsOf(services.definitions, 'OWNER', null) },
    plan: { features: [], minimumPlans: {}, rank: 0 },
    scopes: [],
    featureSwitches: [],
  } as unknown as Session,
});
