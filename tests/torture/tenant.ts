// Check 27: every call with ids of another store wherever one can stand, with fresh inputs: nothing of that store is seen or changed, and the database
// itself hides it from a query that forgets to ask. usage: npx tsx tests/torture/tenant.ts [--inputs 40] [--seed N] [--seconds N]
import { probeTenants, unguardedTables } from '../support/torture/rights-matrix.ts';
import { markStore } from '../support/stores.ts';
import { end, options, withServer } from '../support/torture/torture.ts';

const { seed, time, inputs } = options('inputs', 40);
console.log(`tenant: seed ${seed}, ${inputs} inputs for each call, and one for each kind of id`);
await withServer(async server => {
  await markStore(server.services.db, 2);
  const { requests, of, leaks, touched } = await probeTenants(server, { seed, inputs, isOver: time.isOver });
  end(`tenant: ${requests} requests`, { done: requests, of, unit: 'requests' }, [
    ...leaks,
    ...touched.map(table => `rows of the other store changed in ${table}`),
    ...(await unguardedTables(server)),
  ]);
});
