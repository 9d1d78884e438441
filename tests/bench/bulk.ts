// A bulk pause of N subscriptions, beside bare batched SQL that pauses as many and writes the same rows: contract, log and, of a bulk action, its row.
// With one worker in this process, and with two processes that share it, as two servers on one database do; the bare SQL runs beside each. Lists meanwhile are asked of this
// process, and of the built server as it starts by itself.
// usage: npm run bench -- bulk [--contracts 100000]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { BULK_TICK } from '../../src/server/features/bulk-actions/queue-names.ts';
import { runBulk } from '../../src/server/features/bulk-actions/bulk-run.ts';
import { readConfig } from '../../src/server/platform/config.ts';
import { seedStores } from '../../src/server/features/demo/seed.ts';
import { openServices, type Services } from '../../src/server/platform/services.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { saidLedger, saidShare, withEventsTwice, withoutLedger } from './emit-share.ts';
import { start } from './load.ts';
import { percentile } from './numbers.ts';
import { clientOf, serve } from './over-http.ts';

/** Subscriptions that bare SQL takes at once, as the bulk action does. */
const BATCH = 1000;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
};

/** All subscriptions active again, with an order ahead, and no log of before. */
async function reset({ db }: Services): Promise<void> {
  await db.exec(`delete from orders where store_id = 1 and status in ('PROCESSING', 'SCHEDULED');
    update contracts set status = 'ACTIVE', is_marked_for_cancellation = false, base_at = now() + interval '9 days', next_billing_at = now() + interval '9 days', base_cycle = next_cycle, paused_at = null, resume_at = null where store_id = 1;
    delete from event_queue where store_id = 1;
    delete from events where store_id = 1`);
  await db.exec('vacuum analyze contracts');
  await db.exec('vacuum analyze events');
  await db.exec('vacuum analyze bulk_action_rows');
}

async function makeBulk({ db }: Services): Promise<number> {
  const {
    rows: [made],
  } = await db.ownerQuery<{ id: number }>(
    `insert into bulk_actions (store_id, action_key, label, status, input, selection, queued_at) values (1, 'PAUSE_SUBSCRIPTION', 'Bench', 'QUEUED', '{"until": "INDEFINITE"}', '{"mode": "FILTER"}', now()) returning id`,
  );
  const id = Number(made?.id);
  await db.ownerQuery(
    'insert into bulk_action_rows (store_id, bulk_action_id, position, contract_id) select 1, $1, row_number() over (order by id), id from contracts where store_id = 1',
    [id],
  );
  await db.ownerQuery(
    'update bulk_actions set total = (select count(*) from bulk_action_rows where store_id = 1 and bulk_action_id = $1) where store_id = 1 and id = $1',
    [id],
  );
  // Both are planned with what is there.
  await db.exec('analyze bulk_action_rows');
  await db.exec('analyze contracts');
  return id;
}

/** The floor: as the store's role, a transaction for each thousand, with the same columns of contract, log and row. */
async function bare({ db }: Services, bulkId: number): Promise<void> {
  for (let from = 1; ; from += BATCH) {
    const done = await db.inStore(
      1,
      async trx => {
        const { rows } = await sql<{ n: number }>`with taken as (
          select position, contract_id from bulk_action_rows where store_id = 1 and bulk_action_id = ${bulkId}::bigint and position >= ${from} and position < ${from + BATCH}),
        paused as (
          update contracts c set status = 'PAUSED', paused_at = now(), base_at = null, next_billing_at = null, resume_at = null, version = version + 1, updated_at = now()
          from taken t where c.store_id = 1 and c.id = t.contract_id returning c.id),
        noted as (
          insert into events (store_id, contract_id, key, source, data, created_at) select 1, id, 'subscription_paused', 'System',
            jsonb_build_object('before', jsonb_build_object('status', 'ACTIVE', 'resumeDateEpoch', null, 'nextBillingDateEpoch', 1800000000), 'after', jsonb_build_object('status', 'PAUSED', 'resumeDateEpoch', null), 'bulkActionId', ${bulkId}::bigint), now() from paused),
        marked as (
          update bulk_action_rows r set status = 'SUCCESS', before = 'Status: Active; Next order: Wed, Mar 4, 2026', after = 'Status: Paused; Next order: none', processed_at = now()
          from taken t where r.store_id = 1 and r.bulk_action_id = ${bulkId}::bigint and r.position = t.position)
        select count(*) as n from taken`.execute(trx);
        const n = Number(rows[0]?.n ?? 0);
        await sql`update bulk_actions set processed = processed + ${n}, succeeded = succeeded + ${n} where store_id = 1 and id = ${bulkId}::bigint`.execute(
          trx,
        );
        return n;
      },
      { timeoutMs: 60_000 },
    );
    if (done < BATCH) return;
  }
}

interface Meanwhile {
  p50: number;
  p99: number;
  most: number;
  /** How long the bulk action took (s). */ time: number;
  /** What it was beside. */ where: string;
}
const LIST = { pageSize: 25, sort: 'createdAtEpoch', order: 'DESC' };
const meanwhile = (times: number[], time: number, where: string): Meanwhile => ({
  p50: percentile(times, 50),
  p99: percentile(times, 99),
  most: Math.max(...times),
  time,
  where,
});

/** The times of the list, asked again and again by one person while a bulk action runs in the process of the server. */
async function listsMeanwhile(services: Services): Promise<Meanwhile> {
  await reset(services);
  const id = await makeBulk(services);
  const http = await serve(services);
  let time = 0;
  const times = await http.askMeanwhile('subscription-contract.list', LIST, async () => {
    time = await seconds(() => runBulk(services, { storeId: 1, bulkId: id }, new AbortController().signal));
  });
  await http.close();
  return meanwhile(times, time, 'in the same process');
}

/** The same of the built server as it starts by itself on PostgreSQL, with a process for jobs. */
async function listsOfProduct(services: Services, url: string): Promise<Meanwhile> {
  await reset(services);
  const product = await start({ DATABASE_URL: url });
  const http = await clientOf(services, product.url);
  for (let i = 0; i < 200; i++) await http.ask('subscription-contract.list', LIST);
  const id = await makeBulk(services);
  const until = async (isSo: (status: string) => boolean): Promise<void> => {
    for (;;) {
      const {
        rows: [bulk],
      } = await services.db.ownerQuery<{ status: string }>('select status from bulk_actions where store_id = 1 and id = $1', [id]);
      if (isSo(bulk?.status ?? '')) return;
      await sleep(20);
    }
  };
  await services.queue.send(BULK_TICK, {});
  await until(status => status !== 'QUEUED');
  const from = performance.now();
  const times = await http.askMeanwhile('subscription-contract.list', LIST, () => until(status => status === 'COMPLETED'));
  const time = (performance.now() - from) / 1000;
  await product.stop();
  return meanwhile(times, time, 'as the product runs');
}

const WORKER = fileURLToPath(new URL('../server/features/bulk-actions/worker.ts', import.meta.url));

/** Runs a bulk action. @returns seconds of the work, and CPU seconds of the processes that did it (the database's own are not among them) */
async function ours(services: Services, bulkId: number, processes: number, url: string): Promise<{ time: number; cpu: number }> {
  if (processes === 0) {
    const before = process.cpuUsage();
    const time = await seconds(() => runBulk(services, { storeId: 1, bulkId }, new AbortController().signal));
    const { user, system } = process.cpuUsage(before);
    return { time, cpu: (user + system) / 1e6 };
  }
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--import', 'tsx', WORKER, 'postgres', url, String(bulkId), '0', 'wait'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const said = children.map(() => '');
  children.forEach((child, i) =>
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said[i] += text;
    }),
  );
  const ends = children.map(child => once(child, 'exit'));
  // They are up and connected before the clock starts, as servers are.
  await Promise.all(children.map(child => once(child.stdout, 'data')));
  const time = await seconds(async () => {
    for (const child of children) child.stdin.write('go\n');
    await Promise.all(
      children.map(async (child, i) => {
        while (!said[i]?.includes('over')) await Promise.race([once(child.stdout, 'data'), ends[i]]);
      }),
    );
  });
  await Promise.all(ends);
  return { time, cpu: said.reduce((sum, text) => sum + Number(/over (\d+)/.exec(text)?.[1] ?? 0) / 1000, 0) };
}

/** `processes`: 0 is one worker in this process. */
async function report(name: string, services: Services, size: number, processes = 0, url = ''): Promise<void> {
  await services.start();
  await seedStores(services.db, { contracts: size, stores: 1, history: 'latest', areas: Object.keys(services.definitions.permissions) });
  // Taken in turns, so that neither has the warmer cache: floor, ours, floor, ours.
  const floor: number[] = [],
    runs: { time: number; cpu: number }[] = [];
  for (let turn = 0; turn < 2; turn++) {
    await reset(services);
    const bareId = await makeBulk(services);
    floor.push(await seconds(() => bare(services, bareId)));
    await services.db.ownerQuery("update bulk_actions set status = 'COMPLETED' where id = $1", [bareId]);
    await reset(services);
    const id = await makeBulk(services);
    runs.push(await ours(services, id, processes, url));
    const {
      rows: [done],
    } = await services.db.ownerQuery<{ succeeded: number; skipped: number; failed: number; total: number; notes: number }>(
      'select b.*, (select count(*) from events where store_id = 1) as notes from bulk_actions b where store_id = 1 and id = $1',
      [id],
    );
    if (done?.succeeded !== done?.total || Number(done?.notes) !== done?.total)
      throw new Error(`Not all were paused: ${JSON.stringify(done)}`);
  }
  if (processes === 0 && services.db.kind === 'postgres') {
    const [twice, without]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 2; turn++) {
      await reset(services);
      const id = await makeBulk(services);
      twice.push((await withEventsTwice(() => ours(services, id, 0, ''))).time);
      await reset(services);
      const again = await makeBulk(services);
      without.push((await withoutLedger(() => ours(services, again, 0, ''))).time);
    }
    console.log(`    ${saidShare(Math.min(...runs.map(one => one.time)), Math.min(...twice))}`);
    console.log(`    ${saidLedger(Math.min(...runs.map(one => one.time)), Math.min(...without))}`);
  }
  const lists = url ? await listsOfProduct(services, url) : await listsMeanwhile(services);
  const [run = { time: 0, cpu: 0 }] = runs.sort((a, b) => a.time - b.time);
  const bareTime = Math.min(...floor);
  const rate = (time: number): string =>
    Math.round(size / time)
      .toLocaleString('en')
      .padStart(9);
  console.log(
    `  ${name.padEnd(34)}${rate(run.time)} a second; bare SQL ${rate(bareTime)} a second: ${(bareTime / run.time).toFixed(2)} of its speed; ${((run.cpu / size) * 1e6).toFixed(0)} µs of CPU a row (goals: 12,000 a second, half the speed of bare SQL); a list meanwhile, ${lists.where}: p50 ${lists.p50.toFixed(0)} ms, p99 ${lists.p99.toFixed(0)} ms (goal: ${services.db.kind === 'embedded' ? 40 : 20}), at most ${lists.most.toFixed(0)} ms, with ${rate(lists.time).trim()} rows a second`,
  );
}

/** The embedded database is for stores of a machine's own; it is measured on fewer. */
const MAX_EMBEDDED = 20_000;

export async function bulk(size: number): Promise<void> {
  console.log(`\nBulk pause of ${size.toLocaleString('en')} subscriptions (goal: half the speed of bare SQL)`);
  for (const processes of [0, 2]) {
    const cluster = await PostgresCluster.create(['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=512MB']);
    const services = await openServices({ ...readConfig({ DATABASE_URL: cluster.url(), PERENNIAL_WORKERS: '0' }), port: 0 });
    try {
      await report(
        `PostgreSQL, ${processes ? 'two worker processes' : 'one worker'}`,
        services,
        size,
        processes,
        processes ? cluster.url() : '',
      );
    } finally {
      await services.close();
      await cluster.remove();
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  const embedded = await openServices({ ...readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0' }), port: 0 });
  const fewer = Math.min(size, MAX_EMBEDDED);
  try {
    await report(`embedded, one worker, ${fewer.toLocaleString('en')}`, embedded, fewer);
  } finally {
    await embedded.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('bulk.ts'))
  await bulk(Number(parseArgs({ options: { contracts: { type: 'string', default: '100000' } } }).values.contracts));
