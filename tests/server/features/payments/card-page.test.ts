// A customer of a store with Stripe enters a card on Stripe's page: from the portal and from the letter about a failed payment.
import { describe, expect, test } from 'vitest';
import { cardSetups } from '../../../../src/server/features/payments/jobs/card-setups.ts';
import { runDue } from '../../../../src/server/engine/charging/run-due.ts';
import { buttonsOf, customerBrowser, leadsTo } from '../../../support/customer-browser.ts';
import { jobWith } from '../../../support/job.ts';
import { inDays, type Made } from '../subscriptions/fixture.ts';
import { stripeStore } from './stripe-store.ts';

describe('the page for a card', () => {
  const store = stripeStore();
  const { at, rows, enter } = store;
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

  const visit = async (made: Pick<Made, 'id'>) => {
    const { portalLink } = await at.ok('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(portalLink);
    const browser = customerBrowser(() => at.server.app);
    const overview = await browser.open(pathname + search);
    const card = async () => browser.open(`${pathname}?do=CARD`);
    /** Presses the button of the page for a card; gives where it leads. */
    const press = async (fields: Record<string, string> = {}): Promise<string> => {
      const page = await card();
      const answer = await browser.send(buttonsOf(page)[0] as string, 'POST', {
        headers: FORM,
        payload: new URLSearchParams(fields).toString(),
      });
      expect([answer.statusCode, page.body]).toEqual([303, expect.stringContaining('secure page')]);
      return String(answer.headers.location);
    };
    const back = (url: string) => browser.open(leadsTo(url, overview));
    return { ...browser, overview, card, press, back };
  };
  const methodOf = async (id: number) =>
    (await rows('select m.* from contracts c join payment_methods m on m.id = c.payment_method_id where c.id = $1', [id]))[0];
  const sessions = () => store.vendors.received.filter(one => one.method === 'POST' && one.path === '/v1/checkout/sessions');
  /** Its card is refused from now on. */
  const refusing = (id: number): Promise<unknown> =>
    rows(
      `update payment_methods set gateway_token = 'moved_stripe:cus_s:pm_decline-insufficient_funds_' || id
      where id = (select payment_method_id from contracts where id = $1)`,
      [id],
    );

  test('leads to Stripe and back: the card is stored, pays for the subscription and others, once however often one returns', async () => {
    const made = await at.make({ nextBillingDateEpoch: inDays(5) });
    const customer = await visit(made);
    expect(customer.overview.body).toContain('Use another card');
    const page = await customer.press();
    expect((await customer.card()).headers['content-security-policy']).toContain(new URL(store.judge.url).host);
    // Pressed twice, it is the same page.
    expect(await customer.press()).toBe(page);
    expect(sessions()).toHaveLength(1);
    const left = await enter(page, null);
    expect((await customer.back(left)).body).toContain('Nothing has changed');
    expect(await customer.press()).toBe(page);
    const done = await enter(page, 'pays');
    const [first, second] = await Promise.all([customer.back(done), customer.back(done)]);
    for (const one of [first, second, await customer.back(done), await customer.back(left)])
      expect(one.body).toContain('Your next orders are paid with the method that you chose.');
    expect(await methodOf(made.id)).toMatchObject({
      brand: 'visa',
      last_digits: '4242',
      expiry_year: 2031,
      gateway_token: expect.stringMatching(/^moved_stripe:cus_\w+:pm_\w+$/),
    });
    expect(
      await rows("select 1 from payment_methods where customer_id = $1 and gateway_token like 'moved_stripe%'", [made.customerId]),
    ).toHaveLength(1);
    const log = await rows("select key from events where contract_id = $1 and key = 'payment_method_changed'", [made.id]);
    expect(log).toHaveLength(1);
    // The second card is that of the same customer at Stripe, on a page of its own.
    const again = await customer.press();
    expect(again).not.toBe(page);
    const bodies = sessions().map(({ body }) => new URLSearchParams(body).get('customer'));
    expect([bodies.length, new Set(bodies).size]).toEqual([2, 1]);
  });

  test('a session of another subscription says nothing, and what Stripe does not know any more is begun again', async () => {
    const [one, two] = [await at.make({ nextBillingDateEpoch: inDays(5) }), await at.make({ nextBillingDateEpoch: inDays(5) })];
    const [mine, theirs] = [await visit(one), await visit(two)];
    const done = await enter(await mine.press(), 'pays');
    const [, setup] = /setup=(\d+)/.exec(done) ?? [];
    expect(
      (
        await theirs.back(
          `${leadsTo(done, theirs.overview)
            .split('?')[0]
            ?.replace(/\d+\/subscription\/\d+/, `${two.customerId}/subscription/${two.id}`)}?do=CARD&setup=${setup}`,
        )
      ).body,
    ).toContain('changed');
    expect((await methodOf(one.id))?.gateway_token).toBe('tok_success');
    // Without the cookie of the link nothing is open, with the address alone.
    expect((await customerBrowser(() => at.server.app).open(leadsTo(done, mine.overview))).statusCode).toBe(404);
    expect((await mine.back(done)).statusCode).toBe(200);
    expect((await methodOf(one.id))?.gateway_token).toMatch(/^moved_stripe/);
    await rows(
      "insert into card_setups (store_id, gateway, contract_id, customer_id, provider_customer, status) values (1, 'STRIPE', $1, $2, 'cus_gone', 'ENDED')",
      [two.id, two.customerId],
    );
    expect(await theirs.press()).toMatch(/\/pay\/cs_/);
    store.judge.fault = 'before';
    await rows("update card_setups set status = 'ENDED' where contract_id = $1", [two.id]);
    const page = await theirs.card();
    const refused = await theirs.send(buttonsOf(page)[0] as string, 'POST', { headers: FORM, payload: '' });
    store.judge.fault = null;
    expect([refused.statusCode, refused.body]).toEqual([502, expect.stringContaining('Nothing has changed')]);
    expect(await theirs.press()).toMatch(/\/pay\/cs_/);
  });

  test('pays at once what was declined, from the letter about it, and who never returns is found by the job', async () => {
    const made = await at.make({ nextBillingDateEpoch: inDays(1) });
    await refusing(made.id);
    const next = (await at.ok('subscription-contract.read', { id: made.id })).nextOrderId;
    await at.server.call('subscription-contract.chargeNow', { id: made.id, orderId: next });
    expect((await rows('select status from orders where id = $1', [next]))[0]?.status).toBe('FAILED');
    const [letter] = await rows(
      "select text from outbox where contract_id = $1 and template like 'PAYMENT_FAILED%' order by id desc limit 1",
      [made.id],
    );
    const [, link = ''] = /(https?:\/\/\S+\/card\/[\w.-]+)/.exec(String(letter?.text)) ?? [];
    const browser = customerBrowser(() => at.server.app);
    const { pathname } = new URL(link);
    const page = await browser.open(pathname);
    expect([page.statusCode, page.address]).toEqual([200, expect.not.stringContaining(pathname)]);
    expect(page.body).not.toContain('Skip this order');
    const pressed = await browser.send(buttonsOf(page)[0] as string, 'POST', { headers: FORM, payload: '' });
    const stripes = String(pressed.headers.location);
    const done = await enter(stripes, 'pays');
    // A broken line: it is not known yet, and not lost.
    store.judge.fault = 'before';
    expect((await browser.open(leadsTo(done, page))).body).toContain('still being checked');
    store.judge.fault = null;
    await rows("update card_setups set look_up_at = now() where status = 'OPEN'");
    await cardSetups.run(at.server.services, {}, jobWith());
    expect((await rows('select status from orders where id = $1', [next]))[0]?.status).toBe('PAID');
    await runDue(at.server.services, 1, { isStart: true });
    const payments = await rows('select trigger, success from billing_attempts where order_id = $1 order by id', [next]);
    expect(payments).toEqual([
      { trigger: 'MANUAL', success: false },
      { trigger: 'CARD_UPDATE', success: true },
    ]);
    expect((await browser.open(leadsTo(done, page))).body).toContain('Your next orders are paid');
    for (const wrong of [pathname.replace(/.$/, '_'), pathname.replace('/card/1.', '/card/2.')])
      expect((await customerBrowser(() => at.server.app).open(wrong)).statusCode).toBe(404);
    // Not by links for other things.
    const { id: quickActionId } = await at.ok('quick-actions.create', { name: 'Skip', type: 'SKIP_ORDER' });
    await at.ok('quick-actions.activate', { id: quickActionId });
    const { url } = await at.ok('quick-actions.makeLink', { quickActionId, subscriptionId: made.id });
    expect((await customerBrowser(() => at.server.app).open(new URL(url).pathname.replace('/q/', '/card/'))).statusCode).toBe(404);
    await at.ok('settings.set', {
      ...(await at.ok('settings.get', { settingsPage: 'portal-preferences' })),
      updatePaymentMethod: false,
      settingsPage: 'portal-preferences',
    });
    expect((await browser.open(page.address)).statusCode).toBe(403);
    await at.ok('settings.set', {
      ...(await at.ok('settings.get', { settingsPage: 'portal-preferences' })),
      updatePaymentMethod: true,
      settingsPage: 'portal-preferences',
    });
  });
});
