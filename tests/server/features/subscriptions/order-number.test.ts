// Customers name the order, not the subscription: its number finds the subscription in the list and in the palette.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('the number of an order (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 30, stores: 2 } });
  });
  afterAll(() => server.close());

  const list = (input: JsonObject) => server.call('subscription-contract.list', input);
  const ids = async (input: JsonObject): Promise<number[]> => ((await list(input)).data as JsonObject[]).map(row => Number(row.id));
  /** An order of another subscription than the newest, by its number in the store. */
  async function order(): Promise<{ contract: number; number: number; status: string }> {
    const { rows } = await server.services.db.ownerQuery<{ contract: number; number: number; status: string }>(`
      select o.contract_id as contract, o.shopify_order_number as number, c.status from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id
      where o.store_id = 1 and o.shopify_order_number is not null order by o.id limit 1`);
    return { contract: Number(rows[0]!.contract), number: Number(rows[0]!.number), status: rows[0]!.status };
  }

  it('D055 finds the subscription that placed it, first, with and without its sign', async () => {
    const { contract, number } = await order();
    for (const q of [String(number), `#${number}`, ` ${number} `]) expect((await ids({ q }))[0]).toBe(contract);
    const { body } = await list({ q: String(number) });
    expect(body.pageInfo?.total).toBe((body.data as unknown[]).length);
    expect(await ids({ q: `${contract}` })).toContain(contract);
    expect(await ids({ q: `#${contract}` })).toContain(contract);
  });

  it('keeps to the filters of the list and to the store, and adds nothing to later pages', async () => {
    const { contract, number, status } = await order();
    expect(await ids({ q: String(number), filter: { status: [status] } })).toContain(contract);
    const other = ['ACTIVE', 'PAUSED', 'CANCELLED'].find(one => one !== status)!;
    expect(await ids({ q: String(number), filter: { status: [other] } })).not.toContain(contract);
    const elsewhere = await server.signIn('owner', 2);
    const found = (await server.call('subscription-contract.list', { q: String(number) }, { as: elsewhere })).data as JsonObject[];
    expect(found.map(row => Number(row.id))).not.toContain(contract);
    const none = await list({ q: '999999' });
    expect([none.data, none.body.pageInfo?.total]).toEqual([[], 0]);
  });

  it('D075 means the same subscriptions when all that match are selected for a bulk action', async () => {
    const { contract, number, status } = await order();
    const bulk = async (q: string, filter: JsonObject = {}) =>
      (await server.call('bulk-actions.entityCount', { selection: { mode: 'FILTER', q, filter } })).data as { count: number };
    for (const q of [String(number), `#${number}`]) expect((await bulk(q)).count, q).toBe((await ids({ q })).length);
    expect(await ids({ q: String(number) })).toContain(contract);
    expect((await bulk(String(number), { status: [status] })).count).toBe(
      (await ids({ q: String(number), filter: { status: [status] } })).length,
    );
    const other = ['ACTIVE', 'PAUSED', 'CANCELLED'].find(one => one !== status)!;
    const without = await ids({ q: String(number), filter: { status: [other] } });
    expect((await bulk(String(number), { status: [other] })).count).toBe(without.length);
  });
});
