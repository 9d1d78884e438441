// What the amounts of a filter are counted in, as chips and editors say it.
import { describe, expect, it } from 'vitest';
import { amountCurrency, filterText } from '../../../src/admin/list/filters/filter-text.ts';
import type { Filter } from '../../../src/admin/list/list-head.ts';

const total = { field: 'total', title: 'Total', kind: 'money', options: [], schema: {} } as Filter;
const said = (filters: Record<string, string>): string => filterText(total, filters.total ?? '', amountCurrency(filters, 'USD'));

describe('amounts of a filter', () => {
  it('are in the currency of the store while none is chosen', () => {
    expect(amountCurrency({}, 'USD')).toBe('USD');
    expect(said({ total: '30..60' })).toContain('$30.00');
  });
  it('are in the one currency that is chosen', () => {
    expect(amountCurrency({ currencyCode: 'EUR' }, 'USD')).toBe('EUR');
    expect(said({ currencyCode: 'EUR', total: '30..60' })).toContain('€30.00');
    expect(said({ currencyCode: 'JPY', total: '30..60' })).toContain('¥30');
    expect(said({ currencyCode: 'JPY', total: '30..60' })).not.toContain('.00');
  });
  it('are plain numbers where several are chosen, each counted in its own', () => {
    expect(amountCurrency({ currencyCode: 'EUR,JPY' }, 'USD')).toBeUndefined();
    expect(said({ currencyCode: 'EUR,JPY', total: '30..60' })).not.toMatch(/[$€¥]/);
  });
  it('stay in the currency of the store where what is chosen is no currency', () => {
    expect(amountCurrency({ currencyCode: 'eur' }, 'USD')).toBe('USD');
    expect(amountCurrency({ currencyCode: 'EURO' }, 'USD')).toBe('USD');
  });
});
