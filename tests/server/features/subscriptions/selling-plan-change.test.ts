// Putting a subscription on a published selling plan: one by its page, many by a bulk action.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { Bulk } from '../bulk-actions/helpers.ts';
import { makeContract, offerPlans, rowsOf, stockGoods, type Goods, type Made } from './fixture.ts';

const MONTHLY = 88_101,
  FORTNIGHTLY = 88_102;

describe.each(oneEngine)('the selling plan of a subscription (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, seed: { contracts: 4, stores: 1 } });
    goods = await stockGoods(server);
    await offerPlans(server, [goods.plain, goods.digital]);
  });
  afterAll(() => server.close());
  const change = (made: Pick<Made, 'id'>, sellingPlanId: number): Promise<Answered> =>
    server.call('subscription-contract.updateSellingPlan', { id: made.id, sellingPlanId });
  const events = async (made: Made): Promise<{ key: string; data: JsonObject }[]> =>
    (await server.call('subscription-contract.activity', { id: made.id })).data as { key: string; data: JsonObject }[];

  it('D055 D147 takes frequency, minimum and prices of the plan; the next order keeps its date, prices by hand go, and the log says from what to what', async () => {
    const made = await makeContract(server, goods);
    await server.call('subscription-contract.updatePrice', { id: made.id, lineId: made.lines[0]?.id as number, price: '7.00' });
    const before = (await server.call('subscription-contract.read', { id: made.id })).data;
    expect(before.hasCustomPlan).toBe(true);
    const answer = await change(made, FORTNIGHTLY);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.data).toMatchObject({
      frequency: 'Every 2 weeks',
      hasCustomPlan: false,
      totalLineItemPrice: '32.00',
      nextBillingDateEpoch: before.nextBillingDateEpoch,
    });
    expect((answer.data.lines as JsonObject[]).map(line => [line.sellingPlanId, line.sellingPlanName])).toEqual([
      [FORTNIGHTLY, 'Fortnightly'],
      [FORTNIGHTLY, 'Fortnightly'],
    ]);
    const [newest] = await events(made);
    expect(newest).toMatchObject({
      key: 'selling_plan_updated',
      data: { before: { plans: ['No plan'] }, after: { plans: ['Goods plans: Fortnightly'] } },
    });
    const schedule = (await server.call('subscription-contract.ordersSchedule', { id: made.id })).data as { billingDateEpoch: number }[];
    expect(Math.round(((schedule[1]?.billingDateEpoch ?? 0) - (schedule[0]?.billingDateEpoch ?? 0)) / 86_400)).toBe(14);
    expect((await change(made, MONTHLY)).data).toMatchObject({ frequency: 'Every month', minCycles: 2, totalLineItemPrice: '36.00' });
  });

  it('refuses a plan that a product is not sold with, an unknown one, and the one it follows already; nothing is left behind', async () => {
    const made = await makeContract(server, goods);
    await server.call('subscription-contract.addLine', { id: made.id, variantId: goods.other, discountType: 'NONE' });
    const rows = await rowsOf(server, made.id);
    const wrong = await change(made, MONTHLY);
    expect([wrong.status, wrong.body.errors?.[0]]).toEqual([
      422,
      expect.objectContaining({
        pointer: '/sellingPlanId',
        rule: 'PLAN_DOES_NOT_EXIST',
        message: 'Goods other is not sold with this plan. Choose a plan that all products share.',
      }),
    ]);
    expect((await change(made, 4711)).status).toBe(422);
    expect(await rowsOf(server, made.id)).toEqual(rows);
    const other = await makeContract(server, goods);
    expect((await change(other, MONTHLY)).status).toBe(200);
    const again = await change(other, MONTHLY);
    expect([again.status, again.body.message]).toEqual([409, 'This subscription follows this plan already.']);
  });

  it('is offered with the plans that all its products share, and previewed as it is done', async () => {
    const made = await makeContract(server, goods);
    const { plans } = (await server.call('subscription-contract.creationChoices', { id: made.id })).data as { plans: JsonObject[] };
    expect(plans).toEqual([
      { id: MONTHLY, title: 'Goods plans: Monthly', detail: 'every month' },
      { id: FORTNIGHTLY, title: 'Goods plans: Fortnightly', detail: 'every 2 weeks' },
    ]);
    const { after } = (
      await server.call('subscription-contract.preview', {
        id: made.id,
        action: 'updateSellingPlan',
        params: { sellingPlanId: FORTNIGHTLY },
      })
    ).data as { after: { orders: { billingDateEpoch: number; total: string }[] } };
    expect((await change(made, FORTNIGHTLY)).status).toBe(200);
    const schedule = (await server.call('subscription-contract.ordersSchedule', { id: made.id })).data as {
      billingDateEpoch: number;
      total: string;
    }[];
    expect(after.orders.map(order => [order.billingDateEpoch, order.total])).toEqual(
      schedule.slice(0, 3).map(order => [order.billingDateEpoch, order.total]),
    );
  });

  it('D075 many at once: each by the same guards, what is not sold with the plan is skipped with its reason', async () => {
    const bulk = new Bulk(server);
    const [a, b, c, ended] = [
      await makeContract(server, goods),
      await makeContract(server, goods),
      await makeContract(server, goods),
      await makeContract(server, goods),
    ];
    await change(b, MONTHLY);
    await server.call('subscription-contract.addLine', { id: c.id, variantId: goods.other, discountType: 'NONE' });
    await server.call('subscription-contract.cancel', { id: ended.id, cancellationReason: 'Other' });
    const {
      rows: [first],
    } = (
      await server.call('bulk-actions.preview', {
        actionKey: 'UPDATE_SELLING_PLAN',
        selection: { mode: 'IDS', ids: [a.id] },
        input: { sellingPlanId: MONTHLY },
      })
    ).data as { rows: JsonObject[] };
    expect(String(first?.after)).toContain('Price of Goods plain: $18.00');
    const done = await bulk.run('UPDATE_SELLING_PLAN', { mode: 'IDS', ids: [a.id, b.id, c.id, ended.id] }, { sellingPlanId: MONTHLY });
    expect((await bulk.rows(Number(done.id))).map(row => [row.status, row.reason])).toEqual([
      ['SUCCESS', null],
      ['SKIPPED', 'This subscription follows this plan already.'],
      ['SKIPPED', 'Goods other is not sold with this plan. Choose a plan that all products share.'],
      ['SKIPPED', 'Reactivate this subscription to make changes.'],
    ]);
    expect((await bulk.notes(a.id, Number(done.id))).map(note => note.key)).toEqual(['selling_plan_updated']);
    const plans = (await server.call('selling-plan-groups.plans')).data as JsonObject[];
    expect(plans.find(plan => plan.lspId === MONTHLY)).toMatchObject({
      groupStatus: 'ACTIVE',
      title: 'Goods plans: Monthly',
      detail: 'every month',
    });
  });
});
