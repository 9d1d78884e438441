// The second language on the server: the page's script, answers in the language of the request, the choice that follows a person.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../src/domain/text/t.ts';
import { browserDictionary, inLanguage, languageScript, readLanguages } from '../../../src/server/platform/languages.ts';
import { temporaryFolder } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const HTML =
  '<!doctype html>\n<html lang="en">\n  <head>\n    <meta charset="utf-8">\n    <meta name="perennial-config" content=""><script nonce="__CSP_NONCE__">1</script></head><body></body></html>';
const page = { accept: 'text/html' };

describe('languages', () => {
  let server: TestServer;
  const folder = temporaryFolder();
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), HTML);
    writeFileSync(join(folder, 'languages.json'), JSON.stringify({ de: { name: 'Deutsch', file: '/assets/language-de-0a1b2c3d.js' } }));
    server = await startTestServer({ seed: { contracts: 4, stores: 1 }, tables: ['start-up', 'sign-in'], app: { pages: { folder } } });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the page carries the words of a language only where its person reads it, before any other script', async () => {
    const german = await server.request('GET', '/', { headers: { ...page, cookie: 'other=1; perennial.language=de' } });
    const nonce = /<script src="\/assets\/language-de-0a1b2c3d\.js" nonce="([\w-]{22})">/.exec(german.text)?.[1];
    expect(german.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
    expect(german.text).toContain('<html lang="de">');
    expect(german.text.indexOf('language-de')).toBeLessThan(german.text.indexOf('>1</script>'));
    for (const cookie of [
      '',
      'perennial.language=en',
      'perennial.language=fr',
      'perennial.language=constructor',
      'perennial.language="><script>',
    ]) {
      const { text } = await server.request('GET', '/', { headers: { ...page, ...(cookie ? { cookie } : {}) } });
      expect(text, cookie).toContain('<html lang="en">');
      expect(text, cookie).not.toContain('language-');
    }
    expect(german.text).toContain(
      '[{&quot;code&quot;:&quot;en&quot;,&quot;name&quot;:&quot;English&quot;},{&quot;code&quot;:&quot;de&quot;',
    );
    expect((await server.request('GET', '/languages.json')).status).toBe(404);
  });

  it('a request is answered in the language that it asks for, one beside another', async () => {
    const [german, english, none] = await Promise.all(
      ['de-AT,de;q=0.9,en;q=0.5', 'en-GB,de;q=0.5', undefined].map(language =>
        server.call('start-up.setLanguage', { language: 'xx' }, { headers: language ? { 'accept-language': language } : {} }),
      ),
    );
    expect(german?.body.message).toBe('Wählen Sie en (English) oder de (Deutsch).');
    expect(english?.body.message).toBe('Choose en (English) or de (Deutsch).');
    expect(none?.body.message).toBe('Choose en (English) or de (Deutsch).');
    expect([german?.status, english?.status]).toEqual([422, 422]);
  });

  it('what no request asks for is English, also after one that did', async () => {
    await inLanguage('de', async () => {
      expect(t`Undo`).toBe('Rückgängig machen');
      await new Promise(resolve => {
        setTimeout(resolve, 1);
      });
      expect(t`Undo`).toBe('Rückgängig machen');
    });
    expect(t`Undo`).toBe('Undo');
    for (const header of ['de;q=0', 'fr, *', 'en;q=0.9,de;q=0.8', '', 'x'.repeat(5000)])
      inLanguage(header, () => expect(t`Undo`, header).toBe('Undo'));
    for (const header of ['DE', 'fr,de;q=0.1', 'de;q=0.9,en;q=0.8'])
      inLanguage(header, () => expect(t`Undo`, header).toBe('Rückgängig machen'));
  });

  it('the choice is kept with the person, and the next session says it', async () => {
    expect((await server.call('start-up.session')).data.language).toBeUndefined();
    expect((await server.call('start-up.setLanguage', { language: 'de' })).status).toBe(200);
    expect((await server.call('start-up.setLanguage', { language: 'de' })).status).toBe(200);
    expect((await server.call('start-up.session')).data.language).toBe('de');
    expect((await server.call('start-up.session', {}, { as: 'readOnly' })).data.language).toBeUndefined();
    expect((await server.call('start-up.setLanguage', { language: 'en' }, { as: 'readOnly' })).status).toBe(200);
    expect((await server.call('start-up.setLanguage', { language: 'en' })).status).toBe(200);
    expect((await server.call('start-up.session')).data.language).toBe('en');
  });

  it('the script of a language makes its words global, without those that the server alone says', () => {
    const german = readLanguages().find(one => one.code === 'de');
    if (!german) throw new Error('There is no German.');
    const code = languageScript(
      browserDictionary({ ...german, files: { 'admin-ui': { '{n} rows': '{n} Zeilen' }, server: { Secret: 'Geheim' } } }),
      '0',
    );
    const scope: { perennialLanguage?: { language: string; texts: Record<string, string> } } = {};
    new Function('globalThis', code)(scope);
    expect(scope.perennialLanguage).toEqual({ withTexts: 0, language: 'de', texts: { '{0} rows': '{0} Zeilen' } });
  });
});
