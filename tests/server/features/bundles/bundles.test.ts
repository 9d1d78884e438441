// Bundles on a running server: making, publishing and deleting them, their products one by one, and what they cost.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { offerPlans } from '../subscriptions/fixture.ts';

const GROUP = 77_101;

describe('bundles', () => {
  const at = serverWithGoods({ seed: { contracts: 6 } });
  let n = 0;
  beforeAll(async () => {
    await offerPlans(at.server, [at.goods.plain, at.goods.other, at.goods.digital]);
  });
  beforeEach(() => at.server.services.db.exec("delete from records where entity = 'bundle'"));

  const call = (name: string, input: JsonObject = {}): Promise<any> => at.server.call(name, input);
  const box = (over: JsonObject = {}): JsonObject => ({
    name: `Box ${++n}`,
    bundleType: 'BYOB',
    purchaseType: 'ALL',
    sellingPlanGroupId: GROUP,
    productIds: [at.goods.plain, at.goods.other],
    boxSizes: [
      { name: 'Small', minSize: 5, maxSize: 5 },
      { name: 'Large', minSize: 10, maxSize: 10 },
    ],
    discountType: 'PERCENTAGE',
    discounts: [
      { name: 'Five', conditionType: 'QUANTITY', minCartQuantity: 5, value: '5' },
      { name: 'Ten', conditionType: 'QUANTITY', minCartQuantity: 10, value: '20' },
    ],
    ...over,
  });
  const preset = (over: JsonObject = {}): JsonObject => ({
    name: `Set ${++n}`,
    bundleType: 'PRESET',
    purchaseType: 'SUBSCRIPTION',
    sellingPlanGroupId: GROUP,
    productId: at.goods.digital,
    discountType: 'PERCENTAGE',
    variants: [{ variantId: at.goods.digital, discountValue: '10', items: [{ variantId: at.goods.plain, quantity: 2 }] }],
    ...over,
  });
  const make = async (input: JsonObject): Promise<any> => {
    const answer = await call('bundles.create', input);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.data;
  };
  const wrong = async (input: JsonObject): Promise<string[]> =>
    ((await call('bundles.create', input)).body.errors ?? []).map((one: any) => `${one.pointer} ${one.message}`);

  it('D293 the older and the newer calls that create, change and read a bundle do the same', async () => {
    const made = await make(box());
    const older = (await call('bundles.createV1', box())).data;
    expect([made.status, older.status]).toEqual(['DRAFT', 'DRAFT']);
    expect(made.publicId).toMatch(/^[0-9a-f]{32}$/);
    expect(made.boxSizes.map((size: any) => [size.id, size.defaultSelected])).toEqual([
      [1, true],
      [2, false],
    ]);
    const { id, version } = made;
    expect((await call('bundles.update', { ...box({ name: 'First name' }), id, version })).data.name).toBe('First name');
    expect((await call('bundles.updateV1', { ...box({ name: 'Second name' }), id, version: version + 1 })).data.name).toBe('Second name');
    const whole = (await call('bundles.read', { id })).data;
    const short = (await call('bundles.readV2', { id })).data;
    expect(whole).toMatchObject({ name: 'Second name', productIds: [at.goods.plain, at.goods.other], productCount: 2 });
    expect(short).toMatchObject({ name: 'Second name', boxSizes: whole.boxSizes, productCount: 2 });
    expect(short.productIds).toBeUndefined();
    expect((await call('bundles.list', { q: 'second' })).data.map((one: any) => one.id)).toEqual([id]);
  });

  it('D182 a bundle is deleted by three calls, also on the api-service', async () => {
    for (const name of ['bundles.delete', 'bundles-main.delete', 'bundles-service.delete']) {
      const { id } = await make(box());
      expect((await call(name, { id })).status).toBe(200);
      expect((await call('bundles.read', { id })).status).toBe(404);
    }
  });

  it('is published with products, contents for every variant and a plan', async () => {
    const publish = async (input: JsonObject): Promise<any> => call('bundles.publish', { id: (await make(input)).id });
    expect((await publish(box({ productIds: [] }))).body.message).toBe('Add at least one product.');
    const empty = await make(preset({ variants: [] }));
    expect((await call('bundles.publish', { id: empty.id })).body.message).toBe('Map child products for every variant.');
    await call('bundles.delete', { id: empty.id });
    expect((await publish(box({ sellingPlanGroupId: null }))).body.message).toBe('Choose a selling plan for subscription purchases.');
    expect((await publish(box({ sellingPlanGroupId: null, purchaseType: 'ONETIME' }))).status).toBe(200);
    const published = await publish(preset());
    expect(published.data.status).toBe('ACTIVE');
    expect((await call('bundles.checkIfPreset', { productId: at.goods.digital })).data).toEqual({
      isPreset: true,
      bundleId: published.data.id,
    });
    const { id, version } = published.data;
    const emptied = await call('bundles.update', { ...preset({ variants: [] }), id, version });
    expect(emptied.body.errors.map((one: any) => one.pointer)).toEqual(['/variants']);
  });

  it('has one number of pieces for each size to choose from, and two for a range', async () => {
    const ends = (bundle: any) => bundle.boxSizes.map((size: any) => [size.minSize, size.maxSize]);
    const fixed = await make(
      box({
        type: 'FIXED',
        boxSizes: [
          { name: 'Six', minSize: 6 },
          { name: 'Dozen', minSize: 12, maxSize: 6 },
        ],
      }),
    );
    expect(ends(fixed)).toEqual([
      [6, 6],
      [12, 12],
    ]);
    const { id, version } = fixed;
    const range = await call('bundles.update', {
      ...box({ type: 'RANGE', boxSizes: [{ name: 'Any', minSize: 3, maxSize: 0 }] }),
      id,
      version,
    });
    expect(ends(range.data)).toEqual([[3, 0]]);
  });

  it('refuses boxes whose limits do not fit, and contents that may not be', async () => {
    await make(preset({ name: 'Taken' }));
    expect(await wrong(box({ name: 'Taken' }))).toEqual(['/name A bundle with this name already exists.']);
    expect(
      await wrong(
        box({
          type: 'RANGE',
          boxSizes: [{ name: 'Odd', minSize: 5, maxSize: 4 }],
          categories: [{ name: 'Step', minProducts: 6, maxProducts: 9, productIds: [at.goods.digital] }],
        }),
      ),
    ).toEqual([
      '/boxSizes/0/maxSize Maximum must be greater than or equal to minimum.',
      '/categories/0/minProducts Category minimum cannot be larger than the box size.',
      '/categories/0/maxProducts Category maximum cannot be larger than the box size.',
      '/categories/0/productIds Add these products to the bundle first.',
      '/categories Category minimums add up to more than the box size.',
    ]);
    expect(await wrong(preset())).toContain('/productId This product already has a bundle.');
    expect(
      await wrong(
        preset({
          productId: at.goods.other,
          variants: [{ variantId: at.goods.other, discountValue: '10', items: [{ variantId: at.goods.other, quantity: 1 }] }],
        }),
      ),
    ).toEqual(['/variants/0/items/0/variantId A bundle cannot contain itself.']);
    expect(await wrong(box({ productIds: [at.goods.giftCard] }))).toEqual([
      "/productIds Goods giftCard is a gift card. Gift cards can't be part of a bundle.",
    ]);
    expect(await wrong(box({ discounts: [{ name: 'All', conditionType: 'QUANTITY', minCartQuantity: 5, value: '101' }] }))).toEqual([
      '/discounts/0/value Enter a percentage between 1 and 100.',
    ]);
  });

  it('D180 products are added, changed, described, left out and removed by bundleId', async () => {
    const { id: bundleId } = await make(box({ categories: [{ name: 'Roasts', productIds: [at.goods.plain] }] }));
    const added = (await call('bundles.addProducts', { bundleId, productIds: [at.goods.digital], categoryIds: [1] })).data;
    expect(added.categories[0].productIds).toEqual([at.goods.plain, at.goods.digital]);
    await call('bundles.changeProduct', { bundleId, productId: at.goods.digital, maxQuantity: 3, priority: 0, categoryIds: [] });
    expect((await call('bundles.productPriority', { bundleId })).data[0]).toEqual({ productId: at.goods.digital, priority: 0 });
    await call('bundles.describeProduct', { bundleId, productId: at.goods.digital, shortDescription: 'Floral' });
    await call('bundles.describeProductAnew', { bundleId, productId: at.goods.digital, shortDescription: 'Floral, light' });
    expect((await call('bundles.productDescription', { bundleId, productId: at.goods.digital })).data).toEqual([
      { productId: at.goods.digital, shortDescription: 'Floral, light', longDescription: null },
    ]);
    const refused = await call('bundles.exclude', { bundleId, excluded: [{ productId: at.goods.plain, variantIds: [at.goods.plain] }] });
    expect(refused.body.errors[0].message).toBe('Every variant of Goods plain is left out. Keep one, or remove the product.');
    expect((await call('bundles.excluded', { bundleId })).data).toEqual([]);
    const left = (await call('bundles.removeProducts', { bundleId, productIds: [at.goods.digital] })).data;
    expect([left.productIds, left.details, left.categories[0].productIds]).toEqual([
      [at.goods.plain, at.goods.other],
      [],
      [at.goods.plain],
    ]);
    expect((await call('bundles.changeProduct', { bundleId, productId: at.goods.digital, priority: 0 })).status).toBe(404);
  });

  it('D294 code of the page, the automatic discount and variants left out belong to the second generation', async () => {
    const { id: bundleId } = await make(box());
    await call('bundles.customAssets', { bundleId, customCss: '.box { color: red }' });
    await call('bundles.storeAutomaticDiscount', {
      bundleId,
      automaticDiscount: { discountShopifyId: '77', discountClass: 'PRODUCT', status: 'ACTIVE' },
    });
    expect((await call('bundles.read', { id: bundleId })).data).toMatchObject({
      customCss: '.box { color: red }',
      automaticDiscount: { discountShopifyId: '77' },
    });
    expect((await call('bundles.customAssets', { bundleId, customCss: '</style><script>' })).status).toBe(422);
  });

  it('multiplies its discount with that of the plan', async () => {
    const tiers = ['5', '10', '15', '20'].map((value, i) => ({
      name: value,
      conditionType: 'QUANTITY',
      minCartQuantity: 5 * (i + 1),
      value,
    }));
    const sizes = [5, 10, 15, 20].map(size => ({ name: `Box of ${size}`, minSize: size, maxSize: size }));
    const { data } = await call('bundles.preview', { bundle: box({ discounts: tiers, boxSizes: sizes }) });
    // The plan takes 10 % off: 14.5, 19, 23.5 and 28 % together; bought once the bundle's discount alone.
    const off = (full: string, price: string): number => Math.round((1 - Number(price) / Number(full)) * 1000) / 10;
    expect(data.rows.map((row: any) => row.ways.map((way: any) => off(row.fullFrom, way.from)).slice(0, 2))).toEqual([
      [5, 14.5],
      [10, 19],
      [15, 23.5],
      [20, 28],
    ]);
    const set = (
      await call('bundles.preview', {
        bundle: preset({
          discountType: 'FIXED_PRICE',
          variants: [{ variantId: at.goods.digital, discountValue: '30', items: [{ variantId: at.goods.plain, quantity: 2 }] }],
        }),
      })
    ).data;
    expect(set.rows[0].ways[0]).toMatchObject({ title: 'Monthly', from: '30.00' });
    expect((await call('bundles.preview', { bundle: {} })).status).toBe(200);
  });

  it('D181 branding of bundles has a create, an update and a fetch call', async () => {
    const { id: _id, version: _version, updatedAt: _at, updatedBy: _by, ...page } = (await call('bundle-branding.fetch')).data;
    expect((await call('bundle-branding.create', { ...page, buttonColor: '#112233' })).data.buttonColor).toBe('#112233');
    await call('bundle-branding.update', { ...page, buttonColor: '#445566' });
    expect((await call('bundle-branding.fetch')).data.buttonColor).toBe('#445566');
  });

  it('says what one may do with bundles', async () => {
    expect((await call('bundles.permissions')).data).toMatchObject({ canCreate: true, canEdit: true, maxBundles: null });
    expect((await call('bundles.productPlans', { productId: at.goods.plain })).data.map((one: any) => one.lspgId)).toEqual([GROUP]);
  });

  it('puts the script and then the cart snippet into a theme', async () => {
    const [theme] = (await call('bundle-install.themes')).data;
    const themeShopifyId = theme.shopifyThemeId;
    expect((await call('bundle-install.installCartSnippet', { themeShopifyId })).body.message).toBe('Install the bundle script first.');
    await call('bundle-install.installScript', { themeShopifyId });
    await call('bundle-install.installScript', { themeShopifyId });
    expect((await call('bundle-install.checkInstallStatus')).data).toMatchObject({ isInstalled: false, scriptStatus: 'INSTALLED' });
    await call('bundle-install.installCartSnippet', {});
    expect((await call('bundle-install.statusByTheme')).data[0]).toMatchObject({
      themeShopifyId,
      cartSnippetStatus: 'INSTALLED',
      error: null,
    });
    expect((await call('bundle-install.remove', { themeShopifyId })).data.scriptStatus).toBe('NOT_INSTALLED');
    await at.server.services.db.exec('update store_themes set takes_blocks = false');
    await call('bundle-install.installScript', {});
    expect((await call('bundle-install.installCartSnippet', {})).body.message).toMatch(/by hand/);
    expect((await call('bundle-install.installCartSnippet', { byHand: true })).data.isInstalled).toBe(true);
  });

  it('D162 D166 texts of a bundle, its products, categories and variants are addressed by bundleId and localeStoreId', async () => {
    await call('multilingual.addLanguage', { locale: 'de' });
    const made = await make(
      box({
        categories: [{ name: 'Roasts', description: 'Whole beans', productIds: [at.goods.plain] }],
        details: [{ productId: at.goods.plain, shortDescription: 'Floral' }],
      }),
    );
    const named = { bundleId: String(made.id), localeStoreId: 'de' };
    const keys = async (name: string, input: JsonObject = named): Promise<string[]> =>
      (await call(name, input)).data.map((one: any) => one.key);
    expect(await keys('multilingual.bundleProducts')).toEqual([`details.${at.goods.plain}.shortDescription`]);
    expect(await keys('multilingual.bundleCategories')).toEqual(['categories.1.name', 'categories.1.description']);
    expect(await keys('multilingual.bundleVariants')).toEqual([]);
    expect((await call('multilingual.bundleVariants', { ...named, bundleId: '999999' })).status).toBe(404);
    const translations = [{ key: 'categories.1.name', value: 'Röstungen' }];
    expect((await call('multilingual.updateBundleProducts', { ...named, translations })).status).toBe(422);
    expect((await call('multilingual.updateBundleCategories', { ...named, translations })).status).toBe(200);
    await call('bundles-main.addTranslations', { ...named, translations: [{ key: 'name', value: 'Kiste' }] });
    await call('bundles-main.updateTranslations', { ...named, translations: [{ key: 'name', value: 'Die Kiste' }] });
    const found = (await call('bundles.translationsByKeys', { ...named, translationKeys: ['name'] })).data;
    expect(found).toMatchObject([{ key: 'name', value: 'Die Kiste' }]);
    expect(await keys('bundles.translationsById')).toContain('boxSizes.1.name');
    expect((await call('bundles.multilingualList')).data).toMatchObject([{ id: made.id, translatedLocales: [] }]);
    await call('multilingual.updateBundles', { localeStoreId: 'de', translations: [{ key: 'bundleAddButton', value: 'Hinein' }] });
    expect((await call('multilingual.bundles', { localeStoreId: 'de' })).data.find((one: any) => one.key === 'bundleAddButton').value).toBe(
      'Hinein',
    );
  });
});
