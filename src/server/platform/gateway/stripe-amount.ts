// Amounts as Stripe counts them, which differs from ISO 4217 for some currencies: https://docs.stripe.com/currencies

/** Currencies with two decimals of which Stripe counts whole units. */
const WHOLE = ['MGA'];
/** Currencies without decimals of which Stripe counts hundredths. */
const HUNDREDTHS = ['ISK', 'UGX'];
/** Currencies with three decimals, of which Stripe takes two: its last digit is 0. */
const TENS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'];

/** An amount in minor units (ISO 4217) as Stripe counts it; null where Stripe can't take exactly this much. */
export function stripeAmount(amount: number, currency: string): number | null {
  if (HUNDREDTHS.includes(currency)) return amount * 100;
  if (WHOLE.includes(currency)) return amount % 100 === 0 ? amount / 100 : null;
  return TENS.includes(currency) && amount % 10 !== 0 ? null : amount;
}

/** What Stripe counts as an amount in minor units (ISO 4217). */
export function amountOfStripe(units: number, currency: string): number {
  if (HUNDREDTHS.includes(currency)) return Math.round(units / 100);
  return WHOLE.includes(currency) ? units * 100 : units;
}
