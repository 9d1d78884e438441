// Upsells and upgrades on a running server: what a subscription is offered, taking it at its price, and what that brought.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { SWITCHES } from '../../../../src/contract/switches.ts';
import { group, monthly } from '../selling-plans/plans.ts';
import { makeContract, offerPlans, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';
import { refusalsOf, type Scene } from './switches.ts';

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
    "delete from offer_events; delete from records where entity in ('upsell-profile', 'upgrade-profile'); delete from setting_history; delete from settings where name = 'upsell-general'",
  );
  made = await makeContract(server, goods, { lines: [{ variantId: goods.plain, discountType: 'SELLING_PLAN' }] });
});

const call = (name: string, input: JsonObject = {}): Promise<any> => server.call(name, input);
const done = async (name: string, input: JsonObject = {}): Promise<any> => {
  const answer = await call(name, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data;
};
const profile = async (table: 'upsell-profiles' | 'upgrade-profiles', over: JsonObject): Promise<number> => {
  const { id } = await done(`${table}.create`, { name: `Profile ${++n}`, ...over });
  await done(`${table}.activate`, { id });
  return id;
};
const offers = async (kind: string, place = 'ADMIN'): Promise<any[]> =>
  (await done('offers.list', { id: made.id, place })).filter((one: any) => one.kind === kind);
const line = (): any => made.lines[0];

describe('upsells', () => {
  const upsell = (over: JsonObject = {}): Promise<number> =>
    profile('upsell-profiles', {
      productSource: 'MANUAL',
      items: [
        { productId: goods.other },
        { productId: goods.soldOut },
        { productId: goods.digital, discountType: 'FIXED_AMOUNT', discountValue: '5' },
      ],
      discountType: 'PERCENTAGE',
      discountValue: '25',
      ...over,
    });

  it('D184 collections shown first are read, added, ordered and removed, those never shown too', async () => {
    const { data } = await call('collections.list');
    const [a, b] = data.map((one: any) => one.id);
    await done('upsell.addRecommendedCollections', { collectionIds: [a, b] });
    await done('upsell.orderRecommendedCollections', { collectionIds: [b, a] });
    expect((await done('upsell.recommendedCollections')).map((one: any) => one.id)).toEqual([b, a]);
    expect(await done('upsell.removeRecommendedCollections', { collectionIds: [b] })).toEqual({ left: 1 });
    await done('upsell.addExcludedCollections', { collectionIds: [b] });
    expect((await done('upsell.excludedCollections')).map((one: any) => one.id)).toEqual([b]);
    expect(await done('upsell.setBannerText', { bannerText: 'One more thing' })).toEqual({ bannerText: 'One more thing' });
    expect(await done('upsell.bannerText')).toEqual({ bannerText: 'One more thing' });
  });

  it('asks for at least one product where the merchant chooses them', async () => {
    for (const items of [[], undefined]) {
      const wrong = await call('upsell-profiles.create', { name: 'Empty', productSource: 'MANUAL', ...(items && { items }) });
      expect(wrong.body.errors.map((error: any) => `${error.pointer} ${error.message}`)).toEqual(['/items Add at least one product.']);
    }
    expect((await call('upsell-profiles.create', { name: 'Popular', productSource: 'POPULAR' })).status).toBe(200);
  });

  it('offers products with the discount of the profile or their own, and adds them to the next order or for good', async () => {
    const id = await upsell();
    await done('upsell.setBannerText', { bannerText: 'One more thing' });
    expect(new Set((await offers('UPSELL')).map(one => one.heading))).toEqual(new Set(['One more thing']));
    expect((await offers('UPSELL')).map(one => [one.variantId, one.price, one.purchaseTypes])).toEqual([
      [goods.other, '15.00', ['ONETIME', 'SUBSCRIPTION']],
      [goods.digital, '15.00', ['ONETIME', 'SUBSCRIPTION']],
    ]);
    const input = { id: made.id, variantId: goods.other, purchaseType: 'SUBSCRIPTION', quantity: 2 };
    const preview = await done('subscription-contract.preview', { id: made.id, action: 'offers.upsell', params: input });
    expect(preview.refusal).toBeUndefined();
    const { lines } = await done('offers.upsell', input);
    expect(lines[1]).toMatchObject({ variantId: goods.other, quantity: 2, price: '15.00', isUpsell: true, isOneTimeAdded: false });
    const once = await done('offers.upsell', { id: made.id, variantId: goods.digital, purchaseType: 'ONETIME' });
    expect(once.lines[2]).toMatchObject({ variantId: goods.digital, price: '15.00', isOneTimeAdded: true });
    expect(await offers('UPSELL')).toEqual([]);
    expect((await call('offers.upsell', input)).status).toBe(409);
    expect(await done('upsell-profiles.read', { id })).toMatchObject({ accepted: 2, revenue: '45.00', monthlyChange: '30.00' });
  });

  it('D186 D187 what upsells brought is asked for a period', async () => {
    const id = await upsell();
    await done('offers.seen', { id: made.id, kind: 'UPSELL', profileId: id, happened: 'VIEWED', place: 'PORTAL' });
    await done('offers.seen', { id: made.id, kind: 'UPSELL', profileId: id, happened: 'VIEWED', place: 'PORTAL' });
    await done('offers.upsell', { id: made.id, variantId: goods.other, purchaseType: 'ONETIME' });
    expect(await done('upsell-profiles.getGeneralUpsellDetails')).toMatchObject({
      itemsSold: { value: 1 },
      oneTimeRevenue: { value: '15.00' },
      netMrrAdded: { value: '0.00' },
      conversionRate: { value: 100 },
    });
    const past = { startDate: '2026-01-01', endDate: '2026-01-31' };
    expect(await done('upsell-profiles.getGeneralUpsellDetails', past)).toMatchObject({ itemsSold: { value: 0 } });
    expect(await done('upsell-profiles.listOfPeriod', { page: 1, limit: 10, ...past })).toMatchObject([{ id, accepted: 0 }]);
    expect((await done('upsell-profiles.list'))[0]).toMatchObject({ id, accepted: 1 });
  });

  it('chooses by itself, and changes the discount of one product', async () => {
    const id = await upsell();
    await done('upsell-profiles.updateItemDiscount', { id, itemId: goods.other, discountType: 'NONE' });
    expect((await offers('UPSELL'))[0]).toMatchObject({ variantId: goods.other, price: '20.00' });
    expect((await call('upsell-profiles.updateItemDiscount', { id, itemId: 1, discountType: 'NONE' })).status).toBe(404);
    await done('upsell-profiles.deactivate', { id });
    await makeContract(server, goods, {
      lines: [
        { variantId: goods.plain, discountType: 'NONE' },
        { variantId: goods.other, discountType: 'NONE' },
      ],
    });
    for (const smartStrategy of ['BOUGHT_TOGETHER', 'NEVER_BOUGHT', 'SAME_COLLECTION', 'PREVIOUSLY_BOUGHT'])
      await upsell({ productSource: 'SMART', items: undefined as never, smartStrategy, purchaseTypes: ['SUBSCRIPTION'] });
    expect((await offers('UPSELL'))[0]).toMatchObject({ variantId: goods.other });
    for (const popularMetric of ['UNITS_SOLD', 'REVENUE', 'SUBSCRIBERS']) {
      await server.services.db.exec("delete from records where entity = 'upsell-profile'");
      await upsell({ productSource: 'POPULAR', items: undefined as never, popularMetric, popularDays: 90, purchaseTypes: ['ONETIME'] });
      expect((await offers('UPSELL')).length, popularMetric).toBeGreaterThan(0);
    }
  });
});

describe('upgrades', () => {
  const upgrade = (over: JsonObject = {}): Promise<number> =>
    profile('upgrade-profiles', { productsMapping: [{ oldVariantId: goods.plain, newVariantId: goods.other, newQuantity: 3 }], ...over });

  it('D064 D065 D066 D067 a new upgrade is a draft of the product alone, at the price of its selling plan', async () => {
    const created = await done('upgrade-profiles.create', {
      name: 'New',
      productsMapping: [{ oldVariantId: goods.plain, newVariantId: goods.other }],
    });
    expect(created).toMatchObject({ status: 'DRAFT', type: 'SKU_UPGRADE', discount: { type: 'BASED_ON_SELLING_PLAN', value: '0' } });
    const wrong = await call('upgrade-profiles.create', {
      name: 'Wrong',
      productsMapping: [
        { oldVariantId: goods.plain, newVariantId: goods.plain },
        { oldVariantId: goods.plain, newVariantId: goods.other },
      ],
      bannerTexts: [{ fieldKey: 'upgradeBannerTitle', value: 'Hello {{unknown}}' }],
    });
    expect(wrong.body.errors.map((error: any) => error.message)).toEqual([
      'Unknown variable {{unknown}}.',
      'Old and new product are identical.',
      'A product can be upgraded only once per profile.',
    ]);
  });

  it('D206 D269 a subscription is assessed by its platform id, with the words of the upgrade filled in', async () => {
    const id = await upgrade({ drawerTexts: [{ fieldKey: 'upgradeDrawerTitle', value: '{{new_product}} for {{new_price}}' }] });
    const { isEligible, profiles } = await done('upgrade-profiles.assess', { subscriptionContractShopifyId: made.shopifyId });
    expect(isEligible).toBe(true);
    expect(profiles[0]).toMatchObject({
      id,
      current: { price: '18.00' },
      upgraded: { quantity: 3, price: '54.00' },
      savingPerOrder: '6.00',
      discountPercent: 10,
    });
    const words = Object.fromEntries([...profiles[0].bannerTexts, ...profiles[0].drawerTexts].map((one: any) => [one.fieldKey, one.value]));
    expect(words).toMatchObject({
      upgradeBannerTitle: 'Get more and save up to 10%',
      upgradeBannerDescription: 'Switch to Goods other and save $6.00 on your subscription.',
      upgradeDrawerTitle: 'Goods other for $54.00',
    });
  });

  it('D025 D026 D027 D028 D063 upgrades the product and the frequency of the whole subscription, and counts it', async () => {
    const every = (interval: string, intervalCount: number): JsonObject => ({ interval, intervalCount });
    const id = await upgrade({
      type: 'SKU_UPGRADE_FREQUENCY_CHANGE',
      frequencies: [{ oldFrequency: every('MONTH', 1), newFrequency: every('WEEK', 2) }],
    });
    const input = { subscriptionContractShopifyId: made.shopifyId, lineId: line().id, profileId: id };
    const preview = await done('subscription-contract.preview', {
      id: made.id,
      action: 'subscription-upgrade.upgradeSubscription',
      params: input,
    });
    expect(preview.refusal).toBeUndefined();
    const view = await done('subscription-upgrade.upgradeSubscription', input);
    expect(view).toMatchObject({ frequency: 'Every 2 weeks', lines: [{ variantId: goods.other, quantity: 3, price: '16.00' }] });
    expect(await done('upgrade-profiles.conversionViews', { profileId: id })).toMatchObject({ value: 1, previousValue: 0 });
    expect((await call('subscription-upgrade.upgradeSubscription', input)).status).toBe(409);
    const lacking = await done('upgrade-profiles.create', {
      name: 'Lacking',
      type: 'SKU_UPGRADE_FREQUENCY_CHANGE',
      productsMapping: [{ oldVariantId: goods.plain, newVariantId: goods.other }],
      frequencies: [{ oldFrequency: every('MONTH', 1), newFrequency: every('YEAR', 1) }],
      discount: { type: 'PERCENTAGE', value: '5' },
      bannerTexts: [{ fieldKey: 'upgradeBannerTitle', value: 'More' }],
      drawerTexts: [{ fieldKey: 'upgradeDrawerTitle', value: 'More of it' }],
      shortDescriptionText: { value: 'Once a year' },
    });
    expect(lacking).toMatchObject({
      status: 'DRAFT',
      name: 'Lacking',
      type: 'SKU_UPGRADE_FREQUENCY_CHANGE',
      productsMapping: [{ oldVariantId: goods.plain, newVariantId: goods.other }],
      frequencies: [{ newFrequency: every('YEAR', 1) }],
      discount: { type: 'PERCENTAGE', value: '5' },
      bannerTexts: [{ fieldKey: 'upgradeBannerTitle', value: 'More' }],
      drawerTexts: [{ fieldKey: 'upgradeDrawerTitle', value: 'More of it' }],
      shortDescriptionText: { fieldKey: 'upgradeShortDescription', value: 'Once a year' },
    });
    expect((await call('upgrade-profiles.activate', { id: lacking.id })).body.message).toBe(
      'No selling plan found for Goods other every year.',
    );
  });

  it('D268 is not shown to who put it away until what was said has happened, or until it is reset', async () => {
    const id = await upgrade();
    await done('offers.seen', { id: made.id, kind: 'UPGRADE', profileId: id, happened: 'DISMISSED', place: 'PORTAL' });
    expect(await offers('UPGRADE', 'PORTAL')).toEqual([]);
    expect(await offers('UPGRADE')).toHaveLength(1);
    expect(await done('upgrade-profiles.getDismissedCount')).toEqual({ count: 1 });
    expect((await call('upgrade-profiles.resetDismissTracker', { profileId: id })).body.message).toBe(
      'The banner shows again to 1 subscriber.',
    );
    expect(await offers('UPGRADE', 'PORTAL')).toHaveLength(1);

    await done('offers.seen', { id: made.id, kind: 'UPGRADE', profileId: id, happened: 'DISMISSED', place: 'PORTAL' });
    const again = async (mode: string, value: number): Promise<number> => {
      const said = JSON.stringify({ showAfterDismiss: { mode, value } });
      await server.services.db.exec(`update records set data = data || '${said}' where entity = 'upgrade-profile' and id = ${id}`);
      return (await offers('UPGRADE', 'PORTAL')).length;
    };
    const modes = [
      'DO_NOT_SHOW',
      'ORDERS_COMPLETED',
      'AMOUNT_COMPLETED',
      'TIME_DURATION_DAYS',
      'TIME_DURATION_WEEKS',
      'TIME_DURATION_MONTHS',
    ];
    for (const mode of modes) expect([mode, await again(mode, 1)]).toEqual([mode, 0]);
    await server.services.db.exec("update offer_events set created_at = created_at - interval '40 days'");
    for (const mode of modes) expect([mode, await again(mode, 1)]).toEqual([mode, mode.startsWith('TIME') ? 1 : 0]);
    const [next] = await done('subscription-contract.ordersSchedule', { id: made.id });
    await done('subscription-contract.chargeNow', { id: made.id, orderId: next.id });
    expect([await again('ORDERS_COMPLETED', 1), await again('AMOUNT_COMPLETED', 10), await again('AMOUNT_COMPLETED', 1000)]).toEqual([
      1, 1, 0,
    ]);
  });

  it('D037 D038 D205 the words of all upgrades are read by category and language, those of one by its id', async () => {
    expect((await done('upgrade-profiles.categories'))[0]).toMatchObject({ id: 'upgrade', count: 16 });
    await done('upgrade-profiles.updateCategories', { categoryId: 'upgrade', texts: [{ key: 'upgradeBannerCta', value: 'Show me' }] });
    const texts = await done('upgrade-profiles.category', { id: 'upgrade' });
    expect(texts.find((text: any) => text.key === 'upgradeBannerCta')).toMatchObject({
      value: 'Show me',
      label: expect.any(String),
      defaultValue: expect.any(String),
      componentUI: 'INPUT',
      position: expect.any(Number),
    });
    expect(texts.map((text: any) => text.position)).toEqual(texts.map((_: any, place: number) => place + 1));
    const inputs: string[] = Object.values(server.services.definitions.entities['store-text']?.properties?.componentUI?.oneOf ?? []).map(
      one => String(one.const),
    );
    expect(inputs).toEqual(expect.arrayContaining(['INPUT', 'TEXT_AREA', 'IMAGE']));
    const id = await upgrade({
      bannerTexts: [{ fieldKey: 'upgradeBannerTitle', value: 'Save {{saving_per_order}}' }],
      shortDescriptionText: { value: 'Three' },
    });
    await done('multilingual.addLanguage', { locale: 'de' });
    const own = await done('upgrade-profiles.multilingualTexts', { profileId: id, localeStoreId: 'de' });
    expect(own.map((text: any) => text.key)).toEqual(['bannerTexts.upgradeBannerTitle.value', 'shortDescriptionText.value']);
    const translations = [{ key: 'bannerTexts.upgradeBannerTitle.value', value: 'Sparen Sie {{saving_per_order}}' }];
    await done('upgrade-profiles.translate', { profileId: id, localeStoreId: 'de', translations });
    expect(
      (
        await call('upgrade-profiles.translate', {
          profileId: id,
          localeStoreId: 'de',
          translations: [{ ...translations[0], value: 'Sparen' } as JsonObject],
        })
      ).status,
    ).toBe(422);
  });
});

it('D121 D122 S244 S245 each feature switch opens what its line says, and while it is off that is refused with its sentence', async () => {
  const collectionId = (await done('collections.list'))[0].id;
  const prepaidPlan = monthly({ isPrepaid: true, recurringBillingPolicyInterval: 'MONTH', recurringBillingPolicyIntervalCount: 3 });
  const { lspgId: groupId, sellingPlans } = await done('selling-plan-groups.create', group({ publish: true, sellingPlans: [prepaidPlan] }));
  await done('selling-plan-groups.addVariants', { lspgId: groupId, productIds: [goods.plain] });
  await profile('upsell-profiles', { productSource: 'MANUAL', items: [{ productId: goods.other }], purchaseTypes: ['ONETIME'] });
  const { id } = await makeContract(server, goods, {
    lines: [{ variantId: goods.plain, discountType: 'NONE' }],
    billingPolicy: { interval: 'MONTH', intervalCount: 3 },
    deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
  });
  const scene: Scene = { server, prepaid: { id, variantId: goods.plain, planId: sellingPlans[0].lspId, groupId, collectionId } };
  // A store that is not special, on the smallest plan for what switches give besides it.
  const have = async (switches: readonly string[], plan: number): Promise<void> => {
    await server.services.db.ownerQuery(
      "update stores set feature_switches = $1, billing_plan_id = $2, is_demo = false, plan_name = 'basic' where id = 1",
      [switches, plan],
    );
    server.services.sessions.forget(1);
  };
  const all = Object.keys(SWITCHES);
  expect(all).toHaveLength(20);
  const effects: Record<string, { on: string[]; off: string[] }> = {};
  for (const name of all.filter(one => one !== 'loopSetupScore')) {
    // Mystery rewards are campaigns, which begin with the second plan.
    const plan = name === 'MYSTERY_REWARDS' ? 2 : SWITCHES[name]?.gives ? 1 : 4;
    await have(
      all.filter(one => one !== name),
      plan,
    );
    const off = await refusalsOf(scene, name);
    await have(all, plan);
    effects[name] = { off, on: await refusalsOf(scene, name) };
  }
  await have(all, 4);
  for (const [name, { on, off }] of Object.entries(effects)) {
    expect(off.length, `${name} is off`).toBeGreaterThan(0);
    expect(on, `${name} is on`).toEqual([]);
  }
});
