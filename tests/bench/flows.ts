// Flows behind the events of a billing day: how many events a worker of its own works off in a second, what 100,000 of them take, and what the list of
// subscriptions takes meanwhile, beside the same list before. Every event meets three flows: one that acts on each, one that acts on few, one that never acts.
// usage: npm run bench -- flows [--events 5000] [--contracts 20000]; beside 100,000 events the time is worked out from those that were measured.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addEvents } from '../../src/server/platform/events/emit.ts';
import { eventLag } from '../../src/server/platform/events/sweep.ts';
import type { Services } from '../../src/server/platform/services.ts';
import { median, percentile } from './numbers.ts';
import { serve } from './over-http.ts';
import { withSeeded } from './seeded.ts';

const WORKER = fileURLToPath(new URL('../server/features/flows/worker.ts', import.meta.url));
const DAY_OF_EVENTS = 100_000;
const WITHIN_SECONDS = 3600;
/** A list may take so many times as long while flows run: the machine has other work then. */
const MOST_RATIO = 3;
/** Events of one step, as the consumer takes them. */
const STEP = 20;

const flow = (name: string, orderNumber: number | undefined, actions: object[], condition = 'ORDER_NUMBER'): string =>
  JSON.stringify({
    name,
    flowType: 'CUSTOM',
    status: 'ACTIVE',
    triggers: ['ORDER_PLACED'],
    ...(orderNumber === undefined
      ? {}
      : { conditions: { match: 'ALL', rows: [{ conditionKey: condition, operator: 'EQ', value: orderNumber }] } }),
    actions,
  });
const FLOWS = [
  flow('Each order', undefined, [{ action: 'UPDATE_NOTE', input: { mode: 'ADD', note: 'One more.' } }]),
  flow('Third order', 2, [
    { action: 'UPDATE_NOTE', input: { mode: 'ADD', note: 'Third order.' } },
    { action: 'UPDATE_TAGS', input: { mode: 'ADD', tags: ['third-order-gift'] } },
  ]),
  flow('Never', 999, [{ action: 'UPDATE_TAGS', input: { mode: 'ADD', tags: ['never'] } }]),
];

/** The latest order of so many subscriptions of the first store is placed, as a billing day tells it. */
async function placeOrders({ db }: Services, events: number): Promise<number> {
  const { rows } = await db.ownerQuery<{ contract_id: number; id: number; order_number: number }>(
    `select distinct on (o.contract_id) o.contract_id, o.id, o.order_number from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id
     where o.store_id = 1 and o.status = 'PAID' and c.status = 'ACTIVE' order by o.contract_id, o.id desc limit ${events}`,
  );
  const at = new Date();
  for (let i = 0; i < rows.length; i += 1000)
    await db.inStore(1, trx =>
      addEvents(
        trx,
        rows.slice(i, i + 1000).map(row => ({
          store_id: 1,
          contract_id: row.contract_id,
          key: 'order_placed' as const,
          source: 'System',
          entity: '',
          data: { orderId: row.id, orderNumber: row.order_number % 12 },
          messages: 'ALL' as const,
          created_at: at,
        })),
      ),
    );
  return rows.length;
}

/** The least that following an event costs: the same rows in bare SQL, in steps of as many events; gives events a second. */
async function floor({ db }: Services): Promise<number> {
  const {
    rows: [count],
  } = await db.ownerQuery<{ n: number }>("select count(*)::int as n from contracts where store_id = 1 and status = 'ACTIVE'");
  const events = Math.min(1000, count!.n);
  const from = performance.now();
  for (let i = 0; i < events; i += STEP)
    await db.ownerQuery(
      `with mine as (select id from contracts where store_id = 1 and status = 'ACTIVE' order by id limit ${STEP} offset ${i}),
        changed as (update contracts c set note = note || ' ', version = version + 1, updated_at = now() from mine where c.store_id = 1 and c.id = mine.id
          returning c.id),
        told as (insert into events (store_id, contract_id, key, source, entity, data, messages, created_at)
          select 1, id, k, 'Flow', '', '{}', 'NONE', now() from changed, unnest(array['note_updated', 'flow_executed']) k returning store_id, id),
        queued as (insert into event_queue (store_id, event_id) select store_id, id from told)
       insert into flow_runs (store_id, flow_id, flow_name, contract_id, event_id, trigger, status, started_at)
       select 1, 1, 'floor', id, -id, 'ORDER_PLACED', 'SUCCESS', now() from changed`,
    );
  return events / ((performance.now() - from) / 1000);
}

async function workOff(url: string): Promise<number> {
  const worker = spawn(process.execPath, ['--import', 'tsx', WORKER, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(worker.stdout, 'data');
  const from = performance.now();
  worker.stdin.write('end\n');
  await once(worker, 'exit');
  return (performance.now() - from) / 1000;
}

export async function flows(contracts: number, events: number): Promise<boolean> {
  return withSeeded({ contracts }, async (services, url) => {
    const { db } = services;
    await db.exec(
      `${FLOWS.map((one, i) => `insert into records (store_id, entity, position, data) values (1, 'flow', ${i + 1}, '${one}')`).join('; ')}; delete from event_queue`,
    );
    const written = await placeOrders(services, events);
    await db.exec('vacuum analyze');
    const served = await serve(services);
    try {
      const LIST = { pageSize: 25, sort: 'createdAtEpoch', order: 'DESC', filter: { status: ['ACTIVE'] } };
      const quiet = await served.askMeanwhile('subscription-contract.list', LIST, () => sleep(5000));
      let took = 0;
      const busy = await served.askMeanwhile('subscription-contract.list', LIST, async () => {
        took = await workOff(url);
      });
      const { waiting, failed } = await eventLag(db);
      const {
        rows: [runs],
      } = await db.ownerQuery<{ n: number; wrong: number }>(
        "select count(*)::int as n, count(*) filter (where status <> 'SUCCESS')::int as wrong from flow_runs where store_id = 1",
      );
      const perSecond = written / took;
      const bare = await floor(services);
      const whole = DAY_OF_EVENTS / perSecond;
      const ratio = median(busy) / median(quiet);
      const ok = waiting + failed === 0 && whole <= WITHIN_SECONDS && ratio <= MOST_RATIO;
      console.log(
        `  ${written.toLocaleString('en')} events, ${runs!.n.toLocaleString('en')} runs of 3 flows (${runs!.wrong} not done), ${waiting} left, ${failed} failed: ${took.toFixed(1)} s, ${perSecond.toFixed(0)} a second; load of the machine ${loadavg()[0]?.toFixed(1)}`,
      );
      console.log(`  bare SQL that writes the same rows: ${bare.toFixed(0)} a second, ${(bare / perSecond).toFixed(1)} times as many`);
      console.log(
        `  ${DAY_OF_EVENTS.toLocaleString('en')} events at this rate: ${(whole / 60).toFixed(1)} minutes, ${(whole / WITHIN_SECONDS).toFixed(2)} of the hour`,
      );
      console.log(
        `  list of subscriptions: ${median(quiet).toFixed(1)} ms before, ${median(busy).toFixed(1)} ms meanwhile (${ratio.toFixed(2)} times; p95 ${percentile(quiet, 95).toFixed(1)} and ${percentile(busy, 95).toFixed(1)} ms)  ${ok ? 'ok' : 'TOO SLOW'}`,
      );
      return ok;
    } finally {
      await served.close();
    }
  });
}

if (process.argv[1]?.endsWith('flows.ts')) {
  const { values } = parseArgs({
    options: { events: { type: 'string', default: '5000' }, contracts: { type: 'string', default: '20000' } },
  });
  process.exitCode = (await flows(Number(values.contracts), Number(values.events))) ? 0 : 1;
}
