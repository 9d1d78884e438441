// Events reach every consumer once and in order: with several workers, late transactions, failures, and after a restore into another
// server.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventConsumer, StoredEvent } from '../../../../src/server/platform/events/consumer.ts';
import { deliverEvents } from '../../../../src/server/platform/events/deliver.ts';
import { emit } from '../../../../src/server/platform/events/emit.ts';
import { eventLag, raiseEpoch } from '../../../../src/server/platform/events/sweep.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { engines } from '../../../support/database.ts';
import { deliverAll } from '../../../support/events.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const KINDS = new Set(['subscription_paused', 'subscription_resumed', 'note_updated']);

describe.each(engines)('events on %s', engine => {
  let server: TestServer;
  let faulty = (_event: StoredEvent): void => undefined;
  /** Writes each event that it gets into a table, beside its cursor. */
  const consumer = (name: string): EventConsumer => ({
    name,
    keys: () => KINDS,
    async handle({ trx, store }, event) {
      await sql`insert into probe (store_id, consumer, event_id) values (${store.id}, ${name}, ${event.id})`.execute(trx);
      faulty(event);
    },
  });
  beforeAll(async () => {
    const modules = { ...(await loadModules()), consumers: [consumer('first'), consumer('second')] };
    server = await startTestServer({ engine, services: { modules } });
    await server.services.db
      .exec(`create table probe (at bigint generated always as identity, store_id integer, consumer text, event_id bigint);
      grant select, insert on probe to perennial_app`);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    faulty = () => undefined;
    await deliverEvents(server.services, 1);
    await server.services.db.exec('truncate probe; delete from event_failures');
  });

  const query = async <T>(text: string): Promise<T[]> => (await server.services.db.ownerQuery<T>(text)).rows;
  const got = async (name: string): Promise<number[]> =>
    (await query<{ event_id: number }>(`select event_id from probe where consumer = '${name}' order by at`)).map(row =>
      Number(row.event_id),
    );
  const put = (count: number, key: 'subscription_paused' | 'tags_updated' = 'subscription_paused'): Promise<number[]> =>
    server.services.db.inStore(1, async trx => {
      for (let i = 0; i < count; i++)
        await emit(trx, { storeId: 1, contractId: 1, key, payload: {}, source: 'System', entity: '', at: new Date() });
      const { rows } = await sql<{ id: number }>`select id from events order by id desc limit ${count}`.execute(trx);
      return rows.map(row => Number(row.id)).toReversed();
    });
  const queued = async (): Promise<number> => (await eventLag(server.services.db)).waiting;

  it('brings every event of a wanted kind to each consumer once, in order, and empties the queue behind them', async () => {
    const ids = [...(await put(250)), ...(await put(3))];
    await put(4, 'tags_updated');
    expect(await queued()).toBe(257);
    await deliverAll(server.services);
    expect(await got('first')).toEqual(ids);
    expect(await got('second')).toEqual(ids);
    expect(await queued()).toBe(0);
  });

  it('writes an event only if the change it tells of is kept', async () => {
    await expect(
      server.services.db.inStore(1, async trx => {
        await emit(trx, { storeId: 1, contractId: 1, key: 'note_updated', payload: {}, source: 'System', entity: '', at: new Date() });
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    await deliverEvents(server.services, 1);
    expect([await got('first'), await queued()]).toEqual([[], 0]);
  });

  it('puts an event that fails on a list, with nothing of its effect, goes on with the others, and tries it again', async () => {
    const ids = await put(3);
    const [, bad = 0] = ids;
    faulty = event => {
      if (event.id === bad) throw new Error('No such place.');
    };
    await deliverAll(server.services);
    expect(await got('first')).toEqual([ids[0], ids[2]]);
    const failures = (): Promise<unknown[]> =>
      query(
        'select consumer, event_id::integer as event, attempts, reason, retry_at is null as over from event_failures order by consumer',
      );
    const failed = (attempts: number, over = false) =>
      ['first', 'second'].map(name => ({ consumer: name, event: bad, attempts, reason: 'No such place.', over }));
    expect(await failures()).toEqual(failed(1));
    // Not before its time.
    await deliverEvents(server.services, 1);
    expect(await failures()).toEqual(failed(1));
    const due = (): Promise<unknown> => query('update event_failures set retry_at = now() where retry_at is not null');
    await due();
    await deliverEvents(server.services, 1);
    expect(await failures()).toEqual(failed(2));
    faulty = () => undefined;
    await due();
    await deliverEvents(server.services, 1);
    expect([await failures(), await got('first')]).toEqual([[], [ids[0], ids[2], bad]]);
  });

  it('gives an event up after six tries, and keeps it on the list', async () => {
    await put(1);
    faulty = () => {
      throw new Error('Never.');
    };
    // Until it is tried for the first time it may be held back by transactions of other databases of the same server.
    await deliverAll(server.services);
    for (let i = 0; i < 7; i++) {
      await query('update event_failures set retry_at = now() where retry_at is not null');
      await deliverEvents(server.services, 1);
    }
    expect(await query("select attempts, retry_at from event_failures where consumer = 'first'")).toEqual([
      { attempts: 6, retry_at: null },
    ]);
  });

  it('delivers once with three workers at the same time', async () => {
    const ids = await put(300);
    await Promise.all([1, 2, 3].map(() => deliverEvents(server.services, 1)));
    await deliverAll(server.services);
    expect(await got('first')).toEqual(ids);
    expect(await got('second')).toEqual(ids);
  });

  it('begins a new epoch after a restore into a server whose transactions count lower, and loses and repeats nothing', async () => {
    const seen = await put(2);
    await deliverAll(server.services);
    const waiting = await put(2);
    // As restored: what was noted comes from a server that was far ahead.
    await server.services.db.exec(`update event_queue set transaction_id = (transaction_id::text::bigint + 1000000000)::text::xid8;
      update event_cursors set transaction_id = (transaction_id::text::bigint + 1000000000)::text::xid8 where epoch > 0`);
    // As every start does before anything is written.
    await raiseEpoch(server.services.db);
    await raiseEpoch(server.services.db);
    const after = await put(2);
    await deliverAll(server.services);
    expect(await got('first')).toEqual([...seen, ...waiting, ...after]);
    expect(await queued()).toBe(0);
  });

  // One connection can't have two transactions under way.
  it.skipIf(engine === 'embedded')('waits for a transaction that began before others and commits after them', async () => {
    const { db } = server.services;
    let commit = (): void => undefined;
    const held = new Promise<void>(resolve => {
      commit = resolve;
    });
    let begun = (): void => undefined;
    const isBegun = new Promise<void>(resolve => {
      begun = resolve;
    });
    const late = db.inStore(
      1,
      async trx => {
        await emit(trx, { storeId: 1, contractId: 1, key: 'note_updated', payload: {}, source: 'System', entity: '', at: new Date() });
        begun();
        await held;
      },
      { timeoutMs: 60_000 },
    );
    await isBegun;
    const ids = await put(3);
    await deliverEvents(server.services, 1);
    expect(await got('first')).toEqual([]);
    commit();
    await late;
    await expect
      .poll(async () => {
        await deliverEvents(server.services, 1);
        return got('first');
      })
      .toEqual([(ids[0] as number) - 1, ...ids]);
  });

  it('tells only monitoring how many events wait and since when', async () => {
    await put(2);
    const details = async (authorization?: string) =>
      (await server.request('GET', '/readyz?details', { as: null, headers: authorization ? { authorization } : {} })).json;
    expect(await details()).toEqual({ ok: true });
    server.services.config.statusKey = 'watchdog-0123456789';
    expect(await details()).toEqual({ ok: true });
    expect(await details('Bearer another-0123456789')).toEqual({ ok: true });
    expect(await details(`Bearer ${server.services.config.statusKey}`)).toEqual({
      ok: true,
      events: { waiting: 2, oldestSeconds: expect.any(Number), failed: 0 },
    });
    expect((await server.request('GET', '/readyz', { as: null })).json).toEqual({ ok: true });
  });
});
