import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { load } from '../../../../src/contract/load.ts';
import { optionsOf } from '../../../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../../src/contract/types.ts';
import { readDefinitionFiles } from '../../../../src/server/platform/definitions.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';

const tables = ['settings', 'preferences', 'preferences-app', 'store', 'logs'];
/** A page that product people could write: ten fields, two of them conditional. */
const loyalty = {
  title: 'Loyalty points',
  type: 'object',
  additionalProperties: false,
  'x-setting': { category: 'LOYALTY', type: 'POINTS', permission: 'generalSettings', group: 'Store' },
  properties: {
    enabled: { title: 'Give points', type: 'boolean', default: false },
    perOrder: {
      title: 'Points per order',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      'x-ui': { when: { enabled: true } },
      'x-errors': { maximum: 'Choose between 1 and 1,000 points.' },
    },
    expires: { title: 'Points expire', type: 'boolean', default: false },
    expiresAfterDays: {
      title: 'After',
      type: 'integer',
      minimum: 30,
      default: 365,
      'x-ui': { when: { enabled: true, expires: true }, unit: 'days' },
    },
    name: { title: 'What they are called', type: 'string', minLength: 1, maxLength: 30, default: 'Points' },
    colour: { title: 'Colour', type: 'string', format: 'color', default: '#1f6feb' },
    rounding: {
      title: 'Rounding',
      type: 'string',
      default: 'DOWN',
      oneOf: [
        { const: 'DOWN', title: 'Down' },
        { const: 'UP', title: 'Up' },
      ],
    },
    bonus: { title: 'Welcome bonus', type: 'string', format: 'money', default: '0.00' },
    support: { title: 'Questions go to', type: ['string', 'null'], format: 'email', default: null },
    tiers: {
      title: 'Tiers',
      type: 'array',
      maxItems: 3,
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { title: { title: 'Tier', type: 'string', minLength: 1 }, from: { title: 'From', type: 'integer', minimum: 0 } },
        required: ['title', 'from'],
      },
    },
  },
  required: ['enabled', 'perOrder', 'expires', 'expiresAfterDays', 'name', 'colour', 'rounding', 'bonus', 'support', 'tiers'],
};

describe.each(oneEngine)('settings pages on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    const files = { ...readDefinitionFiles(), 'schemas/settings/loyalty-points.json': JSON.stringify(loyalty) };
    server = await startTestServer({ engine, tables, services: { definitions: load(files) } });
  });
  afterAll(() => server?.close());

  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  const get = async (name: string): Promise<JsonObject> => (await server.call('settings.get', { settingsPage: name })).data;
  const set = async (name: string, over: JsonObject, options = {}): Promise<Answered> =>
    server.call('settings.set', { ...(await get(name)), ...over, settingsPage: name }, options);

  test('one new file is a page: read with its defaults, validated, kept, counted, logged', async () => {
    expect(await get('loyalty-points')).toMatchObject({
      id: 'loyalty-points',
      version: 0,
      enabled: false,
      perOrder: 10,
      tiers: [],
      updatedAt: null,
    });
    expect(
      (await set('loyalty-points', { enabled: true, perOrder: 5000, name: '', colour: 'blue', tiers: [{ title: '', from: -1 }] })).body
        .errors,
    ).toEqual([
      { pointer: '/perOrder', rule: 'maximum', message: 'Choose between 1 and 1,000 points.' },
      expect.objectContaining({ pointer: '/name' }),
      expect.objectContaining({ pointer: '/colour' }),
      expect.objectContaining({ pointer: '/tiers/0/title' }),
      expect.objectContaining({ pointer: '/tiers/0/from' }),
    ]);
    const saved = await set('loyalty-points', { enabled: true, perOrder: 25, tiers: [{ title: 'Gold', from: 500 }] });
    expect(saved.body).toMatchObject({
      message: 'Loyalty points settings saved.',
      data: { version: 1, perOrder: 25, updatedBy: expect.stringContaining('@') },
    });
    expect(await get('loyalty-points')).toMatchObject({ version: 1, perOrder: 25, tiers: [{ title: 'Gold', from: 500 }] });
    // Hidden fields are neither validated nor kept.
    expect((await set('loyalty-points', { enabled: false, perOrder: -7, expiresAfterDays: 0 })).status).toBe(200);
    const [row] = await query<{ data: JsonObject }>("select data from settings where store_id = 1 and name = 'loyalty-points'");
    expect(Object.keys(row?.data ?? {})).not.toEqual(expect.arrayContaining(['perOrder']));
    expect(await query("select version from setting_history where store_id = 1 and name = 'loyalty-points' order by version")).toEqual([
      { version: 1 },
      { version: 2 },
    ]);
    const [logged] = await query<{ before: JsonObject; after: JsonObject }>(
      "select before, after from account_log where store_id = 1 and action = 'settings.loyalty-points.updated' order by id limit 1",
    );
    expect([logged?.before.perOrder, logged?.after.perOrder]).toEqual([10, 25]);
    expect((await server.call('preferences.fetch', { category: 'LOYALTY' })).data).toHaveLength(10);
  });

  test('two editors, one version; no right, no page; another store has its own', async () => {
    const { version } = await get('subscription-tags');
    expect((await set('subscription-tags', { ALL: 'One' }, { version })).status).toBe(200);
    expect((await set('subscription-tags', { ALL: 'Two' }, { version })).body).toMatchObject({
      code: 'STALE_VERSION',
      conflict: { current: { ALL: 'One' } },
    });
    expect((await set('subscription-tags', { ALL: 'Three' }, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('settings.get', { settingsPage: 'auto-updates' }, { as: 'mixed' })).status).toBe(403);
    expect((await server.call('settings.get', { settingsPage: 'nothing' })).status).toBe(404);
    const stranger = await server.signIn('owner', 2);
    expect((await server.call('settings.get', { settingsPage: 'subscription-tags' }, { as: stranger })).data.ALL).toBe('Subscription');
    expect((await set('subscription-tags', { surprise: 1 })).status).toBe(422);
  });

  test('D253 D254 a final action is skip, pause or cancel; after failed cycles in a row only pause or cancel', async () => {
    for (const finalAction of ['SKIP', 'PAUSE', 'CANCEL']) expect((await set('paymentRecovery', { finalAction })).status).toBe(200);
    expect((await set('paymentRecovery', { finalAction: 'RETRY' })).body.errors?.[0]?.pointer).toBe('/finalAction');
    expect(
      (await set('paymentRecovery', { finalAction: 'SKIP', successiveFailedCycles: 3, successiveAction: 'SKIP' })).body.errors?.[0]
        ?.pointer,
    ).toBe('/successiveAction');
    expect(
      (await set('paymentRecovery', { finalAction: 'SKIP', successiveFailedCycles: 3, successiveAction: 'CANCEL' })).data,
    ).toMatchObject({ successiveFailedCycles: 3, successiveAction: 'CANCEL' });
    expect((await set('paymentRecovery', { finalAction: 'CANCEL', successiveFailedCycles: 99 })).status).toBe(200);
  });

  const ranges: [string, string, string, JsonValue[], JsonValue[], string][] = [
    ['D249', 'paymentRecovery', 'retryAttempts', [0, 1, 16], [-1, 17, 2.5, 'three', null], 'Choose between 0 and 16 retries.'],
    ['D251', 'paymentRecovery', 'retrySpacingDays', [[1], [15]], [[0], [16]], 'Choose between 1 and 15 days.'],
    ['D252', 'paymentRecovery', 'timeWindowDays', [null, 2, 15], [1, 16], 'Choose between 2 and 15 days, or “No limit”.'],
    ['D255', 'paymentRecovery', 'successiveFailedCycles', [null, 2, 5], [1, 6], 'Choose between 2 and 5 orders, or “Never”.'],
    ['D256 D257', 'general', 'billingHour', [null, 0, 23], [-1, 24], 'Choose an hour from 0 to 23, or “Not set”.'],
    ['D256', 'paymentRecovery', 'retryHour', [null, 0, 23], [-1, 24], 'Choose an hour from 0 to 23, or “Not set”.'],
  ];
  test.each(ranges)('%s %s.%s takes its range and nothing else', async (_rule, page, field, good, bad, message) => {
    for (const value of good)
      expect(
        (
          await set(page, {
            finalAction: 'SKIP',
            ...(page === 'general' ? { finalAction: undefined as unknown as JsonValue } : {}),
            [field]: value,
          })
        ).status,
        JSON.stringify(value),
      ).toBe(200);
    for (const value of bad) {
      const refused = await set(page, { ...(page === 'paymentRecovery' ? { finalAction: 'SKIP', retryAttempts: 4 } : {}), [field]: value });
      expect(refused.body.errors?.[0], JSON.stringify(value)).toMatchObject({ pointer: expect.stringContaining(`/${field}`), message });
    }
  });

  test('D250 D252 D257 the choices are called "Don\'t retry", "No limit" and "Not set"', () => {
    const { settings } = server.services.definitions;
    const title = (page: string, field: string, value: JsonValue): string | undefined =>
      optionsOf(settings[page]?.properties?.[field]).find(option => option.value === value)?.title;
    expect(title('paymentRecovery', 'retryAttempts', 0)).toBe("Don't retry");
    expect(title('paymentRecovery', 'timeWindowDays', null)).toBe('No limit');
    for (const [page, field] of [
      ['general', 'billingHour'],
      ['paymentRecovery', 'retryHour'],
    ] as const)
      expect(settings[page]?.properties?.[field]?.['x-ui']?.options?.empty).toBe('Not set');
    expect(optionsOf(settings.paymentRecovery?.properties?.retryAttempts)).toHaveLength(17);
  });

  test('waits between tries are one number for all or one for each retry', async () => {
    expect((await set('paymentRecovery', { retryAttempts: 3, retrySpacingDays: [1, 3, 7] })).data.retrySpacingDays).toEqual([1, 3, 7]);
    expect((await set('paymentRecovery', { retryAttempts: 3, retrySpacingDays: [1, 3] })).body.errors).toEqual([
      { pointer: '/retrySpacingDays', rule: 'WRONG_LENGTH', message: 'Enter the days for every retry, or one number for all of them.' },
    ]);
    expect((await set('paymentRecovery', { retryAttempts: 3, retrySpacingDays: [] })).body.errors?.[0]?.message).toBe(
      'Say how many days to wait before a retry.',
    );
    expect((await set('paymentRecovery', { retryAttempts: 0, retrySpacingDays: [] })).status).toBe(200);
    expect(
      (await set('paymentRecovery', { notificationTiming: 'WINDOW', notificationWindow: { startHour: 18, endHour: 9 } })).body.errors,
    ).toEqual([{ pointer: '/notificationWindow/endHour', rule: 'GREATER_THAN', message: 'The window must end after it starts.' }]);
    expect(
      (await set('paymentRecovery', { notificationTiming: 'IMMEDIATE', notificationWindow: { startHour: 18, endHour: 9 } })).status,
    ).toBe(200);
    const late = await set('paymentRecovery', { retryAttempts: 16, retrySpacingDays: [15] });
    expect(late.body.message).toMatch(/^Payment recovery settings saved\. The last retry falls after your next order date\./);
  });

  test('stock, prices, tags and delivery methods keep to their rules', async () => {
    for (const value of [0, 61])
      for (const which of ['whenSomeAvailable', 'whenNoneAvailable'])
        expect((await set('inventory-settings', { delayMaxDays: value, [which]: 'DELAY_ORDER' })).body.errors?.[0]?.message).toBe(
          'Choose between 1 and 60 days, or leave it empty.',
        );
    expect(
      (await set('inventory-settings', { delayMaxDays: null, whenNoneAvailable: 'DELAY_ORDER', whenSomeAvailable: 'PARTIAL_ORDER' })).data,
    ).toMatchObject({ delayMaxDays: null, whenSomeAvailable: 'PARTIAL_ORDER' });
    // Where nothing waits, the days of waiting are neither validated nor kept.
    expect(
      (await set('inventory-settings', { delayMaxDays: 61, whenNoneAvailable: 'SKIP_ORDER', whenSomeAvailable: 'PARTIAL_ORDER' })).data,
    ).toMatchObject({ delayMaxDays: 30, whenSomeAvailable: 'PARTIAL_ORDER' });
    expect((await set('inventory-settings', { whenNoneAvailable: 'PARTIAL_ORDER' })).body.errors?.[0]?.pointer).toBe('/whenNoneAvailable');
    expect((await set('auto-updates', { autoUpdateProductPrice: true, graceDays: 31 })).body.errors?.[0]?.message).toBe(
      'Choose between 0 and 30 days.',
    );
    expect((await set('auto-updates', { autoUpdateProductPrice: false, graceDays: 31 })).status).toBe(200);
    expect((await set('subscription-tags', { PREPAID: 'Gift, big' })).body.errors?.[0]).toEqual({
      pointer: '/PREPAID',
      rule: 'pattern',
      message: "Tags can't contain commas.",
    });
    expect((await set('subscription-tags', { PREPAID: 'x'.repeat(41) })).body.errors?.[0]?.message).toBe(
      'A tag can have at most 40 characters.',
    );
    expect((await set('subscription-tags', { PREPAID: '' })).status).toBe(200);
    expect((await set('general', { multipleDeliveryOptions: [] })).body.errors?.[0]?.message).toBe('Keep at least one delivery method on.');
    expect((await set('general', { storeEmail: ['me@fern'] })).body.errors?.[0]).toMatchObject({
      pointer: '/storeEmail/0',
      message: 'Enter a full e-mail address, such as name@example.com.',
    });
    await set('general', { multipleDeliveryOptions: ['PICKUP'] });
    expect((await server.call('store.multipleDeliveryOptions')).data).toMatchObject({
      SHIPPING: false,
      PICKUP: true,
      LOCAL_DELIVERY: false,
    });
  });

  test('D137 fetch_settings_v2 with category DUNNING and type RETRY answers the settings of payment recovery', async () => {
    const answer = await server.request('GET', '/host/main/api/preferences/fetch_settings_v2?category=DUNNING&type=RETRY', { as: 'owner' });
    expect(answer.status, answer.text).toBe(200);
    const entries = answer.json.data as JsonObject[];
    expect(entries.map(one => one.key)).toEqual(Object.keys(server.services.definitions.settings.paymentRecovery?.properties ?? {}));
    expect(entries.every(one => one.category === 'DUNNING' && one.type === 'RETRY')).toBe(true);
    expect((await server.call('preferences.fetch', { category: 'NOTHING' })).status).toBe(404);
  });

  test('D044 a setting that is true or false travels as "true" or "false", and update_settings_v2 keeps what it does not name', async () => {
    const before = await get('paymentRecovery');
    const answer = await server.call('preferences.update', {
      category: 'DUNNING',
      type: 'RETRY',
      settings: [
        { key: 'retryOnCardUpdate', value: 'false' },
        { key: 'retryAttempts', value: '5' },
        { key: 'retrySpacingDays', value: 2 },
      ],
    });
    expect(answer.body.message).toBe('Payment recovery settings saved.');
    const entry = (key: string): JsonObject => (answer.data as JsonObject[]).find(one => one.key === key) as JsonObject;
    expect(entry('retryOnCardUpdate')).toMatchObject({ value: 'false', valueType: 'BOOLEAN', defaultValue: 'true' });
    expect(entry('retryAttempts')).toMatchObject({ value: 5, valueType: 'NUMBER', defaultValue: 4 });
    expect(entry('retrySpacingDays')).toMatchObject({ value: [2], valueType: 'LIST' });
    const { version, updatedAt: _at, ...after } = await get('paymentRecovery');
    const { version: was, updatedAt: _was, ...rest } = before;
    expect(after).toEqual({ ...rest, retryOnCardUpdate: false, retryAttempts: 5, retrySpacingDays: [2], updatedBy: expect.any(String) });
    expect(version).toBe(Number(was) + 1);
    expect(
      (await server.call('preferences.update', { category: 'DUNNING', type: 'RETRY', settings: [{ key: 'retryAttempt', value: 3 }] })).body
        .errors?.[0],
    ).toMatchObject({
      pointer: '/settings/0/key',
      message: expect.stringContaining('“retryAttempt” is not a setting of Payment recovery'),
    });
    expect(
      (await server.call('preferences.update', { category: 'DUNNING', type: 'RETRY', settings: [{ key: 'retryAttempts', value: 17 }] }))
        .body.errors?.[0]?.message,
    ).toBe('Choose between 0 and 16 retries.');
    expect(
      (
        await server.call(
          'preferences.update',
          { category: 'DUNNING', type: 'RETRY', settings: [{ key: 'retryAttempts', value: 3 }] },
          { as: 'readOnly' },
        )
      ).status,
    ).toBe(403);
  });

  test('D152 preferenceDetails is asked with preferenceKey and type', async () => {
    const answer = await server.request('GET', '/host/main/api/preferences/preferenceDetails?preferenceKey=billingHour&type=STORE', {
      as: 'owner',
    });
    expect(answer.json.data).toMatchObject({ category: 'GENERAL', type: 'STORE', key: 'billingHour', valueType: 'NUMBER' });
    expect((await server.call('preferences.details', { preferenceKey: 'billingHour', type: 'RETRY' })).status).toBe(404);
  });

  test('D153 read_settings is asked with category, shop and type', async () => {
    const read = (shop: string) =>
      server.request('GET', `/host/app/settings/read_settings?category=INVENTORY&shop=${shop}&type=OUT_OF_STOCK`, { as: 'owner' });
    const own = await read('fernandember.myshopify.com');
    expect(own.json.data.map((one: JsonObject) => one.key)).toContain('delayMaxDays');
    expect((await read('another-store.myshopify.com')).status).toBe(404);
    expect(
      (
        await server.call('preferences-app.update', {
          category: 'INVENTORY',
          type: 'OUT_OF_STOCK',
          settings: [{ key: 'notifyAdmin', value: 'false' }],
        })
      ).status,
    ).toBe(200);
    expect((await get('inventory-settings')).notifyAdmin).toBe(false);
  });

  test('S270 eligibility is read from shop.features.eligibleForSubscriptions', async () => {
    const answer = await server.request('GET', '/host/app/settings/is_subscriptions_eligible', { as: 'owner' });
    expect(answer.json.shop.features.eligibleForSubscriptions).toBe(true);
    expect((await server.call('preferences-app.paypal')).data).toMatchObject({ status: 'NOT_CONNECTED' });
  });
});
