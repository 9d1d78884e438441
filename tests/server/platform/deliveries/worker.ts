// A process that sends deliveries, for tests that kill it: says "ready", then sends until it reads "end".
import { readConfig } from '../../../../src/server/platform/config.ts';
import { sendDueDeliveries } from '../../../../src/server/platform/deliveries/send-due.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { openServices } from '../../../../src/server/platform/services.ts';

const [url = '', receiver = ''] = process.argv.slice(2);
const services = await openServices(
  { ...readConfig({ PERENNIAL_WORKERS: '0', DATABASE_URL: url, PERENNIAL_OUTGOING_ALLOW: '127.0.0.1' }), port: 0 },
  {
    modules: {
      ...(await loadModules()),
      senders: [{ name: 'probe', prepare: async (_scope, { subject }) => ({ request: { method: 'POST', url: receiver, body: subject } }) }],
    },
  },
);
process.stdout.write('ready\n');
let isOver = false;
process.stdin.once('data', () => {
  isOver = true;
});
while (!isOver) {
  await sendDueDeliveries(services, 1);
  await new Promise(resolve => setTimeout(resolve, 5));
}
await services.close();
process.exit(0);
