// The e-mail for a failed payment, rewritten in German with a variable: previewed on a subscription whose payment failed, and sent when
// the clock moves past a charge that fails, to each customer in their language.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
const query = (text: string, params: unknown[] = []) =>
  server.services.db.ownerQuery<Record<string, any>>(text, params).then(({ rows }) => rows); // any: rows of the database
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 120, stores: 1 }, jobs: true });
});
afterAll(() => server?.close());

const prefKey = 'PAYMENT_FAILED_WITH_RETRIES';
const body = [
  'Guten Tag {{ customer.firstName }},',
  '{{ explanation }} Die Zahlung von {{ amount }} für {{ subscription.frequency }} wurde nicht eingezogen.',
  'Nächster Versuch{% if isLast %} (der letzte){% endif %}: {{ retryOn }}. Fragen? {{ store.email }}',
  '{{ store.name }}',
];
const german = { subject: 'Zahlung über {{ amount }} fehlgeschlagen', body: body.join('\n\n') };
const record = { localizedEntityType: 'EMAIL_TEMPLATE', localizedEntityId: prefKey, localeStoreId: 'de' };
const write = (words: JsonObject, key = 'multilingual.update_localized_entity_translations') =>
  server.call(key, { ...record, translations: Object.entries(words).map(([name, value]) => ({ key: name, value })) });

it('refuses what can not be filled in, each with its line, and what leaves a variable out', async () => {
  const { data: language } = await server.call('multilingual.addLanguage', { locale: 'de' });
  await server.call('multilingual.changeLanguage', { id: language.id, isPublished: true });
  const { data: template } = await server.call('email-templates.read', { prefKey });
  expect(template).toMatchObject({ locale: 'en', previewOf: { lastPaymentStatus: ['FAILED'] } });

  const unknown = await write({ body: 'Guten Tag,\n\n{{ custmer.name }} {{ amount }}' });
  expect(unknown.status).toBe(422);
  expect(unknown.body.errors).toEqual([
    expect.objectContaining({
      pointer: '/translations/0/value',
      message: expect.stringMatching(/Line 3: Unknown variable {{custmer.name}}. Did you mean {{customer.name}}\?/),
    }),
  ]);
  const without = await write({
    body: 'Hallo {{ customer.firstName }}, {{ explanation }} {{ retryOn }} {{ store.email }} {{ store.name }}',
  });
  expect(without.body.errors?.map(({ message }) => message)).toEqual(['Text: The variable {{amount}} is missing.']);
  expect((await write({ body: 'Hallo {% if isLast %}' })).body.errors?.[0]?.message).toMatch(/^Text: Line 1: /);
});

it('is previewed with the payment that failed, and sent in German to those who read it, in English to others', async () => {
  // Every second customer bought in German, in Austria. Some of either have no money on their cards from now on.
  await query("update customers set locale = case when id % 2 = 0 then 'de-AT' end");
  await query('update contracts c set customer_locale = k.locale from customers k where k.store_id = c.store_id and k.id = c.customer_id');
  await query("update payment_methods set gateway_token = 'tok_decline_insufficient_funds' where customer_id % 10 < 4");
  const [order] = await query(
    `select o.contract_id, o.total, c.customer_name from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id
      where o.store_id = 1 and o.error_code is not null order by o.id desc limit 1`,
  );
  expect(order).toBeDefined();
  const shown = await server.call('email-templates.preview', { prefKey, locale: 'de', subscriptionId: order!.contract_id, ...german });
  expect(shown.data.problems).toEqual([]);
  expect(shown.data.subject).toContain((Number(order!.total) / 100).toFixed(2).replace('.', ','));
  expect(shown.data.html).toContain(String(order!.customer_name).split(' ')[0]);

  expect((await write(german)).status).toBe(200);
  await server.call('texts.save', { categoryId: 'emails', translations: [{ key: 'mailThere', value: 'friend' }] });
  const frequencies = ['mailEveryMonth', 'mailEveryMonths', 'mailEveryWeeks', 'mailEveryWeek'].map(key => ({
    key,
    value: key.endsWith('s') ? 'alle {{count}} Einheiten' : 'jede Einheit',
  }));
  await server.call('multilingual.update_translations', { localeStoreId: 'de', categoryId: 'emails', translations: frequencies });

  // The clock moves past charges; the next ones to be declined send these words.
  expect((await server.call('clock.advance', { days: 20 })).status).toBe(200);
  const sent = (locale: string) =>
    query(
      `select m.subject, m.text from outbox m join contracts c on c.store_id = m.store_id and c.id = m.contract_id
        where m.template = $1 and coalesce(c.customer_locale, 'en') = $2`,
      [prefKey, locale],
    );
  await expect
    .poll(async () => Math.min((await sent('de-AT')).length, (await sent('en')).length), { timeout: 90_000, interval: 500 })
    .toBeGreaterThan(0);
  for (const { subject, text } of await sent('de-AT')) {
    expect(subject).toMatch(/^Zahlung über [\d.,]+\s\S+ fehlgeschlagen$/);
    expect(text).toMatch(/^Guten Tag \S+,\n/);
    expect(text).toMatch(/für (alle \d+|jede) Einheit/);
    // The day in German, as the store writes days: "Do., 3. Dez. 2026".
    expect(text).toMatch(/Nächster Versuch[^:]*: (Mo|Di|Mi|Do|Fr|Sa|So)\., \d+\. \S+ \d{4}\./);
  }
  for (const { subject, text } of await sent('en')) {
    expect(subject).toBe('We could not take your payment');
    expect(text).toMatch(/^Hi \S+/);
  }
});

it('keeps versions by language, and brings one back', async () => {
  await write({ subject: 'Bitte um {{ amount }}' });
  const versions = async () => (await server.call('multilingual.recordVersions', record)).data;
  expect((await versions()).map((one: JsonObject) => [one.version, (one.data as JsonObject).subject])).toEqual([
    [2, 'Bitte um {{ amount }}'],
    [1, german.subject],
    [0, ''],
  ]);
  expect((await server.call('multilingual.restoreRecord', { ...record, toVersion: 1 })).status).toBe(200);
  const { data: languages } = await server.call('multilingual.recordLanguages', {
    localizedEntityType: 'EMAIL_TEMPLATE',
    localizedEntityId: prefKey,
  });
  expect(languages).toMatchObject([
    { locale: 'en', isPrimary: true, missing: 0 },
    { locale: 'de', isPublished: true, translated: 2, missing: 0 },
  ]);
  expect((await versions())[0]).toMatchObject({ version: 3, data: german });
  // Nothing at all: the e-mail falls back to the words of the product.
  await server.call('multilingual.restoreRecord', { ...record, toVersion: 0 });
  const { data: shown } = await server.call('email-templates.preview', { prefKey, locale: 'de' });
  expect(shown.subject).toBe('Ihre Zahlung hat nicht geklappt');
  expect((await server.call('multilingual.restoreRecord', { ...record, toVersion: 99 })).status).toBe(404);
});

it('sends a test in a language, filled in with a subscription', async () => {
  await write(german);
  const [contract] = await query('select id, customer_name from contracts where store_id = 1 order by id limit 1');
  const to = 'amira@example.com';
  expect((await server.call('email-templates.sendTest', { prefKey, to, locale: 'de', subscriptionId: contract!.id })).status).toBe(200);
  const [mail] = await query("select subject, text from outbox where template = 'TEST' order by id desc limit 1");
  expect(mail!.subject).toMatch(/^\[Test\] Zahlung über/);
  expect(mail!.text).toContain(`Guten Tag ${String(contract!.customer_name).split(' ')[0]},`);
  expect((await server.call('email-templates.sendTest', { prefKey, to, locale: 'fr' })).status).toBe(404);
});
