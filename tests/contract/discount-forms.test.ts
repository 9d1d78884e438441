// What the forms of discounts say under their fields before anything is sent.
import { describe, expect, it } from 'vitest';
import { inputSchema } from '../../src/contract/calls.ts';
import { compileValidator } from '../../src/contract/compile.ts';
import { judge } from '../../src/contract/validate.ts';
import { definitionsWith } from '../support/definitions.ts';

const definitions = definitionsWith({});
const judged = (name: string) => {
  const schema = inputSchema(definitions.calls[name]!, definitions.ambient);
  const validator = compileValidator(schema);
  return (input: Record<string, unknown>) => judge(schema, validator, { id: 1, ...input }).map(({ pointer, message }) => `${pointer} ${message}`);
};

describe('a discount on a subscription', () => {
  const says = judged('subscription-contract.addDiscount');
  const byHand = { kind: 'MANUAL', title: 'Sorry' };
  it('of more than 100 percent is said at its value, and so is one below 1 or none at all', () => {
    for (const value of ['140', '100.5', '0', '0.5']) expect([value, says({ ...byHand, type: 'PERCENTAGE', value })]).toEqual([value, ['/value Enter a value between 1 and 100.']]);
    expect(says({ ...byHand, type: 'PERCENTAGE' })).toEqual(['/value Enter a value.']);
    expect(says({ ...byHand, type: 'PERCENTAGE', value: 'ten' })).toEqual(['/value Enter a number such as 10 or 4.50.']);
    for (const value of ['1', '50', '100', '100.0']) expect([value, says({ ...byHand, type: 'PERCENTAGE', value })]).toEqual([value, []]);
  });
  it('of another type, or by a code, has no such bound', () => {
    expect(says({ ...byHand, type: 'FIXED_AMOUNT', value: '140' })).toEqual([]);
    expect(says({ ...byHand, type: 'FREE_SHIPPING' })).toEqual([]);
    expect(says({ kind: 'CODE', code: 'WELCOME' })).toEqual([]);
    expect(says({ kind: 'CODE', code: 'WELCOME', type: 'PERCENTAGE', value: '140' })).toEqual([]);
    expect(says({ code: 'WELCOME' })).toEqual([]);
  });
});

describe('the discount of a product that is added', () => {
  const says = judged('subscription-contract.addLine');
  it('is at most 100 percent', () => {
    expect(says({ variantId: 1, discountType: 'PERCENTAGE', discountValue: '140' })).toEqual(['/discountValue Enter a percentage of 100 or less.']);
    for (const rest of [{ discountType: 'PERCENTAGE', discountValue: '12.5' }, { discountType: 'FIXED', discountValue: '140' }, { discountType: 'NONE' }, {}]) expect([rest, says({ variantId: 1, ...rest })]).toEqual([rest, []]);
  });
});
