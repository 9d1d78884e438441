// Stripe Checkout, simulated: pages on which a customer enters a card or pays, and what is there afterwards.
import type { JsonObject } from '../../../contract/types.ts';
import type { ProviderAnswer, ProviderRequest } from './provider-request.ts';

type Asked = Pick<ProviderRequest, 'method' | 'path' | 'headers'>;

/** What may be entered on a page; what its token does when it is charged says stripe-simulator.ts. */
const CARDS: readonly { key: string; title: string; last4: string }[] = [
  { key: 'pays', title: 'Visa, pays', last4: '4242' },
  { key: 'decline-insufficient_funds', title: 'Visa, has insufficient funds', last4: '9995' },
  { key: 'auth', title: 'Visa, asks the customer to confirm', last4: '3155' },
];
const seconds = (): number => Math.floor(Date.now() / 1000);
const inHtml = (text: string): string => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

export const error = (status: number, body: JsonObject): ProviderAnswer => ({ status, body: { error: body } });
/** What is there by an id, or Stripe's words where it is not. */
export const found = (kind: string, id: string, there: JsonObject | undefined): ProviderAnswer =>
  there
    ? { status: 200, body: there }
    : error(404, { type: 'invalid_request_error', code: 'resource_missing', param: kind, message: `No such ${kind}: '${id}'` });

/** "metadata[a]=1", or the like below another name. */
export function metadataIn(given: URLSearchParams, of = ''): JsonObject {
  const metadata: JsonObject = {};
  const start = of ? `${of}[metadata][` : 'metadata[';
  for (const [name, value] of given) if (name.startsWith(start)) metadata[name.slice(start.length, -1)] = value;
  return metadata;
}

export class StripePages {
  readonly #pay: (payment: JsonObject) => void;
  readonly #customers: JsonObject[] = [];
  readonly #sessions: JsonObject[] = [];
  readonly #intents: JsonObject[] = [];
  readonly #methods: JsonObject[] = [];
  /** What else was asked of a session. */
  readonly #given = new Map<string, URLSearchParams>();
  /** `pay`: keeps a payment that was made on a page. */
  constructor(pay: (payment: JsonObject) => void) {
    this.#pay = pay;
  }

  /** What a call would make; undefined for other calls. */
  made({ path, headers }: Asked): ((given: URLSearchParams) => ProviderAnswer) | undefined {
    if (path === '/v1/customers') return given => this.#customer(given);
    if (path === '/v1/checkout/sessions') return given => this.#session(given, String(headers.host));
    const [, expired] = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path) ?? [];
    return expired === undefined ? undefined : () => this.#expire(expired);
  }

  /** A payment method as it is from now on. */
  put(id: string, { customer, ...card }: { customer: string | null; exp_year?: number; last4?: string }): void {
    const at = this.#methods.findIndex(one => one.id === id);
    if (at >= 0) this.#methods.splice(at, 1);
    this.#methods.push(methodOf(id, customer, card));
  }
  /** Mandates by their ids. */
  readonly mandates = new Map<string, { method: string; status: 'active' | 'inactive' }>();

  look({ path }: Asked): ProviderAnswer | undefined {
    const [, mandate] = /^\/v1\/mandates\/(\w+)$/.exec(path) ?? [];
    if (mandate !== undefined) return found('mandate', mandate, this.#mandate(mandate));
    const [, kind = '', id = ''] = /^\/v1\/(checkout\/sessions|setup_intents|payment_methods)\/([\w-]+)$/.exec(path) ?? [];
    if (kind === 'checkout/sessions') return found('checkout.session', id, this.#over(this.#sessions.find(one => one.id === id)));
    if (kind === 'setup_intents')
      return found(
        'setup_intent',
        id,
        this.#intents.find(one => one.id === id),
      );
    const method = kind ? this.#methods.find(one => one.id === id) : undefined;
    return method && { status: 200, body: method };
  }

  /** The page itself, as a browser sees it; what is entered leads back. */
  page({ method, path, body }: Pick<ProviderRequest, 'method' | 'path' | 'body'>): { html: string } | { redirect: string } | undefined {
    const [, id = ''] = /^\/pay\/(\w+)$/.exec(path) ?? [];
    const session = this.#over(this.#sessions.find(one => one.id === id));
    if (!session) return undefined;
    if (session.status === 'complete') return { redirect: String(session.success_url) };
    if (session.status !== 'open') return { html: '<!doctype html><title>Stripe</title><h1>This page is over</h1>' };
    const key = new URLSearchParams(body).get('card');
    if (method === 'POST' && key) {
      this.#enter(session, key);
      return { redirect: String(session.success_url) };
    }
    const cards = CARDS.map(one => `<p><button name="card" value="${one.key}">${inHtml(one.title)}</button></p>`).join('');
    const amount = session.amount_total ? `<p>${String(session.amount_total)} ${String(session.currency)}</p>` : '';
    return {
      html:
        `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Stripe, simulated</title>` +
        `<h1>Stripe, simulated</h1>${amount}<form method="post">${cards}</form>` +
        `<p><a href="${inHtml(String(session.cancel_url))}">Back</a></p></html>`,
    };
  }

  #customer(given: URLSearchParams): ProviderAnswer {
    const customer: JsonObject = {
      id: `cus_${this.#customers.length + 1}`,
      object: 'customer',
      created: seconds(),
      livemode: false,
      email: given.get('email'),
      name: given.get('name'),
      metadata: metadataIn(given),
    };
    this.#customers.push(customer);
    return { status: 200, body: customer };
  }

  #session(given: URLSearchParams, host: string): ProviderAnswer {
    const of = given.get('customer') ?? '';
    if (of.includes('gone')) return error(400, missing('customer', of));
    const id = `cs_${this.#sessions.length + 1}`;
    const isPayment = given.get('mode') === 'payment';
    const session: JsonObject = {
      id,
      object: 'checkout.session',
      mode: given.get('mode'),
      status: 'open',
      payment_status: isPayment ? 'unpaid' : 'no_payment_required',
      url: `http://${host}/stripe/pay/${id}`,
      created: seconds(),
      expires_at: Number(given.get('expires_at') ?? seconds() + 86_400),
      customer: of,
      client_reference_id: given.get('client_reference_id'),
      payment_method_types: ['card'],
      success_url: given.get('success_url'),
      cancel_url: given.get('cancel_url'),
      metadata: metadataIn(given),
      amount_total: isPayment ? Number(given.get('line_items[0][price_data][unit_amount]')) : null,
      currency: isPayment ? given.get('line_items[0][price_data][currency]') : null,
      automatic_tax: { enabled: false },
      custom_fields: [],
      custom_text: {},
      shipping_options: [],
      livemode: false,
    };
    this.#sessions.push(session);
    this.#given.set(id, given);
    return { status: 200, body: session };
  }

  #over(session: JsonObject | undefined): JsonObject | undefined {
    if (session?.status === 'open' && Number(session.expires_at) <= seconds()) Object.assign(session, { status: 'expired', url: null });
    return session;
  }

  #mandate(id: string): JsonObject | undefined {
    const there = this.mandates.get(id);
    return (
      there && {
        id,
        object: 'mandate',
        type: 'multi_use',
        status: there.status,
        payment_method: there.method,
        payment_method_details: { type: 'card', card: {} },
        customer_acceptance: { type: 'offline', accepted_at: null },
        livemode: false,
      }
    );
  }

  #expire(id: string): ProviderAnswer {
    const session = this.#over(this.#sessions.find(one => one.id === id));
    if (session && session.status !== 'open')
      return error(400, { type: 'invalid_request_error', message: 'Only Checkout Sessions with a status in ["open"] can be expired.' });
    if (session) Object.assign(session, { status: 'expired', url: null });
    return found('checkout.session', id, session);
  }

  #enter(session: JsonObject, key: string): void {
    const card = CARDS.find(one => one.key === key) ?? CARDS[0];
    const given = this.#given.get(String(session.id)) ?? new URLSearchParams();
    const of = typeof session.customer === 'string' ? session.customer : null;
    const method = methodOf(`pm_${this.#methods.length + 1}_${key}`, of, { last4: card?.last4 ?? '4242' });
    this.#methods.push(method);
    const isPayment = session.mode === 'payment';
    const intent: JsonObject = {
      id: `${isPayment ? 'pi_page' : 'seti'}_${this.#intents.length + 1}`,
      object: isPayment ? 'payment_intent' : 'setup_intent',
      created: seconds(),
      livemode: false,
      customer: session.customer ?? null,
      payment_method: String(method.id),
      payment_method_types: ['card'],
      status: 'succeeded',
      metadata: metadataIn(given, isPayment ? 'payment_intent_data' : 'setup_intent_data'),
      ...(isPayment
        ? {
            amount: session.amount_total ?? 0,
            currency: session.currency ?? null,
            capture_method: 'automatic',
            confirmation_method: 'automatic',
            last_payment_error: null,
            setup_future_usage: given.get('payment_intent_data[setup_future_usage]'),
          }
        : { usage: 'off_session' }),
    };
    this.#intents.push(intent);
    if (isPayment) this.#pay(intent);
    Object.assign(session, {
      status: 'complete',
      url: null,
      payment_status: isPayment ? 'paid' : 'no_payment_required',
      [isPayment ? 'payment_intent' : 'setup_intent']: String(intent.id),
    });
  }
}

const methodOf = (id: string, customer: string | null, card: { exp_year?: number; last4?: string }): JsonObject => ({
  id,
  object: 'payment_method',
  type: 'card',
  created: seconds(),
  livemode: false,
  customer,
  billing_details: { name: 'Card holder' },
  card: { brand: 'visa', last4: '4242', exp_month: 11, exp_year: 2031, funding: 'credit', ...card },
});
const missing = (param: string, id: string): JsonObject => ({
  type: 'invalid_request_error',
  code: 'resource_missing',
  param,
  message: `No such ${param}: '${id}'`,
});
