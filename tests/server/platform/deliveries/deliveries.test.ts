// Deliveries leave once each, are tried for two days, and are kept with request and answer; with two workers and with one that is killed.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { addDeliveries, cancelDeliveries, sendAgain } from '../../../../src/server/platform/deliveries/deliveries.ts';
import { pauseAfter, sendDueDeliveries } from '../../../../src/server/platform/deliveries/send-due.ts';
import type { DeliverySender, Outcome } from '../../../../src/server/platform/deliveries/sender.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { seedStores } from '../../../../src/server/features/demo/seed.ts';
import { engines, openTestDatabase } from '../../../support/database.ts';
import { startWorker } from '../../../support/program.ts';
import { startReceiver, type Receiver } from '../../../support/receiver.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HOUR = 3_600_000;

describe.each(engines)('deliveries on %s', engine => {
  let server: TestServer;
  let receiver: Receiver;
  let url = '';
  const outcomes: Outcome[] = [];
  let given: string[] = [];
  let isGone = false;
  const probe: DeliverySender = {
    name: 'probe',
    async prepare(_scope, { payload }) {
      if (isGone) return null;
      const headers = { authorization: 'Bearer top-secret', 'x-key': 'top-secret' };
      return {
        request: { method: 'POST', url, headers, body: JSON.stringify({ ...payload, key: 'top-secret' }) },
        secrets: ['top-secret'],
      };
    },
    isFinal: ({ status }) => status === 400,
    async tried(_scope, _delivery, outcome) {
      outcomes.push(outcome);
    },
    async gaveUp(_scope, { subject }) {
      given.push(subject);
    },
  };
  beforeAll(async () => {
    receiver = await startReceiver();
    server = await startTestServer({ engine, services: { modules: { ...(await loadModules()), senders: [probe] } } });
  });
  afterAll(() => Promise.all([server?.close(), receiver?.close()]));
  beforeEach(async () => {
    await server.services.db.exec('delete from deliveries');
    receiver.received.length = outcomes.length = 0;
    receiver.answer = () => ({ status: 202, body: 'thanks, top-secret' });
    url = `${receiver.url}/in`;
    given = [];
    isGone = false;
  });

  const put = (...subjects: string[]): Promise<void> =>
    server.services.db.inStore(1, trx =>
      addDeliveries(
        trx,
        1,
        subjects.map(subject => ({ sender: 'probe', target: 't', subject, topic: 'subscription_paused', payload: { subject } })),
      ),
    );
  const send = (aheadMs = 0): Promise<number> => sendDueDeliveries(server.services, 1, undefined, aheadMs);
  const row = async (): Promise<Record<string, any>> =>
    // any: columns as the database gives them
    (await server.services.db.ownerQuery<Record<string, any>>('select * from deliveries order by id')).rows[0]!;

  it('sends each once, with its subject as the key, and keeps request and answer without secrets', async () => {
    await put('1', '2', '1');
    await put('2');
    const { services } = server;
    const counts = await Promise.all([sendDueDeliveries(services, 1), sendDueDeliveries(services, 1)]);
    expect(counts.reduce((a, b) => a + b)).toBe(2);
    expect(receiver.received.map(({ headers }) => headers['idempotency-key']).sort()).toEqual(['1', '2']);
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer top-secret');
    const kept = await row();
    expect(kept).toMatchObject({ state: 'SENT', status: 202, attempts: 1, answer: { body: 'thanks, ••••' } });
    expect(JSON.stringify(kept)).not.toContain('top-secret');
    expect(kept.keep_until.getTime() - kept.created_at.getTime()).toBe(30 * 24 * HOUR);
    expect(await send()).toBe(0);
  });

  it('keeps nothing of a delivery whose change is taken back', async () => {
    await expect(
      server.services.db.inStore(1, async trx => {
        await addDeliveries(trx, 1, [{ sender: 'probe', target: 't', subject: '1', topic: 'x', payload: {} }]);
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    expect(await send()).toBe(0);
  });

  it('tries again in growing pauses for two days, then gives up, and sends again when it is asked to', async () => {
    receiver.answer = () => ({ status: 503 });
    await put('1');
    const begin = Date.now();
    let tries = 0;
    for (let ahead = 0; (await row()).state === 'PENDING'; ahead = (await row()).next_at.getTime() - Date.now() + 50)
      tries += await send(ahead);
    expect(tries).toBeGreaterThan(12);
    expect(given).toEqual(['1']);
    expect(outcomes.at(-1)).toMatchObject({ state: 'FAILED', error: 'It answered with status 503.' });
    const failed = await row();
    expect(failed.finished_at.getTime() - begin).toBeGreaterThan(47.9 * HOUR);
    receiver.answer = () => ({ status: 200 });
    expect(await server.services.db.inStore(1, trx => sendAgain(trx, 1, { sender: 'probe', ids: [Number(failed.id)] }))).toBe(1);
    expect(await send()).toBe(1);
    expect(await row()).toMatchObject({ state: 'SENT', attempts: 1, error: null });
  });

  it('gives up at once what trying again does not help, and what may not be called', async () => {
    receiver.answer = () => ({ status: 400 });
    await put('1');
    await send();
    expect([(await row()).state, given]).toEqual(['FAILED', ['1']]);
    await server.services.db.exec('delete from deliveries');
    url = 'http://10.0.0.1/';
    await put('2');
    await send();
    expect(await row()).toMatchObject({ state: 'FAILED', error: '10.0.0.1 is not a public address.' });
  });

  it('tries again where no answer came, and cancels what is no longer wanted', async () => {
    const dead = await startReceiver();
    await dead.close();
    url = dead.url;
    await put('1');
    await send();
    expect(await row()).toMatchObject({ state: 'PENDING', attempts: 1, error: '127.0.0.1 refused the connection.' });
    isGone = true;
    await send(HOUR);
    expect((await row()).state).toBe('CANCELLED');
    await put('2');
    await server.services.db.inStore(1, trx => cancelDeliveries(trx, 1, 'probe', 't'));
    expect(await send(HOUR)).toBe(0);
    expect(given).toEqual([]);
  });

  it('waits as long as the receiver asks for, within bounds', () => {
    expect(pauseAfter(1, undefined, () => 0.5)).toBe(5000);
    expect([pauseAfter(1, undefined, () => 0), pauseAfter(1, undefined, () => 1)]).toEqual([4000, 6000]);
    expect(pauseAfter(2, '600', () => 0.5)).toBe(600_000);
    expect(pauseAfter(99, '999999', () => 0.5)).toBe(8 * HOUR);
    expect(pauseAfter(4, 'Wed, 21 Oct', () => 0.5)).toBe(600_000);
  });
});

test.runIf(engines.includes('postgres'))(
  'a process that is killed while it sends leaves nothing unsent, and repeats no more than what it held',
  async () => {
    const test = await openTestDatabase('postgres');
    const { db } = test;
    const receiver = await startReceiver();
    const worker = fileURLToPath(new URL('worker.ts', import.meta.url));
    const start = () => startWorker(worker, [test.url!, receiver.url]);
    try {
      await seedStores(db, { contracts: 1, stores: 1, areas: [] });
      const subjects = Array.from({ length: 60 }, (_, i) => String(i));
      await db.inStore(1, trx =>
        addDeliveries(
          trx,
          1,
          subjects.map(subject => ({ sender: 'probe', target: 't', subject, topic: 'x', payload: {} })),
        ),
      );
      // The first process hangs on its batch and is killed with it.
      receiver.answer = () => 'never';
      const dying = await start();
      while (receiver.received.length < 16) await new Promise(resolve => setTimeout(resolve, 5));
      dying.kill('SIGKILL');
      await once(dying, 'exit');
      const held = receiver.received.splice(0).map(({ body }) => body);
      receiver.answer = () => ({ status: 200 });
      await db.exec(`update deliveries set next_at = now() where state = 'PENDING'`);
      const heir = await start();
      const unsent = async (): Promise<number> =>
        (await db.ownerQuery<{ n: number }>(`select count(*)::integer as n from deliveries where state <> 'SENT'`)).rows[0]?.n ?? -1;
      while ((await unsent()) > 0) await new Promise(resolve => setTimeout(resolve, 20));
      heir.stdin?.write('end\n');
      await once(heir, 'exit');
      const got = receiver.received.map(({ body }) => body);
      expect([...got].sort()).toEqual([...subjects].sort());
      expect(held.every(subject => got.includes(subject))).toBe(true);
    } finally {
      await test.remove();
      await receiver.close();
    }
  },
  120_000,
);
