// What bulk actions let through: who sees rows of subscriptions, and how many are charged when more match than were confirmed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { wakeBulks } from '../../../src/server/features/bulk-actions/bulk-run.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { Bulk } from '../features/bulk-actions/helpers.ts';

describe('bulk actions', () => {
  let server: TestServer;
  let bulk: Bulk;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 60, stores: 1 }, jobs: true });
    bulk = new Bulk(server);
  });
  afterAll(() => server?.close());

  it('show no subscription to people who may not look at subscriptions: no rows, no file, no preview, no count by a filter', async () => {
    const ids = (await bulk.query<{ id: number }>('select id from contracts where store_id = 1 order by id limit 3')).map(row => row.id);
    const done = await bulk.run('EXPORT_SUBSCRIPTION', { mode: 'IDS', ids });
    const name = (await bulk.contract(ids[0]!)).customer_name as string;
    expect(await bulk.file(Number(done.id))).toContain(name);

    const token = await server.signIn('readOnly');
    const give = async (rights: JsonObject): Promise<void> => {
      await bulk.query('update users set permissions = $1 where store_id = 1 and id = 1004', [JSON.stringify(rights)]);
      server.services.sessions.forget(1);
    };
    const selection = { mode: 'FILTER', filter: { status: ['ACTIVE'] }, q: name } as JsonObject;
    const asked: [string, JsonObject][] = [
      ['rows', { id: Number(done.id) }],
      ['preview', { actionKey: 'UPDATE_NOTE', selection, input: { mode: 'REMOVE' } }],
      ['entityCount', { selection }],
      ['validateEntityIds', { ids }],
    ];
    await give({ bulkActions: 'WRITE', orderNotesAndAttributes: 'WRITE', subscriptionDetails: 'NO_ACCESS' });
    for (const [key, input] of [...asked, ['create', { actionKey: 'UPDATE_NOTE', selection, input: { mode: 'REMOVE' } }]] as [
      string,
      JsonObject,
    ][]) {
      const answer = await server.call(`bulk-actions.${key}`, input, { as: token });
      expect([key, answer.status]).toEqual([key, 403]);
      expect(JSON.stringify(answer.body)).not.toContain(name);
    }
    const file = await server.request('GET', `/host/bulk/bulkActions/${String(done.id)}/resultFile`, { as: token });
    expect([file.status, file.text.includes(name)]).toEqual([403, false]);
    // How far it is tells nothing of them.
    expect((await server.call('bulk-actions.progress', { id: Number(done.id) }, { as: token })).status).toBe(200);

    await give({ bulkActions: 'READ', subscriptionDetails: 'READ' });
    for (const [key, input] of asked)
      expect([key, (await server.call(`bulk-actions.${key}`, input, { as: token })).status]).toEqual([key, 200]);
    await give({});
  });

  it('a charge at a later time charges no more subscriptions than were confirmed', async () => {
    await bulk.query(
      "update contracts set tags = '{later}' where store_id = 1 and id in (select id from contracts where store_id = 1 and status = 'ACTIVE' order by id limit 3)",
    );
    const draft = async () => {
      const made = await bulk.create(
        'CHARGE_ORDER',
        { mode: 'FILTER', filter: { tags: ['later'] } },
        { which: 'NEXT', keepSchedule: true },
      );
      const answer = await server.call('bulk-actions.runBulkAction', {
        id: made.id,
        confirmCount: 3,
        scheduledAtEpoch: Math.floor(Date.now() / 1000) + 3600,
      });
      expect([answer.status, answer.data?.status]).toEqual([200, 'SCHEDULED']);
      return made.id;
    };
    const [grown, same] = [await draft(), await draft()];
    const due = (id: number) =>
      bulk.query("update bulk_actions set scheduled_at = now() - interval '1 minute' where store_id = 1 and id = $1", [id]);
    const charges = async () =>
      Number((await bulk.query<{ n: number }>("select count(*) as n from gateway_charges where idempotency_key like 'bulk-%'"))[0]?.n);
    const more =
      "update contracts set tags = $1 where store_id = 1 and id in (select id from contracts where store_id = 1 and status = 'ACTIVE' order by id desc limit 2)";
    await bulk.query(more, [['later']]);
    await due(grown);
    await wakeBulks(server.services);
    const failed = await bulk.over(grown);
    expect([failed.status, failed.error]).toEqual([
      'FAILED',
      '5 subscriptions match by now, more than the 3 that were confirmed. Nothing was done. Make a new one and confirm the new number.',
    ]);
    expect(await charges()).toBe(0);
    expect(await bulk.rows(grown)).toEqual([]);
    await bulk.query(more, [[]]);
    await due(same);
    await wakeBulks(server.services);
    await bulk.over(same);
    expect(await bulk.rows(same)).toHaveLength(3);
  });
});
