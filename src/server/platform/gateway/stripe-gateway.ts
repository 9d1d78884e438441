// Charges through a store's own Stripe account: saved payment methods, without the customer (off session).
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Outgoing, OutgoingAnswer } from '../outgoing/outgoing.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import { NoOutcome, type Answer, type Charge, type FullGateway, type Outcome, type Refund, type RefundAnswer } from './gateway.ts';
import { accountOf, type StripeAccount } from './stripe-account.ts';
import { stripeAmount } from './stripe-amount.ts';
import { codeOf, type StripeError } from './stripe-codes.ts';

/** The version of the API: that of the official client which tests compare with. */
export const STRIPE_VERSION = '2026-10-28.endive';
/** Stripe forgets keys a day after their first use; an hour less, for what is on its way. */
const KEYS_LIVE_MS = 23 * 3_600_000;
/** A bank may take long to answer. */
const TIMEOUT_MS = 40_000;
/** Payments of a customer that are read at once, the most that Stripe gives. */
const PAGE = 100;
/** Name the charge and the refund in Stripe's metadata. */
const MARK = 'perennial_charge';
const REFUND_MARK = 'perennial_refund';

export class StripeGateway implements FullGateway {
  readonly #services: { db: Database; secrets: SecretBox; outgoing: Outgoing; config: Pick<Config, 'vendorUrl'> };
  constructor(services: { db: Database; secrets: SecretBox; outgoing: Outgoing; config: Pick<Config, 'vendorUrl'> }) {
    this.#services = services;
  }

  keysLive(): number {
    return KEYS_LIVE_MS;
  }

  async charge(charge: Charge): Promise<Answer> {
    const account = await accountOf(this.#services, charge.storeId);
    if (!account) return refused('PAYMENT_PROVIDER_IS_NOT_ENABLED', 'The Stripe account is not connected any more.');
    if (this.#movesNothing(account)) return refused('TEST_MODE', TEST_KEY);
    const tokens = tokensOf(charge);
    if (!tokens.customer) return refused('CUSTOMER_NOT_FOUND', 'The payment method names no customer at Stripe.');
    const amount = stripeAmount(charge.amount, charge.currency);
    if (amount === null) return refused('INVALID_CURRENCY', `Stripe can't take exactly this amount in ${charge.currency}.`);
    const answer = await this.#send(account, 'POST', '/v1/payment_intents', {
      key: keyAt(account, charge),
      body: {
        amount: String(amount),
        currency: charge.currency.toLowerCase(),
        customer: tokens.customer,
        payment_method: tokens.payment,
        confirm: 'true',
        off_session: 'true',
        // What the bank wants confirmed is refused now. A payment that waits for the customer could succeed beside the next try.
        error_on_requires_action: 'true',
        'automatic_payment_methods[enabled]': 'true',
        'automatic_payment_methods[allow_redirects]': 'never',
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
    const account = await accountOf(this.#services, charge.storeId);
    if (!account) throw new NoOutcome('The Stripe account is not connected any more.');
    if (this.#movesNothing(account)) throw new NoOutcome(TEST_KEY);
    const { customer } = tokensOf(charge);
    if (!customer) return null;
    const found = await this.#find(account, '/v1/payment_intents', { customer }, MARK, keyAt(account, charge));
    return found && outcomeOf(found);
  }

  async refund(refund: Refund): Promise<RefundAnswer> {
    const account = await accountOf(this.#services, refund.storeId);
    if (!account) return { ok: false, message: 'The Stripe account is not connected any more.' };
    if (this.#movesNothing(account)) return { ok: false, message: TEST_KEY };
    const amount = stripeAmount(refund.amount, refund.currency);
    if (amount === null) return { ok: false, message: `Stripe can't give back exactly this amount in ${refund.currency}.` };
    const answer = await this.#send(account, 'POST', '/v1/refunds', {
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
    const account = await accountOf(this.#services, refund.storeId);
    if (!account) throw new NoOutcome('The Stripe account is not connected any more.');
    if (this.#movesNothing(account)) throw new NoOutcome(TEST_KEY);
    const found = await this.#find(account, '/v1/refunds', { payment_intent: refund.reference }, REFUND_MARK, keyAt(account, refund));
    return found && refundOf(found);
  }

  /** The object of a list whose metadata has the mark; null where none has. @throws NoOutcome */
  async #find(
    account: StripeAccount,
    path: string,
    filter: Record<string, string>,
    mark: string,
    value: string,
  ): Promise<JsonObject | null> {
    for (let after = ''; ;) {
      const query = new URLSearchParams({ ...filter, limit: String(PAGE), ...(after ? { starting_after: after } : {}) });
      const answer = await this.#send(account, 'GET', `${path}?${query}`);
      const body = read(answer);
      const { data: page } = body;
      if (answer.status !== 200 || !Array.isArray(page)) {
        const error = errorOf(body);
        // What is listed by is not there at this account, so it has none.
        if (error.code === 'resource_missing') return null;
        throw new NoOutcome(wordsOf(answer, error));
      }
      const found = page.map(objectOf).find(one => textOf(objectOf(one.metadata), mark) === value);
      if (found) return found;
      after = textOf(objectOf(page.at(-1)), 'id');
      if (!after || body.has_more !== true) return null;
    }
  }

  /** Where Stripe itself is called: the stand-in of a demo has keys of this form as well. */
  #movesNothing(account: StripeAccount): boolean {
    return !this.#services.config.vendorUrl && isTestKey(account.key);
  }

  async #send(
    account: StripeAccount,
    method: 'GET' | 'POST',
    path: string,
    { key, body }: { key?: string; body?: Record<string, string> } = {},
  ): Promise<OutgoingAnswer> {
    const { outgoing, config } = this.#services;
    return outgoing.send({
      method,
      url: `${config.vendorUrl ? `${config.vendorUrl}/stripe` : 'https://api.stripe.com'}${path}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${account.key}`,
        'stripe-account': account.id,
        'stripe-version': STRIPE_VERSION,
        ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: new URLSearchParams(body).toString() } : {}),
      timeoutMs: TIMEOUT_MS,
    });
  }
}

const refused = (code: string, message: string): Outcome => ({ ok: false, code, message });

/** A key of Stripe's test mode: its payments succeed and move no money, and it knows none of the live ones. */
const isTestKey = (key: string): boolean => /^(?:sk|rk)_test_/.test(key);
const TEST_KEY = 'The key of the account is one of Stripe’s test mode, which moves no money.';

/** Another installation with the same account counts its stores and orders alike, so the key says whose it is. */
const keyAt = (account: StripeAccount, { key }: { key: string }): string => `perennial-${account.mark}-${key}`;

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

const objectOf = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
const textOf = (object: JsonObject, name: string): string => {
  const { [name]: found } = object;
  return typeof found === 'string' ? found : '';
};

function read({ body }: OutgoingAnswer): JsonObject {
  try {
    return objectOf(JSON.parse(body) as JsonValue);
  } catch {
    return {};
  }
}
function errorIn(value: JsonValue | undefined): StripeError {
  const error = objectOf(value);
  const of = (name: string): string => textOf(error, name);
  return {
    type: of('type'),
    code: of('code'),
    declineCode: of('decline_code'),
    adviceCode: of('advice_code'),
    param: of('param'),
    message: of('message'),
  };
}
const errorOf = ({ error }: JsonObject): StripeError => errorIn(error);
const wordsOf = ({ status }: OutgoingAnswer, { message }: StripeError): string => message || `Stripe answered ${status}.`;
