import { describe, expect, it } from 'vitest';
import { checkGroup, type GroupCheck } from '../../src/domain/selling-plans/selling-plan-validation.ts';
import { pointToWrite, resultingPlans } from '../../src/domain/selling-plans/selling-plan-write.ts';
import {
  groupType,
  planType,
  pricesOf,
  summary,
  termsOf,
  type SellingPlan,
  type SellingPlanGroup,
} from '../../src/domain/selling-plans/selling-plan.ts';
import { monthly, every } from './plans.ts';

const group = (changes: Partial<SellingPlanGroup> = {}): SellingPlanGroup => ({
  name: 'Subscribe and save',
  merchantCode: 'coffee-monthly',
  optionLabel: 'Deliver every',
  position: 1,
  sellingPlans: [monthly()],
  ...changes,
});
const errorsOf = (changes: Partial<SellingPlanGroup>, context: Partial<GroupCheck> = {}) =>
  checkGroup(group(changes), { currency: 'USD', ...context }).map(({ pointer, rule, message }) => `${pointer} ${rule} ${message}`);
const plan = (changes: Partial<SellingPlan>) => errorsOf({ sellingPlans: [monthly(changes)] });
const weekday = (anchorDay: number | null) => plan({ ...every(1, 'WEEK'), anchorType: 'WEEKDAY', anchorDay });
const monthDay = (anchorDay: number) => plan({ anchorType: 'MONTHDAY', anchorDay });
const yearDay = (anchorMonth: number | null, anchorDay = 4) => plan({ ...every(1, 'YEAR'), anchorType: 'YEARDAY', anchorDay, anchorMonth });
const first = (fixedDiscountType: SellingPlan['fixedDiscountType'], fixedDiscountValue: number | string | null) =>
  plan({ fixedDiscountType, fixedDiscountValue });
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    monthly({ name: `Plan ${index}`, optionLabel: `Every ${index + 1} months`, ...every(index + 1, 'MONTH') }),
  );

describe('the group', () => {
  it('D021 D022 is fine with all its fields', () => {
    expect(errorsOf({})).toEqual([]);
  });
  it('D104 is invalid without name', () => {
    expect(errorsOf({ name: ' ' })).toEqual(['/name BLANK Enter a name']);
  });
  it('D105 is invalid without merchant code', () => {
    expect(errorsOf({ merchantCode: '' })).toEqual(['/merchantCode BLANK Enter an internal name']);
  });
  it('needs an internal name of its own, ignoring case', () => {
    expect(errorsOf({ merchantCode: 'Coffee ' }, { takenMerchantCodes: ['tea', 'coffee'] })).toEqual([
      '/merchantCode TAKEN Another group already uses this internal name',
    ]);
    expect(errorsOf({}, { takenMerchantCodes: ['tea'] })).toEqual([]);
  });
  it('has 1 to 31 plans', () => {
    expect(errorsOf({ sellingPlans: [] })).toEqual(['/sellingPlans SELLING_PLAN_COUNT_LOWER_BOUND Add at least one selling plan']);
    expect(errorsOf({ sellingPlans: numbered(31) })).toEqual([]);
    expect(errorsOf({ sellingPlans: numbered(32) })).toEqual([
      '/sellingPlans SELLING_PLAN_COUNT_UPPER_BOUND A group can have at most 31 selling plans',
    ]);
  });
  it('needs its names only while it is a draft', () => {
    expect(errorsOf({ sellingPlans: [], optionLabel: '' }, { isDraft: true })).toEqual([]);
    expect(errorsOf({ name: '', sellingPlans: [] }, { isDraft: true })).toEqual(['/name BLANK Enter a name']);
  });
  it('says which text is too long', () => {
    expect(errorsOf({ name: 'x'.repeat(101), description: 'x'.repeat(256) })).toEqual([
      '/name TOO_LONG Name must be 100 characters or fewer',
      '/description TOO_LONG Description must be 255 characters or fewer',
    ]);
    expect(plan({ name: 'x'.repeat(256), description: 'x'.repeat(501) })).toEqual([
      '/sellingPlans/0/name TOO_LONG Name must be 255 characters or fewer',
      '/sellingPlans/0/description TOO_LONG Description must be 500 characters or fewer',
    ]);
    expect(errorsOf({ name: 'é'.repeat(100) })).toEqual([]);
  });
  it('wants a title for the selector and a whole priority', () => {
    expect(errorsOf({ optionLabel: '', position: 0 })).toEqual([
      '/optionLabel BLANK Enter a title for the frequency selector',
      '/position GREATER_THAN Priority must be a whole number above 0',
    ]);
  });
  it('returns all errors together, in the order of the rules', () => {
    expect(
      errorsOf({
        name: '',
        merchantCode: '',
        sellingPlans: [monthly({ name: '', recurringBillingPolicyIntervalCount: 0 }), monthly({ fixedDiscountValue: 120 })],
      }).map(text => text.split(' ').slice(0, 2).join(' ')),
    ).toEqual([
      '/name BLANK',
      '/merchantCode BLANK',
      '/sellingPlans/0/name BLANK',
      '/sellingPlans/1/optionLabel SELLING_PLAN_DUPLICATE_OPTIONS',
      '/sellingPlans/0/recurringBillingPolicyIntervalCount GREATER_THAN',
      '/sellingPlans/1/fixedDiscountValue LESS_THAN_OR_EQUAL_TO',
    ]);
  });
});

describe('the plans', () => {
  it('have names of their own', () => {
    expect(errorsOf({ sellingPlans: [monthly(), monthly({ optionLabel: 'B', ...every(2, 'MONTH') })] })).toEqual([
      '/sellingPlans/1/name SELLING_PLAN_DUPLICATE_NAME Selling plan names must be unique',
    ]);
  });
  it('offer each choice once, by its label and by its frequencies', () => {
    expect(errorsOf({ sellingPlans: [monthly(), monthly({ name: 'B', ...every(2, 'MONTH') })] })).toEqual([
      '/sellingPlans/1/optionLabel SELLING_PLAN_DUPLICATE_OPTIONS Each delivery option may appear only once',
    ]);
    expect(errorsOf({ sellingPlans: [monthly(), monthly({ name: 'B', optionLabel: 'B' })] })).toEqual([
      '/sellingPlans/1/recurringDeliveryPolicyIntervalCount SELLING_PLAN_DUPLICATE_OPTIONS Each delivery option may appear only once',
    ]);
    expect(
      errorsOf({ sellingPlans: [monthly(), monthly({ name: 'B', optionLabel: 'B', recurringBillingPolicyIntervalCount: 3 })] }),
    ).toEqual([]);
  });
  it('D023 are of the category SUBSCRIPTION', () => {
    expect(plan({ category: 'PRE_ORDER' })).toEqual([
      '/sellingPlans/0/category INCLUSION The category of a selling plan is always SUBSCRIPTION',
    ]);
  });
  it('D241 repeat every so many days, weeks, months or years', () => {
    expect(plan({ recurringDeliveryPolicyInterval: 'HOUR' as never, recurringBillingPolicyInterval: 'HOUR' as never })).toEqual([
      '/sellingPlans/0/recurringBillingPolicyInterval INCLUSION Choose days, weeks, months or years',
      '/sellingPlans/0/recurringDeliveryPolicyInterval INCLUSION Choose days, weeks, months or years',
    ]);
    expect(plan(every(0, 'MONTH'))).toEqual([
      '/sellingPlans/0/recurringBillingPolicyIntervalCount GREATER_THAN Frequency must be a whole number above 0',
      '/sellingPlans/0/recurringDeliveryPolicyIntervalCount GREATER_THAN Frequency must be a whole number above 0',
    ]);
    expect(plan(every(1.5, 'MONTH'))[0]).toBe(
      '/sellingPlans/0/recurringBillingPolicyIntervalCount NOT_A_NUMBER Frequency must be a whole number above 0',
    );
    expect(plan(every(36_501, 'DAY'))).toEqual([
      '/sellingPlans/0/recurringBillingPolicyIntervalCount BILLING_POLICY_INTERVAL_TOO_LARGE Enter a shorter frequency',
      '/sellingPlans/0/recurringDeliveryPolicyIntervalCount DELIVERY_POLICY_INTERVAL_TOO_LARGE Enter a shorter frequency',
    ]);
  });
  it('bill a whole multiple of the delivery', () => {
    expect(plan({ recurringDeliveryPolicyIntervalCount: 2, recurringBillingPolicyIntervalCount: 3 })).toEqual([
      '/sellingPlans/0/recurringBillingPolicyIntervalCount SELLING_PLAN_BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE Billing frequency must be a multiple of the delivery frequency',
    ]);
    expect(plan({ recurringDeliveryPolicyInterval: 'WEEK' })).toHaveLength(1);
    expect(plan({ recurringBillingPolicyInterval: 'YEAR' })).toEqual([]);
  });
  it('D248 pay for 1 to 53 deliveries at once', () => {
    const weeks = { recurringBillingPolicyInterval: 'WEEK', recurringDeliveryPolicyInterval: 'WEEK' } as const;
    expect(plan({ ...weeks, recurringBillingPolicyIntervalCount: 53 })).toEqual([]);
    expect(plan({ ...weeks, recurringBillingPolicyIntervalCount: 54 })).toEqual([
      '/sellingPlans/0/recurringBillingPolicyIntervalCount LESS_THAN_OR_EQUAL_TO One charge can pay for at most 53 deliveries',
    ]);
  });
  it('D243 D244 limit orders to 1 to 99 or not at all, the maximum above the minimum', () => {
    expect([
      plan({ recurringBillingPolicyMaxCycles: null }),
      plan({ recurringBillingPolicyMaxCycles: 1 }),
      plan({ recurringBillingPolicyMaxCycles: 99 }),
      plan({ recurringBillingPolicyMinCycles: 3, recurringBillingPolicyMaxCycles: 4 }),
    ]).toEqual([[], [], [], []]);
    expect(plan({ recurringBillingPolicyMaxCycles: 100 })).toEqual([
      '/sellingPlans/0/recurringBillingPolicyMaxCycles INCLUSION Choose between 1 and 99 orders, or unlimited',
    ]);
    expect(plan({ recurringBillingPolicyMinCycles: 0 })).toEqual([
      '/sellingPlans/0/recurringBillingPolicyMinCycles INCLUSION Choose between 1 and 99 orders',
    ]);
    expect(plan({ recurringBillingPolicyMinCycles: 3, recurringBillingPolicyMaxCycles: 3 })).toEqual([
      '/sellingPlans/0/recurringBillingPolicyMaxCycles SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES Maximum orders must be greater than minimum orders',
    ]);
  });
});

describe('billing days', () => {
  it('do not go with daily deliveries', () => {
    expect(plan({ ...every(3, 'DAY'), anchorType: 'WEEKDAY', anchorDay: 1 })).toEqual([
      "/sellingPlans/0/anchorType SELLING_PLAN_ANCHORS_NOT_ALLOWED Specific day billing isn't available for daily deliveries",
    ]);
  });
  it('suit the delivery frequency', () => {
    expect(plan({ anchorType: 'WEEKDAY', anchorDay: 1 })).toEqual([
      '/sellingPlans/0/anchorType INCLUSION Choose a billing day of the month, as the delivery frequency is in months',
    ]);
  });
  it('D258 weekdays run from 1 to 7', () => {
    expect([weekday(1), weekday(7)]).toEqual([[], []]);
    for (const wrong of [0, 8, 1.5, null]) expect(weekday(wrong)).toEqual(['/sellingPlans/0/anchorDay INCLUSION Choose a billing day']);
  });
  it('D259 days of the month run from 1 to 32', () => {
    expect([monthDay(1), monthDay(31), monthDay(32)]).toEqual([[], [], []]);
    expect(monthDay(33)).toEqual(['/sellingPlans/0/anchorDay INCLUSION Choose a billing day']);
  });
  it('D261 months run from 1 to 12', () => {
    expect([yearDay(1), yearDay(12)]).toEqual([[], []]);
    for (const wrong of [0, 13, null]) expect(yearDay(wrong)).toEqual(['/sellingPlans/0/anchorMonth INCLUSION Choose a billing month']);
    expect(yearDay(4, 32)).toEqual(['/sellingPlans/0/anchorDay INCLUSION Choose a billing day']);
  });
  it('have a cut-off shorter than the delivery frequency', () => {
    const cutOff = (days: number) =>
      plan({ ...every(1, 'WEEK'), anchorType: 'WEEKDAY', anchorDay: 3, recurringDeliveryPolicyCutOff: days });
    expect([cutOff(0), cutOff(6)]).toEqual([[], []]);
    expect(cutOff(7)).toEqual([
      '/sellingPlans/0/recurringDeliveryPolicyCutOff LESS_THAN Cut-off must be shorter than the delivery frequency',
    ]);
    expect(cutOff(-1)).toEqual([
      '/sellingPlans/0/recurringDeliveryPolicyCutOff NOT_A_NUMBER Cut-off must be a whole number of days, 0 or more',
    ]);
    expect(plan({ recurringDeliveryPolicyCutOff: 40 })).toEqual([]);
  });
});

describe('discounts', () => {
  it('NONE needs no value', () => {
    expect([first('NONE', null), first('NONE', 0)]).toEqual([[], []]);
  });
  it('PERCENTAGE is above 0 and at most 100', () => {
    expect([first('PERCENTAGE', 0.5), first('PERCENTAGE', 100), first('PERCENTAGE', '12.5')]).toEqual([[], [], []]);
    expect(first('PERCENTAGE', 101)).toEqual([
      '/sellingPlans/0/fixedDiscountValue LESS_THAN_OR_EQUAL_TO Enter a percentage of 100 or less.',
    ]);
    expect(first('PERCENTAGE', 0)).toEqual(['/sellingPlans/0/fixedDiscountValue GREATER_THAN Enter a percentage above 0.']);
    expect(first('PERCENTAGE', null)).toEqual(['/sellingPlans/0/fixedDiscountValue BLANK Enter a percentage above 0.']);
    expect(first('PERCENTAGE', 'ten')).toEqual([
      '/sellingPlans/0/fixedDiscountValue PRICING_POLICY_ADJUSTMENT_VALUE_AND_TYPE_MUST_MATCH Enter a percentage above 0.',
    ]);
  });
  it('FIXED_AMOUNT is above 0, in the decimals of the currency', () => {
    expect([first('FIXED_AMOUNT', '0.01'), first('FIXED_AMOUNT', 5)]).toEqual([[], []]);
    expect(first('FIXED_AMOUNT', 0)).toEqual(['/sellingPlans/0/fixedDiscountValue GREATER_THAN Enter a discount above 0.']);
    expect(first('FIXED_AMOUNT', '')).toEqual(['/sellingPlans/0/fixedDiscountValue BLANK Enter a discount above 0.']);
    expect(first('FIXED_AMOUNT', '1.005')).toEqual([
      '/sellingPlans/0/fixedDiscountValue PRICING_POLICY_ADJUSTMENT_VALUE_AND_TYPE_MUST_MATCH "1.005" has too many decimals. Amounts in USD have at most 2 decimals.',
    ]);
  });
  it('PRICE is 0 or more', () => {
    expect([first('PRICE', 0), first('PRICE', '19.99')]).toEqual([[], []]);
    expect(first('PRICE', -1)).toEqual(['/sellingPlans/0/fixedDiscountValue GREATER_THAN_OR_EQUAL_TO Enter a price of 0 or more.']);
    expect(first('FREE' as never, 1)).toEqual([
      '/sellingPlans/0/fixedDiscountType INCLUSION Choose no discount, a percentage, an amount off or a price',
    ]);
  });
  it('change once at most, after an order that still has others behind it', () => {
    const second = (changes: Partial<SellingPlan>) =>
      plan({ recurringDiscountType: 'PERCENTAGE', recurringDiscountValue: 15, recurringDiscountAfterCycle: 3, ...changes });
    expect([
      second({}),
      second({ recurringBillingPolicyMaxCycles: 4 }),
      second({ recurringDiscountType: 'NONE', recurringDiscountValue: null }),
    ]).toEqual([[], [], []]);
    expect(second({ recurringBillingPolicyMaxCycles: 3 })).toEqual([
      '/sellingPlans/0/recurringDiscountAfterCycle LESS_THAN The second discount would never apply',
    ]);
    for (const wrong of [0, 99, null])
      expect(second({ recurringDiscountAfterCycle: wrong })).toEqual([
        '/sellingPlans/0/recurringDiscountAfterCycle INCLUSION Choose an order between 1 and 98',
      ]);
    expect(second({ recurringDiscountValue: 130 })).toEqual([
      '/sellingPlans/0/recurringDiscountValue LESS_THAN_OR_EQUAL_TO Enter a percentage of 100 or less.',
    ]);
    expect(plan({ recurringDiscountType: 'NONE', recurringDiscountAfterCycle: null })).toEqual([]);
  });
});

describe('what follows from the plans', () => {
  const prepaid = monthly({ name: 'P', recurringBillingPolicyIntervalCount: 3 });
  const gift = monthly({ name: 'G', recurringBillingPolicyIntervalCount: 3, recurringBillingPolicyMaxCycles: 1 });

  it('is the type', () => {
    expect([monthly(), prepaid, gift].map(planType)).toEqual(['STANDARD', 'PREPAID', 'GIFT']);
    expect(groupType({ sellingPlans: [monthly(), monthly()] })).toBe('STANDARD');
    expect(groupType({ sellingPlans: [monthly(), prepaid] })).toBe('PREPAID');
    expect(groupType({ sellingPlans: [gift] })).toBe('GIFT');
    expect(groupType({ sellingPlans: [] })).toBe('STANDARD');
  });

  it('is the summary', () => {
    expect(summary({ sellingPlans: [monthly()] }, 'USD')).toBe('1 delivery frequency, 10% discount');
    expect(
      summary(
        {
          sellingPlans: [
            monthly({ fixedDiscountValue: 5 }),
            monthly(every(2, 'MONTH')),
            monthly({ ...every(3, 'MONTH'), fixedDiscountValue: 15 }),
          ],
        },
        'USD',
      ),
    ).toBe('3 delivery frequencies, 5–15% discount');
    expect(summary({ sellingPlans: [monthly({ fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: '5.00' })] }, 'USD')).toBe(
      '1 delivery frequency, $5.00 off',
    );
    expect(
      summary(
        {
          sellingPlans: [
            monthly({ fixedDiscountType: 'PRICE', fixedDiscountValue: 20 }),
            monthly({ fixedDiscountType: 'PRICE', fixedDiscountValue: 25 }),
          ],
        },
        'USD',
      ),
    ).toBe('1 delivery frequency, $20.00–$25.00 each');
    expect(summary({ sellingPlans: [monthly(), monthly({ fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: 5 })] }, 'USD')).toBe(
      '1 delivery frequency, discounts differ',
    );
    expect(summary({ sellingPlans: [monthly({ fixedDiscountType: 'NONE' })] }, 'USD')).toBe('1 delivery frequency, no discount');
    expect(summary({ sellingPlans: [] }, 'USD')).toBe('0 delivery frequencies');
  });

  it('are the terms and prices that the engine reads', () => {
    const one = monthly({
      anchorType: 'MONTHDAY',
      anchorDay: 15,
      recurringDeliveryPolicyCutOff: 3,
      recurringDeliveryPolicyPreAnchorBehavior: 'NEXT',
      recurringDiscountType: 'FIXED_AMOUNT',
      recurringDiscountValue: '5',
      recurringDiscountAfterCycle: 3,
    });
    expect(termsOf(one)).toEqual({
      billing: { interval: 'MONTH', intervalCount: 1 },
      delivery: { interval: 'MONTH', intervalCount: 1 },
      anchor: { type: 'MONTHDAY', day: 15 },
      preAnchorBehavior: 'NEXT',
      cutOffDays: 3,
    });
    expect(pricesOf(one, 'USD')).toEqual([
      { afterCycle: 0, rule: { type: 'PERCENTAGE', value: 10 } },
      { afterCycle: 3, rule: { type: 'FIXED_AMOUNT', value: 500 } },
    ]);
  });
});

describe('a write', () => {
  const existing = [monthly({ lspId: 1, name: 'A' }), monthly({ lspId: 2, name: 'B', optionLabel: 'B', ...every(2, 'MONTH') })];

  it('D021 is validated by the set that results', () => {
    const { plans, errors } = resultingPlans(existing, {
      sellingPlansToDelete: [1],
      sellingPlansToUpdate: [monthly({ lspId: 2, name: 'B2' })],
      sellingPlansToCreate: [monthly({ name: 'C' })],
    });
    expect(errors).toEqual([]);
    expect(plans.map(({ name }) => name)).toEqual(['B2', 'C']);
    expect(resultingPlans(existing, {}).plans).toEqual(existing);
  });

  it('names plans that no longer exist', () => {
    const { errors } = resultingPlans(existing, { sellingPlansToUpdate: [monthly(), monthly({ lspId: 9 })], sellingPlansToDelete: [8] });
    expect(errors.map(({ pointer, rule, message }) => `${pointer} ${rule} ${message}`)).toEqual([
      '/sellingPlansToUpdate/0/lspId PLAN_ID_MUST_BE_SPECIFIED_TO_UPDATE This selling plan no longer exists',
      '/sellingPlansToUpdate/1/lspId PLAN_DOES_NOT_EXIST This selling plan no longer exists',
      '/sellingPlansToDelete/0 PLAN_DOES_NOT_EXIST This selling plan no longer exists',
    ]);
  });

  it('has its errors point to where it named the plan', () => {
    const { plans, origins } = resultingPlans(existing, {
      sellingPlansToUpdate: [monthly({ lspId: 2, name: '', optionLabel: 'B', ...every(2, 'MONTH') })],
      sellingPlansToCreate: [monthly({ name: 'A', optionLabel: 'C', ...every(3, 'MONTH') })],
    });
    const errors = checkGroup(group({ sellingPlans: plans, name: '' }), { currency: 'USD' });
    expect(pointToWrite(errors, origins).map(({ pointer }) => pointer)).toEqual([
      '/name',
      '/sellingPlansToUpdate/0/name',
      '/sellingPlansToCreate/0/name',
    ]);
  });
});
