// The second language on the server: the page's script, answers in the language of the request, the choice that follows a person.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { t } from '../../../src/domain/text/t.ts';
import { browserDictionary, inLanguage, languageScript, readLanguages } from '../../../src/server/platform/languages.ts';
import { temporaryFolder } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { Bulk } from '../features/bulk-actions/helpers.ts';

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
    server = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['start-up', 'sign-in', 'subscription-contract', 'bulk-actions', 'order-schedule'],
      app: { pages: { folder } },
      jobs: true,
    });
  });
  /** An active subscription, and all that are. */
  async function subscription(): Promise<{ id: number; ids: number[] }> {
    const { rows } = await server.services.db.ownerQuery<{ id: number }>(
      "select id from contracts where store_id = 1 and status in ('ACTIVE', 'PAUSED') order by id",
    );
    const ids = rows.map(row => row.id);
    return { id: ids[0] as number, ids };
  }
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the page carries the words of a language only where its person reads it, before any other script', async () => {
    const german = await server.request('GET', '/', { headers: { ...page, cookie: 'other=1; perennial.language=de' } });
    const nonce = /<script src="\/assets\/language-de-0a1b2c3d\.js" nonce="([\w-]{22})">/.exec(german.text)?.[1];
    expect(german.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
    expect(german.text).toContain('<html lang="de" dir="ltr">');
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

  it('refusals and the words after a change are said in the language of the request', async () => {
    const headers = { 'accept-language': 'de' };
    const said = async (call: string, input: JsonObject, options = { headers }): Promise<[number, unknown]> => {
      const { status, body } = await server.call(call, input, options);
      return [status, body.message];
    };
    expect(await said('subscription-contract.read', { id: 99_999_999 })).toEqual([
      404,
      'Abo nicht gefunden: Den Eintrag gibt es nicht oder er wurde gelöscht.',
    ]);
    expect(await said('subscription-contract.read', { id: 99_999_999 }, { headers: { 'accept-language': 'en' } })).toEqual([
      404,
      'This subscription does not exist or was deleted.',
    ]);
    const { id } = await subscription();
    expect((await said('subscription-contract.pause', { id }))[0]).toBe(200);
    expect(await said('subscription-contract.pause', { id })).toEqual([409, 'Dieses Abo ist schon pausiert.']);
    expect(await said('bulk-actions.create', { actionKey: 'PAUSE_SUBSCRIPTION', selection: { mode: 'IDS', ids: [99_999_999] } })).toEqual([
      422,
      'Diese ID wurde nicht gefunden.',
    ]);
    expect(await said('bulk-actions.cancel', { id: 99_999_999 })).toEqual([
      404,
      'Sammelaktion nicht gefunden: Den Eintrag gibt es nicht oder er wurde gelöscht.',
    ]);
    const unknown = await server.request('GET', '/host/nothing', { headers });
    expect(unknown.json).toMatchObject({ code: 'NOT_FOUND', message: 'Unter dieser Adresse gibt es nichts.' });
  });

  it('an exported file has its heads in the language of the request, and the same values', async () => {
    const file = async (language: string): Promise<string[]> => {
      const { text } = await server.request(
        'GET',
        '/host/main/api/merchant/subscriptionContract/export?columns=id&columns=status&columns=nextBillingDateEpoch',
        {
          headers: { 'accept-language': language },
          as: await server.signIn('owner'),
        },
      );
      return text.split('\n').slice(0, 2);
    };
    const [[german, row], [english, same]] = [await file('de'), await file('en')];
    expect([german, english].map(head => head?.trim())).toEqual(['Abo,Status,Nächste Bestellung', 'Subscription,Status,Next order']);
    expect(row).toBe(same);
  });

  it('what a request in German stores, or a job that it starts says, is English', async () => {
    const { id, ids } = await subscription();
    const headers = { 'accept-language': 'de' };
    const { db } = server.services;
    await db.exec(`update contracts set status = 'CANCELLED' where store_id = 1 and id = ${id}`);
    const active = ids.find(one => one !== id) as number;
    const made = await server.call(
      'bulk-actions.create',
      { actionKey: 'PAUSE_SUBSCRIPTION', selection: { mode: 'IDS', ids: [id, active] }, input: { until: 'INDEFINITE' } },
      { headers },
    );
    expect(made.status).toBe(200);
    // It is refused only when the job comes to it.
    await db.exec(`update contracts set status = 'PAUSED' where store_id = 1 and id = ${active}`);
    const started = await server.call('bulk-actions.runBulkAction', { id: made.data.id }, { headers });
    expect([started.status, started.body.message]).toEqual([200, 'Sammelaktion gestartet. Sie können diese Seite verlassen.']);
    const bulk = new Bulk(server);
    await bulk.over(Number(made.data.id));
    const rows = await bulk.rows(Number(made.data.id));
    expect(rows.map(row => [row.status, row.reason])).toEqual([
      ['SKIPPED', 'Only active subscriptions can be paused.'],
      ['SKIPPED', 'This subscription is already paused.'],
    ]);
  });

  it('what no request asks for is English, also after one that did', async () => {
    await inLanguage('de', async () => {
      expect(t`Undo`).toBe('Rückgängig');
      await new Promise(resolve => {
        setTimeout(resolve, 1);
      });
      expect(t`Undo`).toBe('Rückgängig');
    });
    expect(t`Undo`).toBe('Undo');
    for (const header of ['de;q=0', 'fr, *', 'en;q=0.9,de;q=0.8', '', 'x'.repeat(5000)])
      inLanguage(header, () => expect(t`Undo`, header).toBe('Undo'));
    for (const header of ['DE', 'fr,de;q=0.1', 'de;q=0.9,en;q=0.8']) inLanguage(header, () => expect(t`Undo`, header).toBe('Rückgängig'));
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
