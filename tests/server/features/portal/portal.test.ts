// The customer portal on a running server: the link, what a customer sees and does behind it, once, and what the store does not allow.
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { merchantToken } from '../../../../src/server/features/subscriptions/engine/portal-link.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { inDays, type Made } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('the customer portal on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 } });
  let made: Made;
  let url: string;

  const { ok: done } = at;
  const set = async (settingsPage: string, over: JsonObject): Promise<void> => {
    await done('settings.set', { ...(await done('settings.get', { settingsPage })), ...over, settingsPage });
  };
  const read = (): Promise<any> => done('subscription-contract.read', { id: made.id });
  const open = (address: string, method: 'GET' | 'POST' = 'GET') => at.server.app.inject({ method, url: address });
  const ask = async (id: string, more = ''): Promise<string> => (await open(`${url}&do=${id}${more}`)).body;
  /** The addresses of the buttons of a page. */
  const buttons = (body: string): string[] =>
    [...body.matchAll(/method="post" action="([^"]+)"/g)].map(
      ([, found]) => url.split('?')[0] + (found as string).replaceAll('&#38;', '&'),
    );
  const press = async (body: string, button = 0): Promise<{ status: number; body: string }> => {
    const answer = await open(buttons(body)[button] as string, 'POST');
    if (answer.statusCode !== 303) return { status: answer.statusCode, body: answer.body };
    return { status: 303, body: (await open(answer.headers.location as string)).body };
  };

  beforeEach(async () => {
    made = await at.make({ nextBillingDateEpoch: inDays(5) });
    const { portalLink } = await done('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(portalLink);
    url = pathname + search;
  });

  it('D225 D226 the link leads to the subscription without a login, and to no other', async () => {
    const page = await open(url);
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.body).not.toContain('<script');
    for (const text of ['Hi Ann', 'Next order on', 'Goods plain', '1 Elm Street', 'ending in 4242', 'Skip this order'])
      expect(page.body).toContain(text);
    const other = await at.make();
    const { rows } = await at.server.services.db.ownerQuery<any>('select id, customer_id from contracts where store_id = 2 limit 1');
    for (const wrong of [
      url.replace(`subscription/${made.id}`, `subscription/${other.id}`),
      url.replace(`customer/${made.customerId}`, `customer/${other.customerId}`),
      url.replace(/customer.*\?/, `customer/${rows[0].customer_id}/subscription/${rows[0].id}?`),
      url.slice(0, -1),
      url.split('?')[0] as string,
    ])
      expect((await open(wrong)).statusCode, wrong).toBe(404);
  });

  it('leads nobody to a gift, which is not on the page', async () => {
    await at.server.services.db.exec(`update contracts set source = 'GIFT' where id = ${made.id}`);
    expect((await open(url)).statusCode).toBe(404);
    expect((await done('subscription-contract.customerDetails', { id: made.id })).portalLink).toBeNull();
    expect((await done('customers-app.read', { id: made.customerId })).hasPortalPage).toBe(false);
    expect((await at.server.call('customers-app.sendPortalLink', { id: made.customerId })).status).toBe(409);
  });

  it('asks before it does something, does it once, and writes down who did', async () => {
    const before = await read();
    const asked = await ask('SKIP');
    expect(asked).toContain('Skip the order of');
    expect((await read()).version).toBe(before.version);
    expect((await press(asked)).body).toContain('Your changes are saved.');
    const after = await read();
    expect(after.nextBillingDateEpoch).toBeGreaterThan(before.nextBillingDateEpoch);
    expect((await press(asked)).body).toContain('has changed since you opened that page');
    expect(await read()).toEqual(after);
    const activity = await done('subscription-contract.activity', { id: made.id, limit: 20 });
    expect(activity.filter((one: JsonObject) => one.key === 'order_skipped')).toMatchObject([{ source: 'Customer portal' }]);
    await press(await ask('UNSKIP'));
    expect((await read()).nextBillingDateEpoch).toBe(before.nextBillingDateEpoch);
  });

  it('moves, pauses, resumes, changes quantities, charges and cancels', async () => {
    const day = new Date((inDays(20) + 3600) * 1000).toISOString().slice(0, 10);
    const moved = await press(await ask('DATE', `&to=${day}`));
    expect(moved.body).toContain('Your next order is now on');
    expect(buttons(await ask('DATE', `&to=2099-01-01`))).toEqual([]);
    const line = made.lines[0]?.id;
    await press(await ask('QUANTITY', `&of=${line}&to=3`));
    expect((await read()).lines[0]).toMatchObject({ quantity: 3 });
    await press(await ask('REMOVE', `&of=${made.lines[1]?.id}`));
    expect((await read()).lines).toHaveLength(1);
    expect(await ask('REMOVE', `&of=${line}`)).toContain('A subscription needs at least one product.');
    expect((await press(await ask('NOW'))).status).toBe(303);
    expect(await read()).toMatchObject({ completedOrdersCount: 1, lastPaymentStatus: 'SUCCESS' });
    await press(await ask('PAUSE'));
    expect(await read()).toMatchObject({ status: 'PAUSED' });
    expect((await press(await ask('RESUME'))).body).toContain('Welcome back.');
    expect((await press(await ask('CANCEL'))).body).toContain('Your subscription is cancelled.');
    expect(await read()).toMatchObject({ status: 'CANCELLED', cancellationSource: 'CUSTOMER' });
    await press(await ask('REACTIVATE'));
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
  });

  it('adds what an upsell profile offers, and counts that it was seen', async () => {
    const { id } = await done('upsell-profiles.create', {
      name: 'Extras',
      productSource: 'MANUAL',
      items: [{ productId: at.goods.other }],
      purchaseTypes: ['ONETIME'],
      heading: 'More for you',
    });
    await done('upsell-profiles.activate', { id });
    expect((await open(url)).body).toContain('More for you');
    await press(await ask('ADD', `&of=${at.goods.other}`));
    expect((await read()).lines).toHaveLength(3);
    const { rows } = await at.server.services.db.ownerQuery<any>(
      "select happened, place from offer_events where kind = 'UPSELL' and contract_id = $1 order by id",
      [made.id],
    );
    expect(rows).toEqual([
      { happened: 'VIEWED', place: 'PORTAL' },
      { happened: 'ACCEPTED', place: 'PORTAL' },
    ]);
    await done('upsell-profiles.deactivate', { id });
  });

  it('obeys the preferences; the team still may', async () => {
    const skip = buttons(await ask('SKIP'))[0] as string;
    await set('portal-preferences', { skipUnskip: false, minimumOrderValue: '30.00', maxQuantity: 2 });
    expect((await open(url)).body).not.toContain('Skip this order');
    expect((await open(`${url}&do=SKIP`)).statusCode).toBe(403);
    const refused = await open(skip, 'POST');
    expect([refused.statusCode, refused.body.includes('This option is not available.')]).toEqual([409, true]);
    expect(await ask('REMOVE', `&of=${made.lines[1]?.id}`)).toContain('Your order must be at least $30.00.');
    expect(buttons(await ask('QUANTITY', `&of=${made.lines[0]?.id}&to=3`))).toEqual([]);
    await done('subscription-contract.skipOrder', { id: made.id });
    await set('portal-preferences', { skipUnskip: true, maxConsecutiveSkips: 1, minimumOrderValue: '0.00' });
    expect(await ask('SKIP')).toContain('You have skipped as many orders in a row as allowed.');
    await set('cancellation-flow', { cancellationButtonBehavior: 'HIDE_BUTTON' });
    expect((await open(url)).body).not.toContain('Cancel subscription');
    await set('portal-preferences', { maxConsecutiveSkips: 0 });
  });

  it('closes with the time of the link, and when the portal is off', async () => {
    const { rows } = await at.server.services.db.ownerQuery<any>('select id, portal_token from customers where id = $1', [made.customerId]);
    const aged = (minutes: number): string =>
      url.replace(/merchantToken=.*/, `merchantToken=${merchantToken(rows[0], new Date(Date.now() - minutes * 60_000))}`);
    expect((await open(aged(1430))).statusCode).toBe(200);
    expect((await open(aged(1450))).body).toContain('Your link has expired.');
    await set('portal-accessibility', { linkMinutes: 15 });
    expect((await open(aged(30))).statusCode).toBe(410);
    expect((await open(`${aged(30)}&do=SKIP&choice=0&v=1`, 'POST')).statusCode).toBe(410);
    await set('portal-accessibility', { isOn: false });
    expect((await open(url)).statusCode).toBe(404);
    expect((await done('subscription-contract.customerDetails', { id: made.id })).portalLink).toBeNull();
    expect((await at.server.call('customers-app.sendPortalLink', { id: made.customerId })).body.message).toContain(
      'The customer portal is off.',
    );
    await set('portal-accessibility', { isOn: true });
  });
});
