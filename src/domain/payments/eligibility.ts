// Whether a store may sell subscriptions: it needs a way to charge cards again, or PayPal's approval to do so.
import type { JsonObject, JsonValue } from '../../contract/types.ts';

/** Any of these, active, makes a store eligible. PayPal Express alone does not; it starts an approval. */
const CHARGES_AGAIN = ['shopify payments', 'stripe', 'adyen', 'braintree', 'test gateway'];
export const PAYPAL = 'paypal express';
const PAYPAL_STATUSES = ['NOT_CONNECTED', 'CONNECTED', 'APPROVAL_REQUESTED', 'APPROVED', 'REJECTED'] as const;
export type PaypalStatus = (typeof PAYPAL_STATUSES)[number];

export interface Eligibility {
  isEligible: boolean;
  /** Renewals can be charged: PayPal Express has to be approved for that. */
  canCharge: boolean;
  /** Only PayPal Express is active and not approved yet: one group may be published to begin the approval. */
  isPaypalOnly: boolean;
  providers: string[];
  paypalStatus: PaypalStatus;
}

const object = (value: unknown): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
const texts = (value: JsonValue | undefined): string[] | undefined =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined;

/** Accounts of the store's own, which orders are charged through here, by their names among providers. */
const OWN_ACCOUNTS: Readonly<Record<string, string>> = { STRIPE: 'Stripe', BRAINTREE: 'Braintree' };

/**
 * Reads `paymentProviders` and `paypal.status` of the store's details, and the accounts that it charges through here. A store that names no
 * providers charges through the gateway that this server is connected to, so it is eligible.
 */
export function eligibilityOf({ details, charges_through: own }: { details: unknown; charges_through: readonly string[] }): Eligibility {
  const { paymentProviders, paypal } = object(details);
  const providers = [
    ...new Set([...(texts(paymentProviders) ?? ['Test gateway']), ...own.flatMap(account => OWN_ACCOUNTS[account] ?? [])]),
  ];
  const active = providers.map(provider => provider.toLowerCase());
  const hasPaypal = active.includes(PAYPAL);
  const given = object(paypal).status;
  const paypalStatus = PAYPAL_STATUSES.find(status => status === given) ?? (hasPaypal ? 'CONNECTED' : 'NOT_CONNECTED');
  const charges = active.some(provider => CHARGES_AGAIN.includes(provider));
  const isApproved = hasPaypal && paypalStatus === 'APPROVED';
  return {
    isEligible: charges || hasPaypal,
    canCharge: charges || isApproved,
    isPaypalOnly: hasPaypal && !charges && !isApproved,
    providers,
    paypalStatus,
  };
}
