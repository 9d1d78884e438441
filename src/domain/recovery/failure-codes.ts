/** Why a charge failed: the readable reasons that merchants see, and the platform's codes behind each. */
import { later } from '../text/t.ts';

/**
 * SOFT: trying again helps. HARD: trying again does not help. STORE: the store's side is at fault, the customer is not
 * told. INVENTORY: goes by the stock rules. PAID: the order was paid before, which counts as success.
 */
export type FailureKind = 'SOFT' | 'HARD' | 'STORE' | 'INVENTORY' | 'PAID';

export type FailureCategory = {
  key: string;
  /** For merchants, in English: the code that shows it calls translated(label). */
  label: string;
  /** For merchants, in English too: what happened and what helps. */
  description: string;
  codes: readonly string[];
  kind: FailureKind;
  /** For customers, in e-mails and in the portal; a store may write its own words. */
  customerText: string;
  /** SAME_DAY: tried again on the same day first. NEVER: only a person may try again. */
  retry?: 'SAME_DAY' | 'NEVER';
};

const LIST = [
  {
    key: 'three_ds_failed',
    label: later`3DS authentication failed`,
    kind: 'SOFT',
    codes: ['AUTHENTICATION_ERROR', 'AUTHENTICATION_FAILED', 'AUTHENTICATION_REQUIRED', 'CONFIRMATION_REJECTED', 'CHALLENGE_EXPIRED'],
    description: later`The bank asked the customer to confirm the payment and got no confirmation. The customer has to confirm it or
      choose another payment method.`,
    customerText: 'Your bank wants you to confirm this payment.',
  },
  {
    key: 'card_declined',
    label: later`Card declined`,
    kind: 'SOFT',
    codes: ['CALL_ISSUER', 'CARD_DECLINED', 'PAYMENT_METHOD_DECLINED'],
    description: later`The bank declined the card without giving a reason. A later retry often works.`,
    customerText: 'Your card was declined.',
  },
  {
    key: 'do_not_honor',
    label: later`Bank refused the charge`,
    kind: 'SOFT',
    codes: ['DO_NOT_HONOR'],
    description: later`The bank refused the charge. The customer can ask the bank to allow it.`,
    customerText: 'Your bank refused the payment. Please ask your bank, or choose another payment method.',
  },
  {
    key: 'insufficient_funds',
    label: later`Insufficient funds`,
    kind: 'SOFT',
    codes: ['INSUFFICIENT_FUNDS'],
    description: later`There was not enough money on the card. A retry some days later often works.`,
    customerText: "There isn't enough money on your card.",
  },
  {
    key: 'transaction_limit',
    label: later`Transaction limit exceeded`,
    kind: 'SOFT',
    codes: ['TRANSACTION_LIMIT_EXCEEDED'],
    description: later`The charge was above what the card allows in one payment or one period.`,
    customerText: 'This payment is above the limit of your card.',
  },
  {
    key: 'card_expired',
    label: later`Card expired`,
    kind: 'HARD',
    codes: ['EXPIRED_CARD', 'EXPIRED_PAYMENT_METHOD', 'INVALID_EXPIRY_DATE'],
    description: later`The card is past its expiry date. The customer has to enter a new one.`,
    customerText: 'Your card has expired.',
  },
  {
    key: 'card_invalid',
    label: later`Card details invalid`,
    kind: 'HARD',
    codes: ['CARD_NUMBER_INCORRECT', 'INCORRECT_NUMBER', 'INVALID_NUMBER', 'INVALID_PAYMENT_METHOD'],
    description: later`The saved card details are wrong. The customer has to enter them again.`,
    customerText: 'Your card details are not valid.',
  },
  {
    key: 'card_not_supported',
    label: later`Payment method not supported`,
    kind: 'HARD',
    codes: ['PAYMENT_METHOD_UNSUPPORTED', 'PURCHASE_TYPE_NOT_SUPPORTED', 'INVALID_PURCHASE_TYPE'],
    description: later`This kind of card or wallet cannot be used for subscriptions. The customer has to choose another.`,
    customerText: "This card type isn't accepted here, please choose another payment method.",
  },
  {
    key: 'fraud_suspected',
    label: later`Suspected fraud`,
    kind: 'HARD',
    retry: 'NEVER',
    codes: ['FRAUD_SUSPECTED'],
    description: later`The charge looked like fraud and was blocked. It is never retried by itself; look at the order before you try
      again.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'retry_blocked',
    label: later`Issuer forbids retries`,
    kind: 'HARD',
    codes: ['RETRY_DECLINED', 'OFF_SESSION_REJECTED'],
    description: later`The bank does not allow this charge to be tried again without the customer.`,
    customerText: 'Your bank blocked the payment, please choose another payment method.',
  },
  {
    key: 'agreement_cancelled',
    label: later`PayPal agreement cancelled`,
    kind: 'HARD',
    codes: ['BUYER_CANCELED_PAYMENT_METHOD', 'INVALID_CUSTOMER_BILLING_AGREEMENT'],
    description: later`The customer ended the billing agreement at PayPal. A new payment method is needed.`,
    customerText: 'Your payment agreement was cancelled, please choose another payment method.',
  },
  {
    key: 'paypal_error',
    label: later`PayPal error`,
    kind: 'SOFT',
    codes: ['PAYPAL_ERROR_GENERAL'],
    description: later`PayPal could not process the payment. It may be a passing fault or the state of the account.`,
    customerText: "PayPal couldn't process the payment, please check your PayPal account.",
  },
  {
    key: 'payment_cancelled',
    label: later`Payment cancelled`,
    kind: 'SOFT',
    codes: ['CANCELLED_PAYMENT', 'EXPIRED_BUYER_ACTION'],
    description: later`The customer cancelled the payment or let the time to confirm it run out.`,
    customerText: 'The payment was not completed in time.',
  },
  {
    key: 'method_missing',
    label: later`No payment method`,
    kind: 'HARD',
    codes: ['PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_METHOD_NOT_SPECIFIED'],
    description: later`The subscription has no payment method, or it was removed.`,
    customerText: 'Please add a payment method to keep your subscription.',
  },
  {
    key: 'address_mismatch',
    label: later`Billing address mismatch`,
    kind: 'HARD',
    codes: ['INCORRECT_ADDRESS', 'INCORRECT_ZIP', 'INVALID_BILLING_ADDRESS'],
    description: later`The billing address is not the one that the bank has. The customer has to correct it.`,
    customerText: "Your billing address doesn't match the one your bank has.",
  },
  {
    key: 'shipping_address_invalid',
    label: later`Shipping address invalid`,
    kind: 'STORE',
    codes: ['INVALID_SHIPPING_ADDRESS'],
    description: later`The store cannot ship to the address of the subscription. You or the customer can correct it.`,
    customerText: 'Please check your shipping address.',
  },
  {
    key: 'amount_too_small',
    label: later`Amount too small`,
    kind: 'STORE',
    codes: ['AMOUNT_TOO_SMALL'],
    description: later`The total is below the least amount that the payment provider takes. Check prices and discounts.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'amount_too_large',
    label: later`Amount too large`,
    kind: 'STORE',
    codes: ['AMOUNT_TOO_LARGE'],
    description: later`The total is above what the payment provider takes in one payment.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'currency_invalid',
    label: later`Currency not accepted`,
    kind: 'STORE',
    codes: ['INVALID_CURRENCY'],
    description: later`The payment provider does not take the currency of the subscription. Check the currencies of the store.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'customer_missing',
    label: later`Customer missing or invalid`,
    kind: 'STORE',
    codes: ['CUSTOMER_NOT_FOUND', 'CUSTOMER_INVALID'],
    description: later`The customer was deleted or has incomplete data in the store.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'gateway_issue',
    label: later`Gateway or provider problem`,
    kind: 'SOFT',
    codes: ['PAYMENT_PROVIDER_ERROR', 'PROCESSING_ERROR', 'GENERIC_ERROR'],
    description: later`The payment provider had a problem. A retry usually works.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'provider_disabled',
    label: later`Payment provider not enabled`,
    kind: 'STORE',
    codes: ['PAYMENT_PROVIDER_IS_NOT_ENABLED', 'PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG', 'MERCHANT_ACCOUNT_ERROR'],
    description: later`The payment provider is switched off or not set up for this payment method. Check the payment settings of the
      store.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'merchant_rule',
    label: later`Blocked by store rule`,
    kind: 'STORE',
    codes: ['MERCHANT_RULE'],
    description: later`A rule of the store blocked the order. Check the checkout and fraud rules of the store.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'test_mode',
    label: later`Gateway in test mode`,
    kind: 'STORE',
    codes: ['TEST_MODE', 'NON_TEST_ORDER_LIMIT_REACHED'],
    description: later`The payment provider is in test mode and takes no real payments.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'gift_card',
    label: later`Free gift card not allowed`,
    kind: 'STORE',
    codes: ['FREE_GIFT_CARD_NOT_ALLOWED'],
    description: later`The order holds a gift card that costs nothing, which the platform refuses. Remove it or give it a price.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'already_paid',
    label: later`Already paid`,
    kind: 'PAID',
    codes: ['INVOICE_ALREADY_PAID'],
    description: later`The order was paid before. It counts as paid; nothing was charged twice.`,
    customerText: 'This order is already paid.',
  },
  {
    key: 'transient',
    label: later`Temporary error`,
    kind: 'SOFT',
    retry: 'SAME_DAY',
    codes: ['TRANSIENT_ERROR'],
    description: later`A passing fault on the way to the bank. It is tried again on the same day.`,
    customerText: 'Something interrupted the payment. We will try again soon.',
  },
  {
    key: 'unexpected',
    label: later`Unexpected error`,
    kind: 'SOFT',
    codes: ['UNEXPECTED_ERROR'],
    description: later`The payment failed for a reason that the platform does not name.`,
    customerText: "We couldn't take the payment, please contact us.",
  },
  {
    key: 'out_of_stock',
    label: later`Not enough stock`,
    kind: 'INVENTORY',
    codes: ['INSUFFICIENT_INVENTORY'],
    description: later`The store does not have enough stock for this order. Your inventory settings decide what happens.`,
    customerText: 'A product of your subscription is out of stock.',
  },
  {
    key: 'no_inventory_location',
    label: later`No stock location for the address`,
    kind: 'INVENTORY',
    codes: ['INVENTORY_ALLOCATIONS_NOT_FOUND'],
    description: later`No location that ships to this address has the products. Your inventory settings decide what happens.`,
    customerText: "A product of your subscription can't be sent to your address right now.",
  },
] as const satisfies readonly FailureCategory[];

export type FailureKey = (typeof LIST)[number]['key'];

/** The reasons in the order in which lists show them. */
export const FAILURE_CATEGORIES: readonly (FailureCategory & { key: FailureKey })[] = LIST;

/** The reasons that count as a hard decline unless the store chooses its own. */
export const HARD_DECLINES: readonly FailureKey[] = LIST.filter(({ kind }) => kind === 'HARD').map(({ key }) => key);

const byKey = new Map(FAILURE_CATEGORIES.map(category => [category.key, category]));
const byCode = new Map(FAILURE_CATEGORIES.flatMap(category => category.codes.map(code => [code, category] as const)));

/** The reason of that key. */
export function failureCategory(key: FailureKey): FailureCategory & { key: FailureKey } {
  const category = byKey.get(key);
  if (!category) throw new RangeError(`"${key}" is not a failure category.`);
  return category;
}

/** The reason behind a code of the platform (upper or lower case); unknown and missing codes are unexpected errors. */
export function categoryOf(code: string | null | undefined): FailureCategory & { key: FailureKey } {
  return byCode.get((code ?? '').trim().toUpperCase()) ?? failureCategory('unexpected');
}
