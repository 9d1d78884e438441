// The billing run: how many due subscriptions are charged in a second, by one worker on each engine and by two processes on PostgreSQL.
// usage: npm run bench -- billing [--contracts 10000] [--only embedded|one|two]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/server/platform/config.ts';
import { runDue, type RunResult } from '../../src/server/engine/charging/run-due.ts';
import { seedStores } from '../../src/server/features/demo/seed.ts';
import { openServices, type Services } from '../../src/server/platform/services.ts';
import { eventLag } from '../../src/server/platform/events/sweep.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { saidLedger, saidShare, withEventsTwice, withoutLedger } from './emit-share.ts';

/** Charges what is due, once its workers are ready. */
type Run = (now: Date) => Promise<RunResult[]>;

/** This process does it. */
const here =
  (services: Services): Run =>
  async now => [await runDue(services, 1, { now })];

/** Two processes do it, as two servers on one database would. */
const processes = async (url: string, workers: number): Promise<Run> => {
  const children = await Promise.all(
    Array.from(
      { length: workers },
      () =>
        new Promise<ReturnType<typeof fork>>((resolve, reject) => {
          const child = fork(fileURLToPath(new URL('billing-worker.ts', import.meta.url)), [url]);
          child.once('message', () => resolve(child));
          child.once('error', reject);
        }),
    ),
  );
  return now =>
    Promise.all(
      children.map(
        child =>
          new Promise<RunResult>((resolve, reject) => {
            child.once('message', message => {
              const { result, memory } = message as { result: RunResult; memory: number };
              console.log(
                `    a worker charged ${(result.paid + result.failed).toLocaleString('en')} and used ${Math.round(memory / 1_048_576)} MB`,
              );
              resolve(result);
            });
            child.once('exit', code => {
              if (code) reject(new Error(`A worker ended with ${code}.`));
            });
            child.send(now.getTime());
          }),
      ),
    );
};

const CONSUMERS = fileURLToPath(new URL('../server/features/flows/worker.ts', import.meta.url));
/** With all consumers on the same two cores a billing run keeps this part of its rate, and they are done within so many minutes after it. */
const KEEPS = 0.6;
const DONE_WITHIN_MINUTES = 10;

/** A process that brings events to all their consumers. `finish` lets it end once nothing is left; answers the seconds that it took. */
async function consumers(url: string): Promise<{ finish(): Promise<number> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', CONSUMERS, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    async finish() {
      const from = performance.now();
      child.stdin.write('end\n');
      await once(child, 'exit');
      return (performance.now() - from) / 1000;
    },
  };
}

/** Everything that falls due within the next month, billed at once at its end. */
async function report(name: string, services: Services, size: number, prepare: () => Run | Promise<Run>): Promise<number> {
  await seedStores(services.db, { contracts: size, history: 'latest', areas: Object.keys(services.definitions.permissions) });
  await services.db.exec('vacuum analyze');
  const run = await prepare();
  const until = new Date(Date.now() + 30 * 86_400_000);
  const from = performance.now();
  const results = await run(until);
  const seconds = (performance.now() - from) / 1000;
  const charged = results.reduce((sum, one) => sum + one.paid + one.failed, 0);
  const {
    rows: [checked],
  } = await services.db.ownerQuery<{ doubled: number; left: number }>(
    `select (select count(*)::int from (select order_id from billing_attempts where success group by order_id having count(*) > 1) x) as doubled,
    (select count(*)::int from contracts where status = 'ACTIVE' and last_payment_status is distinct from 'FAILED' and next_billing_at <= $1) as left`,
    [until],
  );
  console.log(
    `  ${name.padEnd(34)}${charged.toLocaleString('en').padStart(10)} charged in ${seconds.toFixed(1)} s: ${Math.round(charged / seconds).toLocaleString('en')} a second; charged twice: ${checked!.doubled}, left out: ${checked!.left}; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
  return charged / seconds;
}

/** Works on a PostgreSQL of its own, which is gone after it. */
async function onPostgres<T>(work: (services: Services, url: string) => Promise<T>): Promise<T> {
  const cluster = await PostgresCluster.create(['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=512MB']);
  const services = await openServices({ ...readConfig({ DATABASE_URL: cluster.url(), PERENNIAL_WORKERS: '0' }), port: 0 });
  try {
    return await work(services, cluster.url());
  } finally {
    await services.close();
    await cluster.remove();
  }
}

export async function billing(size: number, only?: string): Promise<void> {
  console.log('\nBilling run');
  const one = (name: string): Promise<number> => onPostgres(services => report(name, services, size, () => here(services)));
  if (!only || only === 'one') await one('PostgreSQL, one worker');
  if (!only || only === 'two')
    await onPostgres((services, url) => report('PostgreSQL, two workers', services, size, () => processes(url, 2)));
  if (!only || only === 'one') {
    // The first run of a process is slower than its later ones: what others are compared with is measured again.
    const alone = await one('PostgreSQL, one worker once more');
    await eventsTwice(size, alone);
    await ledgerShare(size, alone);
    await besideConsumers(size, alone);
  }
  if (only && only !== 'embedded') return;
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  const services = await openServices({ ...readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0' }), port: 0 });
  try {
    await report('embedded, one worker', services, size, () => here(services));
  } finally {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The run of one worker once more, with every event written twice. `alone`: its rate with each written once. */
async function eventsTwice(size: number, alone: number): Promise<void> {
  await onPostgres(async services => {
    const rate = await report('PostgreSQL, each event twice', services, size, () => now => withEventsTwice(() => here(services)(now)));
    const { rows } = await services.db.ownerQuery<{ n: number; placed: number }>(
      `select count(*)::int as n, count(distinct data ->> 'orderId')::int as placed from events where key = 'order_placed' and store_id = 1
         and created_at > now() - interval '1 hour'`,
    );
    console.log(`    ${saidShare(1000 / alone, 1000 / rate)} (1,000 charges; ${rows[0]?.n} orders told of, ${rows[0]?.placed} placed)`);
  });
}

/** The run of one worker once more, without movements. `alone`: its rate with them. */
async function ledgerShare(size: number, alone: number): Promise<void> {
  await onPostgres(async services => {
    const rate = await report('PostgreSQL, without the ledger', services, size, () => now => withoutLedger(() => here(services)(now)));
    console.log(`    ${saidLedger(1000 / alone, 1000 / rate)} (1,000 charges)`);
  });
}

/** The run of one worker once more, while another process brings what it emits to all consumers. `alone`: its rate without them. */
async function besideConsumers(size: number, alone: number): Promise<void> {
  await onPostgres(async (services, url) => {
    let beside: Awaited<ReturnType<typeof consumers>> | undefined;
    const rate = await report('PostgreSQL, consumers beside it', services, size, async () => {
      beside = await consumers(url);
      return here(services);
    });
    const after = (await beside?.finish()) ?? 0;
    const { waiting, failed } = await eventLag(services.db);
    console.log(
      `    keeps ${(rate / alone).toFixed(2)} of its rate (goal: ${KEEPS}); consumers are done ${(after / 60).toFixed(1)} minutes after it (goal: ${DONE_WITHIN_MINUTES}); left: ${waiting}, failed: ${failed}`,
    );
  });
}

if (process.argv[1]?.endsWith('billing.ts')) {
  const { values } = parseArgs({ options: { contracts: { type: 'string', default: '10000' }, only: { type: 'string' } } });
  await billing(Number(values.contracts), values.only);
}
