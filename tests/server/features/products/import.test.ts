import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { IMPORT_KIND, runImport } from '../../../../src/server/features/products/import/product-import.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { candle, file, row, soap } from './files.ts';

/** A row of a soap in a size; the first one carries the title and the name of the option. */
const sized = (size: string, over: Record<string, string> = {}): string =>
  row({
    Handle: 'birch-soap',
    Title: size === 'Small' ? 'Birch Soap' : '',
    'Option1 Name': size === 'Small' ? 'Size' : '',
    'Option1 Value': size,
    'Variant Price': '5.00',
    Published: 'true',
    ...over,
  });

describe.each(oneEngine)('importing products on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      jobs: true,
      seed: { contracts: 150, stores: 2 },
      tables: ['product-import', 'store-products', 'settings', 'preferences-app'],
    });
  });
  afterAll(() => server?.close());

  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  const preview = (content: string, fileName = 'products.csv'): Promise<Answered> =>
    server.call('product-import.preview', { fileName, content });
  const finished = async (runId: number): Promise<JsonObject> => {
    for (;;) {
      const { data } = await server.call('product-import.progress', { runId });
      if (data.status === 'COMPLETED' || data.status === 'FAILED') return data;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  const bring = async (content: string, mode = 'ALL_OR_NOTHING'): Promise<JsonObject> => {
    const {
      data: { fileId },
    } = await preview(content);
    const started = await server.call('product-import.start', { fileId, mode });
    if (started.status !== 200) throw new Error(JSON.stringify(started.body));
    return finished(started.data.runId);
  };
  /** Everything the catalogue holds of the first store, to be compared. */
  const catalogue = async (): Promise<string> =>
    JSON.stringify([
      await query('select * from products where store_id = 1 order by id'),
      await query('select * from variants where store_id = 1 order by id'),
    ]);
  const productOf = async (handle: string): Promise<any> =>
    (
      await query<JsonObject>(
        'select p.*, (select json_agg(v order by v.position) from variants v where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null) as variants from products p where p.store_id = 1 and p.handle = $1 and p.deleted_at is null',
        [handle],
      )
    )[0]; // any: columns of the tables

  test('the preview says what would be created and changes nothing; importing does it; the same file again changes nothing', async () => {
    const text = file(soap(), ...candle());
    const before = await catalogue();
    const seen = (await preview(text)).data;
    expect(seen.counts).toEqual({ products: 2, toCreate: 2, toChange: 0, unchanged: 0, withErrors: 0, errors: 0 });
    expect(seen.toCreate).toEqual([
      {
        handle: 'cedar-soap',
        title: 'Cedar Soap',
        image: 'https://pictures.example/soap.png',
        variants: 1,
        minPrice: '8.50',
        maxPrice: '8.50',
        row: 2,
      },
      {
        handle: 'fig-candle',
        title: 'Fig Candle',
        image: 'https://pictures.example/fig-1.png',
        variants: 2,
        minPrice: '12.00',
        maxPrice: '20.00',
        row: 3,
      },
    ]);
    expect(await catalogue()).toBe(before);

    expect(await bring(text)).toMatchObject({
      status: 'COMPLETED',
      percent: 100,
      total: 2,
      processed: 2,
      succeeded: 2,
      failed: 0,
      result: { created: 2, changed: 0, unchanged: 0, errors: [] },
    });
    const soapRow = await productOf('cedar-soap');
    expect(soapRow).toMatchObject({
      title: 'Cedar Soap',
      vendor: 'Millbrook',
      product_type: 'Bath',
      tags: ['soap', 'wood'],
      status: 'ACTIVE',
      options: [],
      is_gift_card: false,
      description: '<p>Smells of <b>cedar</b>.</p>',
      search: 'cedar soap cedar-soap millbrook bath soap wood soap-1',
    });
    expect(soapRow.variants).toMatchObject([
      {
        title: 'Default Title',
        option_values: ['Default Title'],
        sku: 'SOAP-1',
        price: 850,
        inventory_management: null,
        inventory_quantity: 5,
      },
    ]);
    const candleRow = await productOf('fig-candle');
    expect(candleRow.options).toEqual([{ name: 'Size', values: ['Small', 'Large'] }]);
    expect(candleRow.variants).toMatchObject([
      { title: 'Small', price: 1200, compare_at_price: 1500, position: 1 },
      { title: 'Large', price: 2000, inventory_policy: 'continue', weight_in_grams: 900, position: 2 },
    ]);
    expect((await server.call('store-products.list', { q: 'fig-l' })).data).toMatchObject([
      { title: 'Fig Candle', variantsCount: 2, minPrice: '12.00', maxPrice: '20.00' },
    ]);

    // The name that the platform gives to the one variant of a product is kept, but it is not shown.
    const [soapShown] = (await server.call('store-products.list', { q: 'cedar' })).data;
    expect(soapShown.variants).toMatchObject([{ title: '', optionValues: [], productTitle: 'Cedar Soap' }]);
    expect(
      JSON.stringify([soapShown, seen, (await server.call('store-products.variants', { productId: soapShown.id })).data]),
    ).not.toContain('Default Title');

    const after = await catalogue();
    expect((await preview(text)).data.counts).toMatchObject({ toCreate: 0, toChange: 0, unchanged: 2 });
    expect(await bring(text)).toMatchObject({ status: 'COMPLETED', result: { created: 0, changed: 0, unchanged: 2 } });
    expect(await catalogue()).toBe(after);
    const [logged] = await query<{ description: string }>(
      "select description from account_log where store_id = 1 and action = 'products.imported' order by id limit 1",
    );
    expect(logged?.description).toBe('Products imported from “products.csv”: 2 created, 0 changed, 0 unchanged');
  });

  test('changes are shown field by field, with what was and what will be, and columns that the file lacks stay', async () => {
    await bring(file(soap(), ...candle()));
    const changed = file(
      soap({ Title: 'Cedar Soap, large', 'Variant Price': '9.00', Tags: 'soap' }),
      ...candle({ 'Variant Compare At Price': '' }, { 'Variant Inventory Qty': '0' }),
    );
    const [first, second] = (await preview(changed)).data.toChange;
    expect(first).toMatchObject({
      handle: 'cedar-soap',
      title: 'Cedar Soap',
      image: 'https://pictures.example/soap.png',
      minPrice: '9.00',
      maxPrice: '9.00',
      changes: [
        { field: 'title', label: 'Title', before: 'Cedar Soap', after: 'Cedar Soap, large' },
        { field: 'tags', label: 'Tags', before: 'soap, wood', after: 'soap' },
        { field: 'price', label: 'Price', before: '$8.50', after: '$9.00' },
      ],
    });
    expect(second.changes).toEqual([
      { field: 'compareAtPrice', label: 'Compare-at price', variant: 'Small', before: '$15.00', after: '' },
      { field: 'inventoryQuantity', label: 'In stock', variant: 'Large', before: '3', after: '0' },
    ]);
    const before = await productOf('cedar-soap');
    await bring(changed);
    expect(await productOf('cedar-soap')).toMatchObject({
      id: before.id,
      shopify_id: before.shopify_id,
      title: 'Cedar Soap, large',
      tags: ['soap'],
      vendor: 'Millbrook',
      variants: [{ id: before.variants[0].id, price: 900 }],
    });

    await bring('Handle,Title,Variant Price\ncedar-soap,Cedar Soap,7.00\n');
    expect(await productOf('cedar-soap')).toMatchObject({
      title: 'Cedar Soap',
      vendor: 'Millbrook',
      tags: ['soap'],
      image: 'https://pictures.example/soap.png',
      variants: [{ price: 700, sku: 'SOAP-1', inventory_quantity: 5 }],
    });
  });

  test('new variants are added, variants that the file lacks stay, and a product that gets options keeps its first variant', async () => {
    await bring(file(soap({ Handle: 'birch-soap', Title: 'Birch Soap', 'Variant SKU': 'BIR' })));
    const before = await productOf('birch-soap');
    const text = file(sized('Small'), sized('Large', { 'Variant Price': '7.00' }));
    const [shown] = (await preview(text)).data.toChange;
    // The price of the variant that is new counts too.
    expect([shown.minPrice, shown.maxPrice]).toEqual(['5.00', '7.00']);
    expect(shown.changes).toEqual(
      expect.arrayContaining([
        { field: 'title', label: 'Variant', before: '', after: 'Small' },
        { field: 'variant', label: 'New variant', before: '', after: 'Large' },
      ]),
    );
    await bring(text);
    const after = await productOf('birch-soap');
    expect(after.variants.map((one: JsonObject) => one.title)).toEqual(['Small', 'Large']);
    expect(after.variants[0].id).toBe(before.variants[0].id);
    expect(after.options).toEqual([{ name: 'Size', values: ['Small', 'Large'] }]);
    await bring(file(sized('Small'), sized('Huge')));
    expect((await productOf('birch-soap')).variants.map((one: JsonObject) => one.title)).toEqual(['Small', 'Large', 'Huge']);
  });

  test('products of the demo store are matched whatever way their options are kept', async () => {
    const [known] = await query<{ handle: string; title: string; price: number }>(
      "select p.handle, p.title, v.price from products p join variants v on v.store_id = p.store_id and v.product_id = p.id where p.store_id = 1 and p.handle = 'cacao-ritual'",
    );
    const text = `Handle,Title,Option1 Name,Option1 Value,Variant Price\n${known?.handle},"${known?.title}",Title,Default Title,${Number(known?.price) / 100}\n`;
    expect((await preview(text)).data.counts).toMatchObject({ unchanged: 1, toChange: 0, toCreate: 0 });
  });

  test('all or nothing: a file with one wrong row brings nothing, and says which', async () => {
    const text = file(soap({ Handle: 'ash-soap', Title: 'Ash Soap' }), ...candle({}, { 'Variant Price': 'free' }));
    const seen = (await preview(text)).data;
    expect(seen).toMatchObject({
      counts: { products: 2, toCreate: 1, withErrors: 1, errors: 1 },
      errors: [
        {
          row: 4,
          column: 'Variant Price',
          handle: 'fig-candle',
          message: "“free” isn't an amount. Write it with digits and a dot only, such as 12.50.",
        },
      ],
    });
    const before = await catalogue();
    const refused = await server.call('product-import.start', { fileId: seen.fileId, mode: 'ALL_OR_NOTHING' });
    expect(refused.body).toMatchObject({
      code: 'VALIDATION',
      message: "Nothing was imported. Row 4: “free” isn't an amount. Write it with digits and a dot only, such as 12.50.",
    });
    expect(await catalogue()).toBe(before);
  });

  test('importing the others: products without mistakes come in whole, the wrong one not at all', async () => {
    await query(
      "delete from variants where store_id = 1 and product_id in (select id from products where store_id = 1 and handle = 'fig-candle')",
    );
    await query("delete from products where store_id = 1 and handle = 'fig-candle'");
    const text = file(soap({ Handle: 'ash-soap', Title: 'Ash Soap' }), ...candle({}, { 'Variant Price': 'free' }));
    expect(await bring(text, 'SKIP_ERRORS')).toMatchObject({
      status: 'COMPLETED',
      total: 1,
      succeeded: 1,
      failed: 1,
      result: { created: 1, errorCount: 1, errors: [{ row: 4 }] },
    });
    expect(await productOf('ash-soap')).toBeTruthy();
    expect(await productOf('fig-candle')).toBeUndefined();
  });

  test('all or nothing holds when the database refuses one product in the middle', async () => {
    const many = Array.from({ length: 230 }, (_, i) => soap({ Handle: `tile-${i}`, Title: `Tile ${i}` }));
    const {
      data: { fileId },
    } = await preview(file(...many));
    const before = await catalogue();
    await query(
      "create function refuse_tile() returns trigger language plpgsql as $$ begin if new.handle = 'tile-215' then raise exception 'no tile' using errcode = '23514'; end if; return new; end $$;",
    );
    await query('create trigger refuse_tile before insert on products for each row execute function refuse_tile()');
    try {
      const [run] = await query<{ id: number }>('insert into runs (store_id, kind, input) values (1, $1, $2) returning id', [
        IMPORT_KIND,
        JSON.stringify({ fileId, mode: 'ALL_OR_NOTHING' }),
      ]);
      await expect(
        runImport(server.services, { storeId: 1, runId: run?.id ?? 0 }, async () => undefined, new AbortController().signal),
      ).rejects.toThrow();
      expect(await catalogue()).toBe(before);
      // One by one, only that product is left out, and it is named.
      await query('update runs set input = $2 where id = $1 and store_id = 1', [run?.id, JSON.stringify({ fileId, mode: 'SKIP_ERRORS' })]);
      await runImport(server.services, { storeId: 1, runId: run?.id ?? 0 }, async () => undefined, new AbortController().signal);
      expect(await finished(run?.id ?? 0)).toMatchObject({
        status: 'COMPLETED',
        total: 230,
        succeeded: 229,
        failed: 1,
        result: { created: 229, errors: [{ row: 217, handle: 'tile-215' }] },
      });
      expect(await productOf('tile-215')).toBeUndefined();
      expect((await productOf('tile-229')).variants).toHaveLength(1);
    } finally {
      await query('drop trigger refuse_tile on products');
      await query('drop function refuse_tile');
    }
  });

  test('an import that was interrupted goes on where it was', async () => {
    const many = Array.from({ length: 12 }, (_, i) => soap({ Handle: `stone-${i}`, Title: `Stone ${i}` }));
    const {
      data: { fileId },
    } = await preview(file(...many));
    const [run] = await query<{ id: number }>('insert into runs (store_id, kind, input) values (1, $1, $2) returning id', [
      IMPORT_KIND,
      JSON.stringify({ fileId, mode: 'SKIP_ERRORS' }),
    ]);
    const stop = new AbortController();
    let steps = 0;
    const counting = {
      ...server.services.db,
      inStore: ((storeId, work, options) => {
        steps += 1;
        if (steps === 6) stop.abort();
        return server.services.db.inStore(storeId, work, options);
      }) as typeof server.services.db.inStore,
    };
    await expect(
      runImport(
        { db: counting, definitions: server.services.definitions },
        { storeId: 1, runId: run?.id ?? 0 },
        async () => undefined,
        stop.signal,
      ),
    ).rejects.toThrow();
    const { data: half } = await server.call('product-import.progress', { runId: run?.id ?? 0 });
    expect(half).toMatchObject({ status: 'IN_PROGRESS', processed: 5, total: 12 });
    await runImport(server.services, { storeId: 1, runId: run?.id ?? 0 }, async () => undefined, new AbortController().signal);
    expect(await finished(run?.id ?? 0)).toMatchObject({ status: 'COMPLETED', processed: 12, result: { created: 12, unchanged: 0 } });
  });

  test('one import at a time, in the own store, by who may change', async () => {
    const {
      data: { fileId },
    } = await preview(file(soap()));
    await query("insert into runs (store_id, kind, status) values (1, $1, 'IN_PROGRESS')", [IMPORT_KIND]);
    expect((await server.call('product-import.start', { fileId, mode: 'ALL_OR_NOTHING' })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'Products are being imported already. Wait until that import is done.',
    });
    await query("update runs set status = 'FAILED' where store_id = 1 and status = 'IN_PROGRESS'");
    expect((await server.call('product-import.preview', { fileName: 'x.csv', content: file(soap()) }, { as: 'readOnly' })).status).toBe(
      403,
    );
    const stranger = await server.signIn('owner', 2);
    expect((await server.call('product-import.start', { fileId, mode: 'SKIP_ERRORS' }, { as: stranger })).status).toBe(404);
    expect((await server.call('product-import.progress', {}, { as: stranger })).data).toBeNull();
  });

  test('a large file is read within the limits and refused beyond them', async () => {
    const big = await server.call('product-import.preview', { fileName: 'big.csv', content: 'x'.repeat(10_000_001) });
    expect(big.body).toMatchObject({ code: 'VALIDATION', errors: [{ message: expect.stringContaining('10 MB') }] });
  });

  test('prices that an import changes reach subscriptions where the store wants that', async () => {
    const [line] = await query<{ id: number; contract_id: number; variant_id: number; base_price: number; handle: string; title: string }>(
      "select l.id, l.contract_id, l.variant_id, l.base_price, p.handle, p.title from contract_lines l join contracts c on c.store_id = l.store_id and c.id = l.contract_id and c.status = 'ACTIVE' and c.currency_code = 'USD' join products p on p.store_id = l.store_id and p.id = l.product_id where l.store_id = 1 and not l.price_is_manual and not l.one_time_added and (select count(*) from variants v where v.store_id = 1 and v.product_id = p.id) = 1 order by l.id limit 1",
    );
    if (!line) throw new Error('The seed has no such line.');
    const basePrice = async (): Promise<number | undefined> =>
      (await query<{ base_price: number }>('select base_price from contract_lines where store_id = 1 and id = $1', [line.id]))[0]
        ?.base_price;
    const text = (price: string): string => `Handle,Title,Variant Price\n${line.handle},"${line.title}",${price}\n`;
    await bring(text('61.00'));
    expect(await basePrice()).toBe(line.base_price);
    const { data: page } = await server.call('settings.get', { settingsPage: 'auto-updates' });
    expect((await server.call('settings.set', { ...page, settingsPage: 'auto-updates', autoUpdateProductPrice: true })).status).toBe(200);
    await bring(text('62.00'));
    for (;;) {
      const { data } = await server.call('preferences-app.updateStatus');
      if (data?.status === 'COMPLETED') break;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    expect(await basePrice()).toBe(6200);
  });
});
