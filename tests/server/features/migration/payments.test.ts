// Payment methods of before, moved by the provider's tokens: the account connected, the method asked for, and what is wrong with it.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import { startVendorSimulator, type VendorRequest, type VendorSimulator } from '../../../../src/server/features/demo/vendor-simulator.ts';
import { moveWaiting } from '../../../../src/server/features/migration/payments/move-methods.ts';
import { readXml } from '../../../../src/server/platform/outgoing/xml.ts';
import { TestGateway } from '../../../../src/server/platform/gateway/test-gateway.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { file, FOREIGN, goodRow, Imports, soldVariants, type Row, type Sold } from './helpers.ts';

describe('moving payment methods', () => {
  let server: TestServer;
  let vendors: VendorSimulator;
  let imports: Imports;
  let customer: number;
  let variant: Sold;
  beforeAll(async () => {
    vendors = await startVendorSimulator();
    server = await startTestServer({ jobs: true, config: { workers: 0, vendorUrl: vendors.url }, seed: { contracts: 20, stores: 1 } });
    imports = new Imports(server);
    customer = Number((await imports.query('select id from customers where store_id = 1 order by id limit 1'))[0]?.id);
    variant = (await soldVariants(server.services.db))[0] as Sold;
  });
  afterAll(async () => {
    await server?.close();
    await vendors?.close();
  });
  const work = () => moveWaiting(server.services, 1, new AbortController().signal);
  const connect = async (provider: string, apiKey = 'key-of-the-store', accountId = 'acct_1'): Promise<JsonObject> => {
    const answer = await server.call('payment-providers.create', { provider, accountId, apiKey });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await work();
    return (await server.call('payment-providers.list', {})).data.find((one: JsonObject) => one.provider === provider);
  };
  const move = async (input: JsonObject): Promise<JsonObject> => {
    const answer = await server.call('payment-migrations.create', { customerId: customer, providerCustomerId: 'cus_1', ...input });
    if (answer.status !== 200) return answer.body;
    await work();
    return (await server.call('payment-migrations.read', { id: answer.data.id })).data;
  };

  test('an account is connected once the provider accepts its key, and it is the same account as before', async () => {
    expect(await move({ provider: 'STRIPE', providerPaymentId: 'pm_early' })).toMatchObject({
      errors: [{ pointer: '/provider', message: "Stripe isn't connected. Connect it among the providers first." }],
    });
    const refused = await connect('STRIPE', 'invalid-key');
    expect(refused).toMatchObject({
      status: 'NOT_CONNECTED',
      error: 'Stripe refused the key. Connect the account again with a key that is valid.',
    });
    expect(
      (await server.call('payment-providers.create', { provider: 'STRIPE', accountId: 'acct_2', apiKey: 'another-key' })).body.errors,
    ).toMatchObject([{ pointer: '/provider', message: 'An account of this provider is connected already. Remove it first.' }]);
    await server.call('payment-providers.delete', { id: refused.id as number });
    const other = await connect('STRIPE', 'other-key-1');
    expect(other).toMatchObject({
      status: 'NOT_CONNECTED',
      error: 'The key is that of the account acct_other at Stripe. Connect acct_1, the same account that charged your subscribers before.',
    });
    await server.call('payment-providers.delete', { id: other.id as number });
    const connected = await connect('STRIPE', 'sk_live_1234');
    expect(connected).toMatchObject({ status: 'CONNECTED', error: null, apiKey: '••••1234' });
    expect(JSON.stringify(await imports.query('select * from payment_providers'))).not.toContain('sk_live');
    for (const provider of ['BRAINTREE', 'AUTHORIZE_NET', 'PAYPAL_EXPRESS'])
      expect(await connect(provider)).toMatchObject({ status: 'CONNECTED' });
  });

  test('a card is moved by its tokens, kept once, and charged through the provider of before', async () => {
    for (const [provider, providerPaymentId, shown] of [
      ['STRIPE', 'pm_1', { type: 'CREDIT_CARD', brand: 'visa', expiry_month: 11, expiry_year: 2031, name: 'Card holder' }],
      ['BRAINTREE', 'bt_1', { type: 'CREDIT_CARD', brand: 'mastercard', expiry_month: 11, expiry_year: 2031 }],
      ['AUTHORIZE_NET', '4711', { type: 'CREDIT_CARD', brand: 'visa', expiry_month: 11, expiry_year: 2031 }],
      ['PAYPAL_EXPRESS', 'B-5YM51480DC838763', { type: 'PAYPAL', brand: 'paypal', paypal_account_email: 'payer@example.com' }],
    ] as const) {
      const moved = await move({ provider, providerPaymentId });
      expect(moved).toMatchObject({ status: 'IMPORTED', reason: null, customerId: customer });
      const [method] = await imports.query('select * from payment_methods where id = $1', [moved.paymentMethodId]);
      expect(method).toMatchObject({ ...shown, customer_id: customer });
      const charged = await new TestGateway(server.services.db).charge({
        storeId: 1,
        key: `moved-${provider}-1`,
        gateway: 'TEST',
        token: String(method?.gateway_token),
        amount: 100,
        currency: 'USD',
        at: new Date(),
      });
      expect(charged.ok).toBe(true);
    }
    expect(await move({ provider: 'STRIPE', providerPaymentId: 'pm_1' })).toMatchObject({
      errors: [{ pointer: '/providerPaymentId', message: 'This payment method was moved before.' }],
    });
    expect(await move({ provider: 'STRIPE', providerCustomerId: '', providerPaymentId: 'pm_2' })).toMatchObject({ code: 'VALIDATION' });
  });

  test("Braintree is asked as its official client asks it, and the client reads the simulator's answers as the product does", async () => {
    const braintree = createRequire(join(ensureJudges(), 'package.json'))('braintree');
    const { hostname, port } = new URL(vendors.url);
    const client = new braintree.BraintreeGateway({
      environment: new braintree.Environment(hostname, port, '', false, hostname, port),
      merchantId: 'acct_1',
      publicKey: 'key',
      privateKey: 'of-the-store',
    });
    // The simulator stands below a path of its own.
    client.config.baseMerchantPath = () => '/braintree/merchants/acct_1';
    await server.call('payment-providers.delete', {
      id: Number((await imports.query("select id from payment_providers where provider = 'BRAINTREE'"))[0]?.id),
    });
    vendors.received.length = 0;
    await connect('BRAINTREE', 'key:of-the-store');
    const moved = await move({ provider: 'BRAINTREE', providerPaymentId: 'bt_2' });
    const ours = [...vendors.received];
    vendors.received.length = 0;
    const accounts: JsonObject[] = [];
    for await (const account of client.merchantAccount.all()) accounts.push(account);
    const method = await client.paymentMethod.find('bt_2');
    const shape = ({ method: verb, path, headers }: VendorRequest) => [
      verb,
      path,
      ...['accept', 'x-apiversion', 'authorization'].map(name => headers[name]),
    ];
    expect(ours.map(shape)).toEqual(vendors.received.map(shape));
    expect(accounts).toMatchObject([{ id: 'main', status: 'active' }]);
    const [stored] = await imports.query('select * from payment_methods where id = $1', [moved.paymentMethodId]);
    expect(method).toMatchObject({
      cardType: 'MasterCard',
      last4: stored?.last_digits,
      cardholderName: stored?.name,
      expirationMonth: String(stored?.expiry_month),
      expirationYear: String(stored?.expiry_year),
    });
    expect(stored?.name).toBe('Ann & Ben Lee');
  });

  test('XML is read by names, lists and nothing, and is refused where it is not well-formed or brings entities of its own', () => {
    expect(readXml('<a-b><last-4> 12 </last-4><c nil="true"/><d type="array"><e>1</e><e>2</e></d><f>1</f><f/></a-b>')).toEqual({
      aB: { last4: '12', c: null, d: ['1', '2'], f: ['1', ''] },
    });
    for (const wrong of ['<a><b></a>', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'text', '']) expect(() => readXml(wrong)).toThrow();
  });

  test('what the provider finds wrong is a code and a sentence, and it is tried again', async () => {
    for (const [provider, providerPaymentId, reason] of [
      ['STRIPE', 'none-1', 'STRIPE_RETURNED_NO_PAYMENT_METHOD'],
      ['STRIPE', 'bank-1', 'STRIPE_PAYMENT_METHOD_NOT_CARD'],
      ['BRAINTREE', 'none-1', 'BRAINTREE_RETURNED_NO_PAYMENT_METHOD'],
      ['BRAINTREE', 'bank-1', 'BRAINTREE_PAYMENT_METHOD_NOT_CARD'],
      ['AUTHORIZE_NET', 'none-1', 'AUTHORIZE_NET_RETURNED_NO_PAYMENT_METHOD'],
      ['AUTHORIZE_NET', 'bank-1', 'AUTHORIZE_NET_PAYMENT_METHOD_NOT_CARD'],
      ['PAYPAL_EXPRESS', 'ended-1', 'PAYPAL_RETURNED_NO_PAYMENT_METHOD'],
    ])
      expect(await move({ provider, providerPaymentId } as JsonObject)).toMatchObject({ status: 'FAILED', reason, paymentMethodId: null });
    const [wrong] = (await server.call('payment-migrations.list', { filter: { status: ['FAILED'], provider: ['STRIPE'] } })).data as [
      JsonObject,
    ];
    const id = Number(wrong.id);
    expect(
      (await server.call('payment-migrations.correct', { id, providerCustomerId: 'cus_1', providerPaymentId: 'pm_1' })).body.errors,
    ).toMatchObject([{ pointer: '/providerPaymentId', message: 'This payment method was moved before.' }]);
    expect(
      (await server.call('payment-migrations.correct', { id, providerCustomerId: 'cus_1', providerPaymentId: 'pm_right' })).status,
    ).toBe(200);
    await work();
    expect((await server.call('payment-migrations.read', { id })).data).toMatchObject({
      status: 'IMPORTED',
      providerPaymentId: 'pm_right',
      reason: null,
    });
    expect((await server.call('payment-migrations.correct', { id, providerPaymentId: 'pm_other' })).status).toBe(409);
    // The account is gone, then its key is refused, then all is well again.
    const [stripe] = await imports.query<{ id: number }>("select id from payment_providers where provider = 'STRIPE'");
    const failed = await (async () => {
      const made = await server.call('payment-migrations.create', {
        provider: 'STRIPE',
        customerId: customer,
        providerCustomerId: 'cus_1',
        providerPaymentId: 'pm_late',
      });
      await server.call('payment-providers.delete', { id: Number(stripe?.id) });
      await work();
      return (await server.call('payment-migrations.read', { id: made.data.id })).data;
    })();
    expect(failed).toMatchObject({ status: 'FAILED', reason: 'STRIPE_GATEWAY_NOT_ENABLED' });
    await connect('STRIPE', 'sk_live_1234');
    expect((await server.call('payment-migrations.retry', { id: failed.id })).status).toBe(200);
    await work();
    expect((await server.call('payment-migrations.read', { id: failed.id })).data).toMatchObject({
      status: 'IMPORTED',
      reason: null,
      error: null,
    });
  });

  test('the customer may be made on the way, and their subscriptions without a method are paid with it', async () => {
    const imported = await imports.imported(file([goodRow('pay', variant, { Email: 'late.payer@elsewhere.example' })]));
    expect(imported).toMatchObject({ imported: 1 });
    const [contract] = await imports.query("select * from contracts where external_id = 'sub-pay'");
    expect(contract?.payment_method_id).toBeNull();
    const moved = await move({ provider: 'STRIPE', customerId: Number(contract?.customer_id), providerPaymentId: 'pm_late_payer' });
    const [after] = await imports.query("select * from contracts where external_id = 'sub-pay'");
    expect(Number(after?.payment_method_id)).toBe(moved.paymentMethodId);
    const answer = await server.call('payment-migrations.create', {
      provider: 'STRIPE',
      isNewCustomer: true,
      newCustomer: { email: 'brand.new@elsewhere.example', lastName: 'New' },
      providerCustomerId: 'cus_9',
      providerPaymentId: 'pm_new',
    });
    await work();
    const fresh = (await server.call('payment-migrations.read', { id: answer.data.id })).data;
    expect(fresh).toMatchObject({ status: 'IMPORTED', customerName: 'New' });
    // Without a provider no customer is made.
    const without = {
      isNewCustomer: true,
      newCustomer: { email: 'unknown@elsewhere.example', lastName: 'No' },
      providerPaymentId: 'pm_no',
    };
    const refused = await server.call('payment-migrations.create', without);
    expect([refused.status, refused.body.errors?.map(({ pointer }) => pointer)]).toEqual([422, expect.arrayContaining(['/provider'])]);
    expect(await imports.query("select id from customers where email = 'unknown@elsewhere.example'")).toEqual([]);
  });

  test('a file of subscriptions names payment methods, which are moved after it; it says where one is incomplete', async () => {
    const heads = [...Object.keys(FOREIGN), 'Payment provider', 'Stripe customer id', 'Payment token'];
    const rows = ['f1', 'f2', 'f3'].map((name, i) => ({
      ...goodRow(name, variant),
      'Payment provider': ['Stripe', 'stripe', 'Klarna'][i],
      'Stripe customer id': `cus_${name}`,
      'Payment token': i === 1 ? '' : `pm_${name}`,
    })) as Row[];
    const mails = await imports.count('outbox');
    const { id } = await imports.imported(file(rows, heads));
    expect((await imports.rows(id)).map(({ status, wrongColumns }) => [status, wrongColumns])).toEqual([
      ['IMPORTED', ''],
      ['FAILED', 'Payment token'],
      ['FAILED', 'Payment provider'],
    ]);
    await work();
    const [contract] = await imports.query(
      "select c.*, p.gateway_token from contracts c left join payment_methods p on p.store_id = c.store_id and p.id = c.payment_method_id where external_id = 'sub-f1'",
    );
    expect(contract?.gateway_token).toBe('moved_stripe:cus_f1:pm_f1');
    expect(await imports.count('outbox')).toBe(mails);
  });

  test('C379 analytics hear of subscriptions that came from another app', async () => {
    const { data } = await server.call('analytics.checkRecentMigration', {});
    const [made] = await imports.query("select count(*)::integer as n from contracts where source = 'MIGRATION'");
    expect(data).toEqual({ hasRecentMigration: true, migratedAt: expect.stringMatching(/^\d{4}-/), count: made?.n });
    await imports.query("update contracts set created_at = created_at - interval '100 days' where source = 'MIGRATION'");
    expect((await server.call('analytics.checkRecentMigration', {})).data).toEqual({
      hasRecentMigration: false,
      migratedAt: null,
      count: 0,
    });
  });
});
