// Charges through a store's own Stripe account: saved payment methods, without the customer (off session).
import type { JsonObject } from '../../../contract/types.ts';
import { NoOutcome, type Answer, type Charge, type FullGateway, type Outcome, type Refund, type RefundAnswer } from './gateway.ts';
import type { StripeAccount } from './stripe-account.ts';
import { stripeAmount } from './stripe-amount.ts';
import { errorIn, errorOf, keyAt, NOT_CONNECTED, objectOf, read, StripeClient, TEST_KEY, textOf, wordsOf } from './stripe-client.ts';
import { codeOf } from './stripe-codes.ts';

/** Stripe forgets keys a day after their first use; an hour less, for what is on its way. */
const KEYS_LIVE_MS = 23 * 3_600_000;
/** For so long (ms) a customer may confirm a payment at their bank. */
const CONFIRM_MS = 3_600_000;
/** Without the customer what the bank wants confirmed is refused: a payment that waits for them could succeed beside the next try. */
const ALONE = {
  off_session: 'true',
  error_on_requires_action: 'true',
  'automatic_payment_methods[enabled]': 'true',
  'automatic_payment_methods[allow_redirects]': 'never',
};
/** Name the charge and the refund in Stripe's metadata. */
export const MARK = 'perennial_charge';
export const REFUND_MARK = 'perennial_refund';

export class StripeGateway implements FullGateway {
  readonly #client: StripeClient;
  constructor(client: StripeClient) {
    this.#client = client;
  }

  keysLive(): number {
    return KEYS_LIVE_MS;
  }

  async charge(charge: Charge): Promise<Answer> {
    const account = await this.#client.account(charge.storeId);
    if (!account) return refused('PAYMENT_PROVIDER_IS_NOT_ENABLED', NOT_CONNECTED);
    if (this.#client.movesNothing(account)) return refused('TEST_MODE', TEST_KEY);
    const tokens = tokensOf(charge);
    if (!tokens.customer) return refused('CUSTOMER_NOT_FOUND', 'The payment method names no customer at Stripe.');
    const amount = stripeAmount(charge.amount, charge.currency);
    if (amount === null) return refused('INVALID_CURRENCY', `Stripe can't take exactly this amount in ${charge.currency}.`);
    const answer = await this.#client.send(account, 'POST', '/v1/payment_intents', {
      key: keyAt(account, charge),
      body: {
        amount: String(amount),
        currency: charge.currency.toLowerCase(),
        customer: tokens.customer,
        payment_method: tokens.payment,
        confirm: 'true',
        ...(charge.backUrl === undefined ? ALONE : { 'payment_method_types[0]': 'card', return_url: charge.backUrl }),
        [`metadata[${MARK}]`]: keyAt(account, charge),
      },
    });
    const body = read(answer);
    if (answer.status === 200) return outcomeOf(body);
    const error = errorOf(body);
    // The key was used for something else, or is being worked on: the money may have moved.
    if (answer.status === 409 || error.type === 'idempotency_error') throw new NoOutcome(wordsOf(answer, error));
    if (answer.status === 401 || answer.status === 403) return refused('PAYMENT_PROVIDER_IS_NOT_ENABLED', wordsOf(answer, error));
    if (answer.status === 400 || answer.status === 402 || answer.status === 404) return refused(codeOf(error), wordsOf(answer, error));
    throw new NoOutcome(wordsOf(answer, error));
  }

  /**
   * Looks through the payments of the customer. Stripe's search would be shorter, but lags behind by a minute and more, and is not to be
   * had in every country.
   */
  async lookup(charge: Charge): Promise<Answer | null> {
    const account = await this.#client.need(charge.storeId);
    const { customer } = tokensOf(charge);
    if (!customer) return null;
    const found = await this.#client.find(account, '/v1/payment_intents', { customer }, MARK, keyAt(account, charge));
    return found && outcomeOf(await this.#inTime(account, found));
  }

  /** Ends a payment that its customer did not confirm in time: it could succeed beside the next try. */
  async #inTime(account: StripeAccount, payment: JsonObject): Promise<JsonObject> {
    const [id, status] = [textOf(payment, 'id'), textOf(payment, 'status')];
    if (status !== 'requires_action' || Date.now() - Number(payment.created) * 1000 < CONFIRM_MS) return payment;
    const body = { cancellation_reason: 'abandoned' };
    // One that was confirmed meanwhile is not ended, which is an error; what it is says the look at it.
    await this.#client.send(account, 'POST', `/v1/payment_intents/${encodeURIComponent(id)}/cancel`, { body });
    const now = await this.#client.ask(account, 'GET', `/v1/payment_intents/${encodeURIComponent(id)}`);
    if (!now || textOf(now, 'status') === 'requires_action') throw new NoOutcome(`Stripe did not end the payment ${id}.`);
    return now;
  }

  async refund(refund: Refund): Promise<RefundAnswer> {
    const account = await this.#client.account(refund.storeId);
    if (!account) return { ok: false, message: NOT_CONNECTED };
    if (this.#client.movesNothing(account)) return { ok: false, message: TEST_KEY };
    const amount = stripeAmount(refund.amount, refund.currency);
    if (amount === null) return { ok: false, message: `Stripe can't give back exactly this amount in ${refund.currency}.` };
    const answer = await this.#client.send(account, 'POST', '/v1/refunds', {
      key: keyAt(account, refund),
      body: {
        payment_intent: refund.reference,
        amount: String(amount),
        reason: 'requested_by_customer',
        [`metadata[${REFUND_MARK}]`]: keyAt(account, refund),
      },
    });
    const body = read(answer);
    if (answer.status === 200) return refundOf(body);
    const error = errorOf(body);
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 409 && answer.status !== 429 && error.type !== 'idempotency_error')
      return { ok: false, message: wordsOf(answer, error) };
    throw new NoOutcome(wordsOf(answer, error));
  }

  async lookupRefund(refund: Refund): Promise<RefundAnswer | null> {
    const account = await this.#client.need(refund.storeId);
    const found = await this.#client.find(
      account,
      '/v1/refunds',
      { payment_intent: refund.reference },
      REFUND_MARK,
      keyAt(account, refund),
    );
    return found && refundOf(found);
  }
}

const refused = (code: string, message: string): Outcome => ({ ok: false, code, message });

/** "moved_stripe:<customer>:<payment method>" */
function tokensOf({ token }: Charge): { customer: string; payment: string } {
  const [, customer = '', payment = ''] = token.split(':');
  return { customer, payment };
}

/** What a PaymentIntent says. @throws NoOutcome for a state that a payment of ours never has */
function outcomeOf(payment: JsonObject): Answer {
  const [id, status] = [textOf(payment, 'id'), textOf(payment, 'status')];
  const error = errorIn(payment.last_payment_error);
  if (status === 'succeeded') return { ok: true, reference: id };
  if (status === 'processing') return 'PENDING';
  if (status === 'requires_action') {
    const waits = textOf(objectOf(objectOf(payment.next_action).redirect_to_url), 'url');
    if (waits) return { waits };
  }
  if (status === 'canceled' && textOf(payment, 'cancellation_reason') === 'abandoned')
    return refused('EXPIRED_BUYER_ACTION', 'The customer did not confirm the payment in time.');
  if (status === 'canceled') return refused('CANCELLED_PAYMENT', 'The payment was cancelled at Stripe.');
  if (status === 'requires_payment_method' && error.type) return refused(codeOf(error), error.message || 'Stripe refused the payment.');
  throw new NoOutcome(`The payment ${id} is in the state ${status} at Stripe.`);
}

/** What a Refund says. One that failed later, at the bank, is money that came back to the store. */
function refundOf(refund: JsonObject): RefundAnswer {
  const [id, status] = [textOf(refund, 'id'), textOf(refund, 'status')];
  if (status === 'succeeded') return { ok: true, reference: id };
  if (status === 'failed' || status === 'canceled')
    return { ok: false, message: `Stripe could not give the money back: ${textOf(refund, 'failure_reason') || status}.` };
  return 'PENDING';
}
