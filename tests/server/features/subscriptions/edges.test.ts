// What goes with an action elsewhere: the log of every subscription that a card pays for, and the right that a part of a bulk action needs.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Bulk } from '../bulk-actions/helpers.ts';
import { ADDRESS, inDays, makeContract, stockGoods, type Goods } from './fixture.ts';

let server: TestServer;
let goods: Goods;
beforeAll(async () => {
  server = await startTestServer({ jobs: true, seed: { contracts: 4, stores: 2 } });
  goods = await stockGoods(server);
});
afterAll(() => server?.close());

const ok = async (name: string, input: JsonObject) => {
  const answer = await server.call(name, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data;
};
const log = async (id: number): Promise<{ key: string; data: JsonObject }[]> => ok('subscription-contract.activity', { id });
const CARD = { number: '4242 4242 4242 4242', name: 'Ann Lee', expiry: '12/90', verificationCode: '123' };

it('a backup method that is deleted leaves a line in the log of each subscription that loses it', async () => {
  const made = await makeContract(server, goods);
  await ok('backup-payment-method.switchBackup', { subscriptionShopifyId: made.shopifyId, paymentMethodId: made.methods[1] as number });
  await ok('subscription-contract.pause', { id: made.id });
  const { version } = await ok('subscription-contract.read', { id: made.id });
  await ok('payments.deletePaymentMethod', { paymentMethodId: made.methods[1] as number });
  expect((await log(made.id))[0]).toMatchObject({
    key: 'backup_payment_method_removed',
    data: { before: { paymentMethodId: made.methods[1] } },
  });
  expect(await ok('subscription-contract.read', { id: made.id })).toMatchObject({
    backupPaymentMethodId: null,
    version: Number(version) + 1,
  });
});

it('a card that is replaced leaves a line in the log of a paused subscription too', async () => {
  const made = await makeContract(server, goods);
  await ok('subscription-contract.pause', { id: made.id });
  const session = await ok('card-vault.session', CARD);
  await ok('payments.updateCustomerCard', { paymentMethodId: made.methods[0] as number, sessionId: session.id });
  expect((await log(made.id))[0]?.key).toBe('payment_method_changed');
});

it('swapping products in bulk at a price by hand needs the right to change prices', async () => {
  const made = await makeContract(server, goods);
  const token = await server.signIn('readOnly');
  const create = async (subscriptionDiscount: string, priceRule: string) => {
    await server.services.db.ownerQuery('update users set permissions = $1 where store_id = 1 and id = 1004', [
      JSON.stringify({ bulkActions: 'WRITE', subscriptionDetails: 'READ', subscriptionProduct: 'WRITE', subscriptionDiscount }),
    ]);
    server.services.sessions.forget(1);
    return server.call(
      'bulk-actions.create',
      {
        actionKey: 'SWAP_PRODUCT',
        selection: { mode: 'IDS', ids: [made.id] },
        input: {
          variantIds: [goods.plain],
          toVariantId: goods.other,
          quantityRule: 'KEEP',
          priceRule,
          ...(priceRule === 'CUSTOM' ? { price: '0.01' } : {}),
        },
      },
      { as: token },
    );
  };
  const refused = await create('READ', 'CUSTOM');
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  expect((await create('READ', 'KEEP')).status).toBe(200);
  const draft = await create('WRITE', 'CUSTOM');
  expect(draft.status).toBe(200);
  // The right is asked again when it starts.
  await server.services.db.ownerQuery('update users set permissions = $1 where store_id = 1 and id = 1004', [
    JSON.stringify({ bulkActions: 'WRITE', subscriptionDetails: 'READ', subscriptionProduct: 'WRITE', subscriptionDiscount: 'READ' }),
  ]);
  server.services.sessions.forget(1);
  expect((await server.call('bulk-actions.runBulkAction', { id: draft.data.id }, { as: token })).status).toBe(403);
  expect((await ok('subscription-contract.read', { id: made.id })).lines[0].price).toBe('20.00');
});

it('a file of ids is read whatever wrote it: a mark at its beginning, blank rows, repeated ids, ids of another store and numbers beyond any id', async () => {
  const a = await makeContract(server, goods);
  const b = await makeContract(server, goods);
  const foreign = await server.services.db.ownerQuery<{ id: number }>('select id from contracts where store_id = 2 order by id limit 1');
  const content = [
    '\uFEFFsubscription_id;note',
    `${a.id};x`,
    '',
    ';',
    `"#${b.shopifyId}";y`,
    `${a.id};again`,
    `${foreign.rows[0]?.id};z`,
    '9223372036854775807;w',
    ' ; ',
  ].join('\r\n');
  const bulk = new Bulk(server);
  const done = await bulk.run('UPDATE_TAGS', { mode: 'CSV', content, fileName: 'ids.csv' }, { mode: 'ADD', tags: ['vip'] });
  expect((await bulk.rows(Number(done.id))).map(row => [row.given, row.status])).toEqual([
    [String(a.id), 'SUCCESS'],
    [`#${b.shopifyId}`, 'SUCCESS'],
    [String(a.id), 'SKIPPED'],
    [String(foreign.rows[0]?.id), 'FAILED'],
    ['9223372036854775807', 'FAILED'],
  ]);
  expect((await ok('subscription-contract.read', { id: b.id })).tags).toEqual(['vip']);
});

it('D091 moves between the ways of delivery as long as the subscription runs, and again once it is reactivated', async () => {
  const made = await makeContract(server, goods);
  const zip =
    (
      await server.services.db.ownerQuery<{ zip: string | null }>(
        "select details->'localDelivery'->'zipPrefixes'->>0 as zip from stores where id = 1",
      )
    ).rows[0]?.zip ?? '112';
  const address = { ...ADDRESS, zip: zip.padEnd(5, '0') };
  const places = (await ok('subscription-contract.pickupAddresses', { id: made.id })) as { code: string }[];
  const moves: [string, JsonObject, string][] = [
    ['updateToPickup', { optionCode: places[0]?.code as string }, 'PICKUP'],
    ['updateToLocalDelivery', { address, phone: '+15550100199' }, 'LOCAL_DELIVERY'],
    ['updateToShipping', { address, optionCode: 'STANDARD' }, 'SHIPPING'],
  ];
  const through = async (): Promise<void> => {
    for (const [name, input, type] of moves) {
      const view = await ok(`subscription-contract.${name}`, { id: made.id, ...input });
      expect([name, view.deliveryType, Object.keys(view.deliveryMethod).sort()]).toEqual([
        name,
        type,
        [{ PICKUP: 'pickup', LOCAL_DELIVERY: 'localDelivery', SHIPPING: 'shipping' }[type] as string, 'type'].sort(),
      ]);
      // The price is that of the way chosen, also in the next order.
      const [next] = await ok('subscription-contract.ordersSchedule', { id: made.id });
      expect([name, next.estimatedTotal.shipping]).toEqual([name, view.deliveryPrice]);
    }
  };
  await through();
  await ok('subscription-contract.pause', { id: made.id });
  for (const [name, input, type] of moves)
    expect((await ok(`subscription-contract.${name}`, { id: made.id, ...input })).deliveryType).toBe(type);
  await ok('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' });
  for (const [name, input] of moves) {
    const refused = await server.call(`subscription-contract.${name}`, { id: made.id, ...input });
    expect([name, refused.status, refused.body.message]).toEqual([name, 409, 'Reactivate this subscription to make changes.']);
  }
  await ok('subscription-contract.reactivate', { id: made.id });
  await through();
});

it('D150 a paid delivery that is charged some days ahead is moved to the day it is to be delivered on', async () => {
  const made = await makeContract(server, goods, {
    billingPolicy: { interval: 'MONTH', intervalCount: 3 },
    deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
    paysAhead: true,
  });
  await server.services.db.ownerQuery('update contracts set charge_offset_days = 3 where store_id = 1 and id = $1', [made.id]);
  await ok('subscription-contract.chargeNow', { id: made.id, orderId: made.view.nextOrderId as number });
  const listed = async (): Promise<{ id: number; fulfillAt: number }[]> =>
    ok('subscription-contract-app.fulfillments', { id: made.id, ahead: true });
  const [first, second] = await listed();
  if (!first || !second) throw new Error('Two deliveries should be ahead.');
  const day = (epoch: number): number => Math.floor((epoch - 5 * 3600) / 86_400);
  const wanted = first.fulfillAt + 4 * 86_400;
  await ok('subscription-contract-app.fulfillmentReschedule', { id: made.id, fulfillmentOrderId: first.id, fulfillAt: wanted });
  expect((await listed()).map(one => day(one.fulfillAt))).toEqual([day(wanted), day(second.fulfillAt)]);
  // Its neighbours are recognized by their days of delivery too.
  const refused = await server.call('subscription-contract-app.fulfillmentReschedule', {
    id: made.id,
    fulfillmentOrderId: first.id,
    fulfillAt: second.fulfillAt,
  });
  const label = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  }).format(second.fulfillAt * 1000);
  expect([refused.status, refused.body.errors?.[0]]).toEqual([
    422,
    { pointer: '/fulfillAt', rule: 'date', message: `Choose a date before the next delivery on ${label}.` },
  ]);
  expect(
    (
      await server.call('subscription-contract-app.fulfillmentReschedule', {
        id: made.id,
        fulfillmentOrderId: first.id,
        fulfillAt: inDays(1),
      })
    ).status,
  ).toBe(422);
});

it('a discount takes a list of products: an empty one means all, and null is refused as what it is', async () => {
  const made = await makeContract(server, goods);
  const add = (lineIds: number[] | null) =>
    server.call('subscription-contract.addDiscount', { id: made.id, title: 'Thanks', type: 'PERCENTAGE', value: '10', lineIds });
  const refused = await add(null);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [
      {
        pointer: '/lineIds',
        rule: 'type',
        message: 'Give a list of products of this subscription. An empty list means all of them; null is not a list.',
      },
    ],
  ]);
  expect((await add([])).status).toBe(200);
});
