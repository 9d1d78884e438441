// Money adds up exactly, in currencies of 0, 2 and 3 decimals, over 10,000 random cases each.
import * as dinero from 'dinero.js';
import { JPY, KWD, USD } from 'dinero.js/currencies';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { allocate, percentOf, toDecimal, toMinor } from '../../../src/domain/money/money.ts';
import { chargePrice, type PriceRule } from '../../../src/domain/money/pricing.ts';
import { orderTotals, type OrderDiscount } from '../../../src/domain/money/totals.ts';
import { numRuns } from '../support.ts';

vi.setConfig({ testTimeout: 120_000 });
const RUNS = numRuns(10_000);
const CURRENCIES = { JPY, USD, KWD };
const currency = fc.constantFrom('JPY' as const, 'USD' as const, 'KWD' as const);
const amount = fc.integer({ min: 0, max: 1_000_000_000 });

it('amounts survive the way over the wire', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), currency, (minor, code) => {
      expect(toMinor(toDecimal(minor, code), code)).toBe(minor);
    }),
    RUNS,
  );
});

it('percentages round half up, as a money library does', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 10_000 }), currency, (minor, hundredths, code) => {
      const product = dinero.multiply(dinero.dinero({ amount: minor, currency: CURRENCIES[code] }), { amount: hundredths, scale: 4 });
      const expected = dinero.toSnapshot(dinero.transformScale(product, CURRENCIES[code].exponent, dinero.halfUp)).amount;
      expect(percentOf(minor, hundredths / 100)).toBe(expected);
    }),
    RUNS,
  );
});

it('parts add up to the whole, stay within one unit of their share and never exceed their weight', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 12 }), fc.nat({ max: 1_000 }), (weights, thousandths) => {
      const whole = weights.reduce((a, b) => a + b, 0);
      const total = Math.floor((whole * thousandths) / 1_000);
      const parts = allocate(total, weights);
      expect(parts.reduce((a, b) => a + b, 0)).toBe(total);
      if (whole === 0) return;
      parts.forEach((part, index) => {
        const weight = weights[index] ?? 0;
        expect(part).toBeLessThanOrEqual(weight);
        // |part - total * weight / whole| < 1, without division
        const distance = BigInt(part) * BigInt(whole) - BigInt(total) * BigInt(weight);
        expect(distance < BigInt(whole) && -distance < BigInt(whole)).toBe(true);
      });
    }),
    RUNS,
  );
});

const lines = fc
  .array(fc.record({ price: fc.integer({ min: 0, max: 10_000_000 }), quantity: fc.integer({ min: 1, max: 200 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map(list => list.map((line, index) => ({ id: index + 1, ...line })));
const discount: fc.Arbitrary<Omit<OrderDiscount, 'id'>> = fc
  .oneof(
    fc.record({ type: fc.constant('PERCENTAGE' as const), value: fc.integer({ min: 0, max: 100 }) }),
    fc.record({ type: fc.constant('FIXED_AMOUNT' as const), value: fc.integer({ min: 1, max: 30_000_000 }) }),
    fc.record({ type: fc.constant('FREE_SHIPPING' as const), value: fc.constant(0) }),
  )
  .chain(kindOf =>
    fc
      .record({
        kind: fc.constantFrom('MANUAL' as const, 'CODE' as const),
        appliesOnEachItem: fc.boolean(),
        targetType: fc.constantFrom('LINE_ITEM' as const, 'LINE_ITEM' as const, 'SHIPPING_LINE' as const),
        lineIds: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 3 }),
        orderLimit: fc.constantFrom(null, 0, 1, 3),
        rejectionReason: fc.constantFrom(null, null, 'NOT_FOUND'),
      })
      .map(rest => ({ ...kindOf, ...rest })),
  );
const discounts = fc.array(discount, { maxLength: 5 }).map(list => list.map((one, index) => ({ id: index + 100, ...one })));

it('order totals add up to the minor unit on every line, every discount and the wire', () => {
  fc.assert(
    fc.property(lines, discounts, fc.integer({ min: 0, max: 100_000 }), currency, (orderLines, orderDiscounts, shipping, code) => {
      const totals = orderTotals({ lines: orderLines, discounts: orderDiscounts, shipping });
      const perDiscount = new Map<number, number>();
      for (const line of totals.lines) {
        const source = orderLines.find(({ id }) => id === line.id);
        expect(line.total).toBe((source?.price ?? 0) * (source?.quantity ?? 0));
        expect(line.discountedTotal).toBeGreaterThanOrEqual(0);
        expect(line.discountedTotal).toBe(line.total - line.discounts.reduce((a, b) => a + b.amount, 0));
        for (const { id, amount: off } of line.discounts) {
          expect(off).toBeGreaterThan(0);
          const of = orderDiscounts.find(one => one.id === id);
          expect(of?.lineIds.length === 0 || of?.lineIds.includes(line.id)).toBe(true);
          perDiscount.set(id, (perDiscount.get(id) ?? 0) + off);
        }
      }
      const offShipping = totals.discounts.reduce((a, { id, amount: off }) => a + off - (perDiscount.get(id) ?? 0), 0);
      expect(offShipping).toBe(totals.shipping - totals.discountedShipping);
      expect(totals.discountedShipping).toBeGreaterThanOrEqual(0);
      for (const { id, amount: off } of totals.discounts) {
        const of = orderDiscounts.find(one => one.id === id);
        if (of?.rejectionReason || of?.orderLimit === 0) expect(off).toBe(0);
        if (of?.type === 'FIXED_AMOUNT' && !of.appliesOnEachItem) expect(off).toBeLessThanOrEqual(of.value);
      }
      expect(totals.discount).toBe(totals.discounts.reduce((a, { amount: off }) => a + off, 0));
      expect(totals.total).toBe(totals.subtotal + totals.shipping - totals.discount);
      // Summing what stands on the wire gives the same.
      const wire = [...totals.lines.map(line => line.discountedTotal), totals.discountedShipping].map(minor =>
        BigInt(toDecimal(minor, code).replace('.', '')),
      );
      expect(wire.reduce((a, b) => a + b, 0n)).toBe(BigInt(toDecimal(totals.total, code).replace('.', '')));
    }),
    RUNS,
  );
});

it('prices are whole, never below 0 and never above the full price of a discount', () => {
  const rule: fc.Arbitrary<PriceRule> = fc.oneof(
    fc.record({ type: fc.constant('PERCENTAGE' as const), value: fc.double({ min: 0, max: 100, noNaN: true }) }),
    fc.record({ type: fc.constantFrom('FIXED_AMOUNT' as const, 'FIXED' as const), value: amount }),
    fc.constant({ type: 'NONE' as const, value: 0 }),
  );
  fc.assert(
    fc.property(amount, rule, fc.integer({ min: 1, max: 53 }), (base, priceRule, deliveries) => {
      const price = chargePrice(base, priceRule, deliveries);
      expect(Number.isSafeInteger(price)).toBe(true);
      expect(price).toBeGreaterThanOrEqual(0);
      expect(price).toBeLessThanOrEqual(base * deliveries);
      if (priceRule.type === 'FIXED_AMOUNT' && priceRule.value <= base * deliveries)
        expect(base * deliveries - price).toBe(priceRule.value);
    }),
    RUNS,
  );
});
