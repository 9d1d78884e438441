// The words that customers read: those of the product, of the store in its primary language, and their translations.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { sourcesOf } from '../../../../src/server/platform/texts/sources.ts';
import { readingFor } from '../../../../src/server/features/storefront/publish.ts';
import { legacyWidget } from '../../../../src/server/features/storefront/widgets.ts';
import { textId } from '../../../../src/server/platform/texts/text-id.ts';
import { readWords, resolved } from '../../../../src/server/platform/texts/words.ts';
import { group, monthly } from '../selling-plans/plans.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe('texts of a store', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres' });
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    await server.services.db.ownerQuery('delete from texts');
    await server.services.db.ownerQuery("delete from records where entity = 'store-language' and data ->> 'isPrimary' <> 'true'");
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => server.call(name, input);
  const rows = async (name: string, input: JsonObject = {}): Promise<JsonObject[]> => (await call(name, input)).data;
  const one = async (name: string, key: string, input: JsonObject = {}): Promise<JsonObject> =>
    (await rows(name, input)).find(row => row.key === key) as JsonObject;
  const add = (locale: string) => call('multilingual.addLanguage', { locale });
  const publish = async (locale: string): Promise<void> => {
    const { data } = await add(locale);
    await call('multilingual.changeLanguage', { id: data.id, isPublished: true });
  };
  const translate = (categoryId: string, localeStoreId: string, translations: JsonObject[]) =>
    call('multilingual.update_translations', { categoryId, localeStoreId, translations });
  /** What a customer reads, by key. */
  const read = (locale: string | null, categoryId: string): Promise<Record<string, string>> =>
    server.services.db.inStore(1, async trx => {
      const scope = { trx, storeId: 1, definitions: server.services.definitions };
      const sources = await sourcesOf(scope, { categoryId });
      const words = await resolved(scope, locale, sources);
      return Object.fromEntries(sources.map(source => [source.key, words.get(textId(source)) as string]));
    });

  it('D168 general, payment, accessibility and Zapiet texts are each fetched and updated', async () => {
    for (const [group, key] of [
      ['GeneralTexts', 'cancel'],
      ['PaymentTexts', 'payNow'],
      ['AccessibilityTexts', 'a11yErrorSummary'],
      ['ZapietTranslations', 'zapietPickup'],
    ] as const) {
      expect(await one(`texts.fetch${group}`, key)).toMatchObject({ value: null, state: 'MISSING' });
      const saved = await call(`texts.update${group}`, { translations: [{ key, value: `Own ${group}` }] });
      expect(saved).toMatchObject({ status: 200, data: [{ key, value: `Own ${group}`, state: 'DONE' }] });
      expect(await one(`texts.fetch${group}`, key)).toMatchObject({ value: `Own ${group}` });
    }
    // A key of another category is none of this one.
    const other = await call('texts.updatePaymentTexts', { translations: [{ key: 'cancel', value: 'No' }] });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/translations/0/value' }] } });
    // Empty, or the words of the product again: nothing of its own is kept.
    await call('texts.updateGeneralTexts', { translations: [{ key: 'cancel', value: '' }] });
    expect(await one('texts.fetchGeneralTexts', 'cancel')).toMatchObject({ value: null });
  });

  it('D157 D167 texts are fetched by their kind and by their keys', async () => {
    const { texts } = server.services.definitions;
    const general = Object.values(texts).filter(({ type }) => type === 'GENERAL');
    const all = general.flatMap(category => Object.keys(category.texts));
    expect((await rows('translations-app.fetch', { type: 'GENERAL' })).map(row => row.key)).toEqual(all);
    expect(await rows('translations-app.fetch', { type: 'GIFT' })).toEqual([]);
    const some = await rows('translations.storeTranslationsByTranslationKeys', { translationKeys: ['pause', 'payNow'] });
    expect(some.map(row => [row.key, row.categoryId])).toEqual([
      ['pause', 'general'],
      ['payNow', 'payments'],
    ]);
  });

  it('D164 C195 C196 general translations are addressed by category, as integrations do', async () => {
    await add('de');
    const saved = await call('multilingual.updateGeneral', {
      category: 'zapiet',
      localeStoreId: 'de',
      translations: [{ key: 'zapietPickup', value: 'Abholung' }],
    });
    expect(saved.status).toBe(200);
    expect(await one('multilingual.general', 'zapietPickup', { category: 'zapiet', localeStoreId: 'de' })).toMatchObject({
      value: 'Abholung',
    });
    await call('integrations-texts.updateGeneralTranslations', {
      category: 'zapiet',
      translations: [{ key: 'zapietPickup', value: 'Pick up' }],
    });
    expect(await one('integrations-texts.fetchGeneralTranslationsByCategory', 'zapietPickup', { category: 'zapiet' })).toMatchObject({
      value: 'Pick up',
    });
    // C195 C196: what customers read of their points, in each language.
    const german = { category: 'loyalty', locale: 'de' };
    const points = [{ key: 'loyaltyBalance', value: '{{points}} Punkte' }];
    expect((await call('integrations-texts.updateGeneralTranslations', { ...german, translations: points })).status).toBe(200);
    expect(await one('integrations-texts.fetchGeneralTranslationsByCategory', 'loyaltyBalance', german)).toMatchObject({
      source: '{{points}} points',
      value: '{{points}} Punkte',
    });
    // What is translated stands beside the words of the primary language.
    expect(await one('multilingual.fetch_translations', 'zapietPickup', { categoryId: 'zapiet', localeStoreId: 'de' })).toMatchObject({
      source: 'Pick up',
      value: 'Abholung',
    });
    expect((await call('multilingual.general', { category: 'nowhere' })).status).toBe(404);
  });

  it('D159 D160 categories say how far they are, and translations come by category and language', async () => {
    await add('fr');
    await translate('accessibility', 'fr', [{ key: 'a11yErrorSummary', value: 'Certains champs ne vont pas' }]);
    const categories = await rows('multilingual.fetch_categories', { localeStoreId: 'fr' });
    // Files of texts by their position, then kinds of records; each feature adds its own between them.
    const known = ['general', 'payments', 'accessibility', 'zapiet', 'emails', 'loyalty', 'EMAIL_TEMPLATE', 'FLOW', 'SELLING_PLAN'];
    expect(categories.map(row => row.categoryId).filter(id => known.includes(String(id)))).toEqual(known);
    expect(categories.map(row => row.categoryId)).toEqual(expect.arrayContaining(['upgrade', 'SWAP_PROFILE', 'UPSELL_PROFILE']));
    expect(categories.find(row => row.categoryId === 'accessibility')).toMatchObject({ translated: 1, percent: expect.any(Number) });
    expect(categories.find(row => row.categoryId === 'payments')).toMatchObject({ translated: 0, percent: 0 });
    expect(await rows('multilingual.fetch_categories', { type: 'SELLING_PLAN', localeStoreId: 'fr' })).toHaveLength(1);
    expect((await call('multilingual.fetch_translations', { categoryId: 'general', localeStoreId: 'ja' })).status).toBe(404);
  });

  it('a translation keeps every variable, knows no other, and is as long as the text may be', async () => {
    await add('de');
    const errorsOf = async (key: string, value: string): Promise<string[]> =>
      ((await translate('general', 'de', [{ key, value }])).body.errors ?? []).map((error: JsonObject) => error.message);
    expect(await errorsOf('nextOrderOn', 'Nächste Bestellung')).toEqual([
      expect.stringContaining('The variable {{next_order_date}} is missing.'),
    ]);
    expect(await errorsOf('pause', 'Pause {{name}}')).toEqual([expect.stringContaining('There is no variable {{name}} here.')]);
    expect(await errorsOf('pause', 'P{{')).toEqual([expect.stringContaining('not closed')]);
    expect(await errorsOf('pause', 'x'.repeat(61))).toEqual([expect.stringContaining('Use at most 60 characters')]);
    // All or nothing, and each mistake at its place.
    const both = await translate('general', 'de', [
      { key: 'pause', value: 'Pausieren' },
      { key: 'nextOrderOn', value: 'Nächste' },
    ]);
    expect(both).toMatchObject({ status: 422, body: { errors: [{ pointer: '/translations/1/value' }] } });
    expect(await one('multilingual.fetch_translations', 'pause', { categoryId: 'general', localeStoreId: 'de' })).toMatchObject({
      version: 0,
    });
    expect(await errorsOf('nextOrderOn', 'Nächste Bestellung am {{next_order_date}}')).toEqual([]);
  });

  it('two people who change the same text: the second learns who changed it and what it says now, and nothing is overwritten unseen', async () => {
    const general = (as: 'owner' | 'admin', ...translations: JsonObject[]): Promise<any> =>
      server.call('texts.updateGeneralTexts', { translations }, { as });
    const pause = () => one('texts.fetchGeneralTexts', 'pause');
    expect(await pause()).toMatchObject({ value: null, version: 0 });
    // Both read version 0; a text beside it that no other person touched is held back with it.
    expect((await general('admin', { key: 'pause', value: 'Take a break', version: 0 })).status).toBe(200);
    const second = await general('owner', { key: 'pause', value: 'Rest', version: 0 }, { key: 'save', value: 'Keep', version: 0 });
    expect(second).toMatchObject({
      status: 409,
      body: {
        code: 'STALE_VERSION',
        message: expect.stringMatching(/^\S+@\S+ changed “.+” while you were editing it\./),
        conflict: {
          version: 1,
          yourVersion: 0,
          changedBy: expect.stringContaining('@'),
          current: { translations: [{ key: 'pause', value: 'Take a break', yours: 'Rest', version: 1 }] },
        },
      },
    });
    expect(second.body.conflict.current.translations).toHaveLength(1);
    expect(await pause()).toMatchObject({ value: 'Take a break', updatedBy: second.body.conflict.changedBy });
    expect(await one('texts.fetchGeneralTexts', 'save')).toMatchObject({ value: null });
    // A person who saw it may write over it; the same words once more are no conflict; without a version it is as it was.
    expect((await general('owner', { key: 'pause', value: 'Rest', version: 1 })).status).toBe(200);
    expect((await general('admin', { key: 'pause', value: 'Rest', version: 0 })).status).toBe(200);
    expect(await pause()).toMatchObject({ value: 'Rest', version: 2 });
    // Taken back is changed too, and it is known by whom.
    expect((await general('admin', { key: 'pause', value: '', version: 2 })).status).toBe(200);
    const late = await general('owner', { key: 'pause', value: 'Stop', version: 2 });
    expect(late.body.conflict).toMatchObject({
      version: 3,
      current: { translations: [{ value: null, updatedBy: expect.stringContaining('@') }] },
    });
    expect(await pause()).toMatchObject({ value: null, state: 'MISSING' });
    expect((await general('owner', { key: 'pause', value: 'Stop' })).status).toBe(200);
  });

  it('of two who write the same text at the same moment one is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { version } = await one('texts.fetchGeneralTexts', 'pause');
      const both = await Promise.all(
        ['owner', 'admin'].map((as, i) =>
          server.call(
            'texts.updateGeneralTexts',
            { translations: [{ key: 'pause', value: `Words ${round} ${i}`, version: version! }] },
            { as: as as 'owner' | 'admin' },
          ),
        ),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('markup is reduced to what pages may carry, and links may name variables', async () => {
    await call('texts.updateGeneralTexts', {
      translations: [
        {
          key: 'helpText',
          value:
            '<p onclick="x()">Write to <a href="mailto:{{store_email}}" style="color:red">{{store_email}}</a><script>alert(1)</script>' +
            '<a href="javascript:alert(1)">{{store_name}}</a></p>',
        },
      ],
    });
    expect((await one('texts.fetchGeneralTexts', 'helpText')).value).toBe(
      '<p>Write to <a href="mailto:{{store_email}}">{{store_email}}</a><a>{{store_name}}</a></p>',
    );
  });

  it('customers read their language, its base, the primary language, the product, in this order and only what is published', async () => {
    await call('texts.updateGeneralTexts', { translations: [{ key: 'pause', value: 'Take a break' }] });
    await publish('nl');
    await publish('nl-BE');
    await add('fr');
    await translate('general', 'nl', [
      { key: 'pause', value: 'Pauzeren' },
      { key: 'save', value: 'Opslaan' },
    ]);
    await translate('general', 'nl-BE', [{ key: 'pause', value: 'Even pauze' }]);
    await translate('general', 'fr', [{ key: 'pause', value: 'Suspendre' }]);
    expect(await read('nl-BE', 'general')).toMatchObject({ pause: 'Even pauze', save: 'Opslaan', cancel: 'Cancel subscription' });
    expect(await read('nl-SR', 'general')).toMatchObject({ pause: 'Pauzeren' });
    expect(await read('fr', 'general')).toMatchObject({ pause: 'Take a break' });
    expect(await read(null, 'general')).toMatchObject({ pause: 'Take a break', save: 'Save' });
  });

  it('in a language that the product brings customers read its words until the store has its own, also as the primary language', async () => {
    const german = { categoryId: 'general', localeStoreId: 'de' };
    await publish('de');
    await publish('de-AT');
    expect(await read('de-AT', 'general')).toMatchObject({ pause: 'Pausieren', save: 'Speichern' });
    expect(await one('multilingual.fetch_translations', 'pause', german)).toMatchObject({
      source: 'Pause',
      value: 'Pausieren',
      state: 'DONE',
    });
    await translate('general', 'de', [{ key: 'pause', value: 'Aussetzen' }]);
    expect(await read('de-AT', 'general')).toMatchObject({ pause: 'Aussetzen', save: 'Speichern' });
    // The product's words again, or none: what the product says later counts.
    await translate('general', 'de', [{ key: 'pause', value: 'Pausieren' }]);
    const { rows: kept } = await server.services.db.ownerQuery<{ value: string | null }>("select value from texts where locale = 'de'");
    expect(kept).toEqual([{ value: null }]);
    // So it is with what a new widget says, until a person writes other words.
    const { data: early } = await call('widgets.create', { name: 'Standard words', texts: { addToCartButtonText: 'Put it in' } });
    const inGerman = { localizedEntityType: 'WIDGET', localizedEntityId: String(early.id), localeStoreId: 'de' };
    const words = await rows('multilingual.fetch_localized_entity_translations', inGerman);
    const ofButton = (all: JsonObject[], key: string): JsonObject | undefined => all.find(row => row.key === `texts.${key}`);
    expect(ofButton(words, 'outOfStockText')).toMatchObject({ value: 'Ausverkauft', state: 'DONE' });
    expect(ofButton(words, 'addToCartButtonText')).toMatchObject({ value: null, state: 'MISSING' });
    const shown = async (record: JsonObject): Promise<any> => (await call('widgets.preview', { record })).data.widget;
    expect((await shown(early)).textsByLocale.de).toMatchObject({ outOfStockText: 'Ausverkauft' });
    // The one look of version 1 stands among them as its settings page has it.
    const page = { settingsPage: 'widget-design', texts: { addToCartButtonText: 'Into the basket' } };
    await call('settings.set', { ...(await call('settings.get', { settingsPage: 'widget-design' })).data, ...page });
    const ofPage = { localizedEntityType: 'WIDGET', localizedEntityId: '0', localeStoreId: 'de' };
    const basket = { key: 'texts.addToCartButtonText', value: 'In den Korb' };
    await call('multilingual.update_localized_entity_translations', { ...ofPage, translations: [basket] });
    const legacy = await server.services.db.inStore(1, async trx => {
      const reading = (await readingFor(trx, 1, server.services.definitions))!;
      const languages = { words: await readWords(reading), others: ['de'] };
      return (await legacyWidget(reading, languages)).widget;
    });
    expect(legacy).toMatchObject({
      texts: { addToCartButtonText: 'Into the basket' },
      textsByLocale: { de: { addToCartButtonText: 'In den Korb', outOfStockText: 'Ausverkauft' } },
    });
    // A language that is not published has no words for anybody.
    await add('fr');
    expect(await read('fr', 'general')).toMatchObject({ pause: 'Pause' });
    const { id } = (await rows('multilingual.languages')).find(row => row.locale === 'de') as JsonObject;
    const english = (await rows('multilingual.languages')).find(row => row.locale === 'en') as JsonObject;
    await call('multilingual.changeLanguage', { id: id!, isPrimary: true });
    try {
      expect(await read(null, 'general')).toMatchObject({ pause: 'Pausieren' });
      expect(await read('fr', 'general')).toMatchObject({ pause: 'Pausieren' });
      expect((await call('start-up.session')).data.standardTexts).toMatchObject({ 'Sold out': 'Ausverkauft' });
      const { data: late } = await call('widgets.create', { name: 'Standardtexte' });
      expect(late).toMatchObject({
        isCustomised: false,
        texts: { outOfStockText: 'Ausverkauft', purchaseOptionLabel: 'Wie möchten Sie kaufen?' },
      });
      const [standard] = (await rows('widgets.standardTexts')).filter(row => row.key === 'outOfStockText');
      expect(standard).toMatchObject({ value: 'Ausverkauft', defaultValue: 'Ausverkauft' });
      await call('multilingual.changeLanguage', { id: english.id!, isPublished: true });
      expect(await shown(late)).toMatchObject({
        texts: { outOfStockText: 'Ausverkauft' },
        textsByLocale: { en: { outOfStockText: 'Sold out' } },
      });
      // So does the one look of version 1 where it was never saved.
      await server.services.db.ownerQuery("delete from settings where name = 'widget-design'");
      expect((await call('settings.get', { settingsPage: 'widget-design' })).data.texts).toMatchObject({ outOfStockText: 'Ausverkauft' });
      const mail = {
        localeStoreId: 'fr',
        localizedEntityType: 'EMAIL_TEMPLATE',
        localizedEntityId: 'ORDER_SKIPPED',
      };
      const subject = (await rows('multilingual.fetch_localized_entity_translations', mail)).find(row => row.key === 'subject');
      expect(subject).toMatchObject({ source: 'Ihre Bestellung wird ausgelassen', value: null, state: 'MISSING' });
    } finally {
      await call('multilingual.changeLanguage', { id: english.id!, isPrimary: true });
    }
  });

  it('D161 records are translated field by field, and their own words stay on their own pages', async () => {
    await add('de');
    const { data: made } = await call(
      'selling-plan-groups.create',
      group({
        name: 'Subscribe and save',
        optionLabel: 'Deliver every',
        sellingPlans: [monthly({ name: 'Every month', optionLabel: 'Month', description: 'Fresh each month' })],
      }),
    );
    const id = String(made.lspgId);
    const input = { localeStoreId: 'de', localizedEntityType: 'SELLING_PLAN', localizedEntityId: id };
    const texts = await rows('multilingual.fetch_localized_entity_translations', input);
    expect(texts.map(row => row.source).sort()).toEqual([
      'Deliver every',
      'Every month',
      'Fresh each month',
      'Month',
      'Subscribe and save',
    ]);
    const saved = await call('multilingual.update_localized_entity_translations', {
      ...input,
      translations: texts.filter(row => row.source === 'Every month').map(row => ({ key: row.key as string, value: 'Jeden Monat' })),
    });
    expect(saved).toMatchObject({ status: 200, data: [{ value: 'Jeden Monat', entityId: id }] });
    // A person who had read it before that is refused.
    const late = await call('multilingual.update_localized_entity_translations', {
      ...input,
      translations: texts
        .filter(row => row.source === 'Every month')
        .map(row => ({ key: row.key as string, value: 'Monatlich', version: 0 })),
    });
    expect(late).toMatchObject({
      status: 409,
      body: { conflict: { current: { translations: [{ value: 'Jeden Monat', yours: 'Monatlich', version: 1, entityId: id }] } } },
    });
    expect(
      (
        await call('multilingual.update_localized_entity_translations', {
          ...input,
          localeStoreId: 'en',
          translations: [{ key: 'name', value: 'x' }],
        })
      ).status,
    ).toBe(409);
    expect((await call('multilingual.fetch_localized_entity_translations', { ...input, localizedEntityId: '999999' })).status).toBe(404);
  });

  it('languages: one is primary and stays, the others are published, made primary and removed with what was translated', async () => {
    const locales = await rows('multilingual.available_locales');
    expect(locales[0]).toMatchObject({ locale: 'en', isPrimary: true, isPublished: true, isEnabled: true, translatedPercent: 100 });
    expect(locales.find(one => one.locale === 'de')).toMatchObject({ isEnabled: false });
    const { data: german } = await add('de');
    expect(german).toMatchObject({
      locale: 'de',
      name: 'German',
      isPrimary: false,
      isPublished: false,
      state: 'DRAFT',
    });
    // The product brings German words for its own texts, not for the records of the store.
    expect(german.translatedPercent).toBeGreaterThan(50);
    expect(german.translatedPercent).toBeLessThan(100);
    expect((await add('de')).status).toBe(409);
    expect((await add('xx')).status).toBe(422);
    const english = (await rows('multilingual.languages')).find(row => row.locale === 'en') as JsonObject;
    expect((await call('multilingual.removeLanguage', { id: english.id! })).status).toBe(409);
    expect((await call('multilingual.changeLanguage', { id: english.id!, isPublished: false })).status).toBe(409);
    expect((await call('multilingual.changeLanguage', { id: german.id, isPrimary: true })).data).toMatchObject({
      state: 'PRIMARY',
      isPublished: true,
    });
    const after = await rows('multilingual.languages');
    expect(after.map(row => [row.locale, row.isPrimary])).toEqual(
      expect.arrayContaining([
        ['de', true],
        ['en', false],
      ]),
    );
    await call('multilingual.changeLanguage', { id: english.id!, isPrimary: true });
    await translate('general', 'de', [{ key: 'pause', value: 'Aussetzen' }]);
    expect((await call('multilingual.removeLanguage', { id: german.id })).status).toBe(200);
    await add('de');
    expect(await one('multilingual.fetch_translations', 'pause', { categoryId: 'general', localeStoreId: 'de' })).toMatchObject({
      version: 0,
    });
  });
});
