// What a product of a subscription can be swapped for: sold alike first, in the subscription's currency, and never what can't be sold.
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { offerPlans } from './fixture.ts';
import { serverWithGoods } from './goods-server.ts';

describe.each(oneEngine)('products to choose from (%s)', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 1 } });
  const ask = (input: JsonObject, options = {}) => at.server.call('subscription-contract.productChoices', input, options);
  const rows = async (input: JsonObject): Promise<JsonObject[]> => {
    const answer = await ask(input);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.data as JsonObject[];
  };
  beforeAll(async () => {
    const { db } = at.server.services;
    await db.ownerQuery("update products set search = lower(title) where store_id = 1 and title like 'Goods %'");
    await offerPlans(at.server, [at.goods.plain, at.goods.soldOut]);
    await db.ownerQuery("insert into collections (store_id, id, shopify_id, title) values (1, 66001, 66001, 'Goods')");
    for (const product of [at.goods.plain, at.goods.other])
      await db.ownerQuery('insert into collection_products (store_id, collection_id, product_id) values (1, 66001, $1)', [product]);
    await db.ownerQuery("update products set status = 'ARCHIVED' where store_id = 1 and id = $1", [at.goods.digital]);
    await db.ownerQuery(
      "update stores set details = coalesce(details, '{}') || jsonb_build_object('usdRates', '{\"SEK\":0.096}'::jsonb) where id = 1",
    );
    at.server.services.sessions.forget(1);
  });
  const contractIn = async (currency: string): Promise<{ id: number; lineId: number }> => {
    const made = await at.make({
      lines: [{ variantId: at.goods.plain, discountType: 'SELLING_PLAN', sellingPlanId: 88_101 }],
    });
    await at.server.services.db.ownerQuery('update contracts set currency_code = $2 where store_id = 1 and id = $1', [made.id, currency]);
    return { id: made.id, lineId: made.lines[0]!.id as number };
  };

  it('come in three parts, each by title: on the same plan, in the same collection, the others', async () => {
    const { id, lineId } = await contractIn('USD');
    const goods = (await rows({ id, lineId, q: 'goods', pageSize: 50 })).map(one => [one.title, one.heading, one.isCurrent]);
    expect(goods).toEqual([
      ['Goods plain', 'On the same selling plan', true],
      ['Goods soldOut', 'On the same selling plan', false],
      ['Goods other', 'In the same collection', false],
    ]);
    // Archived ones, gift cards, and those without a variant that is there can't be chosen.
    expect((await rows({ id, lineId, q: 'harbour' }))[0]).toMatchObject({ heading: 'Other products' });
    expect((await rows({ id, lineId, q: 'PLAIN goods' })).map(one => one.title)).toEqual(['Goods plain']);
    const all = await ask({ id, lineId, pageSize: 3 });
    const next = await ask({ id, lineId, pageSize: 3, page: 2 });
    expect(new Set([...all.data, ...next.data].map((one: JsonObject) => one.id)).size).toBe(6);
    expect(all.body.pageInfo).toMatchObject({ hasNextPage: true });
  });

  it('D147 cost what the swap will take, in the currency of the subscription', async () => {
    const { id, lineId } = await contractIn('SEK');
    const [other] = await rows({ id, lineId, q: 'goods other' });
    expect(other).toMatchObject({ currencyCode: 'SEK', minPrice: '208.33', maxPrice: '208.33' });
    const [variant] = other!.variants as JsonObject[];
    expect(variant).toMatchObject({ price: '208.33', currencyCode: 'SEK' });
    const swapped = await at.server.call('subscription-contract.swapLine', { id, lineId, variantId: variant!.id as number });
    expect(swapped.status, JSON.stringify(swapped.body)).toBe(200);
    expect((swapped.data.lines as JsonObject[])[0]).toMatchObject({ basePrice: '208.33' });
  });

  it('say so where there is no price in that currency', async () => {
    const { id, lineId } = await contractIn('ISK');
    expect((await rows({ id, lineId, q: 'goods other' }))[0]).toMatchObject({ minPrice: null, refusal: 'It has no price in ISK.' });
  });

  it('are those of the subscription where no line is named, and of nothing that is not there', async () => {
    const { id, lineId } = await contractIn('USD');
    expect((await rows({ id, q: 'goods plain' }))[0]).toMatchObject({ heading: 'On the same selling plan', isCurrent: false });
    expect((await ask({ id: id + 1, lineId })).status).toBe(404);
    expect((await ask({ id, lineId: 999_999_999 })).status).toBe(404);
    expect((await rows({ lineId, q: 'goods plain' }))[0]).toMatchObject({ heading: 'On the same selling plan', isCurrent: true });
    const [plain] = await rows({ q: 'goods plain' });
    expect(plain).toMatchObject({ heading: 'Other products', isCurrent: false, currencyCode: 'USD' });
  });
});
