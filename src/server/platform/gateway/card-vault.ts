// The embedded card vault: it takes the test cards, keeps what may be shown of them and the token to charge
// them by, and forgets the number at once.
import { randomBytes } from 'node:crypto';
import { brandOf, digitsOf, expiresAt, expiryOf, groupedDigits, passesLuhn, readExpiry } from '../../../domain/text/card.ts';
import type { FieldError } from '../../../contract/types.ts';
import { TEST_CARDS } from './test-gateway.ts';
import { t } from '../../../domain/text/t.ts';

/** `expiry`: "MM/YY". */
export interface CardInput {
  number: string;
  name: string;
  expiry: string;
  verificationCode: string;
}
/** A card without its number. */
export interface Vaulted {
  brand: string;
  lastDigits: string;
  name: string;
  expiryMonth: number;
  expiryYear: number;
  token: string;
}

/**
 * The cards it takes, and what each does when it is charged. Real cards are refused, so that none of their numbers is ever handled here.
 */
const CARDS: { number: string; token: string; does: string }[] = [
  { number: '4242424242424242', token: TEST_CARDS.success, does: 'Visa, pays' },
  { number: '5555555555554444', token: TEST_CARDS.success, does: 'Mastercard, pays' },
  { number: '378282246310005', token: TEST_CARDS.success, does: 'American Express, pays' },
  { number: '6011111111111117', token: TEST_CARDS.success, does: 'Discover, pays' },
  { number: '4000000000000002', token: TEST_CARDS.decline('CARD_DECLINED'), does: 'Is declined' },
  { number: '4000000000009995', token: TEST_CARDS.decline('INSUFFICIENT_FUNDS'), does: 'Has insufficient funds' },
  { number: '4000000000000069', token: TEST_CARDS.decline('EXPIRED_CARD'), does: 'Is refused as expired' },
  { number: '4000002500003155', token: TEST_CARDS.requiresAction, does: 'Asks the customer to confirm' },
];

/** The test cards by name, for those who try the product. */
export const testCards = (): { title: string; detail: string; number: string }[] =>
  CARDS.map(({ number, does }) => ({ title: does, detail: groupedDigits(number), number: groupedDigits(number) }));

/** Takes a card, or says what is wrong with it. `now`: a card is good until the last day of its month. */
export function vault(card: CardInput, now: Date): Vaulted | FieldError[] {
  const number = digitsOf(card.number);
  const expiry = expiryOf(readExpiry(card.expiry));
  const errors: FieldError[] = [];
  const token = CARDS.find(one => one.number === number)?.token;
  if (!passesLuhn(number)) errors.push({ pointer: '/number', rule: 'INVALID_NUMBER', message: t`This card number has a typing mistake.` });
  else if (!token)
    errors.push({
      pointer: '/number',
      rule: 'TEST_CARDS_ONLY',
      message: t`Only test cards can be entered here, for example 4242 4242 4242 4242.`,
    });
  if (!expiry) errors.push({ pointer: '/expiry', rule: 'INVALID_EXPIRY_DATE', message: t`Enter month and year, for example 04/29.` });
  else if (expiresAt(expiry) <= now.getTime())
    errors.push({ pointer: '/expiry', rule: 'INVALID_EXPIRY_DATE', message: t`This card has expired.` });
  if (errors.length || !token || !expiry) return errors;
  return {
    brand: brandOf(number) ?? 'others',
    lastDigits: number.slice(-4),
    name: card.name.trim(),
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    token,
  };
}

export const newSessionId = (): string => `cvs_${randomBytes(24).toString('base64url')}`;
