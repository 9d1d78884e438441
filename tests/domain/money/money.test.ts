import { describe, expect, it } from 'vitest';
import { CURRENCIES_IN_USE, currencyOfCountry } from '../../../src/domain/money/currencies-in-use.ts';
import {
  allocate,
  CURRENCY_CODES,
  currencyName,
  currencySymbol,
  formatMoney,
  minorDigits,
  percentOf,
  sum,
  times,
  toDecimal,
  toMinor,
} from '../../../src/domain/money/money.ts';
import { COUNTRIES } from '../../../src/domain/text/countries.ts';

describe('decimal strings and minor units', () => {
  it.each([
    ['24.00', 'USD', 2400],
    ['24', 'USD', 2400],
    ['24.5', 'USD', 2450],
    ['0.01', 'USD', 1],
    ['-3.10', 'EUR', -310],
    ['500', 'JPY', 500],
    ['500.00', 'JPY', 500],
    ['1.234', 'KWD', 1234],
    ['1.2', 'KWD', 1200],
    ['0', 'USD', 0],
    ['-0.00', 'USD', 0],
    [' 7.25 ', 'USD', 725],
  ])('reads %s %s as %i', (text, currency, minor) => {
    expect(toMinor(text, currency)).toBe(minor);
  });

  it('reads numbers as they are written, so that a rounding error of floating point is refused', () => {
    expect(toMinor(24.5, 'USD')).toBe(2450);
    expect(() => toMinor(0.1 + 0.2, 'USD')).toThrow('too many decimals');
  });

  it.each([
    ['24.005', 'USD', '"24.005" has too many decimals. Amounts in USD have at most 2 decimals.'],
    ['500.5', 'JPY', '"500.5" has too many decimals. Amounts in JPY have no decimals.'],
    ['1.2345', 'KWD', 'at most 3 decimals'],
    ['1,000.00', 'USD', '"1,000.00" is not an amount of money. Write it like 24.00.'],
    ['', 'USD', 'is not an amount of money'],
    ['abc', 'KWD', 'Write it like 2.400.'],
    ['1e3', 'USD', 'is not an amount of money'],
    ['+1', 'USD', 'is not an amount of money'],
    ['.5', 'USD', 'is not an amount of money'],
    ['99999999999999999', 'USD', 'is too large to be an amount in USD'],
    ['1.00', 'XXQ', '"XXQ" is not a currency code. Use an ISO 4217 code such as USD.'],
  ])('refuses %s %s and says why', (text, currency, message) => {
    expect(() => toMinor(text, currency)).toThrow(message);
  });

  it.each([
    [2400, 'USD', '24.00'],
    [5, 'USD', '0.05'],
    [-5, 'USD', '-0.05'],
    [500, 'JPY', '500'],
    [1234, 'KWD', '1.234'],
    [0, 'KWD', '0.000'],
  ])('writes %i %s as %s', (minor, currency, text) => {
    expect(toDecimal(minor, currency)).toBe(text);
  });

  it('refuses parts of a minor unit', () => {
    expect(() => toDecimal(1.5, 'USD')).toThrow('1.5 is not a whole number of minor units.');
  });
});

describe('currencies', () => {
  it('D271 symbols and names cover about 150 codes', () => {
    expect(CURRENCY_CODES.length).toBeGreaterThanOrEqual(150);
    for (const code of CURRENCY_CODES) {
      expect(currencySymbol(code), code).not.toBe('');
      expect(currencyName(code), code).not.toBe('');
    }
    expect(currencyName('USD')).toBe('US Dollar');
    expect(currencySymbol('USD')).toBe('$');
    expect(currencySymbol('EUR', 'de-DE')).toBe('€');
  });

  it.each([
    ['USD', 2],
    ['EUR', 2],
    ['HUF', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['TND', 3],
    ['MGA', 2],
    ['ANG', 2],
  ])('%s has %i decimals', (code, digits) => {
    expect(minorDigits(code)).toBe(digits);
  });
});

describe('money for people', () => {
  it('D280 groups thousands with commas', () => {
    expect(formatMoney(123456789, 'USD')).toBe('$1,234,567.89');
  });
  it('D281 shows two decimals', () => {
    expect(formatMoney(120000, 'USD')).toBe('$1,200.00');
  });
  it('shows the decimals of the currency and follows the locale', () => {
    expect(formatMoney(1200, 'JPY')).toBe('¥1,200');
    expect(formatMoney(1250, 'KWD').replace(/\s/g, ' ')).toBe('KWD 1.250');
    expect(formatMoney(123450, 'EUR', 'de-DE').replace(/\s/g, ' ')).toBe('1.234,50 €');
  });
  it('keeps the last digit of large amounts', () => {
    expect(formatMoney(9007199254740991, 'USD')).toBe('$90,071,992,547,409.91');
  });
});

describe('arithmetic', () => {
  it.each([
    [2400, 10, 240],
    [1, 50, 1],
    [3, 50, 2],
    [-1, 50, 0],
    [-3, 50, -1],
    [999, 33.333333, 333],
    [1999, 12.5, 250],
    [100, 0, 0],
    [100, 100, 100],
  ])('%i at %d%% is %i, rounded half up', (minor, percent, result) => {
    expect(percentOf(minor, percent) + 0).toBe(result);
  });

  it('allocates by largest remainder, ties to the earlier part', () => {
    expect(allocate(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(allocate(5, [3, 7])).toEqual([2, 3]);
    expect(allocate(1000, [1, 2, 4])).toEqual([143, 286, 571]);
    expect(allocate(-100, [1, 1, 1])).toEqual([-34, -33, -33]);
    expect(allocate(3, [0, 0])).toEqual([2, 1]);
    expect(allocate(7, [0, 5])).toEqual([0, 7]);
    expect(allocate(0, [])).toEqual([]);
  });

  it('refuses what cannot be split or counted exactly', () => {
    expect(() => allocate(1, [])).toThrow('cannot be split');
    expect(() => allocate(1, [1, -1])).toThrow('whole numbers of 0 or more');
    expect(() => times(100, 1.5)).toThrow('1.5 is not a whole number');
    expect(() => times(9007199254740991, 2)).toThrow('is not a whole number of minor units');
    expect(() => sum([9007199254740991, 1])).toThrow('is not a whole number of minor units');
  });
});

describe('currencies of countries', () => {
  it('every country but Antarctica pays with one that amounts are counted in, and none is from before', () => {
    expect(COUNTRIES.filter(country => !CURRENCY_CODES.includes(currencyOfCountry(country)))).toEqual(['AQ']);
    expect([currencyOfCountry('HR'), currencyOfCountry('CH'), currencyOfCountry('JP')]).toEqual(['EUR', 'CHF', 'JPY']);
    for (const old of ['DEM', 'HRK', 'VEF', 'XAU']) expect(CURRENCIES_IN_USE).not.toContain(old);
  });
});
