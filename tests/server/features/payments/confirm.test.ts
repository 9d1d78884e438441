// A payment that the customer's bank wants confirmed: the letter leads to our page, that to the bank, and back; once, or not at all.
import { describe, expect, test } from 'vitest';
import { runDue } from '../../../../src/server/engine/charging/run-due.ts';
import { customerBrowser, leadsTo, type CustomerPage } from '../../../support/customer-browser.ts';
import { inDays } from '../subscriptions/fixture.ts';
import { stripeStore } from './stripe-store.ts';

describe('a payment to confirm', () => {
  const store = stripeStore();
  const { at, rows } = store;
  let count = 0;

  /** A subscription whose charge the bank wants confirmed, and its customer at the page of the letter. */
  const refused = async () => {
    const made = await at.make({ nextBillingDateEpoch: inDays(1) });
    const customer = `cus_auth${++count}`;
    await rows(
      `update payment_methods set gateway_token = 'moved_stripe:' || $2 || ':pm_auth' || id
        where id = (select payment_method_id from contracts where id = $1)`,
      [made.id, customer],
    );
    const { nextOrderId: orderId } = await at.ok('subscription-contract.read', { id: made.id });
    await at.server.call('subscription-contract.chargeNow', { id: made.id, orderId });
    const order = async () => (await rows('select * from orders where id = $1', [orderId]))[0]!;
    expect(await order()).toMatchObject({ status: 'FAILED', error_code: 'AUTHENTICATION_REQUIRED' });
    const letters = await rows('select template, text from outbox where contract_id = $1 and template like $2', [made.id, 'PAYMENT%']);
    expect(letters.map(({ template }) => template)).toEqual(['PAYMENT_TO_CONFIRM']);
    const [, link = ''] = /(https?:\/\/\S+\/confirm\/[\w.-]+)/.exec(String(letters[0]?.text)) ?? [];
    const browser = customerBrowser(() => at.server.app);
    const page = await browser.open(new URL(link).pathname);
    const press = (): Promise<CustomerPage> =>
      browser.send(page.address, 'POST', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '' });
    const answer = async (bank: string, confirm: 'yes' | 'no'): Promise<string> =>
      leadsTo(
        String((await fetch(bank, { method: 'POST', body: new URLSearchParams({ confirm }), redirect: 'manual' })).headers.get('location')),
        page,
      );
    const payments = async () =>
      ((await (await fetch(`${store.vendors.url}/stripe/v1/payment_intents?customer=${customer}&limit=9`)).json()) as { data: any[] }).data; // any: as Stripe describes it
    return { ...made, orderId, order, link, browser, page, press, answer, payments };
  };

  test('is confirmed at the bank, paid once, however often the page is pressed and come back to', async () => {
    const { page, press, answer, order, payments, browser } = await refused();
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('Confirm the payment')]);
    expect(page.headers['content-security-policy']).toContain(new URL(store.judge.url).host);
    expect(await payments()).toHaveLength(1);
    const first = await press();
    expect(first.statusCode).toBe(303);
    const bank = String(first.headers.location);
    expect(String((await press()).headers.location)).toBe(bank);
    expect(await order()).toMatchObject({ status: 'PROCESSING' });
    // Come back without an answer: the way to the bank is still there.
    expect((await browser.open(`${page.address}?back=1`)).body).toContain('Confirm the payment');
    // It is not tried beside that.
    await runDue(at.server.services, 1, { isStart: true });
    const back = await answer(bank, 'yes');
    const [one, two] = await Promise.all([browser.open(back), browser.open(back)]);
    for (const shown of [one, two, await browser.open(page.address)]) expect(shown.body).toContain('Your payment went through');
    expect(await order()).toMatchObject({ status: 'PAID' });
    expect((await payments()).map(({ status }) => status)).toEqual(['succeeded', 'requires_payment_method']);
    expect((await press()).body).toContain('Your payment went through');
  });

  test('that is refused at the bank, or left for an hour, waits for the next try; the way is open again', async () => {
    const { id, press, answer, order, payments, browser, page, orderId } = await refused();
    const planned = (await order()).next_retry_at;
    expect(planned).toEqual(expect.any(Date));
    const refusal = await browser.open(await answer(String((await press()).headers.location), 'no'));
    expect([refusal.statusCode, refusal.body]).toEqual([402, expect.stringContaining('did not go through')]);
    expect(await order()).toMatchObject({ status: 'FAILED', error_code: 'AUTHENTICATION_FAILED', next_retry_at: planned });
    const second = await press();
    expect(second.statusCode).toBe(303);
    store.vendors.stripe.age(3700);
    await rows("update billing_attempts set look_up_at = now() - interval '1 second' where not ready and order_id = $1", [orderId]);
    await rows("update orders set updated_at = updated_at - interval '1 hour' where id = $1", [orderId]);
    await runDue(at.server.services, 1, {});
    expect(await order()).toMatchObject({ status: 'FAILED', error_code: 'EXPIRED_BUYER_ACTION', next_retry_at: planned });
    const [attempt] = await rows('select error_message from billing_attempts where order_id = $1 order by id desc limit 1', [orderId]);
    expect(attempt?.error_message).toBe('The customer did not confirm the payment in time.');
    expect((await payments()).map(({ status }) => status)).toEqual(['canceled', 'requires_payment_method', 'requires_payment_method']);
    // Confirmed in the last moment, it is paid: nothing is ended that succeeded.
    const third = String((await press()).headers.location);
    await answer(third, 'yes');
    store.vendors.stripe.age(3700);
    expect((await browser.open(`${page.address}?back=1`)).body).toContain('Your payment went through');
    // With nothing to confirm nothing is charged.
    const other = await refused();
    await at.ok('subscription-contract.cancel', { id: other.id, cancellationReason: 'Too expensive' });
    expect((await other.press()).body).toContain('can’t be confirmed any more');
    expect(await other.payments()).toHaveLength(1);
    expect(id).not.toBe(other.id);
  });

  test('is of one order: another link, another store or a changed one leads nowhere', async () => {
    const [mine, other] = [await refused(), await refused()];
    const { pathname } = new URL(mine.link);
    for (const wrong of [
      pathname.replace(`confirm_${mine.orderId}`, `confirm_${other.orderId}`),
      pathname.replace(/.$/, last => (last === 'A' ? 'B' : 'A')),
      pathname.replace('/confirm/1.', '/confirm/2.'),
      pathname.replace('/confirm/', '/card/'),
      pathname.replace('/confirm/', '/q/'),
    ])
      expect([wrong, (await customerBrowser(() => at.server.app).open(wrong)).statusCode]).toEqual([wrong, 404]);
    expect((await other.browser.open(mine.page.address)).statusCode).toBe(404);
  });
});
