// Themes of the customer portal on a running server: drafts, what a live one changes of the page, its words and sections in other
// languages.
import { readFileSync, readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { customerBrowser } from '../../../support/customer-browser.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { inDays } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('themes of the customer portal on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 2 } });
  const { ok: done } = at;
  let live: any;
  let draft: any;
  let url: string;
  const themes = (): Promise<any[]> => done('theme-store.list', { themeType: 'CUSTOMER_PORTAL' });
  const { open } = customerBrowser(() => at.server.app);
  const save = (theme: JsonObject, over: JsonObject) => at.server.call('theme-store.update', { ...theme, ...over });
  const wrong = async (over: JsonObject): Promise<string> => {
    const { status, body } = await save(draft, over);
    expect(status).toBe(422);
    return body.errors?.[0]?.message ?? '';
  };

  beforeAll(async () => {
    const made = await at.make({ nextBillingDateEpoch: inDays(5) });
    const { portalLink } = await done('subscription-contract.customerDetails', { id: made.id });
    url = new URL(portalLink).pathname + new URL(portalLink).search;
    [live] = await themes();
  });

  it('D224 every store begins with a live theme; a draft is a copy of it with its words', async () => {
    expect(await themes()).toMatchObject([{ name: 'Standard', status: 'LIVE', isCustomised: false }]);
    await done('theme-texts.save', {
      themeStoreNanoId: live.nanoId,
      translations: [{ key: 'greeting', value: 'Hello {{customer_first_name}}' }],
    });
    draft = await done('theme-store.create', { name: 'Winter' });
    expect(draft).toMatchObject({ status: 'DRAFT', isCustomised: false });
    expect(draft.sections).toEqual((await done('theme-store.read', { id: live.id })).sections);
    const [greeting] = (await done('theme-texts.list', { themeStoreNanoId: draft.nanoId })).filter((one: any) => one.key === 'greeting');
    expect(greeting).toMatchObject({ value: 'Hello {{customer_first_name}}', entityId: draft.nanoId });
    expect((await at.server.call('theme-store.create', { name: 'Winter' })).body.errors?.[0]?.message).toBe('Another theme has this name.');
    expect((await at.server.call('theme-store.list', { themeType: 'STOREFRONT' })).status).toBe(422);
  });

  it('refuses sections that are there twice and CSS that loads from elsewhere', async () => {
    expect(await wrong({ sections: [{ key: 'help' }, { key: 'help' }] })).toBe('“Where to get help” is there twice.');
    expect(await wrong({ sections: [{ key: 'custom_section' }] })).toBe('Write what this section shows.');
    expect(await wrong({ styles: { page: { backgroundColor: 'red;}' } } })).toBe('Enter a valid colour.');
    for (const css of ['@import "x"', 'a{background:URL(//x)}', 'a{background:u\\72l(//x)}', 'a{', '}', '/* a'])
      expect(await wrong({ customCss: css }), css).toMatch(/^(Leave out|Line 1 can't be read|A comment)/);
  });

  it('the live theme says what stands on the page, in which order, how it looks and in whose words', async () => {
    draft = await done('theme-store.update', {
      ...draft,
      sections: [
        { key: 'help', isVisible: false },
        { key: 'delivery_details' },
        {
          key: 'custom_section',
          title: 'News',
          html: '<p onclick="x()">Fresh <script>alert(1)</script><img src="http://x.example/a.png"></p>',
        },
        { key: 'products' },
      ],
      styles: { ...draft.styles, button: { ...draft.styles.button, backgroundColor: '#123456' } },
      customCss: '.products{opacity:.9}',
    });
    const before = await open(url);
    expect(before.body).toContain('Hello Ann');
    expect(before.body).not.toContain('News');
    await done('theme-store.publish', { id: draft.id, version: draft.version });
    expect((await themes()).map(one => [one.name, one.status])).toEqual([
      ['Winter', 'LIVE'],
      ['Standard', 'DRAFT'],
    ]);
    const page = await open(url);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-");
    const places = ['1 Elm Street', '<h2>News</h2><p>Fresh <img', 'Goods plain'].map(text => page.body.indexOf(text));
    expect(
      places.every((place, i) => place > (places[i - 1] ?? 0)),
      page.body,
    ).toBe(true);
    for (const text of ['<script', 'onclick', 'x.example', 'Questions?', 'Skip this order']) expect(page.body).not.toContain(text);
    const [, address = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? [];
    const css = await open(address);
    expect([css.headers['content-type'], css.headers['cache-control']]).toEqual([
      'text/css; charset=utf-8',
      expect.stringContaining('immutable'),
    ]);
    for (const text of ['--sub-portal-button-background-color:#123456', '.products{opacity:.9}', '@media(prefers-color-scheme:dark)'])
      expect(css.body).toContain(text);
    expect((await open(address.replace(draft.nanoId, 'x'))).statusCode).toBe(404);
  });

  it('D158 D163 D165 its words and its sections are said in the language of the customer', async () => {
    await done('multilingual.addLanguage', { locale: 'de' }).then(({ id }) =>
      done('multilingual.changeLanguage', { id, isPublished: true }),
    );
    const [theme] = await themes();
    const of = { themeNanoId: theme.nanoId, localeStoreId: 'de' };
    const refused = await at.server.call('multilingual.updateThemeCategory', {
      ...of,
      translations: [{ key: 'greeting', value: 'Hallo' }],
    });
    expect(refused.body.errors?.[0]?.message).toContain('{{customer_first_name}}');
    await done('multilingual.updateThemeCategory', { ...of, translations: [{ key: 'greeting', value: 'Hallo {{customer_first_name}}' }] });
    await done('texts.save', { categoryId: 'general', translations: [{ key: 'productsHeading', value: 'What you get' }] });
    const [key] = (await done('multilingual.customSection', { localeStoreId: 'de', themeId: theme.id }))
      .map((one: any) => one.key)
      .filter((one: string) => one.endsWith('.title'));
    await done('multilingual.updateCustomSection', { localeStoreId: 'de', themeId: theme.id, translations: [{ key, value: 'Neues' }] });
    expect((await open(url)).body).toContain('What you get');
    await at.server.services.db.exec("update contracts set customer_locale = 'de'; update customers set locale = 'de'");
    const { body } = await open(url);
    for (const text of ['Hallo Ann', '<h2>Neues</h2>', '<h2>Produkte</h2>']) expect(body).toContain(text);
    expect((await at.server.call('theme-texts.list', { themeStoreNanoId: 'unknown' })).status).toBe(404);
  });

  it('D223 the fields of the live theme: layout, styles and words, by section and category', async () => {
    const ask = (input: JsonObject): Promise<any> => done('theme-field.fieldsForActiveTheme', { themeType: 'CUSTOMER_PORTAL', ...input });
    const layout = await ask({ themeTypeCategoryKeys: ['layout'], sectionKey: 'delivery_details' });
    expect(layout).toMatchObject({ name: 'Winter', fields: [{ key: 'delivery_details', value: true, position: 2 }] });
    const words = (await ask({ themeTypeCategoryKeys: ['theme-skip-flow', 'theme-general'] })).fields;
    expect(words.find((one: any) => one.key === 'greeting')).toMatchObject({ value: 'Hello {{customer_first_name}}', sectionKey: null });
    const button = (await ask({ themeTypeCategoryKeys: ['styles'] })).fields.find((one: any) => one.styleKey === 'button');
    expect(button.attributes[0]).toMatchObject({
      attributeCssVariableKey: '--sub-portal-button-background-color',
      attributeComponentUI: 'COLOR',
    });
    const unknown = { themeType: 'CUSTOMER_PORTAL', themeTypeCategoryKeys: ['nothing'] };
    expect((await at.server.call('theme-field.fieldsForActiveTheme', unknown)).status).toBe(422);
  });

  it('a preview shows a draft for an hour, without a customer in it and with nothing to press', async () => {
    const [, standard] = await themes();
    const { url: link } = await done('theme-store.preview', { id: standard.id });
    const page = await open(new URL(link).pathname);
    expect([page.statusCode, page.body.includes('Preview of “Standard”'), page.body.includes('Hello Anna')]).toEqual([200, true, true]);
    for (const text of ['Ann ', 'Elm Street', ' href="?', '<form']) expect(page.body).not.toContain(text);
    expect((await open(`${new URL(link).pathname}x`)).statusCode).toBe(404);
    const { html } = await done('theme-store.draw', { theme: { ...standard, sections: [{ key: 'products' }] }, scheme: 'dark' });
    expect([html.includes('Goods'), html.includes('Orchard Lane'), html.includes('color-scheme:dark')]).toEqual([true, false, true]);
  });

  it('a draft can be deleted with its words, the live one cannot; a person who may not see themes has none', async () => {
    const [theme, standard] = await themes();
    const kept = await at.server.call('theme-store.delete', { id: theme.id });
    expect([kept.status, kept.body.message]).toEqual([409, 'The live theme cannot be deleted.']);
    await done('theme-store.delete', { id: standard.id });
    const { rows } = await at.server.services.db.ownerQuery('select 1 from texts where owner_id = $1', [standard.nanoId]);
    expect([rows.length, (await themes()).length]).toEqual([0, 1]);
    expect((await at.server.call('theme-store.rename', { id: theme.id, name: 'X' }, { as: 'readOnly' })).status).toBe(403);
  });

  it('every word that the portal says is one of a theme', () => {
    const taken = new Set(Object.values(at.server.services.definitions.texts).flatMap(one => one.takes));
    const folder = 'src/server/features/portal';
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
    const said = files.flatMap(file =>
      [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\bsay\('(\w+)'/g)].map(([, key]) => key as string),
    );
    expect([...new Set(said)].filter(key => !taken.has(key))).toEqual([]);
    expect(said.length).toBeGreaterThan(40);
  });
});
