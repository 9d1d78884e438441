// A process of its own that takes part in a billing run: says that it is ready, charges what is due on command, and says what it did.
import { readConfig } from '../../src/server/platform/config.ts';
import { runDue } from '../../src/server/engine/charging/run-due.ts';
import { openServices } from '../../src/server/platform/services.ts';

const services = await openServices({ ...readConfig({ DATABASE_URL: process.argv[2]!, PERENNIAL_WORKERS: '0' }), port: 0 });
process.once('message', (now: number) => {
  void runDue(services, 1, { now: new Date(now) }).then(async result => {
    await services.close();
    process.send?.({ result, memory: process.memoryUsage.rss() });
    process.disconnect();
  });
});
process.send?.('ready');
