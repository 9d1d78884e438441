// Payments at Stripe, simulated: what charges through a store's account do, with keys that are remembered, and refunds. A payment method
// whose token has "decline-<code>" in it is refused with that decline code, "pending" is processed for a while, "auth" wants the customer.
import type { JsonObject } from '../../../contract/types.ts';
import type { ProviderAnswer, ProviderRequest } from './provider-request.ts';
import { error, found, metadataIn, StripePages } from './stripe-pages-simulator.ts';

interface Kept {
  body: string;
  answer: ProviderAnswer;
}
type Asked = Pick<ProviderRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>;
/** What a call makes, or an error. */
type Make = (given: URLSearchParams) => ProviderAnswer;

export class StripeCharges {
  /** Pages on which customers enter cards. */
  readonly pages = new StripePages(payment => this.#payments.push(payment));
  readonly #payments: JsonObject[] = [];
  readonly #refunds: JsonObject[] = [];
  readonly #healed = new Set<string>();
  readonly #disputes = new Map<string, JsonObject>();
  readonly #keys = new Map<string, Kept>();

  /** The answer about payments; undefined for what is about something else. */
  answer(got: Asked): ProviderAnswer | undefined {
    const make = this.#made(got);
    if (got.method === 'GET') return this.#looked(got) ?? this.pages.look(got);
    if (!make) return undefined;
    const key = String(got.headers['idempotency-key'] ?? '');
    const known = this.#keys.get(key);
    const body = [...new URLSearchParams(got.body)].map(String).sort().join('\n');
    if (known && known.body !== body)
      return error(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      });
    const answer = known?.answer ?? make(new URLSearchParams(got.body));
    if (key) this.#keys.set(key, { body, answer });
    return answer;
  }

  #made(got: Asked): Make | undefined {
    if (got.path === '/v1/refunds') return given => this.#refund(given);
    if (got.path === '/v1/payment_intents') return given => this.#charge(given, String(got.headers.host));
    const [, cancelled] = /^\/v1\/payment_intents\/(\w+)\/cancel$/.exec(got.path) ?? [];
    if (cancelled !== undefined) return given => this.#cancel(cancelled, given);
    return this.pages.made(got);
  }
  #looked(got: Asked): ProviderAnswer | undefined {
    if (got.path === '/v1/refunds') return this.#list(got, this.#refunds, 'payment_intent');
    if (got.path === '/v1/payment_intents') return this.#list(got, this.#payments, 'customer');
    const [, disputed] = /^\/v1\/disputes\/(\w+)$/.exec(got.path) ?? [];
    if (disputed !== undefined) return found('dispute', disputed, this.#disputes.get(disputed));
    const [, id] = /^\/v1\/payment_intents\/(\w+)$/.exec(got.path) ?? [];
    return id === undefined
      ? undefined
      : found(
          'payment_intent',
          id,
          this.#payments.find(one => one.id === id),
        );
  }

  /** Stripe forgets keys after a day. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  /** The page of a bank, on which a customer confirms a payment, or refuses to. */
  bank({ method, path, body }: Pick<ProviderRequest, 'method' | 'path' | 'body'>): { html: string } | { redirect: string } | undefined {
    const [, id] = /^\/bank\/(\w+)$/.exec(path) ?? [];
    const payment = id === undefined ? undefined : this.#payments.find(one => one.id === id);
    if (!payment) return undefined;
    const next = (payment.next_action ?? {}) as { redirect_to_url?: { return_url?: string } };
    if (method !== 'POST')
      return {
        html:
          '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Your bank</title>' +
          '<h1>Your bank, simulated</h1><form method="post"><p><button name="confirm" value="yes">Confirm</button></p>' +
          '<p><button name="confirm" value="no">Refuse</button></p></form></html>',
      };
    if (payment.status === 'requires_action') {
      const isConfirmed = new URLSearchParams(body).get('confirm') === 'yes';
      const failure = { type: 'card_error', code: 'payment_intent_authentication_failure', message: 'It was not confirmed.' };
      Object.assign(payment, isConfirmed ? { status: 'succeeded' } : { status: 'requires_payment_method', last_payment_error: failure });
    }
    return { redirect: next.redirect_to_url?.return_url ?? '' };
  }
  #cancel(id: string, given: URLSearchParams): ProviderAnswer {
    const payment = this.#payments.find(one => one.id === id);
    if (payment && payment.status !== 'requires_action')
      return error(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: 'It can’t be canceled.' });
    if (payment) Object.assign(payment, { status: 'canceled', cancellation_reason: given.get('cancellation_reason'), next_action: null });
    return found('payment_intent', id, payment);
  }
  /** As if so much time (s) had passed since payments were made. */
  age(seconds: number): void {
    for (const one of this.#payments) one.created = Number(one.created) - seconds;
  }

  /** The bank of a card takes from now on what it refused. */
  heal(token: string): void {
    this.#healed.add(token);
  }
  /** A customer disputes a payment at their bank, or the bank decides. */
  dispute(payment: string, status: 'needs_response' | 'under_review' | 'won' | 'lost'): string {
    const paid = this.#payments.find(one => one.id === payment);
    const id = `dp_${payment}`;
    this.#disputes.set(id, {
      id,
      object: 'dispute',
      amount: paid?.amount ?? 0,
      currency: paid?.currency ?? 'usd',
      payment_intent: payment,
      charge: `ch_${payment}`,
      reason: 'product_not_received',
      status,
      created: Math.floor(Date.now() / 1000),
      balance_transactions: [],
      evidence: {},
      evidence_details: { due_by: Math.floor(Date.now() / 1000) + 864_000, has_evidence: false, past_due: false, submission_count: 0 },
      is_charge_refundable: false,
      livemode: false,
      metadata: {},
    });
    return id;
  }
  /** The bank of a customer refuses what was given back. */
  failRefund(id: string): void {
    for (const one of this.#refunds) if (one.id === id) Object.assign(one, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  }

  /** What was processed for a while is over. */
  finish(status: 'succeeded' | 'requires_payment_method'): void {
    for (const one of this.#payments)
      if (one.status === 'processing')
        Object.assign(one, { status, last_payment_error: status === 'succeeded' ? null : cardError('insufficient_funds') });
  }

  #list({ path, query }: Asked, of: readonly JsonObject[], by: string): ProviderAnswer {
    const all = of.filter(one => one[by] === query.get(by)).toReversed();
    const from = all.findIndex(one => one.id === query.get('starting_after')) + 1;
    const data = all.slice(from, from + Number(query.get('limit') ?? 10));
    return { status: 200, body: { object: 'list', url: path, data, has_more: from + data.length < all.length } };
  }

  #refund(given: URLSearchParams): ProviderAnswer {
    const of = given.get('payment_intent') ?? '';
    const payment = this.#payments.find(one => one.id === of);
    if (!payment) return found('payment_intent', of, payment);
    const before = this.#refunds.reduce((sum, one) => sum + (one.payment_intent === of ? Number(one.amount) : 0), 0);
    const amount = Number(given.get('amount'));
    if (before + amount > Number(payment.amount))
      return error(400, {
        type: 'invalid_request_error',
        code: 'charge_already_refunded',
        message: 'Refund amount is greater than unrefunded amount on charge.',
      });
    const refund: JsonObject = {
      id: `re_${this.#refunds.length + 1}`,
      object: 'refund',
      amount,
      currency: payment.currency ?? null,
      payment_intent: of,
      reason: given.get('reason'),
      created: Math.floor(Date.now() / 1000),
      metadata: metadataIn(given),
      status: 'succeeded',
    };
    this.#refunds.push(refund);
    return { status: 200, body: refund };
  }

  #charge(given: URLSearchParams, host: string): ProviderAnswer {
    const token = given.get('payment_method') ?? '';
    if (token.includes('none'))
      return error(400, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'payment_method',
        message: `No such PaymentMethod: '${token}'`,
      });
    const back = given.get('return_url');
    const [, decline] = /decline-(\w+)/.exec(token) ?? (token.includes('auth') && back === null ? ['', 'authentication_required'] : []);
    const failure = decline === undefined || this.#healed.has(token) ? null : cardError(decline);
    const id = `pi_${this.#payments.length + 1}`;
    const payment: JsonObject = {
      id,
      object: 'payment_intent',
      amount: Number(given.get('amount')),
      currency: given.get('currency'),
      customer: given.get('customer'),
      payment_method: failure ? null : token,
      payment_method_types: ['card'],
      capture_method: 'automatic',
      confirmation_method: 'automatic',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      metadata: metadataIn(given),
      ...(token.includes('auth') && back !== null
        ? { next_action: { type: 'redirect_to_url', redirect_to_url: { url: `http://${host}/stripe/bank/${id}`, return_url: back } } }
        : {}),
      status: failure
        ? 'requires_payment_method'
        : token.includes('auth')
          ? 'requires_action'
          : token.includes('pending')
            ? 'processing'
            : 'succeeded',
      last_payment_error: failure,
    };
    this.#payments.push(payment);
    return failure ? error(402, { ...failure, payment_intent: { ...payment } }) : { status: 200, body: payment };
  }
}

/** "card_declined" with the bank's reason, as Stripe says it. */
const cardError = (reason: string): JsonObject => ({
  type: 'card_error',
  code: reason === 'authentication_required' || reason === 'expired_card' ? reason : 'card_declined',
  decline_code: reason,
  message: 'Your card was declined.',
});
