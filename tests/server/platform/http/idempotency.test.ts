import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownTransactions } from '../../../../src/server/platform/context.ts';
import type { Context } from '../../../../src/server/platform/context.ts';
import { Refusal } from '../../../../src/server/platform/context.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { oneEngine } from '../../../support/database.ts';
import { PARCELS, definitionsWith } from '../../../support/definitions.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const CALLS = {
  'schemas/calls/outside.json': {
    title: 'Outside',
    host: 'main',
    base: '/api/test/outside',
    permission: 'bundleManagement',
    params: { amount: { title: 'Amount', type: 'integer', minimum: 0 } },
    calls: { pay: { route: 'POST /pay', does: 'command', in: ['amount'] }, fail: { route: 'POST /fail', does: 'command', in: ['amount'] } },
  },
};

describe.each(oneEngine)('idempotency keys (%s)', engine => {
  let server: TestServer;
  let key = 0;
  const fresh = () => `key-${engine}-${++key}`;
  const parcels = async (name: string) =>
    ((await server.call('parcels.list', { filter: { name: [name] }, pageSize: 250 })).data as unknown[]).length;
  const text = async (name: string, input: Record<string, unknown>, idempotencyKey: string, token?: string) => {
    const path = name === 'parcels.create' ? '/host/main/api/test/parcels/create' : `/host/main/api/test/outside/${name.split('.')[1]}`;
    return server.request('POST', path, {
      as: token ?? 'owner',
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(input),
    });
  };
  beforeAll(async () => {
    const modules = await loadModules();
    const handlers = new Map(modules.handlers);
    const pay = ownTransactions(async (context: Context, input: { amount: number }) => {
      if (input.amount === 13) throw new Refusal(422, 'VALIDATION', 'Thirteen is refused.');
      if (input.amount === 99) throw new Error('The outside world broke.');
      return context.transaction(async inner => {
        await inner.trx
          .insertInto('records')
          .values({ store_id: inner.storeId, entity: 'payment', data: JSON.stringify({ amount: input.amount }) })
          .execute();
        return { paid: input.amount };
      });
    });
    handlers.set('outside.pay', pay as never);
    handlers.set('outside.fail', (async (context: Context) => {
      await context.trx.insertInto('records').values({ store_id: context.storeId, entity: 'payment', data: '{}' }).execute();
      throw new Refusal(409, 'INVALID_STATE', 'Not now.');
    }) as never);
    server = await startTestServer({
      engine,
      connections: 6,
      seed: { contracts: 4, stores: 2 },
      tables: ['parcels', 'outside'],
      services: {
        definitions: definitionsWith({ ...PARCELS, ...CALLS }),
        modules: { ...modules, handlers, guards: { isHeavyEnough: () => undefined } },
      },
    });
  });
  afterAll(() => server?.close());
  const payments = () =>
    server.services.db.inStore(1, trx => trx.selectFrom('records').select('id').where('entity', '=', 'payment').execute());

  it('gives one effect and fifty equal answers to one key sent fifty times at once', async () => {
    const k = fresh();
    const answers = await Promise.all(Array.from({ length: 50 }, () => text('parcels.create', { name: 'Fifty', weight: 1 }, k)));
    expect(new Set(answers.map(answer => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await parcels('Fifty')).toBe(1);
    expect(answers.filter(answer => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(49);
  });

  it('refuses the key with another body, takes members in any order', async () => {
    const k = fresh();
    const first = await text('parcels.create', { name: 'Order', weight: 1 }, k);
    expect((await text('parcels.create', { weight: 1, name: 'Order' }, k)).text).toBe(first.text);
    const other = await text('parcels.create', { name: 'Order', weight: 2 }, k);
    expect([other.status, other.json.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect((await text('outside.pay', { amount: 1 }, k)).json.code).toBe('IDEMPOTENCY_MISMATCH');
  });

  it('replays refusals, and keeps nothing of what a refused call wrote', async () => {
    await server.call('parcels.create', { name: 'Taken', weight: 1 });
    const k = fresh();
    const first = await text('parcels.create', { name: 'taken', weight: 1 }, k);
    expect(first.status).toBe(409);
    await server.call('parcels.delete', {
      id: ((await server.call('parcels.list', { filter: { name: ['Taken'] } })).data as { id: number }[])[0]?.id ?? 0,
    });
    expect((await text('parcels.create', { name: 'taken', weight: 1 }, k)).text).toBe(first.text); // the same answer, though it would go through now
    expect((await text('parcels.create', { name: 'taken', weight: 1 }, fresh())).status).toBe(200);
    const before = (await payments()).length;
    const failed = fresh();
    const one = await text('outside.fail', { amount: 1 }, failed);
    expect([one.status, one.json.message]).toEqual([409, 'Not now.']);
    expect((await text('outside.fail', { amount: 1 }, failed)).text).toBe(one.text);
    expect(await payments()).toHaveLength(before);
  });

  it('keeps keys of stores and users apart, takes 255 characters and no more', async () => {
    const k = 'k'.repeat(255);
    const stranger = await server.signIn('owner', 2);
    expect((await text('parcels.create', { name: 'Mine', weight: 1 }, k)).status).toBe(200);
    expect((await text('parcels.create', { name: 'Theirs', weight: 1 }, k, stranger)).status).toBe(200);
    expect((await text('parcels.create', { name: 'Hers', weight: 1 }, k, await server.signIn('admin'))).status).toBe(200);
    expect((await text('parcels.create', { name: 'Long', weight: 1 }, `${k}k`)).status).toBe(400);
    expect((await text('parcels.create', { name: 'Blank', weight: 1 }, ' ')).status).toBe(400);
  });

  it('replays for 24 hours; then the key is new, and the job has purged what is older', async () => {
    const k = fresh();
    const first = await text('parcels.create', { name: 'Day one', weight: 1 }, k);
    await server.services.db.ownerQuery("update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where key = $1", [
      k,
    ]);
    expect((await text('parcels.create', { name: 'Day one', weight: 1 }, k)).text).toBe(first.text);
    await server.services.db.ownerQuery("update idempotency_keys set created_at = now() - interval '24 hours 1 minute' where key = $1", [
      k,
    ]);
    expect((await text('parcels.create', { name: 'Day two', weight: 1 }, k)).json.data.name).toBe('Day two');
    await server.services.db.ownerQuery("update idempotency_keys set created_at = now() - interval '25 hours' where key = $1", [k]);
    const tidy = (await loadModules()).jobs.find(job => job.name === 'tidy');
    await tidy?.run(server.services, {}, jobWith());
    expect((await server.services.db.ownerQuery('select 1 from idempotency_keys where key = $1', [k])).rows).toEqual([]);
  });

  it('holds for a handler with transactions of its own: one effect, refusals kept, a broken one tried again', async () => {
    const before = (await payments()).length;
    const k = fresh();
    const answers = await Promise.all(Array.from({ length: 20 }, () => text('outside.pay', { amount: 5 }, k)));
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1);
    expect(await payments()).toHaveLength(before + 1);
    const refused = fresh();
    const no = await text('outside.pay', { amount: 13 }, refused);
    expect([no.status, (await text('outside.pay', { amount: 13 }, refused)).text]).toEqual([422, no.text]);
    const broken = fresh();
    expect((await text('outside.pay', { amount: 99 }, broken)).status).toBe(500);
    expect((await text('outside.pay', { amount: 99 }, broken)).status).toBe(500); // not replayed: it may work now
    // Many at once, more than there are connections: none waits for another's.
    const many = await Promise.all(Array.from({ length: 30 }, (_, i) => text('outside.pay', { amount: 100 + i }, fresh())));
    expect(many.map(answer => answer.status)).toEqual(Array.from({ length: 30 }, () => 200));
    const log = await server.services.db.inStore(1, trx =>
      trx.selectFrom('account_log').select('after').where('action', '=', 'outside.pay').execute(),
    );
    expect(log.filter(row => (row.after as { amount: number }).amount === 5)).toHaveLength(1);
  });
});
