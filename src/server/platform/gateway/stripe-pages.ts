// Stripe Checkout: the page on which a customer enters a card, or pays the first order.
import { brandNamed } from '../../../domain/text/card.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Vaulted } from './card-vault.ts';
import { NoOutcome } from './gateway.ts';
import type { HostedPages, KnownPage, NewPage, OpenedPage, PageState } from './hosted-pages.ts';
import type { StripeAccount } from './stripe-account.ts';
import { stripeAmount } from './stripe-amount.ts';
import { keyAt, objectOf, type StripeClient, textOf } from './stripe-client.ts';
import { MARK } from './stripe-gateway.ts';

/** Names the page in Stripe's metadata. */
export const PAGE_MARK = 'perennial_page';
const SESSIONS = '/v1/checkout/sessions';
/** Languages of the page; in others it follows the browser. */
const LANGUAGES =
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi ' +
  'zh zh-HK zh-TW';

export class StripePages implements HostedPages {
  readonly #client: StripeClient;
  constructor(client: StripeClient) {
    this.#client = client;
  }

  async openPage(page: NewPage): Promise<OpenedPage> {
    const account = await this.#client.need(page.storeId);
    const known = page.customer.reference;
    return (known && (await this.#open(account, page, known))) || this.#openForNew(account, page);
  }

  async pageState({ storeId, key, reference }: KnownPage): Promise<PageState> {
    const account = await this.#client.need(storeId);
    return this.#stateOf(account, key, await this.#client.ask(account, 'GET', `${SESSIONS}/${encodeURIComponent(reference)}`));
  }

  async closePage(page: KnownPage): Promise<PageState> {
    const account = await this.#client.need(page.storeId);
    // One that is done or over is not closed, which is an error; what it is says the look at it.
    await this.#client.send(account, 'POST', `${SESSIONS}/${encodeURIComponent(page.reference)}/expire`, { body: {} });
    const state = await this.pageState(page);
    if (state.is === 'OPEN') throw new NoOutcome('Stripe did not close the page.');
    return state;
  }

  async #openForNew(account: StripeAccount, page: NewPage): Promise<OpenedPage> {
    const customer = await this.#client.ask(account, 'POST', '/v1/customers', {
      key: keyAt(account, { key: `${page.key}-customer` }),
      body: { email: page.customer.email, name: page.customer.name, [`metadata[${PAGE_MARK}]`]: keyAt(account, page) },
    });
    const opened = customer && (await this.#open(account, page, textOf(customer, 'id'), '-new'));
    if (!opened) throw new NoOutcome('Stripe does not know the customer that it has just made.');
    return opened;
  }

  /** Undefined where Stripe does not know the customer. `suffix`: of the key, as what is asked under one key is always the same. */
  async #open(account: StripeAccount, page: NewPage, customer: string, suffix = ''): Promise<OpenedPage | undefined> {
    const mark = keyAt(account, page);
    const session = await this.#client.ask(account, 'POST', SESSIONS, {
      key: `${mark}${suffix}`,
      body: {
        customer,
        'payment_method_types[0]': 'card',
        success_url: page.doneUrl,
        cancel_url: page.leftUrl,
        client_reference_id: mark,
        [`metadata[${PAGE_MARK}]`]: mark,
        ...(page.until ? { expires_at: String(Math.floor(page.until.getTime() / 1000)) } : {}),
        locale: LANGUAGES.split(' ').includes(page.language) ? page.language : 'auto',
        ...(page.payment ? paymentOf(page.payment, mark) : { mode: 'setup', [`setup_intent_data[metadata][${PAGE_MARK}]`]: mark }),
      },
    });
    return session && { reference: textOf(session, 'id'), customer, url: textOf(session, 'url') };
  }

  async #stateOf(account: StripeAccount, key: string, session: JsonObject | undefined): Promise<PageState> {
    if (!session) throw new NoOutcome('Stripe does not know the page.');
    if (textOf(objectOf(session.metadata), PAGE_MARK) !== keyAt(account, { key }))
      throw new NoOutcome('The page at Stripe is another one.');
    const status = textOf(session, 'status');
    if (status === 'expired') return { is: 'ENDED' };
    const open: PageState = { is: 'OPEN', url: textOf(session, 'url') };
    if (status !== 'complete') return open;
    const isPayment = textOf(session, 'mode') === 'payment';
    const [kind, id] = isPayment
      ? ['payment_intents', textOf(session, 'payment_intent')]
      : ['setup_intents', textOf(session, 'setup_intent')];
    const intent = await this.#client.ask(account, 'GET', `/v1/${kind}/${encodeURIComponent(id)}`);
    if (!intent || textOf(intent, 'status') !== 'succeeded') return open;
    const method = textOf(intent, 'payment_method');
    const card = await readCard(this.#client, account, textOf(session, 'customer'), method);
    if (!card) throw new NoOutcome(`Stripe does not know the card ${method}.`);
    return { is: 'DONE', card, payment: isPayment ? id : null };
  }
}

function paymentOf({ amount, currency, what }: NonNullable<NewPage['payment']>, mark: string): Record<string, string> {
  const units = stripeAmount(amount, currency);
  if (units === null) throw new NoOutcome(`Stripe can't take exactly this amount in ${currency}.`);
  return {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(units),
    'line_items[0][price_data][product_data][name]': what,
    'payment_intent_data[setup_future_usage]': 'off_session',
    [`payment_intent_data[metadata][${MARK}]`]: mark,
  };
}

/** What may be shown of a card, with the token that it is charged by; undefined where Stripe knows no such card. */
export async function readCard(
  client: StripeClient,
  account: StripeAccount,
  customer: string,
  method: string,
): Promise<Vaulted | undefined> {
  const found = await client.ask(account, 'GET', `/v1/payment_methods/${encodeURIComponent(method)}`);
  if (!found || textOf(found, 'type') !== 'card') return undefined;
  const card = objectOf(found.card);
  return {
    brand: brandNamed(textOf(card, 'brand')),
    lastDigits: textOf(card, 'last4'),
    name: textOf(objectOf(found.billing_details), 'name'),
    expiryMonth: Number(card.exp_month),
    expiryYear: Number(card.exp_year),
    token: `moved_stripe:${customer}:${method}`,
  };
}
