// Creating a subscription by hand in all its ways, upgrading a product, and saved addresses.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { isMerchantToken } from '../../../../src/contract/validation/patterns.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { ADDRESS, customerWith, inDays, makeContract, stockGoods, type Goods, type Made } from './fixture.ts';

describe.each(oneEngine)('by hand (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  let group: JsonObject;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, config: { portalUrl: 'https://portal.example.com' } });
    goods = await stockGoods(server);
    const plan = (name: string, count: number, discount: number, more: JsonObject = {}): JsonObject => ({
      name,
      optionLabel: name,
      recurringBillingPolicyInterval: 'MONTH',
      recurringBillingPolicyIntervalCount: count,
      recurringDeliveryPolicyInterval: 'MONTH',
      recurringDeliveryPolicyIntervalCount: count,
      fixedDiscountType: 'PERCENTAGE',
      fixedDiscountValue: discount,
      ...more,
    });
    const id = Number(
      (
        await server.services.db.ownerQuery<{ id: number }>(
          `insert into records (store_id, entity, id, data) values (1, 'selling-plan-group', 77001, '${JSON.stringify({
            name: 'Goods club',
            merchantCode: 'goods',
            status: 'ACTIVE',
            sellingPlans: [
              { lspId: 88001, ...plan('Monthly', 1, 10, { recurringBillingPolicyMinCycles: 2 }) },
              { lspId: 88002, ...plan('Quarterly', 3, 20) },
            ],
          })}') returning id`,
        )
      ).rows[0]?.id,
    );
    group = { id };
    await server.services.db.asOwner(async trx => {
      for (const product of [goods.plain, goods.other])
        await trx
          .insertInto('plan_products')
          .values({ store_id: 1, group_id: id, product_id: product, variant_id: null } as never)
          .execute();
    });
  });
  afterAll(() => server.close());

  const create = (input: JsonObject, options = {}): Promise<Answered> => server.call('subscription-contract.create', input, options);
  const base = async (): Promise<JsonObject> => {
    const customer = await customerWith(server, 'tok_success');
    return {
      customerId: customer.id,
      lines: [{ variantId: goods.plain }],
      nextBillingDateEpoch: inDays(7),
      paymentMethodId: customer.methods[0] as number,
      address: ADDRESS,
      optionCode: 'STANDARD',
    };
  };
  const savedFor = async (customerId: number, address: JsonObject): Promise<number> =>
    Number(
      (
        await server.services.db.ownerQuery<{ id: number }>(
          `insert into customer_addresses (store_id, customer_id, is_default, address) values (1, ${customerId}, true, '${JSON.stringify(address)}') returning id`,
        )
      ).rows[0]?.id,
    );
  const keysOf = async (id: number): Promise<string[]> =>
    ((await server.call('subscription-contract.activity', { id })).data as { key: string }[]).map(one => one.key);

  it('D055 takes frequency, minimum and price from a selling plan of all its products', async () => {
    const made = await create({ ...(await base()), sellingPlanId: 88001, lines: [{ variantId: goods.plain }, { variantId: goods.other }] });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect(made.data).toMatchObject({
      frequency: 'Every month',
      minCycles: 2,
      hasCustomPlan: false,
      totalLineItemPrice: '36.00',
      source: 'ADMIN',
    });
    const wrong = await create({
      ...(await base()),
      sellingPlanId: 88001,
      lines: [{ variantId: goods.plain }, { variantId: goods.digital }],
    });
    expect(wrong.body.errors?.[0]).toMatchObject({ pointer: '/sellingPlanId', rule: 'PLAN_DOES_NOT_EXIST' });
    const unpriced = await create({
      ...(await base()),
      billingPolicy: { interval: 'WEEK', intervalCount: 5 },
      lines: [{ variantId: goods.plain, discountType: 'SELLING_PLAN' }],
    });
    expect(unpriced.body.errors?.[0]).toMatchObject({ pointer: '/lines/0/discountType' });
  });

  it('D055 takes no price below 0 and no customer at all', async () => {
    const first = async (more: JsonObject): Promise<unknown> =>
      (
        await create({
          ...(await base()),
          billingPolicy: { interval: 'MONTH', intervalCount: 1 },
          lines: [{ variantId: goods.plain, discountType: 'NONE' }],
          ...more,
        })
      ).body.errors?.[0];
    expect(await first({ lines: [{ variantId: goods.plain, price: '-5.00' }] })).toMatchObject({
      pointer: '/lines/0/price',
      message: 'Enter a price between 0 and 1,000,000.',
    });
    expect(await first({ deliveryPrice: '-1.00' })).toMatchObject({
      pointer: '/deliveryPrice',
      message: 'Enter a price between 0 and 1,000,000.',
    });
    const { customerId: _nobody, ...rest } = await base();
    expect((await create({ ...rest, billingPolicy: { interval: 'MONTH', intervalCount: 1 } })).body.errors?.[0]).toMatchObject({
      pointer: '/customerId',
      message: 'Choose a customer, or enter a new one.',
    });
  });

  it('D054 a frequency of its own can be prepaid, if it is delivered more often than charged', async () => {
    const input = {
      ...(await base()),
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      paysAhead: true,
      lines: [{ variantId: goods.plain, discountType: 'NONE' }],
    } satisfies JsonObject;
    const made = await create({ ...input, deliveryPolicy: { interval: 'MONTH', intervalCount: 1 } });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect(made.data).toMatchObject({
      isPrepaid: true,
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
    });
    for (const wrong of [{}, { deliveryPolicy: { interval: 'MONTH', intervalCount: 3 } }] as JsonObject[])
      expect((await create({ ...input, ...wrong })).body.errors?.[0]).toMatchObject({ pointer: '/deliveryPolicy' });
    expect((await create({ ...input, deliveryPolicy: { interval: 'MONTH', intervalCount: 2 } })).body.errors?.[0]).toMatchObject({
      pointer: '/billingPolicy/intervalCount',
    });
    // With the switch off the interval is hidden, and what was typed there does not count.
    expect((await create({ ...input, paysAhead: false, deliveryPolicy: { interval: 'MONTH', intervalCount: 1 } })).data).toMatchObject({
      isPrepaid: false,
    });
  });

  it('D083 a discount by hand is for the products that were ticked, which are named by what the form asks', async () => {
    const made = (
      await create({
        ...(await base()),
        sellingPlanId: 88001,
        lines: [{ variantId: goods.plain }, { variantId: goods.other, quantity: 2 }],
      })
    ).data;
    const { lines } = (await server.call('subscription-contract.creationChoices', { id: made.id })).data as {
      lines: { id: number; title: string; detail?: string }[];
    };
    expect(lines.map(one => one.id)).toEqual((made.lines as JsonObject[]).map(one => one.id));
    expect(lines[1]?.detail).toBe('× 2');
    const second = lines[1]?.id as number;
    const after = (
      await server.call('subscription-contract.addDiscount', {
        id: made.id,
        kind: 'MANUAL',
        title: 'For the second',
        type: 'PERCENTAGE',
        value: '50',
        lineIds: [second],
      })
    ).data;
    expect(after.discounts).toMatchObject([{ lineIds: [second] }]);
    const [first, other] = after.lines as { price: string; quantity: number; discountedPrice: string }[];
    expect(Number(first?.discountedPrice)).toBe(Number(first?.price));
    expect(Number(other?.discountedPrice)).toBe(Number(other?.price));
    const foreign = await server.call('subscription-contract.addDiscount', {
      id: made.id,
      kind: 'MANUAL',
      title: 'Wrong',
      type: 'PERCENTAGE',
      value: '50',
      lineIds: [second + 999_999],
    });
    expect(foreign.body.errors?.[0]).toMatchObject({ pointer: '/lineIds' });
  });

  it('D150 D225 without a payment method the customer is asked for one by a link of 32 hex characters', async () => {
    const { paymentMethodId: _method, ...rest } = await base();
    const without = {
      ...rest,
      billingPolicy: { interval: 'MONTH', intervalCount: 1 },
      lines: [{ variantId: goods.plain, discountType: 'NONE' }],
    } satisfies JsonObject;
    expect((await create(without)).body.errors?.[0]).toMatchObject({
      pointer: '/paymentMethodId',
      message: 'Choose a payment method, or ask the customer for one.',
    });
    const made = await create({ ...without, askForPaymentMethod: true });
    expect(made.data).toMatchObject({ status: 'ACTIVE', customerPaymentMethodId: null, paymentMethod: null });
    expect(await keysOf(made.data.id)).toEqual(['payment_method_update_requested', 'subscription_created']);
    const [mail] = (
      await server.services.db.ownerQuery<{ text: string }>(
        `select text from outbox where contract_id = ${made.data.id} and text like '%merchantToken=%'`,
      )
    ).rows;
    expect(isMerchantToken(/merchantToken=([0-9a-f]+)/.exec(mail?.text ?? '')?.[1] ?? '')).toBe(true);
    const added = (
      await server.services.db.ownerQuery<{ id: number }>(
        `insert into payment_methods (store_id, shopify_id, customer_id, last_digits, expiry_month, expiry_year, gateway_token) values (1, 'pm_late_${made.data.id}', ${Number(rest.customerId)}, '4242', 12, 2090, 'tok_success') returning id`,
      )
    ).rows[0]?.id;
    expect(
      (await server.call('subscription-contract-app.updatePaymentMethod', { id: made.data.id, customerPaymentMethodId: Number(added) }))
        .data.customerPaymentMethodId,
    ).toBe(Number(added));
  });

  it('D172 makes the customer on the way; what is wrong with them stands at their fields', async () => {
    const { customerId: _id, paymentMethodId: _method, ...rest } = await base();
    const email = `new-${engine}@mail.example`;
    const input = {
      ...rest,
      isNewCustomer: true,
      newCustomer: { email, firstName: 'Nora', lastName: 'Quist' },
      askForPaymentMethod: true,
      billingPolicy: { interval: 'WEEK', intervalCount: 2 },
      lines: [{ variantId: goods.plain, discountType: 'NONE' }],
    } satisfies JsonObject;
    const made = await create(input);
    expect(made.data).toMatchObject({ customerName: 'Nora Quist', customerEmail: email, frequency: 'Every 2 weeks' });
    expect((await create(input)).body.errors?.[0]).toMatchObject({ pointer: '/newCustomer/email', rule: 'unique' });
    expect((await create({ ...rest, billingPolicy: { interval: 'WEEK', intervalCount: 2 } })).body.errors?.[0]).toMatchObject({
      pointer: '/customerId',
    });
  });

  it('D083 begins with a discount: a code, or one by hand with a limit; mistakes stand at its fields', async () => {
    const input = { ...(await base()), sellingPlanId: 88001 };
    const made = await create({ ...input, discount: { kind: 'MANUAL', title: 'Welcome', type: 'PERCENTAGE', value: '10', orderLimit: 1 } });
    expect(made.data.discounts).toMatchObject([{ title: 'Welcome', orderLimit: 1, amount: '1.80' }]);
    expect((await create({ ...input, discount: { kind: 'CODE', code: 'NOSUCH' } })).body.errors?.[0]).toMatchObject({
      pointer: '/discount/code',
      message: "This discount code doesn't exist.",
    });
    expect((await create({ ...input, discount: { kind: 'MANUAL', type: 'PERCENTAGE', value: '10' } })).body.errors?.[0]?.pointer).toBe(
      '/discount/title',
    );
    expect((await create({ ...input, discount: { kind: 'NONE' } })).data.discounts).toEqual([]);
  });

  it('D018 one idempotency key makes one subscription; only createSubscription may', async () => {
    const input = { ...(await base()), sellingPlanId: 88002 };
    const [first, second] = await Promise.all([create(input, { key: `create-${engine}` }), create(input, { key: `create-${engine}` })]);
    expect(first.data.id).toBe(second.data.id);
    expect((await create(input, { as: 'readOnly' })).status).toBe(403);
  });

  it('D146 D147 tells what can be chosen: addresses and methods of the customer, plans of the products, ways to deliver', async () => {
    const customer = await customerWith(server, 'tok_success');
    const id = await savedFor(customer.id, { ...ADDRESS, company: 'Office Ltd' });
    const answer = await server.call('subscription-contract.creationChoices', {
      customerId: customer.id,
      variantIds: [goods.plain, goods.other],
      addressId: id,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const choices = answer.data;
    expect(choices.paymentMethods).toMatchObject([
      { id: customer.methods[0], title: expect.stringContaining('•••• 4242'), detail: 'expires 12/2090' },
    ]);
    expect(choices.addresses).toMatchObject([{ id, title: 'Office Ltd, 1 Elm Street, Brooklyn 11201' }]);
    expect(choices.plans.map((one: JsonObject) => one.id)).toEqual([88001, 88002]);
    expect(choices.deliveryOptions.map((one: JsonObject) => one.type)).toEqual(expect.arrayContaining(['SHIPPING', 'PICKUP']));
    expect((await server.call('subscription-contract.creationChoices', {})).data).toMatchObject({
      paymentMethods: [],
      addresses: [],
      plans: [],
    });
  });

  it("D081 ships to a saved address of the customer, never to another's", async () => {
    const made = await makeContract(server, goods);
    const office = await savedFor(made.customerId, { ...ADDRESS, address1: '9 Office Park', company: 'Office Ltd' });
    const stranger = await savedFor((await customerWith(server, 'tok_success')).id, ADDRESS);
    expect(
      (await server.call('subscription-contract.updateShippingDetails', { id: made.id, addressId: office })).data.shippingAddress,
    ).toMatchObject({ address1: '9 Office Park' });
    expect(
      (await server.call('subscription-contract.updateToShipping', { id: made.id, addressId: stranger, optionCode: 'STANDARD' })).body
        .errors?.[0]?.pointer,
    ).toBe('/addressId');
    expect((await server.call('subscription-contract.updateShippingDetails', { id: made.id })).body.errors?.[0]?.pointer).toBe('/address');
  });

  describe('upgrade', () => {
    const upgrade = (made: Made, input: JsonObject, options = {}): Promise<Answered> =>
      server.call(
        'subscription-upgrade.upgradeSubscription',
        { subscriptionContractShopifyId: made.shopifyId, lineId: made.lines[0]?.id as number, ...input },
        options,
      );
    const onPlan = async (): Promise<Made> => {
      const made = await create({ ...(await base()), sellingPlanId: 88001 });
      return {
        id: made.data.id,
        shopifyId: made.data.shopifyId,
        customerId: made.data.customerId,
        methods: [],
        lines: made.data.lines,
        view: made.data,
      };
    };

    it('D066 D262 puts the better product in the place of a line, at the price of its selling plan, and says what was before', async () => {
      const made = await onPlan();
      const done = await upgrade(
        made,
        { variantId: goods.other, quantity: 2, notifyCustomer: true },
        { version: made.view.version as number },
      );
      expect(done.status, JSON.stringify(done.body)).toBe(200);
      expect(done.data.lines).toMatchObject([{ id: made.lines[0]?.id, variantId: goods.other, quantity: 2, sellingPlanId: 88001 }]);
      expect(done.data.totalLineItemPrice).toBe('36.00');
      const [entry] = (await server.call('subscription-contract.activity', { id: made.id })).data as { key: string; data: JsonObject }[];
      expect(entry).toMatchObject({
        key: 'subscription_upgraded',
        data: {
          before: { name: 'Goods plain', quantity: 1, frequency: 'Every month', price: '18.00' },
          after: { name: 'Goods other', quantity: 2, frequency: 'Every month', price: '18.00' },
        },
      });
      expect((await upgrade(made, { variantId: goods.plain }, { version: 1 })).body.code).toBe('STALE_VERSION');
    });

    it('D063 changes the frequency of the whole contract where every product has a plan with it', async () => {
      const made = await onPlan();
      const done = await upgrade(made, {
        type: 'SKU_UPGRADE_FREQUENCY_CHANGE',
        variantId: goods.other,
        frequency: { interval: 'MONTH', intervalCount: 3 },
      });
      expect(done.data).toMatchObject({ frequency: 'Every 3 months', totalLineItemPrice: '16.00' });
      expect(
        (
          await upgrade(made, {
            type: 'SKU_UPGRADE_FREQUENCY_CHANGE',
            variantId: goods.plain,
            frequency: { interval: 'WEEK', intervalCount: 5 },
          })
        ).body.errors?.[0],
      ).toMatchObject({ pointer: '/frequency', rule: 'PLAN_DOES_NOT_EXIST' });
      expect(
        (
          await upgrade(made, {
            type: 'SKU_UPGRADE_FREQUENCY_CHANGE',
            variantId: goods.plain,
            frequency: { interval: 'MONTH', intervalCount: 3 },
          })
        ).body.errors?.[0]?.message,
      ).toBe('New frequency must differ from the old one.');
    });

    it('takes a discount of its own, and refuses what is the same, sold out or not on a plan', async () => {
      const made = await onPlan();
      const refused = async (input: JsonObject) => (await upgrade(made, input)).body.errors?.[0];
      expect(await refused({ variantId: goods.plain, quantity: 1 })).toMatchObject({ message: 'Old and new product are identical.' });
      expect(await refused({ variantId: goods.soldOut, discountType: 'NONE' })).toMatchObject({ rule: 'OUT_OF_STOCK' });
      expect(await refused({ variantId: goods.digital })).toMatchObject({ pointer: '/discountType', rule: 'PLAN_DOES_NOT_EXIST' });
      expect((await upgrade(made, { variantId: goods.other, discountType: 'PERCENTAGE', discountValue: '25' })).data.lines).toMatchObject([
        { variantId: goods.other },
      ]);
      expect((await server.call('subscription-contract.ordersSchedule', { id: made.id })).data[0].estimatedTotal.subtotal).toBe('15.00');
      expect(
        (
          await server.call('subscription-contract.preview', {
            id: made.id,
            action: 'subscription-upgrade.upgradeSubscription',
            params: { subscriptionContractShopifyId: made.shopifyId, lineId: made.lines[0]?.id as number, variantId: goods.plain },
          })
        ).data.after.orders[0].lines[0].name,
      ).toBe('Goods plain');
      await server.call('subscription-contract.pause', { id: made.id });
      expect((await upgrade(made, { variantId: goods.plain })).body.code).toBe('INVALID_STATE');
      expect(group.id).toBe(77001);
    });
  });
});
