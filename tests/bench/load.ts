// Many people at once for some minutes: they list, filter, search, open subscriptions and change them; the server runs in a process of its
// own. Says how many requests were answered, how long they took, what failed, and whether the server's memory grew.
// usage: npm run bench -- load [--engine postgres|embedded] [--contracts 1000000] [--people 100] [--seconds 300] [--think 1000] [--history
// whole|latest] [--keep FOLDER] On the embedded database one person works by default, on 100,000 subscriptions.
// --think is the mean pause between two steps of a person in milliseconds; 0 lets everybody press as fast as answers come.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildRequest } from '../../src/contract/request.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { openSession } from '../../src/server/platform/auth/sessions.ts';
import { readConfig } from '../../src/server/platform/config.ts';
import { seedStores } from '../../src/server/features/demo/seed.ts';
import { openServices, type Services } from '../../src/server/platform/services.ts';
import { percentile } from './numbers.ts';
import { describe, withSeeded } from './seeded.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WORDS = ['lindberg', 'blend', 'no', 'alma', 'ferment', 'decaf', 'sofia', 'morning'];
const FILTERS: JsonObject[] = [
  { status: ['ACTIVE'] },
  { status: ['PAUSED'] },
  { countryCode: ['DE'] },
  { lastPaymentStatus: ['FAILED'] },
  { isPrepaid: true },
  { tags: ['vip'] },
  { completedOrdersCount: { min: 6 } },
];
const LIMIT = 400;

interface Step {
  kind: 'list' | 'record' | 'action';
  at: number;
  ms: number;
  ok: boolean;
  why?: string;
}

/** What tells the server which database it is. */
export type Place = { DATABASE_URL: string } | { PERENNIAL_DATA: string };

/** Of a server that is only measured. */
const SECRET = 'measured-and-then-removed-with-its-database';

/** Starts the built server on a database and waits until it answers. */
export async function start(place: Place): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...place, PORT: '0', PERENNIAL_DEMO: 'off', LOG_LEVEL: 'info', PERENNIAL_SECRET: SECRET },
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    const read = (data: Buffer): void => {
      said = (said + data.toString()).slice(-20_000);
      const found = /listens on (http:\/\/\S+)/.exec(said);
      // From then on its log is only let through: reading it would take time from the measurement.
      if (found) {
        child.stdout.off('data', read).resume();
        resolve(found[1]!);
      }
    };
    child.stdout.on('data', read);
    child.once('exit', code => reject(new Error(`The server ended with ${code}: ${said.slice(-2000)}`)));
  });
  return {
    url: address,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What a server's processes hold in memory together (MB); what they share is counted for each. */
export const megabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024 +
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .reduce((sum, child) => sum + megabytes(Number(child)), 0);

export interface Prepared {
  definitions: Services['definitions'];
  ids: { id: number; shopifyId: number }[];
  tokens: string[];
}

/** Subscriptions that may be changed, and two people who are signed in. */
export async function prepare({ db, definitions }: Services): Promise<Prepared> {
  const { rows: ids } = await db.ownerQuery<{ id: number; shopifyId: number }>(`
    select c.id, c.shopify_id as "shopifyId" from contracts c join payment_methods m on m.store_id = c.store_id and m.id = c.payment_method_id
    where c.store_id = 1 and c.status = 'ACTIVE' and not c.is_marked_for_cancellation and m.revoked_at is null and (m.expiry_year is null or make_date(m.expiry_year, m.expiry_month, 1) > now()) order by md5(c.id::text) limit 5000`);
  return {
    definitions,
    ids,
    tokens: await Promise.all([1, 2].map(async user => (await db.asSystem(trx => openSession(trx, 1, 1000 + user, 24))).token)),
  };
}

/** True when every kind of step kept to its goals. */
export async function overload(
  { definitions, ids, tokens }: Prepared,
  place: Place,
  { people, seconds, think }: { people: number; seconds: number; think: number },
): Promise<boolean> {
  const server = await start(place);
  const steps: Step[] = [];
  const begun = performance.now();
  const memory: number[] = [];
  const watch = setInterval(() => memory.push(megabytes(server.pid)), 2000);
  const until = performance.now() + seconds * 1000;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

  const ask = async (token: string, name: string, input: JsonObject): Promise<JsonObject> => {
    const request = buildRequest(definitions, definitions.calls[name]!, input, {});
    const response = await fetch(server.url + request.url, {
      method: request.method,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      headers: {
        ...request.headers,
        authorization: token,
        ...(request.method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
      },
    });
    const body = (await response.json()) as JsonObject;
    if (!response.ok) throw new Error(`${name} ${response.status}: ${String(body['message'])}`);
    return body;
  };
  const timed = async (kind: Step['kind'], work: () => Promise<unknown>): Promise<void> => {
    const from = performance.now();
    try {
      await work();
      steps.push({ kind, at: from - begun, ms: performance.now() - from, ok: true });
    } catch (error) {
      steps.push({ kind, at: from - begun, ms: performance.now() - from, ok: false, why: String((error as Error).message) });
    }
  };

  /** One person: 80 of 100 steps list, 15 open a subscription with all that its page reads, 5 change one. */
  const person = async (number: number): Promise<void> => {
    const token = tokens[number % tokens.length]!;
    // Each client changes subscriptions of its own, so that none is refused for being second.
    const own = ids.filter((_, i) => i % people === number);
    await sleep(Math.random() * Math.min(think, 1000));
    while (performance.now() < until) {
      const dice = Math.random();
      if (dice < 0.8) {
        const filter = Math.random() < 0.4 ? pick(FILTERS) : undefined;
        await timed('list', () =>
          ask(token, 'subscription-contract.list', {
            pageSize: 25,
            sort: 'createdAtEpoch',
            order: 'DESC',
            ...(filter ? { filter } : {}),
            ...(Math.random() < 0.4 ? { q: pick(WORDS) } : {}),
          }),
        );
      } else if (dice < 0.95) {
        const one = pick(ids);
        // The page is there when the slowest of its calls is.
        await timed('record', () =>
          Promise.all([
            ask(token, 'subscription-contract.read', { id: one.id }),
            ask(token, 'subscription-contract.ordersSchedule', { id: one.id }),
            ask(token, 'subscription-contract.ordersHistory', { id: one.id, limit: 10 }),
            ask(token, 'subscription-contract.activity', { id: one.id, limit: 25 }),
            ask(token, 'subscription-contract.customerDetails', { id: one.id }),
            ask(token, 'backup-payment-method.available', { subscriptionShopifyId: one.shopifyId }),
          ]),
        );
      } else {
        const one = pick(own);
        const act = Math.random();
        if (act < 0.4)
          await timed('action', () => ask(token, 'subscription-contract.updateNote', { id: one.id, note: `Called at ${Date.now()}.` }));
        else if (act < 0.7)
          await timed('action', () =>
            ask(token, 'subscription-contract.updateTags', { id: one.id, tags: ['called', `n${Math.floor(Math.random() * 5)}`] }),
          );
        else {
          await timed('action', () => ask(token, 'subscription-contract.pause', { id: one.id }));
          await timed('action', () => ask(token, 'subscription-contract.resume', { id: one.id }));
        }
      }
      if (think > 0) await sleep(Math.random() * 2 * think);
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: people }, (_, i) => person(i)));
  const took = (performance.now() - from) / 1000;
  clearInterval(watch);
  await server.stop();

  console.log(
    `\n${people} people for ${took.toFixed(0)} s, ${think ? `a step every ${think} ms each` : 'as fast as answers come'} (load of the machine at the end ${loadavg()[0]?.toFixed(1)})`,
  );
  let isMet = true;
  for (const kind of ['list', 'record', 'action'] as const) {
    const own = steps.filter(step => step.kind === kind);
    const times = own.map(step => step.ms);
    const wrong = own.filter(step => !step.ok);
    const p99 = percentile(times, 99);
    isMet &&= wrong.length === 0 && p99 <= LIMIT;
    console.log(
      `  ${kind.padEnd(8)}${own.length.toLocaleString('en').padStart(9)} steps  p50 ${percentile(times, 50).toFixed(0).padStart(5)} ms  p95 ${percentile(times, 95).toFixed(0).padStart(5)} ms  p99 ${p99.toFixed(0).padStart(5)} ms  errors ${wrong.length}${wrong[0] ? ` (${wrong[0].why})` : ''}`,
    );
  }
  // The first fifth warms up.
  const settled = memory.slice(Math.floor(memory.length / 5));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
  console.log(
    `  ${(steps.length / took).toFixed(0)} steps a second; memory of the server ${mean(settled.slice(0, third)).toFixed(0)} MB early, ${mean(settled.slice(-third)).toFixed(0)} MB late, at most ${Math.max(...memory).toFixed(0)} MB`,
  );
  // Long runs: what grows from hour to hour shows in the last fifth beside the second one.
  const part = (from: number, to: number): number =>
    percentile(
      steps.filter(step => step.kind === 'list' && step.at >= from * seconds * 1000 && step.at < to * seconds * 1000).map(step => step.ms),
      99,
    );
  const early = mean(settled.slice(0, third)),
    late = mean(settled.slice(-third));
  const growth = (late / early - 1) * 100,
    drift = part(0.8, 1) / part(0.2, 0.4);
  console.log(
    `  memory grew by ${growth.toFixed(1)} % (goal: less than 10), p99 of lists at the end ${drift.toFixed(2)} of that at the start (goal: at most 1.20), ${(steps.length / took).toFixed(0)} steps a second (goal of the soak: 500)`,
  );
  // A minute or two says nothing of growth.
  return isMet && (seconds < 600 || (growth < 10 && drift <= 1.2));
}

/** An embedded database with one store, in a folder that is removed at the end; it belongs to one process at a time. */
async function withEmbedded<T>(
  contracts: number,
  history: 'whole' | 'latest',
  work: (prepared: Prepared, place: Place) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  try {
    const services = await openServices({ ...readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0' }), port: 0 });
    let prepared: Prepared;
    try {
      await seedStores(services.db, { contracts, history, areas: Object.keys(services.definitions.permissions) });
      await services.db.exec('vacuum analyze');
      await describe(services);
      prepared = await prepare(services);
    } finally {
      await services.close();
    }
    return await work(prepared, { PERENNIAL_DATA: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('load.ts')) {
  const text = (fallback?: string) => ({ type: 'string' as const, ...(fallback === undefined ? {} : { default: fallback }) });
  const { values } = parseArgs({
    options: {
      engine: text('postgres'),
      contracts: text(),
      people: text(),
      seconds: text('300'),
      think: text('1000'),
      history: text('whole'),
      keep: text(),
    },
  });
  const isEmbedded = values.engine === 'embedded';
  const contracts = Number(values.contracts ?? (isEmbedded ? 100_000 : 1_000_000));
  const history = values.history === 'latest' ? 'latest' : 'whole';
  const size = { people: Number(values.people ?? (isEmbedded ? 1 : 100)), seconds: Number(values.seconds), think: Number(values.think) };
  const isMet = isEmbedded
    ? await withEmbedded(contracts, history, (prepared, place) => overload(prepared, place, size))
    : await withSeeded({ contracts, keep: values.keep, history }, async (services, url) =>
        overload(await prepare(services), { DATABASE_URL: url }, size),
      );
  if (!isMet) process.exitCode = 1;
}
