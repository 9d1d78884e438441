// What the forms of discounts say under their fields before anything is sent.
import { describe, expect, it } from 'vitest';
import { inputSchema } from '../../src/contract/calls.ts';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import { validate } from '../../src/contract/validation/validate.ts';
import { definitionsWith } from '../support/definitions.ts';

const definitions = definitionsWith({});
const judged = (name: string) => {
  const schema = inputSchema(definitions.calls[name]!, definitions.ambient);
  const validator = compileValidator(schema);
  return (input: Record<string, unknown>) =>
    validate(schema, validator, { id: 1, ...input }).map(({ pointer, message }) => `${pointer} ${message}`);
};

describe('a discount on a subscription', () => {
  const says = judged('subscription-contract.addDiscount');
  const byHand = { kind: 'MANUAL', title: 'Sorry' };
  it('of more than 100 percent is said at its value, and so is one below 1 or none at all', () => {
    for (const value of ['140', '100.5', '0', '0.5'])
      expect([value, says({ ...byHand, type: 'PERCENTAGE', value })]).toEqual([value, ['/value Enter a value between 1 and 100.']]);
    expect(says({ ...byHand, type: 'PERCENTAGE' })).toEqual(['/value Enter a value.']);
    expect(says({ ...byHand, type: 'PERCENTAGE', value: 'ten' })).toEqual(['/value Enter a number such as 10 or 4.50.']);
    for (const value of ['1', '50', '100', '100.0']) expect([value, says({ ...byHand, type: 'PERCENTAGE', value })]).toEqual([value, []]);
  });
  it('D083 is a whole number of percent, an amount above 0, and complete before it is sent', () => {
    for (const value of ['12.5', '99.99'])
      expect([value, says({ ...byHand, type: 'PERCENTAGE', value })]).toEqual([value, ['/value Enter a whole percentage.']]);
    expect(says({ ...byHand, type: 'FIXED_AMOUNT', value: '12.50' })).toEqual([]);
    expect(says({ ...byHand, type: 'FIXED_AMOUNT', value: '0' })).toEqual(['/value Enter a discount above 0.']);
    expect(says({ kind: 'MANUAL' })).toEqual(['/title Enter a title.', '/type Choose a type.']);
    expect(says({ kind: 'CODE' })).toEqual(['/code Enter a code.']);
    const ofBulk = definitions.actions.ADD_DISCOUNT!.form!;
    expect(
      validate(ofBulk, compileValidator(ofBulk), { ...byHand, type: 'PERCENTAGE', value: '12.5' }).map(({ message }) => message),
    ).toEqual(['Enter a whole percentage.']);
  });
  it('of another type, or by a code, has no such bound', () => {
    expect(says({ ...byHand, type: 'FIXED_AMOUNT', value: '140' })).toEqual([]);
    expect(says({ ...byHand, type: 'FREE_SHIPPING' })).toEqual([]);
    expect(says({ kind: 'CODE', code: 'WELCOME' })).toEqual([]);
    expect(says({ kind: 'CODE', code: 'WELCOME', type: 'PERCENTAGE', value: '140' })).toEqual([]);
    expect(says({ code: 'WELCOME' })).toEqual([]);
  });
});

describe('a new subscription', () => {
  const says = judged('subscription-contract.create');
  const whole = {
    customerId: 1,
    lines: [{ variantId: 1 }],
    billingPolicy: { interval: 'MONTH', intervalCount: 1 },
    nextBillingDateEpoch: 2_000_000_000,
  };
  const saysAt = (over: Record<string, unknown>, pointer: string): string[] =>
    says({ ...whole, ...over }).filter(line => line.startsWith(pointer));
  it('D083 has a discount within the same bounds as one that is added later', () => {
    expect(saysAt({ discount: { kind: 'NONE' } }, '/discount')).toEqual([]);
    expect(saysAt({ discount: { kind: 'CODE' } }, '/discount')).toEqual(['/discount/code Enter a code.']);
    expect(saysAt({ discount: { kind: 'MANUAL', title: 'Sorry', type: 'PERCENTAGE', value: '12.5' } }, '/discount')).toEqual([
      '/discount/value Enter a whole percentage.',
    ]);
    expect(saysAt({ discount: { kind: 'MANUAL', title: 'Sorry', type: 'FREE_SHIPPING' } }, '/discount')).toEqual([]);
  });
  it('D083 has no price below 0, and lines whose discounts are complete', () => {
    expect(saysAt({ lines: [{ variantId: 1, price: '-1.00' }] }, '/lines')).toEqual([
      '/lines/0/price Enter a price between 0 and 1,000,000.',
    ]);
    expect(saysAt({ deliveryPrice: '-1' }, '/deliveryPrice')).toEqual(['/deliveryPrice Enter a price between 0 and 1,000,000.']);
    expect(saysAt({ lines: [{ variantId: 1, discountType: 'PERCENTAGE' }] }, '/lines')).toEqual(['/lines/0/discountValue Enter a value.']);
    expect(
      saysAt(
        {
          lines: [
            { variantId: 1, discountType: 'PERCENTAGE', discountValue: '12.5' },
            { variantId: 2, discountType: 'PERCENTAGE', discountValue: '140' },
          ],
        },
        '/lines',
      ),
    ).toEqual(['/lines/1/discountValue Enter a percentage of 100 or less.']);
  });
});

describe('the discount of a product that is added', () => {
  const says = judged('subscription-contract.addLine');
  it('is at most 100 percent', () => {
    expect(says({ variantId: 1, discountType: 'PERCENTAGE', discountValue: '140' })).toEqual([
      '/discountValue Enter a percentage of 100 or less.',
    ]);
    for (const rest of [
      { discountType: 'PERCENTAGE', discountValue: '12.5' },
      { discountType: 'FIXED', discountValue: '140' },
      { discountType: 'NONE' },
      {},
    ])
      expect([rest, says({ variantId: 1, ...rest })]).toEqual([rest, []]);
  });
});
