// Streaks on a running server: who takes part, what each order in a row brings, when a streak breaks, and how it is shown.
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { breakStreaks } from '../../../../src/server/features/streaks/enrollment.ts';
import { deliverAll } from '../../../support/events.ts';
import { oneEngine } from '../../../support/database.ts';
import { visitor } from '../portal/visitor.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { inDays, type Made } from '../subscriptions/fixture.ts';

const MONTHLY = { interval: 'MONTH', intervalCount: 1 };
const NONE = { rewardType: 'NONE' };

describe.each(oneEngine)('streaks on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 }, jobs: true });
  let n = 0;
  beforeEach(async () => {
    await deliverAll(at.server.services);
    await at.server.services.db.exec("delete from streak_enrollments; delete from records where entity = 'streak'");
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => at.server.call(name, input);
  const { ok: done } = at;
  const deliver = (): Promise<void> => deliverAll(at.server.services);
  const streak = async (over: JsonObject = {}): Promise<number> => {
    const { id } = await done('streaks.create', { name: `Streak ${++n}`, frequencies: [MONTHLY], milestones: [NONE, NONE], ...over });
    await done('streaks.activate', { id });
    return id;
  };
  const subscribe = async (over: JsonObject = {}): Promise<Made> => {
    const made = await at.make({ nextBillingDateEpoch: inDays(5), ...over });
    await deliver();
    return made;
  };
  const charge = async ({ id }: Made): Promise<void> => {
    const { nextOrderId: orderId } = await done('subscription-contract.read', { id });
    await done('subscription-contract.chargeNow', { id, orderId });
    await deliver();
  };
  const standing = ({ id }: Made): Promise<any> => done('streaks.ofSubscription', { subscriptionId: id });
  const keysOf = async ({ id }: Made): Promise<string[]> =>
    (await done('subscription-contract.activity', { id, limit: 100 }))
      .map((one: JsonObject) => one.key)
      .filter((key: string) => key.startsWith('streak'));

  it('counts orders that are paid in a row and gives each reward once, with the order after it', async () => {
    const milestones: JsonObject[] = [
      { rewardType: 'GIFT', variantId: at.goods.other, quantity: 2, title: 'Two on us' },
      { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '20', orderCount: 1 },
    ];
    const id = await streak({ milestones });
    const made = await subscribe();
    expect(await standing(made)).toMatchObject({ streakId: id, state: 'ACTIVE', step: 0, length: 2 });
    await charge(made);
    expect(await standing(made)).toMatchObject({
      step: 1,
      milestones: [{ title: 'Two on us', isReached: true, given: 'DONE' }, { isReached: false }],
    });
    const { lines } = await done('subscription-contract.read', { id: made.id });
    expect(lines.filter((line: JsonObject) => line.variantId === at.goods.other)).toMatchObject([
      { quantity: 2, price: '0.00', isOneTimeAdded: true },
    ]);
    // What was counted before is not counted again.
    await at.server.services.db.exec(
      "insert into event_queue (store_id, event_id) select store_id, id from events where key = 'order_placed' and contract_id = " +
        made.id,
    );
    await deliver();
    expect((await standing(made)).step).toBe(1);
    await charge(made);
    expect(await standing(made)).toMatchObject({ state: 'COMPLETED', step: 2, lapsesAt: null });
    const { discounts } = await done('subscription-contract.read', { id: made.id });
    expect(discounts).toMatchObject([{ title: `Streak ${n}`, value: '20' }]);
    await charge(made);
    expect(new Set(await keysOf(made))).toEqual(new Set(['streak_enrolled', 'streak_milestone_reached', 'streak_completed']));
    expect(await done('streaks.stats')).toMatchObject({
      enrolled: 1,
      completed: 1,
      completionRate: 100,
      rewardsIssued: 2,
      milestones: [{ count: 1 }, { count: 1 }, { count: 0 }, { count: 0 }, { count: 0 }],
    });
    expect(await done('streaks.read', { id })).toMatchObject({ streakLength: 2, completed: 1, rewardsIssued: 2 });
  });

  it('stand in the portal: how far they are and what comes next, and for a month how they ended', async () => {
    const gift = {
      rewardType: 'GIFT',
      variantId: at.goods.other,
      title: 'Two <on> us',
      quote: 'Nearly there',
      imageUrl: 'https://a.example/two.png',
    };
    await streak({ milestones: [NONE, gift], bannerImageUrl: 'https://a.example/banner.png' });
    const made = await subscribe();
    const { portalLink } = await done('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(portalLink);
    const page = async (): Promise<string> => (await visitor(at, () => pathname + search).open(pathname + search)).body;
    await charge(made);
    const running = await page();
    for (const part of [
      'Keep your streak going',
      '1 of 2 orders',
      'Next: Two &#60;on&#62; us',
      'Order by',
      'See your rewards',
      'Nearly there',
    ])
      expect(running).toContain(part);
    expect(running).toContain('<img src="https://a.example/banner.png" alt="">');
    expect(running).toContain('<ol class="track" aria-hidden="true"><li class="reached"></li><li></li></ol>');
    await charge(made);
    expect(await page()).toContain('You did it: 2 orders in a row.');
    await at.server.services.db.exec("update streak_enrollments set state = 'FAILED', step = 1");
    expect(await page()).toContain('Thank you for 1 orders in a row.');
    await at.server.services.db.exec("update streak_enrollments set ended_at = now() - interval '31 days'");
    expect(await page()).not.toContain('class="streak-banner"');
    // A theme may leave it out.
    await at.server.services.db.exec("update streak_enrollments set state = 'ACTIVE', ended_at = null");
    expect(await page()).toContain('class="streak-banner"');
    const [theme] = await done('theme-store.list');
    await done('theme-store.update', { ...theme, sections: [{ key: 'next_order' }] });
    expect(await page()).not.toContain('class="streak-banner"');
  });

  it('breaks when the next order does not come in its days of grace, and a late order counts no more', async () => {
    await streak({ gracePeriodDays: 2 });
    const made = await subscribe();
    const { lapsesAt, dueAt } = await standing(made);
    const days = (Date.parse(lapsesAt) - Date.parse(dueAt)) / 86_400_000;
    expect(days).toBeGreaterThan(2);
    expect(days).toBeLessThanOrEqual(3.1);
    const { db } = at.server.services;
    const now = new Date(lapsesAt);
    const broken = (at: Date): Promise<number> => db.inStore(1, trx => breakStreaks({ trx, storeId: 1, now: () => at }, at));
    expect(await broken(new Date(now.getTime() - 1000))).toBe(0);
    expect(await broken(now)).toBe(1);
    expect(await standing(made)).toMatchObject({ state: 'FAILED', step: 0 });
    await charge(made);
    expect(await standing(made)).toMatchObject({ state: 'FAILED', step: 0 });
    const late = await subscribe();
    await db.exec("update streak_enrollments set lapses_at = now() - interval '1 hour' where state = 'ACTIVE'");
    await charge(late);
    expect(await standing(late)).toMatchObject({ state: 'FAILED', step: 0 });
    expect(await keysOf(late)).toContain('streak_broken');
  });

  it('takes the first streak that fits, goes on when it is turned off, and ends when it is deleted', async () => {
    await streak({ frequencies: [{ interval: 'WEEK', intervalCount: 1 }] });
    await streak({ conditions: { match: 'ALL', rows: [{ conditionKey: 'PRODUCT', operator: 'ANY_OF', value: [at.goods.other] }] } });
    const [third, fourth] = [await streak(), await streak()];
    const all = (await done('streaks.list')).map((one: JsonObject) => one.id);
    const made = await subscribe();
    expect((await standing(made)).streakId).toBe(third);
    await done('streaks.order', { ids: [fourth, ...all.filter((id: number) => id !== fourth)] });
    expect((await standing(await subscribe())).streakId).toBe(fourth);
    await done('streaks.deactivate', { id: third });
    await charge(made);
    expect(await standing(made)).toMatchObject({ state: 'ACTIVE', step: 1 });
    await done('streaks.delete', { id: third });
    await expect.poll(async () => (await standing(made)).state, { timeout: 10_000 }).toBe('ENDED');
    expect(await standing(made)).toMatchObject({ state: 'ENDED', step: 1, milestones: [] });
  });

  it('enrols existing subscriptions once, from their next order on', async () => {
    const made = await subscribe();
    const id = await streak();
    expect(await standing(made)).toBeNull();
    await done('streaks.enrollExisting', { id });
    expect((await call('streaks.enrollExisting', { id })).body.message).toBe('Existing subscriptions were already enrolled.');
    await expect.poll(() => standing(made)).not.toBeNull();
    expect(await standing(made)).toMatchObject({ state: 'ACTIVE', step: 0 });
    await charge(made);
    expect((await standing(made)).step).toBe(1);
  });

  it('D207 D208 categories and translations carry texts and say their language', async () => {
    const id = await streak({ milestones: [{ rewardType: 'NONE', title: 'First' }] });
    const word = { key: 'streakProgress', value: '{{completed}}/{{total}}' };
    await done('streaks.updateCategories', { texts: [word] });
    const made = await subscribe();
    const { texts } = await standing(made);
    expect(texts).toContainEqual({ fieldKey: 'streakProgress', value: '0/1' });
    expect((await done('streaks.sharedTranslations', { locale: 'en' })).map((one: JsonObject) => one.key)).toContain('streakBroken');
    expect(await done('streaks.translations', { streakId: id, locale: 'en' })).toMatchObject([{ source: 'First', entityId: String(id) }]);
    expect((await done('streaks.categories'))[0]).toMatchObject({ id: 'streak', count: 10 });
  });

  it('tells what is wrong with a streak', async () => {
    const wrong = async (over: JsonObject): Promise<string[]> => {
      const { status, body } = await call('streaks.create', { name: 'Wrong', frequencies: [MONTHLY], milestones: [NONE], ...over });
      expect(status).toBe(422);
      return body.errors.map((error: JsonObject) => `${String(error.pointer)} ${String(error.message)}`);
    };
    expect(await wrong({ milestones: Array.from({ length: 6 }, () => NONE) })).toEqual([
      '/milestones Streak length must be between 1 and 5.',
    ]);
    expect(await wrong({ frequencies: [] })).toEqual(['/frequencies Choose at least one frequency.']);
    expect(await wrong({ frequencies: [{ interval: 'WEEK', intervalCount: 1 }], gracePeriodDays: 7 })).toEqual([
      '/gracePeriodDays Grace period must be shorter than the delivery interval.',
    ]);
    expect(await wrong({ milestones: [{ rewardType: 'DISCOUNT', discountValue: '120' }] })).toEqual([
      '/milestones/0/discountValue Discount must be between 1 and 100%.',
    ]);
    expect(await wrong({ milestones: [{ rewardType: 'GIFT' }] })).toEqual(['/milestones/0/variantId Choose a gift product.']);
    expect(await done('streaks.frequencies')).toContainEqual(expect.objectContaining({ ...MONTHLY, label: 'every month' }));
    expect(
      (await done('streaks.availableSellingPlans', { frequencies: [MONTHLY] })).every((one: JsonObject) => one.interval === 'MONTH'),
    ).toBe(true);
  });
});
