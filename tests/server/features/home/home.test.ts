// The home page's figures against the same figures worked out one by one from what the calls of single subscriptions and orders say.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineShares } from '../../../../src/domain/money/line-shares.ts';
import { monthlyValue } from '../../../../src/domain/money/metrics.ts';
import { toDecimal, toMinor } from '../../../../src/domain/money/money.ts';
import { inStoreCurrency } from '../../../../src/server/platform/records/exchange-rates.ts';
import { inDays, makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
let goods: Goods;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 120 } });
  goods = await stockGoods(server);
});
afterAll(() => server.close());

const ask = async (key: string, input = {}) => {
  const answer = await server.call(`home.${key}`, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data;
};
const contracts = () => server.services.db.asOwner(trx => trx.selectFrom('contracts').selectAll().where('store_id', '=', 1).execute());
const store = () => server.services.db.asOwner(trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
const dayIn = (zone: string, at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
const plus = (day: string, n: number) => new Date(Date.parse(`${day}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10);

describe('overview', () => {
  it('counts active subscriptions and subscribers, and what is being retried', async () => {
    const [all, found] = [await contracts(), await ask('overview')];
    const active = all.filter(row => row.status === 'ACTIVE');
    expect(found).toMatchObject({
      activeSubscriptions: active.length,
      activeSubscribers: new Set(active.map(row => row.customer_id)).size,
      pausedSubscriptions: all.filter(row => row.status === 'PAUSED').length,
      currencyCode: 'USD',
    });
    const open = await server.services.db.asOwner(trx =>
      trx.selectFrom('orders').selectAll().where('store_id', '=', 1).where('next_retry_at', 'is not', null).execute(),
    );
    expect(found.inRecovery.count).toBe(open.length);
    expect(active.length).toBeGreaterThan(20);
  });

  it('recurring revenue follows interval, currency and lasting discounts, and nothing else', async () => {
    const own = await store();
    const before = toMinor((await ask('overview')).mrr, 'USD');
    const { id } = await makeContract(server, goods); // two lines of 20.00 a month
    expect(toMinor((await ask('overview')).mrr, 'USD') - before).toBe(4000);
    const discount = await server.call('subscription-contract.addDiscount', { id, title: 'For ever', type: 'PERCENTAGE', value: '10' });
    expect(discount.status, JSON.stringify(discount.body)).toBe(200);
    expect(toMinor((await ask('overview')).mrr, 'USD') - before).toBe(3600);
    const once = await server.call('subscription-contract.addDiscount', {
      id,
      title: 'Once',
      type: 'PERCENTAGE',
      value: '50',
      orderLimit: 1,
    });
    expect(once.status, JSON.stringify(once.body)).toBe(200);
    expect(toMinor((await ask('overview')).mrr, 'USD') - before).toBe(3600);
    expect((await server.call('subscription-contract.pause', { id })).status).toBe(200);
    expect(toMinor((await ask('overview')).mrr, 'USD')).toBe(before);
    // The rest of the store, one by one: none of the seed's subscriptions has a discount without an end.
    const lines = await server.services.db.asOwner(trx =>
      trx.selectFrom('contract_lines').selectAll().where('store_id', '=', 1).orderBy('position').orderBy('id').execute(),
    );
    let sum = 0;
    for (const row of await contracts())
      if (row.status === 'ACTIVE') {
        const monthly = monthlyValue(row.subtotal, row.billing_interval as 'MONTH', row.billing_interval_count);
        const mine = lines.filter(line => line.contract_id === row.id && !line.one_time_added);
        for (const share of lineShares(monthly, mine)) sum += inStoreCurrency(own, share, row.currency_code);
      }
    expect(sum).toBe(before);
  });
});

describe('a period', () => {
  it('payments go by the day of their first try and revenue by that on which it was paid: the rest is the same, to the cent', async () => {
    const { timezone } = await store();
    const today = dayIn(timezone, new Date());
    const { rows: paid } = await server.services.db.asOwner(trx =>
      sql<{ tried: string; paid: string; usd: number }>`select to_char(t.created_at at time zone ${timezone}::text, 'YYYY-MM-DD') as tried,
          to_char(o.processed_at at time zone ${timezone}::text, 'YYYY-MM-DD') as paid, o.total_usd as usd
        from billing_attempts t join orders o on o.store_id = t.store_id and o.id = t.order_id
        where t.store_id = 1 and t.attempt_number = 1 and o.status = 'PAID' and o.order_type = 'RECURRING'`.execute(trx),
    );
    let apart = 0;
    for (let back = 1; back < 300; back += 30) {
      const input = {
        startDate: plus(today, -back - 29),
        endDate: plus(today, -back),
        comparisonStartDate: plus(today, -back - 59),
        comparisonEndDate: plus(today, -back - 30),
      };
      const { recurring } = await ask('revenue', input);
      const { realized } = (await server.call('payments-overview.paymentSummaryInfoForBanner', { ...input, dataType: 'revenue' })).data;
      const within = (day: string): boolean => day >= input.startDate && day <= input.endDate;
      const moved = paid.reduce((sum, one) => sum + one.usd * (Number(within(one.paid)) - Number(within(one.tried))), 0);
      apart += Math.abs(moved);
      expect(toMinor(recurring.value, 'USD') - toMinor(realized.value, 'USD')).toBe(moved);
      expect(Number(recurring.value)).toBeGreaterThan(0);
    }
    expect(apart).toBeGreaterThan(0);
  });

  it('adds up paid orders by day, first ones and renewals, beside the period before', async () => {
    const { timezone } = await store();
    const today = dayIn(timezone, new Date());
    const input = {
      startDate: plus(today, -29),
      endDate: today,
      comparisonStartDate: plus(today, -59),
      comparisonEndDate: plus(today, -30),
    };
    const [earned, moved] = [await ask('revenue', input), await ask('movement', input)];
    const paid = (
      await server.services.db.asOwner(trx =>
        trx
          .selectFrom('orders')
          .selectAll()
          .where('store_id', '=', 1)
          .where('status', '=', 'PAID')
          .where('is_prepaid_delivery', '=', false)
          .execute(),
      )
    ).map(order => ({ day: dayIn(timezone, order.processed_at as Date), type: order.order_type, usd: order.total_usd }));
    const within = (from: string, to: string) => paid.filter(order => order.day >= from && order.day <= to);
    const sum = (orders: { usd: number }[]) =>
      toDecimal(
        orders.reduce((total, order) => total + order.usd, 0),
        'USD',
      );
    const now = within(input.startDate, input.endDate),
      then = within(input.comparisonStartDate, input.comparisonEndDate);
    expect(now.length).toBeGreaterThan(10);
    expect(earned.revenue).toMatchObject({ value: sum(now), previous: sum(then) });
    expect(earned.recurring.value).toBe(sum(now.filter(order => order.type !== 'CHECKOUT')));
    expect(earned.orders).toMatchObject({ value: now.length, previous: then.length });
    expect(earned.byDay).toHaveLength(30);
    expect(earned.byDay.find((day: { date: string }) => day.date === now[0]?.day).value).toBe(
      sum(now.filter(order => order.day === now[0]?.day)),
    );
    const all = await contracts();
    const inside = (at: Date | null) => at !== null && dayIn(timezone, at) >= input.startDate && dayIn(timezone, at) <= input.endDate;
    expect(moved.begun.value).toBe(all.filter(row => inside(row.created_at)).length);
    expect(moved.cancelled.value).toBe(all.filter(row => row.status === 'CANCELLED' && inside(row.cancelled_at)).length);
  });

  it('says what is wrong with days the wrong way round, or too many', async () => {
    const days = { startDate: '2026-02-01', endDate: '2026-02-10', comparisonStartDate: '2026-01-01', comparisonEndDate: '2026-01-10' };
    expect(await server.call('home.revenue', { ...days, endDate: '2026-01-31' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/endDate', message: 'The last day must not lie before the first (2026-02-01).' }] },
    });
    expect(await server.call('home.movement', { ...days, startDate: '2016-02-01' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/startDate' }] },
    });
  });
});

describe('the days ahead', () => {
  it('hold each order of a subscription that is due several times, and none that was skipped', async () => {
    const before = await ask('upcoming');
    expect(before.days).toHaveLength(7);
    const { id } = await makeContract(server, goods, {
      billingPolicy: { interval: 'DAY', intervalCount: 2 },
      nextBillingDateEpoch: inDays(1),
    });
    const ahead = (await server.call('subscription-contract.ordersSchedule', { id })).data as {
      billingDateEpoch: number;
      status: string;
      id: number;
    }[];
    const { timezone } = await store();
    const last = before.days[6].date as string;
    const inWeek = ahead.filter(order => dayIn(timezone, new Date(order.billingDateEpoch * 1000)) <= last);
    expect(inWeek.length).toBeGreaterThan(2);
    const after = await ask('upcoming');
    expect(after.week.count - before.week.count).toBe(inWeek.length);
    const second = inWeek[1];
    const skipped = await server.call('subscription-contract.skipOrder', { id, orderId: second?.id ?? 0 });
    expect(skipped.status, JSON.stringify(skipped.body)).toBe(200);
    expect((await ask('upcoming')).week.count - before.week.count).toBe(inWeek.length - 1);
  });
});

it('shows the three alerts that weigh most, heaviest first, only to those who may see alerts', async () => {
  const found = await ask('alerts');
  const open = await server.services.db.asOwner(trx =>
    trx.selectFrom('alerts').selectAll().where('store_id', '=', 1).where('status', '<>', 'RESOLVED').execute(),
  );
  expect(found.total).toBe(open.length);
  expect(found.alerts.length).toBe(Math.min(3, open.length));
  const weight = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];
  const order = found.alerts.map((alert: { severity: string }) => weight.indexOf(alert.severity));
  expect(order).toEqual([...order].sort());
});
