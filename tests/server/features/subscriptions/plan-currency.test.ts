// A selling plan with an amount (4.50 off) on subscriptions of other currencies: by the rate, to whole units of the currency; without one it is refused, never
// taken as the same number of something else.
import { beforeAll, describe, expect, it } from 'vitest';
import { oneEngine } from '../../../support/database.ts';
import { rowsOf } from './fixture.ts';
import { serverWithGoods } from './goods-server.ts';

const RATES = { JPY: 0.0067, KWD: 3.25, EUR: 1.1 };
const [OFF, PRICE, PERCENT] = [88_301, 88_302, 88_303];

describe.each(oneEngine)('a plan with an amount (%s)', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 1 } });
  beforeAll(async () => {
    const plan = (lspId: number, type: string, value: number, count: number) => ({
      lspId,
      name: `Plan ${lspId}`,
      optionLabel: `Plan ${lspId}`,
      recurringBillingPolicyInterval: 'WEEK',
      recurringBillingPolicyIntervalCount: count,
      recurringDeliveryPolicyInterval: 'WEEK',
      recurringDeliveryPolicyIntervalCount: count,
      fixedDiscountType: type,
      fixedDiscountValue: value,
    });
    const data = {
      name: 'Amounts',
      merchantCode: 'amounts',
      status: 'ACTIVE',
      sellingPlans: [plan(OFF, 'FIXED_AMOUNT', 4.5, 1), plan(PRICE, 'PRICE', 12.25, 2), plan(PERCENT, 'PERCENTAGE', 10, 3)],
    };
    await at.server.services.db.ownerQuery("insert into records (store_id, entity, id, data) values (1, 'selling-plan-group', 77301, $1)", [
      JSON.stringify(data),
    ]);
    await at.server.services.db.ownerQuery(
      'insert into plan_products (store_id, group_id, product_id, variant_id) values (1, 77301, $1, null), (1, 77301, $2, null)',
      [at.goods.plain, at.goods.digital],
    );
  });

  const rates = async (usdRates: object): Promise<void> => {
    await at.server.services.db.ownerQuery(
      "update stores set details = coalesce(details, '{}') || jsonb_build_object('usdRates', $1::jsonb) where id = 1",
      [JSON.stringify(usdRates)],
    );
    at.server.services.sessions.forget(1);
  };
  /** A subscription in a currency, whose two products cost 2,000 minor units each. */
  const inCurrency = async (currency: string) => {
    const made = await at.make();
    await at.server.services.db.ownerQuery('update contracts set currency_code = $2 where store_id = 1 and id = $1', [made.id, currency]);
    return made;
  };

  it.each([
    ['USD', '31.00', '24.50'],
    ['EUR', '31.82', '22.28'],
    ['JPY', '2656', '3656'],
    ['KWD', '1.230', '7.538'],
  ])('D147 takes its worth in %s', async (currency, off, price) => {
    await rates(RATES);
    const made = await inCurrency(currency);
    const total = async (sellingPlanId: number): Promise<string> => {
      const answer = await at.server.call('subscription-contract.updateSellingPlan', { id: made.id, sellingPlanId });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.data.totalLineItemPrice as string;
    };
    // 4.50 dollars off each of two products, then 12.25 dollars for each.
    expect([await total(OFF), await total(PRICE)]).toEqual([off, price]);
  });

  it('D147 is refused where the store has no rate, and nothing changes; a percentage needs none', async () => {
    await rates({ EUR: 1.1 });
    const made = await inCurrency('JPY');
    const before = await rowsOf(at.server, made.id);
    for (const sellingPlanId of [OFF, PRICE]) {
      const answer = await at.server.call('subscription-contract.updateSellingPlan', { id: made.id, sellingPlanId });
      expect([answer.status, answer.body.errors?.[0]]).toEqual([
        422,
        {
          pointer: '/sellingPlanId',
          rule: 'CURRENCY',
          message: `The selling plan “Plan ${sellingPlanId}” has a price in USD, and your store has no rate for JPY.`,
        },
      ]);
    }
    expect(await rowsOf(at.server, made.id)).toEqual(before);
    expect(
      (await at.server.call('subscription-contract.updateSellingPlan', { id: made.id, sellingPlanId: PERCENT })).data.totalLineItemPrice,
    ).toBe('3600');
  });
});
