// A server in a process of its own that can be stopped, with a slow call, one that saves a number, and a slow job. Prints its address and
// what the job did.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../../src/server/platform/http/app.ts';
import { openSession } from '../../../src/server/platform/auth/sessions.ts';
import { readConfig } from '../../../src/server/platform/config.ts';
import { ownTransactions, type Context } from '../../../src/server/platform/context.ts';
import { gather } from '../../../src/server/platform/modules.ts';
import { addressOf } from '../../../src/server/greeting.ts';
import { countConnections, stopOnSignals } from '../../../src/server/stopping.ts';
import { openServices } from '../../../src/server/platform/services.ts';
import { definitionsWith } from '../definitions.ts';

const folder = process.argv[2] ?? fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-stop-'));
const config = { ...readConfig({}), port: 0, dataFolder: folder, workers: 1 };
const all = definitionsWith({
  'schemas/calls/slow.json': {
    title: 'Slow',
    host: 'main',
    base: '/slow',
    permission: null,
    calls: {
      wait: { route: 'POST /wait', does: 'command' },
      quick: { route: 'GET /quick', does: 'query' },
      saved: { route: 'GET /saved', does: 'query' },
      save: {
        route: 'POST /save',
        does: 'command',
        in: {
          type: 'object',
          additionalProperties: false,
          required: ['n'],
          properties: { n: { title: 'Number', type: 'integer', minimum: 1 } },
        },
      },
    },
  },
});
const definitions = { ...all, calls: Object.fromEntries(Object.entries(all.calls).filter(([, call]) => call.table === 'slow')) };
const modules = gather([
  {
    kind: 'handlers',
    name: 'slow',
    exports: {
      wait: ownTransactions(async () => {
        await sleep(1500);
        return { waited: true };
      }),
      quick: async () => ({ quick: true }),
      save: async ({ trx, storeId }: Context, { n }: { n: number }) => {
        await trx
          .insertInto('settings')
          .values({ store_id: storeId, name: `saved-${n}`, data: '{}' })
          .execute();
        return { n };
      },
      saved: async ({ trx }: Context) =>
        (await trx.selectFrom('settings').select('name').where('name', 'like', 'saved-%').execute()).map(row =>
          Number(row.name.slice('saved-'.length)),
        ),
    },
  },
  {
    kind: 'jobs',
    name: 'slow',
    exports: {
      slow: {
        name: 'slow',
        run: async (_services: unknown, _data: unknown, job: { signal: AbortSignal; attempt: number }) => {
          console.log(`job started ${job.attempt}`);
          for (let step = 0; step < 4000; step++) {
            await sleep(50);
            job.signal.throwIfAborted();
          }
        },
      },
    },
  },
]);
const services = await openServices(config, { definitions, modules });
const app = await createApp(services);
await services.start();
await app.listen({ port: 0, host: '127.0.0.1' });
stopOnSignals(
  services,
  () => countConnections(app.server),
  () => app.close(),
);
await services.db.asSystem(trx =>
  trx
    .insertInto('stores')
    .values({ id: 1, myshopify_domain: 'a.myshopify.com', name: 'A', email: 'a@a.example' })
    .onConflict(conflict => conflict.doNothing())
    .execute(),
);
await services.db.asSystem(trx =>
  trx
    .insertInto('users')
    .values({ store_id: 1, id: 1, email: 'a@a.example', type: 'OWNER' })
    .onConflict(conflict => conflict.doNothing())
    .execute(),
);
const { token } = await services.db.asSystem(trx => openSession(trx, 1, 1, 1));
if (process.argv[3] === 'job') await services.queue.send('slow', {}, { singletonKey: 'once' });
console.log(`ready ${addressOf(app, config)} ${token}`);
