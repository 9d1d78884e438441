// Shipping profiles: their rules, and what they make subscriptions cost.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { isOffered, profileFor, zoneFor } from '../../../../src/domain/shipping/profiles.ts';
import { checkOf } from '../../../../src/server/features/alerts/catalogue.ts';
import { scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { ADDRESS, customerWith, inDays, stockGoods, type Goods } from '../subscriptions/fixture.ts';

const rate = (name: string, price: string, more: JsonObject = {}): JsonObject => ({ name, type: 'FLAT', price, ...more });
const zone = (name: string, codes: string[], rates: JsonObject[]): JsonObject => ({
  name,
  countries: codes.map(code => ({ code })),
  rates,
});

describe('shipping profiles', () => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ jobs: true });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());
  const call = (name: string, input: JsonObject = {}): Promise<Answered> => server.call(name, input);
  const sql = <T extends object = JsonObject>(text: string) => server.services.db.ownerQuery<T>(text).then(({ rows }) => rows);
  beforeEach(async () => {
    for (const { id } of await sql<{ id: number }>("select id from records where entity = 'shipping-profile' and deleted_at is null"))
      expect((await call('rest-shipping-profile.delete', { id })).status).toBe(200);
  });
  const create = (profile: JsonObject) => call('rest-shipping-profile.create', profile);
  const message = async (profile: JsonObject): Promise<unknown> => {
    const { status, body } = await create(profile);
    expect(status).toBe(422);
    return body.errors?.map(({ pointer, message: text }) => [pointer, text]);
  };
  const groups = () =>
    sql<{ id: number }>("select id from records where entity = 'selling-plan-group' and store_id = 1 and deleted_at is null order by id");

  it('D006 a profile needs a name, zones with countries and rates, and selling plan groups unless it is the general one', async () => {
    const home = zone('Home', ['US'], [rate('Post', '5.00')]);
    expect(await message({ name: '', isDefault: true, zones: [home] })).toEqual([['/name', 'Enter a profile name']]);
    expect(await message({ name: 'A', isDefault: true, zones: [] })).toEqual([['/zones', 'Add at least one zone']]);
    expect(await message({ name: 'A', zones: [home] })).toEqual([['/sellingPlanGroupIds', 'Select at least one selling plan group']]);
    expect(await message({ name: 'A', isDefault: true, zones: [home, zone('Again', ['US'], [rate('Post', '1.00')])] })).toEqual([
      ['/zones/1/countries/0/code', 'This country is already in another zone'],
    ]);
    expect(await message({ name: 'A', isDefault: true, zones: [zone('Home', ['US'], [rate('Post', '-1.00')])] })).toEqual([
      ['/zones/0/rates/0/price', 'Enter a price between 0 and 1,000,000.'],
    ]);
    const tiers = (first: JsonObject, second: JsonObject) => [
      zone('Home', ['US'], [rate('Post', '5.00', { type: 'WEIGHT', ...first }), rate('Post', '9.00', { type: 'WEIGHT', ...second })]),
    ];
    expect(await message({ name: 'A', isDefault: true, zones: tiers({ maxWeight: 2 }, { minWeight: 1 }) })).toEqual([
      ['/zones/0/rates/1/maxWeight', 'The ranges of “Post” overlap. Each order must fit one of them.'],
    ]);
    expect((await create({ name: 'General', isDefault: true, zones: tiers({ maxWeight: 2 }, { minWeight: 2 }) })).status).toBe(200);
    expect(await message({ name: 'Second', isDefault: true, zones: [home] })).toEqual([
      ['/isDefault', '“General” is the general profile already. Make it a profile of selling plan groups first.'],
    ]);
  });

  it('D006 a selling plan group belongs to one profile at most', async () => {
    const [group] = await groups();
    const zones = [zone('Home', ['US'], [rate('Post', '5.00')])];
    const first = await create({ name: 'First', sellingPlanGroupIds: [group!.id], zones });
    expect(first.status).toBe(200);
    const [[pointer, text]] = (await message({ name: 'Second', sellingPlanGroupIds: [group!.id], zones })) as [[string, string]];
    expect(pointer).toBe('/sellingPlanGroupIds/0');
    expect(text).toMatch(/is in the profile “First”\. Remove it there first\.$/);
    // It may be saved again itself, and keeps the ids of its rates.
    const { data } = await call('rest-shipping-profile.read', { id: first.data.id as number });
    const again = await call('rest-shipping-profile.update', { ...editable(data), name: 'First of all' });
    expect(again.status).toBe(200);
    expect((again.data.zones as JsonObject[])[0]).toEqual((data.zones as JsonObject[])[0]);
  });
  const editable = ({ zoneNames: _z, plansCount: _p, createdAt: _c, updatedAt: _u, ...rest }: JsonObject): JsonObject => rest;

  const subscription = async (quantity: number, more: JsonObject = {}): Promise<Answered> => {
    const { id, methods } = await customerWith(server, 'ok');
    return call('subscription-contract.create', {
      customerId: id,
      paymentMethodId: methods[0]!,
      lines: [{ variantId: goods.plain, quantity }],
      billingPolicy: { interval: 'MONTH', intervalCount: 1 },
      nextBillingDateEpoch: inDays(10),
      deliveryType: 'SHIPPING',
      address: ADDRESS,
      ...more,
    });
  };
  const shippingOf = (a: Answered): string => JSON.stringify(a.data.deliveryPrice);

  it('D081 a new subscription is shipped at the rates of its profile, or refused where no zone reaches', async () => {
    await create({
      name: 'General',
      isDefault: true,
      zones: [
        zone(
          'Home',
          ['US'],
          [
            rate('Post', '7.00', { type: 'PRICE', maxPrice: '50.00' }),
            rate('Post', '0.00', { type: 'PRICE', minPrice: '50.00' }),
            rate('Courier', '19.00'),
          ],
        ),
      ],
    });
    const small = await subscription(1);
    expect(small.status, JSON.stringify(small.body)).toBe(200);
    expect(shippingOf(small)).toContain('7.00');
    expect(shippingOf(await subscription(3))).toMatch(/"0\.00"/);
    const abroad = await subscription(1, { address: { ...ADDRESS, countryCode: 'CA', provinceCode: 'ON', zip: 'M5V 2T6' } });
    expect(abroad.status).toBe(422);
    expect(abroad.body.message).toBe("The store doesn't ship to CA.");
  });

  it('D154 “Update shipping now” works the price out again from the saved profiles', async () => {
    const made = await create({ name: 'General', isDefault: true, zones: [zone('Home', ['US'], [rate('Post', '7.00')])] });
    const contract = await subscription(1);
    const { data } = await call('rest-shipping-profile.read', { id: made.data.id as number });
    const zones = structuredClone(data.zones) as JsonObject[];
    Object.assign((zones[0]!.rates as JsonObject[])[0]!, { price: '8.25', name: 'Parcel' });
    expect((await call('rest-shipping-profile.update', { ...editable(data), zones })).status).toBe(200);
    expect((await call('preferences-app.updateShippingPrices', { myshopify_domain: 'fernandember.myshopify.com' })).status).toBe(200);
    await expect
      .poll(
        async () => (await sql<{ p: number }>(`select delivery_price as p from contracts where id = ${String(contract.data.id)}`))[0]!.p,
        {
          timeout: 20_000,
        },
      )
      .toBe(825);
  });

  it('D006 alerts tell of a profile without plans and of subscriptions that no rate reaches', async () => {
    const [group] = await groups();
    const contract = await subscription(1);
    await create({ name: 'General', isDefault: true, zones: [zone('North', ['IS'], [rate('Ship', '5.00')])] });
    await create({ name: 'Old', sellingPlanGroupIds: [group!.id], zones: [zone('Home', ['US'], [rate('Post', '5.00')])] });
    await sql(`update records set deleted_at = now() where entity = 'selling-plan-group' and store_id = 1 and id = ${group!.id}`);
    const find = (key: string) =>
      server.services.db.inStore(1, async trx => {
        const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
        const scope = scopeOf(trx, store, new Date(), server.services.definitions.plans);
        const check = checkOf(key)!;
        const found = await check.find(scope);
        const affected = await check.rows(scope, { limit: 500, offset: 0 });
        expect(affected.total).toBe(found.count);
        return { ...found, rows: affected.rows };
      });
    const unreached = await find('PLANS_NO_SHIPPING');
    expect(unreached.rows.map(row => row.contractId)).toContain(contract.data.id);
    expect(await find('SHIPPING_PROFILE_NO_PLAN')).toMatchObject({
      count: 1,
      summary: '1 shipping profile counts for no selling plan.',
      rows: [{ label: 'Old' }],
    });
    await sql(`update records set deleted_at = null where entity = 'selling-plan-group' and store_id = 1 and id = ${group!.id}`);
  });

  it('D006 a province goes before its country, and the profile of a group before the general one', () => {
    const zones = [
      { name: 'US', countries: [{ code: 'US' }], rates: [] },
      { name: 'Islands', countries: [{ code: 'US', provinces: ['HI', 'AK'] }], rates: [] },
    ];
    const [general, own] = [
      { id: 1, name: 'G', isDefault: true, zones },
      { id: 2, name: 'O', sellingPlanGroupIds: [7], zones },
    ];
    expect(zoneFor(general, { countryCode: 'US', provinceCode: 'HI' })?.name).toBe('Islands');
    expect(zoneFor(general, { countryCode: 'US', provinceCode: 'NY' })?.name).toBe('US');
    expect(zoneFor(general, { countryCode: 'FR' })).toBeUndefined();
    expect(profileFor([general, own], [7])).toBe(own);
    expect(profileFor([general, own], [8])).toBe(general);
    expect(profileFor([own], [8])).toBeUndefined();
    const heavy = { id: 'x', name: 'H', type: 'WEIGHT' as const, price: '1', minWeight: 2, maxWeight: 5 };
    expect([1.9, 2, 4.9, 5].map(weight => isOffered(heavy, { weight, value: 0 }))).toEqual([false, true, true, false]);
  });
});
