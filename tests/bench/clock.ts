// How long a month of a demo store's clock takes, and whether later months take longer than the first: it must grow with what happens in
// a month, not with all that happened before. CPU time of the process with its database, so that other work on the machine counts little.
// usage: npm run bench -- clock [--contracts 5000] [--months 4] [--statements]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { moveClockJob } from '../../src/server/features/clock/jobs/move-clock.ts';
import { seedDemo } from '../../src/server/features/demo/demo.ts';
import { readConfig } from '../../src/server/platform/config.ts';
import { openServices, type Services } from '../../src/server/platform/services.ts';
import { jobWith } from '../support/job.ts';

/** Goals: seconds of a month at rest, and the last month against the first. */
const MOST_SECONDS = 30;
const MOST_TIMES = 1.3;
const DAYS = 30;

const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: '5000' },
    months: { type: 'string', default: '4' },
    statements: { type: 'boolean', default: false },
  },
});

/** What the database was at, by statement: for `--statements`. */
const asked = new Map<string, { n: number; ms: number }>();
function listen(): void {
  const original = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...args: unknown[]): unknown {
    const [first, second, callback] = args as [string | { text: string }, unknown, unknown];
    if (typeof callback !== 'function') return original.apply(this, args);
    const text = (typeof first === 'string' ? first : first.text).replace(/\s+/g, ' ').slice(0, 150);
    const from = performance.now();
    return original.call(this, first, second, (...answer: unknown[]) => {
      const entry = asked.get(text) ?? { n: 0, ms: 0 };
      asked.set(text, { n: entry.n + 1, ms: entry.ms + performance.now() - from });
      return (callback as (...given: unknown[]) => unknown)(...answer);
    });
  } as typeof Client.prototype.query;
}
function showStatements(): void {
  for (const [text, { n, ms }] of [...asked].sort((x, y) => y[1].ms - x[1].ms).slice(0, 25))
    console.log(`    ${String(Math.round(ms)).padStart(8)} ms ${String(n).padStart(7)} × ${text}`);
  asked.clear();
}

/** Moves the clock of the demo store by a month, as its owner does. @returns seconds by the clock on the wall and of CPU, and orders paid */
async function month(services: Services): Promise<{ wall: number; cpu: number; paid: number }> {
  const { db } = services;
  const runId = await db.inStore(1, async trx => {
    const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    const owner = await trx.selectFrom('users').select(['id', 'email']).where('type', '=', 'OWNER').executeTakeFirstOrThrow();
    const from = new Date(Date.now() + store.clock_offset_ms);
    const input = {
      days: DAYS,
      from: from.toISOString(),
      to: new Date(from.getTime() + DAYS * 86_400_000).toISOString(),
      offsetMs: store.clock_offset_ms,
    };
    const run = { store_id: 1, kind: 'CLOCK', input: JSON.stringify(input), total: DAYS * 24, created_by: owner.email, created_at: from };
    return (
      await trx
        .insertInto('runs')
        .values({ ...run, acting_user_id: owner.id })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  });
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await moveClockJob.run(services, { storeId: 1, runId }, jobWith());
  const used = process.cpuUsage(cpu);
  const run = await db.inStore(1, trx => trx.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow());
  if (run.status !== 'COMPLETED') throw new Error(`The move ended as ${run.status}: ${run.error ?? ''}`);
  return { wall: (performance.now() - wall) / 1000, cpu: (used.user + used.system) / 1e6, paid: run.succeeded };
}

if (values.statements) listen();
const folder = mkdtempSync(join(tmpdir(), 'bench-clock-'));
const services = await openServices(
  readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0', PERENNIAL_DEMO_SIZE: values.contracts, LOG_LEVEL: 'fatal' }),
);
let isMet = true;
try {
  await services.start();
  await seedDemo(services);
  console.log(
    `  demo of ${Number(values.contracts).toLocaleString('en')} subscriptions, embedded; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
  asked.clear();
  const cpu: number[] = [];
  for (let n = 1; n <= Number(values.months); n++) {
    const took = await month(services);
    cpu.push(took.cpu);
    console.log(
      `  month ${n}: ${took.cpu.toFixed(1)} s of CPU (${took.wall.toFixed(1)} s on the wall), ${took.paid.toLocaleString('en')} orders paid, ` +
        `${((took.cpu * 1000) / Math.max(1, took.paid)).toFixed(1)} ms each`,
    );
    if (values.statements) showStatements();
  }
  const [first, last] = [cpu[0] ?? Number.NaN, cpu.at(-1) ?? Number.NaN];
  const line = (what: string, figure: number, goal: number): void => {
    if (figure > goal) isMet = false;
    console.log(`  ${what.padEnd(52)}${figure.toFixed(2).padStart(8)}  goal ≤ ${goal}  ${figure <= goal ? 'ok' : 'MISSED'}`);
  };
  line('a month of the clock (s of CPU, the longest)', Math.max(...cpu), MOST_SECONDS);
  line(`month ${values.months} against month 1`, last / first, MOST_TIMES);
} finally {
  await services.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isMet ? 0 : 1);
