// The name of a product's only variant says nothing and is not shown.
import { expect, test } from 'vitest';
import { variantName } from '../../src/domain/text/variant-name.ts';
import { labelOf, nameOf } from '../../src/server/engine/price.ts';

test.each([
  ['Default Title', ''],
  ['default title', ''],
  ['Default', ''],
  ['', ''],
  ['Small / Red', 'Small / Red'],
  ['Default roast', 'Default roast'],
])('%j is shown as %j', (kept, shown) => {
  expect(variantName(kept)).toBe(shown);
});

test('a line is called by its product alone, or by both', () => {
  expect(nameOf({ product_title: 'Sleep Drops', variant_title: 'Default Title' })).toBe('Sleep Drops');
  expect(
    labelOf([
      { quantity: 2, product_title: 'Sleep Drops', variant_title: 'Default' },
      { quantity: 1, product_title: 'Decaf', variant_title: '250 g' },
    ]),
  ).toBe('2 × Sleep Drops, Decaf - 250 g');
});
