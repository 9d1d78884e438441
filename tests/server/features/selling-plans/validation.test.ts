import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FieldError, JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { group, monthly, weekly } from './plans.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ tables: ['selling-plan-groups'] });
});
afterAll(() => server?.close());

/** What the server says about a group that is to be published. */
const errorsOf = async (over: JsonObject): Promise<FieldError[]> => {
  const answer = await server.call('selling-plan-groups.create', group({ publish: true, ...over }));
  expect(answer.body.code, JSON.stringify(answer.body)).toBe('VALIDATION');
  return answer.body.errors ?? [];
};
const plan = (over: JsonObject): Promise<FieldError[]> => errorsOf({ sellingPlans: [monthly(over)] });
const weeks = (n: number): JsonObject => ({
  isPrepaid: true,
  recurringDeliveryPolicyInterval: 'WEEK',
  recurringBillingPolicyInterval: 'WEEK',
  recurringBillingPolicyIntervalCount: n,
});
const post = (body: string) =>
  server.request('POST', '/host/main/api/merchant/sellingPlanGroups/create', {
    as: 'owner',
    headers: { 'content-type': 'application/json' },
    body,
  });
const anchoredPlan = (over: JsonObject): Promise<JsonObject> =>
  server
    .call(
      'selling-plan-groups.create',
      group({
        publish: true,
        sellingPlans: [
          monthly({ hasAnchor: true, recurringDeliveryPolicyPreAnchorBehavior: 'NEXT', recurringDeliveryPolicyCutOff: 2, ...over }),
        ],
      }),
    )
    .then(answer => answer.data.sellingPlans[0]);
const at = (field: string, rule: string, message: string): FieldError => ({ pointer: field, rule, message });

test('every rule has its sentence at its field', async () => {
  expect(await errorsOf({ name: '' })).toEqual([at('/name', 'BLANK', 'Enter a name')]);
  expect(await errorsOf({ merchantCode: ' ' })).toEqual([at('/merchantCode', 'BLANK', 'Enter an internal name')]);
  expect(await errorsOf({ merchantCode: 'COFFEE-core' })).toEqual([
    at('/merchantCode', 'TAKEN', 'Another group already uses this internal name'),
  ]);
  expect(await errorsOf({ optionLabel: '' })).toEqual([at('/optionLabel', 'BLANK', 'Enter a title for the frequency selector')]);
  expect(await errorsOf({ sellingPlans: [] })).toEqual([
    at('/sellingPlans', 'SELLING_PLAN_COUNT_LOWER_BOUND', 'Add at least one selling plan'),
  ]);
  const many = Array.from({ length: 32 }, (_, i) =>
    monthly({
      name: `Plan ${i}`,
      optionLabel: `${i + 1} days`,
      recurringDeliveryPolicyInterval: 'DAY',
      recurringDeliveryPolicyIntervalCount: i + 1,
    }),
  );
  expect(await errorsOf({ sellingPlans: many })).toEqual([
    at('/sellingPlans', 'SELLING_PLAN_COUNT_UPPER_BOUND', 'A group can have at most 31 selling plans'),
  ]);
  expect(await errorsOf({ sellingPlans: [monthly(), weekly({ name: 'Delivered monthly' })] })).toEqual([
    at('/sellingPlans/1/name', 'SELLING_PLAN_DUPLICATE_NAME', 'Selling plan names must be unique'),
  ]);
  expect(await errorsOf({ sellingPlans: [monthly(), weekly({ optionLabel: '1 month' })] })).toEqual([
    at('/sellingPlans/1/optionLabel', 'SELLING_PLAN_DUPLICATE_OPTIONS', 'Each delivery option may appear only once'),
  ]);
  expect(await errorsOf({ sellingPlans: [monthly(), monthly({ name: 'Again', optionLabel: 'Again' })] })).toEqual([
    at(
      '/sellingPlans/1/recurringDeliveryPolicyIntervalCount',
      'SELLING_PLAN_DUPLICATE_OPTIONS',
      'Each delivery option may appear only once',
    ),
  ]);
  expect(await errorsOf({ name: 'x'.repeat(101) })).toEqual([at('/name', 'TOO_LONG', 'Name must be 100 characters or fewer')]);
  expect(await errorsOf({ merchantCode: 'x'.repeat(101) })).toEqual([
    at('/merchantCode', 'TOO_LONG', 'Internal name must be 100 characters or fewer'),
  ]);
});

test('frequencies', async () => {
  const whole = 'Frequency must be a whole number above 0';
  for (const pointer of [0, -1])
    expect(
      (await plan({ recurringDeliveryPolicyIntervalCount: pointer })).find(
        error => error.pointer === '/sellingPlans/0/recurringDeliveryPolicyIntervalCount',
      ),
    ).toEqual(at('/sellingPlans/0/recurringDeliveryPolicyIntervalCount', 'GREATER_THAN', whole));
  expect(
    (await plan({ recurringDeliveryPolicyIntervalCount: 1.5 })).find(error => error.pointer.endsWith('DeliveryPolicyIntervalCount')),
  ).toEqual(at('/sellingPlans/0/recurringDeliveryPolicyIntervalCount', 'NOT_A_NUMBER', whole));
  expect((await plan({ recurringDeliveryPolicyIntervalCount: 1201 })).map(error => [error.pointer, error.message])).toContainEqual([
    '/sellingPlans/0/recurringDeliveryPolicyIntervalCount',
    'Enter a shorter frequency',
  ]);
  expect(
    await plan({
      isPrepaid: true,
      recurringBillingPolicyInterval: 'MONTH',
      recurringBillingPolicyIntervalCount: 3,
      recurringDeliveryPolicyIntervalCount: 2,
    }),
  ).toEqual([
    at(
      '/sellingPlans/0/recurringBillingPolicyIntervalCount',
      'SELLING_PLAN_BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE',
      'Billing frequency must be a multiple of the delivery frequency',
    ),
  ]);
  expect(
    await plan({
      isPrepaid: true,
      recurringBillingPolicyInterval: 'MONTH',
      recurringBillingPolicyIntervalCount: 1,
      recurringDeliveryPolicyInterval: 'WEEK',
    }),
  ).toEqual([
    at(
      '/sellingPlans/0/recurringBillingPolicyIntervalCount',
      'SELLING_PLAN_BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE',
      'Billing frequency must be a multiple of the delivery frequency',
    ),
  ]);
});

test('D248 one charge pays for 53 deliveries at most', async () => {
  expect((await server.call('selling-plan-groups.create', group({ publish: true, sellingPlans: [monthly(weeks(53))] }))).status).toBe(200);
  expect((await plan(weeks(54)))[0]).toMatchObject({
    pointer: '/sellingPlans/0/recurringBillingPolicyIntervalCount',
    message: 'One charge can pay for at most 53 deliveries',
  });
});

test('D243 minimum and maximum orders', async () => {
  expect(await plan({ recurringBillingPolicyMinCycles: 3, recurringBillingPolicyMaxCycles: 3 })).toEqual([
    at(
      '/sellingPlans/0/recurringBillingPolicyMaxCycles',
      'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES',
      'Maximum orders must be greater than minimum orders',
    ),
  ]);
  for (const [field, value] of [
    ['recurringBillingPolicyMinCycles', 0],
    ['recurringBillingPolicyMinCycles', 100],
    ['recurringBillingPolicyMaxCycles', 100],
  ] as const)
    expect((await plan({ [field]: value }))[0]?.message).toMatch(/^Choose between 1 and 99 orders/);
  for (const value of [1, 99])
    expect(
      (
        await server.call(
          'selling-plan-groups.create',
          group({ publish: true, sellingPlans: [monthly({ recurringBillingPolicyMaxCycles: value })] }),
        )
      ).status,
    ).toBe(200);
});

test('billing days', async () => {
  const anchored = { hasAnchor: true, recurringDeliveryPolicyPreAnchorBehavior: 'ASAP', recurringDeliveryPolicyCutOff: 0 };
  expect(await plan({ ...anchored })).toEqual([at('/sellingPlans/0/anchorDay', 'INCLUSION', 'Choose a billing day')]);
  expect(await plan({ ...anchored, recurringDeliveryPolicyInterval: 'WEEK', anchorDay: 8 })).toEqual([
    at('/sellingPlans/0/anchorDay', 'INCLUSION', 'Choose a billing day'),
  ]);
  expect((await plan({ ...anchored, anchorDay: 33 }))[0]?.message).toBe('Choose a billing day');
  expect(await plan({ ...anchored, recurringDeliveryPolicyInterval: 'YEAR', anchorDay: 4 })).toEqual([
    at('/sellingPlans/0/anchorMonth', 'INCLUSION', 'Choose a billing month'),
  ]);
  expect(await plan({ ...anchored, recurringDeliveryPolicyInterval: 'WEEK', anchorDay: 3, recurringDeliveryPolicyCutOff: 7 })).toEqual([
    at('/sellingPlans/0/recurringDeliveryPolicyCutOff', 'LESS_THAN', 'Cut-off must be shorter than the delivery frequency'),
  ]);
});

test('a day that would be lost is refused with its field and what would be right, when a draft is made and when it is changed', async () => {
  const send = async (path: string, body: JsonObject) =>
    server.request('POST', `/host/main/api/merchant/sellingPlanGroups/${path}`, {
      as: 'owner',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const plans = (unit: string, over: JsonObject): JsonObject[] => {
    const { isPrepaid: _prepaid, hasAnchor: _anchor, ...bare } = monthly({ recurringDeliveryPolicyInterval: unit });
    const billing = { recurringBillingPolicyInterval: unit, recurringBillingPolicyIntervalCount: 1 };
    return [{ ...bare, ...billing, ...over }];
  };
  const daily = "Specific day billing isn't available for daily deliveries. Leave out “anchorType” and “anchorDay”.";
  const suited = (unit: string, type: string) =>
    `With “${unit}” as “recurringDeliveryPolicyInterval”, the “anchorType” of a billing day must be “${type}”.`;
  const lost: [string, JsonObject, string][] = [
    ['DAY', { anchorType: 'MONTHDAY', anchorDay: 3 }, daily],
    ['DAY', { hasAnchor: true, anchorType: 'MONTHDAY', anchorDay: 3 }, daily],
    ['DAY', { hasAnchor: true, anchorDay: 3 }, daily],
    ['MONTH', { anchorType: 'WEEKDAY', anchorDay: 3 }, suited('MONTH', 'MONTHDAY')],
    ['WEEK', { hasAnchor: true, anchorType: 'MONTHDAY', anchorDay: 31 }, suited('WEEK', 'WEEKDAY')],
    ['MONTH', { anchorDay: 3 }, suited('MONTH', 'MONTHDAY')],
  ];
  const made = await send('create', group({ sellingPlans: plans('MONTH', { anchorType: 'MONTHDAY', anchorDay: 3 }) }));
  const [kept] = made.json.data.sellingPlans;
  expect(kept).toMatchObject({ anchorType: 'MONTHDAY', anchorDay: 3 });
  for (const [unit, over, message] of lost)
    for (const member of ['sellingPlans', 'sellingPlansToCreate']) {
      const { sellingPlans: _form, ...bare } = group();
      const created = await send('create', { ...bare, [member]: plans(unit, over) });
      expect([created.status, created.json.errors], JSON.stringify(over)).toMatchObject([
        422,
        [{ pointer: `/${member}/0/anchorType`, message }],
      ]);
    }
  const { lspgId, name, merchantCode, optionLabel } = made.json.data;
  const changed = await send('update', {
    ...{ lspgId, name, merchantCode, optionLabel },
    sellingPlansToUpdate: plans('MONTH', { lspId: kept.lspId, anchorType: 'WEEKDAY', anchorDay: 3 }),
  });
  expect([changed.status, changed.json.errors]).toMatchObject([422, [{ pointer: '/sellingPlansToUpdate/0/anchorType' }]]);
  // What a program pays ahead stays as it said, in a whole list too.
  const ahead = await send('create', group({ sellingPlans: plans('MONTH', { recurringBillingPolicyIntervalCount: 6 }) }));
  expect(ahead.json.data.sellingPlans[0]).toMatchObject({ recurringBillingPolicyIntervalCount: 6 });
});

test('D258 D259 billing days are weekdays 1 to 7, days of the month 1 to 32, or a day of the year, as the frequency says', async () => {
  expect(await anchoredPlan({ recurringDeliveryPolicyInterval: 'WEEK', anchorDay: 7 })).toMatchObject({
    anchorType: 'WEEKDAY',
    anchorDay: 7,
    anchorMonth: null,
    recurringDeliveryPolicyPreAnchorBehavior: 'NEXT',
    recurringDeliveryPolicyCutOff: 2,
  });
  expect(await anchoredPlan({ anchorDay: 32 })).toMatchObject({ anchorType: 'MONTHDAY', anchorDay: 32, anchorMonth: null });
  expect(await anchoredPlan({ recurringDeliveryPolicyInterval: 'YEAR', anchorDay: 1, anchorMonth: 12 })).toMatchObject({
    anchorType: 'YEARDAY',
    anchorDay: 1,
    anchorMonth: 12,
  });
  expect(
    await anchoredPlan({ recurringDeliveryPolicyInterval: 'DAY', recurringDeliveryPolicyIntervalCount: 10, anchorDay: 3 }),
  ).toMatchObject({ anchorType: null, anchorDay: null, recurringDeliveryPolicyCutOff: null });
});

test('discounts', async () => {
  const value = '/sellingPlans/0/fixedDiscountValue';
  expect(await plan({ fixedDiscountType: 'PERCENTAGE', fixedDiscountValue: 101 })).toEqual([
    at(value, 'LESS_THAN_OR_EQUAL_TO', 'Enter a percentage of 100 or less.'),
  ]);
  expect(await plan({ fixedDiscountType: 'PERCENTAGE', fixedDiscountValue: 0 })).toEqual([
    at(value, 'GREATER_THAN', 'Enter a percentage above 0.'),
  ]);
  expect(await plan({ fixedDiscountType: 'PERCENTAGE', fixedDiscountValue: null })).toEqual([
    at(value, 'BLANK', 'Enter a percentage above 0.'),
  ]);
  expect(await plan({ fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: 0 })).toEqual([
    at(value, 'GREATER_THAN', 'Enter a discount above 0.'),
  ]);
  expect(await plan({ fixedDiscountType: 'PRICE', fixedDiscountValue: -1 })).toEqual([
    at(value, 'GREATER_THAN_OR_EQUAL_TO', 'Enter a price of 0 or more.'),
  ]);
  expect((await plan({ fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: '2.505' }))[0]).toMatchObject({
    pointer: value,
    rule: 'PRICING_POLICY_ADJUSTMENT_VALUE_AND_TYPE_MUST_MATCH',
  });
  const second = { recurringDiscountType: 'PERCENTAGE', recurringDiscountValue: 15 };
  expect((await plan({ ...second }))[0]).toMatchObject({
    pointer: '/sellingPlans/0/recurringDiscountAfterCycle',
    message: 'Choose an order between 1 and 98',
  });
  expect(await plan({ ...second, recurringDiscountAfterCycle: 3, recurringDiscountValue: 120 })).toEqual([
    at('/sellingPlans/0/recurringDiscountValue', 'LESS_THAN_OR_EQUAL_TO', 'Enter a percentage of 100 or less.'),
  ]);
  expect(await plan({ ...second, recurringDiscountAfterCycle: 6, recurringBillingPolicyMaxCycles: 6 })).toEqual([
    at('/sellingPlans/0/recurringDiscountAfterCycle', 'LESS_THAN', 'The second discount would never apply'),
  ]);
  const free = await server.call(
    'selling-plan-groups.create',
    group({
      publish: true,
      sellingPlans: [
        monthly({ fixedDiscountType: 'PRICE', fixedDiscountValue: '0.00', recurringDiscountType: 'NONE', recurringDiscountAfterCycle: 1 }),
      ],
    }),
  );
  expect(free.data.sellingPlans[0]).toMatchObject({
    fixedDiscountType: 'PRICE',
    fixedDiscountValue: '0.00',
    recurringDiscountType: 'NONE',
    recurringDiscountAfterCycle: 1,
    recurringDiscountValue: null,
  });
});

test('all errors are answered together, those of the schema and those of the rules, in the order of the rules', async () => {
  const errors = await errorsOf({
    name: '',
    merchantCode: 'coffee-core',
    sellingPlans: [
      monthly({ name: '', fixedDiscountValue: 150 }),
      monthly({ optionLabel: '1 month', recurringBillingPolicyMinCycles: 500 }),
      weekly({ hasAnchor: true, inventoryReserve: 'SOMETIMES', recurringDeliveryPolicyPreAnchorBehavior: 'LATER' }),
    ],
  });
  expect(errors.map(error => error.pointer)).toEqual([
    '/name',
    '/merchantCode',
    '/sellingPlans/0/name',
    '/sellingPlans/1/optionLabel',
    '/sellingPlans/1/recurringDeliveryPolicyIntervalCount',
    '/sellingPlans/1/recurringBillingPolicyMinCycles',
    '/sellingPlans/2/anchorDay',
    '/sellingPlans/0/fixedDiscountValue',
    '/sellingPlans/2/recurringDeliveryPolicyPreAnchorBehavior',
  ]);
  expect(errors.every(error => /^[A-Z“].*[a-z.\d]$/s.test(error.message))).toBe(true);
});

test('what is no group at all is refused by its shape alone', async () => {
  for (const body of [
    '{"name":1,"merchantCode":"a","optionLabel":"b"}',
    '{"name":"a","merchantCode":"a","optionLabel":"b","sellingPlansToCreate":[7]}',
    '{"name":"a","merchantCode":"a","optionLabel":"b","storeId":99}',
    '{"name":"a","merchantCode":"a","optionLabel":"b","surprise":true}',
    '{"name":"a","merchantCode":"a","optionLabel":"b","sellingPlansToCreate":"all"}',
  ]) {
    const answer = await post(body);
    expect([400, 404, 422], `${body} ${answer.text}`).toContain(answer.status);
    expect(answer.json.message).toMatch(/\S/);
  }
});

test('D121 prepaid plans can be made only where they are switched on, and stay where they are', async () => {
  const prepaid = { isPrepaid: true, recurringBillingPolicyInterval: 'MONTH', recurringBillingPolicyIntervalCount: 3 };
  const { data } = await server.call('selling-plan-groups.create', group({ publish: true, sellingPlans: [monthly(prepaid)] }));
  expect(data).toMatchObject({ type: 'PREPAID' });
  const switches = async (names: string[]): Promise<void> => {
    await server.services.db.ownerQuery('update stores set feature_switches = $1 where id = 1', [names]);
    server.services.sessions.forget(1);
  };
  const [{ feature_switches: before } = { feature_switches: [] }] = (
    await server.services.db.ownerQuery<{ feature_switches: string[] }>('select feature_switches from stores where id = 1')
  ).rows;
  try {
    await switches([]);
    // The form does not show the choice; a call that insists is refused with the reason. What the store sells already is kept when the form
    // leaves it out.
    const wire = {
      name: 'P',
      merchantCode: 'prepaid-off',
      optionLabel: 'Deliver',
      status: 'ACTIVE',
      sellingPlansToCreate: [
        {
          name: 'M',
          optionLabel: '1 month',
          recurringBillingPolicyInterval: 'MONTH',
          recurringBillingPolicyIntervalCount: 3,
          recurringDeliveryPolicyInterval: 'MONTH',
          recurringDeliveryPolicyIntervalCount: 1,
          fixedDiscountType: 'NONE',
        },
      ],
    };
    const made = await server.request('POST', '/host/main/api/merchant/sellingPlanGroups/create', {
      as: 'owner',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wire),
    });
    expect(made.json.errors?.[0]).toMatchObject({ rule: 'FEATURE_OFF', message: expect.stringContaining('not switched on') });
    const [one] = data.sellingPlans as JsonObject[];
    const after = await server.call('selling-plan-groups.update', {
      lspgId: data.lspgId,
      name: 'Still prepaid',
      merchantCode: data.merchantCode,
      optionLabel: data.optionLabel,
      sellingPlans: [{ ...one, description: 'Kept' }],
      planIds: [one?.lspId as number],
    });
    expect(after.data).toMatchObject({
      name: 'Still prepaid',
      type: 'PREPAID',
      sellingPlans: [{ recurringBillingPolicyIntervalCount: 3 }],
    });
    await switches(['PREPAIDV2_SELLING_PLAN_GROUPS']);
    const limited = await server.call(
      'selling-plan-groups.create',
      group({ publish: true, sellingPlans: [monthly({ ...prepaid, recurringBillingPolicyMinCycles: 2 })] }),
    );
    expect(limited.body.errors?.[0]).toMatchObject({ pointer: '/sellingPlans/0/recurringBillingPolicyMinCycles', rule: 'FEATURE_OFF' });
    const gift = await server.call(
      'selling-plan-groups.create',
      group({ publish: true, sellingPlans: [monthly({ ...prepaid, recurringBillingPolicyMaxCycles: 1 })] }),
    );
    expect(gift.data.type).toBe('GIFT');
  } finally {
    await switches(before);
  }
});

test('a plan with subscriptions does not change between paying for each delivery and paying in advance', async () => {
  const {
    rows: [sold],
  } = await server.services.db.ownerQuery<{ plan_group_id: number; selling_plan_id: number }>(
    "select l.plan_group_id, l.selling_plan_id from contract_lines l join records r on r.store_id = 1 and r.entity = 'selling-plan-group' and r.id = l.plan_group_id and r.data->>'type' = 'STANDARD' where l.store_id = 1 limit 1",
  );
  const { data } = await server.call('selling-plan-groups.read', { lspgId: sold?.plan_group_id ?? 0 });
  const plans = (data.sellingPlans as JsonObject[]).map(one =>
    one.lspId === sold?.selling_plan_id
      ? { ...one, isPrepaid: true, recurringBillingPolicyIntervalCount: Number(one.recurringDeliveryPolicyIntervalCount) * 3 }
      : one,
  );
  const refused = await server.call('selling-plan-groups.update', {
    lspgId: data.lspgId,
    name: data.name,
    merchantCode: data.merchantCode,
    optionLabel: data.optionLabel,
    sellingPlans: plans,
    planIds: plans.map(one => one.lspId as number),
  });
  const index = plans.findIndex(one => one.lspId === sold?.selling_plan_id);
  expect(refused.body.errors).toContainEqual(expect.objectContaining({ pointer: `/sellingPlans/${index}/isPrepaid`, rule: 'PLAN_IN_USE' }));
});

test('S303 S305 publishing needs a store that may sell; PayPal alone allows one group to begin its approval', async () => {
  const details = async (value: JsonObject): Promise<void> => {
    await server.services.db.ownerQuery('update stores set details = details || $1::jsonb where id = 2', [JSON.stringify(value)]);
    server.services.sessions.forget(2);
  };
  const as = await server.signIn('owner', 2);
  const make = () => server.call('selling-plan-groups.create', group({ publish: true }), { as });
  await details({ paymentProviders: [] });
  expect((await make()).body).toMatchObject({
    code: 'INVALID_STATE',
    message: expect.stringContaining('Shopify Payments, PayPal Express, Stripe, Adyen'),
  });
  expect((await server.call('selling-plan-groups.create', group(), { as })).status).toBe(200);
  await details({ paymentProviders: ['PayPal Express'] });
  await server.services.db.ownerQuery(
    "update records set data = jsonb_set(data, '{status}', '\"DRAFT\"') where store_id = 2 and entity = 'selling-plan-group'",
  );
  expect((await make()).status).toBe(200);
  expect((await make()).body).toMatchObject({ code: 'INVALID_STATE', message: expect.stringContaining('PayPal') });
  await details({ paypal: { status: 'APPROVED' } });
  expect((await make()).status).toBe(200);
});

test('what a program sends is read back as it was sent, or refused: kinds of days, and places of plans and groups', async () => {
  const sent = async (over: JsonObject, of: JsonObject = {}): Promise<{ status: number; json: any }> =>
    post(
      JSON.stringify({
        name: 'By a program',
        merchantCode: `program-${Math.random()}`,
        optionLabel: 'Deliver every',
        status: 'ACTIVE',
        ...of,
        sellingPlansToCreate: [
          {
            name: 'Plan',
            optionLabel: 'Plan',
            recurringDeliveryPolicyInterval: 'MONTH',
            recurringDeliveryPolicyIntervalCount: 1,
            recurringBillingPolicyInterval: 'MONTH',
            recurringBillingPolicyIntervalCount: 1,
            fixedDiscountType: 'NONE',
            ...over,
          },
        ],
      }),
    );
  const every = (unit: string): JsonObject => ({ recurringDeliveryPolicyInterval: unit, recurringBillingPolicyInterval: unit });
  const days = { DAY: null, WEEK: 'WEEKDAY', MONTH: 'MONTHDAY', YEAR: 'YEARDAY' };
  for (const [unit, suited] of Object.entries(days))
    for (const anchorType of ['WEEKDAY', 'MONTHDAY', 'YEARDAY']) {
      const anchor = { anchorType, anchorDay: 3, anchorMonth: anchorType === 'YEARDAY' ? 2 : null };
      const { status, json } = await sent({ ...every(unit), ...anchor });
      if (anchorType === suited) expect([unit, status, json.data?.sellingPlans?.[0]]).toMatchObject([unit, 200, anchor]);
      else {
        expect([unit, anchorType, status]).toEqual([unit, anchorType, 422]);
        expect(json.errors).toContainEqual(expect.objectContaining({ pointer: expect.stringContaining('anchorType') }));
      }
    }
  const placed = await sent({ position: 5 }, { position: 7 });
  expect(placed.json.data).toMatchObject({ position: 7, sellingPlans: [{ position: 5 }] });
});
