// Orders that are paid while a store is connected to a real Vendure shop, which the caller has started: they are made there, once.
import { beforeAll, describe, expect, test } from 'vitest';
import { vendure as adapter } from '../../../../src/server/features/store-vendure/vendure.ts';
import { deliverAll } from '../../../support/events.ts';
import type { TestServer } from '../../../support/server.ts';
import type { Line, Vendure } from '../../../support/vendure.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

type Row = Record<string, any>; // any: every test knows what it asked for
/** The connected store and its shop; what is started later is asked for. */
export interface Scene {
  vendure: Vendure;
  query: (text: string, values?: unknown[]) => Promise<Row[]>;
  /** Does what the connection has to do. */
  works: () => Promise<void>;
  state: () => Promise<Row>;
  ours: (handle: string) => Promise<Row | undefined>;
  variantId: (sku: string) => Promise<string>;
  changeVariant: (sku: string, input: object) => Promise<void>;
  server: () => TestServer;
  line: () => Line;
  connection: () => number;
  /** Connects the store. */
  connect: () => Promise<void>;
  /** Waits until the shop has told of something of a kind, and reads it. */
  hears: (kind?: string) => Promise<void>;
}

export const ordersPaidHere = ({ vendure, query, works, state, ours, variantId, changeVariant, server, line, connection }: Scene): void => {
  describe('orders that are paid here', () => {
    let goods: Goods;
    const idOf = async (sku: string): Promise<number> =>
      Number((await query('select id from variants where store_id = 1 and sku = $1 and deleted_at is null', [sku]))[0]?.id);
    /** Pays the next order of a subscription, and lets the connection do what follows. */
    const renew = async ({ id }: Pick<Made, 'id'>): Promise<Record<string, any>> => {
      const [contract] = await query('select next_cycle as next from contracts where store_id = 1 and id = $1', [id]);
      const charged = await server().call('subscription-contract.chargeNow', { id, orderId: id * 10_000 + contract?.next });
      expect(charged.body.message).toBe('OK');
      await deliverAll(server().services);
      await works();
      const listed = await server().call('platform-orders.list', { contractId: id });
      expect(listed.body.message).toBe('OK');
      return (listed.data as Record<string, any>[])[0]!;
    };
    const again = async (): Promise<void> => {
      await query('update platform_orders set try_at = now()');
      await query('update store_connections set due_at = now()');
      await works();
    };
    const there = async (contract: number): Promise<Record<string, any>[]> =>
      (
        await vendure.admin(`{ orders(options: { sort: { id: ASC } }) { items { code state totalWithTax
        shippingAddress { fullName countryCode }
        customer { emailAddress } lines { quantity productVariant { sku } } 
        payments { method amount state transactionId metadata } } } }`)
      ).orders.items.filter((one: any) =>
        one.payments?.some((payment: any) => new RegExp(`^[a-z0-9]{8,}-1-${contract}`).test(payment.metadata.key ?? '')),
      );

    beforeAll(async () => {
      goods = { ...(await stockGoods(server())), plain: await idOf('HB-250-B'), digital: await idOf('TEA-1') };
      await vendure.admin('mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }', {
        input: [{ id: await variantId('HB-250-B'), stockLevels: [{ stockLocationId: '1', stockOnHand: 20 }] }],
      });
      await server().call('store-connections.check', { id: connection() });
      await works();
    });

    test('are made there with what was paid, and their number is seen here', async () => {
      const subscription = await makeContract(server(), goods, {
        lines: [
          { variantId: goods.plain, quantity: 2, discountType: 'PERCENTAGE', discountValue: '10' },
          { variantId: goods.digital, discountType: 'NONE' },
        ],
      });
      const made = await renew(subscription);
      const [order, ...others] = await there(subscription.id);
      const [paid] = await query('select total, shopify_order_number from orders where id = $1', [made.id]);
      expect(others).toEqual([]);
      expect(order).toMatchObject({
        code: made.number,
        state: 'PaymentSettled',
        totalWithTax: paid?.total,
        customer: { emailAddress: `person${subscription.customerId}@mail.example` },
        shippingAddress: { fullName: 'Ann Lee', countryCode: 'US' },
        lines: [
          { quantity: 2, productVariant: { sku: 'HB-250-B' } },
          { quantity: 1, productVariant: { sku: 'TEA-1' } },
        ],
        payments: [{ method: 'perennial', amount: paid?.total, state: 'Settled', transactionId: expect.stringMatching(/^TEST /) }],
      });
      expect(made).toMatchObject({ state: 'MADE', error: null, orderNumber: paid?.shopify_order_number });
      const said = await query("select data from events where contract_id = $1 and key = 'order_made_in_shop'", [subscription.id]);
      expect(said).toEqual([{ data: { orderId: made.id, shopOrder: order?.code } }]);
      // What the shop has promised is no longer to be sold here.
      const left = () => works().then(() => ours('harbour-blend'));
      await expect.poll(async () => (await left())?.variants[1][3], { interval: 50, timeout: 8000 }).toBe(18);
    });

    test('are made once, although the answer is lost, the process dies or two ask at once', async () => {
      const subscription = await makeContract(server(), goods, { lines: [{ variantId: goods.plain, discountType: 'NONE' }] });
      line().fault = 'lost';
      expect(await renew(subscription)).toMatchObject({ state: 'WAITING', number: null });
      expect([(await state()).status, (await there(subscription.id)).length]).toEqual(['UNREACHABLE', 1]);
      line().fault = null;
      await again();
      const [order, ...others] = await there(subscription.id);
      expect(others).toEqual([]);
      const row = await query('select state, number, platform_id, error from platform_orders where contract_id = $1', [subscription.id]);
      expect(row).toMatchObject([{ state: 'MADE', number: order?.code }]);
      // As if it had died after the shop made it, before it was written down here; and the job runs twice.
      await query("update platform_orders set state = 'WAITING', number = null, platform_id = null where contract_id = $1", [
        subscription.id,
      ]);
      await Promise.all([again(), works()]);
      expect(
        await query('select state, number, platform_id, error from platform_orders where contract_id = $1', [subscription.id]),
      ).toEqual(row);
      expect((await there(subscription.id)).length).toBe(1);
      const wanted = {
        key: '1-at-once',
        customer: { id: null, email: 'twice@shop.example', firstName: 'A', lastName: 'B', phone: null },
        lines: [{ variant: await variantId('TEA-1'), quantity: 1 }],
        address: null,
        total: 1000,
        payment: 'x',
      };
      const { send } = server().services.outgoing;
      const link = { address: vendure.adminUrl, key: vendure.apiKey, send, currency: 'USD', precision: 2 };
      const made = await Promise.allSettled(Array.from({ length: 4 }, () => adapter.placeOrder(link, wanted)));
      const numbers = made.flatMap(one => (one.status === 'fulfilled' ? [one.value.number] : []));
      expect(new Set([...numbers, (await adapter.placeOrder(link, wanted)).number]).size).toBe(1);
      // A delivery that was paid with others costs nothing more.
      const { id } = await adapter.placeOrder(link, { ...wanted, key: '1-paid-before', total: 0 });
      const free = await vendure.admin('query ($id: ID!) { order(id: $id) { state totalWithTax } }', { id });
      expect(free).toEqual({ order: { state: 'PaymentSettled', totalWithTax: 0 } });
    });

    test('wait with the reason while the shop refuses them, and nothing of a refused one is left there', async () => {
      const subscription = await makeContract(server(), goods, { lines: [{ variantId: goods.plain, discountType: 'NONE' }] });
      await changeVariant('HB-250-B', { stockLevels: [{ stockLocationId: '1', stockOnHand: 0 }] });
      await query('delete from platform_changes');
      const refused = await renew(subscription);
      expect(refused).toMatchObject({ state: 'WAITING', error: expect.stringMatching(/stock/i) });
      expect([(await state()).status, (await there(subscription.id)).length]).toEqual(['CONNECTED', 0]);
      for (let tries = 0; tries < 4; tries++) await again();
      expect((await server().call('platform-orders.list', { contractId: subscription.id })).data[0].state).toBe('STUCK');
      expect((await state()).ordersWaiting).toBe(1);
      await changeVariant('HB-250-B', { stockLevels: [{ stockLocationId: '1', stockOnHand: 20 }] });
      expect((await server().call('platform-orders.again', { id: refused.id }, { as: 'readOnly' })).status).toBe(403);
      expect((await server().call('platform-orders.again', { id: refused.id })).status).toBe(200);
      await works();
      expect((await there(subscription.id)).map(one => one.state)).toEqual(['PaymentSettled']);
      expect((await server().call('platform-orders.again', { id: refused.id })).body.code).toBe('INVALID_STATE');
    });

    test('with a product that the shop does not have, or of another currency, are said to be so; their pieces stay reserved', async () => {
      const stock = async () => (await ours('harbour-blend'))?.variants[1][3];
      // The shop may have told of it already.
      await query("insert into platform_changes values (1, 'VARIANT', $1, now()) on conflict do nothing", [await variantId('HB-250-B')]);
      await works();
      const before = await stock();
      const subscription = await makeContract(server(), goods, {
        lines: [
          { variantId: goods.other, discountType: 'NONE' },
          { variantId: goods.plain, quantity: 3, discountType: 'NONE' },
        ],
      });
      const { id, ...refused } = await renew(subscription);
      expect(refused).toMatchObject({ state: 'WAITING', error: '“Goods other” is no product of the shop.' });
      expect(await there(subscription.id)).toEqual([]);
      await server().call('store-connections.check', { id: connection() });
      await works();
      expect(await stock()).toBe(before - 3);
      await query("update orders set currency_code = 'EUR' where store_id = 1 and id = $1", [id]);
      await again();
      const listed = await server().call('platform-orders.list', { contractId: subscription.id });
      expect(listed.data[0].error).toBe('This order was paid in EUR, and the shop sells in USD.');
      await query('delete from platform_orders where contract_id = $1', [subscription.id]);
    });

    test('what is given back here is written down there once, although the answer is lost; what is done there is seen here', async () => {
      const subscription = await makeContract(server(), goods, { lines: [{ variantId: goods.digital, discountType: 'NONE' }] });
      const { id: orderId, number } = await renew(subscription);
      const refund = async (amount: string): Promise<void> => {
        const answer = await server().call('subscription-contract.refundOrder', { id: subscription.id, orderId, amount });
        expect(answer.body.message).toBe('OK');
        await deliverAll(server().services);
      };
      const refunds = async (): Promise<any[]> => (await server().call('platform-refunds.list', { contractId: subscription.id })).data;
      const thereNow = async () =>
        (
          await vendure.admin(
            'query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { id state payments { id refunds { total state } } } } }',
            { code: number },
          )
        ).orders.items[0];
      await refund('1.00');
      line().fault = 'lost';
      await works();
      expect([await refunds(), (await state()).refundsWaiting]).toEqual([
        [expect.objectContaining({ state: 'WAITING', amount: '1.00' })],
        1,
      ]);
      line().fault = null;
      await query('update store_connections set due_at = now()');
      await works();
      await query("update platform_refunds set state = 'WAITING', platform_id = null");
      await Promise.all([works(), works()]);
      expect(await refunds()).toEqual([expect.objectContaining({ state: 'MADE', number, error: null })]);
      expect((await thereNow()).payments[0].refunds).toEqual([{ total: 100, state: 'Settled' }]);
      // Given back there first, then here: it is one refund, whose money goes back here.
      const shop = await thereNow();
      await vendure.admin('mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { __typename ... on Refund { id } } }', {
        input: { paymentId: shop.payments[0].id, amount: 250, reason: 'Broken', lines: [], shipping: 0, adjustment: 0 },
      });
      const pending = (await vendure.admin('query ($id: ID!) { order(id: $id) { payments { refunds { id total } } } }', { id: shop.id }))
        .order;
      await vendure.admin('mutation ($id: ID!) { settleRefund(input: { id: $id, transactionId: "x" }) { __typename } }', {
        id: pending.payments[0].refunds.find((one: any) => one.total === 250).id,
      });
      const thereSaid = async () => {
        await works();
        return (await server().call('platform-orders.list', { contractId: subscription.id })).data[0].there;
      };
      await expect.poll(thereSaid, { interval: 50, timeout: 15_000 }).toBe('REFUNDED');
      expect(await query('select refunded from orders where store_id = 1 and id = $1', [orderId])).toEqual([{ refunded: 100 }]);
      await refund('2.50');
      await works();
      expect((await thereNow()).payments[0].refunds.map((one: any) => one.total).sort()).toEqual([100, 250]);
      await vendure.admin('mutation ($id: ID!) { cancelOrder(input: { orderId: $id }) { __typename } }', { id: shop.id });
      await expect.poll(thereSaid, { interval: 50, timeout: 15_000 }).toBe('CANCELLED');
      const said = await query("select key from events where contract_id = $1 and key like 'order_%_in_shop' order by id", [
        subscription.id,
      ]);
      expect(said.map(one => one.key)).toEqual(['order_made_in_shop', 'order_refunded_in_shop', 'order_cancelled_in_shop']);
    });

    test('wait while the key may make none, and products go on; then a first order names the charge of its purchase', async () => {
      const permissions = ['ReadCatalog', 'ReadCustomer', 'ReadSettings', 'UpdateSettings'];
      const { createRole } = await vendure.admin('mutation ($input: CreateRoleInput!) { createRole(input: $input) { id } }', {
        input: { code: 'reads', description: 'Reads', permissions },
      });
      const { createApiKey } = await vendure.admin('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey } }', {
        input: { roleIds: [createRole.id], translations: [{ languageCode: 'en', name: 'Reads' }] },
      });
      const useKey = async (apiKey: string): Promise<void> => {
        expect((await server().call('store-connections.renew', { id: connection(), apiKey })).body.message).toBe('OK');
        await works();
      };
      await useKey(createApiKey.apiKey);
      expect((await state()).status).toBe('CONNECTED');
      const subscription = await makeContract(server(), goods, { lines: [{ variantId: goods.digital, discountType: 'NONE' }] });
      const waits = await renew(subscription);
      expect(waits).toMatchObject({ state: 'WAITING', error: expect.stringContaining('CreateOrder') });
      expect(await state()).toMatchObject({ status: 'CONNECTED', error: null });
      // As an order that was paid in the shop: no attempt of ours paid for it.
      await query('delete from billing_attempts where store_id = 1 and order_id = $1', [waits.id]);
      await query(`update orders set charged = '{"gateway": "STRIPE", "reference": "pi_first"}' where store_id = 1 and id = $1`, [
        waits.id,
      ]);
      await useKey(vendure.apiKey);
      await again();
      expect((await there(subscription.id)).map(one => one.payments[0].transactionId)).toEqual(['STRIPE pi_first']);
    });
  });
};
