// Campaigns on a running server: whom they are for, launching, links that work once and in their time, and what may change.
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { campaigns } from '../../../../src/server/features/quick-actions/jobs/campaigns.ts';
import { buttonsOf, customerBrowser } from '../../../support/customer-browser.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { type Made } from '../subscriptions/fixture.ts';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const TIMES = { audienceType: 'ALL_ELIGIBLE', startAt: inDays(-1), endAt: inDays(10) };

describe.each(oneEngine)('campaigns on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 } });
  let paused: Made;
  let n = 0;
  beforeEach(async () => {
    await at.server.services.db.exec(
      "delete from link_events; delete from campaign_members; delete from records where entity = 'campaign'",
    );
    paused = await at.make();
    await done('subscription-contract.pause', { id: paused.id });
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => at.server.call(name, input);
  const { ok: done } = at;
  const campaign = async (over: JsonObject = {}): Promise<number> =>
    (
      await done('campaign-actions.create', {
        name: `Campaign ${++n}`,
        type: 'RESUME_SUBSCRIPTION',
        audienceType: 'SUBSCRIPTION_IDS',
        subscriptionIds: [paused.id],
        startAt: inDays(-1),
        endAt: inDays(10),
        reward: { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '10' },
        delivery: 'FILE',
        ...over,
      })
    ).id;
  const launch = (id: number): Promise<any> => done('campaign-actions.launch', { campaignActionId: id });
  const links = async (id: number): Promise<string[]> =>
    (await at.server.request('GET', `/host/v2/campaignActions/links?campaignActionId=${id}`, { as: 'owner' })).text.trim().split(/\r?\n/);
  const pathOf = (line: string): string => new URL(line.split(',')[3] ?? '').pathname;
  const browser = customerBrowser(() => at.server.app);
  const open = async (url: string): Promise<string> => (await browser.open(url)).body;
  /** Presses the button of a link, or of a link that shows none any more. */
  const press = async (url: string): Promise<string> => {
    const [address = `${url}?choice=none`] = buttonsOf(await browser.open(url));
    return (await browser.open(address, 'POST')).body;
  };
  const read = (id: number): Promise<any> => done('campaign-actions.read', { campaignActionId: id });

  it('D198 is read by campaignActionId and storeId, launched for its audience, and each subscription takes it once', async () => {
    const id = await campaign();
    expect(await done('campaign-actions.read', { campaignActionId: id, storeId: 1 })).toMatchObject({ status: 'DRAFT', isLaunched: false });
    expect(await launch(id)).toMatchObject({ status: 'ACTIVE', audience: 1, isLaunched: true });
    expect((await call('campaign-actions.launch', { campaignActionId: id })).status).toBe(409);
    const [header, line = '', ...more] = await links(id);
    expect([header, more]).toEqual(['subscription_id,customer_email,customer_first_name,action_url,expires_at', []]);
    expect(line).toMatch(new RegExp(`^${paused.id},person\\d+@mail.example,Ann,http`));
    const url = pathOf(line);
    expect(await open(url)).toContain('You get 10% off.');
    expect(await press(url)).toContain('Your subscription goes on.');
    expect(await done('subscription-contract.read', { id: paused.id })).toMatchObject({ status: 'ACTIVE', discounts: [{ value: '10' }] });
    expect(await press(url)).toContain('You have already used this offer.');
    const { revenue, ...rest } = await read(id);
    expect(rest).toMatchObject({ linkClicks: 1, confirmations: 1, conversionRate: 100 });
    expect(Number(revenue)).toBeGreaterThan(0);
    expect(await done('campaign-actions.stats')).toMatchObject({ running: 1, opened: 1, taken: 1, revenue });
  });

  it('D121 a mystery reward is drawn with counted odds, once for each customer, and shown in the portal until it is opened', async () => {
    const percent = (discountValue: string) => ({ rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue });
    const rewards = [
      { chance: 3, reward: percent('10') },
      { chance: 1, reward: percent('50') },
    ];
    const made = await Promise.all(Array.from({ length: 4 }, () => at.make()));
    // The first customer has a second subscription: the surprise is for a customer.
    const second = await at.make();
    await at.server.services.db.ownerQuery('update contracts set customer_id = $1 where store_id = 1 and id = $2', [
      made[0]!.customerId,
      second.id,
    ]);
    const type = { type: 'MYSTERY_REWARDS', title: 'Something for you', ctaText: 'Look inside' };
    const one = await call('campaign-actions.create', { name: 'Few', ...type, rewards: rewards.slice(1), ...TIMES });
    expect(one.body.errors).toMatchObject([{ pointer: '/rewards', message: 'Add at least two rewards.' }]);
    const ids = [...made, second].map(({ id }) => id);
    const id = await campaign({ ...type, subscriptionIds: ids, rewards });
    await launch(id);
    const urls = (await links(id)).slice(1).map(pathOf);
    const page = await open(urls[0]!);
    expect([page.includes('Something for you'), page.includes('You get')]).toEqual([true, false]);
    const portal = async ({ id: contract }: { id: number }): Promise<string> => {
      const { pathname, search } = new URL((await done('subscription-contract.customerDetails', { id: contract })).portalLink);
      return (await browser.open(pathname + search)).body;
    };
    expect(await portal(made[0]!)).toContain('Look inside');
    // All at once, with both links of the first customer among them.
    const said = await Promise.all(urls.map(press));
    expect(said.filter(text => text.includes('You have already used this offer.'))).toHaveLength(1);
    const opened = said.filter(text => text.includes('off.'));
    expect(opened.map(text => /You get (\d+)% off/.exec(text)?.[1]).sort()).toEqual(['10', '10', '10', '50']);
    const discounts = await Promise.all(ids.map(async one => (await done('subscription-contract.read', { id: one })).discounts));
    expect(
      discounts
        .flat()
        .map(({ value }: any) => value)
        .sort(),
    ).toEqual(['10', '10', '10', '50']);
    expect(await portal(made[0]!)).not.toContain('Look inside');
    expect(await read(id)).toMatchObject({ confirmations: 4 });
    await at.server.services.db.ownerQuery('update stores set billing_plan_id = 2 where id = 1');
    at.server.services.sessions.forget(1);
    const closed = await call('campaign-actions.create', { name: 'Closed', ...type, rewards, ...TIMES });
    expect(closed.body.errors?.[0]?.message).toContain("doesn't include mystery rewards");
    await at.server.services.db.ownerQuery('update stores set billing_plan_id = 4 where id = 1');
    at.server.services.sessions.forget(1);
  });

  it('counts whom it is for, checks numbers, and leaves out who is to be left out', async () => {
    const all = await done('campaign-actions.subscriptionCount', { actionKey: 'RESUME_SUBSCRIPTION' });
    expect(all.eligible).toBeGreaterThan(0);
    await at.server.services.db.exec(`update customers set tags = '{vip}' where id = ${paused.customerId}`);
    expect(await done('campaign-actions.subscriptionCount', { actionKey: 'RESUME_SUBSCRIPTION', excludedTags: ['vip'] })).toMatchObject({
      eligible: all.eligible - 1,
      excluded: 1,
      total: all.total,
    });
    const active = await at.make();
    await launch(await campaign());
    expect(
      await done('campaign-actions.validateSubscriptionIds', {
        actionKey: 'RESUME_SUBSCRIPTION',
        subscriptionIds: [paused.id, active.id, 99_999_999, active.id],
      }),
    ).toEqual({
      valid: [],
      invalid: [
        { id: paused.id, reason: 'ALREADY_IN_CAMPAIGN' },
        { id: active.id, reason: 'WRONG_STATUS' },
        { id: 99_999_999, reason: 'NOT_FOUND' },
        { id: active.id, reason: 'DUPLICATE' },
      ],
    });
    const empty = await campaign({ name: 'Empty', audienceType: 'ALL_ELIGIBLE', excludedTags: ['vip'], excludeStreaks: true });
    await at.server.services.db.exec("update customers set tags = '{vip}' where store_id = 1");
    expect((await call('campaign-actions.launch', { campaignActionId: empty })).body.message).toBe('The audience is empty.');
  });

  it('is sent by e-mail to who wants and can get it, once each, from its start on, with figures of each letter and link', async () => {
    const { db } = at.server.services;
    const others = await Promise.all(Array.from({ length: 4 }, () => at.make()));
    for (const { id } of others) await done('subscription-contract.pause', { id });
    const [unsubscribed, lately, second, other] = others as [Made, Made, Made, Made];
    const address = async ({ id }: Made): Promise<string> =>
      (await db.ownerQuery<any>('select customer_email from contracts where store_id = 1 and id = $1', [id])).rows[0].customer_email;
    await db.ownerQuery(
      `insert into mail_blocks (store_id, address, reason, detail, created_by, created_at)
        values (1, lower($1), 'UNSUBSCRIBED', '', '', now())`,
      [await address(unsubscribed)],
    );
    await db.ownerQuery(
      `insert into outbox (store_id, template, recipient, subject, text, html, created_at, sent_at) values
        (1, 'CAMPAIGN_OFFER', upper($1), '', '', '', now() - interval '2 days', now())`,
      [await address(lately)],
    );
    await db.ownerQuery('update contracts set customer_email = $1 where store_id = 1 and id = $2', [await address(other), second.id]);
    const subscriptionIds = others.map(({ id }) => id);
    const audience = { actionKey: 'RESUME_SUBSCRIPTION', audienceType: 'SUBSCRIPTION_IDS', subscriptionIds };
    const newest = Math.max(second.id, other.id);
    const reach = await done('campaign-actions.reach', { ...audience, delivery: 'EMAIL' });
    expect(reach).toMatchObject({ subscriptions: 4, letters: 1, examples: [{ id: newest, customerName: expect.stringMatching(/./) }] });
    const why = { UNSUBSCRIBED: 1, RECENT: 1, SAME_ADDRESS: 1 };
    expect(Object.fromEntries(reach.others.map((one: any) => [one.letter, one.count]))).toEqual(why);
    const id = await campaign({ delivery: 'EMAIL', subject: 'Back, {{customer_first_name}}?', subscriptionIds, startAt: inDays(1) });
    expect((await done('campaign-actions.sendTest', { campaignActionId: id, to: 'me@store.example' })).to).toBe('me@store.example');
    const typed = { actionKey: 'RESUME_SUBSCRIPTION', title: 'Go on?', description: 'Text <b>typed</b>', ctaText: 'Go on', scheme: 'dark' };
    const shown = await done('campaign-actions.preview', typed);
    expect([shown.subject, shown.html.includes('Text &#60;b&#62;typed')]).toEqual(['Go on?', true]);
    expect(await launch(id)).toMatchObject({ status: 'SCHEDULED', audience: 4 });
    const write = (): Promise<void> =>
      campaigns.run(at.server.services, {}, { signal: new AbortController().signal, progressed: () => Promise.resolve() } as never);
    const mails = async (): Promise<any[]> =>
      (await db.ownerQuery<any>(`select * from outbox where store_id = 1 and dedupe_key like 'CAMPAIGN_OFFER:' || $1 || ':%'`, [id])).rows;
    await write();
    expect(await mails()).toEqual([]);
    expect(await done('campaign-actions.letters', { campaignActionId: id })).toMatchObject({ letters: 4, waiting: 4 });
    await db.exec(`update records set data = data || '{"startAt": "${inDays(-1)}"}' where id = ${id}`);
    await write();
    await write();
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect([mail.recipient, mail.contract_id]).toEqual([await address(other), newest]);
    expect([mail.subject, mail.text.includes('You get 10% off.')]).toEqual(['Back, Ann?', true]);
    const link = /http\S+\/q\/\S+/.exec(mail.text)?.[0] ?? '';
    expect(await press(new URL(link).pathname)).toContain('Your subscription goes on.');
    await db.ownerQuery('update outbox set sent_at = now() where id = $1', [mail.id]);
    const { others: left, ...letters } = await done('campaign-actions.letters', { campaignActionId: id });
    expect(letters).toEqual({ letters: 1, sent: 1, failed: 0, read: 0, waiting: 0 });
    expect(Object.fromEntries(left.map((one: any) => [one.letter, one.count]))).toEqual(why);
    const rows = await done('campaign-links.list', { filter: { campaignId: [id], result: ['TAKEN'] } });
    expect(rows).toMatchObject([
      { subscriptionId: newest, letter: 'WRITTEN', result: 'TAKEN', revenue: expect.stringMatching(/^\d+\.\d\d$/) },
    ]);
  });

  it('works in its time only, and not once it is archived', async () => {
    const id = await campaign({ startAt: inDays(2) });
    expect(await launch(id)).toMatchObject({ status: 'SCHEDULED' });
    const [, line = ''] = await links(id);
    expect(await open(pathOf(line))).toContain('This offer has not started yet.');
    const set = (times: JsonObject): Promise<unknown> =>
      at.server.services.db.exec(`update records set data = data || '${JSON.stringify(times)}' where id = ${id}`);
    const tick = (): Promise<void> => campaigns.run(at.server.services, {}, { signal: new AbortController().signal } as never);
    await set({ startAt: inDays(-2) });
    await tick();
    expect(await read(id)).toMatchObject({ status: 'ACTIVE' });
    await set({ endAt: inDays(-1) });
    expect(await open(pathOf(line))).toContain('This offer has ended.');
    await tick();
    expect(await read(id)).toMatchObject({ status: 'COMPLETED' });
    const other = await campaign();
    await launch(other);
    expect(await done('campaign-actions.archive', { campaignActionId: other })).toMatchObject({ status: 'ARCHIVED' });
    const [, second = ''] = await links(other);
    expect(await press(pathOf(second))).toContain('This offer has ended.');
    expect((await call('campaign-actions.archive', { campaignActionId: other })).body.message).toBe('This campaign is archived.');
  });

  it('says what is wrong, and what may not change after the launch', async () => {
    const wrong = async (over: JsonObject): Promise<string[]> => {
      const { status, body } = await call('campaign-actions.create', {
        name: 'Wrong',
        type: 'RESUME_SUBSCRIPTION',
        audienceType: 'ALL_ELIGIBLE',
        startAt: inDays(0),
        endAt: inDays(5),
        ...over,
      });
      expect(status).toBe(422);
      return body.errors.map((error: JsonObject) => error.message);
    };
    expect(await wrong({ endAt: inDays(-1) })).toEqual(['The end must be after the start.']);
    expect(await wrong({ endAt: inDays(181) })).toEqual(['A campaign lasts at most 180 days.']);
    expect(await wrong({ audienceType: 'SUBSCRIPTION_IDS', subscriptionIds: [99_999_999] })).toEqual([
      'None of these subscriptions can be used.',
    ]);
    const id = await campaign();
    await launch(id);
    const now = await read(id);
    expect((await call('campaign-actions.update', { ...now, type: 'WINBACK' })).body.message).toBe(
      'Audience and action cannot change after launch.',
    );
    expect(await done('campaign-actions.update', { ...now, title: 'Come along', endAt: inDays(20) })).toMatchObject({
      title: 'Come along',
    });
    expect((await done('campaign-actions.config')).kinds.map((one: JsonObject) => one.key)).toContain('WINBACK');
  });
});
