// What is asked of the providers that charged the subscribers before: whether a key is that of the account, and what a token stands for.
// Each of them is asked, and answers, in a way of its own.
import { brandNamed } from '../../../../domain/text/card.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { PaymentProvider } from '../../../../generated/entities.ts';
import type { Config } from '../../../platform/config.ts';
import { OutgoingError, type Outgoing, type OutgoingAnswer, type OutgoingRequest } from '../../../platform/outgoing/outgoing.ts';
import { readXml } from '../../../platform/outgoing/xml.ts';

export type ProviderKey = PaymentProvider['provider'];
/** An account with its key. */
export interface Account {
  provider: ProviderKey;
  id: string;
  key: string;
}
export interface Tokens {
  customer: string;
  payment: string;
}
/** What may be shown of a payment method. */
export interface MovedMethod {
  type: 'CREDIT_CARD' | 'PAYPAL';
  brand: string;
  lastDigits: string | null;
  name: string | null;
  expiryMonth: number | null;
  expiryYear: number | null;
  paypalEmail: string | null;
}
export type FaultKind =
  | 'API_AUTHENTICATION_ERROR'
  | 'GATEWAY_NOT_ENABLED'
  | 'PAYMENT_METHOD_NOT_CARD'
  | 'RETURNED_NO_PAYMENT_METHOD'
  | 'UNREACHABLE';

/** What went wrong: the code that the platform gives it, and a sentence. */
export class ProviderFault extends Error {
  readonly reason: string;
  constructor(provider: ProviderKey, kind: FaultKind, message: string) {
    super(message);
    this.reason = `${PROVIDERS[provider].prefix}_${kind}`;
  }
}

type Asked = Pick<OutgoingRequest, 'method' | 'headers' | 'body'> & { path: string };
interface Provider {
  name: string;
  /** How codes of what went wrong begin, and its part of a simulator's address. */
  prefix: string;
  baseUrl: string;
  account(account: Account): Asked;
  method(account: Account, tokens: Tokens): Asked;
  /** The id of the account that a key belongs to, where the answer says it. */
  idOf(answer: JsonObject): string | undefined;
  /** What the answer says; a kind of fault where it stands for none that can be moved. */
  read(answer: JsonObject): MovedMethod | FaultKind;
}

const inside = (value: JsonValue | undefined, ...path: string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (one, name) => (one !== null && typeof one === 'object' && !Array.isArray(one) ? one[name] : undefined),
    value,
  );
const textAt = (value: JsonValue | undefined, ...path: string[]): string => {
  const found = inside(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
};
const basic = (key: string) => `Basic ${Buffer.from(key).toString('base64')}`;
const json = { accept: 'application/json', 'content-type': 'application/json' };
/** Braintree speaks XML, in the version that its own client names. */
const braintree = (key: string) => ({ accept: 'application/xml', 'x-apiversion': '6', authorization: basic(key) });
const part = encodeURIComponent;

const card = (brand: string, last: string, month: string, year: string, name = ''): MovedMethod => ({
  type: 'CREDIT_CARD',
  brand: brandNamed(brand),
  lastDigits: last.slice(-4) || null,
  name: name || null,
  expiryMonth: Number(month) || null,
  expiryYear: Number(year) || null,
  paypalEmail: null,
});

/** Authorize.net is asked everything at one address. */
const authorizeNet = ({ id, key }: Account, request: string, more: JsonObject = {}): Asked => ({
  method: 'POST',
  path: '/xml/v1/request.api',
  headers: json,
  body: JSON.stringify({ [request]: { merchantAuthentication: { name: id, transactionKey: key }, ...more } }),
});

export const PROVIDERS: Record<ProviderKey, Provider> = {
  STRIPE: {
    name: 'Stripe',
    prefix: 'STRIPE',
    baseUrl: 'https://api.stripe.com',
    account: ({ id, key }) => ({ method: 'GET', path: '/v1/account', headers: { authorization: `Bearer ${key}`, 'stripe-account': id } }),
    method: ({ id, key }, { customer, payment }) => ({
      method: 'GET',
      path: `/v1/customers/${part(customer)}/payment_methods/${part(payment)}`,
      headers: { authorization: `Bearer ${key}`, 'stripe-account': id },
    }),
    idOf: answer => textAt(answer, 'id'),
    read: answer =>
      textAt(answer, 'type') !== 'card'
        ? 'PAYMENT_METHOD_NOT_CARD'
        : card(
            textAt(answer, 'card', 'brand'),
            textAt(answer, 'card', 'last4'),
            textAt(answer, 'card', 'exp_month'),
            textAt(answer, 'card', 'exp_year'),
            textAt(answer, 'billing_details', 'name'),
          ),
  },
  BRAINTREE: {
    name: 'Braintree',
    prefix: 'BRAINTREE',
    baseUrl: 'https://api.braintreegateway.com',
    account: ({ id, key }) => ({ method: 'GET', path: `/merchants/${part(id)}/merchant_accounts?page=1`, headers: braintree(key) }),
    method: ({ id, key }, { payment }) => ({
      method: 'GET',
      path: `/merchants/${part(id)}/payment_methods/any/${part(payment)}`,
      headers: braintree(key),
    }),
    idOf: () => undefined,
    read: answer =>
      inside(answer, 'creditCard') === undefined
        ? 'PAYMENT_METHOD_NOT_CARD'
        : card(
            textAt(answer, 'creditCard', 'cardType'),
            textAt(answer, 'creditCard', 'last4'),
            textAt(answer, 'creditCard', 'expirationMonth'),
            textAt(answer, 'creditCard', 'expirationYear'),
            textAt(answer, 'creditCard', 'cardholderName'),
          ),
  },
  AUTHORIZE_NET: {
    name: 'Authorize.net',
    prefix: 'AUTHORIZE_NET',
    baseUrl: 'https://api.authorize.net',
    account: account => authorizeNet(account, 'getMerchantDetailsRequest'),
    method: (account, { customer, payment }) =>
      authorizeNet(account, 'getCustomerPaymentProfileRequest', {
        customerProfileId: customer,
        customerPaymentProfileId: payment,
        unmaskExpirationDate: 'true',
      }),
    idOf: () => undefined,
    read(answer) {
      const found = inside(answer, 'paymentProfile', 'payment');
      const [year = '', month = ''] = textAt(found, 'creditCard', 'expirationDate').split('-');
      if (found === undefined) return 'RETURNED_NO_PAYMENT_METHOD';
      return inside(found, 'creditCard') === undefined
        ? 'PAYMENT_METHOD_NOT_CARD'
        : card(textAt(found, 'creditCard', 'cardType'), textAt(found, 'creditCard', 'cardNumber'), month, year);
    },
  },
  PAYPAL_EXPRESS: {
    name: 'PayPal Express',
    prefix: 'PAYPAL',
    baseUrl: 'https://api-m.paypal.com',
    account: ({ key }) => ({
      method: 'GET',
      path: '/v1/identity/oauth2/userinfo?schema=paypalv1.1',
      headers: { authorization: `Bearer ${key}` },
    }),
    method: ({ key }, { payment }) => ({
      method: 'GET',
      path: `/v1/billing-agreements/agreements/${part(payment)}`,
      headers: { authorization: `Bearer ${key}` },
    }),
    idOf: answer => textAt(answer, 'payer_id'),
    read: answer =>
      textAt(answer, 'state') !== 'ACTIVE'
        ? 'RETURNED_NO_PAYMENT_METHOD'
        : {
            type: 'PAYPAL',
            brand: 'paypal',
            lastDigits: null,
            name: null,
            expiryMonth: null,
            expiryYear: null,
            paypalEmail: textAt(answer, 'payer', 'payer_info', 'email') || null,
          },
  },
};

const SENTENCES: Record<FaultKind, (name: string) => string> = {
  API_AUTHENTICATION_ERROR: name => `${name} refused the key. Connect the account again with a key that is valid.`,
  GATEWAY_NOT_ENABLED: name =>
    `${name} isn't connected, or its key may not read payment methods. Connect it among the providers, then try again.`,
  PAYMENT_METHOD_NOT_CARD: name => `The token is that of a bank account or a wallet at ${name}. Give the token of a card.`,
  RETURNED_NO_PAYMENT_METHOD: name =>
    `${name} knows no payment method by these tokens. Look whether both belong to the account that is connected.`,
  UNREACHABLE: name => `${name} did not answer. Try again in some minutes.`,
};
export const faultOf = (provider: ProviderKey, kind: FaultKind): ProviderFault =>
  new ProviderFault(provider, kind, SENTENCES[kind](PROVIDERS[provider].name));

type Asking = { outgoing: Outgoing; config: Pick<Config, 'vendorUrl'> };

/** Whether the key is that of the account. @throws ProviderFault */
export async function checkAccount(asking: Asking, account: Account): Promise<void> {
  const { name, account: question, idOf } = PROVIDERS[account.provider];
  const id = idOf(await ask(asking, account, question(account)));
  if (id && id !== account.id)
    throw new ProviderFault(
      account.provider,
      'API_AUTHENTICATION_ERROR',
      `The key is that of the account ${id} at ${name}. Connect ${account.id}, the same account that charged your subscribers before.`,
    );
}

/** What tokens stand for. @throws ProviderFault */
export async function readMethod(asking: Asking, account: Account, tokens: Tokens): Promise<MovedMethod> {
  const { method, read } = PROVIDERS[account.provider];
  const found = read(await ask(asking, account, method(account, tokens)));
  if (typeof found === 'string') throw faultOf(account.provider, found);
  return found;
}

async function ask({ outgoing, config }: Asking, { provider }: Account, { path, ...request }: Asked): Promise<JsonObject> {
  const { baseUrl, prefix } = PROVIDERS[provider];
  const base = config.vendorUrl ? `${config.vendorUrl}/${prefix.toLowerCase().replace('_', '-')}` : baseUrl;
  let answer: OutgoingAnswer;
  try {
    answer = await outgoing.send({ ...request, url: `${base}${path}` });
  } catch (error) {
    if (error instanceof OutgoingError) throw faultOf(provider, 'UNREACHABLE');
    throw error;
  }
  if (answer.status === 401) throw faultOf(provider, 'API_AUTHENTICATION_ERROR');
  if (answer.status === 403) throw faultOf(provider, 'GATEWAY_NOT_ENABLED');
  if (answer.status === 404) throw faultOf(provider, 'RETURNED_NO_PAYMENT_METHOD');
  if (answer.status >= 300) throw faultOf(provider, 'UNREACHABLE');
  const body = parsed(answer.body);
  const code = textAt(firstOf(inside(body, 'messages', 'message')), 'code');
  if (textAt(body, 'messages', 'resultCode') === 'Error')
    throw faultOf(provider, code === 'E00007' ? 'API_AUTHENTICATION_ERROR' : 'RETURNED_NO_PAYMENT_METHOD');
  return body;
}
const firstOf = (value: JsonValue | undefined): JsonValue | undefined => (Array.isArray(value) ? value[0] : undefined);

/** The object that an answer in JSON or XML is; an empty one where it is none. Authorize.net begins with a byte order mark. */
function parsed(text: string): JsonObject {
  try {
    if (/^\uFEFF?\s*</.test(text)) return readXml(text);
    const found = JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue;
    return found !== null && typeof found === 'object' && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}
