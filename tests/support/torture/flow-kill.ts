// Kills the processes that run flows (SIGKILL) at random moments while events are written, and compares afterwards: every event has one run,
// and every run one effect.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { emit } from '../../../src/server/platform/events/emit.ts';
import { eventLag } from '../../../src/server/platform/events/sweep.ts';
import { seedStores } from '../../../src/server/features/demo/seed.ts';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { startWorker } from '../program.ts';

const WORKER = fileURLToPath(new URL('../../server/features/flows/worker.ts', import.meta.url));

export interface FlowKillOutcome {
  kills: number;
  events: number;
  failures: string[];
}

/**
 * A flow adds a line to the note of the subscription for each failed payment, another one tags it once. Two processes run them; one is
 * killed after another, until enough were or the time is over.
 */
export async function killFlows(plan: {
  url: string;
  db: Database;
  kills: number;
  random: () => number;
  /** Events to write at most; without it they are written until the kills are done. */
  events?: number;
  isOver?: () => boolean;
}): Promise<FlowKillOutcome> {
  const { url, db, random, events = Infinity } = plan;
  await seedStores(db, { contracts: 8, stores: 1, areas: [] });
  await db.exec(`delete from records where entity = 'flow'; delete from flow_runs; delete from event_queue;
    update contracts set note = '', tags = '{}', status = 'ACTIVE';
    insert into records (store_id, entity, position, data) values
      (1, 'flow', 1, '{"name": "Note", "flowType": "CUSTOM", "status": "ACTIVE", "triggers": ["PAYMENT_FAILED"],
        "actions": [{"action": "UPDATE_NOTE", "input": {"mode": "ADD", "note": "x"}}]}'),
      (1, 'flow', 2, '{"name": "Once", "flowType": "CUSTOM", "status": "ACTIVE", "triggers": ["PAYMENT_FAILED"], "runOncePerSubscription": true,
        "actions": [{"action": "UPDATE_TAGS", "input": {"mode": "ADD", "tags": ["once"]}}]}')`);
  const { rows: contracts } = await db.ownerQuery<{ id: number }>('select id from contracts where store_id = 1 order by id');
  const outcome: FlowKillOutcome = { kills: 0, events: 0, failures: [] };
  const start = (): Promise<ChildProcess> => startWorker(WORKER, [url]);
  let isWriting = true;
  const writing = (async () => {
    while (isWriting && outcome.events < events) {
      const count = 1 + Math.floor(random() * 8);
      await db.inStore(1, async trx => {
        for (let i = 0; i < count; i++)
          await emit(trx, {
            storeId: 1,
            contractId: contracts[(outcome.events + i) % contracts.length]!.id,
            key: 'payment_attempt_failed',
            payload: {},
            source: 'System',
            entity: '',
            at: new Date(),
          });
      });
      outcome.events += count;
      await new Promise(resolve => setTimeout(resolve, 60));
    }
  })();
  const workers = [await start(), await start()];
  while (outcome.kills < plan.kills && plan.isOver?.() !== true) {
    await new Promise(resolve => setTimeout(resolve, random() * 500));
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
  const one = async (text: string): Promise<number> => Number((await db.ownerQuery<{ n: number }>(text)).rows[0]?.n);
  const expectEqual = (what: string, found: number, wanted: number): void => {
    if (found !== wanted) outcome.failures.push(`${what}: ${found} instead of ${wanted}`);
  };
  expectEqual('runs of the first flow', await one("select count(*) as n from flow_runs where flow_name = 'Note'"), outcome.events);
  expectEqual('lines in notes', await one("select sum(length(note) - length(replace(note, 'x', ''))) as n from contracts"), outcome.events);
  expectEqual(
    'runs of the flow that runs once',
    await one("select count(*) as n from flow_runs where flow_name = 'Once'"),
    contracts.length,
  );
  expectEqual('subscriptions that were tagged', await one("select count(*) as n from contracts where tags = '{once}'"), contracts.length);
  const { waiting, failed } = await eventLag(db);
  if (waiting + failed > 0) outcome.failures.push(`${waiting} events still wait, ${failed} failed`);
  return outcome;
}
