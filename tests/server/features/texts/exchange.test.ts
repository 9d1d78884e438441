// Texts as files, and their translation by machine: proposed, looked at, published.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { isIntact } from '../../../../src/domain/text/placeholders.ts';
import { readXliff, TooManyTexts, writeXliff } from '../../../../src/server/features/texts/exchange/xliff.ts';
import { failTranslation, runTranslation, type TranslationInput } from '../../../../src/server/features/texts/translate/translation-run.ts';
import {
  httpTranslator,
  pseudoTranslation,
  pseudoTranslator,
  type Translator,
} from '../../../../src/server/features/texts/translate/translator.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const never = new AbortController().signal;

describe('texts as files and by machine', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres', jobs: true, config: { workers: 0, translatorUrl: 'http://127.0.0.1:9/' } });
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    for (const table of ['texts', 'runs']) await server.services.db.ownerQuery(`delete from ${table}`);
    await server.services.db.ownerQuery("delete from records where entity = 'store-language' and data ->> 'isPrimary' <> 'true'");
    await call('multilingual.addLanguage', { locale: 'fr' });
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => server.call(name, input);
  const rows = async (categoryId: string): Promise<JsonObject[]> =>
    (await call('multilingual.fetch_translations', { categoryId, localeStoreId: 'fr' })).data;
  const importFile = (fileName: string, content: string): Promise<any> =>
    call('multilingual.importFile', { localeStoreId: 'fr', fileName, content });
  const start = (input: JsonObject = {}): Promise<any> => call('ai-translate.translate', { targetLanguage: 'fr', ...input });
  const status = async (): Promise<JsonObject> => (await call('ai-translate.translationStatus', { targetLanguage: 'fr' })).data;
  const work = (runId: number, translator: Translator = pseudoTranslator) =>
    runTranslation(server.services, { storeId: 1, runId }, translator, never);

  it('a file that is exported and filled in comes back whole, as CSV and as XLIFF', async () => {
    for (const [format, name] of [
      ['CSV', 'texts.csv'],
      ['XLIFF', 'texts.xlf'],
    ] as const) {
      await call('multilingual.update_translations', {
        categoryId: 'general',
        localeStoreId: 'fr',
        translations: [
          { key: 'pause', value: `Pause <${format}> & "co"` },
          { key: 'saved', value: '\'＝02134, "+1"' },
        ],
      });
      const path = `/host/v2/multilingual/export?localeStoreId=fr&format=${format}`;
      const { text } = await server.request('GET', path, { as: 'owner' });
      expect(text).toContain('zapietPickup');
      await server.services.db.ownerQuery('delete from texts');
      expect((await importFile(name, text)).data).toMatchObject({ changed: 2, read: 2 });
      expect((await rows('general')).find(row => row.key === 'saved')).toMatchObject({ value: '\'＝02134, "+1"' });
      expect((await rows('general')).find(row => row.key === 'pause')).toMatchObject({ value: `Pause <${format}> & "co"` });
    }
  });

  it('a file with a wrong line changes nothing and names the line', async () => {
    const wrong = await importFile('a.csv', 'Category,Record,Key,Translation\ngeneral,,pause,Suspendre\ngeneral,,nextOrderOn,Bientôt\n');
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: [{ message: expect.stringMatching(/^Line 3: .*\{\{next_order_date\}\} is missing/) }] },
    });
    expect((await rows('general')).find(row => row.key === 'pause')).toMatchObject({ value: null });
    const broken = await importFile('a.xlf', '<?xml version="1.0"?>\n<xliff><file></xliff>');
    expect(broken).toMatchObject({ status: 422, body: { errors: [{ message: expect.stringMatching(/isn't an XLIFF file: 2:/) }] } });
    const other = await importFile('a.xlf', writeXliff([], 'en', 'de'));
    expect(other.body.errors[0].message).toContain('for “de”');
    expect((await importFile('a.csv', 'a,b\n1,2\n')).body.errors[0].message).toContain('“Key” and “Translation”');
  });

  it('a text that was changed since its file was exported is listed and stays, unless it is asked for', async () => {
    for (const [format, name] of [
      ['CSV', 'texts.csv'],
      ['XLIFF', 'texts.xlf'],
    ] as const) {
      await server.services.db.ownerQuery('delete from texts');
      const write = (key: string, value: string) =>
        call('multilingual.update_translations', { categoryId: 'general', localeStoreId: 'fr', translations: [{ key, value }] });
      const said = async () => Object.fromEntries((await rows('general')).map(row => [row.key, row.value]));
      await write('pause', 'Suspendre');
      await write('save', 'Garder');
      const { text } = await server.request('GET', `/host/v2/multilingual/export?localeStoreId=fr&format=${format}`, { as: 'owner' });
      const translated = text.replace('Suspendre', 'Arrêter').replace('Garder', 'Enregistrer');
      await write('pause', 'Faire une pause');
      const { data, body } = await importFile(name, translated);
      expect(data).toMatchObject({
        changed: 1,
        unchanged: 0,
        left: 1,
        leftTexts: [
          { key: 'pause', value: 'Faire une pause', yours: 'Arrêter', updatedBy: expect.stringContaining('@'), line: expect.any(Number) },
        ],
      });
      expect(body.message).toBe('1 text imported. 1 was changed since and stays as it is.');
      expect(await said()).toMatchObject({ pause: 'Faire une pause', save: 'Enregistrer' });
      const again = await call('multilingual.importFile', { localeStoreId: 'fr', fileName: name, content: translated, overwrite: true });
      expect(again.data).toMatchObject({ changed: 1, left: 0 });
      expect(await said()).toMatchObject({ pause: 'Arrêter', save: 'Enregistrer' });
      // A file without versions says what the texts are to be.
      await call('multilingual.importFile', {
        localeStoreId: 'fr',
        fileName: 'a.csv',
        content: 'Category,Key,Translation\ngeneral,pause,Cesser\n',
      });
      expect(await said()).toMatchObject({ pause: 'Cesser' });
    }
  });

  it('XLIFF holds whatever a text may hold', async () => {
    const value = 'a < b & "c" ]]> {{x}}\n<b>é</b>';
    const row = { categoryId: 'general', entityId: null, key: 'k', label: 'L', source: 's', value, version: 3 };
    expect(await readXliff(writeXliff([row], 'en', 'fr'), 10)).toMatchObject({
      target: 'fr',
      rows: [{ categoryId: 'general', key: 'k', value, version: 3 }],
    });
  });

  it('a long XLIFF file is read in steps, wherever they cut it, and no further than an import goes', async () => {
    const row = (n: number) => ({
      categoryId: 'general',
      entityId: null,
      key: `k${n}`,
      label: 'L',
      source: 's',
      value: `😀\r\n${n}`,
      version: 3,
    });
    const many = Array.from({ length: 20_000 }, (_, n) => row(n));
    let turns = 0;
    let goesOn = true;
    const turn = (): void => {
      turns++;
      if (goesOn) setImmediate(turn);
    };
    setImmediate(turn);
    const { rows: read } = await readXliff(writeXliff(many, 'en', 'fr'), 20_000);
    goesOn = false;
    expect(turns).toBeGreaterThan(10);
    expect(read.map(one => [one.key, one.value])).toEqual(many.map(({ key, value }) => [key, value.replace('\r', '')]));
    await expect(readXliff(writeXliff(many, 'en', 'fr'), 19_999)).rejects.toThrow(TooManyTexts);
  });

  it('D169 every text is proposed with its placeholders intact, and read by customers only once it is published', async () => {
    const started = await start();
    expect(started).toMatchObject({
      status: 200,
      data: { jobId: expect.any(Number) },
      body: { message: 'Translating … you can leave this page.' },
    });
    const again = await start();
    expect(again).toMatchObject({ status: 409, body: { message: 'A translation into this language is already running.' } });
    await work(started.data.jobId);
    const done = await status();
    expect(done).toMatchObject({ status: 'COMPLETED', progress: 100, failed: 0 });
    for (const categoryId of ['general', 'payments', 'accessibility', 'zapiet', 'emails', 'EMAIL_TEMPLATE'])
      for (const row of await rows(categoryId)) {
        expect(row.value).toBeNull();
        expect(isIntact(String(row.source), String(row.draft)), `${String(row.key)}: ${String(row.draft)}`).toBe(true);
      }
    expect((await call('ai-translate.publish', { targetLanguage: 'fr' })).data).toEqual({ published: done.total });
    const general = await rows('general');
    expect(general.filter(row => row.state !== 'DONE')).toEqual([]);
    expect(general.find(row => row.key === 'pause')).toMatchObject({ value: pseudoTranslation('Pause', 'fr'), draft: null });
    expect((await call('multilingual.languages')).data.find((row: JsonObject) => row.locale === 'fr')).toMatchObject({
      translatedPercent: 100,
    });
    expect((await call('ai-translate.translationStatus', { targetLanguage: 'fr', myShopifyDomain: 'other.myshopify.com' })).status).toBe(
      403,
    );
  });

  it('without a translator it says that proposals are no translations, and none is published', async () => {
    const config = server.services.config as { translatorUrl?: string };
    const { translatorUrl } = config;
    delete config.translatorUrl;
    const started = await start({ scope: 'CATEGORY', categoryIds: ['zapiet'] });
    expect(started.body.message).toContain('No translator is connected');
    await work(started.data.jobId);
    const refused = await call('ai-translate.publish', { targetLanguage: 'fr' });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('No translator is connected')]);
    expect((await rows('zapiet')).every(row => row.value === null)).toBe(true);
    Object.assign(config, { translatorUrl });
  });

  it('what is translated is left alone unless it is asked for', async () => {
    await call('multilingual.update_translations', {
      categoryId: 'zapiet',
      localeStoreId: 'fr',
      translations: [{ key: 'zapietPickup', value: 'Retrait' }],
    });
    const pickup = async () => (await rows('zapiet')).find(row => row.key === 'zapietPickup');
    await work((await start({ scope: 'CATEGORY', categoryIds: ['zapiet'] })).data.jobId);
    expect(await pickup()).toMatchObject({ value: 'Retrait', draft: null });
    expect((await start({ scope: 'CATEGORY', categoryIds: ['zapiet'] })).status).toBe(409);
    await work((await start({ scope: 'CATEGORY', categoryIds: ['zapiet'], overwrite: true })).data.jobId);
    expect(await pickup()).toMatchObject({ value: 'Retrait', draft: pseudoTranslation('Store pickup', 'fr') });
    await call('ai-translate.discard', { targetLanguage: 'fr' });
    expect(await pickup()).toMatchObject({ value: 'Retrait', draft: null });
    expect((await start({ targetLanguage: 'en' })).status).toBe(422);
    expect((await start({ targetLanguage: 'ja' })).status).toBe(404);
  });

  it('a text that is changed while it is translated gets no proposal and is listed, until it is asked for', async () => {
    const write = (key: string, value: string) =>
      call('multilingual.update_translations', { categoryId: 'zapiet', localeStoreId: 'fr', translations: [{ key, value }] });
    await write('zapietDelivery', 'Livraison');
    const texts = (await rows('zapiet')).filter(row => row.isTemplate === false);
    const source = texts.find(row => !['zapietPickup', 'zapietDelivery'].includes(String(row.key)))!;
    let asked = 0;
    const writing: Translator = {
      async translate(given, languages) {
        if (asked++ === 0) {
          await write('zapietPickup', 'Retrait');
          await write('zapietDelivery', 'À domicile');
          // What is translated is changed in the primary language.
          await call('texts.updateZapietTranslations', { translations: [{ key: source.key!, value: `${String(source.source)} now` }] });
        }
        return pseudoTranslator.translate(given, languages, never);
      },
    };
    await work((await start({ scope: 'CATEGORY', categoryIds: ['zapiet'], overwrite: true })).data.jobId, writing);
    const keys = ['zapietDelivery', 'zapietPickup', String(source.key)].sort();
    const done = await status();
    expect(done).toMatchObject({ status: 'COMPLETED', changed: 3, failed: 0, proposed: texts.length - 3 });
    expect((done.changedTexts as JsonObject[]).map(one => one.key).sort()).toEqual(keys);
    const of = async (key: string) => (await rows('zapiet')).find(row => row.key === key);
    expect(await of('zapietPickup')).toMatchObject({ value: 'Retrait', draft: null });
    await call('ai-translate.publish', { targetLanguage: 'fr' });
    expect(await of('zapietDelivery')).toMatchObject({ value: 'À domicile' });
    await work((await start({ scope: 'CHANGED' })).data.jobId);
    expect(await status()).toMatchObject({ status: 'COMPLETED', total: 3, proposed: 3, changed: 0, drafts: 3 });
    expect(await of('zapietPickup')).toMatchObject({ value: 'Retrait', draft: pseudoTranslation('Store pickup', 'fr') });
    // Thrown away, what was written stays.
    await call('ai-translate.discard', { targetLanguage: 'fr' });
    expect(await of('zapietPickup')).toMatchObject({ value: 'Retrait', draft: null });
    await server.services.db.ownerQuery("delete from texts where locale = 'en'");
  });

  it('a translation that loses a variable is not proposed, one that is stopped or fails leaves nothing', async () => {
    const losing: Translator = { translate: texts => Promise.resolve(texts.map(text => text.replace(/\{\{next_order_date\}\}/g, ''))) };
    await work((await start({ scope: 'CATEGORY', categoryIds: ['general'] })).data.jobId, losing);
    const lost = (await rows('general')).filter(row => String(row.source).includes('{{next_order_date}}'));
    expect(lost.length).toBeGreaterThan(3);
    expect(lost.every(row => row.draft === null)).toBe(true);
    expect((await status()).failed).toBe(lost.length);
    await call('ai-translate.discard', { targetLanguage: 'fr' });
    // Stopped between two steps: the words that were under way are not written.
    const { jobId } = (await start()).data;
    const stopping: Translator = {
      async translate(texts, languages) {
        if ((await status()).processed === 20) await call('ai-translate.cancel', { targetLanguage: 'fr' });
        return pseudoTranslator.translate(texts, languages, never);
      },
    };
    await work(jobId, stopping);
    expect(await status()).toMatchObject({ status: 'FAILED', drafts: 0 });
    const next = (await start()).data.jobId;
    const failing: Translator = {
      async translate(texts, languages) {
        if ((await status()).processed === 20) throw new Error('down');
        return pseudoTranslator.translate(texts, languages, never);
      },
    };
    await expect(work(next, failing)).rejects.toThrow('down');
    await failTranslation(server.services, { storeId: 1, runId: next });
    expect(await status()).toMatchObject({ status: 'FAILED', drafts: 0, error: 'Translation failed. Nothing was changed.' });
  });

  it('a translator at an address is asked over HTTP and must answer as many texts', async () => {
    let wrong = false;
    const http = createServer((request, response) => {
      let body = '';
      request.on('data', part => (body += String(part)));
      request.on('end', () => {
        const { texts, target } = JSON.parse(body) as TranslationInput & { texts: string[] };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ texts: wrong ? [] : texts.map(text => `${target}: ${text}`) }));
      });
    });
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    const translator = httpTranslator(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`);
    try {
      expect(await translator.translate(['a', 'b'], { source: 'en', target: 'fr' }, never)).toEqual(['fr: a', 'fr: b']);
      wrong = true;
      await expect(translator.translate(['a'], { source: 'en', target: 'fr' }, never)).rejects.toThrow('must answer');
    } finally {
      http.close();
    }
  });
});
