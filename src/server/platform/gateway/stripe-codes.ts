// What Stripe says of a charge that it refused, as the platform's error codes: https://docs.stripe.com/declines/codes and error-codes.
import { categoryOf } from '../../../domain/recovery/failure-codes.ts';

/** What an answer says of an error, in Stripe's words; empty where it says nothing. */
export interface StripeError {
  type: string;
  code: string;
  declineCode: string;
  adviceCode: string;
  param: string;
  message: string;
}

/** By `decline_code` first, then by `code`; what is in neither is an unexpected error. */
const CODES: Readonly<Record<string, string>> = {
  // The bank.
  approve_with_id: 'CARD_DECLINED',
  authentication_not_handled: 'AUTHENTICATION_REQUIRED',
  authentication_required: 'AUTHENTICATION_REQUIRED',
  call_issuer: 'CALL_ISSUER',
  card_not_supported: 'PAYMENT_METHOD_UNSUPPORTED',
  card_velocity_exceeded: 'TRANSACTION_LIMIT_EXCEEDED',
  currency_not_supported: 'PAYMENT_METHOD_UNSUPPORTED',
  do_not_honor: 'DO_NOT_HONOR',
  do_not_try_again: 'RETRY_DECLINED',
  duplicate_transaction: 'CARD_DECLINED',
  expired_card: 'EXPIRED_CARD',
  fraudulent: 'FRAUD_SUSPECTED',
  generic_decline: 'CARD_DECLINED',
  highest_risk_level: 'FRAUD_SUSPECTED',
  elevated_risk_level: 'FRAUD_SUSPECTED',
  incorrect_address: 'INCORRECT_ADDRESS',
  incorrect_cvc: 'INVALID_PAYMENT_METHOD',
  incorrect_number: 'INCORRECT_NUMBER',
  incorrect_pin: 'INVALID_PAYMENT_METHOD',
  incorrect_zip: 'INCORRECT_ZIP',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  invalid_account: 'INVALID_PAYMENT_METHOD',
  invalid_amount: 'TRANSACTION_LIMIT_EXCEEDED',
  invalid_cvc: 'INVALID_PAYMENT_METHOD',
  invalid_expiry_month: 'INVALID_EXPIRY_DATE',
  invalid_expiry_year: 'INVALID_EXPIRY_DATE',
  invalid_number: 'INVALID_NUMBER',
  invalid_pin: 'INVALID_PAYMENT_METHOD',
  issuer_not_available: 'TRANSIENT_ERROR',
  lost_card: 'FRAUD_SUSPECTED',
  merchant_blacklist: 'MERCHANT_RULE',
  mobile_device_authentication_required: 'AUTHENTICATION_REQUIRED',
  new_account_information_available: 'CALL_ISSUER',
  no_action_taken: 'CALL_ISSUER',
  not_permitted: 'CALL_ISSUER',
  offline_pin_required: 'PAYMENT_METHOD_UNSUPPORTED',
  online_or_offline_pin_required: 'PAYMENT_METHOD_UNSUPPORTED',
  pickup_card: 'FRAUD_SUSPECTED',
  pin_try_exceeded: 'PAYMENT_METHOD_UNSUPPORTED',
  previously_declined_do_not_retry: 'RETRY_DECLINED',
  processing_error: 'PROCESSING_ERROR',
  reenter_transaction: 'TRANSIENT_ERROR',
  restricted_card: 'FRAUD_SUSPECTED',
  revocation_of_all_authorizations: 'OFF_SESSION_REJECTED',
  revocation_of_authorization: 'OFF_SESSION_REJECTED',
  security_violation: 'CALL_ISSUER',
  service_not_allowed: 'PAYMENT_METHOD_UNSUPPORTED',
  stolen_card: 'FRAUD_SUSPECTED',
  stop_payment_order: 'OFF_SESSION_REJECTED',
  testmode_decline: 'TEST_MODE',
  transaction_not_allowed: 'PURCHASE_TYPE_NOT_SUPPORTED',
  try_again_later: 'TRANSIENT_ERROR',
  withdrawal_count_limit_exceeded: 'TRANSACTION_LIMIT_EXCEEDED',
  // Stripe.
  account_closed: 'INVALID_PAYMENT_METHOD',
  amount_too_large: 'AMOUNT_TOO_LARGE',
  amount_too_small: 'AMOUNT_TOO_SMALL',
  authentication_failure: 'AUTHENTICATION_FAILED',
  bank_account_declined: 'PAYMENT_METHOD_DECLINED',
  bank_account_restricted: 'PAYMENT_METHOD_DECLINED',
  bank_account_unusable: 'INVALID_PAYMENT_METHOD',
  billing_invalid_mandate: 'INVALID_CUSTOMER_BILLING_AGREEMENT',
  card_decline_rate_limit_exceeded: 'RETRY_DECLINED',
  card_declined: 'CARD_DECLINED',
  charge_exceeds_source_limit: 'TRANSACTION_LIMIT_EXCEEDED',
  charge_exceeds_transaction_limit: 'TRANSACTION_LIMIT_EXCEEDED',
  debit_not_authorized: 'INVALID_CUSTOMER_BILLING_AGREEMENT',
  expired_payment_method: 'EXPIRED_PAYMENT_METHOD',
  incorrect_postal_code: 'INCORRECT_ZIP',
  india_recurring_payment_mandate_canceled: 'INVALID_CUSTOMER_BILLING_AGREEMENT',
  invalid_card_type: 'PAYMENT_METHOD_UNSUPPORTED',
  invalid_charge_amount: 'AMOUNT_TOO_LARGE',
  livemode_mismatch: 'TEST_MODE',
  no_account: 'INVALID_PAYMENT_METHOD',
  payment_intent_action_required: 'AUTHENTICATION_REQUIRED',
  payment_intent_authentication_failure: 'AUTHENTICATION_FAILED',
  payment_intent_incompatible_payment_method: 'PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG',
  payment_intent_mandate_invalid: 'INVALID_CUSTOMER_BILLING_AGREEMENT',
  payment_intent_payment_attempt_expired: 'CANCELLED_PAYMENT',
  payment_intent_payment_attempt_failed: 'PAYMENT_METHOD_DECLINED',
  payment_method_bank_account_blocked: 'PAYMENT_METHOD_DECLINED',
  payment_method_currency_mismatch: 'INVALID_CURRENCY',
  payment_method_customer_decline: 'CANCELLED_PAYMENT',
  payment_method_not_available: 'PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG',
  payment_method_provider_decline: 'PAYMENT_METHOD_DECLINED',
  payment_method_provider_timeout: 'TRANSIENT_ERROR',
  payment_method_restricted: 'PAYMENT_METHOD_DECLINED',
  payment_method_unactivated: 'PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG',
  payment_method_unsupported_type: 'PAYMENT_METHOD_UNSUPPORTED',
  postal_code_invalid: 'INCORRECT_ZIP',
  refer_to_customer: 'CALL_ISSUER',
  request_blocked: 'MERCHANT_RULE',
  sepa_unsupported_account: 'PAYMENT_METHOD_UNSUPPORTED',
  testmode_charges_only: 'TEST_MODE',
};

/** Codes of Stripe that have a code of the platform; tests walk them. */
export const STRIPE_CODES: ReadonlyMap<string, string> = new Map(Object.entries(CODES));

/**
 * The platform's code of an error. The bank's advice not to try again goes before its reason, unless the reason itself rules a retry out.
 */
export function codeOf(error: StripeError): string {
  if (error.code === 'resource_missing') return error.param === 'customer' ? 'CUSTOMER_NOT_FOUND' : 'PAYMENT_METHOD_NOT_FOUND';
  const code = STRIPE_CODES.get(error.declineCode) ?? STRIPE_CODES.get(error.code) ?? 'UNEXPECTED_ERROR';
  return error.adviceCode === 'do_not_try_again' && categoryOf(code).kind === 'SOFT' ? 'RETRY_DECLINED' : code;
}
