// What was skipped, moved or changed for single orders ahead, and what every change of the whole schedule makes of it: an order that was
// skipped is not paid.
import { describe, expect, it } from 'vitest';
import { runDue } from '../../../../src/server/engine/charging/run-due.ts';
import { oneEngine } from '../../../support/database.ts';
import { Bulk } from '../bulk-actions/helpers.ts';
import { inDays, rowsOf, type Made } from './fixture.ts';
import { serverWithGoods } from './goods-server.ts';

interface Rows {
  orders: { id: number; status: string }[];
  activity: { key: string; data: { ended?: { skipped: number[]; moved: number[] } } }[];
}
interface Planned {
  id: number;
  status: string;
  isRescheduled: boolean;
  billingDateEpoch: number;
}

describe.each(oneEngine)('orders that were skipped or moved, on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 1 }, jobs: true });
  const call = (name: string, made: Made, input: Record<string, unknown> = {}) =>
    at.ok(`subscription-contract.${name}`, { id: made.id, ...(input as object) });
  const orderOf = (made: Made, cycle: number): number => made.id * 10_000 + cycle;
  const rows = async (made: Made): Promise<Rows> => (await rowsOf(at.server, made.id)) as Rows;
  const cyclesThat = async (made: Made, status: string): Promise<number[]> =>
    (await rows(made)).orders.filter(order => order.status === status).map(order => Number(order.id) - made.id * 10_000);
  const endedBy = async (made: Made, key: string) =>
    (await rows(made)).activity.filter(entry => entry.key === key).map(entry => entry.data.ended ?? null);
  const ahead = async (made: Made): Promise<Planned[]> => at.ok('subscription-contract.ordersSchedule', { id: made.id });
  const warnings = async (made: Made, action: string, params: Record<string, unknown>): Promise<string> =>
    ((await call('preview', made, { action, params })).warnings as string[]).join(' ');
  const dateOf = async (made: Made, cycle: number): Promise<number> =>
    (await ahead(made)).find(order => order.id === orderOf(made, cycle))!.billingDateEpoch;
  const chargeNext = async (made: Made): Promise<void> => {
    await call('chargeNow', made, { orderId: (await call('read', made)).nextOrderId });
  };

  /** The second order moved to another day and the third skipped, which the first comes before. */
  async function arranged(): Promise<Made & { skipped: number; moved: number }> {
    const made = await at.make();
    await call('skipOrder', made, { orderId: orderOf(made, 3) });
    await call('rescheduleOneOrder', made, { orderId: orderOf(made, 2), billingDateEpoch: inDays(66) });
    return { ...made, skipped: await dateOf(made, 3), moved: await dateOf(made, 2) };
  }

  it('D054 a pause says beforehand and in the log what it ends; orders charged during it are others than the skipped one', async () => {
    const made = await arranged();
    const said = await warnings(made, 'pause', { until: 'INDEFINITE' });
    expect(said).toMatch(/The skipped order of \w+, \w+ \d+, \d+ stays skipped and can't be put back any more\./);
    expect(said).toMatch(/The order that was moved to \w+, \w+ \d+, \d+ loses its own date\./);
    await call('pause', made, { until: 'INDEFINITE' });
    expect(await endedBy(made, 'subscription_paused')).toEqual([{ skipped: [made.skipped], moved: [made.moved] }]);
    for (let i = 0; i < 3; i++) await chargeNext(made);
    const refused = await at.server.call('subscription-contract.chargeNow', { id: made.id, orderId: orderOf(made, 3) });
    expect([refused.status, refused.body.message]).toEqual([409, "Skipped orders can't be charged."]);
    await call('resume', made);
    expect((await ahead(made)).every(order => order.status === 'SCHEDULED' && order.id > orderOf(made, 6))).toBe(true);
    expect([await cyclesThat(made, 'PAID'), await cyclesThat(made, 'SKIPPED')]).toEqual([[4, 5, 6], [3]]);
  });

  it('the same for many at once', async () => {
    const made = await arranged();
    const bulk = new Bulk(at.server);
    const ids = { mode: 'IDS' as const, ids: [made.id] };
    const paused = await bulk.run('PAUSE_SUBSCRIPTION', ids, { until: 'INDEFINITE' });
    const [row] = await bulk.rows(Number(paused.id));
    expect(String(row?.before)).toMatch(/Order of [^;]+: moved by itself; Order of [^;]+: skipped(;|$)/);
    expect(String(row?.after)).toMatch(/Order of [^;]+: counted with the others; Order of [^;]+: skipped for good(;|$)/);
    for (let i = 0; i < 3; i++) await bulk.run('CHARGE_ORDER', ids, { which: 'NEXT' });
    expect([await cyclesThat(made, 'PAID'), await cyclesThat(made, 'SKIPPED')]).toEqual([[4, 5, 6], [3]]);
  });

  it('D055 a reactivation charges no skipped order, and the cancellation named it', async () => {
    const made = await arranged();
    expect(await warnings(made, 'cancel', { cancellationReason: 'Other' })).toContain('stays skipped');
    await call('cancel', made, { cancellationReason: 'Other' });
    expect(await endedBy(made, 'subscription_cancelled')).toEqual([{ skipped: [made.skipped], moved: [made.moved] }]);
    await call('reactivate', made, { chargeAtOnce: true });
    for (let i = 0; i < 2; i++) await chargeNext(made);
    expect([await cyclesThat(made, 'PAID'), await cyclesThat(made, 'SKIPPED')]).toEqual([[4, 5, 6], [3]]);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['reschedule', 'subscription_rescheduled', { nextBillingDateEpoch: inDays(40) }],
    ['delay', 'order_delayed', { days: 7 }],
    ['updateBillingDetails', 'billing_policy_updated', { billingPolicy: { interval: 'WEEK', intervalCount: 3 } }],
  ])(
    '%s leaves what was skipped skipped, also where it was moved before, and names the order that loses its own day',
    async (name, key, input) => {
      const made = await arranged();
      await call('rescheduleOneOrder', made, { orderId: orderOf(made, 4), billingDateEpoch: (await dateOf(made, 4)) + 86_400 });
      await call('skipOrder', made, { orderId: orderOf(made, 4) });
      const said = await warnings(made, name, input);
      expect([said.match(/loses its own date/g)?.length, said.includes('stays skipped')]).toEqual([1, false]);
      await call(name, made, input);
      expect(await endedBy(made, key)).toEqual([{ skipped: [], moved: [made.moved] }]);
      expect((await ahead(made)).slice(0, 5).map(order => [order.status, order.isRescheduled])).toEqual([
        ['SCHEDULED', false],
        ['SCHEDULED', false],
        ['SKIPPED', false],
        ['SKIPPED', false],
        ['SCHEDULED', false],
      ]);
    },
  );

  it('a charge by hand passes what was skipped before its order, and says that this is for good', async () => {
    const made = await at.make();
    await call('skipOrder', made);
    const skipped = await dateOf(made, 1);
    await call('rescheduleOneOrder', made, { orderId: orderOf(made, 4), billingDateEpoch: (await dateOf(made, 4)) + 86_400 });
    await call('skipOrder', made, { orderId: orderOf(made, 4) });
    await chargeNext(made);
    expect(await endedBy(made, 'order_charged_now')).toEqual([{ skipped: [skipped], moved: [] }]);
    expect((await ahead(made)).slice(0, 3).map(order => [order.id, order.status])).toEqual([
      [orderOf(made, 3), 'SCHEDULED'],
      [orderOf(made, 4), 'SKIPPED'],
      [orderOf(made, 5), 'SCHEDULED'],
    ]);
    await chargeNext(made);
    await chargeNext(made);
    expect([await cyclesThat(made, 'PAID'), await cyclesThat(made, 'SKIPPED')]).toEqual([
      [2, 3, 5],
      [1, 4],
    ]);
  });

  it('an order that was skipped stays so while the subscription ends before it, and after', async () => {
    const made = await at.make();
    await call('skipOrder', made, { orderId: orderOf(made, 3) });
    const every = { interval: 'MONTH', intervalCount: 1 };
    await call('updateBillingDetails', made, { billingPolicy: { ...every, maxCycles: 2 } });
    await call('updateBillingDetails', made, { billingPolicy: { ...every, maxCycles: null } });
    expect((await ahead(made)).slice(0, 4).map(order => order.status)).toEqual(['SCHEDULED', 'SCHEDULED', 'SKIPPED', 'SCHEDULED']);
  });

  it('what is due is placed for no skipped order when a pause with an end is over', async () => {
    const made = await arranged();
    await call('pause', made, { until: 'DATE', resumeDateEpoch: inDays(1) });
    await at.server.services.db.exec(`update contracts set resume_at = now() - interval '1 hour' where store_id = 1 and id = ${made.id}`);
    await runDue(at.server.services, 1);
    expect([await cyclesThat(made, 'PAID'), await cyclesThat(made, 'SKIPPED')]).toEqual([[4], [3]]);
  });

  it('a pause keeps one-time changes with their order; what was left out of a skipped one comes again', async () => {
    const made = await at.make();
    const [plain, digital] = made.lines as [{ id: number }, { id: number }];
    await call('skipLineItem', made, { lineId: plain.id });
    await call('addLine', made, { variantId: at.goods.other, type: 'ONE_TIME', discountType: 'NONE' });
    await call('skipLineItem', made, { lineId: digital.id, orderId: orderOf(made, 3) });
    await call('skipOrder', made);
    const view = await call('pause', made, { until: 'INDEFINITE' });
    const of = (id: number) => view.lines.find((line: { id: number }) => line.id === id);
    expect(of(plain.id).isOneTimeRemoved).toBe(false);
    // The second of the orders that were left, before the pause and after it.
    expect(of(digital.id).oneTimeOrderId).toBe(orderOf(made, 3));
    expect(view.lines.find((line: { isOneTimeAdded: boolean }) => line.isOneTimeAdded).oneTimeOrderId).toBe(orderOf(made, 2));
  });

  it('a product swapped for one order that is skipped stays out of the next one, where the other takes its place; the customer does not pay for both', async () => {
    const made = await at.make();
    const [plain, digital] = made.lines as [{ id: number }, { id: number }];
    await call('swapLine', made, { lineId: plain.id, variantId: at.goods.other, once: true });
    await call('skipOrder', made);
    const names = (order: { lines: { lineId: number }[] }): number[] => order.lines.map(line => line.lineId);
    const [, second, third] = await at.ok('subscription-contract.ordersSchedule', { id: made.id });
    const view = await call('read', made);
    const instead = view.lines.find((line: { isOneTimeAdded: boolean }) => line.isOneTimeAdded).id;
    expect([names(second).sort(), names(third).sort()]).toEqual([[digital.id, instead].sort(), [plain.id, digital.id].sort()]);
    await chargeNext(made);
    const [order] = (
      (await rowsOf(at.server, made.id)) as { orders: { id: number; status: string; lines: { lineId: number }[] }[] }
    ).orders.filter(one => one.status === 'PAID');
    expect(names(order!).sort()).toEqual([digital.id, instead].sort());
    const [next] = (await at.ok('subscription-contract.ordersSchedule', { id: made.id })) as { lines: { lineId: number }[] }[];
    expect(names(next!).sort()).toEqual([plain.id, digital.id].sort());
  });

  it('a cancellation ends one-time changes both ways: after it every product is in the first order again', async () => {
    const made = await at.make();
    const [plain] = made.lines as [{ id: number }];
    await call('skipLineItem', made, { lineId: plain.id });
    await call('addLine', made, { variantId: at.goods.other, type: 'ONE_TIME', discountType: 'NONE' });
    await call('cancel', made, { cancellationReason: 'Other' });
    await call('reactivate', made, { nextBillingDateEpoch: inDays(20) });
    const { lines } = await call('read', made);
    expect(
      lines.map((line: { isOneTimeRemoved: boolean; isOneTimeAdded: boolean }) => [line.isOneTimeRemoved, line.isOneTimeAdded]),
    ).toEqual([
      [false, false],
      [false, false],
    ]);
  });
});
