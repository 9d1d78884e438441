// Previous payment providers, simulated, each answering in its own way. Of keys "disabled-" may not read payment methods and "other-" is
// another account's; payment tokens that begin with "none" are unknown, those with "bank" are bank accounts, all others are cards.
import type { JsonObject } from '../../../contract/types.ts';
import type { ProviderAnswer, ProviderRequest } from './provider-request.ts';
import { StripeCharges } from './stripe-simulator.ts';

const keyGiven = ({ headers }: ProviderRequest): string => {
  const { authorization = '' } = headers;
  return authorization.startsWith('Basic ') ? Buffer.from(authorization.slice(6), 'base64').toString() : authorization;
};
/** The last digits of a card follow from its token, so that two differ. */
const lastOf = (token: string): string => String([...token].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9000, 0) + 1000);
const EXPIRY = { month: 11, year: 2031 };

/** The answer of a provider; undefined for other apps. */
export function providerAnswer(got: ProviderRequest, charges: StripeCharges): ProviderAnswer | undefined {
  const provider = PROVIDERS[got.app];
  if (!provider) return undefined;
  if (keyGiven(got).includes('disabled-')) return { status: 403, body: { error: 'not enabled' } };
  return provider(got, charges);
}

const notFound: ProviderAnswer = { status: 404, body: { error: 'not found' } };
const ok = (body: JsonObject): ProviderAnswer => ({ status: 200, body });
const xml = (body: string): ProviderAnswer => ({ status: 200, body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` });

const PROVIDERS: Record<string, (got: ProviderRequest, charges: StripeCharges) => ProviderAnswer> = {
  stripe(got, charges) {
    const charged = charges.answer(got);
    if (charged) return charged;
    if (got.path === '/v1/account')
      return ok({ object: 'account', id: keyGiven(got).includes('other-') ? 'acct_other' : String(got.headers['stripe-account']) });
    const token = got.path.split('/').at(-1) ?? '';
    if (token.startsWith('none')) return notFound;
    const method = { id: token, object: 'payment_method', created: 1_760_000_000, livemode: false };
    if (token.startsWith('bank')) return ok({ ...method, type: 'us_bank_account', us_bank_account: {}, billing_details: {} });
    const card = { brand: 'visa', last4: lastOf(token), exp_month: EXPIRY.month, exp_year: EXPIRY.year, funding: 'credit' };
    return ok({ ...method, type: 'card', card, billing_details: { name: 'Card holder' } });
  },
  braintree(got) {
    const token = got.path.includes('/payment_methods/any/') ? (got.path.split('/').at(-1) ?? '') : undefined;
    if (token === undefined)
      return xml(`<merchant-accounts type="collection"><current-page-number type="integer">1</current-page-number>
  <page-size type="integer">50</page-size><total-items type="integer">1</total-items>
  <merchant-account><id>main</id><status>active</status><default type="boolean">true</default></merchant-account>
</merchant-accounts>`);
    if (token.startsWith('none')) return notFound;
    if (token.startsWith('bank')) return xml(`<us-bank-account><token>${token}</token><last-4>6789</last-4></us-bank-account>`);
    return xml(`<credit-card><bin>555555</bin><card-type>MasterCard</card-type><cardholder-name>Ann &amp; Ben Lee</cardholder-name>
  <default type="boolean">true</default><expiration-month>${EXPIRY.month}</expiration-month>
  <expiration-year>${EXPIRY.year}</expiration-year><expired type="boolean">false</expired><last-4>${lastOf(token)}</last-4>
  <prepaid>Unknown</prepaid><subscriptions type="array"/><billing-address nil="true"/><token>${token}</token></credit-card>`);
  },
  'authorize-net'(got) {
    const refused = (code: string): ProviderAnswer => ok({ messages: { resultCode: 'Error', message: [{ code, text: 'refused' }] } });
    const input = Object.values(JSON.parse(got.body || '{}') as JsonObject)[0] as JsonObject | undefined;
    const login = input?.merchantAuthentication as { transactionKey?: string } | undefined;
    if (login?.transactionKey?.includes('invalid-')) return refused('E00007');
    const token = input?.customerPaymentProfileId;
    const messages = { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] };
    if (typeof token !== 'string') return ok({ messages });
    if (token.startsWith('none')) return refused('E00040');
    const payment: JsonObject = token.startsWith('bank')
      ? { bankAccount: { accountNumber: 'XXXX6789' } }
      : { creditCard: { cardNumber: `XXXX${lastOf(token)}`, cardType: 'Visa', expirationDate: `${EXPIRY.year}-${EXPIRY.month}` } };
    return ok({ paymentProfile: { payment }, messages });
  },
  paypal(got) {
    if (got.path.startsWith('/v1/identity')) return ok(keyGiven(got).includes('other-') ? { payer_id: 'OTHER' } : {});
    const token = got.path.split('/').at(-1) ?? '';
    if (token.startsWith('none')) return notFound;
    return ok({
      id: token,
      state: token.startsWith('ended') ? 'CANCELLED' : 'ACTIVE',
      payer: { payer_info: { email: 'payer@example.com' } },
    });
  },
};
