// Bundles on a subscription: adding one, its price, changing what is in a box, leaving it out once, removing it.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import type { PublishedProduct, PublishedProducts, StorefrontIndex } from '../../../../src/domain/widgets/published.ts';
import { contractUpdate } from '../../../../src/server/features/bulk-actions/jobs/contract-update.ts';
import { jobWith } from '../../../support/job.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { offerPlans, type Made } from '../subscriptions/fixture.ts';

const GROUP = 77_101;

describe('bundles on a subscription', () => {
  const at = serverWithGoods({ jobs: true, config: { workers: 0 }, seed: { contracts: 6 } });
  let made: Made;
  let box: number;
  let preset: any;
  beforeAll(async () => {
    await offerPlans(at.server, [at.goods.plain, at.goods.other, at.goods.digital]);
  });
  beforeEach(async () => {
    await at.server.services.db.exec("delete from records where entity = 'bundle'; delete from settings where name = 'bundle-preferences'");
    box = await publish({
      name: 'Tasting box',
      bundleType: 'BYOB',
      purchaseType: 'ALL',
      applyDiscountOnOnetime: true,
      sellingPlanGroupId: GROUP,
      productIds: [at.goods.plain, at.goods.other],
      type: 'RANGE',
      boxSizes: [{ name: 'Box', minSize: 2, maxSize: 10 }],
      discountType: 'PERCENTAGE',
      discounts: [
        { name: 'Two', conditionType: 'QUANTITY', minCartQuantity: 2, value: '5' },
        { name: 'Five', conditionType: 'QUANTITY', minCartQuantity: 5, value: '20' },
      ],
    });
    preset = await publish({
      name: 'Starter set',
      bundleType: 'PRESET',
      purchaseType: 'SUBSCRIPTION',
      sellingPlanGroupId: GROUP,
      productId: at.goods.digital,
      discountType: 'FIXED_PRICE',
      variants: [
        {
          variantId: at.goods.digital,
          discountValue: '29.85',
          items: [
            { variantId: at.goods.plain, quantity: 1 },
            { variantId: at.goods.other, quantity: 1 },
          ],
        },
      ],
    });
    made = await at.make({ lines: [{ variantId: at.goods.other, discountType: 'NONE' }] });
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => at.server.call(name, input);
  const { ok: must } = at;
  const publish = async (input: JsonObject): Promise<number> => {
    const { id } = await must('bundles.create', input);
    await must('bundles.publish', { id });
    return id;
  };
  const items = (...pairs: [number, number][]): JsonObject[] => pairs.map(([variantId, quantity]) => ({ variantId, quantity }));
  const addBox = (...pairs: [number, number][]): Promise<any> =>
    must('subscription-bundles.addBox', { id: made.id, bundleId: box, items: items(...pairs) });
  const lasts = async (id = made.id): Promise<any> => (await call('subscription-contract.read', { id })).data;
  const total = (view: any): number => Number(view.total) - Number(view.deliveryPrice);

  it('costs what is in it by the plan of the bundle, less its discount, and follows its contents', async () => {
    const view = await addBox([at.goods.plain, 2]);
    // 2 × 20.00 less 10 % of the plan, less 5 %: 34.20, beside the product of 20.00.
    expect(view.bundles).toMatchObject([{ bundleId: box, name: 'Tasting box', discountedPrice: '34.20', contents: '2 × Goods plain' }]);
    expect(total(view)).toBeCloseTo(54.2);
    const { bundleTransactionId } = view.bundles[0];
    const larger = await must('subscription-bundles.changeContents', {
      id: made.id,
      bundleTransactionId,
      items: items([at.goods.plain, 3], [at.goods.other, 2]),
    });
    // 5 × 18.00 less 20 %.
    expect(larger.bundles[0].discountedPrice).toBe('72.00');
    expect(larger.discounts.filter((one: any) => one.kind === 'BUNDLE')).toMatchObject([{ type: 'PERCENTAGE', value: '20' }]);
    expect((await call('bundles.read', { id: box })).data.activeSubscriptionCount).toBe(1);
    expect((await call('subscription-contract.list', { filter: { bundleIds: [box] } })).data.map((one: any) => one.id)).toEqual([made.id]);
    expect((await call('bundles.delete', { id: box })).body.message).toBe(
      'This bundle is part of active subscriptions. Move it to draft instead.',
    );
    const [{ key, data }] = (await call('subscription-contract.activity', { id: made.id })).data;
    expect([key, data.name]).toEqual(['bundle_updated', 'Tasting box']);
  });

  it('refuses a box that does not fit, and changes of single products of a bundle', async () => {
    const tooFew = await call('subscription-bundles.addBox', { id: made.id, bundleId: box, items: items([at.goods.plain, 1]) });
    expect(tooFew.body.errors[0].message).toBe('There is 1 piece in the box. It must hold 2 to 10.');
    const strange = await call('subscription-bundles.addBox', {
      id: made.id,
      bundleId: box,
      items: items([at.goods.plain, 1], [at.goods.digital, 1]),
    });
    expect(strange.body.errors[0].message).toBe('Goods digital is not part of this bundle.');
    const view = await addBox([at.goods.plain, 2]);
    const [lineId] = view.bundles[0].lineIds;
    for (const [name, input] of [
      ['removeLine', {}],
      ['updateQuantity', { quantity: 3 }],
      ['swapLine', { variantId: at.goods.other }],
      ['skipLineItem', {}],
    ] as const)
      expect((await call(`subscription-contract.${name}`, { id: made.id, lineId, ...input })).body.message).toMatch(
        /part of the bundle “Tasting box”/,
      );
    const discount = view.discounts.find((one: any) => one.kind === 'BUNDLE');
    expect((await call('subscription-contract-app.removeDiscountCode', { id: made.id, discountId: discount.id })).status).toBe(409);
    // The same product by itself is another line.
    const both = await must('subscription-contract.addLine', { id: made.id, variantId: at.goods.plain, quantity: 1 });
    expect(both.lines.filter((line: any) => line.variantId === at.goods.plain).length).toBe(2);
  });

  it('C239 deleteOnce leaves a bundle out of the next order alone; what has no plan of the frequency comes once', async () => {
    const { bundles } = await addBox([at.goods.plain, 2]);
    const { bundleTransactionId, firstLineId } = bundles[0];
    const left = await must('bundles-main.deleteOnce', { id: made.id, bundleTransactionId });
    expect(left.bundles[0].isOneTimeRemoved).toBe(true);
    const orders = (await call('subscription-contract.ordersSchedule', { id: made.id })).data;
    expect(orders.slice(0, 2).map((one: any) => one.lines?.length ?? one.items?.length)).toEqual([1, 2]);
    expect(
      (await must('subscription-contract-app.undoRemoveOneTime', { id: made.id, lineId: firstLineId })).bundles[0].isOneTimeRemoved,
    ).toBe(false);
    const removed = await must('subscription-bundles.removeBundle', { id: made.id, bundleTransactionId });
    expect([removed.bundles, removed.discounts, removed.lines.length]).toEqual([[], [], 1]);

    const yearly = await at.make({
      lines: [{ variantId: at.goods.other, discountType: 'NONE' }],
      billingPolicy: { interval: 'YEAR', intervalCount: 1 },
    });
    const once = await must('subscription-bundles.addBox', { id: yearly.id, bundleId: box, items: items([at.goods.plain, 2]) });
    expect(once.bundles[0].isOneTimeAdded).toBe(true);
    expect((await call('subscription-bundles.addPreset', { id: yearly.id, variantId: at.goods.digital })).body.errors[0].message).toBe(
      '“Starter set” is not sold with the frequency of this subscription.',
    );
    expect((await call('subscription-bundles.choices', { id: yearly.id, bundleType: 'PRESET' })).data).toEqual([]);
  });

  it('D029 D030 D173 a preset bundle has its fixed price, and subscriptions follow its contents by a bulk update', async () => {
    await at.server.services.db.exec(
      "insert into settings (store_id, name, data) values (1, 'bundle-preferences', '{\"showBundleName\": true}')",
    );
    const view = await must('subscription-bundles.addPreset', { id: made.id, variantId: at.goods.digital, quantity: 2 });
    expect(view.bundles).toMatchObject([{ discountedPrice: '59.70', quantity: 2, contents: '2 × Goods plain, 2 × Goods other' }]);
    expect(view.lines.at(-1).attributes).toEqual([{ key: 'Bundle', value: 'Starter set' }]);
    const { bundleTransactionId } = view.bundles[0];
    // Three times an amount that no binary fraction is: it is multiplied in cents.
    const three = await must('subscription-bundles.changeBundleQuantity', { id: made.id, bundleTransactionId, quantity: 3 });
    expect(three.bundles).toMatchObject([{ discountedPrice: '89.55', quantity: 3 }]);
    const one = await must('subscription-bundles.changeBundleQuantity', { id: made.id, bundleTransactionId, quantity: 1 });
    expect(one.bundles).toMatchObject([{ discountedPrice: '29.85', quantity: 1, contents: '1 × Goods plain, 1 × Goods other' }]);

    const bundle = (await call('bundles.read', { id: preset })).data;
    const {
      id: _id,
      status: _s,
      createdAt: _c,
      updatedAt: _u,
      publicId: _p,
      productCount: _n,
      activeSubscriptionCount: _a,
      ...fields
    } = bundle;
    const variants = [{ ...fields.variants[0], items: [{ variantId: at.goods.plain, quantity: 3 }] }];
    await must('bundles.update', { ...fields, id: preset, variants });
    const run = await must('bundles-bulk.updateSubscriptions', { bundleId: preset });
    expect((await call('bulk-actions.checkPresetBAInProgress')).data.inProgress).toBe(true);
    expect((await call('bundles.delete', { id: preset })).body.message).toBe('A bundle update is still being applied to subscriptions.');
    await contractUpdate.run(at.server.services, { storeId: 1, runId: run.runId }, jobWith(new AbortController().signal));
    expect((await call('bulk-actions.checkPresetBAInProgress')).data.inProgress).toBe(false);
    expect((await lasts()).bundles).toMatchObject([{ contents: '3 × Goods plain', discountedPrice: '29.85' }]);

    const change = (changeType: string, more: JsonObject = {}): JsonObject => ({ productVariantId: at.goods.digital, changeType, ...more });
    const bring = async (...changes: JsonObject[]): Promise<string> => {
      const { runId } = await must('bundles-bulk.updateSubscriptions', { bundleId: preset, changes });
      await contractUpdate.run(at.server.services, { storeId: 1, runId }, jobWith(new AbortController().signal));
      return (await lasts()).bundles[0].contents;
    };
    const { plain: childProductId, other } = at.goods;
    expect(
      await bring(
        change('quantityChange', { childProductId, oldQuantity: 3, newQuantity: 2 }),
        change('childProductAdded', { childProductId: other, oldQuantity: 0, newQuantity: 1 }),
        change('newVariant', { productVariantId: 1 }),
        change('variantRemoved', { productVariantId: 2 }),
      ),
    ).toBe('2 × Goods plain, 1 × Goods other');
    expect(await bring(change('childProductRemoved', { childProductId: other, oldQuantity: 1, newQuantity: 0 }))).toBe('2 × Goods plain');
    expect((await call('bundles-bulk.updateSubscriptions', { bundleId: preset, changes: [change('renamed')] })).status).toBe(422);
  });

  it('D184 D185 bundles that upsells and swaps offer are read, added and removed, and can be taken', async () => {
    for (const [list, add, remove] of [
      ['upsell.recommendedBundles', 'upsell.addRecommendedBundles', 'upsell.removeRecommendedBundles'],
      ['upsell.excludedBundles', 'upsell.addExcludedBundles', 'upsell.removeExcludedBundles'],
      ['swap-choices.recommendedBundles', 'swap-choices.addRecommendedBundles', 'swap-choices.removeRecommendedBundles'],
    ] as const) {
      expect((await must(add, { bundleIds: [preset] })).joined).toBe(1);
      expect((await call(list)).data.map((one: any) => one.id)).toEqual([preset]);
      expect((await must(remove, { bundleIds: [preset] })).left).toBe(1);
    }
    expect((await call('upsell.bundles')).data.map((one: any) => one.id)).toEqual([preset]);
    await must('upsell.addRecommendedBundles', { bundleIds: [preset] });
    await must('swap-choices.addRecommendedBundles', { bundleIds: [preset] });
    const offers = (await call('offers.list', { id: made.id })).data.filter((one: any) => one.bundleId === preset);
    expect(offers.map((one: any) => [one.kind, one.price, one.difference])).toEqual([
      ['UPSELL', '29.85', '29.85'],
      ['SWAP', '29.85', '9.85'],
    ]);
    const [upsell, swap] = offers;
    const added = await must('offers.upsell', { id: made.id, variantId: upsell.variantId, bundleId: preset, purchaseType: 'SUBSCRIPTION' });
    expect(added.bundles.map((one: any) => one.discountedPrice)).toEqual(['29.85']);
    await must('subscription-bundles.removeBundle', { id: made.id, bundleTransactionId: added.bundles[0].bundleTransactionId });
    const swapped = await must('offers.swap', { id: made.id, lineId: swap.lineId, variantId: swap.variantId, bundleId: preset });
    expect([swapped.bundles.length, swapped.lines.length]).toEqual([1, 2]);
  });

  it('C252 getStoreMetafields answers what products can be narrowed by, and filters of a box narrow what it may hold', async () => {
    const { db } = at.server.services;
    const define = (key: string, title: string): Promise<void> =>
      db.exec(
        `insert into records (store_id, entity, data) values (1, 'metafield-definition', '${JSON.stringify({ key, title, type: 'single_line_text_field' })}')`,
      );
    await define('test.roast', 'Zz roast');
    await db.exec(`update products set metafields = '{"test.roast": ["Dark"], "test.hidden": ["x"]}' where id = ${at.goods.plain};
      update products set metafields = '{"test.roast": ["Light"]}' where id = ${at.goods.other}`);
    const definitions = await must('bundles.getStoreMetafields', {});
    expect(definitions.find((one: any) => one.key === 'test.roast')).toMatchObject({ title: 'Zz roast', type: 'single_line_text_field' });
    expect((await call('store-products.read', { id: at.goods.plain })).data.metafields).toEqual([
      { title: 'Zz roast', values: ['Dark'], metafield: 'test.roast' },
    ]);
    const { name, bundleType, sellingPlanGroupId, productIds, type, boxSizes, version } = (await call('bundles.read', { id: box })).data;
    const change = (filters: JsonObject[]): Promise<any> =>
      call('bundles.update', { id: box, version, name, bundleType, sellingPlanGroupId, productIds, type, boxSizes, filters });
    expect((await change([{ name: 'Roast', source: 'METAFIELD' }])).body.errors.map((one: any) => one.pointer)).toEqual([
      '/filters/0/metafield',
    ]);
    const twice = [
      { name: 'Roast', source: 'TAG' },
      { name: 'roast', source: 'VENDOR' },
    ];
    expect((await change(twice)).body.errors.map((one: any) => one.pointer)).toEqual(['/filters/1/name']);
    expect((await change([{ name: 'Roast', source: 'METAFIELD', metafield: 'test.roast' }])).status).toBe(200);
    const pool = async (more: JsonObject = {}): Promise<string[]> =>
      (await must('subscription-bundles.pool', { id: made.id, bundleId: box, ...more })).map((one: any) => `${one.id} ${one.detail}`);
    expect(await pool()).toEqual([
      expect.stringMatching(`^${at.goods.plain} .* · Roast: Dark$`),
      expect.stringMatching(`^${at.goods.other} .* · Roast: Light$`),
    ]);
    expect(await pool({ filterId: 1, value: 'Light' })).toHaveLength(1);
    const store = (await must('widgets.refreshStoreData', {})).data;
    expect(store.boxes.find((one: any) => one.id === box).filters).toMatchObject([
      { name: 'Roast', values: [{ value: 'Dark' }, { value: 'Light' }] },
    ]);
  });

  /** The products that pages of the shop read, by our id. */
  async function published(): Promise<{ preset?: PublishedProduct | undefined; plain?: PublishedProduct | undefined }> {
    await must('widgets.refreshStoreData', {});
    const { products } = (await at.server.request('GET', '/storefront/1/index.json')).json as StorefrontIndex;
    const files = await Promise.all(products.map(name => at.server.request('GET', `/storefront/1/${name}`)));
    const all: PublishedProducts = Object.assign({}, ...files.map(file => file.json));
    const { rows } = await at.server.services.db.ownerQuery<{ id: number; number: string }>(
      'select id::float8 as id, shopify_id::text as number from products where store_id = 1 and id = any($1::bigint[])',
      [[at.goods.digital, at.goods.plain]],
    );
    const of = (id: number): PublishedProduct | undefined => all[rows.find(row => row.id === id)?.number ?? ''];
    return { preset: of(at.goods.digital), plain: of(at.goods.plain) };
  }
  it('is published for pages of the shop at its own price, in place of what the product itself costs', async () => {
    const { preset: shown, plain } = await published();
    expect(shown).toMatchObject({ isSubscriptionOnly: true, variants: [{ price: 2985, groups: [GROUP] }] });
    expect(new Set(Object.values(shown?.variants[0]?.planPrices ?? {}))).toEqual(new Set([2985]));
    expect(plain?.variants[0]?.groups).toContain(GROUP);
  });

  it('keeps plans of bundles for bundles where the preferences say so', async () => {
    const plans = async (): Promise<number> =>
      (await must('subscription-contract.creationChoices', { variantIds: [at.goods.plain] })).plans.length;
    expect(await plans()).toBeGreaterThan(0);
    await must('settings.set', {
      settingsPage: 'bundle-preferences',
      hideBundleSellingPlans: true,
      outOfStockHandling: 'HIDE',
      showBundleName: false,
    });
    expect(await plans()).toBe(0);
    const { preset: shown, plain } = await published();
    expect(plain?.variants[0]?.groups ?? []).not.toContain(GROUP);
    expect(shown?.variants[0]?.groups).toEqual([GROUP]);
  });
});
