import { describe, expect, it } from 'vitest';
import { chargePrice, priceRule, ruleFor, ruleLabel, unitPrice } from '../../../src/domain/money/pricing.ts';
import { discountsForOrder, orderTotals, type OrderDiscount } from '../../../src/domain/money/totals.ts';

const off = (changes: Partial<OrderDiscount>): OrderDiscount => ({
  id: 1,
  kind: 'MANUAL',
  type: 'PERCENTAGE',
  value: 10,
  targetType: 'LINE_ITEM',
  lineIds: [],
  ...changes,
});

describe('unit price', () => {
  it.each([
    ['NONE', 0, 2400],
    ['PERCENTAGE', 10, 2160],
    ['PERCENTAGE', 100, 0],
    ['FIXED_AMOUNT', 500, 1900],
    ['FIXED', 500, 1900],
    ['FIXED_AMOUNT', 9900, 0],
    ['PRICE', 1999, 1999],
    ['PRICE', 0, 0],
  ] as const)('D242 %s %i of 24.00 makes %i', (type, value, price) => {
    expect(unitPrice(2400, { type, value })).toBe(price);
  });

  it('rounds the price, not the discount, half up: 15% off 0.10 is 0.09', () => {
    expect(unitPrice(10, { type: 'PERCENTAGE', value: 15 })).toBe(9);
    expect(unitPrice(999, { type: 'PERCENTAGE', value: 12.5 })).toBe(874);
  });

  it('takes the second price for orders numbered above its cycle: "after 3" holds from order 4 on', () => {
    const prices = [
      { afterCycle: 3, rule: { type: 'PERCENTAGE', value: 15 } },
      { afterCycle: 0, rule: { type: 'PERCENTAGE', value: 10 } },
    ] as const;
    expect([1, 3, 4, 50].map(order => ruleFor(prices, order).value)).toEqual([10, 10, 15, 15]);
    expect(ruleFor([], 1)).toEqual({ type: 'NONE', value: 0 });
  });

  it('spreads an amount off over the deliveries of a prepaid charge without losing any of it', () => {
    expect(chargePrice(2000, { type: 'FIXED_AMOUNT', value: 1000 }, 2)).toBe(3000);
    expect(chargePrice(2000, { type: 'FIXED_AMOUNT', value: 1000 }, 3)).toBe(5000);
    expect(chargePrice(999, { type: 'PERCENTAGE', value: 12.5 }, 3)).toBe(2622);
    expect(chargePrice(999, { type: 'PRICE', value: 500 }, 3)).toBe(1500);
  });

  it('reads the wire and speaks plainly', () => {
    expect(priceRule('FIXED_AMOUNT', '5.00', 'USD')).toEqual({ type: 'FIXED_AMOUNT', value: 500 });
    expect(priceRule('PERCENTAGE', '12.5', 'USD')).toEqual({ type: 'PERCENTAGE', value: 12.5 });
    expect(priceRule('PRICE', 20, 'JPY')).toEqual({ type: 'PRICE', value: 20 });
    expect(priceRule('PERCENTAGE', null, 'USD')).toEqual({ type: 'NONE', value: 0 });
    expect(() => priceRule('PERCENTAGE', 'ten', 'USD')).toThrow('"ten" is not a percentage.');
    expect(ruleLabel({ type: 'PERCENTAGE', value: 12.5 }, 'USD')).toBe('12.5% off');
    expect(ruleLabel({ type: 'FIXED', value: 500 }, 'USD')).toBe('$5.00 off');
    expect(ruleLabel({ type: 'PRICE', value: 2000 }, 'USD')).toBe('$20.00 each');
    expect(ruleLabel({ type: 'NONE', value: 0 }, 'USD')).toBe('full price');
  });
});

describe('order totals', () => {
  const lines = [
    { id: 1, price: 1000, quantity: 2 },
    { id: 2, price: 500, quantity: 1 },
  ];

  it('adds lines and shipping without discounts', () => {
    expect(orderTotals({ lines, discounts: [], shipping: 495 })).toMatchObject({
      subtotal: 2500,
      discountedSubtotal: 2500,
      shipping: 495,
      total: 2995,
      discount: 0,
    });
  });

  it('takes manual percentages first, then manual amounts, then codes, whatever order they stand in', () => {
    const totals = orderTotals({
      lines: [{ id: 1, price: 10000, quantity: 1 }],
      shipping: 0,
      discounts: [off({ id: 1, kind: 'CODE', value: 50 }), off({ id: 2, type: 'FIXED_AMOUNT', value: 1000 }), off({ id: 3, value: 20 })],
    });
    expect(totals.lines[0]?.discounts).toEqual([
      { id: 3, amount: 2000 },
      { id: 2, amount: 1000 },
      { id: 1, amount: 3500 },
    ]);
    expect(totals.discounts).toEqual([
      { id: 1, amount: 3500 },
      { id: 2, amount: 1000 },
      { id: 3, amount: 2000 },
    ]);
    expect(totals.total).toBe(3500);
  });

  it('stacks manual discounts', () => {
    const totals = orderTotals({
      lines: [{ id: 1, price: 10000, quantity: 1 }],
      shipping: 0,
      discounts: [off({ id: 1, value: 10 }), off({ id: 2, value: 10 })],
    });
    expect(totals.total).toBe(8100);
  });

  it('spreads an amount once per order exactly over the entitled lines', () => {
    const totals = orderTotals({
      lines: [
        { id: 1, price: 333, quantity: 1 },
        { id: 2, price: 333, quantity: 1 },
        { id: 3, price: 334, quantity: 1 },
      ],
      shipping: 0,
      discounts: [off({ type: 'FIXED_AMOUNT', value: 100 })],
    });
    expect(totals.lines.map(line => line.discounts[0]?.amount)).toEqual([33, 33, 34]);
    expect(totals.total).toBe(900);
  });

  it('takes an amount off every item when it applies on each', () => {
    expect(
      orderTotals({ lines, shipping: 0, discounts: [off({ type: 'FIXED_AMOUNT', value: 300, appliesOnEachItem: true })] }).lines.map(
        line => line.discountedTotal,
      ),
    ).toEqual([1400, 200]);
  });

  it('reaches only entitled lines and never goes below 0', () => {
    const totals = orderTotals({ lines, shipping: 495, discounts: [off({ type: 'FIXED_AMOUNT', value: 99999, lineIds: [2] })] });
    expect(totals.lines.map(line => line.discountedTotal)).toEqual([2000, 0]);
    expect(totals.discounts).toEqual([{ id: 1, amount: 500 }]);
    expect(orderTotals({ lines, shipping: 0, discounts: [off({ lineIds: [9] })] }).discounts).toEqual([{ id: 1, amount: 0 }]);
  });

  it('D242 FREE_SHIPPING takes the shipping, a percentage or an amount part of it, after the lines', () => {
    expect(orderTotals({ lines, shipping: 495, discounts: [off({ type: 'FREE_SHIPPING', targetType: 'SHIPPING_LINE' })] })).toMatchObject({
      discountedShipping: 0,
      discountedSubtotal: 2500,
      total: 2500,
    });
    expect(orderTotals({ lines, shipping: 495, discounts: [off({ value: 50, targetType: 'SHIPPING_LINE' })] })).toMatchObject({
      discountedShipping: 247,
      total: 2747,
    });
    expect(
      orderTotals({ lines, shipping: 495, discounts: [off({ type: 'FIXED_AMOUNT', value: 1000, targetType: 'SHIPPING_LINE' })] })
        .discountedShipping,
    ).toBe(0);
  });

  it('leaves out discounts that the store refuses or that are used up', () => {
    const list = [
      off({ id: 1, rejectionReason: 'NOT_FOUND' }),
      off({ id: 2, orderLimit: 0 }),
      off({ id: 3, orderLimit: 2 }),
      off({ id: 4 }),
    ];
    expect(discountsForOrder(list, 0).map(({ id }) => id)).toEqual([3, 4]);
    expect(discountsForOrder(list, 2).map(({ id }) => id)).toEqual([4]);
  });

  it('refuses impossible lines', () => {
    expect(() => orderTotals({ lines: [{ id: 7, price: -1, quantity: 1 }], discounts: [], shipping: 0 })).toThrow('Line 7');
    expect(() => orderTotals({ lines, discounts: [], shipping: -1 })).toThrow('shipping price');
  });
});
