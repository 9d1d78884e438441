// Product swaps on a running server: what is shown first or never, the profile that applies, taking a swap, and what swaps brought.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, offerPlans, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

describe('product swaps', () => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;
  let n = 0;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 6 } });
    goods = await stockGoods(server);
    await offerPlans(server, [goods.plain, goods.other, goods.digital, goods.soldOut]);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    await server.services.db.exec(
      "delete from offer_events; delete from records where entity = 'swap-profile'; delete from setting_history; delete from settings where name = 'swap-general'",
    );
    made = await makeContract(server, goods, { lines: [{ variantId: goods.plain, discountType: 'SELLING_PLAN' }] });
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => server.call(name, input);
  const profile = async (over: JsonObject, isOn = true): Promise<number> => {
    const answer = await call('swap.create', {
      name: `Profile ${++n}`,
      matchType: 'PRODUCT',
      sourceProducts: { productIds: [goods.plain], variantIds: [] },
      targetProducts: { productIds: [goods.other], variantIds: [] },
      ...over,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    if (isOn) expect((await call('swap.activate', { id: answer.data.id })).status).toBe(200);
    return answer.data.id;
  };
  const lineId = (): number => Number(made.lines[0]?.id);
  const offers = async (place = 'ADMIN'): Promise<any[]> => (await call('offers.swaps', { id: made.id, lineId: lineId(), place })).data;

  it('D297 excluded and priority products have a read, an add and a remove call', async () => {
    for (const [list, add, remove, ids] of [
      ['excluded', 'addExcluded', 'removeExcluded', [goods.other, goods.digital]],
      ['priority', 'addPriority', 'removePriority', [goods.digital, goods.other]],
    ] as const) {
      expect((await call(`swap-choices.${add}`, { productIds: [...ids] })).data).toEqual({ joined: 2 });
      expect((await call(`swap-choices.${add}`, { productIds: [ids[0]] })).data).toEqual({ joined: 0 });
      expect((await call(`swap-choices.${list}`)).data.map((one: any) => one.id)).toEqual(ids);
      expect((await call(`swap-choices.${remove}`, { productIds: [ids[0]] })).data).toEqual({ left: 1 });
      expect((await call(`swap-choices.${list}`)).data.map((one: any) => one.id)).toEqual([ids[1]]);
    }
    expect((await call('swap-choices.addExcluded', { productIds: [99_999_999] })).status).toBe(404);
    expect((await call('swap.generalSwapDetails')).data).toMatchObject({ priorityProductIds: [goods.other], version: 4 });
  });

  it('offers by the general settings where no profile fits: in stock, not excluded, priority first', async () => {
    await call('swap-choices.addPriority', { productIds: [goods.digital] });
    expect((await offers()).map(one => one.variantId).slice(0, 2)).toEqual([goods.digital, goods.other]);
    expect((await offers()).map(one => one.variantId)).not.toContain(goods.soldOut);
    await call('swap-choices.addExcluded', { productIds: [goods.digital] });
    expect((await offers()).map(one => one.variantId)).toEqual([goods.other]);
    await call('settings.set', { settingsPage: 'swap-general', isEnabled: false });
    expect(await offers()).toEqual([]);
  });

  it('offers nothing beyond the scope of the settings, what is shown first neither', async () => {
    const { db } = server.services;
    // A product that is sold by another plan alone.
    const group = `(select plan_group_id from contract_lines where id = ${lineId()})`;
    await db.exec(`create temporary table away as select * from plan_products where group_id = ${group} and product_id = ${goods.digital};
      delete from plan_products where group_id = ${group} and product_id = ${goods.digital}`);
    await call('swap-choices.addPriority', { productIds: [goods.digital] });
    const shown = async (scope: string): Promise<number[]> => {
      expect((await call('settings.set', { settingsPage: 'swap-general', scope })).status).toBe(200);
      return (await offers()).map(one => one.variantId);
    };
    expect(await shown('SAME_SELLING_PLAN')).toEqual([goods.other]);
    expect(await shown('SAME_PRODUCT_VARIANTS')).toEqual([]);
    await db.exec('insert into plan_products select * from away; drop table away');
    expect(await shown('SAME_SELLING_PLAN')).toEqual([goods.digital, goods.other]);
  });

  it('uses the first profile that fits, by priority and conditions', async () => {
    const first = await profile({
      matchType: 'BOTH',
      conditions: { match: 'ALL', rows: [{ conditionKey: 'PRODUCT_QUANTITY', operator: 'GTE', value: 5 }] },
      targetProducts: { productIds: [goods.digital], variantIds: [] },
    });
    const second = await profile({ showIn: ['PORTAL'], targetProducts: { productIds: [goods.other, goods.soldOut], variantIds: [] } });
    expect((await offers()).map(one => [one.profileId, one.variantId])).toEqual([[second, goods.other]]);
    expect((await offers('CANCELLATION_FLOW')).every(one => one.profileId === 0)).toBe(true);
    await call('subscription-contract.updateQuantity', { id: made.id, lineId: lineId(), quantity: 5 });
    expect((await offers()).map(one => [one.profileId, one.variantId])).toEqual([[first, goods.digital]]);
    await call('swap.order', { ids: [second, first] });
    expect((await offers()).map(one => one.profileId)).toEqual([second]);
    await call('swap.deactivate', { id: second });
    expect((await offers()).map(one => one.profileId)).toEqual([first]);
  });

  it('swaps by the profile with its price, shows it before, and counts it', async () => {
    const id = await profile({ pricing: 'NO_DISCOUNT' });
    const input = { id: made.id, lineId: lineId(), variantId: goods.other };
    const preview = await call('subscription-contract.preview', { id: made.id, action: 'offers.swap', params: input });
    expect(preview.data.refusal).toBeUndefined();
    expect(preview.data.lines).toHaveLength(1);
    const answer = await call('offers.swap', input);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.data.lines[0]).toMatchObject({ id: lineId(), variantId: goods.other, price: '20.00' });
    expect((await call('swap.analytics', { profileId: id })).data).toMatchObject({
      swaps: { value: 1, previousValue: 0 },
      uniqueSubscribers: { value: 1 },
      savedInCancellationFlow: { value: 0 },
      valueChange: { value: '2.00' },
      topPairs: [{ from: 'Goods plain', to: 'Goods other', count: 1 }],
    });
    expect((await call('swap.read', { id })).data).toMatchObject({ accepted: 1 });
    expect((await call('offers.swap', input)).status).toBe(409);
  });

  it('D188 the words of a profile are read and translated by its id', async () => {
    const id = await profile({ title: 'Something else?', badge: 'Try this' });
    const { data } = await call('swap.translations', { profileId: id });
    expect(data.map((text: any) => text.key)).toEqual(['title', 'badge']);
    expect(data[0]).toMatchObject({ source: 'Something else?', entityId: String(id) });
  });

  it('tells what a profile lacks', async () => {
    const wrong = await call('swap.create', { name: 'Empty', matchType: 'PRODUCT', targetProducts: { productIds: [], variantIds: [] } });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.map((error: any) => error.message)).toEqual([
      'Add at least one product that may go.',
      'Add at least one replacement product.',
    ]);
    const id = await profile({ targetProducts: { productIds: [goods.plain], variantIds: [] } }, false);
    expect((await call('swap.activate', { id })).body.message).toBe('Replacement products must differ from the source.');
    expect((await call('swap.config')).data.conditions.map((one: any) => one.key)).toContain('SHIPPING_COUNTRY');
  });
});
