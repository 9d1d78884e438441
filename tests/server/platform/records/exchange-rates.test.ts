// Amounts of one currency in another, by the rates a store keeps.
import { describe, expect, it } from 'vitest';
import { convert, hasRate, inStoreCurrency, rateOfNow } from '../../../../src/server/platform/records/exchange-rates.ts';

const dollars = { currency_code: 'USD', details: { usdRates: { EUR: 1.1, JPY: 0.01, KWD: 3.25 } } };
const euros = { ...dollars, currency_code: 'EUR' };

describe('convert', () => {
  it('goes through US dollars, and between currencies with other decimals', () => {
    expect(convert(dollars, 1100, 'USD', 'EUR')).toBe(1000);
    expect(convert(dollars, 1000, 'EUR', 'USD')).toBe(1100);
    expect(convert(dollars, 500, 'JPY', 'USD')).toBe(500);
    expect(convert(euros, 1000, 'EUR', 'JPY')).toBe(1100);
    expect(convert(dollars, 1000, 'KWD', 'USD')).toBe(325);
  });
  it('leaves an amount alone in its own currency, with or without a rate, and rounds to whole minor units', () => {
    expect(convert(dollars, 999, 'SEK', 'SEK')).toBe(999);
    expect(convert(dollars, 333, 'USD', 'EUR')).toBe(303);
  });
  it('knows no amount where a rate is missing', () => {
    expect(convert(dollars, 100, 'SEK', 'USD')).toBeNull();
    expect(convert(dollars, 100, 'USD', 'SEK')).toBeNull();
    expect(convert({ currency_code: 'USD', details: null }, 100, 'USD', 'EUR')).toBeNull();
  });
});

it('what is kept of a day is exact, or 20 digits; nothing where nothing is converted or no rate is known', () => {
  const rates = { currency_code: 'EUR', details: { usdRates: { EUR: 0.3, SEK: 0.1, GBP: 1.27, JPY: 0.0000015 } } };
  expect(['SEK', 'GBP', 'USD', 'JPY', 'EUR', 'KWD'].map(currency => rateOfNow(rates, currency))).toEqual([
    '0.33333333333333333333',
    '4.23333333333333333333',
    '3.33333333333333333333',
    '0.000005',
    null,
    null,
  ]);
  expect(rateOfNow(dollars, 'JPY')).toBe('0.01');
});

describe('hasRate', () => {
  it("holds for the store's own currency and where both have a rate", () => {
    expect(['EUR', 'USD', 'JPY', 'SEK'].map(currency => hasRate(euros, currency))).toEqual([true, true, true, false]);
    expect(hasRate({ currency_code: 'SEK', details: {} }, 'SEK')).toBe(true);
    // A store whose own currency has no rate could price nothing in another.
    expect(hasRate({ ...dollars, currency_code: 'SEK' }, 'EUR')).toBe(false);
  });
});

it('counts an amount without a rate as nothing in a sum', () => {
  expect([inStoreCurrency(euros, 1100, 'USD'), inStoreCurrency(euros, 250, 'EUR'), inStoreCurrency(euros, 1100, 'SEK')]).toEqual([
    1000, 250, 0,
  ]);
});
