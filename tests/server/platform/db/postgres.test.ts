// What only a PostgreSQL server has to prove: restarts, outages, slowness and full pools never end the process and heal by themselves.
import net, { type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../../src/server/platform/db/database.ts';
import { DatabaseBusy, DatabaseError, DatabaseUnavailable } from '../../../../src/server/platform/db/errors.ts';
import { onServer, withPart } from '../../../support/database.ts';
import { PostgresCluster, skipPostgres } from '../../../support/postgres.ts';
import { scratch } from './scratch.ts';

const add = (db: Database, name: string) => db.inStore(1, trx => sql`INSERT INTO things (store_id, name) VALUES (1, ${name})`.execute(trx));

describe.skipIf(skipPostgres)('a PostgreSQL server', () => {
  let cluster: PostgresCluster;
  let url: string;
  beforeAll(async () => {
    cluster = await PostgresCluster.create(['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']);
    await onServer(cluster.url(), async client => {
      await client.query('CREATE ROLE shop LOGIN CREATEROLE');
      await client.query('CREATE DATABASE shop OWNER shop');
    });
    url = cluster.url('shop', 'shop');
  });
  afterAll(() => cluster.remove());
  const open = (more: object = {}) => openDatabase({ database: { kind: 'postgres', url }, migrations: scratch, connections: 4, ...more });

  it('that is restarted under load costs some calls, no answered write, and heals by itself', async () => {
    const db = await open();
    const answered: string[] = [];
    const unknown: string[] = [];
    const errors: unknown[] = [];
    let going = true;
    let backAt = 0;
    const firstAfter: number[] = [];
    const loops = Array.from({ length: 8 }, async (_, loop) => {
      let waited = false;
      for (let i = 0; ; i++) {
        if (!going) return;
        const name = `${loop}-${i}`;
        try {
          await add(db, name);
          answered.push(name);
          if (backAt > 0 && !waited) {
            firstAfter.push(Date.now() - backAt);
            waited = true;
          }
        } catch (error) {
          errors.push(error);
          if (error instanceof DatabaseUnavailable && error.outcomeUnknown) unknown.push(name);
          await new Promise(resolve => setTimeout(resolve, 5));
        }
      }
    });
    const busy = async (rows: number) => {
      const from = answered.length;
      while (answered.length < from + rows) await new Promise(resolve => setTimeout(resolve, 10));
    };
    for (const mode of ['immediate', 'fast'] as const) {
      await busy(200);
      await cluster.stop(mode);
      // Long enough that every connection was tried and found broken.
      await new Promise(resolve => setTimeout(resolve, 300));
      const failures = errors.length;
      expect(failures).toBeGreaterThan(0);
      await cluster.start();
    }
    backAt = Date.now();
    await busy(200);
    going = false;
    await Promise.all(loops);

    for (const error of errors) expect(error).toBeInstanceOf(DatabaseUnavailable);
    const { rows } = await db.ownerQuery<{ name: string }>('SELECT name FROM things');
    const found = new Set(rows.map(({ name }) => name));
    expect(answered.filter(name => !found.has(name))).toEqual([]);
    // Nothing is there that was neither answered nor reported as unknown.
    const explained = new Set([...answered, ...unknown]);
    expect([...found].filter(name => !explained.has(name))).toEqual([]);
    // "Within a second" leaves room for a machine that is busy with other tests.
    expect(Math.min(...firstAfter)).toBeLessThan(5000);
    await db.close();
  });

  it('that is away answers DatabaseUnavailable at once, and idle connections it cut are replaced', async () => {
    const db = await open();
    await Promise.all(Array.from({ length: 4 }, () => db.query('SELECT pg_sleep(0.05)')));
    await cluster.stop('fast');
    await expect(db.query('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.inStore(1, async () => 1, { readOnly: true })).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await cluster.start();
    expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await db.close();
  });

  it('that comes up later is waited for at the start, and one that does not is named', async () => {
    await cluster.stop('fast');
    await expect(open({ connectMs: 300 })).rejects.toBeInstanceOf(DatabaseUnavailable);
    const opening = open({ connectMs: 20_000 });
    opening.catch(() => undefined);
    await cluster.start();
    await (await opening).close();
  });

  it('that knows no such user or database is not waited for', async () => {
    await expect(
      openDatabase({ database: { kind: 'postgres', url: withPart(url, { database: 'nowhere' }) }, connectMs: 60_000 }),
    ).rejects.toThrow('"nowhere" does not exist');
    await expect(
      openDatabase({ database: { kind: 'postgres', url: withPart(url, { user: 'nobody' }) }, connectMs: 60_000 }),
    ).rejects.toBeInstanceOf(DatabaseError);
  });

  it('that is slow is answered for with DatabaseBusy, also for those who wait for a connection', async () => {
    const db = await open({ timeoutMs: 900 });
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => db.inStore(1, trx => sql`SELECT pg_sleep(30)`.execute(trx))));
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseBusy) as unknown });
    await expect(db.query('SELECT pg_sleep(30)')).rejects.toBeInstanceOf(DatabaseBusy);
    expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    // The server does not go on with a statement whose caller is gone.
    await expect
      .poll(
        async () =>
          (
            await db.ownerQuery<{ n: number }>(
              "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%' AND state = 'active' AND pid <> pg_backend_pid()",
            )
          ).rows[0]!.n,
        { timeout: 90_000 },
      )
      .toBe(0);
    await db.close();
  });

  it('may run longer for a job that asks for it', async () => {
    const db = await open({ timeoutMs: 200 });
    await expect(db.inStore(1, trx => sql`SELECT pg_sleep(0.6)`.execute(trx))).rejects.toBeInstanceOf(DatabaseBusy);
    await expect(db.inStore(1, trx => sql`SELECT pg_sleep(0.6)`.execute(trx), { timeoutMs: 20_000 })).resolves.toBeDefined();
    await expect(db.asOwner(trx => sql`SELECT pg_sleep(0.6)`.execute(trx))).resolves.toBeDefined();
    await db.close();
  });

  it('whose lines are cut in the middle gives DatabaseUnavailable and says whether a change may have happened', async () => {
    // A line that can be cut: after a number of bytes towards the server, or at once.
    let cutOn: ((data: Buffer) => boolean) | undefined;
    const proxy = net.createServer(inward => {
      const outward = net.connect(cluster.port, '127.0.0.1');
      const end = () => {
        inward.destroy();
        outward.destroy();
      };
      inward.on('data', data => {
        outward.write(data);
        if (cutOn?.(data)) {
          cutOn = undefined;
          end();
        }
      });
      outward.pipe(inward);
      for (const socket of [inward, outward]) socket.on('error', end).on('close', end);
    });
    await new Promise<void>(resolve => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const through = new URL(url);
    through.port = String((proxy.address() as AddressInfo).port);
    const db = await open({ database: { kind: 'postgres', url: through.href } });

    cutOn = data => data.includes('INSERT');
    await expect(add(db, 'cut before commit')).rejects.toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: false });
    cutOn = data => data.includes('COMMIT');
    await expect(add(db, 'cut after commit')).rejects.toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: true });
    await add(db, 'healed');
    await expect
      .poll(async () =>
        (await db.ownerQuery<{ name: string }>("SELECT name FROM things WHERE name LIKE 'cut%' OR name = 'healed' ORDER BY name")).rows.map(
          ({ name }) => name,
        ),
      )
      .toEqual(['cut after commit', 'healed']);
    await db.close();
    proxy.close();
  });

  it('whose line goes silent is answered for in time', async () => {
    let silent = false;
    const proxy = net.createServer(inward => {
      const outward = net.connect(cluster.port, '127.0.0.1');
      const end = () => {
        inward.destroy();
        outward.destroy();
      };
      inward.on('data', data => {
        if (!silent) outward.write(data);
      });
      outward.pipe(inward);
      for (const socket of [inward, outward]) socket.on('error', end).on('close', end);
    });
    await new Promise<void>(resolve => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const through = new URL(url);
    through.port = String((proxy.address() as AddressInfo).port);
    const db = await open({ database: { kind: 'postgres', url: through.href }, timeoutMs: 600 });
    await db.ping();
    silent = true;
    const calls = await Promise.allSettled([
      db.inStore(1, async () => 1),
      db.inStore(1, async () => {
        throw new Error('ours');
      }),
      add(db, 'silence'),
      db.query('SELECT 1'),
      db.ping(),
    ]);
    for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseBusy) as unknown });
    silent = false;
    await add(db, 'sound');
    await db.close();
    proxy.close();
  });

  it('retries transactions that wait for each other until all of them are through', async () => {
    const db = await open({ timeoutMs: 30_000 });
    await db.asOwner(trx =>
      sql`INSERT INTO things (store_id, id, name) OVERRIDING SYSTEM VALUE VALUES (9, 1, 'left'), (9, 2, 'right') ON CONFLICT (store_id, id) DO UPDATE SET n = 0`.execute(
        trx,
      ),
    );
    await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        db.inStore(9, async trx => {
          for (const id of i % 2 === 0 ? [1, 2] : [2, 1]) {
            await sql`UPDATE things SET n = n + 1 WHERE store_id = 9 AND id = ${id}`.execute(trx);
            await sql`SELECT pg_sleep(0.02)`.execute(trx);
          }
        }),
      ),
    );
    expect((await db.ownerQuery('SELECT n FROM things WHERE store_id = 9')).rows).toEqual([{ n: 6 }, { n: 6 }]);
    await db.close();
  });
});
