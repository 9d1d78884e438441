// The cancellation flow on a running server: what is shown to whom, what is accepted and done, and what cancelling is for.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const orders = (operator: string, value: number): JsonObject => ({
  match: 'ALL',
  rows: [{ conditionKey: 'SUBSCRIPTION_ORDERS', operator, value }],
});

describe('cancellation flows', () => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 2, stores: 2 } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    await server.services.db.exec(
      "delete from cancellation_attempts; delete from records where entity in ('subscription-benefit', 'incentive')",
    );
    made = await makeContract(server, goods, { nextBillingDateEpoch: inDays(5) });
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => server.call(name, input);
  const must = async (name: string, input: JsonObject = {}): Promise<any> => {
    const answer = await call(name, input);
    expect([answer.status, answer.body.errors ?? answer.body.message]).toEqual([expect.closeTo(200, -1), answer.body.message]);
    return answer.data;
  };
  const read = (): Promise<any> => must('subscription-contract.read', { id: made.id });
  const flow = (audience = 'CUSTOMER'): Promise<any> => must('cancellation-attempts.flow', { subscriptionId: made.id, audience });
  const reasons = async (): Promise<any[]> => must('preferences.readActiveReasons');
  const reasonId = async (title: string): Promise<number> => (await reasons()).find(one => one.title === title).id;
  const benefit = (name: string, over: JsonObject = {}): Promise<any> =>
    must('subscription-benefits.create', {
      name,
      title: `Title of ${name}`,
      bodyHtml: '<p class="x">Stay</p>',
      primaryCtaText: 'Keep',
      secondaryCtaText: 'Go on',
      ...over,
    }).then(async one => {
      await must('subscription-benefits.activate', { id: one.id });
      return one;
    });
  const offer = async (over: JsonObject = {}): Promise<any> => {
    const one = await must('incentives.create', {
      name: 'Half price',
      title: 'Half price twice',
      bodyHtml: '<p>Stay.</p>',
      acceptCtaText: 'Accept',
      rejectCtaText: 'No',
      reasonIds: [await reasonId('Too expensive')],
      incentives: [
        { action: 'SKIP_ORDER', input: { count: 1 } },
        { action: 'ADD_DISCOUNT', input: { kind: 'MANUAL', title: 'Stay', type: 'PERCENTAGE', value: '50', orderLimit: 2 } },
      ],
      ...over,
    });
    await must('incentives.activate', { id: one.id });
    return one;
  };

  it('D200 a reason is read by its cancellationReasonId; the team chooses among those that are on, by their titles', async () => {
    const id = await reasonId('Other');
    expect(await must('cancellation-reasons.read', { cancellationReasonId: id })).toMatchObject({ id, title: 'Other', isSystem: true });
    const wrong = await call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Because' });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toMatchObject([{ pointer: '/cancellationReason', message: expect.stringContaining('Too expensive') }]);
    await must('cancellation-reasons.deactivate', { id: await reasonId('Out of stock') });
    expect((await call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Out of stock' })).status).toBe(422);
    await must('subscription-contract.cancel', { id: made.id, cancellationReason: 'too expensive' });
    expect(await read()).toMatchObject({ status: 'CANCELLED', cancellationReason: 'Too expensive' });
    expect((await call('cancellation-reasons.delete', { id })).status).toBe(409);
    const { data: list } = await call('cancellation-reasons.list');
    expect(list.find((one: JsonObject) => one.title === 'Too expensive').timesChosen).toBe(1);
  });

  it('the first benefits page whose conditions fit is shown, reasons by their audience, in the language of the customer', async () => {
    await benefit('Long', { conditions: orders('GTE', 5) });
    const all = await benefit('All');
    await benefit('Last');
    const shown = await flow();
    expect(shown).toMatchObject({
      steps: ['BENEFIT', 'REASONS', 'CONFIRM'],
      benefit: { id: all.id, bodyHtml: '<p>Stay</p>' },
      isArl: false,
    });
    const titles = (one: any): string[] => one.reasons.map((reason: any) => reason.title);
    expect(titles(shown)).not.toContain('Created by mistake');
    expect(titles(await flow('TEAM'))).toContain('Created by mistake');
    // Conditions are for customers; the team chooses among all.
    const other = await must('cancellation-reasons.read', { cancellationReasonId: await reasonId('Other') });
    await must('cancellation-reasons.update', { ...other, conditions: orders('GTE', 50) });
    expect(titles(await flow())).not.toContain('Other');
    expect(titles(await flow('TEAM'))).toContain('Other');
    await must('cancellation-reasons.update', { ...other, version: other.version + 1, conditions: { match: 'ALL', rows: [] } });
    // D199: storeId is taken along; order is one call.
    const { data: pages } = await call('subscription-benefits.list', { storeId: 1 });
    await must('subscription-benefits.order', { ids: pages.map((one: any) => one.id).toReversed() });
    expect((await flow()).benefit.title).toBe('Title of Last');
  });

  it('D199 D202 an offer follows its reason, does all it says at once or nothing, and is made once', async () => {
    const one = await offer();
    expect((await must('incentives.guidById', { id: one.id })).guid).toMatch(/^[0-9a-f]{32}$/);
    const attempt = await must('cancellation-attempts.start', { subscriptionId: made.id });
    const because = await reasonId('Too expensive');
    const before = await read();
    const answer = await must('cancellation-attempts.answer', { id: attempt.id, step: 'OFFER', accepted: true, reasonId: because });
    expect(answer.outcome).toBe('SAVED');
    const now = await read();
    expect(now).toMatchObject({ status: 'ACTIVE', discounts: [{ title: 'Stay' }] });
    expect(now.nextBillingDateEpoch).toBeGreaterThan(before.nextBillingDateEpoch);
    const { data: activity } = await call('subscription-contract.activity', { id: made.id });
    expect(activity.map((row: any) => row.key)).toContain('cancellation_averted');
    // It has ended, and the same offer is not made to them again.
    expect((await call('cancellation-attempts.answer', { id: attempt.id, step: 'OFFER', accepted: false, reasonId: because })).status).toBe(
      409,
    );
    expect((await flow('TEAM')).reasons.find((reason: any) => reason.id === because).offer).toBeNull();
    expect((await must('incentives.list', { storeId: 1 }))[0]).toMatchObject({ shown: 1, saveRate: 100 });
    // A paused subscription has nothing to skip: the offer is not shown, and asking for it changes nothing.
    made = await makeContract(server, goods, { nextBillingDateEpoch: inDays(5) });
    await must('subscription-contract.pause', { id: made.id });
    const paused = await must('cancellation-attempts.start', { subscriptionId: made.id });
    expect((await call('cancellation-attempts.answer', { id: paused.id, step: 'OFFER', accepted: true, reasonId: because })).status).toBe(
      422,
    );
    expect(await read()).toMatchObject({ status: 'PAUSED', discounts: [] });
  });

  it('a suggestion is done by its action; at the end the reason is needed, and the attempt counts as cancelled', async () => {
    const because = await reasonId('I have too much of it');
    const attempt = await must('cancellation-attempts.start', { subscriptionId: made.id });
    expect((await call('cancellation-attempts.cancel', { id: attempt.id })).body.errors).toMatchObject([{ pointer: '/reasonId' }]);
    await must('cancellation-attempts.answer', {
      id: attempt.id,
      step: 'TREATMENT',
      accepted: true,
      reasonId: because,
      treatmentId: 'pause',
    });
    expect((await read()).status).toBe('PAUSED');
    const second = await must('cancellation-attempts.start', { subscriptionId: made.id });
    await must('cancellation-attempts.cancel', { id: second.id, reasonId: because, notifyCustomer: false });
    expect(await read()).toMatchObject({
      status: 'CANCELLED',
      cancellationReason: 'I have too much of it',
      cancellationSource: 'MERCHANT',
    });
    const log = await must('cancellation-attempts.list', { subscriptionId: made.id });
    expect(log.map((row: any) => row.outcome)).toEqual(['CANCELLED', 'SAVED']);
    expect((await call('cancellation-attempts.start', { subscriptionId: made.id })).status).toBe(409);
  });

  it('where an automatic renewal law holds, an offer made for it comes first and no reason is needed', async () => {
    const page = await must('preferences.cancellation');
    expect(page).toMatchObject({ arlEnabled: true, arlStates: ['CA', 'CO'] });
    await server.services.db.exec(
      `update contracts set country_code = 'US', shipping_address = shipping_address || '{"countryCode": "US", "provinceCode": "CA"}' where id = ${made.id}`,
    );
    await benefit('All');
    expect(await flow()).toMatchObject({ isArl: true, steps: ['BENEFIT', 'CONFIRM'], offer: null });
    const one = await offer({ isAvailableUnderArl: true, arlBodyHtml: '<p>By law.</p>' });
    expect(await flow()).toMatchObject({ steps: ['OFFER', 'CONFIRM'], offer: { id: one.id, bodyHtml: '<p>By law.</p>' } });
    const attempt = await must('cancellation-attempts.start', { subscriptionId: made.id });
    await must('cancellation-attempts.answer', { id: attempt.id, step: 'OFFER', accepted: false });
    await must('cancellation-attempts.cancel', { id: attempt.id });
    expect(await read()).toMatchObject({ status: 'CANCELLED', cancellationReason: null });
  });

  it('D162 D163 benefits pages and offers are translated, and customers read them in their language', async () => {
    const one = await benefit('All');
    const two = await offer({ name: 'Other offer' });
    await call('multilingual.addLanguage', { locale: 'de' });
    const { data: languages } = await call('multilingual.languages');
    const german = languages.find((row: any) => row.locale === 'de');
    await must('multilingual.changeLanguage', { id: german.id, isPublished: true, version: german.version });
    const words = [{ key: 'title', value: 'Bleiben Sie' }];
    await must('multilingual.updateCancellationBenefit', { bundleId: String(one.id), localeStoreId: 'de', translations: words });
    await must('multilingual.updateIncentive', { incentiveId: String(two.id), localeStoreId: 'de', translations: words });
    expect(await must('multilingual.cancellationBenefit', { bundleId: String(one.id), localeStoreId: 'de' })).toEqual(
      expect.arrayContaining([expect.objectContaining({ key: 'title', value: 'Bleiben Sie' })]),
    );
    await must('translations.updateCancellationFlow', {
      localeStoreId: 'de',
      translations: [{ key: 'cancellationKeep', value: 'Abo behalten' }],
    });
    await server.services.db.exec(`update contracts set customer_locale = 'de' where id = ${made.id}`);
    const shown = await flow();
    expect(shown.benefit.title).toBe('Bleiben Sie');
    expect(shown.reasons.find((reason: any) => reason.offer)?.offer.title).toBe('Bleiben Sie');
    expect(shown.texts.cancellationKeep).toBe('Abo behalten');
  });

  it('a suggested text names the best discount that is on sale and what subscribers hold; nothing is saved', async () => {
    const made = await must('ai.subscriptionBenefits', { productTitles: ['<b>Tea</b>'], length: 'LONG', brandTone: 'PLAYFUL' });
    expect(made.bodyHtml).toContain('&lt;b&gt;Tea&lt;/b&gt; without these?');
    expect(made.bodyHtml).toMatch(/\d+% off/);
    expect((await must('ai.subscriptionBenefits')).title).not.toBe(made.title);
    // A discount of the first box is none of every order, and what one plan alone takes off is the most.
    const { db } = server.services;
    const discounts = (fixed: string, recurring: string, value: string) =>
      db.ownerQuery(
        `update records set data = jsonb_set(data, '{sellingPlans}', (select jsonb_agg(p || jsonb_build_object('fixedDiscountType', 'PERCENTAGE',
          'fixedDiscountValue', $1::text, 'recurringDiscountType', nullif($2::text, ''), 'recurringDiscountValue', nullif($3::text, ''))
          order by n) from jsonb_array_elements(data -> 'sellingPlans') with ordinality x(p, n)))
        where store_id = 1 and entity = 'selling-plan-group'`,
        [fixed, recurring, value],
      );
    const { rows: before } = await db.ownerQuery<any>("select id, data from records where store_id = 1 and entity = 'selling-plan-group'");
    const text = async (): Promise<string> => (await must('ai.subscriptionBenefits')).bodyHtml;
    await discounts('50', 'NONE', '');
    expect(await text()).not.toContain('off</strong>');
    await discounts('50', 'PERCENTAGE', '15');
    expect(await text()).toContain('<strong>15% off</strong>');
    await discounts('20', '', '');
    expect(await text()).toContain('<strong>20% off</strong>');
    for (const { id, data } of before) await db.ownerQuery('update records set data = $1 where id = $2', [JSON.stringify(data), id]);
    expect(await must('subscription-benefits.list')).toEqual([]);
  });
});
