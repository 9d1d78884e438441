// What people see before they start: five subscriptions that really change, who may start which action, and things that were chosen by
// their names.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { stockGoods, type Goods } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('before a bulk action is started (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  let ids: number[] = [];
  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 60, stores: 1 },
      jobs: true,
      config: { workers: 0, portalUrl: 'https://portal.example.com' },
    });
    goods = await stockGoods(server);
    ids = (
      await query<{ id: number }>(
        "update contracts set tags = '{look}' where store_id = 1 and id in (select id from contracts where store_id = 1 order by id limit 20) returning id",
      )
    )
      .map(row => Number(row.id))
      .sort((a, b) => a - b);
  });
  afterAll(() => server?.close());

  const preview = async (filter: JsonObject, input: JsonObject): Promise<{ rows: JsonObject[]; looked: number; skipped: number }> => {
    const answer = await server.call('bulk-actions.preview', { actionKey: 'UPDATE_TAGS', selection: { mode: 'FILTER', filter }, input });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.data;
  };

  test('D075 a preview shows subscriptions that change before those that are skipped, and says how many of those it met', async () => {
    // The three that change are the last of the list.
    const gold = ids.slice(0, 3);
    await query("update contracts set tags = '{look,gold}' where store_id = 1 and id = any($1)", [gold]);
    const few = await preview({ tags: ['look'] }, { mode: 'REMOVE', tags: ['gold'] });
    expect(few.rows.map(row => row.result)).toEqual(['CHANGES', 'CHANGES', 'CHANGES', 'SKIPPED', 'SKIPPED']);
    expect(few.rows.slice(0, 3).map(row => row.subscriptionId)).toEqual(gold.toReversed());
    expect(few.rows[4]).toMatchObject({ reason: 'Nothing changes for this subscription.', changes: [] });
    expect([few.looked, few.skipped]).toEqual([20, 17]);
    const all = await preview({ tags: ['look'] }, { mode: 'ADD', tags: ['silver'] });
    expect([all.rows.length, all.rows.every(row => row.result === 'CHANGES'), all.looked, all.skipped]).toEqual([5, true, 20, 0]);
    // Forty are looked through at most.
    expect((await preview({}, { mode: 'REMOVE', tags: ['no customer has this'] })).looked).toBe(40);
    expect(await query('select id from contracts where store_id = 1 and tags && $1', [['silver']])).toEqual([]);
  });

  test('what can only be looked at needs no more than to look: portal links and exports are offered, and start', async () => {
    const lines = (await server.call('bulk-actions.bulkActionsNameList')).data as JsonObject[];
    expect(lines.filter(line => line.requiredAccess === 'READ').map(line => line.key)).toEqual(['SEND_PORTAL_LINK', 'EXPORT_SUBSCRIPTION']);
    await query('update users set permissions = $1 where store_id = 1 and id = 1004', [
      JSON.stringify({ bulkActions: 'WRITE', accessCustomerPortal: 'READ', subscriptionDetails: 'READ', orderNotesAndAttributes: 'READ' }),
    ]);
    server.services.sessions.forget(1);
    const create = async (actionKey: string, input: JsonObject): Promise<number> =>
      (await server.call('bulk-actions.create', { actionKey, selection: { mode: 'IDS', ids: [ids[0]!] }, input }, { as: 'readOnly' }))
        .status;
    expect([
      await create('SEND_PORTAL_LINK', {}),
      await create('EXPORT_SUBSCRIPTION', {}),
      await create('UPDATE_NOTE', { mode: 'REMOVE' }),
    ]).toEqual([200, 200, 403]);
    await query("update users set permissions = '{}' where store_id = 1 and id = 1004");
    server.services.sessions.forget(1);
  });

  test('a variant that was chosen before is read by its id; one that is gone is not found', async () => {
    expect((await server.call('store-products.readVariant', { id: goods.other })).data).toMatchObject({
      id: goods.other,
      productTitle: 'Goods other',
      title: '',
    });
    expect((await server.call('store-products.readVariant', { id: goods.gone })).status).toBe(404);
  });

  test('the person who made a bulk action is called by name', async () => {
    const { id } = (
      await server.call('bulk-actions.create', {
        actionKey: 'UPDATE_NOTE',
        selection: { mode: 'IDS', ids: [ids[1]!] },
        input: { mode: 'REMOVE' },
      })
    ).data as { id: number };
    const [owner] = await query<{ email: string; name: string }>(
      "select email, btrim(first_name || ' ' || last_name) as name from users where store_id = 1 and id = 1001",
    );
    expect((await server.call('bulk-actions.read', { id })).data).toMatchObject({ createdBy: owner!.email, createdByName: owner!.name });
    expect(((await server.call('bulk-actions.list')).data as JsonObject[])[0]).toMatchObject({ id, createdByName: owner!.name });
  });
});
