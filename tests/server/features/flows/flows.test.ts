// Flows on a running server: set off by events, once each, with conditions and actions; loops are stopped, failures tried again, drafts
// tried.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { deliverAll } from '../../../support/events.ts';
import { flowFailures } from '../../../../src/server/features/alerts/checks/flows.ts';
import { remind } from '../../../../src/server/engine/charging/run-due.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const tag = (...tags: string[]): JsonObject => ({ action: 'UPDATE_TAGS', input: { mode: 'ADD', tags } });
const note = (text: string): JsonObject => ({ action: 'UPDATE_NOTE', input: { mode: 'ADD', note: text } });
const asks = (conditionKey: string, operator: string, value: any): JsonObject => ({
  match: 'ALL',
  rows: [{ conditionKey, operator, value }],
});
interface Run {
  id: number;
  flowName: string;
  status: string;
  actionResults: { label: string; status: string; message: string | null }[];
}

describe.each(oneEngine)('flows on %s', engine => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;
  let n = 0;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 6, stores: 2 }, jobs: true, config: { workers: 0 } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    await deliver();
    await server.services.db.exec("delete from flow_runs; delete from records where entity = 'flow'");
    made = await makeContract(server, goods, { nextBillingDateEpoch: inDays(5) });
    await deliver();
  });

  const call = (name: string, input: JsonObject = {}, as?: 'readOnly'): Promise<any> =>
    server.call(`automations.${name}`, input, as ? { as } : {});
  const deliver = (): Promise<void> => deliverAll(server.services);
  const flow = async (over: JsonObject, isOn = true): Promise<number> => {
    const given = {
      name: `Flow ${++n}`,
      flowType: 'CUSTOM',
      triggers: ['SUBSCRIPTION_STATUS_CHANGED'],
      actions: [tag('touched')],
      ...over,
    };
    const answer = await call('create', given);
    expect(answer.body.errors ?? []).toEqual([]);
    if (isOn) expect((await call('enable', { id: answer.data.id })).status).toBe(200);
    return Number(answer.data.id);
  };
  const runs = async (input: JsonObject = {}): Promise<Run[]> => (await call('logs', input)).data as Run[];
  const read = async (): Promise<JsonObject> => (await server.call('subscription-contract.read', { id: made.id })).data as JsonObject;
  const pause = () => server.call('subscription-contract.pause', { id: made.id });

  it('what happens sets it off once, its actions run in their order, and its log and the activity tell of it', async () => {
    const id = await flow({ actions: [tag('paused'), note('Ask why.'), tag('paused')] });
    await flow({ name: 'Draft' }, false);
    await pause();
    await deliver();
    await deliver();
    expect(await read()).toMatchObject({ tags: ['paused'], note: 'Ask why.' });
    const found = await runs();
    expect(found).toMatchObject([
      {
        flowId: id,
        subscriptionId: made.id,
        trigger: 'SUBSCRIPTION_STATUS_CHANGED',
        status: 'SUCCESS',
        actionResults: [
          { status: 'SUCCESS' },
          { status: 'SUCCESS' },
          { status: 'SKIPPED', message: 'Nothing changes for this subscription.' },
        ],
      },
    ]);
    const { data: activity } = await server.call('subscription-contract.activity', { id: made.id });
    expect((activity as JsonObject[]).filter(({ source }) => source === 'Flow').map(({ key }) => key)).toEqual(
      expect.arrayContaining(['flow_executed', 'tags_updated', 'note_updated']),
    );
    expect((await call('read', { id })).data).toMatchObject({ status: 'ACTIVE', runsLast30Days: 1, failuresLast30Days: 0 });
    // Deleting takes the log with it; what was done stays.
    await call('delete', { id });
    expect(await runs()).toEqual([]);
    expect(await read()).toMatchObject({ tags: ['paused'] });
  });

  it('of a gift a flow changes notes and tags alone; what else it would do is left out, which is no failure', async () => {
    await flow({ actions: [tag('given'), { action: 'SKIP_ORDER', input: { count: 1 } }] });
    await pause();
    await server.services.db.exec(`update contracts set source = 'GIFT' where id = ${made.id}`);
    await deliver();
    expect(await runs()).toMatchObject([
      {
        status: 'SUCCESS',
        actionResults: [{ status: 'SUCCESS' }, { status: 'SKIPPED', message: expect.stringContaining('This is a gift.') }],
      },
    ]);
  });

  it('gives an ended subscription a product only where it has none that is still sold, as a bulk action does', async () => {
    const { db } = server.services;
    const add = { action: 'ADD_PRODUCT', input: { variantId: goods.other, quantity: 1, type: 'RECURRING', discountType: 'NONE' } };
    const selections: JsonObject[] = [
      { mode: 'IDS', ids: [made.id] },
      { mode: 'FILTER', filter: {}, q: `#${made.id}` },
    ];
    const inBulk = (selection: JsonObject) =>
      server
        .call('bulk-actions.preview', { actionKey: add.action, selection, input: add.input })
        .then(({ body, data }) => (data ?? body) as JsonObject);
    const products = async (): Promise<unknown[]> => (await read()).lines as unknown[];
    await flow({ actions: [add] });
    const before = await products();
    expect((await server.call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' })).status).toBe(200);
    for (const selection of selections)
      expect(await inBulk(selection)).toMatchObject({ rows: [{ result: 'SKIPPED', reason: expect.stringContaining('Reactivate') }] });
    await deliver();
    expect((await runs())[0]?.actionResults).toMatchObject([{ status: 'FAILED', message: expect.stringContaining('Reactivate') }]);
    expect(await products()).toEqual(before);
    await db.exec(`update variants set deleted_at = now() where id = any(array(select variant_id from contract_lines
      where contract_id = ${made.id}))`);
    try {
      for (const selection of selections) expect((await inBulk(selection)).skipped).toBe(0);
      await call('retry', { id: (await runs())[0]!.id });
      await deliver();
      expect((await runs())[0]).toMatchObject({ status: 'SUCCESS' });
      expect(await products()).toHaveLength(before.length + 1);
    } finally {
      await db.exec('update variants set deleted_at = null');
    }
  });

  it('conditions decide, priority orders, once for each subscription is once', async () => {
    await flow({ conditions: asks('SUBSCRIPTION_TAG', 'PRESENT', ['vip']), actions: [note('vip')] });
    const first = await flow({ actions: [tag('vip')], runOncePerSubscription: true });
    await pause();
    await deliver();
    expect((await runs()).map(run => run.flowName)).toEqual([`Flow ${n}`]);
    // The tag is there from the next time on: the first flow runs, the other one did so before.
    await server.call('subscription-contract.resume', { id: made.id });
    await deliver();
    expect((await runs({ flowId: first })).length).toBe(1);
    expect((await read()).note).toBe('vip');
  });

  it('a gift with the third order: placed with order 3, once, over four orders charged by hand', async () => {
    await flow({
      name: 'Third order: free mug, note, tag',
      triggers: ['ORDER_PLACED'],
      conditions: asks('ORDER_NUMBER', 'EQ', 2),
      runOncePerSubscription: true,
      actions: [
        {
          action: 'ADD_PRODUCT',
          input: { variantId: goods.other, quantity: 1, type: 'ONE_TIME', discountType: 'PERCENTAGE', discountValue: '100' },
        },
        note('Third order.'),
        tag('third'),
      ],
    });
    for (let order = 1; order <= 4; order++) {
      const { status, body } = await server.call('subscription-contract.chargeNow', {
        id: made.id,
        orderId: (await read()).nextOrderId as number,
      });
      expect([status, body.message]).toEqual([200, expect.anything()]);
      await deliver();
    }
    const { data } = await server.call('subscription-contract.ordersHistory', { id: made.id });
    const paid = (data as { status: string; lines?: { variantId: number; price: string }[] }[]).filter(order => order.status === 'PAID');
    expect(paid.length).toBe(4);
    const withGift = paid.map(order => JSON.stringify(order).includes('Goods other'));
    // The newest first: of four orders the third has it.
    expect(withGift).toEqual([false, true, false, false]);
    expect(await runs()).toMatchObject([{ status: 'SUCCESS', trigger: 'ORDER_PLACED' }]);
    expect(await read()).toMatchObject({ note: 'Third order.', tags: ['third'] });
  });

  it('a journey acts before the order that a step is for', async () => {
    await flow({
      flowType: 'REWARD_JOURNEY',
      triggers: undefined as never,
      actions: undefined as never,
      journeySteps: [
        { orderNumber: 2, actions: [note('two')] },
        { orderNumber: 3, actions: [note('three')] },
      ],
    });
    await server.call('subscription-contract.chargeNow', { id: made.id, orderId: (await read()).nextOrderId as number });
    await deliver();
    expect((await read()).note).toBe('two');
  });

  it('a flow tells the customer what it added: by an e-mail once, and in the one about the next order, until that is placed', async () => {
    await flow({
      triggers: ['ORDER_PLACED'],
      conditions: asks('ORDER_NUMBER', 'EQ', 1),
      rewardNotification: {
        sendEmail: true,
        emailText: 'A mug comes with your second order.',
        upcomingOrderEmailText: 'With a mug, on us.',
      },
    });
    const wrong = await call('create', {
      name: 'No words',
      flowType: 'CUSTOM',
      triggers: ['ORDER_PLACED'],
      actions: [tag('x')],
      rewardNotification: { sendEmail: true },
    });
    expect(wrong.body.errors).toMatchObject([{ pointer: '/rewardNotification/emailText', message: 'Write what the e-mail says.' }]);
    const { db } = server.services;
    const letters = async (template: string): Promise<string[]> =>
      (
        await db.ownerQuery<{ text: string }>(
          `select text from outbox where contract_id = ${made.id} and template = '${template}' order by id`,
        )
      ).rows.map(row => row.text);
    const charge = async (): Promise<void> => {
      await server.call('subscription-contract.chargeNow', { id: made.id, orderId: (await read()).nextOrderId as number });
      await deliver();
      await deliver();
    };
    const announce = async (): Promise<string | undefined> => {
      await db.exec(
        `delete from reminders; delete from outbox where template = 'UPCOMING_ORDER'; update contracts set created_at = now() - interval '90 days' where id = ${made.id}`,
      );
      const at = new Date(Number((await read()).nextBillingDateEpoch) * 1000 - 2 * 86_400_000);
      await remind(server.services, 1, { now: at });
      return (await letters('UPCOMING_ORDER')).at(-1);
    };
    await charge();
    expect(await letters('REWARD_ADDED')).toMatchObject([expect.stringContaining('A mug comes with your second order.')]);
    expect(await announce()).toContain('With a mug, on us.');
    // The words of a flow are translated like those of a plan, and a customer reads their own language.
    await server.call('multilingual.addLanguage', { locale: 'de' });
    const [language] = (
      await db.ownerQuery<{ id: number }>("select id from records where entity = 'store-language' and data ->> 'locale' = 'de'")
    ).rows;
    await server.call('multilingual.changeLanguage', { id: language!.id, isPublished: true });
    await db.exec(`update contracts set customer_locale = 'de' where id = ${made.id};
      insert into texts (store_id, locale, owner_kind, owner_id, key, value, updated_at, updated_by)
      select 1, 'de', 'flow', id::text, 'rewardNotification.upcomingOrderEmailText', 'Mit Tasse.', now(), '' from records where entity = 'flow' and store_id = 1;
      insert into texts (store_id, locale, owner_kind, owner_id, key, value, updated_at, updated_by) values
        (1, 'de', 'email-template', 'UPCOMING_ORDER', 'subject', 'Bald', now(), ''),
        (1, 'de', 'email-template', 'UPCOMING_ORDER', 'body', 'Am {{ date }}. {% for reward in rewards %}{{ reward }}{% endfor %}', now(), '')`);
    expect(await announce()).toContain('Mit Tasse.');
    await db.exec(`update contracts set customer_locale = null where id = ${made.id}; delete from texts`);
    await charge();
    expect(await letters('REWARD_ADDED')).toHaveLength(1);
    const next = await announce();
    expect(next).toContain('This comes next:');
    expect(next).not.toContain('With a mug');
  });

  it('flows that lead to each other are found and stopped', async () => {
    const add = (variantId: number): JsonObject => ({
      action: 'ADD_PRODUCT',
      input: { variantId, quantity: 1, type: 'ONE_TIME', discountType: 'NONE' },
    });
    const a = await flow({ name: 'A', triggers: ['PRODUCTS_MODIFIED'], actions: [add(goods.other)] });
    const b = await flow({ name: 'B', triggers: ['PRODUCTS_MODIFIED'], actions: [add(goods.digital)] });
    await server.call('subscription-contract.updateQuantity', {
      id: made.id,
      lineId: ((await read()).lines as { id: number }[])[0]!.id,
      quantity: 2,
    });
    await deliver();
    const found = await runs({ limit: 100 });
    const stopped = found.filter(run => run.status === 'SKIPPED').map(run => run.actionResults[0]?.message);
    expect(stopped.length).toBeGreaterThan(0);
    expect(stopped).toContain('Stopped: this flow led to this change itself (“A” → “B” → “A”).');
    expect(found.length).toBeLessThan(14);
    expect([a, b].length).toBe(2);
  });

  it('what fails is listed with its reason, and can be tried again', async () => {
    await flow({ triggers: ['SUBSCRIPTION_STATUS_CHANGED'], actions: [{ action: 'SKIP_ORDER', input: { count: 1 } }, tag('tried')] });
    await pause();
    await deliver();
    const [run] = await runs();
    expect(run).toMatchObject({
      status: 'PARTIAL',
      actionResults: [{ status: 'FAILED', message: expect.stringMatching(/\w+\./) }, { status: 'SUCCESS' }],
    });
    // What failed is an alert until it is done.
    const store = await server.services.db.asSystem(trx =>
      trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow(),
    );
    const alert = () =>
      server.services.db.inStore(1, async trx => {
        const scope = { trx, store, now: new Date(), plans: [] };
        return { ...(await flowFailures.find(scope)), rows: (await flowFailures.rows!(scope, { limit: 10, offset: 0 })).rows };
      });
    expect(await alert()).toMatchObject({
      count: 1,
      summary: 'Actions of 1 flow failed in the last 7 days.',
      rows: [{ label: run!.flowName, runs: 1, detail: run!.actionResults[0]!.message }],
    });
    // Whatever the language of the person who tries it again: the reason is stored for all.
    const german = await server.call('automations.retry', { id: run!.id }, { headers: { 'accept-language': 'de' } });
    expect(german.data).toMatchObject({ status: 'PARTIAL', failed: 1 });
    expect((await runs())[0]!.actionResults[0]!.message).toBe(run!.actionResults[0]!.message);
    await server.services.db.exec('update records set data = data || \'{"status": "DRAFT"}\' where entity = \'flow\'');
    await server.call('subscription-contract.resume', { id: made.id });
    const again = await call('retry', { id: run!.id });
    expect(again.data).toMatchObject({ status: 'SUCCESS', failed: 0 });
    expect(await alert()).toMatchObject({ count: 0, rows: [] });
    expect((await call('retry', { id: run!.id })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'Nothing of this run has failed.',
    });
    expect((await call('retry', { id: run!.id }, 'readOnly')).status).toBe(403);
  });

  it('a draft is tried on a subscription: what would happen, why not, and nothing is changed', async () => {
    const before = await read();
    const { data } = await call('dryRun', {
      subscriptionId: made.id,
      flow: {
        flowType: 'CUSTOM',
        conditions: { match: 'ALL', rows: [...(asks('SUBSCRIPTION_STATUS', 'IN', ['PAUSED']).rows as JsonObject[])] },
        actions: [tag('new'), { action: 'REMOVE_PRODUCT', input: { variantId: goods.giftCard } }],
      },
    });
    expect(data).toMatchObject({
      wouldRun: false,
      conditions: [{ text: 'Status is one of Paused', met: false }],
      actions: [
        { label: 'Change tags', status: 'SUCCESS', after: expect.stringContaining('new') },
        { label: 'Remove product', status: 'FAILED', message: 'This product is not in the subscription.' },
      ],
    });
    expect(await read()).toEqual(before);
    expect(await runs()).toEqual([]);
  });

  it.each([
    [{ triggers: [] }, '/triggers', 'Choose a trigger.'],
    [{ actions: [] }, '/actions', 'Add at least one action.'],
    [{ actions: [{ action: 'CHARGE_ORDER', input: {} }] }, '/actions/0/action', 'Choose an action from the list.'],
    [{ actions: [{ action: 'UPDATE_TAGS', input: { tags: [] } }] }, '/actions/0/input/tags', 'Enter at least one tag.'],
    [
      { conditions: asks('PAYMENT_FAILURE_REASON', 'IN', ['card_expired']) },
      '/conditions/rows/0/conditionKey',
      'Payment conditions need the payment-failed trigger.',
    ],
    [
      { flowType: 'ORDER_JOURNEY', journeySteps: [{ orderNumber: 1, actions: [tag('x')] }] },
      '/journeySteps/0/orderNumber',
      "Begin with order 2: the checkout order can't be changed.",
    ],
  ])('%j is refused at its place', async (over, at, message) => {
    const { status, body } = await call('create', {
      name: `Wrong ${++n}`,
      flowType: 'CUSTOM',
      triggers: ['PRODUCTS_MODIFIED'],
      actions: [tag('x')],
      ...over,
    });
    expect([status, body.errors]).toEqual([422, expect.arrayContaining([expect.objectContaining({ pointer: at, message })])]);
  });

  it('D178 D179 the lists take filters, limit and offset; a template makes a flow that is off', async () => {
    const gift = await call('fromTemplate', { template: 'GIFT_THIRD_ORDER', variantId: goods.other });
    expect(gift.data).toMatchObject({ name: 'Gift with the third order' });
    expect((await call('fromTemplate', { template: 'GIFT_THIRD_ORDER', variantId: goods.other })).data.name).toBe(
      'Gift with the third order 2',
    );
    expect((await call('fromTemplate', { template: 'PAUSE_AFTER_SKIPS' })).status).toBe(200);
    const page = await call('list', { limit: 1, offset: 1, filter: { status: ['DRAFT'] } });
    expect([page.data.length, page.body.pageInfo.total]).toEqual([1, 3]);
    // The names of the wire.
    const ask = async (path: string): Promise<any> =>
      (await server.request('GET', `/host/main/api/merchant/automations/${path}`, { as: 'owner' })).json;
    const status = (...values: string[]): string => encodeURIComponent(JSON.stringify({ status: values }));
    const seen = await ask(`readAll?limit=2&offset=2&filters=${status('DRAFT')}`);
    expect([seen.data.length, seen.pageInfo.total]).toEqual([1, 3]);
    expect((await ask(`readAll?filters=${status('ACTIVE')}`)).data).toEqual([]);
    expect((await ask(`readAll?filters=${encodeURIComponent('{"colour":["RED"]}')}`)).errors[0].pointer).toMatch(/^\/filters/);
    expect((await ask(`logs?limit=1&offset=0&filters=${status('FAILED')}`)).pageInfo.total).toBe(0);
    expect((await call('logs', { limit: 5, offset: 0, filter: { status: ['FAILED'] } })).data).toEqual([]);
    const { data } = await call('config');
    expect((data.actions as JsonObject[]).map(({ key }) => key)).not.toContain('CHARGE_ORDER');
    expect(data.conditionsByTrigger.PRODUCTS_MODIFIED).not.toContain('ORDER_NUMBER');
  });
});
