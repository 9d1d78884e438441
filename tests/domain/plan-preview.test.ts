import { describe, expect, it } from 'vitest';
import { describePlan, type PreviewInput } from '../../src/domain/selling-plans/plan-preview.ts';
import type { SellingPlan } from '../../src/domain/selling-plans/selling-plan.ts';
import { every, monthly } from './plans.ts';
import { at } from './support.ts';

const ZONE = 'America/New_York';
const preview = (changes: Partial<SellingPlan> = {}, input: Partial<PreviewInput> = {}) =>
  describePlan(monthly(changes), {
    priceMinor: 2400,
    currency: 'USD',
    orderedAt: at('2026-01-31T15:00', ZONE),
    zone: ZONE,
    billingHour: 9,
    rowCount: 4,
    ...input,
  });
const rows = (changes: Partial<SellingPlan>, input: Partial<PreviewInput> = {}) =>
  preview(changes, input).rows.map(({ date, amountText, orderNumber }) => `${orderNumber} ${date} ${amountText}`);

describe('the preview of a plan', () => {
  it('D241 tells a plain monthly plan', () => {
    expect(preview()).toMatchObject({
      headline: 'Delivered every month, 10% off',
      price: '$21.60 every month',
      firstOrder: 'Pays $21.60 at checkout and ships at once.',
      thenOrders: ['Then $21.60 every month, from Sat, Feb 28, 2026.'],
    });
    expect(rows({})).toEqual([
      '1 Sat, Jan 31, 2026 $21.60',
      '2 Sat, Feb 28, 2026 $21.60',
      '3 Tue, Mar 31, 2026 $21.60',
      '4 Thu, Apr 30, 2026 $21.60',
    ]);
  });

  it('tells the billing day, the wait for it and the change of price', () => {
    const changes: Partial<SellingPlan> = {
      ...every(1, 'WEEK'),
      anchorType: 'WEEKDAY',
      anchorDay: 3,
      recurringDeliveryPolicyCutOff: 2,
      recurringDeliveryPolicyPreAnchorBehavior: 'NEXT',
      recurringDiscountType: 'FIXED_AMOUNT',
      recurringDiscountValue: '4.00',
      recurringDiscountAfterCycle: 2,
      recurringBillingPolicyMinCycles: 2,
      recurringBillingPolicyMaxCycles: 4,
    };
    expect(preview(changes)).toMatchObject({
      firstOrder: 'Pays $21.60 at checkout and ships on Wed, Feb 4, 2026.',
      thenOrders: [
        'Then $21.60 every week on Wednesday, from Wed, Feb 11, 2026.',
        'From order 3 on, $20.00 ($4.00 off).',
        'Customers can cancel after 2 orders, the first one included.',
        'Ends by itself after 4 orders, the first one included.',
      ],
    });
    expect(rows(changes, { rowCount: 9 })).toEqual([
      '1 Wed, Feb 4, 2026 $21.60',
      '2 Wed, Feb 11, 2026 $21.60',
      '3 Wed, Feb 18, 2026 $20.00',
      '4 Wed, Feb 25, 2026 $20.00',
    ]);
  });

  it('tells what a prepaid plan costs now and per delivery', () => {
    const changes: Partial<SellingPlan> = { recurringBillingPolicyIntervalCount: 3 };
    expect(preview(changes)).toMatchObject({
      headline: 'Delivered every month, paid every 3 months, 10% off',
      price: '$64.80 every 3 months, $21.60 per delivery',
      firstOrder: 'Pays $64.80 at checkout for 3 deliveries; the first ships at once.',
      thenOrders: [
        'The other 2 deliveries are already paid and come every month, from Sat, Feb 28, 2026.',
        'Then $64.80 every 3 months, from Thu, Apr 30, 2026.',
      ],
    });
    expect(rows(changes)).toEqual([
      '1 Sat, Jan 31, 2026 $64.80',
      '1 Sat, Feb 28, 2026 Already paid',
      '1 Tue, Mar 31, 2026 Already paid',
      '2 Thu, Apr 30, 2026 $64.80',
    ]);
  });

  it('spreads an amount off over the deliveries and says so when it does not divide evenly', () => {
    expect(preview({ recurringBillingPolicyIntervalCount: 2, fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: 10 }).price).toBe(
      '$38.00 every 2 months, $19.00 per delivery',
    );
    expect(preview({ recurringBillingPolicyIntervalCount: 3, fixedDiscountType: 'FIXED_AMOUNT', fixedDiscountValue: 10 }).price).toBe(
      '$62.00 every 3 months, about $20.66 per delivery',
    );
  });

  it('tells that a gift does not renew', () => {
    const gift = preview({ recurringBillingPolicyIntervalCount: 2, recurringBillingPolicyMaxCycles: 1 });
    expect(gift).toMatchObject({
      headline: 'Delivered every month, paid once for 2 deliveries, 10% off',
      price: '$43.20 once, $21.60 per delivery',
      thenOrders: ['The other delivery is already paid and comes every month, from Sat, Feb 28, 2026.', 'There are no further charges.'],
    });
    expect(gift.rows).toHaveLength(2);
  });

  it('lists yearly plans beyond the year and follows currency and locale', () => {
    expect(rows(every(1, 'YEAR'), { currency: 'JPY', rowCount: 3 })).toEqual([
      '1 Sat, Jan 31, 2026 ¥2,160',
      '2 Sun, Jan 31, 2027 ¥2,160',
      '3 Mon, Jan 31, 2028 ¥2,160',
    ]);
    expect(preview({ fixedDiscountType: 'NONE' }, { currency: 'EUR', locale: 'de-DE' }).price.replace(/\s/g, ' ')).toBe(
      '24,00 € every month',
    );
    expect(preview({ fixedDiscountType: 'NONE' }).headline).toBe('Delivered every month');
  });

  it('has as many rows as asked for', () => {
    expect(rows({}, { rowCount: 1 })).toHaveLength(1);
    expect(preview({}, { rowCount: undefined }).rows).toHaveLength(6);
  });
});
