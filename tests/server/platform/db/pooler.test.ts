// PostgreSQL behind pgbouncer in transaction mode: two connections of the server for all calls, another one for each transaction.
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../../src/server/platform/db/database.ts';
import { prepared } from '../../../../src/server/platform/db/prepared-statements.ts';
import { onServer } from '../../../support/database.ts';
import { findPooler, startPooler, type Pooler } from '../../../support/pooler.ts';
import { PostgresCluster, skipPostgres } from '../../../support/postgres.ts';
import { serve, type TestServer } from '../../../support/serve.ts';
import { migration, scratch } from './scratch.ts';

const isThere = !skipPostgres && findPooler() !== undefined;
if (!isThere) console.log('Without pgbouncer (Debian: apt-get install pgbouncer) the tests of pooled connections are skipped.');

interface Session {
  role: string;
  store: string | null;
  zone: string;
  ms: string;
  pid: number;
}
const session = sql<Session>`select current_user::text as role, current_setting('app.store', true) as store,
  current_setting('timezone') as zone, current_setting('statement_timeout') as ms, pg_backend_pid() as pid`;

describe.skipIf(!isThere)('behind a pooler in transaction mode', () => {
  let cluster: PostgresCluster;
  let pooler: Pooler;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await onServer(cluster.url(), async client => {
      await client.query('CREATE ROLE shop LOGIN CREATEROLE; CREATE ROLE caller LOGIN; CREATE ROLE stranger LOGIN');
      await client.query('CREATE ROLE perennial_app NOLOGIN; GRANT perennial_app TO caller, shop');
      for (const name of ['scratch', 'product']) await client.query(`CREATE DATABASE ${name} OWNER shop`);
    });
    pooler = await startPooler(cluster.port, 2, ['caller', 'shop', 'stranger', 'postgres']);
  });
  afterAll(async () => {
    await pooler?.stop();
    await cluster?.remove();
  });
  const open = (name: string, user: string, more: object = {}): Promise<Database> =>
    openDatabase({
      database: { kind: 'postgres', url: pooler.url(name, user), directUrl: cluster.url(name, 'shop') },
      connections: 8,
      timeoutMs: 20_000,
      ...more,
    });
  const openScratch = (user: string) => open('scratch', user, { migrations: scratch });

  it.each(['caller', 'shop'])('no role, store or setting of one transaction is in another, called as %s', async user => {
    const db = await openScratch(user);
    await db.asOwner(trx => sql`delete from things`.execute(trx));
    const pids = new Set<number>();
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const storeId = 1 + (i % 5);
        await db.inStore(storeId, async trx => {
          await sql`insert into things (store_id, name) values (${storeId}, ${`n${i}`})`.execute(trx);
          const {
            rows: [found],
          } = await session.execute(trx);
          expect(found).toMatchObject({ role: 'perennial_app', store: String(storeId), zone: 'UTC', ms: '20s' });
          if (found) pids.add(found.pid);
          const { rows } = await sql<{ store_id: number }>`select distinct store_id from things`.execute(trx);
          expect(rows).toEqual([{ store_id: storeId }]);
        });
        // A statement alone, reads in one packet, and the owner's, between the others.
        expect((await db.query('select id from things')).rows).toEqual([]);
        expect((await session.execute(db.kysely)).rows[0]).toMatchObject({ role: 'perennial_app', store: '', zone: 'UTC' });
        const reads = await db.inStore(storeId, trx => Promise.all([session.execute(trx), session.execute(trx)]), { readOnly: true });
        for (const { rows } of reads) expect(rows[0]).toMatchObject({ role: 'perennial_app', store: String(storeId) });
        expect((await db.ownerQuery<{ role: string }>('select current_user::text as role')).rows).toEqual([{ role: 'shop' }]);
      }),
    );
    expect(pids.size).toBeLessThanOrEqual(2);
    expect((await db.ownerQuery('select distinct store_id from things')).rows).toHaveLength(5);
    // What another program finds on the same connections of the server.
    for (let i = 0; i < 8; i++) {
      const client = new Client({ connectionString: pooler.url('scratch', user) });
      await client.connect();
      const { rows } = await client.query<Session>(session.compile(db.kysely).sql);
      expect(rows[0]).toMatchObject({ role: user, ms: '0' });
      expect(rows[0]?.store || null).toBeNull();
      await client.end();
    }
    await db.close();
  });

  it('statements that are planned once elsewhere are answered on whatever connection they come to', async () => {
    const db = await openScratch('caller');
    await db.asOwner(trx => sql`delete from things`.execute(trx));
    const { id } = await db.inStore(1, async trx => {
      const { rows } = await sql<{ id: number }>`insert into things (store_id, name) values (1, 'one') returning id`.execute(trx);
      return rows[0] ?? { id: 0 };
    });
    const found = await Promise.all(
      Array.from({ length: 80 }, () =>
        db.inStore(1, async trx => (await prepared(sql<{ name: string }>`select name from things where id = ${id}`).execute(trx)).rows, {
          readOnly: true,
        }),
      ),
    );
    expect(new Set(found.map(rows => JSON.stringify(rows)))).toEqual(new Set(['[{"name":"one"}]']));
    await db.close();
  });

  it('a piece of work is locked for as long as its process wants, while transactions come and go', async () => {
    const [one, other] = [await openScratch('caller'), await openScratch('caller')];
    const lock = await one.lockWork('bill');
    expect(lock).not.toBeNull();
    for (let i = 0; i < 10; i++) {
      await Promise.all([one, other].map(db => db.inStore(1, trx => session.execute(trx))));
      expect(await other.lockWork('bill')).toBeNull();
    }
    await lock?.release();
    const next = await other.lockWork('bill');
    expect(next).not.toBeNull();
    await next?.release();
    await Promise.all([one.close(), other.close()]);
  });

  it('a user who may not take on the role of calls is named at the start, with what to do', async () => {
    await expect(openScratch('stranger')).rejects.toThrow('Let an administrator run: GRANT "perennial_app" TO "stranger";');
    // Before anything is changed.
    const refused = open('scratch', 'stranger', { migrations: [...scratch, migration(99, 'late', 'CREATE TABLE late ()')] });
    await expect(refused).rejects.toThrow('GRANT "perennial_app"');
    expect((await onServer(cluster.url('scratch'), client => client.query("select to_regclass('late') as late"))).rows).toEqual([
      { late: null },
    ]);
  });

  it('without the address of the server itself the start says which is missing, and leaves nothing on the connections', async () => {
    const alone = openDatabase({
      database: { kind: 'postgres', url: pooler.url('scratch', 'shop') },
      timeoutMs: 20_000,
      migrations: scratch,
    });
    await expect(alone).rejects.toThrow('Set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself.');
    for (let i = 0; i < 4; i++) {
      const client = new Client({ connectionString: pooler.url('scratch', 'shop') });
      await client.connect();
      expect((await client.query('select current_user::text as role')).rows).toEqual([{ role: 'shop' }]);
      await client.end();
    }
  });

  it('the whole server starts, answers calls and runs jobs', async () => {
    let server: TestServer | undefined;
    const db = await open('product', 'caller');
    try {
      server = await serve({ db, remove: () => db.close() }, { jobs: true, config: { workers: 1 }, seed: { contracts: 12, stores: 1 } });
      const { data } = await server.call('subscription-contract.list', { pageSize: 5 });
      expect(data.length).toBe(5);
      const ids = (await server.services.db.ownerQuery<{ id: number }>("select id from contracts where status = 'ACTIVE' and store_id = 1"))
        .rows;
      expect((await server.call('subscription-contract.pause', { id: Number(ids[0]?.id) })).status).toBe(200);
      const later = await server.services.db.ownerQuery<{ status: string }>('select status from contracts where id = $1', [ids[0]?.id]);
      expect(later.rows).toEqual([{ status: 'PAUSED' }]);

      // The rights of calls are gone, then the pooler, while the server itself is there.
      const { services } = server;
      services.config.statusKey = 'watchdog-0123456789';
      const isUp = async (): Promise<string | undefined> =>
        /perennial_database_up (\d)/.exec(
          (await server!.request('GET', '/metrics', { as: null, headers: { authorization: 'Bearer watchdog-0123456789' } })).text,
        )?.[1];
      expect([(await server.request('GET', '/readyz')).status, await isUp()]).toEqual([200, '1']);
      await services.db.exec('revoke select on stores from perennial_app');
      expect((await server.request('GET', '/readyz')).status).toBe(503);
      await services.db.exec('grant select on stores to perennial_app');
      expect((await server.request('GET', '/readyz')).status).toBe(200);
      await pooler.stop();
      expect([(await server.request('GET', '/readyz')).status, await isUp()]).toEqual([503, '0']);
    } finally {
      await (server ? server.close() : db.close().catch(() => undefined));
    }
  });
});
