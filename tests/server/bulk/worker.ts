// A worker of bulk actions in a process of its own, for tests that kill it: says "ready", then works until the bulk action is over, then says "over".
import { readConfig } from '../../../src/server/config.ts';
import { runBulk } from '../../../src/server/bulk/work.ts';
import { openServices } from '../../../src/server/services.ts';

const [kind = '', where = '', bulkId = '', rows = '5'] = process.argv.slice(2);
const services = await openServices({ ...readConfig({ PERENNIAL_WORKERS: '0', ...(kind === 'postgres' ? { DATABASE_URL: where } : { PERENNIAL_DATA: where }) }), port: 0 });
await services.start();
process.stdout.write('ready\n');
await runBulk(services, { storeId: 1, bulkId: Number(bulkId) }, new AbortController().signal, { rows: Number(rows) });
process.stdout.write('over\n');
await services.close();
