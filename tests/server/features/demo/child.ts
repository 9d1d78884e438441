// Makes the demo store in a folder and tells its parent how far it is, until it is killed.
import { seedStores } from '../../../../src/server/features/demo/seed.ts';
import { openDatabase } from '../../../../src/server/platform/db/database.ts';

const db = await openDatabase({ database: { kind: 'embedded' }, dataFolder: process.argv[2]!, upkeep: false });
await seedStores(db, { seed: 3, contracts: 2_500, stores: 3, areas: ['subscriptionDetails'], progress: done => process.send?.({ done }) });
process.send?.({ done: 'all' });
