// How a store's own Stripe account is called, and what its answers say.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Outgoing, OutgoingAnswer } from '../outgoing/outgoing.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import { NoOutcome } from './gateway.ts';
import { accountOf, type StripeAccount } from './stripe-account.ts';
import type { StripeError } from './stripe-codes.ts';

/** The version of the API: that of the official client which tests compare with. */
export const STRIPE_VERSION = '2026-10-28.endive';
/** A bank may take long to answer. */
const TIMEOUT_MS = 40_000;
/** Objects of a list that are read at once, the most that Stripe gives. */
const PAGE = 100;

export const TEST_KEY = 'The key of the account is one of Stripe’s test mode, which moves no money.';
export const NOT_CONNECTED = 'The Stripe account is not connected any more.';

export interface StripeServices {
  db: Database;
  secrets: SecretBox;
  outgoing: Outgoing;
  config: Pick<Config, 'vendorUrl'>;
}
type Sent = { key?: string; body?: Readonly<Record<string, string>> };

export class StripeClient {
  readonly #services: StripeServices;
  constructor(services: StripeServices) {
    this.#services = services;
  }

  account(storeId: number): Promise<StripeAccount | undefined> {
    return accountOf(this.#services, storeId);
  }

  /** Where Stripe itself is called: the stand-in of a demo has keys of this form as well. */
  movesNothing(account: StripeAccount): boolean {
    return !this.#services.config.vendorUrl && isTestKey(account.key);
  }

  /** The account, to be read from or to ask for pages. @throws NoOutcome where there is none that moves money */
  async need(storeId: number): Promise<StripeAccount> {
    const account = await this.account(storeId);
    if (!account) throw new NoOutcome(NOT_CONNECTED);
    if (this.movesNothing(account)) throw new NoOutcome(TEST_KEY);
    return account;
  }

  /** One call. Any status is an answer. @throws OutgoingError */
  send(account: StripeAccount, method: 'GET' | 'POST', path: string, { key, body }: Sent = {}): Promise<OutgoingAnswer> {
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

  /** What a call answers that has to be done; undefined where Stripe knows no such thing. @throws NoOutcome, OutgoingError */
  async ask(account: StripeAccount, method: 'GET' | 'POST', path: string, sent: Sent = {}): Promise<JsonObject | undefined> {
    const answer = await this.send(account, method, path, sent);
    const body = read(answer);
    if (answer.status === 200) return body;
    const error = errorOf(body);
    if (error.code === 'resource_missing') return undefined;
    throw new NoOutcome(wordsOf(answer, error));
  }

  /** The object of a list whose metadata has the mark; null where none has. @throws NoOutcome */
  async find(
    account: StripeAccount,
    path: string,
    filter: Record<string, string>,
    mark: string,
    value: string,
  ): Promise<JsonObject | null> {
    for (let after = ''; ;) {
      const query = new URLSearchParams({ ...filter, limit: String(PAGE), ...(after ? { starting_after: after } : {}) });
      const body = await this.ask(account, 'GET', `${path}?${query}`);
      // What is listed by is not there at this account, so it has none.
      if (!body) return null;
      const { data: page } = body;
      if (!Array.isArray(page)) throw new NoOutcome('Stripe answered no list.');
      const found = page.map(objectOf).find(one => textOf(objectOf(one.metadata), mark) === value);
      if (found) return found;
      after = textOf(objectOf(page.at(-1)), 'id');
      if (!after || body.has_more !== true) return null;
    }
  }
}

/** A key of Stripe's test mode: its payments succeed and move no money, and it knows none of the live ones. */
const isTestKey = (key: string): boolean => /^(?:sk|rk)_test_/.test(key);

/** Another installation with the same account counts its stores and orders alike, so the key says whose it is. */
export const keyAt = (account: StripeAccount, { key }: { key: string }): string => `perennial-${account.mark}-${key}`;

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
export const textOf = (object: JsonObject, name: string): string => {
  const { [name]: found } = object;
  return typeof found === 'string' ? found : '';
};

export function read({ body }: OutgoingAnswer): JsonObject {
  try {
    return objectOf(JSON.parse(body) as JsonValue);
  } catch {
    return {};
  }
}
export function errorIn(value: JsonValue | undefined): StripeError {
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
export const errorOf = ({ error }: JsonObject): StripeError => errorIn(error);
export const wordsOf = ({ status }: OutgoingAnswer, { message }: StripeError): string => message || `Stripe answered ${status}.`;
