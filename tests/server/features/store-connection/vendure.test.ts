// A store that is connected to a real Vendure shop: what comes over, how it stays current, and what happens when the shop, the line or
// a stranger misbehaves.
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { work } from '../../../../src/server/features/store-connection/work.ts';
import { mirrorCustomers } from '../../../../src/server/features/store-connection/mirror-customers.ts';
import { publishStorefront } from '../../../../src/server/features/storefront/jobs/publish.ts';
import { readSecret } from '../../../../src/server/platform/outgoing/secrets.ts';
import { signingPlace } from '../../../../src/server/features/store-connection/connection.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { startLine, startVendure, type Line, type Vendure } from '../../../support/vendure.ts';
import { bothChanged } from './both-changed.ts';
import { boughtThere } from './bought-there.ts';
import { ADMIN, inTheBrowser } from './in-the-browser.ts';
import { ordersPaidHere, type Scene } from './orders-paid-here.ts';

const shop = await startVendure();

describe.runIf(shop)('a Vendure shop', () => {
  const vendure = shop as Vendure;
  let server: TestServer;
  let line: Line;
  let connection = 0;

  const query = async <T = Record<string, any>>(text: string, values: unknown[] = []): Promise<T[]> =>
    // any: see TestServer
    (await server.services.db.ownerQuery<T & object>(text, values)).rows;
  const works = (signal = new AbortController().signal): Promise<void> => work(server.services, 1, signal);
  const state = async (): Promise<Record<string, any>> => (await server.call('store-connections.read', { id: connection })).data;
  const connect = async (input: object = {}): Promise<void> => {
    const made = await server.call('store-connections.create', { address: line.url, apiKey: vendure.apiKey, ...input });
    expect(made.status).toBe(200);
    connection = made.data.id;
    await works();
  };
  const disconnect = (): Promise<unknown> => server.call('store-connections.delete', { id: connection });
  /** As a product is seen here. */
  const ours = async (handle: string): Promise<Record<string, any> | undefined> =>
    (
      await query(
        `select p.title, p.status, p.deleted_at is not null as gone, (select jsonb_agg(jsonb_build_array(v.sku, v.title, v.price,
          case when v.inventory_management is null then null else v.inventory_quantity end) order by v.sku)
          from variants v where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null) as variants
        from products p where p.store_id = 1 and p.handle = $1 order by p.id desc limit 1`,
        [handle],
      )
    )[0];
  const variantId = async (sku: string): Promise<string> =>
    (await vendure.admin('query ($sku: String!) { productVariants(options: { filter: { sku: { eq: $sku } } }) { items { id } } }', { sku }))
      .productVariants.items[0].id;
  const changeVariant = async (sku: string, input: object): Promise<void> => {
    await vendure.admin('mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }', {
      input: [{ id: await variantId(sku), ...input }],
    });
  };
  /** Waits until the shop has told of something, and reads it. */
  const hears = async (kind = ''): Promise<void> => {
    await expect
      .poll(async () => (await query('select 1 from platform_changes where store_id = 1 and kind like $1', [`${kind}%`])).length, {
        interval: 20,
        timeout: 30_000,
      })
      .toBeGreaterThan(0);
    await works();
  };
  const told = async (body: string, headers: Record<string, string> = {}, store = 1) =>
    server.request('POST', `/in/vendure/${store}`, { body, as: null, headers: { 'content-type': 'application/json', ...headers } });
  const signed = async (body: string): Promise<string> => {
    const { db, secrets } = server.services;
    const secret = await db.inStore(1, trx => readSecret({ trx, secrets }, signingPlace(1, connection)));
    return createHmac('sha256', secret ?? '')
      .update(body)
      .digest('base64');
  };

  beforeAll(async () => {
    line = await startLine(vendure.adminUrl);
    server = await startTestServer({
      jobs: true,
      config: { workers: 0 },
      seed: { contracts: 6, stores: 2 },
      app: { pages: { folder: ADMIN } },
    });
    await publishStorefront.run(server.services, { storeId: 1 }, jobWith());
  });
  afterEach(() => {
    line.fault = null;
    line.before = undefined;
  });
  afterAll(async () => {
    await server.close();
    await line.close();
    await vendure.close();
  });

  test('products, variants, prices, stock and customers come over; another store has nothing of it', async () => {
    await vendure.admin('mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { __typename } }', {
      input: { emailAddress: 'ada@shop.example', firstName: 'Ada', lastName: 'Jansen' },
    });
    await connect();
    expect(await state()).toMatchObject({ status: 'CONNECTED', error: null, products: 2, customers: 1, waiting: 0, hears: true });
    expect(await ours('harbour-blend')).toEqual({
      title: 'Harbour Blend',
      status: 'ACTIVE',
      gone: false,
      // Prices as customers pay them, with the shop's tax of 20 percent.
      variants: [
        ['HB-1000-B', '1 kg / Beans', 3840, 12],
        ['HB-250-B', '250 g / Beans', 1140, 100],
        ['HB-250-F', '250 g / Filter', 1140, 40],
      ],
    });
    expect((await ours('tea-of-the-month'))?.variants).toEqual([['TEA-1', 'Default Title', 1680, null]]);
    const [ada] = await query("select first_name, last_name from customers where store_id = 1 and email = 'ada@shop.example'");
    expect(ada).toEqual({ first_name: 'Ada', last_name: 'Jansen' });
    expect(await query("select 1 from products where store_id = 2 and handle = 'harbour-blend'")).toEqual([]);
    expect((await server.call('store-connections.list', {}, { as: await server.signIn('owner', 2) })).data).toEqual([]);
  });

  test('reading the shop again changes nothing', async () => {
    const all = () => query('select id, shopify_id, title, updated_at from products where store_id = 1 order by id');
    const before = await all();
    expect((await server.call('store-connections.check', { id: connection })).status).toBe(200);
    await works();
    expect([await all(), (await state()).status]).toEqual([before, 'CONNECTED']);
  });

  test('a price and a stock that change in the shop are here once it has told of them', async () => {
    await changeVariant('HB-250-B', { price: 1000, stockLevels: [{ stockLocationId: '1', stockOnHand: 7 }] });
    await hears();
    expect((await ours('harbour-blend'))?.variants[1]).toEqual(['HB-250-B', '250 g / Beans', 1200, 7]);
    expect(await state()).toMatchObject({ waiting: 0, lastEventAtEpoch: expect.any(Number) });
  });

  test('a variant keeps its place when its option is called otherwise, goes when it is no longer sold, and comes back', async () => {
    const rows = () => query("select id, deleted_at is not null as gone from variants where store_id = 1 and sku = 'HB-250-F'");
    const [before] = await rows();
    const { productVariant } = await vendure.admin('query ($id: ID!) { productVariant(id: $id) { options { id code } } }', {
      id: await variantId('HB-250-F'),
    });
    const option = productVariant.options.find((one: { code: string }) => one.code === 'filter');
    await vendure.admin('mutation ($input: UpdateProductOptionInput!) { updateProductOption(input: $input) { id } }', {
      input: { id: option.id, translations: [{ languageCode: 'en', name: 'Paper filter' }] },
    });
    await changeVariant('HB-250-F', { sku: 'HB-250-F' });
    await hears();
    expect((await ours('harbour-blend'))?.variants[2][1]).toBe('250 g / Paper filter');
    await changeVariant('HB-250-F', { enabled: false });
    await hears();
    expect(await rows()).toEqual([{ ...before, gone: true }]);
    await changeVariant('HB-250-F', { enabled: true });
    await hears();
    expect(await rows()).toEqual([before]);
  });

  test('a product that is made there comes, and goes when it is deleted there', async () => {
    const { createProduct } = await vendure.admin('mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }', {
      input: { translations: [{ languageCode: 'en', name: 'Mug', slug: 'mug', description: '<p>Blue</p><script>x</script>' }] },
    });
    await vendure.admin('mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }', {
      input: [{ productId: createProduct.id, sku: 'MUG', price: 800, translations: [{ languageCode: 'en', name: 'Mug' }] }],
    });
    await hears();
    await expect
      .poll(() => works().then(() => ours('mug')), { interval: 50, timeout: 8000 })
      .toMatchObject({ title: 'Mug', variants: [['MUG', 'Default Title', 960, 0]] });
    expect(await query("select description from products where store_id = 1 and handle = 'mug'")).toEqual([{ description: '<p>Blue</p>' }]);
    await vendure.admin('mutation ($id: ID!) { deleteProduct(id: $id) { result } }', { id: createProduct.id });
    await expect.poll(() => works().then(() => ours('mug')), { interval: 50, timeout: 8000 }).toMatchObject({ gone: true, variants: null });
  });

  test('an event that comes fifty times, late or out of order is one look at the shop', async () => {
    const body = JSON.stringify({ subjects: [{ kind: 'variant', id: await variantId('TEA-1') }] });
    const headers = { 'x-perennial-event-id': 'twice', 'x-perennial-signature': await signed(body) };
    const answers = await Promise.all(Array.from({ length: 50 }, () => told(body, headers)));
    expect(new Set(answers.map(one => one.status))).toEqual(new Set([200]));
    let asked = 0;
    line.before = () => asked++;
    await works();
    await told(body, headers);
    await works();
    expect([asked, (await state()).waiting]).toEqual([1, 0]);
  });

  test('what is forged, meant for another store, or makes no sense is refused and changes nothing', async () => {
    const body = JSON.stringify({ subjects: [{ kind: 'product', id: '1' }] });
    const right = await signed(body);
    const rows = async () => [
      await query('select store_id, event_id from incoming_events order by 1, 2'),
      (await state()).lastEventAtEpoch,
    ];
    const before = await rows();
    const id = { 'x-perennial-event-id': 'forged' };
    const refused = [
      await told(body, id),
      await told(body, { ...id, 'x-perennial-signature': 'AAAA' }),
      await told(`${body} `, { ...id, 'x-perennial-signature': right }),
      await told(body, { ...id, 'x-perennial-signature': right }, 2),
      await told(body, { 'x-perennial-signature': right }),
    ];
    expect(refused.map(one => one.status)).toEqual([401, 401, 401, 401, 400]);
    for (const odd of ['{}', '{"subjects":[{"kind":"user","id":"1"}]}', '{"subjects":[{"kind":"product","id":1}]}'])
      expect((await told(odd, { ...id, 'x-perennial-signature': await signed(odd) })).status).toBe(400);
    expect(await rows()).toEqual(before);
  });

  test('a shop that is down or answers rubbish is tried again; what it changed meanwhile is found, though it never told', async () => {
    for (const fault of ['down', 'rubbish'] as const) {
      line.fault = fault;
      await query('update store_connections set due_at = now()');
      await works();
      expect(await state()).toMatchObject({ status: 'UNREACHABLE', error: expect.stringMatching(/reached|can’t be read/) });
    }
    expect((await ours('harbour-blend'))?.variants).toHaveLength(3);
    await changeVariant('HB-1000-B', { price: 3000 });
    await query('delete from platform_changes');
    line.fault = null;
    await query('update store_connections set due_at = now()');
    await works();
    expect([(await state()).status, (await ours('harbour-blend'))?.variants[0]]).toEqual([
      'CONNECTED',
      ['HB-1000-B', '1 kg / Beans', 3600, 12],
    ]);
  });

  test('a reading whose process dies between two pages goes on where it was', async () => {
    const dies = new AbortController();
    let asked = 0;
    line.before = () => {
      if (++asked === 2) dies.abort();
    };
    await server.call('store-connections.check', { id: connection });
    await expect(works(dies.signal)).rejects.toThrow();
    expect((await state()).status).toBe('LOADING');
    await works();
    expect(await state()).toMatchObject({ status: 'CONNECTED', products: 2, customers: 1 });
  });

  test('when most products are gone at once nothing is removed', async () => {
    await query(`insert into platform_ids (store_id, kind, id, platform_id, seen_at)
      select 1, 'PRODUCT', -n, 'gone-' || n, now() - interval '1 day' from generate_series(1, 8) n`);
    await server.call('store-connections.check', { id: connection });
    await works();
    expect(await state()).toMatchObject({ status: 'NOT_CONNECTED', error: expect.stringContaining('8 of 10 products') });
    await query("delete from platform_ids where platform_id like 'gone-%'");
  });

  test('a variant that is deleted and made again takes over its row here', async () => {
    const row = () => query("select id from variants where store_id = 1 and sku = 'HB-1000-B' and deleted_at is null");
    const before = await row();
    const { productVariant } = await vendure.admin('query ($id: ID!) { productVariant(id: $id) { productId options { id } } }', {
      id: await variantId('HB-1000-B'),
    });
    await vendure.admin('mutation ($id: ID!) { deleteProductVariant(id: $id) { result } }', { id: await variantId('HB-1000-B') });
    await vendure.admin('mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }', {
      input: [
        {
          productId: productVariant.productId,
          sku: 'HB-1000-B',
          price: 3100,
          optionIds: productVariant.options.map((one: { id: string }) => one.id),
          translations: [{ languageCode: 'en', name: 'Harbour Blend' }],
        },
      ],
    });
    await server.call('store-connections.check', { id: connection });
    await works();
    expect([await row(), (await ours('harbour-blend'))?.variants[0].slice(0, 3)]).toEqual([before, ['HB-1000-B', '1 kg / Beans', 3720]]);
    expect(await query("select platform_id from platform_ids where kind = 'VARIANT' and id = $1", [before[0]?.id])).toEqual([
      { platform_id: await variantId('HB-1000-B') },
    ]);
  });

  test('an error of our own is said, and tried again', async () => {
    await query("alter table platform_ids add constraint never check (seen_at < '2000-01-01') not valid");
    await query('update store_connections set due_at = now()');
    await expect(works()).rejects.toThrow('never');
    expect(await state()).toMatchObject({ status: 'UNREACHABLE', error: expect.stringContaining('went wrong here') });
    await query('alter table platform_ids drop constraint never');
    await query('update store_connections set due_at = now()');
    await works();
    expect(await state()).toMatchObject({ status: 'CONNECTED', error: null });
  });

  test('who was here is linked only to who has shown the shop their address, once, and keeps their own address', async () => {
    const [{ id, email }] = (await query(
      "select id, email from customers c where store_id = 1 and erased_at is null and email not like 'ada@%' order by id limit 1",
    )) as [any]; // any: see query
    const linked = () => query("select platform_id from platform_ids where store_id = 1 and kind = 'CUSTOMER' and id = $1", [id]);
    const { createCustomer } = await vendure.admin(
      'mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { ... on Customer { id } } }',
      { input: { emailAddress: email, firstName: 'Eve', lastName: 'Stranger' } },
    );
    await hears();
    expect(await linked()).toEqual([]);
    const there = { id: createCustomer.id, email, firstName: 'Eve', lastName: 'Known', phone: null, countryCode: null, isVerified: true };
    await server.services.db.inStore(1, trx =>
      mirrorCustomers({ trx, storeId: 1, countryCode: 'US', at: new Date() }, [there, { ...there, id: 'another' }]),
    );
    expect(await linked()).toEqual([{ platform_id: createCustomer.id }]);
    await vendure.admin('mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { __typename } }', {
      input: { id: createCustomer.id, emailAddress: 'eve@shop.example', lastName: 'Renamed' },
    });
    await hears();
    expect(await query('select email, last_name from customers where store_id = 1 and id = $1', [id])).toEqual([
      { email, last_name: 'Renamed' },
    ]);
    await vendure.admin('mutation ($id: ID!) { deleteCustomer(id: $id) { result } }', { id: createCustomer.id });
  });

  test('a customer who is renamed there is renamed on subscriptions too; who was erased here stays erased', async () => {
    await server.call('store-connections.check', { id: connection });
    await works();
    const [{ id }] = (await query("select id from customers where email = 'ada@shop.example'")) as [any]; // any: see query
    await query(`update contracts set customer_id = $1 where store_id = 1 and id = (select min(id) from contracts where store_id = 1)`, [
      id,
    ]);
    const { customers } = await vendure.admin('{ customers { items { id } } }');
    const rename = (lastName: string) =>
      vendure.admin('mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { __typename } }', {
        input: { id: customers.items[0].id, lastName },
      });
    await rename('de Vries');
    await hears();
    expect(await query('select customer_name, customer_email from contracts where customer_id = $1', [id])).toEqual([
      { customer_name: 'Ada de Vries', customer_email: 'ada@shop.example' },
    ]);
    await query(
      "update customers set erased_at = now(), first_name = '', last_name = '', email = 'erased-1@erased.invalid' where id = $1",
      [id],
    );
    await rename('Jansen');
    await hears();
    expect(await query("select last_name from customers where id = $1 or email = 'ada@shop.example'", [id])).toEqual([{ last_name: '' }]);
  });

  const scene: Scene = {
    vendure,
    query,
    works,
    state,
    ours,
    variantId,
    changeVariant,
    server: () => server,
    line: () => line,
    connection: () => connection,
    hears,
    connect,
  };
  ordersPaidHere(scene);
  boughtThere(scene);
  bothChanged(scene);
  inTheBrowser(scene);

  test('who may not change settings connects nothing; a store has one connection', async () => {
    const input = { address: line.url, apiKey: vendure.apiKey };
    expect((await server.call('store-connections.create', input, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('store-connections.create', input)).body).toMatchObject({ code: 'INVALID_STATE' });
    expect(JSON.stringify((await state()).apiKey)).not.toContain(vendure.apiKey);
  });

  test('after disconnecting products and orders that are not yet made stay, the shop hears that it is over, and connecting again finds the same products', async () => {
    const ids = () => query("select id from products where store_id = 1 and handle in ('harbour-blend', 'tea-of-the-month') order by id");
    const before = await ids();
    const paid = () => query('select id, state from platform_orders where id = 77');
    await query("insert into platform_orders (store_id, id, contract_id, state, created_at) values (1, 77, 1, 'STUCK', now())");
    await disconnect();
    expect(await paid()).toEqual([{ id: 77, state: 'STUCK' }]);
    await query('delete from platform_orders where id = 77');
    await works();
    await changeVariant('TEA-1', { price: 1500 });
    const forgotten = () => vendure.admin('{ getSettingsStoreValue(key: "perennial.events") }');
    await expect.poll(forgotten, { interval: 50, timeout: 8000 }).toEqual({ getSettingsStoreValue: {} });
    expect(
      await query('select 1 from platform_ids union all select 1 from platform_changes union all select 1 from store_connections'),
    ).toEqual([]);
    expect((await ours('tea-of-the-month'))?.variants).toEqual([['TEA-1', 'Default Title', 1680, null]]);
    await connect();
    expect([await ids(), (await ours('tea-of-the-month'))?.variants]).toEqual([before, [['TEA-1', 'Default Title', 1800, null]]]);
  });

  test('a wrong key, a wrong address and a shop in another currency are said in a sentence', async () => {
    await disconnect();
    const said = async (input: object): Promise<unknown> => {
      await connect(input);
      const { status, error } = await state();
      inGerman = (await server.call('store-connections.read', { id: connection }, { headers: { 'accept-language': 'de' } })).data.error;
      await disconnect();
      return [status, error];
    };
    let inGerman = '';
    expect(await said({ apiKey: 'a-key-of-no-administrator' })).toEqual(['NOT_CONNECTED', expect.stringContaining('refuses the API key')]);
    expect(inGerman).toContain('lehnt den API-Schlüssel ab');
    expect(await said({ address: `${server.url}/admin-api` })).toEqual(['NOT_CONNECTED', expect.stringContaining('no Admin API')]);
    await query("update stores set currency_code = 'EUR' where id = 1");
    expect(await said({})).toEqual(['NOT_CONNECTED', 'The shop sells in USD, this store in EUR. Both need the same currency.']);
  });
});
