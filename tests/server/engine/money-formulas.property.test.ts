// Every formula on money, over 10,000 random cases each in currencies of 0, 2 and 3 decimals, against the same done by hand with whole numbers.
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { minorDigits, scaled, toDecimal, toMinor } from '../../../src/domain/money/money.ts';
import { monthlyValue } from '../../../src/domain/money/metrics.ts';
import { chargePrice, priceRule, ruleFor, unitPrice } from '../../../src/domain/money/pricing.ts';
import { changedBy } from '../../../src/server/engine/actions/code/update-price.ts';
import { convert } from '../../../src/server/platform/records/exchange-rates.ts';
import { priceOrder } from '../../../src/server/engine/price.ts';
import type { ContractRow, DiscountRow, LineRow } from '../../../src/server/engine/rows.ts';

vi.setConfig({ testTimeout: 120_000 });
const RUNS = { numRuns: 10_000 };
const code = fc.constantFrom('JPY', 'USD', 'EUR', 'KWD');
const amount = fc.oneof(fc.integer({ min: 0, max: 1_000_000_000 }), fc.integer({ min: 0, max: 2000 }));

/** A quotient rounded half up, for a positive divisor and a dividend of 0 or more. */
const half = (top: bigint, bottom: bigint): number => Number((2n * top + bottom) / (2n * bottom));

it('amounts are converted as by hand, rounded once', () => {
  // Rates in ten-thousandths: 1.0834 dollars for a euro, 0.0067 for a yen, 3.25 for a dinar.
  const rate = fc.integer({ min: 60, max: 50_000 });
  fc.assert(
    fc.property(amount, code, code, rate, rate, (minor, from, to, worth, unit) => {
      const usdRates = { [from]: worth / 10_000, [to]: unit / 10_000 };
      const [x, y] = [
        from === 'USD' ? 10_000 : (usdRates[from] as number) * 10_000,
        to === 'USD' ? 10_000 : (usdRates[to] as number) * 10_000,
      ].map(value => BigInt(Math.round(value))) as [bigint, bigint];
      const expected = from === to ? minor : half(BigInt(minor) * x * 10n ** BigInt(minorDigits(to)), y * 10n ** BigInt(minorDigits(from)));
      expect(convert({ currency_code: 'USD', details: { usdRates } }, minor, from, to)).toBe(expected);
    }),
    RUNS,
  );
});

it('what a subscription is worth in a month is worked out as by hand', () => {
  const PER = { DAY: [304_368n, 10_000n], WEEK: [43_481n, 10_000n], MONTH: [1n, 1n], YEAR: [1n, 12n] } as const;
  fc.assert(
    fc.property(
      amount,
      fc.constantFrom('DAY' as const, 'WEEK' as const, 'MONTH' as const, 'YEAR' as const),
      fc.integer({ min: 1, max: 53 }),
      (minor, unit, count) => {
        const [top, bottom] = PER[unit];
        expect(monthlyValue(minor, unit, count)).toBe(half(BigInt(minor) * top, bottom * BigInt(count)));
      },
    ),
    RUNS,
  );
});

it('products with decimals are exact, however they are written', () => {
  expect([
    scaled(20, [3.25], [10]),
    scaled(-5, [0.5]),
    scaled(-1, [0.5]),
    scaled(1e9, [1e-7]),
    scaled(3, [1e21], [1e21]),
    scaled(0, [-1]),
  ]).toEqual([7, -2, 0, 100, 3, 0]);
  expect(() => scaled(1, [1], [0])).toThrow(RangeError);
  expect(() => scaled(1, [Number.NaN])).toThrow(RangeError);
});

it('prices changed by a percentage in bulk are rounded half up, to whole amounts, or to the nearest that ends in 99', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 5000 })),
      fc.integer({ min: -10_000, max: 100_000 }),
      fc.constantFrom('NONE' as const, 'WHOLE' as const, 'ENDING_99' as const),
      code,
      (minor, hundredths, rounding, currency) => {
        const unit = 10n ** BigInt(minorDigits(currency));
        const top = BigInt(minor) * BigInt(10_000 + hundredths);
        const after = changedBy(minor, hundredths / 100, rounding, currency);
        if (rounding === 'WHOLE') expect(after).toBe(half(top, 10_000n * unit) * Number(unit));
        else if (rounding === 'NONE' || unit === 1n) expect(after).toBe(half(top, 10_000n));
        else {
          // A hundredth below a whole amount, at least the first one, and no other such is nearer.
          expect((after + Number(unit) / 100) % Number(unit)).toBe(0);
          expect(after).toBeGreaterThan(0);
          const distance = (to: number): bigint => {
            const d = BigInt(to) * 10_000n - top;
            return d < 0n ? -d : d;
          };
          for (const other of [after - Number(unit), after + Number(unit)])
            if (other > 0) expect(distance(after) <= distance(other)).toBe(true);
        }
        expect(toMinor(toDecimal(after, currency), currency)).toBe(after);
      },
    ),
    RUNS,
  );
});

// A line as the plan sells it: what each kind of price takes off, from which order on.
const decimals = (currency: string, minor: number): string => toDecimal(minor, currency);
const policy = fc
  .array(
    fc.record({
      afterCycle: fc.integer({ min: 0, max: 6 }),
      kind: fc.constantFrom('PERCENTAGE' as const, 'FIXED_AMOUNT' as const, 'PRICE' as const),
      percent: fc.integer({ min: 0, max: 10_000 }),
      minor: fc.integer({ min: 0, max: 60_000 }),
    }),
    { minLength: 0, maxLength: 2 },
  )
  .filter(list => new Set(list.map(one => one.afterCycle)).size === list.length);
const oneLine = fc.record({
  base: fc.integer({ min: 0, max: 50_000 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  policy,
  isManual: fc.boolean(),
  manual: fc.integer({ min: 0, max: 50_000 }),
  isOnce: fc.boolean(),
});
const oneDiscount = fc.record({
  kind: fc.constantFrom('MANUAL', 'CODE'),
  type: fc.constantFrom('PERCENTAGE', 'FIXED_AMOUNT', 'FREE_SHIPPING'),
  percent: fc.integer({ min: 0, max: 100 }),
  minor: fc.integer({ min: 1, max: 90_000 }),
  each: fc.boolean(),
  onShipping: fc.boolean(),
  limit: fc.constantFrom(null, 0, 1, 4),
});

it('an order adds up on the wire: its lines, discounts and shipping to its total, in every currency, prepaid or not', () => {
  fc.assert(
    fc.property(
      code,
      fc.array(oneLine, { minLength: 1, maxLength: 4 }),
      fc.array(oneDiscount, { maxLength: 4 }),
      fc.integer({ min: 0, max: 9000 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.constantFrom('UPFRONT_ALL' as const, 'FIRST_ONLY' as const, 'EACH_DELIVERY' as const),
      (currency, given, given2, shipping, deliveries, number, isCredit, rule) => {
        const isPrepaidDelivery = isCredit && deliveries > 1;
        const contract = {
          currency_code: currency,
          delivery_price: shipping,
          billing_interval: 'MONTH',
          billing_interval_count: deliveries,
          delivery_interval: 'MONTH',
          delivery_interval_count: 1,
        } as unknown as ContractRow;
        const lines = given.map((line, i) => ({
          id: i + 1,
          quantity: line.quantity,
          base_price: line.base,
          price: line.manual,
          price_is_manual: line.isManual,
          one_time_added: line.isOnce,
          requires_shipping: true,
          product_title: 'Goods',
          variant_title: 'Default Title',
          pricing_policy: {
            cycleDiscounts: line.policy.map(({ afterCycle, kind, percent, minor }) => ({
              afterCycle,
              adjustmentType: kind,
              adjustmentValue: kind === 'PERCENTAGE' ? percent / 100 : decimals(currency, minor),
            })),
          },
        })) as unknown as LineRow[];
        const discounts = given2.map((one, i) => ({
          id: 100 + i,
          kind: one.kind,
          type: one.type,
          title: `Discount ${i}`,
          value: one.type === 'FREE_SHIPPING' ? null : one.type === 'PERCENTAGE' ? String(one.percent) : decimals(currency, one.minor),
          applies_on_each_item: one.each,
          target_type: one.onShipping || one.type === 'FREE_SHIPPING' ? 'SHIPPING_LINE' : 'LINE_ITEM',
          line_ids: [],
          order_limit: one.limit,
          rejection_reason: null,
        })) as unknown as DiscountRow[];
        const order = priceOrder(contract, discounts, { lines, orderNumber: number, isPrepaidDelivery, prepaidShippingCharge: rule });
        // The pieces by the rules, worked out once more.
        for (const [i, line] of order.lines.entries()) {
          const source = given[i] as (typeof given)[number];
          const times = source.isOnce ? 1 : deliveries;
          const best = source.policy.filter(one => one.afterCycle < number).sort((a, b) => b.afterCycle - a.afterCycle)[0];
          const plan =
            best === undefined
              ? source.base * times
              : best.kind === 'PERCENTAGE'
                ? half(BigInt(source.base) * BigInt(10_000 - best.percent), 10_000n) * times
                : best.kind === 'PRICE'
                  ? best.minor * times
                  : Math.max(0, source.base * times - best.minor);
          const piece = isPrepaidDelivery && !source.isOnce ? 0 : source.isManual ? source.manual * times : plan;
          expect(toMinor(line.price, currency)).toBe(piece);
          expect(toMinor(line.total, currency)).toBe(piece * source.quantity);
          const off = line.discounts.reduce((sum, one) => sum + toMinor(one.amount, currency), 0);
          expect(toMinor(line.discountedPrice, currency)).toBe(piece * source.quantity - off);
        }
        const of = (field: 'total' | 'discountedPrice'): number =>
          order.lines.reduce((sum, line) => sum + toMinor(line[field], currency), 0);
        expect(order.subtotal).toBe(of('total'));
        expect(order.total).toBe(order.subtotal - order.discount + order.shipping);
        expect(order.discounts.reduce((sum, one) => sum + one.amount, 0)).toBe(order.discount);
        expect(order.total).toBeGreaterThanOrEqual(of('discountedPrice'));
        expect(order.total - of('discountedPrice')).toBeLessThanOrEqual(order.shipping);
        const ships = isPrepaidDelivery ? (rule === 'EACH_DELIVERY' ? 1 : 0) : deliveries > 1 && rule === 'UPFRONT_ALL' ? deliveries : 1;
        expect(order.shipping).toBe(shipping * ships);
        if (isPrepaidDelivery) expect(order.discount).toBe(0);
        // A discount whose orders are used up takes nothing.
        for (const [i, one] of given2.entries())
          if (one.limit === 0) expect(order.discounts.find(taken => taken.id === 100 + i)?.amount ?? 0).toBe(0);
      },
    ),
    RUNS,
  );
});

it('the rules of a plan read from the wire price as they were meant, whatever the decimals', () => {
  fc.assert(
    fc.property(
      code,
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 1, max: 12 }),
      (currency, base, off, deliveries) => {
        expect(chargePrice(base, priceRule('FIXED_AMOUNT', toDecimal(off, currency), currency), deliveries)).toBe(
          Math.max(0, base * deliveries - off),
        );
        expect(unitPrice(base, ruleFor([{ afterCycle: 0, rule: priceRule('PRICE', toDecimal(off, currency), currency) }], 1))).toBe(off);
      },
    ),
    RUNS,
  );
});
