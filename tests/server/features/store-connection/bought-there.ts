// What is bought by a plan in the checkout of a real Vendure shop, which the caller has started: it becomes a subscription here, once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishStorefront } from '../../../../src/server/features/storefront/jobs/publish.ts';
import { deliverAll } from '../../../support/events.ts';
import { jobWith } from '../../../support/job.ts';
import { group, monthly } from '../selling-plans/plans.ts';
import type { Scene } from './orders-paid-here.ts';

export interface Cart {
  ask(query: string, variables?: object): Promise<any>; // any: see Scene
}

/** A shopper of Vendure's Shop API, with a cart of their own. */
export function shopper(adminUrl: string): Cart {
  let token = '';
  return {
    async ask(query, variables = {}) {
      const answer = await fetch(adminUrl.replace('admin-api', 'shop-api'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify({ query, variables }),
      });
      token = answer.headers.get('vendure-auth-token') ?? token;
      const { data, errors } = (await answer.json()) as { data: unknown; errors?: unknown };
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
  };
}
const RESULT = '__typename ... on ErrorResult { message } ... on Order { code }';
export const add = (cart: Cart, variant: string, quantity: number, plan: string | null, widget?: number) =>
  cart.ask(
    `mutation ($variant: ID!, $quantity: Int!, $fields: OrderLineCustomFieldsInput) {
      addItemToOrder(productVariantId: $variant, quantity: $quantity, customFields: $fields) { ${RESULT} ... on OrderInterceptorError { interceptorError } } }`,
    { variant, quantity, fields: plan === null ? null : { perennialPlan: plan, ...(widget ? { perennialWidget: String(widget) } : {}) } },
  );
/** Pays for the cart. @returns the number of the order */
export async function pay(cart: Cart, email: string): Promise<string> {
  const address = { fullName: 'Mia van Dam', streetLine1: 'Kade 1', city: 'Berlin', postalCode: '10115', countryCode: 'DE' };
  await cart.ask(
    `mutation ($customer: CreateCustomerInput!, $address: CreateAddressInput!) {
      setCustomerForOrder(input: $customer) { __typename } setOrderShippingAddress(input: $address) { __typename } }`,
    { customer: { emailAddress: email, firstName: 'Mia', lastName: 'van Dam' }, address },
  );
  const { eligibleShippingMethods } = await cart.ask('{ eligibleShippingMethods { id } }');
  const paid = await cart.ask(
    `mutation ($way: [ID!]!) { setOrderShippingMethod(shippingMethodId: $way) { __typename }
      transitionOrderToState(state: "ArrangingPayment") { __typename }
      addPaymentToOrder(input: { method: "card", metadata: {} }) { ${RESULT} } }`,
    { way: [eligibleShippingMethods[0].id] },
  );
  return paid.addPaymentToOrder.code;
}

export const boughtThere = ({ vendure, query, works, state, variantId, changeVariant, server, line, connection, hears }: Scene): void => {
  describe('what is bought by a plan in the shop', () => {
    let plan = '';
    let groupId = 0;
    const plansOf = async (sku: string): Promise<any[]> => {
      const { product } = await shopper(vendure.adminUrl).ask(
        '{ product(slug: "harbour-blend") { variants { sku price priceWithTax perennialPlans { id name group groupLabel optionLabel price pricePerDelivery } } } }',
      );
      return product.variants.find((one: any) => one.sku === sku).perennialPlans;
    };
    const publish = async (): Promise<void> => {
      await publishStorefront.run(server().services, { storeId: 1 }, jobWith());
      await works();
    };
    const purchases = async (): Promise<any[]> => (await server().call('platform-purchases.list')).data;

    beforeAll(async () => {
      await changeVariant('HB-250-B', { price: 950, stockLevels: [{ stockLocationId: '1', stockOnHand: 50 }] });
      await server().call('store-connections.check', { id: connection() });
      await works();
      const [product] = await query("select id from products where store_id = 1 and handle = 'harbour-blend' and deleted_at is null");
      const made = await server().call(
        'selling-plan-groups.create',
        group({
          name: 'Coffee club',
          publish: true,
          productsToAdd: { productIds: [product?.id] },
          sellingPlans: [monthly({ fixedDiscountValue: 15 })],
        }),
      );
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      groupId = made.data.lspgId;
      await publish();
    });
    afterAll(async () => {
      await server().call('selling-plan-groups.delete', { lspgId: groupId });
    });

    test('plans are shown on its product at their price, in its checkout too, and only where they are offered', async () => {
      const [shown, ...others] = await plansOf('HB-250-B');
      plan = shown.id;
      // 11.40 with the shop's tax, 15 percent off.
      expect([shown, others]).toEqual([
        {
          id: expect.any(String),
          name: expect.any(String),
          group: 'Coffee club',
          groupLabel: 'Deliver every',
          optionLabel: '1 month',
          price: 969,
          pricePerDelivery: 969,
        },
        [],
      ]);
      expect(await state()).toMatchObject({ sells: true, purchases: 0 });
      const cart = shopper(vendure.adminUrl);
      expect((await add(cart, await variantId('TEA-1'), 1, plan)).addItemToOrder).toMatchObject({
        __typename: 'OrderInterceptorError',
        interceptorError: expect.stringContaining('not offered by this plan'),
      });
      await add(cart, await variantId('HB-250-B'), 2, plan);
      await add(cart, await variantId('HB-250-B'), 1, null);
      const { activeOrder } = await cart.ask('{ activeOrder { lines { unitPriceWithTax quantity customFields { perennialPlan } } } }');
      expect(activeOrder.lines).toEqual([
        { unitPriceWithTax: 969, quantity: 2, customFields: { perennialPlan: plan } },
        { unitPriceWithTax: 1140, quantity: 1, customFields: { perennialPlan: null } },
      ]);
    });

    test('becomes one subscription, its first order paid as it was there, however often the shop tells of it', async () => {
      const cart = shopper(vendure.adminUrl);
      const { id: widget } = (await server().call('widgets.create', { name: 'In the shop there' })).data;
      await add(cart, await variantId('HB-250-B'), 2, plan, widget);
      await add(cart, await variantId('TEA-1'), 1, null);
      const number = await pay(cart, 'mia@shop.example');
      await hears('ORDER');
      for (let again = 0; again < 3; again++) {
        await query("insert into platform_changes select store_id, 'ORDER', platform_id, now() from platform_purchases");
        await Promise.all([works(), works()]);
      }
      const [made, ...others] = await purchases();
      expect([made, others]).toEqual([expect.objectContaining({ number, state: 'MADE', error: null }), []]);
      expect((await server().call('widgets.read', { id: widget })).data.purchases).toBe(1);
      const [contract] = await query('select * from contracts where store_id = 1 and id = $1', [made.contractId]);
      expect(contract).toMatchObject({
        status: 'ACTIVE',
        source: 'CHECKOUT',
        customer_email: 'mia@shop.example',
        payment_method_id: null,
        delivery_price: 500,
        total: 2 * 969 + 500,
        shipping_address: { firstName: 'Mia', lastName: 'van Dam', address1: 'Kade 1', city: 'Berlin', countryCode: 'DE' },
      });
      const orders = await query('select order_type, status, subtotal, discount, shipping, total from orders where contract_id = $1', [
        made.contractId,
      ]);
      expect(orders).toEqual([{ order_type: 'CHECKOUT', status: 'PAID', subtotal: 1938, discount: 0, shipping: 500, total: 2438 }]);
      // The customer is linked, and asked for a card; the order is in the shop already and is made there no second time.
      const { customers } = await vendure.admin(
        '{ customers(options: { filter: { emailAddress: { eq: "mia@shop.example" } } }) { items { id } } }',
      );
      expect(await query("select platform_id from platform_ids where kind = 'CUSTOMER' and id = $1", [contract?.customer_id])).toEqual([
        { platform_id: customers.items[0].id },
      ]);
      const letters = await query('select template from outbox where contract_id = $1 order by id', [made.contractId]);
      expect(letters.map(one => one.template)).toContain('PAYMENT_METHOD_UPDATE');
      await deliverAll(server().services);
      await works();
      expect((await server().call('platform-orders.list', { contractId: made.contractId })).data).toEqual([
        expect.objectContaining({ state: 'MADE', number }),
      ]);
      expect(await state()).toMatchObject({ purchases: 1, purchasesWaiting: 0 });
      // The shop took the money, and gives it back: figures here follow.
      const { orders: there } = await vendure.admin(
        'query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { payments { id } } } }',
        { code: number },
      );
      const back = await vendure.admin('mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { id } } }', {
        input: { paymentId: there.items[0].payments[0].id, amount: 969, reason: 'One was broken', lines: [], shipping: 0, adjustment: 0 },
      });
      await vendure.admin('mutation ($id: ID!) { settleRefund(input: { id: $id, transactionId: "back" }) { __typename } }', {
        id: back.refundOrder.id,
      });
      const refunded = async () => {
        await works();
        return query('select refunded from orders where contract_id = $1', [made.contractId]);
      };
      await expect.poll(refunded, { interval: 50, timeout: 15_000 }).toEqual([{ refunded: 969 }]);
      await deliverAll(server().services);
      expect((await server().call('platform-refunds.list', { contractId: made.contractId })).data).toEqual([]);
    });

    test('is found although the shop never told of it; waits where the plan is gone, and is taken over when it is tried again', async () => {
      const cart = shopper(vendure.adminUrl);
      await add(cart, await variantId('HB-250-F'), 1, plan);
      const number = await pay(cart, 'noa@shop.example');
      const told = () => query("select 1 from platform_changes where kind = 'ORDER'");
      await expect.poll(told, { interval: 20, timeout: 8000 }).toHaveLength(1);
      await query('delete from platform_changes');
      await query("update records set data = jsonb_set(data, '{status}', '\"DRAFT\"') where store_id = 1 and id = $1", [groupId]);
      await server().call('store-connections.check', { id: connection() });
      await works();
      const waits = (await purchases())[0];
      expect(waits).toMatchObject({ number, state: 'WAITING', error: expect.stringContaining('no longer offered') });
      await query("update records set data = jsonb_set(data, '{status}', '\"ACTIVE\"') where store_id = 1 and id = $1", [groupId]);
      expect((await server().call('platform-purchases.again', { id: waits.id }, { as: 'readOnly' })).status).toBe(403);
      expect((await server().call('platform-purchases.again', { id: waits.id })).status).toBe(200);
      line().fault = 'lost';
      await works();
      expect((await state()).status).toBe('UNREACHABLE');
      line().fault = null;
      await query('update store_connections set due_at = now()');
      await works();
      expect((await purchases())[0]).toMatchObject({ number, state: 'MADE', error: null });
    });
  });
};
