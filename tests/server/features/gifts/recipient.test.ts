// The page of a gift's recipient on a running server: opened from the letter, and what may be done on it, once.
import { beforeAll, describe, expect, it } from 'vitest';
import { giftAccess } from '../../../../src/server/engine/gifts/gift.ts';
import { buttonsOf } from '../../../support/customer-browser.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { visitor } from '../portal/visitor.ts';
import { give, linkOf, offerGifts } from './giving.ts';

describe.each(oneEngine)('the page of a gift on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 2 } });
  let plan: string;
  let url = '';
  const { open, ask, press, fill, buttons } = visitor(at, () => url);
  const query = async (text: string, values: unknown[] = []): Promise<any[]> =>
    (await at.server.services.db.ownerQuery<any>(text, values)).rows;
  const read = (id: number): Promise<any> => at.ok('gift-subscriptions.read', { id });
  const may = (over: Record<string, boolean>): Promise<unknown> =>
    at.ok('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: true, ...over });
  beforeAll(async () => {
    plan = await offerGifts(at);
  });

  it('says who gave what with which words and what comes when, to who comes by the letter alone', async () => {
    const gift = await give(at, plan);
    url = gift.link;
    const page = await open(url);
    expect([page.statusCode, page.address]).toEqual([200, `/a/loop_subscriptions/gift/${gift.id}`]);
    for (const text of ['Your gift', 'From Ann', 'Happy birthday!', '1 of 3 orders', 'Goods plain', '1 Elm Street', 'Choose another day'])
      expect(page.body).toContain(text);
    expect(page.body.match(/<li[^>]*>(?:Sent|Comes) on /g)).toHaveLength(3);
    // Neither what it cost nor who the giver is beyond what they wrote.
    expect(page.body).not.toMatch(/\$|person\d+@mail/);
    const other = await give(at, plan);
    for (const wrong of [
      url.replace(String(gift.id), String(other.id)),
      url.slice(0, -1),
      url.replace(/token=.*/, 'token='),
      url.replace(/\/\d+\?/, '/1?'),
    ])
      expect((await at.server.app.inject(wrong)).statusCode, wrong).toBe(404);
    await may({
      allowRecipientReschedule: false,
      allowRecipientSkip: false,
      allowRecipientSwap: false,
      allowRecipientEditAddress: false,
      allowThanksMessage: false,
    });
    const closed = await open(url);
    for (const text of ['Choose another day', 'Skip this order', 'Choose something else', 'Change address', 'Say thank you'])
      expect(closed.body).not.toContain(text);
    expect((await open(`${url}&do=DATE`)).statusCode).toBe(403);
    await may({
      allowRecipientReschedule: true,
      allowRecipientSkip: true,
      allowRecipientSwap: true,
      allowRecipientEditAddress: true,
      allowThanksMessage: true,
    });
  });

  it('moves an order, leaves one out, swaps and changes the address, each with a line of the log that names the recipient', async () => {
    const { id, link } = await give(at, plan);
    url = link;
    const before = await read(id);
    const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
    const form = await ask('DATE');
    expect((await fill(form, { to: '2020-01-01' })).body).toContain('Choose a future date.');
    const moved = await fill(form, { to: day(before.nextOrderDateEpoch + 9 * 86_400) });
    expect([moved.status, moved.body.includes('class="said" role="status">Your next order comes on')]).toEqual([303, true]);
    expect(day((await read(id)).nextOrderDateEpoch)).toBe(day(before.nextOrderDateEpoch + 9 * 86_400));
    // The page from before does nothing more.
    expect((await fill(form, { to: day(before.nextOrderDateEpoch + 3 * 86_400) })).status).toBe(303);
    expect(day((await read(id)).nextOrderDateEpoch)).toBe(day(before.nextOrderDateEpoch + 9 * 86_400));
    const skip = await ask('SKIP');
    await Promise.all([press(skip), press(skip), press(skip)]);
    expect(await query("select count(*)::integer as n from orders where contract_id = $1 and status = 'SKIPPED'", [id])).toEqual([
      { n: 1 },
    ]);
    expect(await read(id)).toMatchObject({ completedOrders: 1, remainingOrders: 2 });
    const swap = await ask('SWAP');
    expect(swap).toContain('Goods other');
    expect((await press(swap)).body).toContain('Goods other');
    const address = await ask('ADDRESS');
    const fields = {
      firstName: 'Jonas',
      lastName: 'Berg',
      address1: '2 Oak Street',
      city: 'Albany',
      zip: '12207',
      countryCode: 'US',
      provinceCode: 'NY',
      partsOf: 'US',
    };
    const wrong = await fill(address, { ...fields, zip: 'x' });
    expect([wrong.status, wrong.body.includes('value="2 Oak Street"'), wrong.body.includes('id="e-zip"')]).toEqual([422, true, true]);
    expect((await fill(address, fields)).body).toContain('2 Oak Street');
    const log = await query("select distinct key from events where contract_id = $1 and source = 'Gift recipient' order by key", [id]);
    expect(log.map(one => one.key)).toEqual(['order_skipped', 'product_swapped', 'shipping_address_updated', 'subscription_rescheduled']);
    // None of it costs anybody anything.
    expect(await query('select 1 from billing_attempts where contract_id = $1', [id])).toEqual([]);
    const now = await ask('NOW');
    await Promise.all([press(now), press(now)]);
    expect(await read(id)).toMatchObject({ completedOrders: 2, remainingOrders: 1 });
  });

  it('passes thanks on to the giver, once', async () => {
    const { id, link } = await give(at, plan);
    url = link;
    const { body } = await open(url);
    const thanks = buttons(body).findIndex(one => one.includes('THANKS'));
    expect((await fill(body, { message: ' ' }, thanks)).status).toBe(422);
    const all = await Promise.all(['One', 'Two', 'Three'].map(message => fill(body, { message }, thanks)));
    expect(all.map(({ status }) => status)).toEqual([303, 303, 303]);
    const letters = await query("select recipient from outbox where contract_id = $1 and template = 'GIFT_SUBSCRIPTION_THANKS_MESSAGE'", [
      id,
    ]);
    expect(letters).toEqual([{ recipient: expect.stringMatching(/^person/) }]);
    const { thanksMessage } = await read(id);
    expect((await open(url)).body).toContain(`>${thanksMessage}</blockquote>`);
  });

  it('a link that is too old brings a new one to the recipient, and no more than a few', async () => {
    const { id, link, recipient } = await give(at, plan);
    // The clock of the store is moved on by a month and a day.
    await query('update stores set clock_offset_ms = $1 where id = 1', [31 * 86_400_000]);
    at.server.services.sessions.forget(1);
    url = link;
    const old = await at.server.app.inject(link);
    expect([old.statusCode, old.headers['set-cookie'], old.body.includes('Happy birthday!')]).toEqual([410, undefined, false]);
    expect(old.body).not.toContain(recipient);
    const again = async (): Promise<string> => {
      const [action = ''] = buttonsOf({ address: link, body: old.body });
      return (await at.server.app.inject({ method: 'POST', url: action, headers: { 'content-type': 'application/x-www-form-urlencoded' } }))
        .body;
    };
    expect(await again()).toContain('The new link is on its way.');
    const fresh = await linkOf(at, id);
    url = fresh;
    expect(fresh).not.toBe(link);
    expect((await open(url)).body).toContain('Happy birthday!');
    const bodies = [];
    for (let i = 0; i < 6; i++) bodies.push(await again());
    expect(bodies.at(-1)).toContain('No further link can be sent at the moment.');
    const sent = await query("select recipient from outbox where contract_id = $1 and template = 'GIFT_SUBSCRIPTION_RECEIVED'", [id]);
    expect(new Set(sent.map(one => one.recipient))).toEqual(new Set([recipient]));
    expect(sent.length).toBeLessThanOrEqual(6);
    // A link of the team is good for a day, and opens the same page.
    const [row] = await query('select id, portal_token from gifts where id = $1', [id]);
    const { link: ofTeam } = giftAccess(at.server.services.config, row, new Date(Date.now() + 31 * 86_400_000));
    const { pathname, search } = new URL(ofTeam ?? '');
    expect((await at.server.app.inject(pathname + search)).statusCode).toBe(303);
    await query('update stores set clock_offset_ms = $1 where id = 1', [33 * 86_400_000]);
    expect((await at.server.app.inject(pathname + search)).statusCode).toBe(410);
    await query('update stores set clock_offset_ms = 0 where id = 1');
    at.server.services.sessions.forget(1);
  });

  it('who gives sees what was given to whom, has the letter sent again, and ends a gift where the store lets them', async () => {
    const { id, giver, recipient } = await give(at, plan);
    await query("update gifts set thanks_message = 'So kind!', thanked_at = now() where id = $1", [id]);
    // Who only gives has a page too: the link comes by the same way as to subscriptions.
    await at.ok('customers-app.sendPortalLink', { id: giver });
    const [{ text }] = await query("select text from outbox where template = 'CUSTOMER_PORTAL_LINK' and contract_id = $1", [id]);
    const { pathname, search } = new URL(/https?:\S+gifts\?merchantToken=\w+/.exec(text)?.[0] ?? '');
    url = pathname + search;
    const page = await open(url);
    expect([page.statusCode, page.address]).toEqual([200, `/a/loop_subscriptions/customer/${giver}/gifts`]);
    for (const part of ['Gifts you gave', 'For Jonas Berg', '1 of 3 orders', 'So kind!', 'Send the e-mail again'])
      expect(page.body).toContain(part);
    expect(page.body).not.toContain('Cancel this gift');
    const sent = await press((await open(`${url}&do=MAIL&of=${id}`)).body);
    expect(sent.body).toContain(`The e-mail is on its way to ${recipient}.`);
    const letters = await query("select recipient from outbox where contract_id = $1 and template = 'GIFT_SUBSCRIPTION_RECEIVED'", [id]);
    expect(letters).toEqual([{ recipient }, { recipient }]);
    const foreign = await give(at, plan);
    expect((await open(`${url}&do=MAIL&of=${foreign.id}`)).body).not.toContain('<button');
    await may({ allowGifterCancel: true });
    const question = await open(`${url}&do=CANCEL&of=${id}`);
    expect(question.body).toContain('Nothing is refunded by itself');
    await Promise.all([press(question.body), press(question.body)]);
    expect(await read(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await query("select source from events where contract_id = $1 and key = 'subscription_cancelled'", [id])).toEqual([
      { source: 'Customer portal' },
    ]);
    await may({ allowGifterCancel: false });
    // With a subscription of their own the gifts are a section of its page.
    const made = await at.make();
    const { customerId } = made;
    await give(at, plan, { customerId });
    const { portalLink } = await at.ok('subscription-contract.customerDetails', { id: made.id });
    const own = new URL(portalLink);
    expect((await open(own.pathname + own.search)).body).toContain(
      `<a href="/a/loop_subscriptions/customer/${customerId}/gifts">See your gifts</a>`,
    );
  });
});
