import { describe, expect, it } from 'vitest';
import { clamp, groupThousands, parseWhole, shortNumber } from '../../../src/domain/money/numbers.ts';
import { isDomain, isEmail, isMerchantToken } from '../../../src/contract/validation/patterns.ts';
import { formats } from '../../../src/contract/validation/formats.ts';
import { ellipsis } from '../../../src/domain/text/text.ts';

describe('numbers that people type', () => {
  it('D096 whole-number parsing returns 0 when the input is not a number', () => {
    expect(['abc', '', ' ', '12 apples', null, 'NaN', 'Infinity'].map(parseWhole)).toEqual(Array(7).fill(0));
    expect(['12', ' 7 ', '12.9', '-3.7', '-0'].map(parseWhole)).toEqual([12, 7, 12, -3, 0]);
  });
  it('D097 values are clamped between a minimum and a maximum', () => {
    expect([clamp(-1, 0, 16), clamp(17, 0, 16), clamp(5, 0, 16), clamp(0, 0, 16), clamp(16, 0, 16)]).toEqual([0, 16, 5, 0, 16]);
  });
});

describe('numbers that people read', () => {
  it('D280 thousands are grouped with commas', () => {
    expect([groupThousands(1234567.891), groupThousands(999), groupThousands(-1234, 0)]).toEqual(['1,234,567.89', '999.00', '-1,234']);
  });
  it('D281 two decimals are shown', () => {
    expect([groupThousands(5), groupThousands(5.5), groupThousands(5.005)]).toEqual(['5.00', '5.50', '5.01']);
  });
  it('D282 large numbers are shortened to K and M', () => {
    expect([0, 950, 1000, 1500, 12_345, 999_949, 999_950, 1_000_000, 2_560_000, -1500].map(shortNumber)).toEqual([
      '0',
      '950',
      '1K',
      '1.5K',
      '12.3K',
      '999.9K',
      '1M',
      '1M',
      '2.6M',
      '-1.5K',
    ]);
  });
});

describe('text', () => {
  it('D283 long strings are cut with an ellipsis', () => {
    expect([
      ellipsis('Coffee beans', 12),
      ellipsis('Coffee beans', 8),
      ellipsis('Coffee beans', 7),
      ellipsis('Coffee', 0),
      ellipsis('', 3),
    ]).toEqual(['Coffee beans', 'Coffee…', 'Coffee…', '', '']);
    expect(ellipsis('👩‍👩‍👧ab', 3)).toBe('👩‍👩‍👧ab');
    expect(ellipsis('👩‍👩‍👧abc', 3)).toBe('👩‍👩‍👧a…');
  });
});

describe('addresses and tokens', () => {
  it('S206 S207 S211 the formats of schemas, and with them browser and server, ask the same patterns', () => {
    expect(['email', 'domain', 'merchant-token'].map(name => formats[name]?.validate)).toEqual([isEmail, isDomain, isMerchantToken]);
  });
  it('D092 S206 an email is checked against a general address pattern', () => {
    const good = [
      'ann@example.com',
      'a.b+tag@mail.example.co.uk',
      "o'neil_1@x-y.io",
      'a@b.museum',
      'x@xn--bcher-kva.example',
      'ü@example.com',
    ];
    const bad = [
      '',
      'ann',
      'ann@',
      '@example.com',
      'ann@example',
      'a b@example.com',
      'ann@@example.com',
      '.a@example.com',
      'a..b@example.com',
      'ann@-example.com',
      'ann@example-.com',
      'ann@example.c',
      'ann@example..com',
      'ann@example.12',
      'ann@example.com ',
      `${'a'.repeat(65)}@example.com`,
    ];
    expect(good.filter(email => !isEmail(email))).toEqual([]);
    expect(bad.filter(isEmail)).toEqual([]);
  });
  it('D093 S207 S208 a domain is name parts of letters, digits and hyphens, then a dot and an ending', () => {
    expect(['example.com', 'my-shop.myshopify.com', 'a.b.c.io', '123.shop', 'end-.com'].filter(domain => !isDomain(domain))).toEqual([]);
    expect(
      [
        '',
        'example',
        '.com',
        'exa_mple.com',
        'exa mple.com',
        'example..com',
        'https://example.com',
        'example.com/',
        'éxample.com',
        'example.',
      ].filter(isDomain),
    ).toEqual([]);
  });
  it('D094 S209 a domain name part must not start with a hyphen', () => {
    expect([isDomain('-example.com'), isDomain('shop.-example.com'), isDomain('ex-ample.com')]).toEqual([false, false, true]);
  });
  it('D095 S210 the ending has 2 to 6 letters', () => {
    expect(['a.co', 'a.museum'].filter(domain => !isDomain(domain))).toEqual([]);
    expect(['a.c', 'a.museums', 'a.c0', 'a.12', 'a.c-m'].filter(isDomain)).toEqual([]);
  });
  it('D102 S211 a merchant token has exactly 32 characters', () => {
    expect([
      isMerchantToken('0123456789abcdef0123456789ABCDEF'),
      isMerchantToken('a'.repeat(31)),
      isMerchantToken('a'.repeat(33)),
      isMerchantToken(''),
    ]).toEqual([true, false, false, false]);
  });
  it('S212 all characters of a merchant token are hex characters', () => {
    expect([isMerchantToken(`${'a'.repeat(31)}g`), isMerchantToken(`${'a'.repeat(31)} `), isMerchantToken(`${'a'.repeat(32)}\n`)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
