// Fields that are validated by the one beside them, in general and in the forms of bulk actions.
import { describe, expect, it } from 'vitest';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import type { JsonObject, Schema } from '../../src/contract/types.ts';
import { validate } from '../../src/contract/validation/validate.ts';
import { definitionsWith } from '../support/definitions.ts';

const told = (schema: Schema, data: JsonObject): string[] =>
  validate(schema, compileValidator(schema), data).map(error => `${error.pointer}: ${error.message}`);

describe('x-above and x-unlike', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      from: { title: 'From', type: ['integer', 'null'] },
      to: { title: 'To', type: ['integer', 'null'], 'x-above': 'from' },
      old: { title: 'Old one', type: 'string' },
      new: { title: 'New one', type: 'string', 'x-unlike': 'old' },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            min: { title: 'Least', type: 'integer' },
            max: { title: 'Most', type: 'integer', 'x-above': 'min', 'x-errors': { 'x-above': 'Too few.' } },
          },
        },
      },
    },
  };
  it('say nothing while one of the two is empty', () => {
    expect(told(schema, { from: 4 })).toEqual([]);
    expect(told(schema, { from: null, to: 1 })).toEqual([]);
    expect(told(schema, { new: 'a' })).toEqual([]);
  });
  it('compare what both hold, inside lists too, in the words of the field', () => {
    expect(told(schema, { from: 4, to: 5, old: 'a', new: 'b' })).toEqual([]);
    expect(told(schema, { from: 4, to: 4, old: 'a', new: 'a' })).toEqual([
      '/to: To must be greater than from.',
      '/new: New one must be another one than old one.',
    ]);
    expect(
      told(schema, {
        rows: [
          { min: 1, max: 2 },
          { min: 3, max: 2 },
        ],
      }),
    ).toEqual(['/rows/1/max: Too few.']);
  });
});

describe('the forms of bulk actions refuse at the field what another field makes wrong', () => {
  const { actions } = definitionsWith({});
  const form = (name: string, data: JsonObject): string[] => told(actions[name.toUpperCase().replaceAll('-', '_')]?.form as Schema, data);
  it('a maximum of orders not above the minimum', () => {
    expect(form('update-min-max-cycles', { minCycles: 3, maxCycles: 3 })).toEqual([
      '/maxCycles: Maximum orders must be greater than minimum orders',
    ]);
    expect(form('update-min-max-cycles', { minCycles: 3, maxCycles: null })).toEqual([]);
    expect(form('update-min-max-cycles', { minCycles: 3, maxCycles: 4 })).toEqual([]);
  });
  it('a product in its own place', () => {
    const swap = (variantIds: number[], toVariantId: number): string[] =>
      form('swap-product', { variantIds, toVariantId, quantityRule: 'KEEP', priceRule: 'KEEP' });
    expect(swap([7], 7)).toEqual(['/toVariantId: Choose another product than the present one.']);
    expect(swap([7, 8], 7)).toEqual([]);
    expect(swap([7], 8)).toEqual([]);
  });
  it('a discount by its type', () => {
    const discount = (type: string, value?: string): string[] =>
      form('add-discount', { kind: 'MANUAL', title: 'Sorry', type, targetType: 'LINE_ITEM', ...(value === undefined ? {} : { value }) });
    expect(discount('PERCENTAGE', '101')).toEqual(['/value: Enter a value between 1 and 100.']);
    expect(discount('PERCENTAGE', '0')).toEqual(['/value: Enter a value between 1 and 100.']);
    expect(discount('PERCENTAGE', '100')).toEqual([]);
    expect(discount('FIXED_AMOUNT', '250')).toEqual([]);
    expect(discount('FIXED_AMOUNT', '0.00')).toEqual(['/value: Enter a discount above 0.']);
    expect(discount('FIXED_AMOUNT')).toEqual(['/value: Enter a value.']);
    expect(discount('FREE_SHIPPING')).toEqual([]);
    expect(form('add-discount', { kind: 'CODE', code: 'WELCOME' })).toEqual([]);
    expect(form('add-discount', { kind: 'CODE' })).toEqual(['/code: Enter a code.']);
  });
  it('attributes by their mode, and a move by no days', () => {
    expect(form('update-attributes', { mode: 'REPLACE', customAttributes: [] })).toEqual([]);
    expect(form('update-attributes', { mode: 'REMOVE', names: ['size'] })).toEqual([]);
    const move = (days: number): string[] => form('reschedule', { mode: 'DAYS', days, scope: 'ALL' });
    expect(move(0)).toEqual(['/days: Enter up to 365 days, with a minus for earlier; 0 moves nothing.']);
    expect(move(-366)).toEqual(['/days: Enter up to 365 days, with a minus for earlier; 0 moves nothing.']);
    expect([...move(-3), ...move(14)]).toEqual([]);
  });
});
