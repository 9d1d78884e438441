// Check 24: every action whose notice offers to undo it, undone after a restart of the server: the record and the counters stand as before. A new action
// with an undo has to be tried here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action, JsonObject } from '../../../src/contract/types.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { serve, type TestServer } from '../../support/serve.ts';
import { cancellationScene } from '../platform/http/cancellation-scene.ts';
import { giftsScene } from '../platform/http/gifts-scene.ts';
import { offersScene } from '../platform/http/offers-scene.ts';
import { retentionScene } from '../platform/http/retention-scene.ts';
import { widgetsScene } from '../platform/http/widgets-scene.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../features/subscriptions/fixture.ts';

const PREPAID: JsonObject = {
  billingPolicy: { interval: 'MONTH', intervalCount: 3 },
  deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
};

interface Try {
  over?: JsonObject;
  first?(server: TestServer, made: Made): Promise<unknown>;
  input(made: Made): JsonObject;
  undo?(made: Made): JsonObject;
}
const backup = (made: Made): JsonObject => ({ subscriptionShopifyId: made.shopifyId, paymentMethodId: made.methods[1] as number });
const paidAhead = (server: TestServer, { id }: Made, marked: boolean) =>
  server.services.db.exec(`update contracts set prepaid_credits = 2, is_marked_for_cancellation = ${marked} where id = ${id};
  insert into credit_transactions (store_id, contract_id, type, credits, balance_after, reason, created_by) values (1, ${id}, 'ADDED', 2, 2, 'Test', 'Test')`);
const order = ({ id }: Made): JsonObject => ({ id, orderId: id * 10_000 + 1 });

/** By call and the call that undoes it. */
const TRIES: Record<string, Try> = {
  'subscription-contract.skipOrder > subscription-contract.unSkipOrder': { input: order },
  'subscription-contract.unSkipOrder > subscription-contract.skipOrder': {
    first: (server, made) => server.call('subscription-contract.skipOrder', order(made)),
    input: order,
  },
  'subscription-contract.skipLineItem > subscription-contract-app.undoRemoveOneTime': {
    input: ({ id, lines }) => ({ id, lineId: lines[0]?.id as number }),
  },
  'backup-payment-method.removeBackup > backup-payment-method.switchBackup': {
    first: (server, made) => server.call('backup-payment-method.switchBackup', backup(made)),
    input: ({ shopifyId }) => ({ subscriptionShopifyId: shopifyId }),
    undo: backup,
  },
  'subscription-contract.markForCancellation > subscription-contract.undoMarkForCancellation': {
    over: PREPAID,
    first: (server, made) => paidAhead(server, made, false),
    input: ({ id }) => ({ id }),
  },
  'subscription-contract.undoMarkForCancellation > subscription-contract.markForCancellation': {
    over: PREPAID,
    first: (server, made) => paidAhead(server, made, true),
    input: ({ id }) => ({ id }),
  },
  'subscription-contract.addOrderNote > subscription-contract.addOrderNote': {
    first: (server, { id }) => server.call('subscription-contract.addOrderNote', { id, note: 'Leave it at the door.' }),
    input: ({ id }) => ({ id, note: 'Ring twice.' }),
    undo: ({ id }) => ({ id, note: 'Leave it at the door.' }),
  },
};
/** Tried with records of their own, below. */
const PLANS = [
  'selling-plan-groups.publish > selling-plan-groups.unpublish',
  'selling-plan-groups.unpublish > selling-plan-groups.publish',
];
const BUNDLES = ['bundles.publish > bundles.unpublish', 'bundles.unpublish > bundles.publish'];
const FLOWS = ['automations.disable > automations.enable', 'automations.enable > automations.disable'];
const LANGUAGES = ['multilingual.changeLanguage > multilingual.changeLanguage'];
const CUSTOMERS = ['customers-app.setAdvertising > customers-app.setAdvertising'];
const WIDGETS = ['widgets', 'gift-widgets', 'storefront-banners'].map(table => `${table}.togglePublish > ${table}.togglePublish`);
const SNIPPETS = ['legacy-widget.install > legacy-widget.remove', 'legacy-widget.remove > legacy-widget.install'];
const EMAILS = ['email-templates', 'gift-notifications'].flatMap(table => [
  `${table}.reset > ${table}.save`,
  `${table}.switch > ${table}.switch`,
]);
/** Calls with a record that is on and off, by their table. */
const SWITCHES = [
  'cancellation-reasons',
  'incentives',
  'subscription-benefits',
  'swap',
  'upsell-profiles',
  'upgrade-profiles',
  'gift-programs',
  'streaks',
  'quick-actions',
  'checkout',
];
const SWITCHED = SWITCHES.flatMap(table => [`${table}.activate > ${table}.deactivate`, `${table}.deactivate > ${table}.activate`]);

/** Everything that has an `undo`, wherever it stands in a screen's file. */
function offered(value: unknown, found = new Set<string>()): Set<string> {
  if (value === null || typeof value !== 'object') return found;
  const { call, id, undo } = value as Partial<Action>;
  if (typeof undo === 'string') found.add(`${call ?? id ?? ''} > ${undo}`);
  for (const member of Object.values(value)) offered(member, found);
  return found;
}

describe.each(oneEngine)('what can be undone, on %s', engine => {
  let database: TestDatabase;
  let server: TestServer;
  let goods: Goods;
  const start = async (seed: { contracts: number; stores: number } | false): Promise<TestServer> =>
    serve({ db: database.db, remove: async () => undefined }, { seed });
  const restart = async (): Promise<void> => {
    await server.close();
    await database.reopen();
    server = await start(false);
  };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = await start({ contracts: 12, stores: 1 });
    goods = await stockGoods(server);
  });
  afterAll(async () => {
    await server?.close();
    await database?.remove();
  });

  /** The record and the numbers beside lists, without what every write changes; the log only grows. */
  const stand = async (read: string, input: JsonObject): Promise<unknown> => {
    const answer = await server.call(read, input);
    expect(answer.body).toMatchObject({ success: true });
    const { version: _version, updatedAt: _at, updatedAtEpoch: _epoch, ...record } = answer.data as JsonObject;
    const { rows } = await server.services.db.ownerQuery(
      "select name, key, sum(n) as n from counters where store_id = 1 and name <> 'account_log' group by 1, 2 having sum(n) <> 0 order by 1, 2",
    );
    const schedule = read.startsWith('subscription-contract')
      ? ((await server.call('subscription-contract.ordersSchedule', input)).data as JsonObject[]).map(
          ({ version: _v, updatedAt: _u, updatedAtEpoch: _e, ...one }) => one,
        )
      : [];
    return { record, rows, schedule };
  };

  it('is tried here', () => {
    expect([...offered(server.services.definitions.resources)].sort()).toEqual(
      [
        ...Object.keys(TRIES),
        ...PLANS,
        ...EMAILS,
        ...BUNDLES,
        ...FLOWS,
        ...LANGUAGES,
        ...CUSTOMERS,
        ...WIDGETS,
        ...SNIPPETS,
        ...SWITCHED,
      ].sort(),
    );
  });

  it.each(Object.entries(TRIES))('%s', async (name, { over = {}, first, input, undo }) => {
    const [action, back] = name.split(' > ') as [string, string];
    const made = await makeContract(server, goods, over);
    await first?.(server, made);
    const read = { id: made.id };
    const before = await stand('subscription-contract.read', read);
    expect((await server.call(action, input(made))).body).toMatchObject({ success: true });
    expect(await stand('subscription-contract.read', read)).not.toEqual(before);
    await restart();
    expect((await server.call(back, (undo ?? input)(made))).body).toMatchObject({ success: true });
    expect(await stand('subscription-contract.read', read)).toEqual(before);
  });

  it('publish > unpublish > publish', async () => {
    const [plan] = (await server.call('selling-plan-groups.list', { filter: { status: ['ACTIVE'] } })).data as JsonObject[];
    if (!plan) throw new Error('The seeded store has no published selling plan group.');
    const id = { lspgId: plan.lspgId as number };
    const published = await stand('selling-plan-groups.read', id);
    for (const call of ['unpublish', 'publish']) {
      expect((await server.call(`selling-plan-groups.${call}`, id)).body).toMatchObject({ success: true });
      await restart();
    }
    expect(await stand('selling-plan-groups.read', id)).toEqual(published);
  });

  it('a bundle published > draft > published', async () => {
    const { rows } = await server.services.db.ownerQuery<{ id: number }>(
      'select id from products where store_id = 1 and not is_gift_card limit 1',
    );
    const made = await server.call('bundles.create', { name: 'Undone', purchaseType: 'ONETIME', productIds: [Number(rows[0]?.id)] });
    const which = { id: (made.data as JsonObject).id as number };
    expect((await server.call('bundles.publish', which)).body).toMatchObject({ success: true });
    const before = await stand('bundles.read', which);
    for (const call of ['unpublish', 'publish']) {
      expect((await server.call(`bundles.${call}`, which)).body).toMatchObject({ success: true });
      if (call === 'unpublish') expect(await stand('bundles.read', which)).not.toEqual(before);
      await restart();
    }
    expect(await stand('bundles.read', which)).toEqual(before);
  });

  it('a flow on > off > on', async () => {
    const { data } = await server.call('automations.fromTemplate', { template: 'LOYALTY_DISCOUNT' });
    const which = { id: (data as JsonObject).id as number };
    expect((await server.call('automations.enable', which)).body).toMatchObject({ success: true });
    const before = await stand('automations.read', which);
    for (const call of ['disable', 'enable']) {
      expect((await server.call(`automations.${call}`, which)).body).toMatchObject({ success: true });
      if (call === 'disable') expect(await stand('automations.read', which)).not.toEqual(before);
      await restart();
    }
    expect(await stand('automations.read', which)).toEqual(before);
  });

  it('a language published > not published > published', async () => {
    const { data } = await server.call('multilingual.addLanguage', { locale: 'fr' });
    const which = { id: (data as JsonObject).id as number };
    const drafted = await stand('multilingual.language', which);
    for (const isPublished of [true, false]) {
      expect((await server.call('multilingual.changeLanguage', { ...which, isPublished })).body).toMatchObject({ success: true });
      if (isPublished) expect(await stand('multilingual.language', which)).not.toEqual(drafted);
      await restart();
    }
    expect(await stand('multilingual.language', which)).toEqual(drafted);
  });

  it('a customer with advertising > without > with', async () => {
    const which = { id: (await makeContract(server, goods)).customerId };
    const before = await stand('customers-app.read', which);
    for (const getsAdvertising of [false, true]) {
      expect((await server.call('customers-app.setAdvertising', { ...which, getsAdvertising })).body).toMatchObject({ success: true });
      if (!getsAdvertising) expect(await stand('customers-app.read', which)).not.toEqual(before);
      await restart();
    }
    expect(await stand('customers-app.read', which)).toEqual(before);
  });

  it('reasons, offers, benefits and profiles on > off > on', async () => {
    const must = async (name: string, input: JsonObject): Promise<any> => {
      const { body, data } = await server.call(name, input);
      expect([name, body.message, body.success]).toEqual([name, body.message, true]);
      return data;
    };
    const one = async (text: string, params: unknown[] = []): Promise<number> =>
      Number((await server.services.db.ownerQuery<{ id: number }>(text, params)).rows[0]?.id);
    const contract = await one("select id from contracts where store_id = 1 and status = 'ACTIVE' order by id limit 1");
    const inputs = {
      ...(await cancellationScene(must, one)),
      ...(await offersScene(must, one, contract)),
      ...(await retentionScene(must, one, contract)),
      ...(await giftsScene(server, must, one)),
    };
    await must('experiments.terminate', inputs['experiments.read'] as JsonObject);
    const before = new Map<string, unknown>();
    const asRead = (table: string): JsonObject => inputs[`${table}.read`] as JsonObject;
    const which = (table: string): JsonObject => ({ id: Object.values(asRead(table))[0] ?? null });
    // An offer is for reasons that are on: those of the store come last.
    for (const table of SWITCHES.toReversed()) {
      const state = await stand(`${table}.read`, asRead(table));
      const isOn = ['ACTIVE', 'PUBLISHED'].includes(String((state as { record: JsonObject }).record.status));
      if (!isOn) await must(`${table}.activate`, which(table));
      before.set(table, await stand(`${table}.read`, asRead(table)));
      await must(`${table}.deactivate`, which(table));
      expect(await stand(`${table}.read`, asRead(table))).not.toEqual(before.get(table));
    }
    await restart();
    for (const table of SWITCHES) {
      await must(`${table}.activate`, which(table));
      expect(await stand(`${table}.read`, asRead(table))).toEqual(before.get(table));
    }
  });

  it('widgets published > draft > published', async () => {
    const must = async (name: string, input: JsonObject): Promise<any> => {
      const { body, data } = await server.call(name, input);
      expect([name, body.message, body.success]).toEqual([name, body.message, true]);
      return data;
    };
    const inputs = await widgetsScene(must);
    const tables = ['widgets', 'gift-widgets', 'storefront-banners'];
    const which = (table: string): JsonObject => inputs[`${table}.read`] as JsonObject;
    const before = new Map<string, unknown>();
    for (const table of tables) {
      before.set(table, await stand(`${table}.read`, which(table)));
      await must(`${table}.togglePublish`, { ...which(table), status: 'DRAFT' });
      expect(await stand(`${table}.read`, which(table))).not.toEqual(before.get(table));
    }
    await restart();
    for (const table of tables) {
      await must(`${table}.togglePublish`, { ...which(table), status: 'ACTIVE' });
      expect(await stand(`${table}.read`, which(table))).toEqual(before.get(table));
    }
  });

  it('the widget of version 1 put into a theme > taken out > put into it', async () => {
    const [theme] = (await server.call('legacy-widget.themes')).data as JsonObject[];
    const which = { shopifyThemeId: theme?.shopifyThemeId as number };
    const before = await stand('legacy-widget.themes', {});
    for (const call of ['install', 'remove']) {
      expect((await server.call(`legacy-widget.${call}`, which)).body).toMatchObject({ success: true });
      if (call === 'install') expect(await stand('legacy-widget.themes', {})).not.toEqual(before);
      await restart();
    }
    const { rows } = await server.services.db.ownerQuery<{ snippets: string[] }>('select snippets from store_themes where store_id = 1');
    expect(rows[0]?.snippets).toEqual([]);
  });

  it.each([
    ['email-templates', 'PAYMENT_FAILED'],
    ['gift-notifications', 'GIFT_SUBSCRIPTION_RECEIVED'],
  ])('own words of an e-mail > reset > save, switched off > on: %s', async (table, prefKey) => {
    const which = { prefKey };
    const words = { subject: 'Your card was refused', body: 'Please look at your card.' };
    const read = `${table}.read`;
    const steps: [string, JsonObject, string, JsonObject][] = [
      ['reset', which, 'save', { ...which, ...words }],
      ['switch', { ...which, enabled: false }, 'switch', { ...which, enabled: true }],
    ];
    expect((await server.call(`${table}.save`, { ...which, ...words })).body).toMatchObject({ success: true });
    const before = await stand(read, which);
    for (const [action, input, back, undo] of steps) {
      expect((await server.call(`${table}.${action}`, input)).body).toMatchObject({ success: true });
      expect(await stand(read, which)).not.toEqual(before);
      await restart();
      expect((await server.call(`${table}.${back}`, undo)).body).toMatchObject({ success: true });
      expect(await stand(read, which)).toEqual(before);
    }
  });
});
