// The job queue, on both engines: every job runs, once when nothing goes wrong, again when something does.
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../../src/server/platform/db/database.ts';
import { DatabaseMisuse } from '../../../../src/server/platform/db/errors.ts';
import { createQueue, type Job, type Queue, type QueueOptions } from '../../../../src/server/platform/queue/queue.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { PostgresCluster, skipPostgres } from '../../../support/postgres.ts';
import { startProgram } from '../../../support/program.ts';
import { scratch } from '../db/scratch.ts';

const child = path.join(path.dirname(fileURLToPath(import.meta.url)), 'children', 'worker.ts');
/** Something that happens once and can be waited for. */
const signal = () => {
  let happen: (() => void) | undefined;
  const happened = new Promise<void>(resolve => {
    happen = resolve;
  });
  return { happened, happen: happen! };
};
const until = async (check: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await check())) await new Promise(resolve => setTimeout(resolve, 20));
};

describe.each(engines)('the queue on %s', kind => {
  let test: TestDatabase;
  let db: Database;
  const queues: Queue[] = [];
  const make = (options: QueueOptions = {}): Queue => {
    const queue = createQueue(db, { pollSeconds: 0.5, graceMs: 1000, ...options });
    queues.push(queue);
    return queue;
  };
  const states = async () =>
    (await db.ownerQuery<{ state: string }>("SELECT state::text FROM pgboss.job WHERE name NOT LIKE '\\_%' ORDER BY created_on")).rows.map(
      ({ state }) => state,
    );
  // One database for all: opening an embedded one takes as long as a test. Each test finds it without a queue.
  beforeAll(async () => {
    test = await openTestDatabase(kind, { migrations: scratch });
    ({ db } = test);
  });
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.stop();
    await db.ownerQuery('DROP SCHEMA IF EXISTS pgboss CASCADE');
  });
  afterAll(() => test.remove());

  it('runs what was sent, with its data, and no more than once', async () => {
    const queue = make({ workers: 2 });
    const seen: Job[] = [];
    queue.work('hello', async job => {
      seen.push(job);
    });
    await queue.start();
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => queue.send('hello', { i })));
    await until(() => seen.length >= 12);
    await until(async () => (await states()).every(state => state === 'completed'));
    expect(seen.map(({ id }) => id).sort()).toEqual((ids as string[]).sort());
    expect(seen.map(({ data }) => data['i']).sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 12 }, (_, i) => i));
    expect(new Set(seen.map(({ attempt }) => attempt))).toEqual(new Set([1]));
  });

  it('runs what another process sent, which works on nothing itself', async () => {
    const sender = make({ workers: 0 });
    sender.define('hello');
    const worker = make();
    const seen: unknown[] = [];
    worker.work('hello', async ({ data }) => {
      seen.push(data);
    });
    await Promise.all([sender.start(), worker.start()]);
    await sender.send('hello', { from: 'elsewhere' });
    await until(() => seen.length > 0);
    expect(seen).toEqual([{ from: 'elsewhere' }]);
  });

  it('starts in several processes at once where no queue was before', async () => {
    for (let round = 0; round < 3; round++) {
      const starting = Array.from({ length: 5 }, () => make({ workers: 0 }));
      for (const queue of starting) queue.define('hello');
      await Promise.all(starting.map(queue => queue.start()));
      expect(await starting[0]!.send('hello', {})).toEqual(expect.any(String));
      for (const queue of queues.splice(0)) await queue.stop();
      await db.ownerQuery('DROP SCHEMA pgboss CASCADE');
    }
  });

  it('sends with a transaction, exactly when it is kept', async () => {
    const queue = make();
    const seen: unknown[] = [];
    queue.work('hello', async ({ data }) => {
      seen.push(data);
    });
    await queue.start();
    await db
      .inStore(1, async trx => {
        await queue.send('hello', { kept: false }, { trx });
        throw new Error('undone');
      })
      .catch(() => undefined);
    await db.inStore(1, trx => queue.send('hello', { kept: true }, { trx }));
    await expect(db.inStore(1, () => queue.send('hello', {}))).rejects.toBeInstanceOf(DatabaseMisuse);
    await until(() => seen.length > 0);
    expect(seen).toEqual([{ kept: true }]);
    expect(await states()).toHaveLength(1);
  });

  it('keeps one waiting job per key', async () => {
    const queue = make();
    queue.define('hello');
    await queue.start();
    expect(await queue.send('hello', {}, { singletonKey: 'a', startAfter: 60 })).toEqual(expect.any(String));
    expect(await queue.send('hello', {}, { singletonKey: 'a', startAfter: 60 })).toBeNull();
    expect(await queue.send('hello', {}, { singletonKey: 'b', startAfter: 60 })).toEqual(expect.any(String));
    expect(await queue.send('hello', {}, { startAfter: 60 })).toEqual(expect.any(String));
    expect(await queue.send('hello', {}, { startAfter: 60 })).toEqual(expect.any(String));
    expect(await states()).toHaveLength(4);
  });

  it('starts a job not before its time', async () => {
    const queue = make();
    const seen: unknown[] = [];
    queue.work('hello', async ({ data }) => {
      seen.push(data['name']);
    });
    await queue.start();
    await queue.send('hello', { name: 'in an hour' }, { startAfter: new Date(Date.now() + 3_600_000) });
    await queue.send('hello', { name: 'in a second' }, { startAfter: 1 });
    await queue.send('hello', { name: 'now' });
    await until(() => seen.length >= 2);
    expect(seen).toEqual(['now', 'in a second']);
    await until(async () => (await states()).filter(state => state === 'completed').length === 2);
    expect((await states()).sort()).toEqual(['completed', 'completed', 'created']);
  });

  it('tries a failed job again and gives up after so many times', async () => {
    const queue = make();
    const attempts: number[] = [];
    queue.define('hello', { retries: 2, retrySeconds: 0 });
    queue.work('hello', async ({ attempt, data }) => {
      attempts.push(attempt);
      if (data['fail']) throw new Error('no luck');
    });
    await queue.start();
    await queue.send('hello', { fail: true });
    await until(async () => (await states())[0] === 'failed');
    expect(attempts).toEqual([1, 2, 3]);
    await queue.send('hello', { fail: false });
    await until(() => attempts.length > 3);
    const {
      rows: [job],
    } = await db.ownerQuery<{ output: { message: string } }>("SELECT output FROM pgboss.job WHERE state = 'failed'");
    expect(job!.output.message).toBe('no luck');
  });

  it('hands back what runs when it stops, and the job does not count as failed', async () => {
    const first = make({ graceMs: 300 });
    let running = 0;
    first.work('polite', async ({ signal }) => {
      running++;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    first.work('deaf', async () => {
      running++;
      await new Promise(() => undefined);
    });
    first.work('quick', async ({ signal }) => {
      running++;
      await new Promise(resolve => {
        signal.addEventListener('abort', () => setTimeout(resolve, 50));
      });
    });
    await first.start();
    for (const name of ['polite', 'deaf', 'quick']) await first.send(name, { name });
    await until(() => running === 3);
    await first.stop();
    expect((await states()).sort()).toEqual(['completed', 'retry', 'retry']);

    const second = make();
    const seen: [string, number][] = [];
    for (const name of ['polite', 'deaf', 'quick'])
      second.work(name, async job => {
        seen.push([job.name, job.attempt]);
      });
    await second.start();
    await until(() => seen.length >= 2);
    expect(seen.sort()).toEqual([
      ['deaf', 1],
      ['polite', 1],
    ]);
  });

  it('takes over what a killed process was running', async () => {
    const sender = make({ workers: 0 });
    sender.define('long');
    await sender.start();
    await sender.send('long', { step: 1 });
    if (kind === 'embedded') await db.close();
    const process = await startProgram(child, [test.url ?? test.folder!], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    process.on('message', said => {
      if ('running' in (said as object)) process.kill('SIGKILL');
    });
    await once(process, 'exit');
    if (kind === 'embedded') db = await test.reopen();
    const next = make();
    const seen: Job[] = [];
    next.work('long', async job => {
      seen.push(job);
    });
    await next.start();
    await until(() => seen.length > 0);
    expect(seen[0]).toMatchObject({ data: { step: 1 }, attempt: 2 });
  });

  it('does not begin a job again beside itself, however long it takes and whatever others take it for', async () => {
    // On PostgreSQL the two share nothing but the database, as two processes do.
    const otherDb = kind === 'postgres' ? await openDatabase({ database: { kind, url: test.url! }, migrations: scratch }) : db;
    const own = make({ expirySeconds: 1, workers: 2 });
    const others = createQueue(otherDb, { pollSeconds: 0.5, expirySeconds: 1, workers: 2 });
    const starts: number[] = [];
    const ends = signal();
    for (const queue of [own, others])
      queue.work('long', async ({ attempt }) => {
        starts.push(attempt);
        await ends.happened;
      });
    await own.start();
    await others.start();
    expect((await db.ownerQuery("SELECT expire_seconds FROM pgboss.queue WHERE name = 'long'")).rows).toEqual([{ expire_seconds: 1 }]);
    await own.send('long', {});
    await until(() => starts.length > 0);
    await new Promise(resolve => setTimeout(resolve, 4000));
    expect(starts).toEqual([1]);
    // As if it had shown no sign of life: the process that begins it now is refused by the lock of its work, and it is running again.
    await db.ownerQuery("UPDATE pgboss.job SET state = 'retry', start_after = now() - interval '1 second' WHERE name = 'long'");
    await until(async () => (await states())[0] === 'active');
    await new Promise(resolve => setTimeout(resolve, 1500));
    ends.happen();
    await until(async () => (await states())[0] === 'completed');
    expect(starts).toEqual([1]);
    await others.stop();
    if (otherDb !== db) await otherDb.close();
  });

  it('counts no crash of a job that got on since', async () => {
    const queue = make();
    const counts: (number | undefined)[] = [];
    queue.work('steps', async job => {
      const count = async () =>
        (await db.ownerQuery<{ n: number }>('SELECT retry_count AS n FROM pgboss.job WHERE id = $1', [job.id])).rows[0]?.n;
      if (job.attempt === 1) throw new Error('once');
      counts.push(await count());
      await job.progressed();
      counts.push(await count());
    });
    await queue.start();
    await queue.send('steps', {});
    await until(() => counts.length === 2);
    expect(counts).toEqual([1, 0]);
  });

  it('keeps a schedule and its latest form only', async () => {
    const queue = make();
    queue.define('nightly');
    await queue.start();
    await queue.schedule('nightly', '0 3 * * *');
    await queue.schedule('nightly', '30 4 * * *', { a: 1 }, { tz: 'Europe/Berlin' });
    expect((await db.ownerQuery('SELECT name, cron, timezone, data FROM pgboss.schedule')).rows).toEqual([
      { name: 'nightly', cron: '30 4 * * *', timezone: 'Europe/Berlin', data: { a: 1 } },
    ]);
    await queue.unschedule('nightly');
    expect((await db.ownerQuery('SELECT name FROM pgboss.schedule')).rows).toEqual([]);
    await expect(queue.schedule('nightly', 'every night')).rejects.toThrow();
  });

  it('refuses undefined names, and work before its start and after its end', async () => {
    const queue = make();
    queue.define('hello');
    expect(() => queue.define('Not a name')).toThrow(DatabaseMisuse);
    await expect(queue.send('hello', {})).rejects.toThrow('not running');
    await queue.start();
    await expect(queue.send('unknown', {})).rejects.toThrow('There is no queue unknown');
    expect(() => queue.define('late')).toThrow(DatabaseMisuse);
    await queue.stop();
    await expect(queue.send('hello', {})).rejects.toThrow('not running');
  });

  it('lets the role for calls add jobs and nothing else', async () => {
    const queue = make();
    queue.define('hello');
    await queue.start();
    await queue.send('hello', { secret: 1 });
    await expect(db.query('SELECT data FROM pgboss.job')).rejects.toMatchObject({ code: '42501' });
    await expect(db.query("UPDATE pgboss.job SET state = 'completed'")).rejects.toMatchObject({ code: '42501' });
    await expect(db.query('DELETE FROM pgboss.job')).rejects.toMatchObject({ code: '42501' });
  });
});

describe.skipIf(skipPostgres)('the queue', () => {
  it('leaves a job to a process that stands still, and ends it where another one has its lock', async () => {
    const test = await openTestDatabase('postgres', { migrations: scratch });
    const { db } = test;
    const starts: string[] = [];
    let lost: unknown;
    const queue = createQueue(db, { pollSeconds: 0.5, graceMs: 100 });
    queue.work('long', async ({ signal: stop, data }) => {
      starts.push(String(data['who']));
      await new Promise((_, reject) => {
        stop.addEventListener('abort', () => {
          lost = stop.reason;
          reject(stop.reason as Error);
        });
      });
    });
    await queue.start();
    const still = await startProgram(child, [test.url!, 'still'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const isRunning = signal();
    still.on('message', message => {
      if ('running' in (message as object)) isRunning.happen();
    });
    await until(async () => (await db.ownerQuery("SELECT FROM pgboss.queue WHERE name = 'still'")).affected === 1);
    await db.ownerQuery("INSERT INTO pgboss.job (name, data) VALUES ('still', '{}')");
    await isRunning.happened;
    still.kill('SIGSTOP');
    const other = createQueue(db, { pollSeconds: 0.5 });
    other.work('still', async () => {
      starts.push('beside the one that stands still');
    });
    await other.start();
    const marked = async (): Promise<boolean> =>
      (await db.ownerQuery("SELECT FROM pgboss.job WHERE name = 'still' AND output IS NOT NULL")).affected === 1;
    await until(marked);
    await new Promise(resolve => setTimeout(resolve, 1000));
    still.kill('SIGCONT');
    still.send('end');
    await until(async () => (await db.ownerQuery("SELECT FROM pgboss.job WHERE name = 'still' AND state = 'completed'")).affected === 1);
    expect(starts).toEqual([]);
    still.kill('SIGKILL');
    await other.stop();

    const id = await queue.send('long', { who: 'own' });
    await until(() => starts.length > 0);
    // Its line to the database breaks, and another process has the lock before it is back. Locks of all databases stand in one table, and
    // other files use theirs at the same time.
    await db.ownerQuery(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted " +
        'AND database = (SELECT oid FROM pg_database WHERE datname = current_database()); ' +
        `SELECT pg_advisory_lock(hashtextextended('job ${id}', 7303016))`,
    );
    await until(() => lost !== undefined);
    expect(String(lost)).toContain('Another process took over');
    expect((await db.ownerQuery("SELECT FROM pgboss.job WHERE name = 'long' AND state = 'active'")).affected).toBe(1);
    await queue.stop();
    await test.remove();
  });

  it('lives through a restart of the database in the middle of a job', async () => {
    const cluster = await PostgresCluster.create(['synchronous_commit=on']);
    try {
      const db = await openDatabase({ database: { kind: 'postgres', url: cluster.url() }, migrations: scratch });
      const queue = createQueue(db, { pollSeconds: 0.5 });
      const seen: unknown[] = [];
      const entered = signal();
      const released = signal();
      queue.work('hello', async ({ data }) => {
        entered.happen();
        if (data['wait']) await released.happened;
        seen.push(data['wait']);
      });
      await queue.start();
      await queue.send('hello', { wait: true });
      await entered.happened;
      await cluster.stop('immediate');
      released.happen();
      await new Promise(resolve => setTimeout(resolve, 300));
      await cluster.start();
      // What was finished while the database was away is noted as finished now, and the next job runs.
      await until(async () => (await db.ownerQuery("SELECT FROM pgboss.job WHERE name = 'hello' AND state = 'completed'")).affected === 1);
      await queue.send('hello', { wait: false });
      await until(() => seen.length >= 2);
      expect(seen).toEqual([true, false]);
      await queue.stop();
      await db.close();
    } finally {
      await cluster.remove();
    }
  });
});
