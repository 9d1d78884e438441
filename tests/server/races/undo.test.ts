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
  /** What the calls of records that are on and off are asked with. */
  let inputs: Record<string, JsonObject>;
  let language: { id: number };
  const start = async (seed: { contracts: number; stores: number } | false): Promise<TestServer> =>
    serve({ db: database.db, remove: async () => undefined }, { seed });
  const restart = async (): Promise<void> => {
    await server.close();
    await database.reopen();
    server = await start(false);
  };
  const must = async (name: string, input: JsonObject = {}): Promise<any> => {
    const { body, data } = await server.call(name, input);
    expect([name, body.message, body.success]).toEqual([name, body.message, true]);
    return data;
  };
  const one = async (text: string, params: unknown[] = []): Promise<number> =>
    Number((await server.services.db.ownerQuery<{ id: number }>(text, params)).rows[0]?.id);
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = await start({ contracts: 12, stores: 1 });
    goods = await stockGoods(server);
    const contract = await one("select id from contracts where store_id = 1 and status = 'ACTIVE' order by id limit 1");
    inputs = {
      ...(await cancellationScene(must, one)),
      ...(await offersScene(must, one, contract)),
      ...(await retentionScene(must, one, contract)),
      ...(await giftsScene(server, must, one)),
      ...(await widgetsScene(must)),
    };
    await must('experiments.terminate', inputs['experiments.read']);
    language = { id: (await must('multilingual.addLanguage', { locale: 'fr' })).id as number };
  });
  afterAll(async () => {
    await server?.close();
    await database?.remove();
  });

  /** The record and the numbers beside lists, without what every write changes; the log only grows. */
  const stand = async (read: string, input: JsonObject): Promise<unknown> => {
    const answer = await server.call(read, input);
    expect(answer.body).toMatchObject({ success: true });
    const bare = ({ version: _version, updatedAt: _at, updatedAtEpoch: _epoch, ...record }: JsonObject): JsonObject => record;
    const record = Array.isArray(answer.data) ? (answer.data as JsonObject[]).map(bare) : bare(answer.data as JsonObject);
    const { rows } = await server.services.db.ownerQuery(
      "select name, key, sum(n) as n from counters where store_id = 1 and name <> 'account_log' group by 1, 2 having sum(n) <> 0 order by 1, 2",
    );
    const schedule = read.startsWith('subscription-contract')
      ? ((await server.call('subscription-contract.ordersSchedule', input)).data as JsonObject[]).map(bare)
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

  /** What is done to a record and undone: the call that reads it, what is done, and what undoes that. */
  interface Cycle {
    name: string;
    read: [call: string, input: JsonObject];
    away: [call: string, input: JsonObject];
    back: [call: string, input: JsonObject];
  }

  /**
   * Does all of it, restarts the server once, and undoes all of it, the last one first: behind each, record and counters stand as they stood
   * just before it was done.
   */
  const around = async (cycles: readonly Cycle[]): Promise<void> => {
    const before: unknown[] = [];
    for (const { name, read, away } of cycles) {
      const stood = await stand(...read);
      before.push(stood);
      await must(...away);
      expect(await stand(...read), name).not.toEqual(stood);
    }
    await restart();
    for (const [i, { name, read, back }] of [...cycles.entries()].toReversed()) {
      await must(...back);
      expect(await stand(...read), name).toEqual(before[i]);
    }
  };

  it('what is done to subscriptions', async () => {
    const cycles: Cycle[] = [];
    for (const [name, { over = {}, first, input, undo }] of Object.entries(TRIES)) {
      const [action, back] = name.split(' > ') as [string, string];
      const made = await makeContract(server, goods, over);
      await first?.(server, made);
      cycles.push({
        name,
        read: ['subscription-contract.read', { id: made.id }],
        away: [action, input(made)],
        back: [back, (undo ?? input)(made)],
      });
    }
    await around(cycles);
  });

  it('records that are published, sent, given or on', async () => {
    // Not the first one, which the offers use.
    const plan = ((await must('selling-plan-groups.list', { filter: { status: ['ACTIVE'] } })) as JsonObject[]).at(-1);
    if (!plan) throw new Error('The seeded store has no published selling plan group.');
    const group = { lspgId: plan.lspgId as number };
    const product = await one('select id from products where store_id = 1 and not is_gift_card limit 1');
    const name = `Undone ${Date.now()}`;
    const bundle = { id: (await must('bundles.create', { name, purchaseType: 'ONETIME', productIds: [product] })).id as number };
    await must('bundles.publish', bundle);
    const flow = { id: (await must('automations.fromTemplate', { template: 'LOYALTY_DISCOUNT' })).id as number };
    await must('automations.enable', flow);
    const customer = { id: (await makeContract(server, goods)).customerId };
    const [theme] = (await must('legacy-widget.themes')) as JsonObject[];
    const inTheme = { shopifyThemeId: theme?.shopifyThemeId as number };
    const cycles: Cycle[] = [
      {
        name: 'a selling plan group',
        read: ['selling-plan-groups.read', group],
        away: ['selling-plan-groups.unpublish', group],
        back: ['selling-plan-groups.publish', group],
      },
      { name: 'a bundle', read: ['bundles.read', bundle], away: ['bundles.unpublish', bundle], back: ['bundles.publish', bundle] },
      { name: 'a flow', read: ['automations.read', flow], away: ['automations.disable', flow], back: ['automations.enable', flow] },
      {
        name: 'a language',
        read: ['multilingual.language', language],
        away: ['multilingual.changeLanguage', { ...language, isPublished: true }],
        back: ['multilingual.changeLanguage', { ...language, isPublished: false }],
      },
      {
        name: 'advertising to a customer',
        read: ['customers-app.read', customer],
        away: ['customers-app.setAdvertising', { ...customer, getsAdvertising: false }],
        back: ['customers-app.setAdvertising', { ...customer, getsAdvertising: true }],
      },
      {
        name: 'the widget of version 1 in a theme',
        read: ['legacy-widget.themes', {}],
        away: ['legacy-widget.install', inTheme],
        back: ['legacy-widget.remove', inTheme],
      },
    ];
    for (const [table, prefKey] of [
      ['email-templates', 'PAYMENT_FAILED'],
      ['gift-notifications', 'GIFT_SUBSCRIPTION_RECEIVED'],
    ] as const) {
      const words = { prefKey, subject: 'Your card was refused', body: 'Please look at your card.' };
      await must(`${table}.save`, words);
      const read: Cycle['read'] = [`${table}.read`, { prefKey }];
      cycles.push(
        { name: `own words of ${prefKey}`, read, away: [`${table}.reset`, { prefKey }], back: [`${table}.save`, words] },
        {
          name: prefKey,
          read,
          away: [`${table}.switch`, { prefKey, enabled: false }],
          back: [`${table}.switch`, { prefKey, enabled: true }],
        },
      );
    }
    for (const table of ['widgets', 'gift-widgets', 'storefront-banners']) {
      const which = inputs[`${table}.read`] as JsonObject;
      const call = `${table}.togglePublish`;
      cycles.push({
        name: table,
        read: [`${table}.read`, which],
        away: [call, { ...which, status: 'DRAFT' }],
        back: [call, { ...which, status: 'ACTIVE' }],
      });
    }
    // An offer is for reasons that are on: those of the store come last.
    for (const table of SWITCHES.toReversed()) {
      const asRead = inputs[`${table}.read`] as JsonObject;
      const which = { id: Object.values(asRead)[0] ?? null };
      const { record } = (await stand(`${table}.read`, asRead)) as { record: JsonObject };
      if (!['ACTIVE', 'PUBLISHED'].includes(String(record.status))) await must(`${table}.activate`, which);
      cycles.push({
        name: table,
        read: [`${table}.read`, asRead],
        away: [`${table}.deactivate`, which],
        back: [`${table}.activate`, which],
      });
    }
    await around(cycles);
  });
});
