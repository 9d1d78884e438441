// Bounds that depend on another field: what a form says under a value before anything is sent, and the server says after.
import { describe, expect, it } from 'vitest';
import { inputSchema } from '../../src/contract/calls.ts';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import { overLimits } from '../../src/contract/validation/limits.ts';
import { validate } from '../../src/contract/validation/validate.ts';
import type { JsonObject, Schema } from '../../src/contract/types.ts';
import { definitionsWith } from '../support/definitions.ts';

const definitions = definitionsWith({});
const says = (schema: Schema, value: JsonObject): string[] =>
  validate(schema, compileValidator(schema), value).map(({ pointer, message }) => `${pointer} ${message}`);

describe('the discounts of a selling plan', () => {
  const group = definitions.entities['selling-plan-group']!;
  const month: JsonObject = {
    name: 'Monthly',
    optionLabel: '1 month',
    recurringDeliveryPolicyInterval: 'MONTH',
    recurringDeliveryPolicyIntervalCount: 1,
    isPrepaid: false,
    fixedDiscountType: 'PERCENTAGE',
    fixedDiscountValue: 10,
  };
  const plan = (over: JsonObject): string[] =>
    says(group, {
      name: 'Coffee',
      merchantCode: 'coffee',
      optionLabel: 'Deliver every',
      sellingPlans: [month, { ...month, ...over }],
    }).filter(line => line.includes('Discount'));
  const first = '/sellingPlans/1/fixedDiscountValue';
  const second = '/sellingPlans/1/recurringDiscountValue';

  it('D242 a percentage is more than 0 and at most 100, said at its own field of its own plan', () => {
    for (const value of [101, 100.01, '150'])
      expect([value, plan({ fixedDiscountValue: value })]).toEqual([value, [`${first} Enter a percentage of 100 or less.`]]);
    for (const value of [0, -5, '0'])
      expect([value, plan({ fixedDiscountValue: value })]).toEqual([value, [`${first} Enter a percentage above 0.`]]);
    for (const value of [0.5, 12.5, 100, '100']) expect([value, plan({ fixedDiscountValue: value })]).toEqual([value, []]);
  });
  it('an amount off is more than 0, a price 0 or more, neither has an end', () => {
    expect(plan({ fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: '0.00' })).toEqual([`${first} Enter a discount above 0.`]);
    expect(plan({ fixedDiscountType: 'PRICE', fixedDiscountValue: '-1' })).toEqual([`${first} Enter a price of 0 or more.`]);
    for (const over of [
      { fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: '250.00' },
      { fixedDiscountType: 'PRICE', fixedDiscountValue: '0.00' },
    ])
      expect(plan(over)).toEqual([]);
  });
  it('the discount of later orders has bounds of its own kind; hidden and empty values have none', () => {
    const later = {
      recurringDiscountType: 'PERCENTAGE',
      recurringDiscountAfterCycle: 3,
      fixedDiscountType: 'FIXED_AMOUNT',
      fixedDiscountValue: '250.00',
    };
    expect(plan({ ...later, recurringDiscountValue: 120 })).toEqual([`${second} Enter a percentage of 100 or less.`]);
    expect(plan({ ...later, recurringDiscountValue: 20 })).toEqual([]);
    expect(plan({ recurringDiscountType: null, recurringDiscountValue: 120 })).toEqual([]);
    expect(plan({ fixedDiscountType: 'NONE', fixedDiscountValue: 500 })).toEqual([]);
    expect(plan({ fixedDiscountValue: null })).toEqual([]);
  });
});

describe('the discounts of bulk actions and upgrades', () => {
  it.each<[string, Schema, JsonObject, string, string]>([
    [
      'a discount',
      definitions.actions.ADD_DISCOUNT!.form!,
      { kind: 'MANUAL', title: 'Sorry', type: 'PERCENTAGE', value: '140' },
      '/value',
      'Enter a value between 1 and 100.',
    ],
    [
      'a product',
      definitions.actions.ADD_PRODUCT!.form!,
      { variantId: 1, quantity: 1, type: 'RECURRING', discountType: 'PERCENTAGE', discountValue: '140' },
      '/discountValue',
      'Enter a percentage of 100 or less.',
    ],
    [
      'an upgrade',
      inputSchema(definitions.calls['subscription-upgrade.upgradeSubscription']!, definitions.ambient),
      { subscriptionContractShopifyId: 1, lineId: 1, variantId: 2, discountType: 'PERCENTAGE', discountValue: '140' },
      '/discountValue',
      'Enter a percentage of 100 or less.',
    ],
  ])('%s of more than 100 percent is refused at its value, an amount is not', (_what, schema, value, pointer, message) => {
    expect(says(schema, value)).toContain(`${pointer} ${message}`);
    const asAmount = {
      ...value,
      ...('type' in value && value.type === 'PERCENTAGE' ? { type: 'FIXED_AMOUNT' } : { discountType: 'PRICE' }),
    };
    expect(says(schema, asAmount).filter(line => line.startsWith(`${pointer} `))).toEqual([]);
  });
});

describe('any bound', () => {
  const field = (limits: NonNullable<Schema['x-limits']>): Schema => ({
    type: 'object',
    properties: { kind: { type: 'string' }, value: { type: ['number', 'string', 'null'], 'x-limits': limits } },
  });
  it('holds always without a condition, for facts, and says the first that is broken', () => {
    const schema = field([
      { minimum: 2, message: 'low' },
      { maximum: 4, message: 'high' },
      { when: { '@plan.rank': 0 }, maximum: 3, message: 'your plan' },
    ]);
    expect([1, 3, 4, 5].map(value => overLimits(schema, { value }, { 'plan.rank': 0 }).map(error => error.message))).toEqual([
      ['low'],
      [],
      ['your plan'],
      ['high'],
    ]);
    expect(overLimits(schema, { value: 4 }, { 'plan.rank': 1 })).toEqual([]);
  });
  it('may ask for whole steps, also of decimals that binary fractions can not hold', () => {
    const schema = field([{ multipleOf: 0.1, message: 'tenths' }]);
    expect(['0.3', 0.7, '12', '12.50'].map(value => overLimits(schema, { value }))).toEqual([[], [], [], []]);
    expect(overLimits(schema, { value: '0.25' })).toEqual([{ pointer: '/value', rule: 'multipleOf', message: 'tenths' }]);
  });
  it('leaves what is no number to the other rules', () => {
    for (const value of ['ten', '', ' ', null]) expect(overLimits(field([{ minimum: 100, message: 'low' }]), { value })).toEqual([]);
  });
});
