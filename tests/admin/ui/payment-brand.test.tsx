// The marks of payment brands.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PaymentBrandIcon } from '../../../src/admin/ui/payment-brand.tsx';
import { PAYMENT_BRANDS } from '../../../src/domain/text/card.ts';

const markOf = (brand: string | undefined): string =>
  renderToStaticMarkup(<PaymentBrandIcon brand={brand} />).replace(/data-brand="[^"]*"/, '');

it('D039 every payment brand has an icon of its own, and what is unknown that of the others', () => {
  expect(new Set(PAYMENT_BRANDS.map(markOf)).size).toBe(12);
  for (const unknown of [undefined, 'elo', 'constructor']) expect(markOf(unknown)).toBe(markOf('others'));
  for (const brand of PAYMENT_BRANDS) expect(markOf(brand)).not.toContain(' style=');
});
