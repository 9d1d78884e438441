// The embedded card vault: it takes the test cards, keeps what may be shown of them and the token to charge them by, and forgets the number at once.
import { randomBytes } from 'node:crypto';
import { daysInMonth } from '../../contract/domain/calendar.ts';
import type { FieldError } from '../../contract/types.ts';
import { TEST_CARDS } from './test-gateway.ts';

export interface CardInput { number: string; name: string; expiryMonth: number; expiryYear: number; verificationCode?: string }
/** A card without its number. */
export interface Vaulted { brand: string; lastDigits: string; name: string; expiryMonth: number; expiryYear: number; token: string }

/** What each test card does when it is charged. Real cards are refused, so that none of their numbers is ever handled here. */
const CARDS: Record<string, string> = {
  4242424242424242: TEST_CARDS.success, 5555555555554444: TEST_CARDS.success, 378282246310005: TEST_CARDS.success, 6011111111111117: TEST_CARDS.success,
  4000000000000002: TEST_CARDS.decline('CARD_DECLINED'), 4000000000009995: TEST_CARDS.decline('INSUFFICIENT_FUNDS'), 4000000000000069: TEST_CARDS.decline('EXPIRED_CARD'), 4000002500003155: TEST_CARDS.requiresAction,
};
const BRANDS: [RegExp, string][] = [[/^4/, 'visa'], [/^(5[1-5]|2[2-7])/, 'mastercard'], [/^3[47]/, 'amex'], [/^6(011|5)/, 'discover'], [/^35/, 'jcb'], [/^3[068]/, 'dinersclub'], [/^62/, 'unionpay']];

/** The check digit of a card number. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  [...number].toReversed().forEach((digit, i) => { const n = Number(digit) * (i % 2 === 1 ? 2 : 1); sum += n > 9 ? n - 9 : n; });
  return number.length > 0 && sum % 10 === 0;
}

/** Takes a card, or says what is wrong with it. `now`: a card is good until the last day of its month. */
export function vault(card: CardInput, now: Date): Vaulted | FieldError[] {
  const number = card.number.replaceAll(' ', '');
  const errors: FieldError[] = [];
  const token = CARDS[number];
  if (!passesLuhn(number)) errors.push({ pointer: '/number', rule: 'INVALID_NUMBER', message: 'This card number has a typing mistake.' });
  else if (!token) errors.push({ pointer: '/number', rule: 'TEST_CARDS_ONLY', message: 'Only test cards can be entered here, for example 4242 4242 4242 4242.' });
  if (Date.UTC(card.expiryYear, card.expiryMonth - 1, daysInMonth(card.expiryYear, card.expiryMonth), 23, 59, 59) < now.getTime()) errors.push({ pointer: '/expiryYear', rule: 'INVALID_EXPIRY_DATE', message: 'This card has expired.' });
  if (errors.length || !token) return errors;
  return { brand: BRANDS.find(([start]) => start.test(number))?.[1] ?? 'others', lastDigits: number.slice(-4), name: card.name.trim(), expiryMonth: card.expiryMonth, expiryYear: card.expiryYear, token };
}

export const newSessionId = (): string => `cvs_${randomBytes(24).toString('base64url')}`;
