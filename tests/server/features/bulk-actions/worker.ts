// A worker of bulk actions in a process of its own, for tests that kill it and for the bench: says "ready", waits for a line where asked
// to, works until the bulk action is over, then says "over".
import { once } from 'node:events';
import { readConfig } from '../../../../src/server/platform/config.ts';
import { runBulk } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import { openServices } from '../../../../src/server/platform/services.ts';

// `rows` of a chunk; 0: as the product takes them.
const [kind = '', where = '', bulkId = '', rows = '5', waits = ''] = process.argv.slice(2);
const services = await openServices({
  ...readConfig({ PERENNIAL_WORKERS: '0', ...(kind === 'postgres' ? { DATABASE_URL: where } : { PERENNIAL_DATA: where }) }),
  port: 0,
});
await services.start();
process.stdout.write('ready\n');
if (waits) {
  await once(process.stdin, 'data');
  process.stdin.pause();
}
await runBulk(
  services,
  { storeId: 1, bulkId: Number(bulkId) },
  new AbortController().signal,
  Number(rows) ? { rows: Number(rows), lanes: 2 } : {},
);
const { user, system } = process.cpuUsage();
process.stdout.write(`over ${Math.round((user + system) / 1000)}\n`);
await services.close();
