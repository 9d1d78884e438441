// A billing worker in a process of its own, for tests that kill it: says "ready", then does what is due in batches (of three,
// where no size is named).
import { runDue } from '../../../src/server/engine/charging/run-due.ts';
import { loadDefinitions, projectRoot } from '../../../src/server/platform/definitions.ts';
import { openDatabase } from '../../../src/server/platform/db/database.ts';
import { gatewaysAt } from '../../support/stripe-charges.ts';

const [url = '', storeId = '', now = '', vendorUrl = '', batch = '3'] = process.argv.slice(2);
const db = await openDatabase({ database: { kind: 'postgres', url } });
const runtime = { db, gateway: gatewaysAt(db, vendorUrl), definitions: loadDefinitions(projectRoot), config: {} };
process.stdout.write('ready\n');
await runDue(runtime, Number(storeId), { now: new Date(now), batch: Number(batch), isStart: true });
await db.close();
