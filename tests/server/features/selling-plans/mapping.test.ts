import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { group } from './plans.ts';

describe.each(oneEngine)('what plans are offered on, on %s', engine => {
  let server: TestServer;
  let product: Record<string, number> = {};
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, tables: ['selling-plan-groups', 'collections', 'store-products'] });
    product = Object.fromEntries(
      (await query<{ handle: string; id: number }>('select handle, id from products where store_id = 1')).map(row => [row.handle, row.id]),
    );
  });
  afterAll(() => server?.close());

  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  const newGroup = async (): Promise<number> => (await server.call('selling-plan-groups.create', group())).data.lspgId;
  const add = (lspgId: number, input: JsonObject): Promise<Answered> =>
    server.call('selling-plan-groups.addVariants', { lspgId, ...input });
  const remove = (lspgId: number, input: JsonObject): Promise<Answered> =>
    server.call('selling-plan-groups.removeVariants', { lspgId, ...input });
  const mapped = async (lspgId: number): Promise<JsonObject[]> => (await server.call('selling-plan-groups.products', { lspgId })).data;
  const variantsOf = async (handle: string): Promise<number[]> =>
    (
      await query<{ id: number }>('select id from variants where store_id = 1 and product_id = $1 order by position', [product[handle]])
    ).map(row => row.id);
  const id = (handle: string): number => product[handle] as number;
  /** Asks for the state of a collection until its job is over. */
  const settled = async (collectionId: number): Promise<JsonObject> => {
    for (;;) {
      const { data } = await server.call('collections.syncStatus', { collectionId });
      if (data.status === 'COMPLETED' || data.status === 'FAILED') return data;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };

  test('a group is made together with what it is offered on, or not at all', async () => {
    const [variant] = await variantsOf('moss-matcha');
    const [collection] = await query<{ id: number }>('select id from collections where store_id = 1 order by id limit 1');
    const made = await server.call(
      'selling-plan-groups.create',
      group({
        publish: true,
        productsToAdd: { productIds: [id('harbour-house-blend')], variantIds: [variant ?? 0] },
        collectionsToAdd: [collection?.id ?? 0],
      }),
    );
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect(made.data).toMatchObject({ status: 'ACTIVE', collections: [{ id: collection?.id }] });
    expect(made.data).not.toHaveProperty('productsToAdd');
    const { lspgId } = made.data;
    await settled(collection?.id ?? 0);
    const titles = (await mapped(lspgId)).map(row => row.title);
    expect(titles).toEqual(expect.arrayContaining(['Harbour House Blend', 'Moss Matcha']));

    const before = await query('select count(*) as n from records where store_id = 1');
    const refused = await server.call(
      'selling-plan-groups.create',
      group({ productsToAdd: { productIds: [id('harbour-house-blend'), 999_999_999] } }),
    );
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/productsToAdd/productIds/1', message: 'This product no longer exists' })],
    ]);
    const unknown = await server.call('selling-plan-groups.create', group({ collectionsToAdd: [999_999_999] }));
    expect(unknown.body.errors).toEqual([expect.objectContaining({ pointer: '/collectionsToAdd/0' })]);
    expect(await query('select count(*) as n from records where store_id = 1')).toEqual(before);
  });

  test('a whole product covers its variants, later ones too; single variants do not', async () => {
    const lspgId = await newGroup();
    const [first, second] = await variantsOf('moss-matcha');
    expect((await add(lspgId, { productIds: [id('harbour-house-blend')], variantIds: [first ?? 0] })).data).toMatchObject({
      mappedProducts: 1,
      mappedVariants: 1,
      archived: [],
    });
    const rows = await mapped(lspgId);
    expect(rows.map(row => [row.title, row.totalVariants, row.label, row.allVariants])).toEqual([
      ['Harbour House Blend', 6, 'All variants', true],
      ['Moss Matcha', 2, '1 of 2 variants selected', false],
    ]);
    expect(rows[1]?.selectedVariants).toEqual([first]);
    const one = (await server.call('selling-plan-groups.product', { lspgId, productId: id('moss-matcha') })).data;
    expect(one.variants.map((variant: JsonObject) => [variant.id, variant.selected])).toEqual([
      [first, true],
      [second, false],
    ]);
    // Mapping the whole product takes the place of its single variants.
    await add(lspgId, { productIds: [id('moss-matcha')] });
    expect((await mapped(lspgId))[1]).toMatchObject({ allVariants: true, label: 'All variants' });
    expect(
      await query('select variant_id from plan_products where store_id = 1 and group_id = $1 and product_id = $2', [
        lspgId,
        id('moss-matcha'),
      ]),
    ).toEqual([{ variant_id: null }]);
    expect((await server.call('selling-plan-groups.read', { lspgId })).data).toMatchObject({ productCount: 2, variantCount: 0 });
  });

  test('mapping twice changes nothing, and a variant of a mapped product adds nothing', async () => {
    const lspgId = await newGroup();
    const [first] = await variantsOf('ember-espresso');
    await add(lspgId, { productIds: [id('ember-espresso')] });
    expect((await add(lspgId, { productIds: [id('ember-espresso')], variantIds: [first ?? 0] })).body).toMatchObject({
      message: 'Everything chosen was mapped already.',
      data: { mappedProducts: 0, mappedVariants: 0 },
    });
    expect(await mapped(lspgId)).toHaveLength(1);
  });

  test('taking one variant from a whole product leaves the others', async () => {
    const lspgId = await newGroup();
    const all = await variantsOf('ember-espresso');
    await add(lspgId, { productIds: [id('ember-espresso')] });
    expect((await remove(lspgId, { variantIds: [all[2] ?? 0] })).data).toMatchObject({ removedVariants: 1 });
    expect((await mapped(lspgId))[0]?.selectedVariants).toEqual(all.filter((_, i) => i !== 2));
    expect((await remove(lspgId, { productIds: [id('ember-espresso')] })).data).toMatchObject({ removedProducts: 1 });
    expect(await mapped(lspgId)).toEqual([]);
  });

  test('a call takes 250 products and variants at most, and names each that is gone', async () => {
    const lspgId = await newGroup();
    const many = await add(lspgId, { variantIds: Array.from({ length: 251 }, (_, i) => i + 1) });
    expect(many.body).toMatchObject({
      code: 'VALIDATION',
      errors: [{ pointer: '/variantIds', message: 'Choose at most 250 products and variants at a time; these are 251.' }],
    });
    const unknown = await add(lspgId, { productIds: [id('ember-espresso'), 999_999], variantIds: [888_888] });
    expect(unknown.body.errors).toEqual([
      { pointer: '/productIds/1', rule: 'PRODUCT_DOES_NOT_EXIST', message: 'This product no longer exists' },
      { pointer: '/variantIds/0', rule: 'PRODUCT_VARIANT_DOES_NOT_EXIST', message: 'This product no longer exists' },
    ]);
    expect(await mapped(lspgId)).toEqual([]);
    expect((await add(lspgId, {})).body.errors?.[0]?.message).toBe('Choose at least one product or variant.');
  });

  test('gift cards are refused, archived products are mapped with a warning', async () => {
    const lspgId = await newGroup();
    expect((await add(lspgId, { productIds: [id('gift-card')] })).body.errors).toEqual([
      { pointer: '/productIds/0', rule: 'GIFT_CARD', message: "Gift cards can't be sold on subscription" },
    ]);
    const archived = await add(lspgId, { productIds: [id('winter-ferment')] });
    expect(archived.data.archived).toEqual([{ id: id('winter-ferment'), title: 'Winter Ferment' }]);
    expect(archived.body.message).toContain('archived');
  });

  test("mappings of another store's products and groups are refused", async () => {
    const lspgId = await newGroup();
    const [theirs] = await query<{ id: number }>('select id from products where store_id = 2 limit 1');
    expect((await add(lspgId, { productIds: [theirs?.id ?? 0] })).status).toBe(422);
    const stranger = await server.signIn('owner', 2);
    expect((await server.call('selling-plan-groups.addVariants', { lspgId, productIds: [theirs?.id ?? 0] }, { as: stranger })).status).toBe(
      404,
    );
  });

  test('D089 D141 a mapped collection brings its members, and a sync follows what joined and left', async () => {
    const lspgId = await newGroup();
    const [tea] = await query<{ id: number }>("select id from collections where store_id = 1 and title = 'Tea'");
    const collectionId = tea?.id ?? 0;
    const before = (await server.call('collections.products', { collectionId })).data as JsonObject[];
    expect((await server.call('selling-plan-groups.mappableCollections', { lspgId })).data.map((one: JsonObject) => one.id)).toContain(
      collectionId,
    );
    expect((await server.call('selling-plan-groups.mapCollections', { lspgId, collectionIds: [collectionId] })).data).toEqual({
      mapped: 1,
    });
    expect(await settled(collectionId)).toMatchObject({ status: 'COMPLETED', done: before.length, total: before.length, error: null });
    const titles = async (): Promise<unknown[]> => (await mapped(lspgId)).map(row => row.title);
    expect((await titles()).toSorted()).toEqual(before.map(one => String(one.title)).toSorted());
    expect((await server.call('selling-plan-groups.mappedCollections', { lspgId })).data).toMatchObject([
      { id: collectionId, title: 'Tea', syncStatus: 'COMPLETED', productsCount: before.length },
    ]);

    // One joins, one leaves, and one that leaves was also added by hand.
    const [left, byHand] = before.map(one => Number(one.id));
    await add(lspgId, { productIds: [byHand ?? 0] });
    await query('delete from collection_products where store_id = 1 and collection_id = $1 and product_id = any($2::bigint[])', [
      collectionId,
      [left, byHand],
    ]);
    await query(
      'insert into collection_products (store_id, collection_id, product_id, position) values (1, $1, $2, 99), (1, $1, $3, 100)',
      [collectionId, id('everyday-mug'), id('gift-card')],
    );
    expect((await server.call('collections.sync', { collectionId })).status).toBe(200);
    expect(await settled(collectionId)).toMatchObject({ status: 'COMPLETED', lastSyncedAt: expect.any(String) });
    const rows = await mapped(lspgId);
    expect(rows.map(row => row.productId)).not.toContain(left);
    expect(rows.find(row => row.productId === byHand)).toMatchObject({ byHand: true, collections: [] });
    expect(rows.find(row => row.productId === id('everyday-mug'))).toMatchObject({
      byHand: false,
      collections: [{ id: collectionId, title: 'Tea' }],
    });
    expect(rows.map(row => row.productId)).not.toContain(id('gift-card'));

    // What a collection brings stays when it is removed by hand, and says so.
    const kept = await remove(lspgId, { productIds: [id('everyday-mug')] });
    expect(kept.body).toMatchObject({
      message: 'Removed. Subscriptions already sold go on. “Everyday Mug” stays because a mapped collection brings it.',
      data: { stillMapped: [{ productId: id('everyday-mug'), collections: ['Tea'] }] },
    });
    await server.call('selling-plan-groups.unmapCollections', { lspgId, collectionIds: [collectionId] });
    expect((await mapped(lspgId)).map(row => row.productId)).toEqual([byHand]);
  });

  test('D090 a collection is seeded before it is synced, and its seed status can be asked for', async () => {
    await query("insert into collections (store_id, id, shopify_id, title) values (1, 9001, 9001, 'New arrivals')");
    await query('insert into collection_products (store_id, collection_id, product_id) values (1, 9001, $1)', [id('paper-filters')]);
    expect((await server.call('collections.seedStatus', { collectionId: 9001 })).data).toMatchObject({
      status: 'NOT_STARTED',
      lastSyncedAt: null,
    });
    expect((await server.call('collections.sync', { collectionId: 9001 })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('seed'),
    });
    expect((await server.call('collections.seed', { collectionId: 9001 })).status).toBe(200);
    expect(await settled(9001)).toMatchObject({ status: 'COMPLETED' });
    expect((await server.call('collections.seedStatus', { collectionId: 9001 })).data).toMatchObject({
      status: 'COMPLETED',
      total: 1,
      done: 1,
    });
    expect((await server.call('collections.sync', { collectionId: 9001 })).status).toBe(200);
    await settled(9001);
  });

  test('mapping a collection that was never copied copies it at once', async () => {
    await query("insert into collections (store_id, id, shopify_id, title) values (1, 9002, 9002, 'Old favourites')");
    await query('insert into collection_products (store_id, collection_id, product_id) values (1, 9002, $1)', [id('cacao-ritual')]);
    const lspgId = await newGroup();
    await server.call('selling-plan-groups.mapCollections', { lspgId, collectionIds: [9002] });
    await settled(9002);
    expect((await mapped(lspgId)).map(row => row.title)).toEqual(['Cacao Ritual']);
    expect((await server.call('selling-plan-groups.mapCollections', { lspgId, collectionIds: [9002, 123_456] })).body.errors).toEqual([
      { pointer: '/collectionIds/1', rule: 'COLLECTION_DOES_NOT_EXIST', message: 'This collection no longer exists' },
    ]);
  });

  test('a deleted group is offered nowhere', async () => {
    const lspgId = await newGroup();
    await add(lspgId, { productIds: [id('ember-espresso')] });
    await server.call('selling-plan-groups.delete', { lspgId });
    expect(await query('select 1 as x from plan_products where store_id = 1 and group_id = $1', [lspgId])).toEqual([]);
    expect((await add(lspgId, { productIds: [id('ember-espresso')] })).body).toMatchObject({
      code: 'NOT_FOUND',
      message: 'This selling plan group was deleted',
    });
  });

  test('products come with variants and groups; discounts and states are answered for pickers', async () => {
    const [matcha] = (await server.call('store-products.list', { q: 'moss matcha' })).data as JsonObject[];
    expect(matcha).toMatchObject({ title: 'Moss Matcha', variantsCount: 2, minPrice: '19.00', maxPrice: '49.00', inventoryQuantity: 330 });
    expect((matcha as JsonObject & { variants: JsonObject[] }).variants.map(one => [one.title, one.price])).toEqual([
      ['30 g tin', '19.00'],
      ['100 g pouch', '49.00'],
    ]);
    expect((await server.call('store-products.list', { q: 'mos-100' })).data).toHaveLength(1);
    expect(
      ((await server.call('store-products.list', { hideGiftCards: true, pageSize: 200 })).data as JsonObject[]).some(one => one.isGiftCard),
    ).toBe(false);
    const [groupId] = (
      await query<{ id: number }>(
        "select id from records where store_id = 1 and entity = 'selling-plan-group' and data->>'merchantCode' = 'first-box-half'",
      )
    ).map(row => row.id);
    const [variant] = await variantsOf('lions-mane-focus');
    expect((await server.call('store-products.discount', { variantId: variant ?? 0, lspgId: groupId ?? 0 })).data).toMatchObject({
      price: '34.00',
      plans: [
        {
          prices: [
            { fromOrder: 1, price: '17.00' },
            { fromOrder: 2, price: '30.60' },
          ],
        },
      ],
    });
    expect((await server.call('store-products.status', { productIds: [id('sleep-drops'), id('winter-ferment'), 777_777] })).data).toEqual([
      { productId: id('sleep-drops'), exists: true, status: 'ACTIVE', isGiftCard: false, inStock: true },
      { productId: id('winter-ferment'), exists: true, status: 'ARCHIVED', isGiftCard: false, inStock: true },
      { productId: 777_777, exists: false, status: 'DELETED', isGiftCard: false, inStock: false },
    ]);
    const chosen = (await server.call('store-products.selected', { productIds: [id('moss-matcha'), 777_777], variantIds: [variant ?? 0] }))
      .data;
    expect([chosen.products.map((one: JsonObject) => one.title), chosen.variants.map((one: JsonObject) => one.productTitle)]).toEqual([
      ['Moss Matcha'],
      ["Lion's Mane Focus"],
    ]);
    expect((await server.call('store-products.read', { id: id('moss-matcha') })).data).toMatchObject({
      options: [{ name: 'Size', values: ['30 g tin', '100 g pouch'] }],
      description: expect.stringContaining('<p>'),
    });
    expect((await server.call('store-products.variants', { productId: id('moss-matcha') })).data).toHaveLength(2);
    const first = await server.call('store-products.variants', { pageSize: 10 });
    expect(first.data).toHaveLength(10);
    const next = await server.call('store-products.variants', { pageSize: 10, after: first.body.pageInfo?.nextCursor as string });
    expect(new Set([...first.data, ...next.data].map((one: JsonObject) => one.id)).size).toBe(20);
    expect((await server.call('store-products.variants', { q: 'MOS-30' })).data).toMatchObject([
      { sku: 'MOS-30', productTitle: 'Moss Matcha' },
    ]);
  });
});
