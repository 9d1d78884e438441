// What is read out of a card number and an expiry date as people type them.
import { describe, expect, it } from 'vitest';
import method from '../../schemas/entities/payment-method.json' with { type: 'json' };
import {
  brandOf,
  digitsOf,
  expiresAt,
  expiryOf,
  groupedDigits,
  passesLuhn,
  PAYMENT_BRANDS,
  readExpiry,
} from '../../src/domain/text/card.ts';

describe('card numbers', () => {
  it('D039 the brands are those of the icons, and a payment method can be of each', () => {
    expect([...PAYMENT_BRANDS]).toEqual([
      'paypal',
      'shoppay',
      'amex',
      'discover',
      'visa',
      'mastercard',
      'bogus',
      'maestro',
      'unionpay',
      'jcb',
      'dinersclub',
      'others',
    ]);
    expect(method.properties.brand.oneOf.map(one => one.const).toSorted()).toEqual([...PAYMENT_BRANDS].toSorted());
  });
  it('D039 a number tells its brand by its first digits', () => {
    const numbers = {
      visa: '4242',
      mastercard: '5105',
      amex: '3782',
      discover: '6011',
      jcb: '3530',
      dinersclub: '3056',
      unionpay: '6200',
      maestro: '6759',
    };
    for (const [brand, start] of Object.entries(numbers)) expect(brandOf(start), start).toBe(brand);
    expect(['2221', '2720', '2220', '2721', '9', ''].map(brandOf)).toEqual([
      'mastercard',
      'mastercard',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
  it('a mistyped digit or two swapped ones break the check digit', () => {
    expect(['4242424242424242', '378282246310005', '6011111111111117'].map(passesLuhn)).toEqual([true, true, true]);
    expect(['4242424242424243', '387282246310005', '0', ''].map(passesLuhn)).toEqual([false, false, true, false]);
  });
  it('is written in the groups of its card', () => {
    expect(groupedDigits('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(groupedDigits('378282246310005')).toBe('3782 822463 10005');
    expect([groupedDigits(''), groupedDigits('42424')]).toEqual(['', '4242 4']);
    expect(digitsOf('4242-4242 4242.4242')).toBe('4242424242424242');
  });
});

describe('expiry dates', () => {
  it('are read however they are typed', () => {
    expect(['04/29', '4/29', '04/2029', '0429', '042029', ' 04 / 29 ', '04-29'].map(readExpiry)).toEqual(
      Array.from({ length: 7 }, () => '04/29'),
    );
    expect(['04', '2029-04', 'soon'].map(readExpiry)).toEqual(['04', '2029-04', 'soon']);
    expect([expiryOf('04/29'), expiryOf('13/29'), expiryOf('4/29')]).toEqual([{ month: 4, year: 2029 }, undefined, undefined]);
  });
  it('a card is good until the last day of its month', () => {
    expect(expiresAt({ month: 12, year: 2028 })).toBe(Date.parse('2029-01-01T00:00:00Z'));
  });
});
