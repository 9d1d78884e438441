// A process that runs flows behind events, for tests that kill it: says "ready", then delivers until it reads "end".
import { readConfig } from '../../../../src/server/platform/config.ts';
import { deliverEvents } from '../../../../src/server/platform/events/deliver.ts';
import { eventLag } from '../../../../src/server/platform/events/sweep.ts';
import { openServices } from '../../../../src/server/platform/services.ts';

const [url = ''] = process.argv.slice(2);
const services = await openServices({ ...readConfig({ PERENNIAL_WORKERS: '0', DATABASE_URL: url }), port: 0 });
process.stdout.write('ready\n');
let isOver = false;
process.stdin.once('data', () => {
  isOver = true;
});
for (;;) {
  const wasOver = isOver;
  const passed = await deliverEvents(services, 1);
  // What another process holds, or what is to be tried again, is not done yet.
  if (wasOver && passed === 0 && (await eventLag(services.db)).waiting === 0) break;
  if (passed === 0) await new Promise(resolve => setTimeout(resolve, 5));
}
await services.close();
process.exit(0);
