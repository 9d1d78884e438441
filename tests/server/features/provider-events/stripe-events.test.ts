// What Stripe tells of: genuine events alone, each once, in whatever order, and what they are about is read again.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import { buildRequest } from '../../../../src/contract/request.ts';
import { incomingEvents } from '../../../../src/server/platform/jobs/incoming-events.ts';
import { jobWith } from '../../../support/job.ts';
import { inDays } from '../subscriptions/fixture.ts';
import { stripeStore } from '../payments/stripe-store.ts';

const { webhooks } = createRequire(join(ensureJudges(), 'package.json'))('stripe');
const SECRET = 'whsec_of_the_endpoint';

describe('events of Stripe', () => {
  const store = stripeStore();
  const { at, rows, enter } = store;
  let count = 0;
  const eventOf = (type: string, object: object, id = `evt_${++count}`): string =>
    store.judge.fits('event', {
      id,
      object: 'event',
      type,
      created: 1_790_000_000,
      livemode: true,
      pending_webhooks: 1,
      data: { object },
    });
  const send = async (payload: string, header: string | null = signed(payload), to = 1) => {
    const answer = await at.server.request('POST', `/in/stripe/${to}`, {
      as: null,
      headers: { 'content-type': 'application/json; charset=utf-8', ...(header === null ? {} : { 'stripe-signature': header }) },
      body: payload,
    });
    await at.server.settled();
    return answer.status;
  };
  /** As the official client signs it in tests. */
  const signed = (payload: string, secret = SECRET, timestamp = Math.floor(Date.now() / 1000)): string =>
    webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const listen = () => at.ok('payment-providers.events', { id: store.provider, webhookSecret: SECRET });

  /** A subscription that is paid by a method of Stripe. */
  const withMethod = async (method: string) => {
    const made = await at.make({ nextBillingDateEpoch: inDays(1) });
    await rows(
      `update payment_methods set gateway_token = 'moved_stripe:cus_e' || id || ':' || $2
        where id = (select payment_method_id from contracts where id = $1)`,
      [made.id, method],
    );
    const { nextOrderId: orderId } = await at.ok('subscription-contract.read', { id: made.id });
    const charge = () => at.server.call('subscription-contract.chargeNow', { id: made.id, orderId });
    const order = async () => (await rows('select * from orders where id = $1', [orderId]))[0]!;
    const payments = async () => {
      const [row] = await rows("select split_part(gateway_token, ':', 2) as cus from payment_methods where gateway_token like '%:' || $1", [
        method,
      ]);
      const answer = await fetch(`${store.vendors.url}/stripe/v1/payment_intents?customer=${row?.cus}&limit=9`);
      return ((await answer.json()) as { data: Record<string, any>[] }).data; // any: as Stripe describes it
    };
    return { ...made, orderId, charge, order, payments };
  };

  test('are taken where they are genuine, young and of a store that wants them; forged ones are refused, as the official client does', async () => {
    const event = eventOf('payment_intent.succeeded', { object: 'payment_intent', id: 'pi_none' });
    expect(await send(event)).toBe(404);
    await listen();
    const [shown] = await at.ok('payment-providers.list', {});
    expect(shown).toMatchObject({
      status: 'CONNECTED',
      webhookSecret: '••••oint',
      eventsUrl: expect.stringMatching(/^http.*\/in\/stripe\/1$/),
    });
    expect(
      (await at.server.call('payment-providers.events', { id: store.provider, webhookSecret: SECRET }, { as: 'readOnly' })).status,
    ).toBe(403);
    expect(await send(event)).toBe(200);
    const now = Math.floor(Date.now() / 1000);
    const cases: [string, string | null, number][] = [
      [event, signed(event, 'whsec_of_another'), 401],
      [`${event} `, signed(event), 401],
      [event, null, 400],
      [event, 't=now,v1=', 400],
      [event, signed(event).replace('v1', 'v0'), 400],
      [event, signed(event, SECRET, now - 301), 400],
      [event, signed(event, SECRET, now - 290), 200],
      [event, `${signed(event, 'whsec_older', now)},${signed(event, SECRET, now).split(',')[1]}`, 200],
      ['{', signed('{'), 400],
      ['[]', signed('[]'), 400],
    ];
    for (const [payload, header, status] of cases) {
      expect([header, await send(payload, header)]).toEqual([header, status]);
      if (header === null || !payload.startsWith('{"id"')) continue;
      const verdict = () => webhooks.constructEvent(payload, header, SECRET);
      if (status === 200) expect(verdict()).toMatchObject({ type: 'payment_intent.succeeded' });
      else expect(verdict).toThrow();
    }
    // The secret of one store signs nothing for another.
    expect(await send(event, signed(event), 2)).toBe(404);
    expect(await send(event, signed(event), 999)).toBe(404);
    expect(
      (await at.server.request('POST', '/in/nothing/1', { as: null, headers: { 'content-type': 'application/json' }, body: '{}' })).status,
    ).toBe(404);
    const kept = await rows('select event_id, status, subject from incoming_events');
    expect(kept).toEqual([{ event_id: 'evt_1', status: 'DONE', subject: { object: 'payment_intent', id: 'pi_none' } }]);
    expect(await send(eventOf('customer.created', { object: 'customer', id: 'cus_1' }))).toBe(200);
    expect(await rows('select 1 from incoming_events')).toHaveLength(1);
  });

  test('settle what was still processed, once, whatever they claim and however often they come', async () => {
    const { charge, order, payments } = await withMethod('pm_pending_1');
    await charge();
    expect((await order()).status).toBe('PROCESSING');
    const [payment] = await payments();
    const hint = { object: 'payment_intent', id: payment?.id, metadata: payment?.metadata };
    // It claims that it succeeded; Stripe says that it is still processed.
    expect(await send(eventOf('payment_intent.succeeded', hint))).toBe(200);
    expect((await order()).status).toBe('PROCESSING');
    store.vendors.stripe.finish('succeeded');
    const event = eventOf('payment_intent.processing', hint);
    await Promise.all([send(event), send(event), send(event)]);
    expect(await order()).toMatchObject({ status: 'PAID' });
    await send(eventOf('payment_intent.payment_failed', hint));
    expect(await order()).toMatchObject({ status: 'PAID' });
    expect(await payments()).toHaveLength(1);
    // Of another store's charge nothing is touched here.
    expect(await send(eventOf('payment_intent.succeeded', { ...hint, metadata: { perennial_charge: 'perennial-x-2-1-1' } }))).toBe(200);
  });

  test('an answer that is missing is read later, by the job', async () => {
    const { charge, order, payments } = await withMethod('pm_pending_2');
    await charge();
    const [payment] = await payments();
    store.vendors.stripe.finish('requires_payment_method');
    store.judge.fault = 'before';
    await send(eventOf('payment_intent.payment_failed', { object: 'payment_intent', id: payment?.id, metadata: payment?.metadata }));
    expect((await order()).status).toBe('PROCESSING');
    store.judge.fault = null;
    await incomingEvents.run(at.server.services, {}, jobWith());
    expect((await order()).status).toBe('PROCESSING');
    await rows("update incoming_events set try_at = now() where status = 'WAITING'");
    await incomingEvents.run(at.server.services, {}, jobWith());
    expect(await order()).toMatchObject({ status: 'FAILED', error_code: 'INSUFFICIENT_FUNDS' });
  });

  test('a card that its bank renewed pays what waits; one that is detached or without a mandate is charged no more', async () => {
    const { id, charge, order } = await withMethod('pm_3_decline-expired_card');
    await charge();
    expect(await order()).toMatchObject({ status: 'FAILED', error_code: 'EXPIRED_CARD' });
    const method = async () =>
      (await rows("select * from payment_methods where split_part(gateway_token, ':', 3) = $1", ['pm_3_decline-expired_card']))[0]!;
    const { gateway_token: token } = await method();
    const customer = String(token).split(':')[1];
    store.vendors.stripe.pages.put('pm_3_decline-expired_card', { customer: String(customer), exp_year: 2033, last4: '1881' });
    store.vendors.stripe.heal('pm_3_decline-expired_card');
    const renewed = eventOf('payment_method.automatically_updated', { object: 'payment_method', id: 'pm_3_decline-expired_card' });
    await send(renewed);
    expect(await method()).toMatchObject({ last_digits: '1881', expiry_year: 2033, revoked_at: null });
    expect(await order()).toMatchObject({ status: 'PAID' });
    await send(eventOf('payment_method.updated', { object: 'payment_method', id: 'pm_3_decline-expired_card' }));
    const told = await rows("select key from events where contract_id = $1 and key in ('payment_method_changed')", [id]);
    expect(told).toHaveLength(1);
    store.vendors.stripe.pages.mandates.set('mandate_1', { method: 'pm_3_decline-expired_card', status: 'inactive' });
    await send(eventOf('mandate.updated', { object: 'mandate', id: 'mandate_1' }));
    expect(await method()).toMatchObject({ revoked_at: expect.any(Date), revoked_reason: 'REVOKED_AT_PROVIDER' });
    store.vendors.stripe.pages.mandates.set('mandate_1', { method: 'pm_3_decline-expired_card', status: 'active' });
    await send(eventOf('mandate.updated', { object: 'mandate', id: 'mandate_1' }));
    expect(await method()).toMatchObject({ revoked_at: null });
    store.vendors.stripe.pages.put('pm_3_decline-expired_card', { customer: null });
    await send(eventOf('payment_method.detached', { object: 'payment_method', id: 'pm_3_decline-expired_card' }));
    expect(await method()).toMatchObject({ revoked_at: expect.any(Date) });
  });

  test('a card that is deleted here while an event of it is read stays deleted; of two the used one is followed', async () => {
    await listen();
    const name = 'pm_7';
    const { id } = await withMethod(name);
    const methods = () => rows("select * from payment_methods where split_part(gateway_token, ':', 3) = $1 order by id", [name]);
    const [used] = await methods();
    store.vendors.stripe.pages.put(name, { customer: String(used?.gateway_token).split(':')[1]!, exp_year: 2034, last4: '0077' });
    const updated = () => send(eventOf('payment_method.updated', { object: 'payment_method', id: name }));
    // Deleted between the look at the card and the write.
    const { stripe } = at.server.services;
    const card = stripe.card.bind(stripe);
    stripe.card = async (...which) => {
      const read = await card(...which);
      await rows("update payment_methods set revoked_at = now(), revoked_reason = 'CUSTOMER_REVOKED' where id = $1", [used?.id]);
      return read;
    };
    await updated();
    stripe.card = card;
    expect(await methods()).toMatchObject([{ revoked_reason: 'CUSTOMER_REVOKED', last_digits: used?.last_digits }]);
    // The same card was entered again, and deleted before.
    await at.make({ nextBillingDateEpoch: inDays(1) });
    await rows(
      `update payment_methods set gateway_token = $1 where id = (select max(id) from payment_methods where store_id = 1
        and id not in (select payment_method_id from contracts where id = $2))`,
      [used?.gateway_token, id],
    );
    await updated();
    expect(await methods()).toMatchObject([
      { revoked_reason: 'CUSTOMER_REVOKED', last_digits: used?.last_digits },
      { revoked_at: null, last_digits: '0077' },
    ]);
  });

  test('money that was given back at Stripe stands in our books, once; what comes back to the store too', async () => {
    const { id, charge, order, payments } = await withMethod('pm_4');
    await charge();
    const paid = await order();
    expect(paid.status).toBe('PAID');
    const [payment] = await payments();
    const made = await fetch(`${store.judge.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_of_the_store' },
      body: new URLSearchParams({ payment_intent: payment?.id, amount: '700' }),
    });
    const refund = (await made.json()) as { id: string };
    const event = eventOf('charge.refunded', { object: 'charge', id: 'ch_1', payment_intent: payment?.id });
    await Promise.all([send(event), send(eventOf('refund.created', { object: 'refund', id: refund.id, payment_intent: payment?.id }))]);
    await send(event);
    expect(await order()).toMatchObject({ refunded: 700, refunding: 0 });
    await at.ok('subscription-contract.refundOrder', { id, orderId: paid.id, amount: '1.00', reason: '' });
    await send(eventOf('refund.updated', { object: 'refund', id: refund.id, payment_intent: payment?.id }));
    expect(await order()).toMatchObject({ refunded: 800 });
    store.vendors.stripe.failRefund(refund.id);
    await send(eventOf('refund.failed', { object: 'refund', id: refund.id, payment_intent: payment?.id }));
    expect(await order()).toMatchObject({ refunded: 100 });
    const letters = await rows("select subject from outbox where contract_id = $1 and template = 'ORDER_REFUNDED' order by id", [id]);
    expect(letters.map(({ subject }) => subject)).toEqual(['Your refund of $7.00', 'Your refund of $1.00']);
    const log = await rows(
      "select key, data ->> 'amount' as amount from events where contract_id = $1 and key like '%refund%' order by id",
      [id],
    );
    expect(log.map(({ key, amount }) => [key, amount])).toEqual([
      ['order_refunded', '7.00'],
      ['order_refunded', '1.00'],
      ['refund_failed', '7.00'],
    ]);
  });

  test('a dispute is shown on the order, told to the team, pauses if the store wants that, and its evidence can be had', async () => {
    const settingsPage = 'paymentRecovery';
    await at.ok('settings.set', { ...(await at.ok('settings.get', { settingsPage })), pauseOnDispute: true, settingsPage });
    const { id, charge, order, payments } = await withMethod('pm_6');
    await charge();
    const [payment] = await payments();
    const dispute = store.vendors.stripe.dispute(payment?.id, 'needs_response');
    const event = (type: string) => eventOf(type, { object: 'dispute', id: dispute, payment_intent: payment?.id });
    await Promise.all([send(event('charge.dispute.created')), send(event('charge.dispute.funds_withdrawn'))]);
    const orderId = Number((await order()).id);
    const shown = async () =>
      (await at.ok('subscription-contract.ordersHistory', { id, limit: 10 })).find((one: { id: number }) => one.id === Number(orderId));
    expect(await shown()).toMatchObject({ disputeStatus: 'NEEDS_RESPONSE', disputeReason: 'product_not_received', disputeAmount: '44.95' });
    expect((await at.ok('subscription-contract.read', { id })).status).toBe('PAUSED');
    const letters = await rows("select subject from outbox where contract_id = $1 and template = 'ADMIN_PAYMENT_DISPUTED'", [id]);
    expect(letters).toEqual([{ subject: 'Ann Lee disputes a payment of $44.95' }]);
    const { definitions } = at.server.services;
    const { url } = buildRequest(definitions, definitions.calls['subscription-contract.disputeEvidence']!, { id, orderId }, {});
    const evidence = await at.server.request('POST', url, {
      as: 'owner',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, orderId }),
    });
    expect([evidence.status, evidence.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const said of [dispute, 'Ann Lee', 'Goods plain', '1 Elm Street', '44.95 USD']) expect(evidence.text).toContain(said);
    expect((await at.server.call('subscription-contract.disputeEvidence', { id, orderId: 1 })).status).toBe(404);
    store.vendors.stripe.dispute(payment?.id, 'won');
    await send(event('charge.dispute.closed'));
    await send(event('charge.dispute.updated'));
    expect(await shown()).toMatchObject({ disputeStatus: 'WON' });
    const log = await rows("select key from events where contract_id = $1 and key like '%dispute%' order by id", [id]);
    expect(log.map(({ key }) => key)).toEqual(['payment_disputed', 'dispute_closed']);
  });

  test('a card that was entered at Stripe is stored without its customer coming back', async () => {
    const made = await at.make({ nextBillingDateEpoch: inDays(5) });
    const { customerBrowser, buttonsOf } = await import('../../../support/customer-browser.ts');
    const { portalLink } = await at.ok('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(portalLink);
    const browser = customerBrowser(() => at.server.app);
    const page = await browser.open(`${pathname}${search}&do=CARD`);
    const pressed = await browser.send(buttonsOf(page)[0] as string, 'POST', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    });
    const hosted = String(pressed.headers.location);
    await enter(hosted, 'pays');
    const [setup] = await rows('select reference from card_setups where contract_id = $1', [made.id]);
    await send(eventOf('checkout.session.completed', { object: 'checkout.session', id: setup?.reference }));
    const [method] = await rows(
      'select m.gateway_token as token from contracts c join payment_methods m on m.id = c.payment_method_id where c.id = $1',
      [made.id],
    );
    expect(method?.token).toMatch(/^moved_stripe:cus_/);
  });
});
