// Work that goes on after its request acts for a person: when that person is removed, loses a right, or the plan loses the feature, it ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { runBulk, wakeBulks } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import { collectionSync } from '../../../../src/server/features/selling-plans/jobs/collection-sync.ts';
import { contractUpdate } from '../../../../src/server/features/bulk-actions/jobs/contract-update.ts';
import { moveClockJob } from '../../../../src/server/features/clock/jobs/move-clock.ts';
import { productImport } from '../../../../src/server/features/products/jobs/product-import.ts';
import { oneEngine } from '../../../support/database.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Bulk } from '../../features/bulk-actions/helpers.ts';

const ADMIN = 1002;
const never = new AbortController().signal;
const CSV = ['Handle,Title,Variant Price', ...Array.from({ length: 6 }, (_, i) => `stone-${i},Stone ${i},9.50`)].join('\n');

// No workers: every test decides itself when a job runs.
describe.each(oneEngine)('rights of work that goes on (%s)', engine => {
  let server: TestServer;
  let bulk: Bulk;
  let ids: number[];
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, config: { workers: 0 }, seed: { contracts: 60, stores: 1 } });
    bulk = new Bulk(server);
  });
  afterAll(() => server?.close());
  const query = <R = Record<string, any>>(text: string, params: unknown[] = []): Promise<R[]> => bulk.query<R>(text, params);
  beforeEach(async () => {
    await query("update users set removed_at = null, permissions = '{}', type = 'ADMIN' where store_id = 1 and id = $1", [ADMIN]);
    await query("update users set type = 'OWNER', permissions = '{}' where store_id = 1 and id = 1001");
    await query('update stores set billing_plan_id = 4 where id = 1');
    await query("update bulk_actions set status = 'CANCELLED' where status in ('QUEUED', 'IN_PROGRESS', 'SCHEDULED', 'CANCELLING')");
    await query('update sessions set revoked_at = null where store_id = 1');
    await query('delete from outbox');
    await query(
      "update contracts set status = 'ACTIVE', is_marked_for_cancellation = false, note = '', base_at = now() + interval '9 days', next_billing_at = now() + interval '9 days', base_cycle = next_cycle where store_id = 1",
    );
    ids = (await query<{ id: number }>('select id from contracts where store_id = 1 order by id limit 9')).map(row => row.id);
    server.services.sessions.forget();
  });

  const withdraw = async (permissions: JsonObject): Promise<void> => {
    await query('update users set permissions = $2 where store_id = 1 and id = $1', [ADMIN, JSON.stringify(permissions)]);
    server.services.sessions.forget();
  };
  const remove = async (): Promise<void> => {
    expect((await server.call('users.delete', { id: ADMIN })).status).toBe(200);
  };
  const plan = (id: number): Promise<unknown> => query('update stores set billing_plan_id = $1 where id = 1', [id]);
  /** A bulk action that the admin made, queued or scheduled. */
  const started = async (actionKey: string, input: JsonObject, more: JsonObject = {}, as: 'admin' | 'owner' = 'admin'): Promise<number> => {
    const token = await server.signIn(as);
    const draft = await server.call('bulk-actions.create', { actionKey, selection: { mode: 'IDS', ids }, input }, { as: token });
    expect(draft.status).toBe(200);
    const answer = await server.call(
      'bulk-actions.runBulkAction',
      { id: draft.data.id, ...(draft.data.confirmCount === null ? {} : { confirmCount: draft.data.confirmCount }), ...more },
      { as: token },
    );
    expect(answer.status).toBe(200);
    return draft.data.id;
  };
  const work = (bulkId: number, rows = 3, onChunk?: () => Promise<void>): Promise<void> =>
    runBulk(server.services, { storeId: 1, bulkId }, never, { rows, ...(onChunk ? { onChunk } : {}) });
  const read = async (id: number): Promise<JsonObject> => (await server.call('bulk-actions.read', { id })).data;
  const charges = async (): Promise<number> => Number((await query('select count(*) as n from gateway_charges'))[0]?.n);
  const ends = async (id: number): Promise<string[]> =>
    (await server.call('bulk-actions.events', { id })).data
      .filter((one: JsonObject) => one.event === 'ended')
      .map((one: JsonObject) => one.description);
  const mails = (): Promise<Record<string, any>[]> =>
    query("select recipient, subject, text from outbox where template = 'OWNER_WORK_ENDED'");
  const owner = async (): Promise<string> => (await query('select email from users where store_id = 1 and id = 1001'))[0]?.email as string;

  const CHARGE = { which: 'NEXT', keepSchedule: true };
  const REASONS: [string, () => Promise<unknown>, RegExp][] = [
    ['its person was removed', remove, /is not on the team any more/],
    [
      'the right to charge was withdrawn',
      () => withdraw({ subscriptionOrderActions: 'READ' }),
      /does not have the permission “.+” to make changes any more/,
    ],
    ['the right to bulk actions was withdrawn', () => withdraw({ bulkActions: 'READ' }), /does not have the permission/],
    ['the right to see subscriptions was withdrawn', () => withdraw({ subscriptionDetails: 'NO_ACCESS' }), /does not have the permission/],
    ['the plan lost bulk actions', () => plan(1), /does not include bulk actions any more/],
  ];

  test.each(REASONS)(
    'a scheduled charge is not made after %s: it fails with the reason, on its page, in the log, to the owner',
    async (_, happens, reason) => {
      const before = await charges();
      const id = await started('CHARGE_ORDER', CHARGE, { scheduledAtEpoch: Math.floor(Date.now() / 1000) + 3600 });
      await query("update bulk_actions set scheduled_at = now() - interval '1 minute' where id = $1", [id]);
      await happens();
      await wakeBulks(server.services);
      await work(id);
      expect(await charges()).toBe(before);
      await plan(4);
      expect(await read(id)).toMatchObject({ status: 'FAILED', succeeded: 0, processed: 0, error: expect.stringMatching(reason) });
      expect(await ends(id)).toEqual([expect.stringMatching(reason)]);
      expect(await mails()).toEqual([
        { recipient: await owner(), subject: expect.stringContaining('was ended'), text: expect.stringMatching(reason) },
      ]);
      expect((await server.call('logs.accountLogs', {})).data).toEqual(
        expect.arrayContaining([expect.objectContaining({ action: 'bulk_action.ended', description: expect.stringMatching(reason) })]),
      );
    },
  );

  test.each(REASONS)('one that waits in the queue is not begun after %s', async (_, happens, reason) => {
    const before = await charges();
    const id = await started('CHARGE_ORDER', CHARGE);
    await happens();
    await work(id);
    expect(await charges()).toBe(before);
    await plan(4);
    expect(await read(id)).toMatchObject({ status: 'FAILED', startedAt: null, error: expect.stringMatching(reason) });
  });

  test.each(REASONS)(
    'one that runs stops before its next rows after %s: what was charged is counted, the rest was not begun',
    async (_, happens, reason) => {
      const before = await charges();
      const id = await started('CHARGE_ORDER', CHARGE);
      let chunks = 0;
      await work(id, 3, async () => {
        if (++chunks === 1) await happens();
      });
      await plan(4);
      expect(await read(id)).toMatchObject({ status: 'FAILED', total: 9, processed: 3, error: expect.stringMatching(reason) });
      expect((await charges()) - before).toBe(3);
      const file = await bulk.file(id);
      expect(file.match(/Not begun: .*(any more|does not include)/g)).toHaveLength(6);
      expect((await mails()).length).toBe(1);
      // The next of its kind is not held up.
      const next = await started('UPDATE_NOTE', { mode: 'REPLACE', note: 'x' }, {}, 'owner');
      await work(next);
      expect(await read(next)).toMatchObject({ status: 'COMPLETED' });
    },
  );

  test('two rights are needed for a swap at a price by hand, as long as it goes on: withdrawing the second ends it, one that needs the first alone goes on', async () => {
    const [{ id: toVariantId } = { id: 0 }] = await query<{ id: number }>(
      'select v.id from variants v join products p on p.store_id = v.store_id and p.id = v.product_id where v.store_id = 1 and not exists (select 1 from contract_lines l where l.store_id = 1 and l.variant_id = v.id and l.contract_id = any($1)) order by v.id limit 1',
      [ids],
    );
    const variantIds = (
      await query<{ variant_id: number }>('select distinct variant_id from contract_lines where store_id = 1 and contract_id = any($1)', [
        ids,
      ])
    ).map(row => row.variant_id);
    const swap = { variantIds, toVariantId, quantityRule: 'KEEP' };
    const byHand = await started('SWAP_PRODUCT', { ...swap, priceRule: 'CUSTOM', price: '3.00' });
    await withdraw({ subscriptionDiscount: 'READ' });
    await work(byHand);
    expect(await read(byHand)).toMatchObject({ status: 'FAILED', succeeded: 0 });
    const kept = await started('SWAP_PRODUCT', { ...swap, priceRule: 'KEEP' });
    await work(kept);
    expect((await read(kept)).succeeded).toBeGreaterThan(0);
  });

  test('it acts for who started it, not for who made the draft; a retry for who tries again', async () => {
    const draft = (
      await server.call(
        'bulk-actions.create',
        { actionKey: 'UPDATE_NOTE', selection: { mode: 'IDS', ids }, input: { mode: 'REPLACE', note: 'theirs' } },
        { as: 'admin' },
      )
    ).data;
    expect((await server.call('bulk-actions.queue', { id: draft.id })).status).toBe(200);
    await remove();
    await work(draft.id);
    expect(await read(draft.id)).toMatchObject({ status: 'COMPLETED', succeeded: 9 });
    await query('update users set removed_at = null where store_id = 1 and id = $1', [ADMIN]);
    await query('update sessions set revoked_at = null where store_id = 1');
    server.services.sessions.forget();
    await query("update bulk_action_rows set status = 'FAILED' where bulk_action_id = $1 and position <= 2", [draft.id]);
    await query("update bulk_actions set failed = 2, status = 'COMPLETED_WITH_ERRORS' where id = $1", [draft.id]);
    const again = (await server.call('bulk-actions.retryFailed', { id: draft.id }, { as: 'admin' })).data;
    expect((await server.call('bulk-actions.queue', { id: again.id }, { as: 'admin' })).status).toBe(200);
    await withdraw({ orderNotesAndAttributes: 'READ' });
    await work(again.id);
    expect(await read(again.id)).toMatchObject({ status: 'FAILED', succeeded: 0, error: expect.stringContaining('does not have') });
  });

  test('without single permissions (S218) nothing that is set for a person ends work', async () => {
    const id = await started('UPDATE_NOTE', { mode: 'REPLACE', note: 'kept' });
    await withdraw({ orderNotesAndAttributes: 'NO_ACCESS' });
    await query('update stores set billing_plan_id = 2 where id = 1');
    const features = (await server.call('start-up-app.fetchBilling')).data[0].features as string[];
    await work(id);
    await plan(4);
    const { status } = await read(id);
    expect(status).toBe(features.includes('bulk_actions') ? 'COMPLETED' : 'FAILED');
  });

  test('updates of all subscriptions end when their person may not do them any more; those of the system go on', async () => {
    const data = async (): Promise<{ storeId: number; runId: number }> => ({
      storeId: 1,
      runId:
        (
          await query<{ id: number }>(
            "select id from runs where store_id = 1 and kind = 'RECALCULATE_CUSTOMER_TAGS' order by id desc limit 1",
          )
        )[0]?.id ?? 0,
    });
    const start = async (): Promise<{ storeId: number; runId: number }> => {
      const answer = await server.call('bulk-actions.createSystemBulkAction', { action_key: 'RECALCULATE_CUSTOMER_TAGS' }, { as: 'admin' });
      expect(answer.status).toBe(200);
      return data();
    };
    const first = await start();
    await withdraw({ subscriptionTags: 'READ' });
    await contractUpdate.run(server.services, first, jobWith());
    const row = async (run: { runId: number }) =>
      (
        await query(
          'select r.status, r.error, r.processed, b.error as shown, b.status as shown_status from runs r join bulk_actions b on b.run_id = r.id where r.id = $1',
          [run.runId],
        )
      )[0];
    expect(await row(first)).toMatchObject({
      status: 'FAILED',
      processed: 0,
      shown_status: 'FAILED',
      error: expect.stringContaining('does not have the permission'),
      shown: expect.stringContaining('does not have the permission'),
    });
    expect((await mails()).map(one => one.recipient)).toEqual([await owner()]);
    await withdraw({});
    const second = await start();
    await query('update runs set acting_user_id = null where id = $1', [second.runId]);
    await remove();
    await contractUpdate.run(server.services, second, jobWith());
    expect(await row(second)).toMatchObject({ status: 'COMPLETED' });
  });

  test.each(['SKIP_ERRORS', 'ALL_OR_NOTHING'])('an import of products (%s) brings nothing in after its person was removed', async mode => {
    const { fileId } = (
      await server.call(
        'product-import.preview',
        { fileName: `${mode}.csv`, content: CSV.replaceAll('stone', mode.toLowerCase().replaceAll('_', '-')) },
        { as: 'admin' },
      )
    ).data;
    const { runId } = (await server.call('product-import.start', { fileId, mode }, { as: 'admin' })).data;
    const count = async () => Number((await query('select count(*) as n from products where store_id = 1'))[0]?.n);
    const before = await count();
    await remove();
    await productImport.run(server.services, { storeId: 1, runId }, jobWith());
    expect(await count()).toBe(before);
    expect((await server.call('product-import.progress', { runId })).data).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('is not on the team any more'),
    });
    expect((await mails()).length).toBe(1);
  });

  test('an import of products stops at the product where the right was withdrawn', async () => {
    const { fileId } = (
      await server.call('product-import.preview', { fileName: 'step.csv', content: CSV.replaceAll('stone', 'step') }, { as: 'admin' })
    ).data;
    const { runId } = (await server.call('product-import.start', { fileId, mode: 'SKIP_ERRORS' }, { as: 'admin' })).data;
    const { db } = server.services;
    const services = Object.create(server.services, {
      db: {
        value: {
          ...db,
          kind: db.kind,
          inStore: async (...args: Parameters<typeof db.inStore>) => {
            const result = await db.inStore(...args);
            const done = Number((await query('select processed as n from runs where id = $1', [runId]))[0]?.n);
            if (done === 2) await withdraw({ sellingPlan: 'READ' });
            return result;
          },
        },
      },
    }) as typeof server.services;
    await productImport.run(services, { storeId: 1, runId }, jobWith());
    expect((await server.call('product-import.progress', { runId })).data).toMatchObject({ status: 'FAILED', processed: 2 });
    expect(
      (await query("select handle from products where store_id = 1 and handle like 'step-%' order by 1")).map(row => row.handle),
    ).toEqual(['step-0', 'step-1']);
  });

  test('a collection is not copied after its person lost the right; the clock is not moved by who owns the store no more', async () => {
    const [{ id: collectionId } = { id: 0 }] = await query<{ id: number }>(
      'select id from collections where store_id = 1 order by id limit 1',
    );
    await query("update collections set sync_status = 'COMPLETED', seed_status = 'COMPLETED', sync_done = 0 where id = $1", [collectionId]);
    expect((await server.call('collections.sync', { collectionId }, { as: 'admin' })).status).toBe(200);
    await withdraw({ sellingPlan: 'READ' });
    await collectionSync.run(server.services, { storeId: 1, collectionId, kind: 'sync' }, jobWith());
    expect((await server.call('collections.syncStatus', { collectionId })).data).toMatchObject({
      status: 'FAILED',
      done: 0,
      error: expect.stringContaining('does not have the permission'),
    });
    expect((await mails()).length).toBe(1);

    await query('update stores set is_demo = true where id = 1');
    const { id: runId } = (await server.call('clock.advance', { days: 2 })).data;
    await query("update users set type = case when id = $1 then 'OWNER' else 'ADMIN' end where store_id = 1 and id in ($1, 1001)", [ADMIN]);
    const offset = async () => (await query('select clock_offset_ms as n from stores where id = 1'))[0]?.n;
    const before = await offset();
    await moveClockJob.run(server.services, { storeId: 1, runId }, jobWith());
    expect(await offset()).toEqual(before);
    expect((await query('select status, error from runs where id = $1', [runId]))[0]).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('does not own the store'),
    });
  });

  test('a file that is streamed is broken off, and not ended, when its person is signed out or loses a right', async () => {
    const token = await server.signIn('admin');
    const path = `${server.url}/host/main/api/merchant/subscriptionContract/export`;
    const whole = await (await fetch(path, { headers: { authorization: token } })).text();
    expect(whole.split(/\r?\n/).length).toBeGreaterThan(60);
    const db = server.services.db.aside;
    const inStore = db.inStore;
    // The right is withdrawn while the first page is read: the head has left already.
    let asked = 0;
    db.inStore = (async (...args: Parameters<typeof inStore>) => {
      const result = await inStore.apply(db, args);
      if (++asked === 2) await withdraw({ subscriptionDetails: 'NO_ACCESS' });
      return result;
    }) as typeof inStore;
    try {
      asked = 0;
      const broken = await fetch(path, { headers: { authorization: token } });
      await expect(broken.text()).rejects.toThrow();
    } finally {
      db.inStore = inStore;
    }
  });
});
