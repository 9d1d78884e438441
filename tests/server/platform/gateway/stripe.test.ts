// Charges through a store's own Stripe account, with Stripe's own client and description of its API as judges; and what every gateway does.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { FAILURE_CATEGORIES } from '../../../../src/domain/recovery/failure-codes.ts';
import { runDue } from '../../../../src/server/engine/charging/run-due.ts';
import { startVendorSimulator, type VendorSimulator } from '../../../../src/server/features/demo/vendor-simulator.ts';
import { overdueOrders } from '../../../../src/server/features/alerts/checks/orders.ts';
import { moveWaiting } from '../../../../src/server/features/migration/payments/move-methods.ts';
import type { Charge } from '../../../../src/server/platform/gateway/gateway.ts';
import { gatewayOf, isOutcome } from '../../../../src/server/platform/gateway/gateway.ts';
import { stripeAmount } from '../../../../src/server/platform/gateway/stripe-amount.ts';
import { toDecimal } from '../../../../src/domain/money/money.ts';
import { refunds } from '../../../../src/server/features/subscriptions/jobs/refunds.ts';
import { codeOf, STRIPE_CODES } from '../../../../src/server/platform/gateway/stripe-codes.ts';
import { STRIPE_VERSION } from '../../../../src/server/platform/gateway/stripe-client.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { startStripeJudge, type StripeJudge } from '../../../support/stripe-judge.ts';

const Stripe = createRequire(join(ensureJudges(), 'package.json'))('stripe');
const PLATFORM_CODES = new Set<string>(FAILURE_CATEGORIES.flatMap(({ codes }) => codes));

describe('Stripe', () => {
  let vendors: VendorSimulator;
  let judge: StripeJudge;
  let server: TestServer;
  const query = async <T = Record<string, any>>(text: string, values: unknown[] = []): Promise<T[]> =>
    // any: see TestServer
    (await server.services.db.ownerQuery<T & object>(text, values)).rows;
  let provider = 0;
  let count = 0;
  const charge = (more: Partial<Charge> = {}): Charge => ({
    storeId: 1,
    key: `1-77-${++count}`,
    gateway: 'STRIPE',
    token: 'moved_stripe:cus_1:pm_1',
    amount: 1995,
    currency: 'USD',
    at: new Date(),
    ...more,
  });
  const paymentsOf = async (customer = 'cus_1'): Promise<JsonObject[]> =>
    ((await (await fetch(`${vendors.url}/stripe/v1/payment_intents?customer=${customer}&limit=100`)).json()) as { data: JsonObject[] })
      .data;

  beforeAll(async () => {
    vendors = await startVendorSimulator();
    judge = await startStripeJudge(vendors.url);
    server = await startTestServer({ jobs: true, config: { workers: 0, vendorUrl: judge.url }, seed: { contracts: 12, stores: 1 } });
    const made = await server.call('payment-providers.create', { provider: 'STRIPE', accountId: 'acct_1', apiKey: 'sk_test_of_the_store' });
    expect(made.status).toBe(200);
    await moveWaiting(server.services, 1, new AbortController().signal);
    const [row] = await query("select id, status from payment_providers where provider = 'STRIPE'");
    expect([row?.status, judge.mistakes]).toEqual(['CONNECTED', []]);
    provider = Number(row?.id);
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    await judge?.close();
    await vendors?.close();
  });
  beforeEach(() => {
    vendors.received.length = 0;
    judge.mistakes.length = 0;
  });

  describe.each([
    ['the test gateway', { gateway: 'TEST', token: 'tok_success' }, (code: string) => `tok_decline_${code}`],
    ['Stripe', { gateway: 'STRIPE', token: 'moved_stripe:cus_1:pm_1' }, (code: string) => `moved_stripe:cus_1:pm_decline-${code}`],
  ] as const)('%s', (_name, good, declined) => {
    test('takes the money of a key once, and says the same of it whenever it is called or looked up', async () => {
      const { gateway } = server.services;
      const once = charge(good);
      expect(await gateway.lookup(once)).toBeNull();
      const first = await gateway.charge(once);
      expect(first).toMatchObject({ ok: true, reference: expect.stringMatching(/./) });
      expect(await gateway.charge(once)).toEqual(first);
      expect(await gateway.lookup(once)).toEqual(first);
      await expect(gateway.charge({ ...once, amount: once.amount + 1 })).rejects.toThrow(/key/i);
      expect(await gateway.lookup(charge(good))).toBeNull();
      expect(judge.mistakes).toEqual([]);
    });

    test('gives back what it took in parts, each once, and no more', async () => {
      const { gateway } = server.services;
      const once = charge(good);
      const taken = await gateway.charge(once);
      if (!isOutcome(taken) || !taken.ok) throw new Error('It was not paid.');
      const refund = { ...once, key: `refund-${once.key}-1`, reference: taken.reference, amount: 500 };
      expect(await gateway.lookupRefund(refund)).toBeNull();
      const first = await gateway.refund(refund);
      expect(first).toMatchObject({ ok: true, reference: expect.stringMatching(/./) });
      expect(await gateway.refund(refund)).toEqual(first);
      expect(await gateway.lookupRefund(refund)).toEqual(first);
      const rest = { ...refund, key: `refund-${once.key}-2`, amount: 1495 };
      expect(await gateway.refund({ ...rest, key: `${rest.key}-more`, amount: 1496 })).toMatchObject({ ok: false });
      expect(await gateway.refund(rest)).toMatchObject({ ok: true });
      expect(await gateway.refund({ ...rest, key: `${rest.key}-again`, amount: 1 })).toMatchObject({ ok: false });
      expect(judge.mistakes).toEqual([]);
    });

    test('says why it refuses, again the same', async () => {
      const { gateway } = server.services;
      for (const [said, code] of [
        ['insufficient_funds', 'INSUFFICIENT_FUNDS'],
        ['expired_card', 'EXPIRED_CARD'],
        ['do_not_honor', 'DO_NOT_HONOR'],
      ] as const) {
        const refused = charge({ ...good, token: declined(said) });
        const answer = await gateway.charge(refused);
        expect(answer).toMatchObject({ ok: false, code, message: expect.stringMatching(/./) });
        expect(await gateway.lookup(refused)).toEqual(answer);
      }
      expect(judge.mistakes).toEqual([]);
    });
  });

  test('is called as its official client calls it, in the version of that client, which reads its answers', async () => {
    const one = charge();
    await server.services.gateway.charge(one);
    const [ours] = vendors.received;
    vendors.received.length = 0;
    const { hostname, port } = new URL(judge.url);
    const client = new Stripe('sk_test_of_the_store', {
      host: hostname,
      port,
      protocol: 'http',
      stripeAccount: 'acct_1',
      maxNetworkRetries: 0,
    });
    const key = String(ours?.headers['idempotency-key']);
    expect(key).toMatch(/^perennial-[0-9a-z]+-1-77-\d+$/);
    const read = await client.paymentIntents.create(
      {
        amount: 1995,
        currency: 'usd',
        customer: 'cus_1',
        payment_method: 'pm_1',
        confirm: true,
        off_session: true,
        error_on_requires_action: true,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { perennial_charge: key },
      },
      { idempotencyKey: key },
    );
    const [theirs] = vendors.received;
    const shape = (got: (typeof vendors.received)[number] | undefined) => [
      got?.method,
      got?.path,
      [...new URLSearchParams(got?.body)].sort(([a], [b]) => (a < b ? -1 : 1)),
      ...['authorization', 'stripe-account', 'stripe-version', 'content-type', 'idempotency-key'].map(name => got?.headers[name]),
    ];
    expect(shape(ours)).toEqual(shape(theirs));
    vendors.received.length = 0;
    await server.services.gateway.refund({ ...one, key: 'refund-1', reference: read.id, amount: 95 });
    const refundKey = String(vendors.received[0]?.headers['idempotency-key']);
    await client.refunds.create(
      { payment_intent: read.id, amount: 95, reason: 'requested_by_customer', metadata: { perennial_refund: refundKey } },
      { idempotencyKey: refundKey },
    );
    expect(shape(vendors.received[0])).toEqual(shape(vendors.received[1]));
    expect(STRIPE_VERSION).toBe(theirs?.headers['stripe-version']);
    expect(read).toMatchObject({ status: 'succeeded', amount: 1995, metadata: { perennial_charge: key } });
    expect(await server.services.gateway.lookup(one)).toEqual({ ok: true, reference: read.id });
    await expect(
      client.paymentIntents.create({
        amount: 1,
        currency: 'usd',
        customer: 'cus_1',
        payment_method: 'pm_decline-lost_card',
        confirm: true,
      }),
    ).rejects.toMatchObject({ type: 'StripeCardError', decline_code: 'lost_card' });
    expect(judge.mistakes).toEqual([]);
    // The judge does find a mistake.
    await fetch(`${judge.url}/v1/payment_intents`, { method: 'POST', body: new URLSearchParams({ amount: 'much', curency: 'usd' }) });
    expect(judge.mistakes.join()).toMatch(/must be integer.*|must NOT have additional properties/);
  });

  test('a charge whose answer is lost is found among all payments of the customer, and not made again', async () => {
    const { gateway } = server.services;
    const lost = charge({ token: 'moved_stripe:cus_many:pm_1' });
    judge.fault = 'after';
    await expect(gateway.charge(lost)).rejects.toThrow();
    judge.fault = null;
    for (let i = 0; i < 101; i++) await gateway.charge(charge({ token: 'moved_stripe:cus_many:pm_1' }));
    expect(await paymentsOf('cus_many')).toHaveLength(100);
    expect(await gateway.lookup(lost)).toMatchObject({ ok: true });
    judge.fault = 'before';
    const never = charge();
    await expect(gateway.charge(never)).rejects.toThrow();
    await expect(gateway.lookup(never)).rejects.toThrow();
    judge.fault = null;
    expect(await gateway.lookup(never)).toBeNull();
    expect(judge.mistakes).toEqual([]);
  });

  test('each of its codes is one of the platform; advice not to try again is followed; other words are unexpected', () => {
    for (const [code, ours] of STRIPE_CODES) expect([code, PLATFORM_CODES.has(ours)]).toEqual([code, true]);
    const error = { type: 'card_error', code: 'card_declined', declineCode: '', adviceCode: '', param: '', message: '' };
    expect(codeOf({ ...error, declineCode: 'authentication_required' })).toBe('AUTHENTICATION_REQUIRED');
    expect(codeOf({ ...error, declineCode: 'a_new_one' })).toBe('CARD_DECLINED');
    expect(codeOf({ ...error, code: 'a_new_one' })).toBe('UNEXPECTED_ERROR');
    expect(codeOf({ ...error, declineCode: 'insufficient_funds', adviceCode: 'do_not_try_again' })).toBe('RETRY_DECLINED');
    expect(codeOf({ ...error, declineCode: 'stolen_card', adviceCode: 'do_not_try_again' })).toBe('FRAUD_SUSPECTED');
    expect(codeOf({ ...error, code: 'resource_missing', param: 'customer' })).toBe('CUSTOMER_NOT_FOUND');
  });

  test('amounts are exactly those of the order, in the units of Stripe', async () => {
    expect(
      (
        [
          [1995, 'USD'],
          [1995, 'JPY'],
          [1995, 'ISK'],
          [1995, 'UGX'],
          [1990, 'KWD'],
          [1995, 'KWD'],
          [199500, 'MGA'],
          [1995, 'MGA'],
        ] as const
      ).map(([amount, currency]) => stripeAmount(amount, currency)),
    ).toEqual([1995, 1995, 199500, 199500, 1990, null, 1995, null]);
    expect(await server.services.gateway.charge(charge({ currency: 'KWD' }))).toMatchObject({ ok: false, code: 'INVALID_CURRENCY' });
    expect(vendors.received).toEqual([]);
  });

  test('what Stripe does not know is refused by its name, and a key it refuses is a fault of the store', async () => {
    const { gateway } = server.services;
    expect(await gateway.charge(charge({ token: 'moved_stripe:cus_1:pm_none' }))).toMatchObject({
      ok: false,
      code: 'PAYMENT_METHOD_NOT_FOUND',
    });
    expect(await gateway.charge(charge({ token: 'moved_stripe::pm_1' }))).toMatchObject({ ok: false, code: 'CUSTOMER_NOT_FOUND' });
    expect(judge.mistakes).toEqual([]);
    expect((await server.call('payment-providers.renew', { id: provider, apiKey: 'invalid-key-1' })).status).toBe(200);
    const refused = charge();
    expect(await gateway.charge(refused)).toMatchObject({ ok: false, code: 'PAYMENT_PROVIDER_IS_NOT_ENABLED' });
    await expect(gateway.lookup(refused)).rejects.toThrow();
    await moveWaiting(server.services, 1, new AbortController().signal);
    expect((await server.call('payment-providers.startCharging', { id: provider })).status).toBe(409);
    await server.call('payment-providers.renew', { id: provider, apiKey: 'sk_test_of_the_store' });
    await moveWaiting(server.services, 1, new AbortController().signal);
    expect(await gateway.charge(charge())).toMatchObject({ ok: true });
  });

  test('a store chooses to charge moved methods through it; orders are then paid there, or wait while it processes them', async () => {
    const isFree = { is_demo: true, charges_through: [] };
    expect(gatewayOf('tok_success', isFree)).toBe('TEST');
    expect(gatewayOf('moved_stripe:cus_1:pm_1', isFree)).toBe('TEST');
    expect(gatewayOf('moved_stripe:cus_1:pm_1', { is_demo: false, charges_through: [] })).toBeNull();
    expect(gatewayOf('moved_braintree:cus_1:pm_1', { is_demo: false, charges_through: ['STRIPE'] })).toBeNull();

    const [contract] = await query("select id, customer_id from contracts where status = 'ACTIVE' and dunning is null order by id limit 1");
    const [id, customer] = [Number(contract?.id), Number(contract?.customer_id)];
    const orderOf = async (orderId: number): Promise<JsonObject> =>
      (await server.call('subscription-contract.ordersHistory', { id, limit: 10 })).data.find((one: JsonObject) => one.id === orderId);
    /** Given back in two parts, through a broken line; a person gives back no more than was paid, and needs the right to charge. */
    const refundIt = async (paid: JsonObject): Promise<void> => {
      const [orderId, total] = [Number(paid.order_id), Number(paid.amount)];
      const refund = (minor: number, as?: 'readOnly') =>
        server.call(
          'subscription-contract.refundOrder',
          { id, orderId, amount: toDecimal(minor, 'USD'), reason: 'Came broken' },
          as ? { as } : {},
        );
      expect((await orderOf(orderId)).actions).toContain('refundOrder');
      expect((await refund(100, 'readOnly')).status).toBe(403);
      expect((await refund(total + 1)).body.errors).toMatchObject([{ pointer: '/amount' }]);
      expect((await refund(0)).status).toBe(422);
      expect((await refund(100)).status).toBe(200);
      expect(await orderOf(orderId)).toMatchObject({ totalRefunded: '1.00', financialStatus: 'PARTIALLY_REFUNDED' });
      judge.fault = 'after';
      expect((await refund(total - 100)).status).toBe(200);
      judge.fault = null;
      expect(await orderOf(orderId)).toMatchObject({ totalRefunded: '1.00', refunding: toDecimal(total - 100, 'USD'), refundable: '0.00' });
      expect((await refund(1)).status).toBe(409);
      await query("update refunds set created_at = created_at - interval '3 minutes' where status = 'PENDING'");
      await refunds.run(server.services, {}, jobWith());
      expect(await orderOf(orderId)).toMatchObject({
        totalRefunded: toDecimal(total, 'USD'),
        refunding: '0.00',
        financialStatus: 'REFUNDED',
      });
      expect((await orderOf(orderId)).actions).not.toContain('refundOrder');
      expect((await refund(1)).status).toBe(409);
      const given = await query('select amount, status, created_by from refunds where order_id = $1 order by id', [orderId]);
      expect(given.map(({ amount, status }) => [Number(amount), status])).toEqual([
        [100, 'DONE'],
        [total - 100, 'DONE'],
      ]);
      const events = await query("select key, data from events where contract_id = $1 and key = 'order_refunded' order by id", [id]);
      expect(events.map(({ data }) => [data.amount, data.reason])).toEqual([
        ['1.00', 'Came broken'],
        [toDecimal(total - 100, 'USD'), 'Came broken'],
      ]);
      const back = (await (
        await fetch(`${vendors.url}/stripe/v1/refunds?payment_intent=${String(paid.gateway_reference)}&limit=100`)
      ).json()) as { data: JsonObject[] };
      expect(back.data.map(one => one.amount)).toEqual([total - 100, 100]);
    };
    const pay = async (payment: string): Promise<JsonObject> => {
      await server.call('payment-migrations.create', {
        provider: 'STRIPE',
        customerId: customer,
        providerCustomerId: 'cus_s',
        providerPaymentId: payment,
      });
      await moveWaiting(server.services, 1, new AbortController().signal);
      await query(
        `update contracts set payment_method_id = (select id from payment_methods where gateway_token = 'moved_stripe:cus_s:${payment}') where id = $1`,
        [id],
      );
      const { nextOrderId: orderId } = (await server.call('subscription-contract.read', { id })).data;
      const answer = await server.call('subscription-contract.chargeNow', { id, orderId });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const [row] = await query(
        'select t.*, o.status as order_status from billing_attempts t join orders o on o.id = t.order_id where t.contract_id = $1 order by t.id desc limit 1',
        [id],
      );
      return row as JsonObject;
    };
    expect(await pay('pm_1')).toMatchObject({ gateway: 'TEST', order_status: 'PAID' });
    expect(await paymentsOf('cus_s')).toEqual([]);
    expect((await server.call('payment-providers.startCharging', { id: provider }, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('payment-providers.startCharging', { id: provider })).status).toBe(200);
    expect((await server.call('payment-providers.list', {})).data).toMatchObject([{ provider: 'STRIPE', charges: true }]);

    const paid = await pay('pm_2');
    expect(paid).toMatchObject({ gateway: 'STRIPE', order_status: 'PAID', gateway_reference: expect.stringMatching(/^pi_/) });
    expect(await paymentsOf('cus_s')).toMatchObject([{ id: paid.gateway_reference, amount: paid.amount, status: 'succeeded' }]);
    expect((await server.call('payment-providers.delete', { id: provider })).status).toBe(409);

    await refundIt(paid);

    const waiting = await pay('pm_pending');
    expect(waiting).toMatchObject({ gateway: 'STRIPE', order_status: 'PROCESSING', ready: false, look_up_at: expect.any(Date) });
    // It goes on where it began, whatever the store chooses meanwhile, and the account is not let go.
    expect((await server.call('payment-providers.stopCharging', { id: provider })).status).toBe(200);
    expect((await server.call('payment-providers.delete', { id: provider })).body).toMatchObject({
      message: expect.stringContaining('not settled yet'),
    });
    const late = async (hours: number) => {
      await query("update orders set updated_at = updated_at - $1 * interval '1 hour' where status = 'PROCESSING'", [hours]);
      await query(
        "update billing_attempts set created_at = created_at - $1 * interval '1 hour', look_up_at = look_up_at - $1 * interval '1 hour' where not ready",
        [hours],
      );
      return runDue(server.services, 1, {});
    };
    vendors.received.length = 0;
    await runDue(server.services, 1, { isStart: true });
    expect(vendors.received).toEqual([]);
    await late(7);
    expect(vendors.received.map(({ method }) => method)).toEqual(['GET']);
    const scope = await server.services.db.inStore(1, async trx => {
      const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
      return overdueOrders.find({ trx, store, now: new Date(Date.now() + store.clock_offset_ms) } as Parameters<
        typeof overdueOrders.find
      >[0]);
    });
    expect(scope.count).toBe(0);
    vendors.stripe.finish('succeeded');
    await late(2);
    expect((await query('select status from orders where id = $1', [waiting.order_id]))[0]?.status).toBe('PAID');
    expect((await paymentsOf('cus_s')).length).toBe(2);
    expect(judge.mistakes).toEqual([]);
    expect((await server.call('payment-providers.delete', { id: provider })).status).toBe(200);
  });
});
