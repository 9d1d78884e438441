import { describe, expect, it } from 'vitest';
import { categoryOf, FAILURE_CATEGORIES, failureCategory, HARD_DECLINES } from '../../src/domain/recovery/failure-codes.ts';

describe('failure codes', () => {
  it.each([
    ['AUTHENTICATION_REQUIRED', 'three_ds_failed', 'SOFT'],
    ['CHALLENGE_EXPIRED', 'three_ds_failed', 'SOFT'],
    ['CARD_DECLINED', 'card_declined', 'SOFT'],
    ['DO_NOT_HONOR', 'do_not_honor', 'SOFT'],
    ['INSUFFICIENT_FUNDS', 'insufficient_funds', 'SOFT'],
    ['TRANSACTION_LIMIT_EXCEEDED', 'transaction_limit', 'SOFT'],
    ['EXPIRED_CARD', 'card_expired', 'HARD'],
    ['INCORRECT_NUMBER', 'card_invalid', 'HARD'],
    ['INVALID_PURCHASE_TYPE', 'card_not_supported', 'HARD'],
    ['FRAUD_SUSPECTED', 'fraud_suspected', 'HARD'],
    ['OFF_SESSION_REJECTED', 'retry_blocked', 'HARD'],
    ['BUYER_CANCELED_PAYMENT_METHOD', 'agreement_cancelled', 'HARD'],
    ['PAYPAL_ERROR_GENERAL', 'paypal_error', 'SOFT'],
    ['EXPIRED_BUYER_ACTION', 'payment_cancelled', 'SOFT'],
    ['PAYMENT_METHOD_NOT_FOUND', 'method_missing', 'HARD'],
    ['INCORRECT_ZIP', 'address_mismatch', 'HARD'],
    ['INVALID_SHIPPING_ADDRESS', 'shipping_address_invalid', 'STORE'],
    ['AMOUNT_TOO_SMALL', 'amount_too_small', 'STORE'],
    ['AMOUNT_TOO_LARGE', 'amount_too_large', 'STORE'],
    ['INVALID_CURRENCY', 'currency_invalid', 'STORE'],
    ['CUSTOMER_INVALID', 'customer_missing', 'STORE'],
    ['GENERIC_ERROR', 'gateway_issue', 'SOFT'],
    ['MERCHANT_ACCOUNT_ERROR', 'provider_disabled', 'STORE'],
    ['MERCHANT_RULE', 'merchant_rule', 'STORE'],
    ['NON_TEST_ORDER_LIMIT_REACHED', 'test_mode', 'STORE'],
    ['FREE_GIFT_CARD_NOT_ALLOWED', 'gift_card', 'STORE'],
    ['INVOICE_ALREADY_PAID', 'already_paid', 'PAID'],
    ['TRANSIENT_ERROR', 'transient', 'SOFT'],
    ['UNEXPECTED_ERROR', 'unexpected', 'SOFT'],
    ['INSUFFICIENT_INVENTORY', 'out_of_stock', 'INVENTORY'],
    ['INVENTORY_ALLOCATIONS_NOT_FOUND', 'no_inventory_location', 'INVENTORY'],
  ])('%s is %s, %s', (code, key, kind) => {
    expect(categoryOf(code)).toMatchObject({ key, kind });
  });

  it('takes anything unknown as an unexpected error', () => {
    for (const code of ['SOMETHING_NEW', '', null, undefined]) expect(categoryOf(code).key).toBe('unexpected');
    expect(categoryOf(' card_declined ').key).toBe('card_declined');
  });

  it('gives every code one reason, and every reason its words', () => {
    const codes = FAILURE_CATEGORIES.flatMap(category => category.codes);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(FAILURE_CATEGORIES.map(({ label }) => label)).size).toBe(FAILURE_CATEGORIES.length);
    for (const { label, description, customerText } of FAILURE_CATEGORIES) {
      expect(label).not.toBe('');
      expect(description).toMatch(/\.$/);
      expect(customerText).toMatch(/\.$/);
    }
  });

  it('lists the hard declines', () => {
    expect(HARD_DECLINES).toEqual([
      'card_expired',
      'card_invalid',
      'card_not_supported',
      'fraud_suspected',
      'retry_blocked',
      'agreement_cancelled',
      'method_missing',
      'address_mismatch',
    ]);
    expect(() => failureCategory('rain' as never)).toThrow('"rain" is not a failure category.');
  });

  it("never blames the customer for the store's side", () => {
    const texts = FAILURE_CATEGORIES.filter(({ kind, key }) => kind === 'STORE' && key !== 'shipping_address_invalid').map(
      ({ customerText }) => customerText,
    );
    expect(new Set(texts)).toEqual(new Set(["We couldn't take the payment, please contact us."]));
  });
});
