// Checks 12, 13 and 14 through the whole server: the database goes away, is slow, is full of waiting calls, or falls silent at the commit. What is answered
// is true, what was refused can be repeated with its key, and the process lives on.
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/server/platform/db/database.ts';
import { createPostgresDatabase, onServer, openTestDatabase } from '../../../support/database.ts';
import { PostgresCluster, skipPostgres } from '../../../support/postgres.ts';
import { serve, type Answered, type TestServer } from '../../../support/serve.ts';

const make = (server: TestServer, name: string): Promise<Answered> =>
  server.call('customers-app.create', { email: `${name}@mail.example`, lastName: name }, { key: name });
const made = async (server: TestServer, like: string): Promise<string[]> =>
  (await server.services.db.ownerQuery<{ email: string }>('select email from customers where email like $1', [`${like}%`])).rows.map(
    row => row.email.split('@')[0] ?? '',
  );
const CODES = ['UNAVAILABLE', 'BUSY'];

describe.skipIf(skipPostgres)('a database that stops under load', () => {
  let cluster: PostgresCluster;
  let server: TestServer;
  beforeAll(async () => {
    cluster = await PostgresCluster.create(['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']);
    const db = await openDatabase({ database: { kind: 'postgres', url: cluster.url() }, connections: 4 });
    server = await serve({ db, remove: () => db.close() }, { seed: { contracts: 4, stores: 1 } });
  });
  afterAll(async () => {
    await server?.close();
    await cluster?.remove();
  });

  it('costs some calls, which say 503 and when to come back; repeated with their keys they are done once, and the server never went away', async () => {
    const answered = new Set<string>();
    const open = new Set<string>();
    const wrong: string[] = [];
    let refused = 0;
    let going = true;
    const token = await server.signIn('owner');
    const once = async (name: string): Promise<boolean> => {
      const { status, body, headers } = await server.call(
        'customers-app.create',
        { email: `${name}@mail.example`, lastName: name },
        { key: name, as: token },
      );
      if (status === 200) {
        answered.add(name);
        open.delete(name);
        return true;
      }
      refused++;
      open.add(name);
      if (status !== 503 || !CODES.includes(String(body.code)) || !headers.get('retry-after'))
        wrong.push(`${status} ${JSON.stringify(body)}`);
      return false;
    };
    const loops = Array.from({ length: 6 }, async (_, loop) => {
      for (let i = 0; going; i++) if (!(await once(`load-${loop}-${i}`))) await sleep(20);
    });
    const busy = async (more: number) => {
      const from = answered.size;
      while (answered.size < from + more) await sleep(10);
    };
    await busy(60);
    await cluster.stop('immediate');
    await expect.poll(() => refused).toBeGreaterThan(5);
    expect((await server.request('GET', '/healthz')).status).toBe(200);
    const ready = await server.request('GET', '/readyz');
    expect([ready.status, ready.json.message]).toEqual([503, 'The database does not answer.']);
    await cluster.start();
    await expect.poll(async () => (await server.request('GET', '/readyz')).status).toBe(200);
    await busy(60);
    going = false;
    await Promise.all(loops);
    for (const name of open) await expect.poll(() => once(name)).toBe(true);
    expect(wrong).toEqual([]);
    const rows = await made(server, 'load-');
    expect(rows.length).toBe(new Set(rows).size);
    expect(new Set(rows)).toEqual(answered);
    // Each has exactly its one line in the account log: nothing is half done.
    const {
      rows: [log],
    } = await server.services.db.ownerQuery<{ n: number }>("select count(*) as n from account_log where action = 'customer.created'");
    expect(log?.n).toBe(rows.length);
  });
});

describe.skipIf(skipPostgres)('a database that is there', () => {
  it('but holds calls up: they are answered in time with 503, so are those that wait for a connection, others go on, and nothing was saved', async () => {
    const database = await openTestDatabase('postgres', { connections: 2, timeoutMs: 1200 });
    const server = await serve(database, { seed: { contracts: 4, stores: 1 } });
    try {
      await server.call('customers-app.readAll');
      await onServer(database.url!, async client => {
        await client.query('begin');
        await client.query('lock table customers in access exclusive mode');
        const answers = await Promise.all([make(server, 'slow-1'), make(server, 'slow-2'), make(server, 'slow-3'), make(server, 'slow-4')]);
        for (const { status, body, headers } of answers)
          expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'BUSY', '1']);
        expect((await server.request('GET', '/healthz')).status).toBe(200);
        await client.query('rollback');
      });
      expect(await made(server, 'slow-')).toEqual([]);
      expect((await make(server, 'slow-1')).status).toBe(200);
      expect(await made(server, 'slow-')).toEqual(['slow-1']);
    } finally {
      await server.close();
    }
  });

  it('whose line falls silent after the commit was sent: the answer does not say that nothing was saved, and the same key gives one effect', async () => {
    const { url, remove } = await createPostgresDatabase();
    await (await openDatabase({ database: { kind: 'postgres', url } })).close();
    let silenced: Promise<unknown> | undefined;
    let isArmed = false;
    const proxy = net.createServer(inward => {
      const outward = net.connect(Number(new URL(url).port), new URL(url).hostname || '127.0.0.1');
      let silent = false,
        isOurs = false;
      const end = () => {
        inward.destroy();
        outward.destroy();
      };
      inward.on('data', data => {
        outward.write(data);
        // Only on the connection that writes the customer: work in the background commits as well.
        isOurs ||= isArmed && data.includes('silent');
        if (isArmed && isOurs && data.includes('COMMIT')) {
          isArmed = false;
          silent = true;
          silenced = sleep(50);
        }
      });
      outward.on('data', data => {
        if (!silent) inward.write(data);
      });
      for (const socket of [inward, outward]) socket.on('error', end).on('close', end);
    });
    await new Promise<void>(resolve => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((proxy.address() as AddressInfo).port);
    const db = await openDatabase({ database: { kind: 'postgres', url: through.href }, timeoutMs: 1500 });
    const server = await serve(
      {
        db,
        remove: async () => {
          await db.close();
          await remove();
          proxy.close();
        },
      },
      { seed: { contracts: 4, stores: 1 } },
    );
    try {
      await server.call('customers-app.readAll');
      isArmed = true;
      const { status, body } = await make(server, 'silent');
      expect(silenced).toBeDefined();
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(body.message).not.toContain('Nothing was saved');
      expect(body.message).toContain('Try again: it is saved once');
      expect((await make(server, 'silent')).status).toBe(200);
      expect(await made(server, 'silent')).toEqual(['silent']);
    } finally {
      await server.close();
    }
  });
});
