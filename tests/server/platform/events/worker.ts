// A process that brings events to two consumers, and paid orders to the connection of the store, for tests that kill it: says "ready", then delivers until it reads "end".
import { sql } from 'kysely';
import { readConfig } from '../../../../src/server/platform/config.ts';
import { deliverEvents } from '../../../../src/server/platform/events/deliver.ts';
import type { EventConsumer } from '../../../../src/server/platform/events/consumer.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { openServices } from '../../../../src/server/platform/services.ts';

const [url = ''] = process.argv.slice(2);
const consumer = (name: string): EventConsumer => ({
  name,
  keys: () => new Set(['subscription_paused']),
  async handle({ trx, store }, event) {
    await sql`insert into probe (store_id, consumer, event_id) values (${store.id}, ${name}, ${event.id})`.execute(trx);
  },
});
const modules = await loadModules();
const connection = modules.consumers.filter(one => one.name === 'store-connection');
const services = await openServices(
  { ...readConfig({ PERENNIAL_WORKERS: '0', DATABASE_URL: url }), port: 0 },
  { modules: { ...modules, consumers: [consumer('first'), consumer('second'), ...connection] } },
);
process.stdout.write('ready\n');
let isOver = false;
process.stdin.once('data', () => {
  isOver = true;
});
for (;;) {
  const wasOver = isOver;
  const passed = await deliverEvents(services, 1);
  if (wasOver && passed === 0) break;
  if (passed === 0) await new Promise(resolve => setTimeout(resolve, 5));
}
await services.close();
// A pipe that was read from keeps a process alive.
process.exit(0);
