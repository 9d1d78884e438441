// What pages of a shop read: built by itself after every change of what it is made of, never changing under its name, and nothing in it
// that not everybody may know.
import { sql, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../src/contract/types.ts';
import type { StorefrontIndex } from '../../../../src/domain/widgets/published.ts';
import { shardOf } from '../../../../src/domain/widgets/published.ts';
import { build } from '../../../../src/server/features/storefront/build.ts';
import { publish, readingFor } from '../../../../src/server/features/storefront/publish.ts';
import { tidy } from '../../../../src/server/features/housekeeping/jobs/tidy.ts';
import { oneEngine } from '../../../support/database.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('published data (%s)', engine => {
  let server: TestServer;
  let theme: any;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 2, stores: 2 }, jobs: true });
    [theme] = (await server.call('widgets.themes')).data;
  });
  afterAll(() => server?.close());

  const done = async (name: string, input: JsonObject = {}): Promise<any> => {
    const answer = await server.call(name, input);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.data;
  };
  const indexOf = async (store = 1): Promise<StorefrontIndex> => (await server.request('GET', `/storefront/${store}/index.json`)).json;
  const file = async (name: string | undefined, store = 1): Promise<any> =>
    (await server.request('GET', `/storefront/${store}/${name}`)).json;
  const exec = (text: string): Promise<unknown> => server.services.db.exec(text);
  /** Waits until what pages read holds what it should: at most the five seconds that are promised. */
  const within = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 5000, interval: 200 });
  async function widgetOnProductPages(): Promise<number> {
    const { id } = await done('widgets.create', { name: `Seen ${Math.random()}` });
    await done('widgets.checkTemplates', { id: theme.shopifyThemeId, target: 'PRODUCT', templateKeys: ['product'] });
    const templateDetails = [{ templateKey: 'product' }];
    await done('widgets.mapping', { id, shopifyThemeId: theme.shopifyThemeId, actionType: 'REMAP', templateDetails });
    await done('widgets.togglePublish', { id, status: 'ACTIVE' });
    return id;
  }

  it('is there without a token, for pages of any origin, small at first and then for ever', async () => {
    await within(async () => (await server.request('GET', '/storefront/1/index.json')).status).toBe(200);
    const index = await server.request('GET', '/storefront/1/index.json', { as: null, headers: { origin: 'https://shop.example' } });
    expect(index.headers.get('access-control-allow-origin')).toBe('*');
    expect(index.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(index.headers.get('cache-control')).toBe('public, max-age=1');
    expect(index.headers.get('set-cookie')).toBeNull();
    const plans = await server.request('GET', `/storefront/1/${(index.json as StorefrontIndex).plans}`, { as: null });
    expect(plans.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plans.json.length).toBeGreaterThan(0);
    for (const path of [
      '1/plans-0000000000000000.json',
      '1/..%2Findex.json',
      '1/x.json',
      '1/product-0.json',
      '999/index.json',
      '999/product-1.json',
      'x/index.json',
      '0/index.json',
    ])
      expect([path, (await server.request('GET', `/storefront/${path}`)).status]).toEqual([path, 404]);
    // The page of a product has the same in one answer, at an address that stays.
    const [shard] = (index.json as StorefrontIndex).products;
    const [number, known] = Object.entries(await file(shard))[0]!;
    const page = await server.request('GET', `/storefront/1/product-${number}.json`, { as: null });
    expect(page.headers.get('cache-control')).toBe('public, max-age=1');
    expect(page.headers.get('access-control-allow-origin')).toBe('*');
    expect(page.json).toMatchObject({ index: index.json, product: known, files: { [(index.json as StorefrontIndex).plans]: plans.json } });
    expect((await server.request('GET', '/storefront/1/product-12.json', { as: null })).json.product).toBeNull();
    // Files of a store are no other store's.
    expect((await server.request('GET', `/storefront/2/${(index.json as StorefrontIndex).plans}`)).status).toBe(404);
  });

  it('an editor gets what is typed as pages would read it, in a frame without rights; nothing is published by that', async () => {
    const before = await indexOf();
    const widget = await done('widgets.preview', { record: { type: 'PRODUCT', texts: { oneTimePurchaseLabel: 'Just once' } } });
    expect(widget).toMatchObject({ element: 'perennial-widget', widget: { texts: { oneTimePurchaseLabel: 'Just once' } } });
    expect(widget.widget.cssVariables['--sub-widget-radio-width']).toBe('20px');
    const banner = await done('storefront-banners.preview', { record: {}, locale: 'en' });
    expect(JSON.parse(banner.attributes.subscriptions)[0].name).toBe('every 2 weeks');
    const productIds = [1, 2, 3];
    const record = { name: 'Typed', type: 'FIXED', purchaseType: 'ONETIME', productIds, boxSizes: [{ name: 'New', minSize: 3 }, null] };
    const { box } = await done('bundles.previewPage', { record });
    expect(box).toMatchObject({ boxSizes: [{ minSize: 3, maxSize: 3 }], texts: { name: 'Typed' } });
    expect(box.texts[`boxSizes.${box.boxSizes[0].id}.name`]).toBe('New');
    // There is no box yet: branding is seen on one of the store's products.
    const branding = await done('bundle-branding.preview', { record: { showHero: true, heroHeight: 200, columnsMobile: 1 } });
    expect(branding).toMatchObject({ hint: null, box: { look: { hero: { height: 200 }, columns: { narrow: 1 } } } });
    expect((await server.call('gift-widgets.preview', { record: {} }, { as: 'readOnly' })).status).toBe(200);
    expect(await indexOf()).toEqual(before);
    const frame = await server.request('GET', '/storefront/frame', { as: null });
    expect(frame.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'self'; sandbox allow-scripts$/);
    // Code of a merchant runs beside pages of any shop, in a frame that has no origin either.
    const code = await server.request('GET', '/storefront/code', { as: null });
    expect(code.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors \*; sandbox allow-scripts$/);
  });

  it('counts what visitors see and touch: once a day each, no programs, nothing that is not published, from one network only so many', async () => {
    const id = await widgetOnProductPages();
    const draft = (await done('widgets.create', { name: 'Draft' })).id as number;
    const see = async (what: string, agent: string): Promise<any> => {
      const { status, headers } = await server.request('GET', `/storefront/1/seen?e=${what}`, {
        as: null,
        headers: { 'user-agent': agent },
      });
      expect([status, headers.get('access-control-allow-origin'), headers.get('set-cookie')]).toEqual([200, '*', null]);
      return done('widgets.read', { id });
    };
    const [phone, desk] = ['Mozilla/5.0 (iPhone)', 'Mozilla/5.0 (Macintosh)'];
    expect(await see(`${id}.SEEN`, 'Googlebot/2.1')).toMatchObject({ visitorsSaw: 0, visitorsTouched: 0 });
    await see(`${id}.SEEN,${draft}.SEEN`, phone);
    expect(await see(`${id}.SEEN,${id}.TOUCHED`, phone)).toMatchObject({ visitorsSaw: 1, visitorsTouched: 1 });
    expect(await see(`${id}.SEEN`, desk)).toMatchObject({ visitorsSaw: 2, visitorsTouched: 1, countedSince: expect.stringMatching(/^20/) });
    for (const wrong of ['', 'x', `${id}.BOUGHT`, "1';.SEEN", `${id}`.repeat(40)]) await see(encodeURIComponent(wrong), phone);
    for (let i = 0; i < 70; i++)
      await server.request('GET', `/storefront/1/seen?e=${id}.SEEN`, { as: null, headers: { 'user-agent': `Mozilla/5.0 ${i}` } });
    expect((await done('widgets.read', { id })).visitorsSaw).toBe(60);
    expect((await done('widgets.read', { id: draft })).visitorsSaw).toBe(0);
    const { rows } = await server.services.db.ownerQuery<any>('select distinct store_id, happened from seen_on_pages order by 2');
    expect(rows).toEqual([
      { store_id: 1, happened: 'SEEN' },
      { store_id: 1, happened: 'TOUCHED' },
    ]);
  });

  it('a store that was not put together yet asks its pages to come again', async () => {
    await within(async () => (await server.request('GET', '/storefront/2/index.json')).status).toBe(200);
    await exec('delete from storefronts where store_id = 2');
    const { status, headers } = await server.request('GET', '/storefront/2/index.json', { as: null });
    expect([status, headers.get('retry-after'), headers.get('access-control-allow-origin')]).toEqual([503, '1', '*']);
    await exec('insert into storefront_changes (store_id) values (2)');
    await within(async () => (await server.request('GET', '/storefront/2/index.json')).status).toBe(200);
  });

  it('follows publishing, restyling and unpublishing of a widget within five seconds, without a button', async () => {
    const id = await widgetOnProductPages();
    const name = async (): Promise<string | undefined> => (await indexOf()).widgets.PRODUCT?.[String(theme.shopifyThemeId)]?.product;
    await within(async () => (await file(await name()))?.id).toBe(id);
    const first = await name();
    const attributes = [{ attributeKey: 'accentColor', attributeValue: { value: '#118833' } }];
    await done('widgets.saveStyles', { id, styles: [{ styleKey: 'radio', attributes }] });
    await within(async () => (await file(await name()))?.cssVariables['--sub-widget-radio-accent-color']).toBe('#118833');
    expect(await name()).not.toBe(first);
    // A page that was loaded before still finds the file that it knows.
    expect((await file(first)).id).toBe(id);
    await done('widgets.togglePublish', { id, status: 'DRAFT' });
    await within(name).toBeUndefined();
    await exec(`update storefront_files set replaced_at = now() - interval '25 hours' where name = '${first}'`);
    await tidy.run(server.services, {}, jobWith());
    await within(async () => (await server.request('GET', `/storefront/1/${first}`)).status).toBe(404);
  });

  it('follows names and translations of plans, prices and stock, and what is sold out is said without how many there are', async () => {
    const [offered] = (
      await server.services.db.ownerQuery<{ product: number; variant: number; id: number; group: number }>(
        `select p.shopify_id::float8 as product, v.shopify_id::float8 as variant, v.id::float8 as id, m.group_id::float8 as "group"
          from plan_products m join products p on p.store_id = m.store_id and p.id = m.product_id and p.status = 'ACTIVE'
          join variants v on v.store_id = p.store_id and v.product_id = p.id
          join records r on r.store_id = m.store_id and r.id = m.group_id and r.data ->> 'status' = 'ACTIVE'
          where m.store_id = 1 and m.variant_id is null order by 1, 2 limit 1`,
      )
    ).rows;
    const variant = async (): Promise<any> => {
      const { products } = await indexOf();
      const found = (await file(products[shardOf(offered!.product, products.length)]))?.[String(offered!.product)];
      return found?.variants.find((one: any) => one.id === offered!.variant);
    };
    await exec(`update variants set price = 4321, compare_at_price = 5000, inventory_management = 'shopify', inventory_policy = 'deny',
      inventory_quantity = 77777 where store_id = 1 and id = ${offered!.id}`);
    await within(variant).toMatchObject({ price: 4321, compareAt: 5000, groups: expect.arrayContaining([offered!.group]) });
    expect(JSON.stringify(await variant())).not.toContain('77777');
    // An order that leaves some is nothing that pages learn of.
    const changes = (): Promise<unknown> =>
      server.services.db.ownerQuery('select count(*)::integer as n from storefront_changes where store_id = 1').then(({ rows }) => rows);
    await within(changes).toEqual([{ n: 0 }]);
    await exec(`update variants set inventory_quantity = 77776 where store_id = 1 and id = ${offered!.id}`);
    expect(await changes()).toEqual([{ n: 0 }]);
    await exec(`update variants set inventory_quantity = 0 where store_id = 1 and id = ${offered!.id}`);
    await within(variant).toMatchObject({ isSoldOut: true });

    await server.call('multilingual.addLanguage', { locale: 'de' });
    await exec(`update records set data = data || '{"isPublished": true}' where store_id = 1 and entity = 'store-language'`);
    const words = [{ key: 'name', value: 'Abo und sparen' }];
    await done('widget-translations.updateSellingPlansTranslations', { id: offered!.group, locale: 'de', translations: words });
    const inGerman = async (): Promise<unknown> =>
      (await file((await indexOf()).plans)).find((one: any) => one.id === offered!.group)?.words.de?.name;
    await within(inGerman).toBe('Abo und sparen');
  });

  it('is built after a change of each table that it is read from', async () => {
    const read = new Set<string>();
    const noting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        const text = JSON.stringify(node);
        for (const [, table] of text.matchAll(/\b(?:from|join) ([a-z_]+)\b/g)) read.add(table!);
        for (const [, table] of text.matchAll(/"TableNode".*?"IdentifierNode","name":"([a-z_]+)"/g)) read.add(table!);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await server.services.db.inStore(1, async trx => {
      const reading = await readingFor(trx.withPlugin(noting), 1, server.services.definitions);
      await build(reading!);
    });
    const { rows } = await server.services.db.ownerQuery<{ name: string }>(
      "select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname like '%\\_storefront\\_update'",
    );
    const { rows: tables } = await server.services.db.ownerQuery<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const real = new Set(tables.map(row => row.name));
    const wanted = [...read].filter(name => real.has(name)).sort();
    expect(wanted).toContain('plan_products');
    expect(wanted.filter(name => !rows.some(row => row.name === name))).toEqual([]);
  });

  it('holds the texts that shoppers read, and no other text of any record or setting', async () => {
    const { definitions, db } = server.services;
    await widgetOnProductPages();
    const { rows: goods } = await db.ownerQuery<{ id: number }>(
      "select id::float8 as id from products where store_id = 1 and status = 'ACTIVE' and not is_gift_card order by id limit 1",
    );
    const { id: box } = await done('bundles.create', {
      name: 'Box',
      purchaseType: 'ONETIME',
      productIds: [goods[0]!.id],
      description: 'D',
    });
    await done('bundles.publish', { id: box });
    /** Each text of a schema gets words by which it is found again. */
    const marked = (schema: Schema, place: string): JsonObject =>
      Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, any][] => {
          const is = (type: string): boolean => [field.type].flat().includes(type as never);
          if (field.oneOf || field.enum) return [];
          if (is('string')) return [[name, `Zz ${place}.${name} zZ`]];
          return field.properties ? [[name, marked(field, `${place}.${name}`)]] : [];
        }),
      );
    const statements: [string, unknown[]][] = [];
    for (const [entity, schema] of Object.entries(definitions.entities)) {
      if (!schema['x-record'] || schema['x-record'].table) continue;
      const { status: _status, type: _type, bundleType: _kind, locale: _locale, ...texts } = marked(schema, entity);
      statements.push([
        "update records set data = data || replace($1, ' zZ', ' ' || id || ' zZ')::jsonb where store_id = 1 and entity = $2",
        [JSON.stringify(texts), entity],
      ]);
    }
    for (const [name, schema] of Object.entries(definitions.settings))
      statements.push([
        'insert into settings (store_id, name, data) values (1, $1, $2::jsonb) on conflict (store_id, name) do update set data = excluded.data',
        [name, JSON.stringify(marked(schema, name))],
      ]);
    const { rows: columns } = await db.ownerQuery<{ table: string; name: string }>(
      `select table_name as table, column_name as name from information_schema.columns where table_schema = 'public'
        and table_name in ('products', 'variants') and data_type = 'text'
        and column_name not in ('status', 'inventory_policy', 'inventory_management')`,
    );
    for (const { table, name } of columns)
      statements.push([`update ${table} set ${name} = 'Zz ${table}.${name} ' || id || ' zZ' where store_id = 1`, []]);
    for (const [text, values] of statements) await db.ownerQuery(text, values);
    const files = await db.inStore(1, async trx => (await publish((await readingFor(trx, 1, definitions))!, '')).files);
    const found = new Set([...files.values()].flatMap(text => [...text.matchAll(/Zz ([\w.-]+)(?: \d+)? zZ/g)].map(([, place]) => place!)));
    const isShown = (place: string): boolean =>
      /^(storefront-widget|storefront-banner|gift-widget)\.(texts\.\w+|styles\.\w+\.\w+|customCss)$/.test(place) ||
      /^bundle\.(name|publicId|description|footer|imageUrl|heroImageUrl|custom(?:Css|Js)|addToCartRedirectUrl)$/.test(place) ||
      /^(products|variants)\.(title|image)$|^bundle-branding\.customCss$/.test(place) ||
      ['selling-plan-group.name', 'selling-plan-group.optionLabel', 'script-tag.src'].includes(place);
    expect([...found].filter(place => !isShown(place))).toEqual([]);
    expect([...found]).toEqual(expect.arrayContaining(['selling-plan-group.name', 'bundle.description', 'products.title']));
    expect([...found].some(place => place.startsWith('storefront-widget.texts.'))).toBe(true);
  });

  it('is one build at a time, and a change beside a build is built again', async () => {
    const { db, definitions } = server.services;
    await db.inStore(2, async trx => {
      await publish((await readingFor(trx, 2, definitions))!, '');
      await sql`update products set title = title || '!' where store_id = 2`.execute(trx);
    });
    const { rows } = await db.ownerQuery<{ n: number }>('select count(*)::integer as n from storefront_changes where store_id = 2');
    expect(rows[0]!.n).toBeGreaterThan(0);
    await within(async () => (await db.ownerQuery('select from storefront_changes where store_id = 2')).rows.length).toBe(0);
  });
});
