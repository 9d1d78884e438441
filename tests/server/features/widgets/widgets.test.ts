// Widgets on a running server: their parts as entries, their places in themes, publishing, and what the storefront reads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
let theme: any;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 2, stores: 2 } });
  [theme] = (await server.call('widgets.themes')).data;
});
afterAll(() => server?.close());

const done = async (name: string, input: JsonObject = {}): Promise<any> => {
  const answer = await server.call(name, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data;
};
const refused = async (name: string, input: JsonObject, status: number): Promise<string> => {
  const answer = await server.call(name, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return JSON.stringify(answer.body);
};
let n = 0;
const create = (table: string, over: JsonObject = {}): Promise<any> => done(`${table}.create`, { name: `Widget ${++n}`, ...over });
const place = (table: string, id: number, actionType: string, ...keys: string[]): JsonObject => ({
  id,
  shopifyThemeId: theme.shopifyThemeId,
  actionType,
  templateDetails: keys.map(templateKey => ({ templateKey })),
});
const attribute = (styles: any[], styleKey: string, key: string): any =>
  styles.find(one => one.styleKey === styleKey).attributes.find((one: any) => one.attributeKey === key);

describe('parts of a widget', () => {
  it('D040 D041 D042 D215 D216 styles are attributes with value, unit, CSS variable and input; without a value the standard holds', async () => {
    const { id } = await create('widgets');
    const standard = await done('widgets.standardStyles');
    expect(await done('widgets.styles', { id })).toEqual(standard);
    expect(attribute(standard, 'optionLabel', 'fontSize')).toMatchObject({
      attributeValue: { value: 14, unit: 'px' },
      attributeCssVariableKey: '--sub-widget-option-label-font-size',
      attributeComponentUI: 'NUMBER',
    });
    const size = (value: JsonObject | null): JsonObject => ({
      id,
      styles: [{ styleKey: 'optionLabel', attributes: [{ attributeKey: 'fontSize', attributeValue: value }] }],
    });
    const saved = await done('widgets.saveStyles', size({ value: 18, unit: 'px' }));
    expect(attribute(saved, 'optionLabel', 'fontSize').attributeValue).toEqual({ value: 18, unit: 'px' });
    expect((await done('widgets.read', { id })).isCustomised).toBe(true);
    expect(await refused('widgets.saveStyles', size({ value: 90, unit: 'px' }), 422)).toContain('Enter a number between 8 and 72.');
    expect(attribute(await done('widgets.saveStyles', size(null)), 'optionLabel', 'fontSize').attributeValue.value).toBe(14);
    expect((await done('widgets.read', { id })).isCustomised).toBe(false);
    expect(await refused('widgets.saveStyles', { id, styles: [{ styleKey: 'hat', attributes: [] }] }, 422)).toContain('“hat”');
  });

  it('D043 D044 D045 settings have key, value, default, type and options; a boolean is a string on the wire and a boolean in the record', async () => {
    const { id } = await create('widgets');
    const entry = (entries: any[], key: string): any => entries.find(one => one.key === key);
    const before = await done('widgets.preferences', { id });
    expect(entry(before, 'hideEachLabel')).toMatchObject({ value: 'false', defaultValue: 'false', valueType: 'BOOLEAN', options: [] });
    expect(entry(before, 'layoutType')).toMatchObject({ valueType: 'ENUM', options: ['RADIO', 'BUTTON_GROUP', 'CHECKBOX'] });
    const after = await done('widgets.savePreferences', { id, preferences: [{ key: 'hideEachLabel', value: 'true' }] });
    expect(entry(after, 'hideEachLabel').value).toBe('true');
    expect((await done('widgets.read', { id })).preferences).toMatchObject({ hideEachLabel: true, layoutType: 'RADIO' });
    await refused('widgets.savePreferences', { id, preferences: [{ key: 'layoutType', value: 'SPIRAL' }] }, 422);
    expect(await done('widgets.standardPreferences')).toEqual(before);
  });

  it('D272 D273 D274 weights, letters and slants are the ones of the list', async () => {
    const of = (key: string): Promise<any> => done('widgets.standardStyles').then(styles => attribute(styles, 'optionLabel', key).options);
    expect(await of('fontWeight')).toEqual(['none', '300', '400', '500', '600', '700', '800', '900']);
    expect(await of('textTransform')).toEqual(['none', 'capitalize', 'lowercase', 'uppercase']);
    expect(await of('fontStyle')).toEqual(['unset', 'oblique', 'italic', 'normal']);
  });

  it('texts keep to the variables that the product fills in', async () => {
    const { id } = await create('widgets');
    const wrong = { id, texts: [{ key: 'discountBadgeText', value: 'Now {{price}}' }] };
    expect(await refused('widgets.saveTexts', wrong, 422)).toContain('{{discount_value}}');
    await done('widgets.saveTexts', { id, texts: [{ key: 'discountBadgeText', value: '{{discount_value}} less' }] });
    expect((await done('widgets.read', { id })).texts.discountBadgeText).toBe('{{discount_value}} less');
  });
});

it('every store has a theme from its first day on; a block is put into templates that it has, once', async () => {
  expect(theme).toMatchObject({ name: 'Meadow', role: 'MAIN', isEligibleV2: true, isBlockAdded: false, blocks: [] });
  const of = { id: theme.shopifyThemeId, target: 'COLLECTION' };
  expect(await refused('widgets.checkTemplates', { ...of, templateKeys: ['product'] }, 422)).toContain('“product”');
  for (let i = 0; i < 2; i++) await done('widgets.checkTemplates', { ...of, templateKeys: ['collection'] });
  expect((await done('widgets.templates', of)).templates.map((one: any) => one.isBlockAdded)).toEqual([true, false]);
  expect((await done('widgets.themes'))[0]).toMatchObject({ isBlockAdded: true, blocks: ['COLLECTION'] });
  expect((await server.call('widgets.templates', of, { as: await server.signIn('owner', 2) })).status).toBe(404);
});

describe('places of a widget', () => {
  it('D046 D047 D077 D078 D218 D275 a widget is published once it stands on a template with its block, and back', async () => {
    const { id, status } = await create('widgets', { type: 'PRODUCT' });
    expect(status).toBe('DRAFT');
    expect(await refused('widgets.togglePublish', { id, status: 'ACTIVE' }, 409)).toContain('Map this widget to a theme first.');
    expect(await refused('widgets.mapping', place('widgets', id, 'MAP', 'product'), 409)).toContain('could not find the block');
    await done('widgets.checkTemplates', { id: theme.shopifyThemeId, target: 'PRODUCT', templateKeys: ['product'] });
    const templateDetails = [{ templateKey: 'product', templateName: 'Default product', templateType: 'PRODUCT' }];
    const mapped = await done('widgets.mapping', { ...place('widgets', id, 'MAP'), templateDetails });
    expect(mapped.places).toEqual(['Meadow · Default product']);
    expect(await done('widgets.mapping', place('widgets', id, 'MAP', 'product'))).toEqual(mapped);
    expect((await done('widgets.togglePublish', { id, status: 'ACTIVE' })).status).toBe('ACTIVE');
    await refused('widgets.delete', { id }, 409);
    expect((await done('widgets.togglePublish', { id, status: 'DRAFT' })).status).toBe('DRAFT');
    await refused('widgets.togglePublish', { id, status: 'GONE' }, 422);
    await refused('widgets.mapping', { ...place('widgets', id, 'MAP', 'product'), shopifyThemeId: 'Meadow' }, 422);
  });

  it('D014 D015 D217 places are asked for by the kind of page, product pages where none is named; another widget gives way to REMAP alone', async () => {
    const [first] = (await done('widgets.list', { type: 'PRODUCT' })).filter((one: any) => one.places.length);
    const second = await create('widgets');
    expect(await refused('widgets.mapping', place('widgets', second.id, 'MAP', 'product'), 409)).toContain('REMAP');
    await done('widgets.mapping', place('widgets', second.id, 'REMAP', 'product'));
    const of = (id: number, templateType?: string): Promise<any> =>
      done('widgets.mappings', { id, target: 'PRODUCT', ...(templateType ? { templateType } : {}) });
    expect((await of(second.id)).map((one: any) => one.templateKey)).toEqual(['product']);
    expect([await of(second.id, 'PAGE'), await of(first.id)]).toEqual([[], []]);
    await refused('widgets.mappings', { id: second.id, target: 'PRODUCT', templateType: 'BLOG' }, 422);
    const many = Array.from({ length: 11 }, (_, i) => `product.${i}`);
    expect(await refused('widgets.mapping', place('widgets', second.id, 'MAP', ...many), 422)).toContain('up to 10 templates');
    await done('widgets.mapping', place('widgets', second.id, 'UNMAP', 'product'));
    await done('widgets.delete', { id: second.id });
  });

  it('D013 D213 D214 lists and the question whether there is one are asked by target', async () => {
    const answers = await Promise.all(
      ['PRODUCT', 'COLLECTION', 'GIFT', 'STOREFRONT_BANNER', 'CHECKOUT'].map(async type => [
        (await done('widgets.list', { type })).length > 0,
        (await done('widgets.hasWidget', { type })).hasWidget,
      ]),
    );
    expect(answers).toEqual([[true, true], ...Array.from({ length: 4 }, () => [false, false])]);
    // Each kind that is made is there by both, and can be made by the call that its list belongs to.
    const made: [type: string, calls: string, id: number][] = [];
    for (const [type, calls] of Object.entries({
      COLLECTION: 'widgets',
      CHECKOUT: 'widgets',
      GIFT: 'gift-widgets',
      STOREFRONT_BANNER: 'storefront-banners',
    })) {
      const { id } = await done(`${calls}.create`, { name: `Of ${type}`, ...(calls === 'widgets' ? { type } : {}) });
      expect([type, await done('widgets.hasWidget', { type })]).toEqual([type, { hasWidget: true }]);
      expect([type, (await done('widgets.list', { type })).map((one: any) => one.id)]).toEqual([type, [id]]);
      made.push([type, calls, id]);
    }
    // The checkout is no page of a theme, so its widget is published without one.
    const ofCheckout = made.find(([type]) => type === 'CHECKOUT')?.[2] ?? 0;
    expect((await done('widgets.togglePublish', { id: ofCheckout, status: 'ACTIVE' })).status).toBe('ACTIVE');
    expect(await refused('widgets.mapping', place('widgets', ofCheckout, 'MAP', 'product'), 409)).toContain('stands in no theme');
    await done('widgets.togglePublish', { id: ofCheckout, status: 'DRAFT' });
    for (const [, calls, id] of made) await done(`${calls}.delete`, { id });
    await refused('widgets.list', { type: 'SHELF' }, 422);
  });

  it('D079 D189 D219 D220 gift widgets and banners have the same calls under names of their own; banners say where they stand and whether they can', async () => {
    const gift = await create('gift-widgets');
    expect(await done('gift-widgets.hasWidget')).toEqual({ hasWidget: true });
    await done('gift-widgets.checkTemplates', { id: theme.shopifyThemeId, target: 'GIFT', templateKeys: ['page'] });
    expect((await done('gift-widgets.mapping', place('gift-widgets', gift.id, 'MAP', 'page'))).places).toEqual(['Meadow · Default page']);
    expect((await done('gift-widgets.preferences', { id: gift.id }))[0].key).toBe('layoutType');
    const banner = await create('storefront-banners');
    expect(await done('storefront-banners.themeEligibility')).toEqual({ isEligible: true, reason: null });
    await done('storefront-banners.checkTemplates', { id: theme.shopifyThemeId, target: 'STOREFRONT_BANNER', templateKeys: ['product'] });
    await done('storefront-banners.mapping', place('storefront-banners', banner.id, 'MAP', 'product'));
    expect((await done('storefront-banners.togglePublish', { id: banner.id, status: 'ACTIVE' })).status).toBe('ACTIVE');
    expect((await done('storefront-banners.allMappings')).map((one: any) => one.widgetId)).toEqual([banner.id]);
    await refused('widgets.read', { id: banner.id }, 404);
    for (const key of ['bannerViewed', 'bannerClicked', 'productsAdded', 'itemsSold', 'netMRRAdded']) {
      expect(server.services.definitions.calls[`storefront-banner-analytics.${key}`]?.method).toBe('POST');
      expect(Number((await done(`storefront-banner-analytics.${key}`, { bannerId: banner.id })).value)).toBe(0);
    }
  });
});

it('D048 D049 D050 the example of the editor is a product of the store with its plans at their prices', async () => {
  const { purchaseOptions } = await done('widgets.sample');
  const [once, subscription] = purchaseOptions;
  expect(Object.keys(once)).toEqual(
    expect.arrayContaining(['id', 'type', 'name', 'price', 'compareAtPrice', 'deliveryLabel', 'description', 'sellingPlan']),
  );
  expect([once.type, subscription.type]).toEqual(['one-time-purchase', 'subscription']);
  expect(subscription.sellingPlan[0]).toMatchObject({ name: expect.any(String), discount: expect.any(String), price: expect.any(String) });
});

it('D009 D010 D011 D012 the editor of widgets has four tabs, those of banners and gifts two; the library has tabs of its own', () => {
  const { resources } = server.services.definitions;
  const tabs = (route: string): unknown[] => [
    ...new Set(resources[route]?.form?.sections.flatMap(section => (section.tab === undefined ? [] : [section.tab]))),
  ];
  expect(tabs('widgets/storefront/[view]')).toEqual(['Configuration', 'Preferences', 'Styles', 'Texts']);
  expect(tabs('widgets/storefront/banners/[id]')).toEqual(['Styles', 'Texts']);
  expect(tabs('gift/widget/[id]')).toEqual(['Styles', 'Texts']);
  expect(resources['widgets/storefront/library']?.pages?.map(one => one.title)).toEqual([
    'Themes',
    'Product and collection pages',
    'Banners for subscribers',
    'Scripts',
  ]);
});

it('D221 D222 words of widgets are listed by target and translated by language and target', async () => {
  const widget = await create('widgets');
  const gift = await create('gift-widgets');
  await done('multilingual.addLanguage', { locale: 'de' });
  const listed = await done('widget-translations.listCategoryWidgets', { target: 'GIFT' });
  expect(listed.map((one: any) => one.id)).toContain(gift.id);
  await refused('widget-translations.listCategoryWidgets', {}, 422);
  const of = { id: gift.id, locale: 'de', target: 'GIFT' };
  const key = 'texts.giftLabelText';
  await done('widget-translations.updateTranslations', { ...of, translations: [{ key, value: 'Als Geschenk' }] });
  const texts = await done('widget-translations.translations', of);
  expect(texts.find((one: any) => one.key === key)).toMatchObject({ source: 'Give it as a gift', value: 'Als Geschenk' });
  await refused('widget-translations.translations', { ...of, target: 'PRODUCT' }, 404);
  const badge = [{ key: 'texts.discountBadgeText', value: 'Weniger' }];
  expect(await refused('translations.updateWidget', { widgetId: widget.id, localeStoreId: 'de', translations: badge }, 422)).toContain(
    '{{discount_value}}',
  );
  const [group] = await done('selling-plan-groups.list', {});
  const plans = await done('widget-translations.getSellingPlanGroupPlans', { id: group.lspgId });
  expect(plans.map((one: any) => one.key)).toContain('name');
  const name = [{ key: 'name', value: 'Abo und sparen' }];
  await done('widget-translations.updateSellingPlansTranslations', { id: group.lspgId, locale: 'de', translations: name });
  const [first] = await done('widget-translations.sellingPlansTranslations', { id: group.lspgId, locale: 'de' });
  expect(first).toMatchObject({ key: 'name', value: 'Abo und sparen' });
});

it('the widget of version 1 is shown or hidden, put into themes, and has one look', async () => {
  expect(await done('legacy-widget.change_legacy_widget_status', { status: 'DRAFT' })).toEqual({ widgetStatus: 'DRAFT' });
  const which = { shopifyThemeId: theme.shopifyThemeId };
  for (const isInstalled of [true, false]) {
    await done(`legacy-widget.${isInstalled ? 'install' : 'remove'}`, which);
    expect((await done('legacy-widget.themes'))[0].isInstalled).toBe(isInstalled);
  }
  const { preferences, styles, texts } = await done('preferences-app.customWidget');
  const green = { ...styles, radio: { ...styles.radio, accentColor: '#118833' } };
  await done('preferences-app.updateCustomWidget', { preferences, styles: green, texts });
  expect((await done('preferences-app.customWidget')).styles.radio.accentColor).toBe('#118833');
  await server.services.db.exec('update stores set storefront_widget_version = 1 where id = 1');
  server.services.sessions.forget(1);
  const { legacyWidget } = (await done('widgets.refreshStoreData')).data;
  expect(legacyWidget).toMatchObject({ isShown: false, themeIds: [], cssVariables: { '--sub-widget-radio-accent-color': '#118833' } });
  await server.services.db.exec('update stores set storefront_widget_version = 2 where id = 1');
  server.services.sessions.forget(1);
});

it('D142 D143 scripts of the storefront are added once, removed and read, at most twenty, and named in what it reads', async () => {
  const src = (n: number): string => `https://scripts.example/${n}.js`;
  const made = await done('script-tags.create', { src: src(0), displayScope: 'ALL' });
  expect(made).toMatchObject({ src: src(0), event: 'onload', displayScope: 'ALL' });
  expect(await refused('script-tags.create', { src: src(0) }, 409)).toContain('loads this script already');
  const asText = async (path: string, variables: string) =>
    server.request('POST', `/host/app${server.services.definitions.calls[path]?.path}`, {
      as: 'owner',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ shop: 'fernandember.myshopify.com', variables }),
    });
  const sent = await asText('script-tags.create', JSON.stringify({ src: src(99) }));
  expect([sent.status, sent.text]).toEqual([200, expect.stringContaining(src(99))]);
  expect((await asText('script-tags.create', '{ src')).status).toBe(422);
  await server.services.db.exec("delete from records where entity = 'script-tag' and data ->> 'src' like '%/99.js'");
  expect(await refused('script-tags.create', { src: 'http://scripts.example/a.js' }, 422)).toContain('https://');
  await server.services.db.exec(`insert into records (store_id, entity, data) select 1, 'script-tag',
    jsonb_build_object('src', 'https://scripts.example/' || n || '.js') from generate_series(1, 19) as n`);
  expect(await refused('script-tags.create', { src: src(20) }, 409)).toContain('at most 20');
  await done('script-tags.delete', { id: made.id });
  expect((await done('script-tags.read')) as any[]).toHaveLength(19);
  const { data } = await done('widgets.refreshStoreData');
  expect(data.scripts).toContainEqual({ src: src(3), event: 'onload', displayScope: 'ONLINE_STORE' });
  expect(data.scripts).toHaveLength(19);
  await server.services.db.exec("delete from records where entity = 'script-tag'");
});

it('what the storefront reads is what is published, at the latest when it is refreshed', async () => {
  const before = await done('widgets.refreshStoreData');
  expect(before.data.banners[0].cssVariables['--sub-widget-banner-button-background-color']).toBe('#2F5D27');
  expect(before.data.isStorefrontWidgetPublished).toBe(false);
  expect((await done('widgets.storefrontData')).data).toEqual(before.data);
  const [widget] = (await done('widgets.list', { type: 'PRODUCT' })) as any[];
  await done('widgets.mapping', place('widgets', widget.id, 'REMAP', 'product'));
  await done('widgets.togglePublish', { id: widget.id, status: 'ACTIVE' });
  const after = await done('widgets.refreshStoreData');
  expect(after.data.widgetMapping).toEqual({ [theme.shopifyThemeId]: { product: widget.id } });
  expect((await done('widgets.storefrontData')).data).toEqual(after.data);
  expect((await done('widgets.refreshGiftStoreData')).data.widgets).toEqual([]);
});
