// Figures, amounts and days as the screens write them.
import { describe, expect, it } from 'vitest';
import { dateRangeOf, slashed } from '../../../src/admin/platform/date-range.ts';
import { count, counted, money, setCurrency, short } from '../../../src/admin/platform/format.ts';
import { digitsOf } from '../../../src/domain/money/currency-digits.ts';
import { CURRENCY_CODES, currencyName, currencySymbol, formatMoney, minorDigits, toMinor } from '../../../src/domain/money/money.ts';

describe('amounts', () => {
  it('D280 D281 group thousands with commas and show two decimals', () => {
    expect([money('1234567.5', 'USD'), money('12', 'EUR'), money('-1234.5', 'USD'), money('0', 'GBP'), money(999.999, 'USD')]).toEqual([
      '$1,234,567.50',
      '€12.00',
      '-$1,234.50',
      '£0.00',
      '$1,000.00',
    ]);
    expect([money('1234.5'), money(''), money(null), money(undefined, 'USD')]).toEqual(['1,234.50', '', '', '']);
  });
  it('D271 every one of about 150 currencies has a symbol, and is shown in the minor units that are charged', () => {
    expect(CURRENCY_CODES.length).toBeGreaterThanOrEqual(150);
    const wrong = CURRENCY_CODES.filter(code => {
      const decimals = /\d(?:\.(\d+))?\D*$/.exec(money('1234567.1234', code))?.[1]?.length ?? 0;
      return decimals !== minorDigits(code) || digitsOf(code) !== minorDigits(code) || !currencySymbol(code) || !currencyName(code);
    });
    expect(wrong).toEqual([]);
    expect([money('1234.5', 'JPY'), money('1.25', 'KWD'), money('1234.5', 'HUF'), money('1234.5', 'IDR')]).toEqual([
      '¥1,235',
      'KWD\u00a01.250',
      'Ft\u00a01,234.50',
      'Rp\u00a01,234.50',
    ]);
  });
  it('the screens and the mails write the same figures', () => {
    const figures = (text: string): string => text.replace(/[^\d.,-]/g, '');
    expect(CURRENCY_CODES.filter(code => figures(money('9876543', code)) !== figures(formatMoney(toMinor('9876543', code), code)))).toEqual(
      [],
    );
  });
  it('no currency is taken for that of the store', () => {
    setCurrency('USD');
    expect(['USD', 'AUD', 'CAD', 'EUR', 'JPY'].map(code => money('76.38', code))).toEqual([
      '$76.38',
      'A$76.38',
      'CA$76.38',
      '€76.38',
      '¥76',
    ]);
    setCurrency('AUD');
    expect(['USD', 'AUD'].map(code => money('76.38', code))).toEqual(['USD\u00a076.38', '$76.38']);
    setCurrency('');
    expect(money('76.38', 'AUD')).toBe('$76.38');
  });
  it('large amounts keep their last digit', () => expect(money('9007199254740993.25', 'USD')).toBe('$9,007,199,254,740,993.25'));
});

describe('figures', () => {
  it('D280 group thousands', () =>
    expect([count(1234567), count(0), count(-1234), count(12.3456)]).toEqual(['1,234,567', '0', '-1,234', '12.346']));
  it('D282 are shortened to K and M', () =>
    expect([short(0), short(999), short(12_480), short(999_950), short(3_400_000), short(2_500_000_000)]).toEqual([
      '0',
      '999',
      '12.5K',
      '1M',
      '3.4M',
      '2,500M',
    ]));
  it('stand with their word', () =>
    expect([
      counted(1, { one: 'subscription', many: 'subscriptions' }),
      counted(12_480, { one: 'subscription', many: 'subscriptions' }),
    ]).toEqual(['1 subscription', '12,480 subscriptions']));
});

describe('the days a page is about', () => {
  const at = (moment: string, zone = 'UTC') => ({ at: Date.parse(moment), zone });
  it('S028 S319 D016 D277 are the last 30 by default: today and the 29 before it', () => {
    const { startDate, endDate } = dateRangeOf('', at('2026-03-15T12:00:00Z'));
    expect([startDate, endDate]).toEqual(['02/14/2026', '03/15/2026']);
    expect((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 + 1).toBe(30);
  });
  it('S029 D017 are written MM/DD/YYYY', () => {
    expect([slashed('2026-01-09'), slashed('0999-12-31')]).toEqual(['01/09/2026', '12/31/0999']);
    expect(Object.values(dateRangeOf('', at('2026-01-01T00:00:00Z')))).toEqual(['12/03/2025', '01/01/2026']);
  });
  it('are the days of the store, not of the browser', () => {
    expect(dateRangeOf('', at('2026-03-15T03:00:00Z', 'America/New_York')).endDate).toBe('03/14/2026');
    expect(dateRangeOf('', at('2026-03-15T23:00:00Z', 'Asia/Kolkata')).endDate).toBe('03/16/2026');
  });
  it('follow the address, and correct what makes no sense there', () => {
    const now = at('2026-03-15T12:00:00Z');
    expect(dateRangeOf('?range=last-7-days', now)).toEqual({ startDate: '03/09/2026', endDate: '03/15/2026' });
    expect(dateRangeOf('?range=2026-01-01..2026-01-31', now)).toEqual({ startDate: '01/01/2026', endDate: '01/31/2026' });
    expect(dateRangeOf('?range=2026-01-31..2026-01-01', now)).toEqual({ startDate: '01/01/2026', endDate: '01/31/2026' });
    expect(dateRangeOf('?range=2026-01-01..', now)).toEqual({ startDate: '01/01/2026', endDate: '03/15/2026' });
    expect(dateRangeOf('?range=..2026-01-31', now)).toEqual({ startDate: '01/02/2026', endDate: '01/31/2026' });
    for (const bad of ['?range=', '?range=nonsense', '?range=..']) expect(dateRangeOf(bad, now), bad).toEqual(dateRangeOf('', now));
  });
});
