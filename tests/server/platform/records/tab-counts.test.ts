// The numbers on tabs: for every list that shows them, each says how many rows its tab finds, and follows what happens to them. And the filters a tab's rows can be narrowed by.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callFor, callNamed } from '../../../../src/contract/find.ts';
import { at } from '../../../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods } from '../../features/subscriptions/fixture.ts';
import { group } from '../../features/selling-plans/plans.ts';

describe.each(oneEngine)('numbers on tabs (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 30, stores: 2 }, jobs: true, config: { workers: 0 } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());

  const done = async (name: string, input: JsonObject = {}): Promise<JsonObject> => {
    const answer = await server.call(name, input);
    expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.data as JsonObject;
  };
  /** The tabs with numbers of every list: what the number says, and how many rows the list finds in that tab. */
  async function tabs(as?: string): Promise<{ tab: string; said: JsonValue | undefined; found: number | undefined }[]> {
    const { definitions } = server.services;
    const all: { tab: string; said: JsonValue | undefined; found: number | undefined }[] = [];
    for (const resource of Object.values(definitions.resources)) {
      const counted = resource.list?.tabs?.filter(tab => tab.count !== undefined) ?? [];
      if (counted.length === 0) continue;
      const list = resource.list?.call ? callNamed(definitions, resource.list.call, resource) : callFor(definitions, resource, 'list');
      const said = (await server.call(`${resource.calls}.counts`, {}, as ? { as } : {})).data as JsonValue;
      for (const tab of counted) {
        const { size = 'pageSize' } = definitions.hosts[list!.host]?.pagers[list!.page ?? 'whole'] ?? {};
        const { body } = await server.call(list!.name, { [size]: 1, ...(tab.filter ? { filter: tab.filter } : {}) }, as ? { as } : {});
        all.push({ tab: `${resource.title}: ${tab.title}`, said: at(said, tab.count!), found: body.pageInfo?.total });
      }
    }
    return all;
  }
  const agree = async (as?: string): Promise<void> => {
    for (const { tab, said, found } of await tabs(as)) expect([tab, said]).toEqual([tab, found]);
  };
  const of = async (call: string): Promise<Record<string, number>> => (await server.call(call)).data as Record<string, number>;

  it('every list with tabs of states says how many rows each holds, for each store by itself', async () => {
    const titles = new Set((await tabs()).map(({ tab }) => tab.split(':')[0]));
    for (const title of ['Subscriptions', 'Customers', 'Products', 'Selling plans', 'Account logs', 'Bulk actions'])
      expect(titles).toContain(title);
    await agree();
    await agree(await server.signIn('owner', 2));
  });

  it('products that are imported, archived or deleted move from number to number', async () => {
    const before = await of('store-products.counts');
    const set = (text: string): Promise<unknown> =>
      server.services.db.ownerQuery(`update products set ${text} where store_id = 1 and id in ($1, $2)`, [goods.plain, goods.other]);
    await set("status = 'ARCHIVED'");
    expect(await of('store-products.counts')).toEqual({ ...before, ACTIVE: before.ACTIVE! - 2, ARCHIVED: before.ARCHIVED! + 2 });
    await set('deleted_at = now()');
    expect(await of('store-products.counts')).toEqual({ ...before, all: before.all! - 2, ACTIVE: before.ACTIVE! - 2 });
    await agree();
    await set("status = 'ACTIVE', deleted_at = null");
    expect(await of('store-products.counts')).toEqual(before);
  });

  it('selling plan groups count as drafts until they are published, and no more when they are deleted; each step is in the log', async () => {
    const [groups, log] = [await of('selling-plan-groups.counts'), await of('logs.counts')];
    const { lspgId } = await done('selling-plan-groups.create', group({ merchantCode: `tabs-${engine}` }));
    expect(await of('selling-plan-groups.counts')).toEqual({ ...groups, all: groups.all! + 1, DRAFT: groups.DRAFT! + 1 });
    await server.services.db.ownerQuery('insert into plan_products (store_id, group_id, product_id) values (1, $1, $2)', [
      lspgId,
      goods.plain,
    ]);
    await done('selling-plan-groups.publish', { lspgId: lspgId! });
    expect(await of('selling-plan-groups.counts')).toEqual({ ...groups, all: groups.all! + 1, ACTIVE: groups.ACTIVE! + 1 });
    await done('selling-plan-groups.delete', { lspgId: lspgId! });
    expect(await of('selling-plan-groups.counts')).toEqual(groups);
    expect(await of('logs.counts')).toEqual({ ...log, all: log.all! + 3, team: log.team! + 3 });
    await server.services.db.ownerQuery("delete from account_log where store_id = 1 and entity = 'selling-plan-group' and entity_id = $1", [
      String(lspgId),
    ]);
    expect(await of('logs.counts')).toEqual(log);
    await agree();
  });

  it('D075 drafts, scheduled, running and failed bulk actions are counted apart', async () => {
    const { id: contractId } = await makeContract(server, goods);
    const draft = (): Promise<JsonObject> =>
      done('bulk-actions.create', {
        actionKey: 'UPDATE_NOTE',
        selection: { mode: 'IDS', ids: [contractId] },
        input: { mode: 'REPLACE', note: 'Seen' },
      });
    const before = await of('bulk-actions.counts');
    const [one, two] = [await draft(), await draft()];
    await draft();
    await done('bulk-actions.queue', { id: one.id! });
    await done('bulk-actions.runBulkAction', { id: two.id!, scheduledAtEpoch: Math.floor(Date.now() / 1000) + 86_400 });
    expect(await of('bulk-actions.counts')).toEqual({
      all: before.all! + 3,
      running: before.running! + 1,
      scheduled: before.scheduled! + 1,
      withErrors: before.withErrors!,
      drafts: before.drafts! + 1,
    });
    await done('bulk-actions.cancel', { id: one.id! });
    expect(await of('bulk-actions.counts')).toMatchObject({ all: before.all! + 3, running: before.running! });
    await agree();
  });

  it('subscriptions are found by whether a discount is on them', async () => {
    const { id } = await makeContract(server, goods);
    const found = async (hasDiscount: boolean): Promise<boolean> =>
      ((await server.call('subscription-contract.list', { pageSize: 250, filter: { hasDiscount } })).data as JsonObject[]).some(
        row => row.id === id,
      );
    expect([await found(true), await found(false)]).toEqual([false, true]);
    const { discounts } = await done('subscription-contract.addDiscount', {
      id,
      title: 'Loyal',
      type: 'PERCENTAGE',
      value: '10',
      lineIds: [],
    });
    expect([await found(true), await found(false)]).toEqual([true, false]);
    await done('subscription-contract-app.removeDiscountCode', { id, discountId: (discounts as JsonObject[])[0]!.id! });
    expect([await found(true), await found(false)]).toEqual([false, true]);
  });
});
