import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { BULK_JOB } from '../../../../src/server/features/bulk-actions/queue-names.ts';
import type { BulkStatus } from '../../../../src/server/features/bulk-actions/bulk-record.ts';
import { runBulk, wakeBulks } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import { contractUpdate } from '../../../../src/server/features/bulk-actions/jobs/contract-update.ts';
import type { Charge } from '../../../../src/server/platform/gateway/gateway.ts';
import { openDatabase } from '../../../../src/server/platform/db/database.ts';
import { engines } from '../../../support/database.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Bulk } from './helpers.ts';

const never = new AbortController().signal;
const STATES: BulkStatus[] = [
  'DRAFT',
  'SCHEDULED',
  'QUEUED',
  'IN_PROGRESS',
  'COMPLETED',
  'COMPLETED_WITH_ERRORS',
  'FAILED',
  'CANCELLING',
  'CANCELLED',
];

// No workers: every test decides itself when one begins.
describe.each(engines)('runs of bulk actions on %s', engine => {
  let server: TestServer;
  let bulk: Bulk;
  let ids: number[];
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, connections: 8, config: { workers: 0 }, seed: { contracts: 80, stores: 2 } });
    bulk = new Bulk(server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    await bulk.query(
      "update bulk_actions set status = 'CANCELLED' where store_id = 1 and status in ('QUEUED', 'IN_PROGRESS', 'SCHEDULED', 'CANCELLING', 'DRAFT') and not is_system",
    );
    await bulk.query("delete from orders where store_id = 1 and status in ('PROCESSING', 'SCHEDULED')");
    await bulk.query(
      "update contracts set status = 'ACTIVE', is_marked_for_cancellation = false, base_at = now() + interval '9 days', next_billing_at = now() + interval '9 days', base_cycle = next_cycle where store_id = 1",
    );
    ids = (await bulk.query<{ id: number }>('select id from contracts where store_id = 1 order by id limit 10')).map(row => row.id);
  });
  const post = (name: string, input: JsonObject, as?: string) => server.call(`bulk-actions.${name}`, input, as ? { as } : {});
  const work = (bulkId: number, onChunk?: () => Promise<void> | void, rows = 3) =>
    runBulk(server.services, { storeId: 1, bulkId }, never, { rows, ...(onChunk ? { onChunk } : {}) });
  const statusOf = async (id: number): Promise<string> => (await post('getStatus', { id })).data.status;
  const queued = async (actionKey = 'PAUSE_SUBSCRIPTION', input: JsonObject = { until: 'INDEFINITE' }, chosen = ids): Promise<number> => {
    const draft = await bulk.create(actionKey, { mode: 'IDS', ids: chosen }, input);
    const answer = await post('queue', { id: draft.id, ...(draft.confirmCount === null ? {} : { confirmCount: draft.total }) });
    expect(answer.status).toBe(200);
    return draft.id;
  };

  test('D075 every state and every event: what is allowed moves, everything else is refused and changes nothing', async () => {
    const later = Math.floor(Date.now() / 1000) + 3600;
    const call =
      (name: string, input: JsonObject) =>
      async (id: number): Promise<boolean> =>
        (await post(name, { id, ...input })).status === 200;
    const events: Record<
      string,
      { does: (id: number) => Promise<boolean>; to: Partial<Record<BulkStatus, BulkStatus>>; refuses: boolean }
    > = {
      queue: { does: call('queue', {}), to: { DRAFT: 'QUEUED' }, refuses: true },
      runBulkAction: { does: call('runBulkAction', {}), to: { DRAFT: 'QUEUED' }, refuses: true },
      schedule: { does: call('runBulkAction', { scheduledAtEpoch: later }), to: { DRAFT: 'SCHEDULED' }, refuses: true },
      cancel: {
        does: call('cancel', {}),
        to: { DRAFT: 'CANCELLED', SCHEDULED: 'CANCELLED', QUEUED: 'CANCELLED', IN_PROGRESS: 'CANCELLING' },
        refuses: true,
      },
      clock: {
        does: async () => {
          await wakeBulks(server.services);
          return true;
        },
        to: { SCHEDULED: 'QUEUED' },
        refuses: false,
      },
      // Nothing failed in any of them.
      retryFailed: { does: call('retryFailed', {}), to: {}, refuses: true },
      worker: {
        does: async id => {
          await work(id);
          return true;
        },
        to: { QUEUED: 'COMPLETED', IN_PROGRESS: 'COMPLETED', CANCELLING: 'CANCELLED' },
        refuses: false,
      },
    };
    for (const [name, { does, to, refuses }] of Object.entries(events))
      for (const state of STATES) {
        const { id } = await bulk.create(
          'UPDATE_NOTE',
          { mode: 'IDS', ids: ids.slice(0, 1) },
          { mode: 'REPLACE', note: `${name} ${state}` },
        );
        await bulk.query(
          "update bulk_actions set status = $2, queued_at = now(), scheduled_at = case when $2 = 'SCHEDULED' then now() - interval '1 minute' end, started_at = now() where store_id = 1 and id = $1",
          [id, state],
        );
        const stand = async (): Promise<unknown> => [
          await bulk.query('select * from bulk_actions where store_id = 1 order by id'),
          await bulk.query('select * from bulk_action_rows where store_id = 1 and bulk_action_id = $1', [id]),
          await bulk.query('select id, version from contracts where store_id = 1 order by id'),
          await bulk.query('select count(*) as n from account_log where store_id = 1'),
        ];
        const before = await stand();
        const went = await does(id);
        if (to[state] === undefined) expect([name, state, await stand()]).toEqual([name, state, before]);
        expect([name, state, await statusOf(id), went]).toEqual([name, state, to[state] ?? state, to[state] !== undefined || !refuses]);
        await bulk.query("update bulk_actions set status = 'CANCELLED' where store_id = 1 and id = $1", [id]);
      }
  });

  test('D075 a cancelled run ends after the rows it is at: those that are done stay done, the others were never begun', async () => {
    const id = await queued();
    let chunks = 0;
    await work(id, async () => {
      if (++chunks === 2) expect((await post('cancel', { id })).body.message).toBe('Bulk action cancelled. 6 of 10 were already updated.');
    });
    const done = (await post('read', { id })).data;
    expect(done).toMatchObject({ status: 'CANCELLED', total: 10, processed: 6, succeeded: 6 });
    expect((await bulk.query("select 1 from contracts where store_id = 1 and id = any($1) and status = 'PAUSED'", [ids])).length).toBe(6);
    const lines = (await bulk.file(id)).trim().split(/\r?\n/);
    expect(lines.filter(line => line.includes('SKIPPED,Not begun: the bulk action was cancelled.'))).toHaveLength(4);
    expect(
      (
        await bulk.query("select 1 from account_log where store_id = 1 and action = 'bulk_action.cancelled' and entity_id = $1", [
          String(id),
        ])
      ).length,
    ).toBe(1);
  });

  test('one of a kind at a time: a second waits as QUEUED and begins by itself, one of another kind does not wait', async () => {
    const [first, second] = [
      await queued('UPDATE_NOTE', { mode: 'REPLACE', note: 'first' }),
      await queued('UPDATE_NOTE', { mode: 'REPLACE', note: 'second' }),
    ];
    const other = await queued('UPDATE_TAGS', { mode: 'ADD', tags: ['other'] });
    expect((await post('checkInProgress', { key: 'UPDATE_NOTE' })).data).toMatchObject({ inProgress: true, actionKey: 'UPDATE_NOTE' });
    expect((await post('checkInProgress', { key: 'SKIP_ORDER' })).data.inProgress).toBe(false);
    let looked = false;
    await work(first, async () => {
      if (looked) return;
      looked = true;
      await work(second);
      expect(await statusOf(second)).toBe('QUEUED');
      await work(other);
      expect(await statusOf(other)).toBe('COMPLETED');
      await bulk.query(`delete from pgboss.job where name = $1`, [BULK_JOB]);
    });
    expect(await statusOf(first)).toBe('COMPLETED');
    const jobs = await bulk.query<{ data: { bulkId: number } }>('select data from pgboss.job where name = $1', [BULK_JOB]);
    expect(jobs.map(job => job.data.bulkId)).toEqual([second]);
    await work(second);
    expect((await bulk.contract(ids[0] as number)).note).toBe('second');
  });

  test('scheduled: at most 30 days ahead, frozen and queued at its time, failed with a sentence when nothing matches by then', async () => {
    const soon = Math.floor(Date.now() / 1000) + 3600;
    expect(
      (
        await post('create', {
          actionKey: 'UPDATE_NOTE',
          selection: { mode: 'IDS', ids },
          input: { mode: 'REMOVE' },
          scheduledAtEpoch: soon + 31 * 86_400,
        })
      ).body.message,
    ).toBe('Choose a time within the next 30 days.');
    await bulk.query("update contracts set tags = '{later}' where store_id = 1 and id = any($1)", [ids.slice(0, 3)]);
    const make = async (): Promise<number> => {
      const { id } = await bulk.create(
        'UPDATE_NOTE',
        { mode: 'FILTER', filter: { tags: ['later'] } },
        { mode: 'REPLACE', note: 'later' },
        { scheduledAtEpoch: soon },
      );
      expect((await post('queue', { id })).data.status).toBe('SCHEDULED');
      return id;
    };
    const [full, empty] = [await make(), await make()];
    await wakeBulks(server.services);
    expect(await statusOf(full)).toBe('SCHEDULED');
    await bulk.query("update contracts set tags = '{later}' where store_id = 1 and id = $1", [ids[3]]);
    await bulk.query('update bulk_actions set scheduled_at = now() where store_id = 1 and id = $1', [full]);
    await wakeBulks(server.services);
    await work(full);
    expect((await post('read', { id: full })).data).toMatchObject({ status: 'COMPLETED', total: 4, succeeded: 4 });
    await bulk.query("update contracts set tags = '{}' where store_id = 1");
    await bulk.query('update bulk_actions set scheduled_at = now() where store_id = 1 and id = $1', [empty]);
    await wakeBulks(server.services);
    expect((await post('read', { id: empty })).data).toMatchObject({ status: 'FAILED', error: 'No subscriptions match these filters.' });
  });

  test('charging needs the number to be typed, and every card is charged once under the key of its row, also when a worker repeats it', async () => {
    await bulk.query(
      "update payment_methods set revoked_at = null, inactive = false, expiry_year = 2090, gateway_token = 'tok_success' where store_id = 1",
    );
    const draft = await bulk.create('CHARGE_ORDER', { mode: 'IDS', ids }, { which: 'NEXT' });
    expect(draft.confirmCount).toBe(10);
    expect((await post('runBulkAction', { id: draft.id })).body.message).toBe('Type the number of subscriptions, 10, to go on.');
    expect((await post('runBulkAction', { id: draft.id, confirmCount: 10 })).status).toBe(200);
    // The gateway takes the money and loses the answers of the first chunk.
    const { gateway } = server.services;
    let lost = 0;
    const lossy = {
      charge: async (charge: Parameters<typeof gateway.charge>[0]) => {
        const outcome = await gateway.charge(charge);
        if (lost++ < 4) throw new Error('The line broke');
        return outcome;
      },
      keysLive: () => Number.POSITIVE_INFINITY,
      lookup: (charge: Charge) => gateway.lookup(charge),
    };
    await Promise.all(
      [1, 2].map(() =>
        runBulk(
          {
            ...server.services,
            db: server.services.db,
            definitions: server.services.definitions,
            queue: server.services.queue,
            gateway: lossy,
          },
          { storeId: 1, bulkId: draft.id },
          never,
          { rows: 4 },
        ),
      ),
    );
    const done = (await post('read', { id: draft.id })).data;
    const skipped = Number(done.skipped);
    expect(done).toMatchObject({ status: 'COMPLETED', processed: 10, failed: 0, succeeded: 10 - skipped });
    const charges = await bulk.query<{ idempotency_key: string }>(
      'select idempotency_key from gateway_charges where store_id = 1 and idempotency_key like $1',
      [`bulk-${draft.id}-%`],
    );
    expect(new Set(charges.map(one => one.idempotency_key)).size).toBe(10 - skipped);
    expect(
      (
        await bulk.query('select 1 from billing_attempts where store_id = 1 and idempotency_key like $1 and success', [
          `bulk-${draft.id}-%`,
        ])
      ).length,
    ).toBe(10 - skipped);
    for (const row of await bulk.rows(draft.id))
      expect((await bulk.notes(Number(row.subscriptionId), draft.id)).filter(note => note.key === 'order_charged_now').length).toBe(
        row.status === 'SUCCESS' ? 1 : 0,
      );
  });

  test('a declined card fails its row with the reason, and retry failed makes a draft of those rows only', async () => {
    await bulk.query(
      "update payment_methods set revoked_at = null, inactive = false, expiry_year = 2090, gateway_token = 'tok_success' where store_id = 1",
    );
    await bulk.query(
      "update payment_methods set gateway_token = 'tok_decline_card_declined' where store_id = 1 and id in (select payment_method_id from contracts where store_id = 1 and id = any($1))",
      [ids.slice(0, 2)],
    );
    const id = await queued('CHARGE_ORDER', { which: 'NEXT' }, ids.slice(0, 5));
    await work(id);
    const done = (await post('read', { id })).data;
    expect(done.status).toBe('COMPLETED_WITH_ERRORS');
    const failed = (await bulk.rows(id)).filter(row => row.status === 'FAILED');
    expect(failed.length).toBeGreaterThanOrEqual(1);
    for (const row of failed) expect(row.reason).toMatch(/^Payment failed: /);
    expect(done.actions).toContain('retryFailed');
    const again = (await post('retryFailed', { id })).data;
    expect(again).toMatchObject({
      status: 'DRAFT',
      actionKey: 'CHARGE_ORDER',
      total: failed.length,
      retryOf: id,
      input: { which: 'NEXT' },
    });
    expect((await bulk.rows(again.id)).map(row => row.subscriptionId)).toEqual(failed.map(row => row.subscriptionId));
  });

  test('an error in one row holds up no other: it is tried three times, then fails', async () => {
    const bad = ids[4] as number;
    await bulk.query(
      `update contract_lines set pricing_policy = '{"cycleDiscounts":[{"afterCycle":0,"adjustmentType":"PRICE","adjustmentValue":"a lot"}]}' where store_id = 1 and contract_id = $1`,
      [bad],
    );
    await bulk.query('update contracts set min_cycles = null, max_cycles = null where store_id = 1');
    const id = await queued('UPDATE_MIN_MAX_CYCLES', { minCycles: 2 });
    await work(
      id,
      async () => {
        await bulk.query(
          'update bulk_action_rows set not_before = now() where store_id = 1 and bulk_action_id = $1 and not_before is not null',
          [id],
        );
      },
      10,
    );
    expect((await post('read', { id })).data).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', succeeded: 9, failed: 1 });
    const [row] = (await bulk.rows(id)).filter(one => one.status === 'FAILED');
    expect(row).toMatchObject({
      subscriptionId: bad,
      reason: 'This subscription could not be changed because of an error on our side. Try it again.',
    });
    await bulk.query('update contract_lines set pricing_policy = null where store_id = 1 and contract_id = $1', [bad]);
  });

  test('customers get an e-mail only when that is ticked; admins never one for each row', async () => {
    const mails = async (id: number): Promise<string[]> =>
      (
        await bulk.query<{ template: string }>(
          'select template from outbox where store_id = 1 and contract_id = any($1) and created_at >= (select created_at from bulk_actions where store_id = 1 and id = $2)',
          [ids, id],
        )
      ).map(row => row.template);
    const silent = await queued('PAUSE_SUBSCRIPTION', { until: 'INDEFINITE' }, ids.slice(0, 4));
    await work(silent);
    expect(await mails(silent)).toEqual([]);
    const told = await queued('RESUME_SUBSCRIPTION', { from: 'INTERVAL', notify: true }, ids.slice(0, 4));
    await work(told);
    expect(new Set(await mails(told))).toEqual(new Set(['SUBSCRIPTION_RESUMED']));
  });

  let shared = 0;
  test('two workers share one bulk action', async () => {
    const all = (await bulk.query<{ id: number }>('select id from contracts where store_id = 1 order by id')).map(row => row.id);
    const id = await queued('UPDATE_TAGS', { mode: 'ADD', tags: [`shared-${++shared}`] }, all);
    const address = "select 'postgres://perennial_owner@127.0.0.1:' || inet_server_port() || '/' || current_database() as url";
    const other =
      engine === 'postgres'
        ? await openDatabase({ database: { kind: 'postgres', url: (await bulk.query<{ url: string }>(address))[0]?.url ?? '' } })
        : undefined;
    try {
      const { gateway, definitions, config, queue } = server.services;
      const counts = [0, 0];
      await Promise.all(
        [server.services.db, other ?? server.services.db].map((db, i) =>
          runBulk({ db, gateway, definitions, config, queue }, { storeId: 1, bulkId: id }, never, {
            rows: 5,
            // Neither goes on before the other has done a chunk: a fast one would have done them all.
            onChunk: async () => {
              counts[i] = (counts[i] ?? 0) + 1;
              while (counts.includes(0)) await sleep(5);
            },
          }),
        ),
      );
    } finally {
      await other?.close();
    }
    expect((await post('read', { id })).data).toMatchObject({ status: 'COMPLETED', processed: all.length, succeeded: all.length });
    const [{ n } = { n: 0 }] = await bulk.query<{ n: number }>(
      "select count(*) as n from events where store_id = 1 and (data->>'bulkActionId')::bigint = $1",
      [id],
    );
    expect(Number(n)).toBe(all.length);
  });

  test('a preview shows five subscriptions before and after, and changes nothing', async () => {
    await bulk.query("update contracts set status = 'CANCELLED', base_at = null, next_billing_at = null where store_id = 1 and id = $1", [
      ids[1],
    ]);
    const before = await bulk.query('select id, version, status from contracts where store_id = 1 order by id');
    const { data } = await post('preview', {
      actionKey: 'PAUSE_SUBSCRIPTION',
      selection: { mode: 'IDS', ids },
      input: { until: 'INDEFINITE' },
    });
    expect(data.rows).toHaveLength(5);
    expect(data.rows[0]).toMatchObject({
      subscriptionId: ids[0],
      result: 'CHANGES',
      changes: expect.arrayContaining([{ title: 'Status', before: 'Active', after: 'Paused' }]),
    });
    // Those that it is for come first; where there are none the reason is shown.
    expect(data.rows.map((row: JsonObject) => row.subscriptionId)).not.toContain(ids[1]);
    const none = await post('preview', {
      actionKey: 'PAUSE_SUBSCRIPTION',
      selection: { mode: 'IDS', ids: [ids[1] as number] },
      input: { until: 'INDEFINITE' },
    });
    expect(none.data.rows).toMatchObject([
      { subscriptionId: ids[1], result: 'SKIPPED', reason: 'Only active subscriptions can be paused.', changes: [] },
    ]);
    expect(await bulk.query('select id, version, status from contracts where store_id = 1 order by id')).toEqual(before);
  });

  test('a bulk action needs its own right and that of the single action, and belongs to its store', async () => {
    const token = await server.signIn('readOnly');
    const give = (rights: JsonObject): Promise<unknown> =>
      bulk.query('update users set permissions = $1 where store_id = 1 and id = 1004', [JSON.stringify(rights)]).then(() => {
        server.services.sessions.forget(1);
      });
    const create = () => post('create', { actionKey: 'UPDATE_NOTE', selection: { mode: 'IDS', ids }, input: { mode: 'REMOVE' } }, token);
    await give({ bulkActions: 'READ', orderNotesAndAttributes: 'WRITE' });
    expect((await create()).status).toBe(403);
    expect((await post('list', {}, token)).status).toBe(200);
    await give({ bulkActions: 'WRITE', orderNotesAndAttributes: 'READ' });
    expect((await create()).body.message).toContain('needs the permission');
    await give({ bulkActions: 'WRITE', orderNotesAndAttributes: 'WRITE' });
    const made = await create();
    expect(made.status).toBe(200);
    await give({ bulkActions: 'WRITE', orderNotesAndAttributes: 'READ' });
    expect((await post('queue', { id: made.data.id }, token)).status).toBe(403);
    await give({});
    const foreign = await server.signIn('owner', 2);
    for (const name of ['read', 'progress', 'failureCounts', 'queue', 'cancel', 'rows', 'retryFailed'])
      expect([name, (await post(name, { id: made.data.id }, foreign)).status]).toEqual([name, 404]);
    expect(
      (await post('validateEntityIds', { ids }, foreign)).data.invalid.length +
        (await post('validateEntityIds', { ids }, foreign)).data.count,
    ).toBe(10);
  });

  test("D190 D237 createSystemBulkAction takes action_key and context and answers with its own flag; one of a kind at a time; the list shows it as the system's", async () => {
    const answer = await post('createSystemBulkAction', { action_key: 'UPDATE_SHIPPING_PRICE', context: { myshopify_domain: 'x' } });
    expect([answer.status, answer.body.success]).toEqual([200, true]);
    expect((await post('createSystemBulkAction', { action_key: 'UPDATE_SHIPPING_PRICE' })).body.message).toBe(
      'An update is already in progress.',
    );
    expect((await post('createSystemBulkAction', { action_key: 'FORMAT_DISK' })).status).toBe(422);
    await contractUpdate.run(server.services, { storeId: 1, runId: answer.data.runId }, jobWith(never));
    const shown = (await post('read', { id: answer.data.bulkActionId })).data;
    expect(shown).toMatchObject({
      isSystem: true,
      createdBy: 'System',
      actionKey: 'UPDATE_SHIPPING_PRICE',
      status: 'COMPLETED',
      selection: { mode: 'ALL' },
    });
    expect((await post('cancel', { id: shown.id })).body.message).toBe("What the system started can't be changed.");
    expect((await server.request('GET', String(shown.resultFileUrl), { as: 'owner' })).text).toContain('subscription_id,status,reason');
    expect(((await post('list', { filter: { isSystem: true } })).data as JsonObject[]).map(one => one.id)).toContain(shown.id);
  });

  test('D173 D295 customer tags are recalculated on the bulk host, and checkIfBulkActionInProgress follows it', async () => {
    const { definitions } = server.services;
    for (const call of Object.values(definitions.calls))
      if (['bulk-actions', 'customers-bulk'].includes(call.table)) expect(call.host).toBe('bulk');
    await bulk.query("update customers set tags = '{kept}' where store_id = 1");
    const started = await server.call('customers-bulk.recalculateTags', {});
    expect(started.data).toMatchObject({ inProgress: true });
    expect((await server.call('customers-bulk.tagsInProgress', {})).data.inProgress).toBe(true);
    expect((await server.call('customers-bulk.recalculateTags', {})).status).toBe(409);
    await contractUpdate.run(server.services, { storeId: 1, runId: started.data.runId }, jobWith(never));
    expect((await server.call('customers-bulk.tagsInProgress', {})).data).toMatchObject({ inProgress: false, status: 'COMPLETED' });
    const [row] = await bulk.query<{ tags: string[] }>(
      "select k.tags from customers k where store_id = 1 and exists (select 1 from contracts c where c.store_id = 1 and c.customer_id = k.id and c.status = 'ACTIVE') limit 1",
    );
    expect(row?.tags).toEqual(['kept', 'Active Subscriber']);
  });
});
