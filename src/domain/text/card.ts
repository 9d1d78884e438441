// What a card number says about itself: its brand, whether it was mistyped, how it is written on the card.
// Shared by the form and the embedded vault.

/** The brands of payment methods that have an icon (D039). */
export const PAYMENT_BRANDS = [
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
] as const;
export type PaymentBrand = (typeof PAYMENT_BRANDS)[number];

/** First digits by brand, the narrower ones first. */
const BRANDS: [RegExp, PaymentBrand][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^6(011|4[4-9]|5)/, 'discover'],
  [/^35/, 'jcb'],
  [/^3(0[0-5]|[689])/, 'dinersclub'],
  [/^62/, 'unionpay'],
  [/^(5[0678]|6[37])/, 'maestro'],
];

/** The digits of a number as it was typed or pasted. */
export const digitsOf = (typed: string): string => typed.replaceAll(/\D/g, '');

/** The brand that a number begins like; undefined as long as it tells none. */
export const brandOf = (number: string): PaymentBrand | undefined => BRANDS.find(([start]) => start.test(number))?.[1];

/** Names that providers have for brands, where they differ from ours. */
const NAMES: Readonly<Record<string, PaymentBrand>> = { americanexpress: 'amex', diners: 'dinersclub' };
/** A brand by the name that a provider has for it ("American Express"). */
export function brandNamed(name: string): PaymentBrand {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return NAMES[plain] ?? PAYMENT_BRANDS.find(one => one === plain) ?? 'others';
}

/** The check digit of a card number. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  [...number].toReversed().forEach((digit, i) => {
    const n = Number(digit) * (i % 2 === 1 ? 2 : 1);
    sum += n > 9 ? n - 9 : n;
  });
  return number.length > 0 && sum % 10 === 0;
}

/** "4242424242424242" -> "4242 4242 4242 4242", as it stands on the card; American Express has groups of 4, 6 and 5. */
export function groupedDigits(number: string): string {
  const groups = brandOf(number) === 'amex' ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)] : (number.match(/.{1,4}/g) ?? []);
  return groups.filter(Boolean).join(' ');
}

/** "12/28" -> its month and year; undefined where it is none. Years are of this century. */
export function expiryOf(text: string): { month: number; year: number } | undefined {
  const found = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  return found ? { month: Number(found[1]), year: 2000 + Number(found[2]) } : undefined;
}

/** The first instant (ms) at which a card can't be charged any more: it is good until the last day of its month (UTC). */
export const expiresAt = ({ month, year }: { month: number; year: number }): number => Date.UTC(year, month, 1);

/** What a person typed for an expiry date, as "MM/YY": "1228", "12 / 2028" and "1/28" are read too; anything else stays as it is. */
export function readExpiry(typed: string): string {
  const text = typed.trim();
  const [month = '', year = '', more] = text.split(/[\s/.-]+/);
  const parts = more === undefined && year ? /^(\d{1,2})\/(?:20)?(\d{2})$/.exec(`${month}/${year}`) : /^(\d{2})(?:20)?(\d{2})$/.exec(text);
  return parts ? `${parts[1]!.padStart(2, '0')}/${parts[2]!}` : text;
}
