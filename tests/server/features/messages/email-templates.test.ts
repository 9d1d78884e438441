// E-mails in the words of a store: saved, switched off, previewed, tried and put back, and obeyed by everything that sends.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const KEY = 'SUBSCRIPTION_PAUSED';

describe('e-mails of a store', () => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres' });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    made = await makeContract(server, goods);
    await server.services.db.ownerQuery("delete from settings where name = 'messages'");
    await server.services.db.ownerQuery("delete from setting_history where name = 'messages'");
    await server.services.db.ownerQuery('delete from outbox');
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => server.call(`email-templates.${name}`, input);
  const sent = (template: string): Promise<JsonObject[]> =>
    server.services.db
      .ownerQuery<JsonObject>('select recipient, subject, text, html from outbox where template = $1 order by id', [template])
      .then(({ rows }) => rows);
  const pause = () => server.call('subscription-contract.pause', { id: made.id });

  it('the list has every e-mail to customers and to the team, and none of the product itself', async () => {
    const { data } = await call('list');
    const keys = (data as JsonObject[]).map(({ prefKey }) => prefKey);
    const { messages } = server.services.definitions;
    expect([...keys].sort()).toEqual(
      Object.values(messages)
        .filter(({ audience, gift }) => audience !== 'user' && gift === undefined)
        .map(({ key }) => key)
        .sort(),
    );
    const narrowed = await call('list', { q: 'out stock', filter: { audience: ['ADMIN'] } });
    expect(narrowed.data.map(({ prefKey }: JsonObject) => prefKey)).toContain('ADMIN_PRODUCT_OUT_OF_STOCK');
    for (const { audience, name, description, subject } of narrowed.data as JsonObject[])
      expect([audience, `${name} ${description} ${subject}`]).toEqual(['ADMIN', expect.stringMatching(/out.*stock|stock.*out/i)]);
    expect((await call('read', { prefKey: 'SIGN_IN_LINK' })).status).toBe(404);
  });

  it('the words of a store are sent instead of those of the product, until they are reset', async () => {
    const saved = await call('save', {
      prefKey: KEY,
      subject: 'Rest well, {{ customer.firstName }}',
      body: 'Your {{ subscription.frequency }} rests.\n\nBye',
    });
    expect(saved).toMatchObject({ status: 200, data: { isCustomised: true, version: 1, status: 'ON' } });
    await pause();
    expect(await sent(KEY)).toMatchObject([
      { subject: expect.stringMatching(/^Rest well, \w+$/), text: expect.stringMatching(/^Your every .+ rests\.\n\nBye$/) },
    ]);
    const again = await call('reset', { prefKey: KEY });
    expect(again.data).toMatchObject({ isCustomised: false, subject: server.services.definitions.messages[KEY]!.subject, version: 2 });
    const { rows } = await server.services.db.ownerQuery<{ version: number }>(
      "select version from setting_history where name = 'messages' and store_id = 1 order by version desc limit 2",
    );
    expect(rows).toHaveLength(2);
    // The standard is an e-mail that is sent.
    expect((await call('save', { prefKey: KEY, subject: 'Off', enabled: false })).data.status).toBe('OFF');
    expect((await call('reset', { prefKey: KEY })).data).toMatchObject({ isCustomised: false, status: 'ON' });
  });

  it('an e-mail that is switched off is not sent, the one beside it is', async () => {
    expect((await call('switch', { prefKey: KEY, enabled: false })).data).toMatchObject({ status: 'OFF', isCustomised: false });
    await pause();
    expect(await sent(KEY)).toEqual([]);
    expect(await sent(`ADMIN_${KEY}`)).toHaveLength(1);
    expect((await call('list', { filter: { status: ['OFF'] } })).data).toHaveLength(1);
  });

  it('what is sent on request can not be switched off', async () => {
    const refused = await call('switch', { prefKey: 'CUSTOMER_PORTAL_LINK', enabled: false });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/enabled' }] } });
  });

  it('unknown variables and broken tags are refused with their line, and nothing is saved', async () => {
    const refused = await call('save', { prefKey: KEY, subject: '{{ customr.name }}', body: 'Hi\n{{ subscription.nextOrder }}' });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ pointer, message }: JsonObject) => [pointer, message])).toEqual([
      ['/subject', 'Unknown variable {{customr.name}}. Did you mean {{customer.name}}?'],
      ['/body', expect.stringMatching(/^Line 2: Unknown variable \{\{subscription\.nextOrder\}\}\. Did you mean/)],
    ]);
    const open = await call('save', { prefKey: KEY, body: 'Hi\n\n{% if customer.name %}x' });
    expect(open.body.errors[0].message).toMatch(/^Line 3: This template is not right: /);
    expect((await call('read', { prefKey: KEY })).data).toMatchObject({ isCustomised: false, version: 0 });
  });

  it('e-mails to the team have fixed words', async () => {
    const refused = await call('save', { prefKey: `ADMIN_${KEY}`, subject: 'Mine' });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/subject' }] } });
    expect((await call('save', { prefKey: `ADMIN_${KEY}`, enabled: false })).data).toMatchObject({ status: 'OFF' });
  });

  it('two people who change the same e-mail hear of each other; different e-mails do not meet', async () => {
    await call('save', { prefKey: KEY, subject: 'One', version: 0 });
    expect(await call('save', { prefKey: KEY, subject: 'Two', version: 0 })).toMatchObject({ status: 409 });
    expect((await call('save', { prefKey: 'ORDER_SKIPPED', subject: 'Skipped', version: 0 })).status).toBe(200);
  });

  it('words that are like those of the product are not the store’s own', async () => {
    const { data } = await call('read', { prefKey: KEY });
    const saved = await call('save', { prefKey: KEY, subject: data.subject, body: `${data.body}\r\n` });
    expect(saved.data).toMatchObject({ isCustomised: false });
  });

  it('every e-mail can be previewed with its samples, and saved as it is', async () => {
    const { data } = await call('list');
    for (const { prefKey, audience, subject, body } of data as JsonObject[]) {
      const shown = await call('preview', { prefKey: prefKey! });
      expect({ prefKey, problems: shown.data.problems }).toEqual({ prefKey, problems: [] });
      expect(shown.data.subject).toBeTruthy();
      if (audience === 'CUSTOMER') expect((await call('save', { prefKey: prefKey!, subject: subject!, body: body! })).status).toBe(200);
    }
  });

  it('a preview follows what is typed, with a subscription of the store', async () => {
    const shown = await call('preview', {
      prefKey: KEY,
      subject: 'For #{{ subscription.id }}',
      body: '- a\n- b\n\nHi {{ customer.name }}',
      subscriptionId: made.id,
    });
    expect(shown.data).toMatchObject({
      subject: `For #${made.id}`,
      html: expect.stringMatching(/<li>a<\/li><li>b<\/li>[\s\S]*<p[^>]*>Hi \w/),
      problems: [],
    });
    expect((await call('preview', { prefKey: KEY, subscriptionId: 999_999 })).status).toBe(404);
    const wrong = await call('preview', { prefKey: KEY, body: '{{ unknown }}' });
    expect(wrong.data).toMatchObject({ html: null, problems: [{ field: 'body' }] });
  });

  it('work beyond what one letter may cost is refused with a sentence, typed, saved or translated', async () => {
    const refused = /takes too much work to fill in/;
    const loop = (turns: number): string => `{% for i in (1..${turns}) %}{% endfor %}`;
    for (const body of [loop(1_000_000), loop(350_000), `{% for i in (1..300) %}${loop(300)}{% endfor %}`, '{{ 1 }}'.repeat(14_000)]) {
      expect(await call('preview', { prefKey: KEY, body })).toMatchObject({
        status: 422,
        body: { message: expect.stringMatching(refused) },
      });
      expect(await call('save', { prefKey: KEY, body })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/body' }] } });
    }
    // Each of both would do.
    const half = `{% for i in (1..1700) %}{{ i }}{% endfor %}`;
    expect(await call('save', { prefKey: KEY, body: half })).toMatchObject({ status: 200 });
    expect(await call('save', { prefKey: KEY, subject: half })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(refused) },
    });
    await server.call('multilingual.addLanguage', { locale: 'de' });
    const translated = await server.call('multilingual.update_translations', {
      categoryId: 'EMAIL_TEMPLATE',
      localeStoreId: 'de',
      translations: [{ key: 'body', entityId: KEY, value: loop(350_000) }],
    });
    expect([translated.status, translated.body.errors?.map(({ message }) => message)]).toEqual([422, [expect.stringMatching(refused)]]);
  });

  it('a loop that was saved before there were limits stops at once, and the customer gets the words of the product', async () => {
    const old = '{% for i in (1..350000) %}{{ i }}{% endfor %}';
    const kept = { [KEY]: { body: old, version: 1, updatedAt: new Date().toISOString(), updatedBy: 'a@example.com' } };
    await server.services.db.ownerQuery("insert into settings (store_id, name, version, data) values (1, 'messages', 1, $1)", [
      JSON.stringify(kept),
    ]);
    expect((await call('sendTest', { prefKey: KEY, to: 'me@example.com' })).status).toBe(422);
    await pause();
    expect((await sent(KEY))[0]?.text).toMatch(/^Hi Ann,\n\nYour subscription is paused/);
  });

  it('a test e-mail goes to one address, marked as a test, ten times an hour', async () => {
    await call('save', { prefKey: KEY, subject: 'Hello {{ customer.firstName }}' });
    expect((await call('sendTest', { prefKey: KEY, to: 'me@example.com' })).status).toBe(200);
    expect(await sent('TEST')).toMatchObject([{ recipient: 'me@example.com', subject: '[Test] Hello Anna' }]);
    for (let i = 0; i < 9; i++) await call('sendTest', { prefKey: KEY, to: 'me@example.com' });
    const refused = await call('sendTest', { prefKey: KEY, to: 'me@example.com' });
    expect(refused).toMatchObject({ status: 429, body: { message: expect.stringMatching(/Try again in (59|60) minutes/) } });
    expect(await sent('TEST')).toHaveLength(10);
  });

  it('own words that can not be filled in give way to those of the product', async () => {
    const broken = { [KEY]: { subject: '{{ gone.away }}', version: 1, updatedAt: new Date().toISOString(), updatedBy: 'a@example.com' } };
    await server.services.db.ownerQuery("insert into settings (store_id, name, version, data) values (1, 'messages', 1, $1)", [
      JSON.stringify(broken),
    ]);
    await pause();
    expect((await sent(KEY))[0]?.subject).not.toContain('gone');
    expect(await sent(KEY)).toHaveLength(1);
  });

  it('D270 the variables of an e-mail are those its words may use: of customer, store, subscription and its own', async () => {
    const { data } = await server.call('email-branding.templateVariables', { prefKey: 'PAYMENT_FAILED' });
    expect(data[0]).toMatchObject({ key: 'explanation', group: 'This e-mail', sample: expect.any(String), label: expect.any(String) });
    for (const { key } of data) {
      const shown = await call('preview', { prefKey: 'PAYMENT_FAILED', body: `{{ ${key} }}` });
      expect({ key, problems: shown.data.problems }).toEqual({ key, problems: [] });
    }
    const all = (await server.call('email-branding.templateVariables', {})).data as JsonObject[];
    expect([...new Set(all.map(one => one.group))]).toEqual(expect.arrayContaining(['Customer', 'Store', 'Subscription']));
  });

  it('D156 D300 both sets of calls of an e-mail answer the same, the second one under /api/preferences/emails/templates', async () => {
    for (const name of ['read', 'save', 'reset'])
      expect(server.services.definitions.calls[`email-templates-v2.${name}`]?.path).toMatch(
        new RegExp(`^/api/preferences/emails/templates/${name}(_by_pref_key)?_v2$`),
      );
    const v2 = (name: string, input: JsonObject): Promise<any> => server.call(`email-templates-v2.${name}`, input);
    expect((await v2('save', { prefKey: KEY, subject: 'Two' })).data).toMatchObject({ subject: 'Two' });
    expect((await v2('read', { prefKey: KEY })).data).toEqual((await call('read', { prefKey: KEY })).data);
    expect((await v2('reset', { prefKey: KEY })).data).toMatchObject({ isCustomised: false });
  });
});
