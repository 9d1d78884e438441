// Every action in every state: those that are allowed work, all others are refused and change nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { EDITS } from '../../../../src/server/engine/states.ts';
import subscription from '../../../../schemas/entities/subscription.json' with { type: 'json' };
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { ADDRESS, inDays, makeContract, offerPlans, rowsOf, stockGoods, type Goods, type Made } from './fixture.ts';

const STATES = ['ACTIVE', 'PAUSED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const;
type State = (typeof STATES)[number];
const RUNNING: State[] = ['ACTIVE', 'PAUSED', 'FAILED'];
const ANY: State[] = [...STATES];
const ENDED = 'Reactivate this subscription to make changes.';

interface Try {
  call: string;
  /** The states in which it works, and where it leads when the state changes. */
  works: State[];
  to?: State;
  input(made: Made, goods: Goods): JsonObject;
  /** What the contract needs before, besides its state. */
  first?(server: TestServer, made: Made, goods: Goods): Promise<unknown>;
  /** The same, when the contract has its state already. */
  then?(server: TestServer, made: Made): Promise<unknown>;
  over?: JsonObject;
}
const PREPAID: JsonObject = {
  billingPolicy: { interval: 'MONTH', intervalCount: 3 },
  deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
};
const line = (made: Made, index = 0) => made.lines[index]?.id as number;
const sql = (server: TestServer, text: string) => server.services.db.exec(text);

/** Publishes a preset bundle and a box once, and adds them to the contract: their transaction ids by contract. */
const sets = new Map<number, string>();
const boxes = new Map<number, string>();
async function publishBundles(server: TestServer, goods: Goods): Promise<{ box: number }> {
  await offerPlans(server, [goods.plain, goods.other, goods.digital]);
  const found = await server.services.db.ownerQuery<{ id: number }>(
    "select id from records where store_id = 1 and entity = 'bundle' and data->>'bundleType' = 'BYOB'",
  );
  if (found.rows[0]) return { box: found.rows[0].id };
  const publish = async (input: JsonObject): Promise<number> => {
    const { id } = (await server.call('bundles.create', { sellingPlanGroupId: 77_101, discountType: 'PERCENTAGE', ...input })).data as {
      id: number;
    };
    expect((await server.call('bundles.publish', { id })).status).toBe(200);
    return id;
  };
  const items = [{ variantId: goods.plain, quantity: 1 }];
  await publish({
    name: 'Set',
    bundleType: 'PRESET',
    purchaseType: 'SUBSCRIPTION',
    productId: goods.digital,
    variants: [{ variantId: goods.digital, discountValue: '5', items }],
  });
  const sizes = [{ name: 'Box', minSize: 1, maxSize: 10 }];
  const productIds = [goods.plain, goods.other];
  return { box: await publish({ name: 'Box', bundleType: 'BYOB', purchaseType: 'ALL', productIds, type: 'RANGE', boxSizes: sizes }) };
}
const transactionOf = ({ data }: { data: any }): string => data.bundles.at(-1).bundleTransactionId as string;
async function addSet(server: TestServer, { id }: Made, goods: Goods): Promise<void> {
  await publishBundles(server, goods);
  sets.set(id, transactionOf(await server.call('subscription-bundles.addPreset', { id, variantId: goods.digital })));
}
async function addBox(server: TestServer, { id }: Made, goods: Goods): Promise<void> {
  const { box } = await publishBundles(server, goods);
  const items = [{ variantId: goods.plain, quantity: 1 }];
  boxes.set(id, transactionOf(await server.call('subscription-bundles.addBox', { id, bundleId: box, items })));
}

const unclearOrder = ({ id }: Made): JsonObject => ({ orderId: id * 10_000 + 9 });
/** Writes down a charge of which the gateway can't tell what became. */
const unclear = (server: TestServer, made: Made): Promise<unknown> =>
  charging(server, made, 9).then(() => sql(server, `update orders set unclear_since = now() where id = ${made.id * 10_000 + 9}`));

const paidOrder = ({ id }: Made): JsonObject => ({ orderId: id * 10_000 + 8, amount: '1.00' });
/** Writes down an order that was charged. */
const paid = (server: TestServer, made: Made): Promise<unknown> =>
  charging(server, made, 8).then(() =>
    sql(
      server,
      `update orders set status = 'PAID', processed_at = now() where id = ${made.id * 10_000 + 8};
      update billing_attempts set ready = true, success = true, gateway_reference = 'ch_x' where order_id = ${made.id * 10_000 + 8}`,
    ),
  );

/** From the state machine and the tables of actions (subscriptions, sections 9 to 11), written down once more. */
const ACTIONS: Record<string, Try> = {
  pause: {
    call: 'subscription-contract.pause',
    works: ['ACTIVE', 'PAUSED'],
    to: 'PAUSED',
    input: () => ({ until: 'DURATION', intervalCount: 2, intervalType: 'MONTH' }),
  },
  resume: { call: 'subscription-contract.resume', works: ['PAUSED'], to: 'ACTIVE', input: () => ({}) },
  cancel: { call: 'subscription-contract.cancel', works: RUNNING, to: 'CANCELLED', input: () => ({ cancellationReason: 'Too expensive' }) },
  reactivate: {
    call: 'subscription-contract.reactivate',
    works: ['CANCELLED', 'EXPIRED', 'FAILED'],
    to: 'ACTIVE',
    input: () => ({ maxCycles: null }),
  },
  markForCancellation: {
    call: 'subscription-contract.markForCancellation',
    works: ['ACTIVE'],
    input: () => ({}),
    over: PREPAID,
    first: (server, { id }) => sql(server, `update contracts set prepaid_credits = 2 where id = ${id}`),
  },
  undoMarkForCancellation: {
    call: 'subscription-contract.undoMarkForCancellation',
    works: ['ACTIVE'],
    input: () => ({}),
    over: PREPAID,
    then: (server, { id }) => sql(server, `update contracts set prepaid_credits = 2, is_marked_for_cancellation = true where id = ${id}`),
  },
  skipOrder: { call: 'subscription-contract.skipOrder', works: ['ACTIVE'], input: () => ({}) },
  unSkipOrder: {
    call: 'subscription-contract.unSkipOrder',
    works: ['ACTIVE'],
    input: ({ id }) => ({ orderId: id * 10_000 + 1 }),
    first: (server, { id }) => server.call('subscription-contract.skipOrder', { id }),
  },
  reschedule: { call: 'subscription-contract.reschedule', works: ['ACTIVE'], input: () => ({ nextBillingDateEpoch: inDays(12) }) },
  rescheduleOneOrder: {
    call: 'subscription-contract.rescheduleOneOrder',
    works: ['ACTIVE'],
    input: () => ({ billingDateEpoch: inDays(12) }),
  },
  delay: { call: 'subscription-contract.delay', works: ['ACTIVE'], input: () => ({ days: 7 }) },
  holdForHoliday: {
    call: 'subscription-contract.holdForHoliday',
    works: ['ACTIVE'],
    input: () => ({ from: Math.floor(Date.now() / 1000), until: Math.floor(Date.now() / 1000) + 90 * 86_400 }),
  },
  fulfillmentReschedule: {
    call: 'subscription-contract-app.fulfillmentReschedule',
    works: ['ACTIVE'],
    input: ({ id }) => ({ fulfillmentOrderId: id * 10_000 + 2, fulfillAt: inDays(45) }),
    over: PREPAID,
    first: (server, { id }) => sql(server, `update contracts set prepaid_credits = 2 where id = ${id}`),
  },
  confirmCharge: { call: 'subscription-contract.confirmCharge', works: RUNNING, input: unclearOrder, then: unclear },
  chargeAgain: { call: 'subscription-contract.chargeAgain', works: RUNNING, input: unclearOrder, then: unclear },
  refundOrder: { call: 'subscription-contract.refundOrder', works: ANY, input: paidOrder, then: paid },
  chargeNow: { call: 'subscription-contract.chargeNow', works: RUNNING, input: ({ id }) => ({ orderId: id * 10_000 + 1 }) },
  skipLineItem: { call: 'subscription-contract.skipLineItem', works: ['ACTIVE'], input: made => ({ lineId: line(made) }) },
  undoRemoveOneTime: {
    call: 'subscription-contract-app.undoRemoveOneTime',
    works: RUNNING,
    input: made => ({ lineId: line(made) }),
    first: (server, { id }) => sql(server, `update contract_lines set one_time_removed_cycle = 1 where contract_id = ${id}`),
  },
  addLine: {
    call: 'subscription-contract.addLine',
    works: RUNNING,
    input: (_made, goods) => ({ variantId: goods.other, discountType: 'NONE' }),
  },
  removeLine: { call: 'subscription-contract.removeLine', works: RUNNING, input: made => ({ lineId: line(made) }) },
  swapLine: {
    call: 'subscription-contract.swapLine',
    works: RUNNING,
    input: (made, goods) => ({ lineId: line(made), variantId: goods.other }),
  },
  updateQuantity: { call: 'subscription-contract.updateQuantity', works: RUNNING, input: made => ({ lineId: line(made), quantity: 3 }) },
  updatePrice: { call: 'subscription-contract.updatePrice', works: RUNNING, input: made => ({ lineId: line(made), price: '7.50' }) },
  updateLineItemAttributes: {
    call: 'subscription-contract.updateLineItemAttributes',
    works: RUNNING,
    input: made => ({ lineId: line(made), attributes: [{ key: 'Grind', value: 'Fine' }] }),
  },
  upgradeSubscription: {
    call: 'subscription-upgrade.upgradeSubscription',
    works: ['ACTIVE'],
    input: (made, goods) => ({
      subscriptionContractShopifyId: made.shopifyId,
      lineId: line(made),
      variantId: goods.other,
      discountType: 'NONE',
    }),
  },
  addBundle: {
    call: 'subscription-bundles.addPreset',
    works: RUNNING,
    input: (_made, goods) => ({ variantId: goods.digital }),
    first: (server, _made, goods) => publishBundles(server, goods),
  },
  changeContents: {
    call: 'subscription-bundles.changeContents',
    works: RUNNING,
    input: ({ id }, goods) => ({ bundleTransactionId: boxes.get(id)!, items: [{ variantId: goods.other, quantity: 2 }] }),
    first: addBox,
  },
  changeBundleQuantity: {
    call: 'subscription-bundles.changeBundleQuantity',
    works: RUNNING,
    input: ({ id }) => ({ bundleTransactionId: sets.get(id)!, quantity: 2 }),
    first: addSet,
  },
  removeBundle: {
    call: 'subscription-bundles.removeBundle',
    works: RUNNING,
    input: ({ id }) => ({ bundleTransactionId: sets.get(id)! }),
    first: addSet,
  },
  deleteOnce: {
    call: 'bundles-main.deleteOnce',
    works: ['ACTIVE'],
    input: ({ id }) => ({ bundleTransactionId: sets.get(id)! }),
    first: addSet,
  },
  addDiscount: {
    call: 'subscription-contract.addDiscount',
    works: RUNNING,
    input: () => ({ title: 'Sorry', type: 'PERCENTAGE', value: '10' }),
  },
  removeDiscountCode: {
    call: 'subscription-contract-app.removeDiscountCode',
    works: RUNNING,
    input: ({ id }) => ({ discountId: id }),
    first: (server, { id }) =>
      sql(
        server,
        `insert into contract_discounts (store_id, id, contract_id, kind, title, type, value) values (1, ${id}, ${id}, 'MANUAL', 'Sorry', 'PERCENTAGE', 10)`,
      ),
  },
  updateBillingDetails: {
    call: 'subscription-contract.updateBillingDetails',
    works: RUNNING,
    input: () => ({ billingPolicy: { interval: 'WEEK', intervalCount: 2 }, deliveryPolicy: { interval: 'WEEK', intervalCount: 2 } }),
  },
  updateSellingPlan: {
    call: 'subscription-contract.updateSellingPlan',
    works: ['ACTIVE', 'PAUSED'],
    input: () => ({ sellingPlanId: 88_102 }),
    first: (server, _made, goods) => offerPlans(server, [goods.plain, goods.digital]),
  },
  updateShipping: { call: 'subscription-contract.updateShipping', works: RUNNING, input: () => ({ deliveryPrice: '2.50' }) },
  updateShippingDetails: {
    call: 'subscription-contract.updateShippingDetails',
    works: RUNNING,
    input: () => ({ address: { ...ADDRESS, address1: '2 Oak Street' } }),
  },
  updateToShipping: {
    call: 'subscription-contract.updateToShipping',
    works: RUNNING,
    input: () => ({ address: ADDRESS, optionCode: 'EXPRESS' }),
  },
  updateToPickup: { call: 'subscription-contract.updateToPickup', works: RUNNING, input: () => ({ optionCode: 'LOCATION-1' }) },
  updateToLocalDelivery: {
    call: 'subscription-contract.updateToLocalDelivery',
    works: RUNNING,
    input: () => ({ address: ADDRESS, phone: '+1 555 010 0199' }),
  },
  updatePickupDetails: {
    call: 'subscription-contract.updatePickupDetails',
    works: RUNNING,
    input: () => ({ optionCode: 'LOCATION-2' }),
    first: (server, { id }) => server.call('subscription-contract.updateToPickup', { id, optionCode: 'LOCATION-1' }),
  },
  updateLocalDeliveryDetails: {
    call: 'subscription-contract.updateLocalDeliveryDetails',
    works: RUNNING,
    input: () => ({ phone: '+15550100200', instructions: 'Ring twice' }),
    first: (server, { id }) => server.call('subscription-contract.updateToLocalDelivery', { id, address: ADDRESS, phone: '+15550100199' }),
  },
  updateLocalDeliveryAddress: {
    call: 'subscription-contract.updateLocalDeliveryAddress',
    works: RUNNING,
    input: () => ({ address: { ...ADDRESS, address1: '3 Oak Street' } }),
    first: (server, { id }) => server.call('subscription-contract.updateToLocalDelivery', { id, address: ADDRESS, phone: '+15550100199' }),
  },
  adjustCredits: {
    call: 'subscription-contract.adjustCredits',
    works: RUNNING,
    input: () => ({ credits: 1, reason: 'Goodwill' }),
    over: PREPAID,
  },
  updateNote: { call: 'subscription-contract.updateNote', works: ANY, input: () => ({ note: 'Leave at the door' }) },
  addOrderNote: { call: 'subscription-contract.addOrderNote', works: RUNNING, input: () => ({ note: 'With a ribbon' }) },
  updateTags: { call: 'subscription-contract.updateTags', works: ANY, input: () => ({ tags: ['vip'] }) },
  updateCustomAttributes: {
    call: 'subscription-contract.updateCustomAttributes',
    works: ANY,
    input: () => ({ customAttributes: [{ key: 'Gift', value: 'yes' }] }),
  },
  updatePaymentMethod: {
    call: 'subscription-contract-app.updatePaymentMethod',
    works: ANY,
    input: made => ({ customerPaymentMethodId: made.methods[1] as number }),
  },
  editPaymentMethod: { call: 'subscription-contract-app.editPaymentMethod', works: ANY, input: () => ({}) },
  switchBackup: {
    call: 'backup-payment-method.switchBackup',
    works: ANY,
    input: made => ({ subscriptionShopifyId: made.shopifyId, paymentMethodId: made.methods[1] as number }),
  },
  removeBackup: {
    call: 'backup-payment-method.removeBackup',
    works: ANY,
    input: made => ({ subscriptionShopifyId: made.shopifyId }),
    first: (server, made) => sql(server, `update contracts set backup_payment_method_id = ${made.methods[1]} where id = ${made.id}`),
  },
};

/** What may be done while an order is being charged: it changes neither what is charged, nor when, nor whether the subscription goes on. */
const BESIDE_A_CHARGE = [
  'updateNote',
  'addOrderNote',
  'updateTags',
  'updateCustomAttributes',
  'updateLineItemAttributes',
  'updatePaymentMethod',
  'editPaymentMethod',
  'switchBackup',
  'removeBackup',
  'refundOrder',
  // One whose outcome is unclear is settled whatever else is charged.
  'confirmCharge',
  'chargeAgain',
];

/** Writes down a charge without an answer, of an order before all others. */
function charging(server: TestServer, { id, methods }: Made, cycle = 0): Promise<unknown> {
  const order = id * 10_000 + cycle;
  return sql(
    server,
    `insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total, attempts)
    select 1, ${order}, id, customer_id, ${cycle}, 1, 'PROCESSING', now(), now(), now(), 'USD', 4495, 1 from contracts where store_id = 1 and id = ${id};
    insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, payment_method_id, amount, currency_code, ready)
    values (1, ${order}, ${id}, 1, 'SCHEDULED', 'open-${order}', ${methods[0]}, 4495, 'USD', false)`,
  );
}

/** Puts a fresh contract into a state, the way it would have got there. */
async function bring(server: TestServer, { id }: Made, state: State): Promise<void> {
  if (state === 'PAUSED') await server.call('subscription-contract.pause', { id });
  if (state === 'CANCELLED') await server.call('subscription-contract.cancel', { id, cancellationReason: 'Other' });
  const ended = 'base_at = null, next_billing_at = null, next_cycle = 2';
  if (state === 'EXPIRED')
    await sql(
      server,
      `update contracts set status = 'EXPIRED', expired_at = now(), max_cycles = 1, completed_orders = 1, ${ended} where id = ${id}`,
    );
  if (state === 'FAILED') {
    await sql(
      server,
      `update contracts set status = 'FAILED', last_payment_status = 'FAILED', ${ended} where id = ${id};
      insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, attempts, retry)
      select 1, ${id * 10_000 + 1}, ${id}, customer_id, 1, 1, 'FAILED', now(), now(), now(), 'USD', 1, '{"kind":"PAYMENT","isFinal":true}' from contracts where id = ${id}
      on conflict (store_id, id) do update set status = 'FAILED'`,
    );
  }
}

describe.each(oneEngine)('actions and states on %s', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 } });
    goods = await stockGoods(server);
  });
  afterAll(() => server.close());

  it('tries every action that there is', () => {
    const moves = Object.keys(subscription['x-states'].moves).filter(
      name => !['create', 'autoResume', 'expire', 'fail', 'recover'].includes(name),
    );
    // Discounts are recalculated by bulk actions and flows alone, which try it in their own tests.
    const byCalls = Object.keys(EDITS).filter(name => name !== 'recalculateDiscounts');
    expect(Object.keys(ACTIONS).sort()).toEqual([...new Set([...moves, ...byCalls])].sort());
  });

  describe.each(Object.entries(ACTIONS))('%s', (name, action) => {
    it('D054 while an order is being charged', async () => {
      const made = await makeContract(server, goods, action.over ?? {});
      await action.first?.(server, made, goods);
      await bring(server, made, action.works[0] as State);
      await action.then?.(server, made);
      await charging(server, made);
      const before = await rowsOf(server, made.id);
      const input =
        action.call.startsWith('backup') || action.call.startsWith('subscription-upgrade')
          ? action.input(made, goods)
          : { id: made.id, ...action.input(made, goods) };
      const { refusals, actions } = (await server.call('subscription-contract.read', { id: made.id })).data;
      const answer = await server.call(action.call, input);
      if (BESIDE_A_CHARGE.includes(name)) {
        expect([answer.status, refusals[name]], JSON.stringify(answer.body)).toEqual([200, undefined]);
        return;
      }
      const sentence =
        name === 'chargeNow'
          ? 'A charge for this order is already in progress.'
          : 'This subscription has an order being processed. Try again in a few minutes.';
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, 'INVALID_STATE', sentence]);
      expect([refusals[name], actions.includes(name)]).toEqual([sentence, false]);
      expect(await rowsOf(server, made.id)).toEqual(before);
    });

    it.each(STATES)('D054 D081 D082 D083 in state %s', async state => {
      const made = await makeContract(server, goods, action.over ?? {});
      await action.first?.(server, made, goods);
      await bring(server, made, state);
      await action.then?.(server, made);
      const before = await rowsOf(server, made.id);
      const input =
        action.call.startsWith('backup') || action.call.startsWith('subscription-upgrade')
          ? action.input(made, goods)
          : { id: made.id, ...action.input(made, goods) };
      const answer = await server.call(action.call, input);
      const after = (await rowsOf(server, made.id)) as { contract: { status: string; version: number }[]; activity: unknown[] };
      if (action.works.includes(state)) {
        expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ success: true });
        expect(answer.data.status).toBe(
          action.to ?? (/chargeNow|confirmCharge|chargeAgain/.test(action.call) && state === 'FAILED' ? 'ACTIVE' : state),
        );
        expect(after.activity.length).toBeGreaterThan((before as typeof after).activity.length);
        if (!action.call.endsWith('editPaymentMethod'))
          expect(answer.data.version).toBeGreaterThan((before as typeof after).contract[0]?.version as number);
      } else {
        expect([answer.status, answer.body.code]).toEqual([409, 'INVALID_STATE']);
        const isEdit = action.to === undefined && !action.call.includes('arkForCancellation');
        if (isEdit && (state === 'CANCELLED' || state === 'EXPIRED')) expect(answer.body.message).toBe(ENDED);
        expect(after).toEqual(before);
      }
    });
  });
});
