// Kills the processes that deliver events (SIGKILL) at random moments while events are written, and compares afterwards: each consumer got
// each event once, and each order that was paid waits once to be made in the connected shop.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { emit } from '../../../src/server/platform/events/emit.ts';
import { eventLag } from '../../../src/server/platform/events/sweep.ts';
import { seedStores } from '../../../src/server/features/demo/seed.ts';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { startWorker } from '../program.ts';

const WORKER = fileURLToPath(new URL('../../server/platform/events/worker.ts', import.meta.url));

export interface EventKillOutcome {
  kills: number;
  events: number;
  failures: string[];
}

/** Two processes deliver what this one writes; one of them is killed after another, until enough were or the time is over. */
export async function killDeliveries(plan: {
  url: string;
  db: Database;
  kills: number;
  random: () => number;
  isOver?: () => boolean;
}): Promise<EventKillOutcome> {
  const { url, db, random } = plan;
  await seedStores(db, { contracts: 5, stores: 1, areas: [] });
  await db.exec(`create table if not exists probe (store_id integer, consumer text, event_id bigint);
    grant select, insert on probe to perennial_app;
    insert into store_connections (store_id, address, api_key, status, due_at) values (1, 'https://shop.example', '', 'NOT_CONNECTED', null)`);
  const outcome: EventKillOutcome = { kills: 0, events: 0, failures: [] };
  let paid = 0;
  const start = (): Promise<ChildProcess> => startWorker(WORKER, [url]);
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      const count = 1 + Math.floor(random() * 40);
      const orderId = paid + 1;
      await db.inStore(1, async trx => {
        const order = { storeId: 1, contractId: 1, key: 'order_placed', payload: { orderId }, source: 'System', entity: '' } as const;
        await emit(trx, { ...order, at: new Date() });
        for (let i = 0; i < count; i++)
          await emit(trx, {
            storeId: 1,
            contractId: 1,
            key: 'subscription_paused',
            payload: {},
            source: 'System',
            entity: '',
            at: new Date(),
          });
      });
      paid = orderId;
      outcome.events += count;
      // As fast as two processes can deliver, and not faster.
      await new Promise(resolve => setTimeout(resolve, 60));
    }
  })();
  const workers = [await start(), await start()];
  while (outcome.kills < plan.kills && plan.isOver?.() !== true) {
    await new Promise(resolve => setTimeout(resolve, random() * 400));
    const i = outcome.kills % 2;
    const dying = workers[i] as ChildProcess;
    dying.kill('SIGKILL');
    await once(dying, 'exit');
    outcome.kills++;
    workers[i] = await start();
  }
  isWriting = false;
  await writing;
  for (const worker of workers) worker.stdin?.write('end\n');
  for (const worker of workers) if (worker.exitCode === null) await once(worker, 'exit');
  const { rows } = await db.ownerQuery<{ consumer: string; n: number; different: number }>(
    'select consumer, count(*)::integer as n, count(distinct event_id)::integer as different from probe group by consumer order by consumer',
  );
  for (const { consumer, n, different } of rows)
    if (n !== outcome.events || different !== outcome.events)
      outcome.failures.push(`${consumer} got ${n} events, ${different} different ones; ${outcome.events} were written`);
  if (rows.length !== 2) outcome.failures.push(`${rows.length} consumers got something`);
  const { rows: made } = await db.ownerQuery<{ n: number; last: number }>(
    'select count(*)::integer as n, coalesce(max(id), 0)::integer as last from platform_orders',
  );
  if (made[0]?.n !== paid || made[0].last !== paid) outcome.failures.push(`${made[0]?.n} of ${paid} paid orders wait for the shop`);
  const { waiting, failed } = await eventLag(db);
  if (waiting + failed > 0) outcome.failures.push(`${waiting} events still wait, ${failed} failed`);
  return outcome;
}
