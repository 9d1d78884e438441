// Processes that die, gateways that can't be reached, and workers that share the work: every order is charged once.
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  NoOutcome,
  type Answer,
  type Charge,
  type Gateway,
  type Outcome,
  type Refunding,
} from '../../../src/server/platform/gateway/gateway.ts';
import { TEST_CARDS, TestGateway } from '../../../src/server/platform/gateway/test-gateway.ts';
import { placeDue, unsettled } from '../../../src/server/engine/charging/due.ts';
import { applyAll } from '../../../src/server/engine/charging/charge.ts';
import { chargeAgain, confirmCharge } from '../../../src/server/engine/charging/unclear-charge.ts';
import { chargeNow } from '../../../src/server/engine/edits/orders.ts';
import { beginRefund, takeRefund, unsettledRefunds } from '../../../src/server/engine/charging/refund.ts';
import { act } from '../../../src/server/engine/actions/act.ts';
import { runDue } from '../../../src/server/engine/charging/run-due.ts';
import { openDatabase, type Database } from '../../../src/server/platform/db/database.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startVendorSimulator, type VendorSimulator } from '../../../src/server/features/demo/vendor-simulator.ts';
import { startWorker } from '../../support/program.ts';
import { connectStripe, gatewaysAt } from '../../support/stripe-charges.ts';
import { definitions, Shop } from './shop.ts';

const byReference = (a: { reference: string }, b: { reference: string }): number => (a.reference < b.reference ? -1 : 1);
const paymentsAt = async (vendors: VendorSimulator, customer: string): Promise<any[]> =>
  // any: as Stripe describes them
  ((await (await fetch(`${vendors.url}/stripe/v1/payment_intents?customer=${customer}&limit=9`)).json()) as { data: any[] }).data;

/** A gateway on a bad line: `before` loses the request, `after` takes the money and loses the answer. */
class BadLine implements Gateway {
  readonly inner: TestGateway;
  fault: 'before' | 'after' | null = null;
  asked: string[] = [];
  keysLive = () => Number.POSITIVE_INFINITY;
  constructor(db: Database) {
    this.inner = new TestGateway(db);
  }
  async charge(charge: Charge): Promise<Outcome> {
    this.asked.push(charge.key);
    if (this.fault === 'before') throw new Error('No connection');
    const outcome = await this.inner.charge(charge);
    if (this.fault === 'after') throw new Error('The line broke');
    return outcome;
  }
  lookup(charge: Charge) {
    return this.inner.lookup(charge);
  }
}

/** A gateway that forgets keys after an hour; `taken` is the money that moved, whatever it remembers. */
class ForgetfulGateway implements Gateway {
  readonly keysLive = () => 3_600_000;
  readonly taken: string[] = [];
  readonly calls: string[] = [];
  fault: 'before' | 'after' | null = null;
  readonly #remembered = new Map<string, Outcome>();
  /** What look-ups answer instead. */
  says: 'PENDING' | NoOutcome | null = null;
  forget(): void {
    this.#remembered.clear();
  }
  async charge({ key }: Charge): Promise<Outcome> {
    this.calls.push('charge');
    if (this.fault === 'before') throw new Error('No connection');
    const outcome = this.#remembered.get(key) ?? { ok: true, reference: `ch_${key}` };
    if (!this.#remembered.has(key)) this.taken.push(key);
    this.#remembered.set(key, outcome);
    if (this.fault === 'after') throw new Error('The line broke');
    return outcome;
  }
  async lookup({ key }: { key: string }): Promise<Answer | null> {
    this.calls.push('lookup');
    if (this.says instanceof NoOutcome) throw this.says;
    if (this.says) return this.says;
    return this.#remembered.get(key) ?? null;
  }
}

const FIRST = '2026-02-01T14:00:00Z';

describe.each(engines)('crashes on %s', engine => {
  let database: TestDatabase;
  let store = 0;
  let shop: Shop;
  let line: BadLine;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { connections: 8 });
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store, gateway: db => (line = new BadLine(db)) });
  });

  it.each(['before', 'after'] as const)('a charge whose line broke %s the money was taken is settled later, once', async fault => {
    const id = await shop.contract({ first: FIRST });
    shop.now = new Date('2026-02-01T14:01:00Z');
    line.fault = fault;
    expect(await shop.run()).toMatchObject({ paid: 0, failed: 0, unknown: 1 });
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PROCESSING']);
    expect((await shop.attempts(id))[0]).toMatchObject({ ready: false, success: null });
    expect(await shop.charges()).toHaveLength(fault === 'after' ? 1 : 0);
    line.fault = null;
    // Too young to be given up: another process may be at it.
    await shop.run();
    expect((await shop.orders(id))[0]?.status).toBe('PROCESSING');
    shop.now = new Date('2026-02-01T14:05:00Z');
    await shop.run();
    expect((await shop.orders(id)).map(order => [order.status, order.attempts])).toEqual([['PAID', 1]]);
    expect(await shop.charges()).toHaveLength(1);
    expect(new Set(line.asked).size).toBe(1);
    expect((await shop.get(id)).contract.completed_orders).toBe(1);
  });

  it('a process that died between the two halves is made good at the next start', async () => {
    const ids = [await shop.contract({ first: FIRST }), await shop.contract({ first: FIRST, token: 'tok_decline_card_declined' })];
    shop.now = new Date('2026-02-01T14:00:30Z');
    const batch = await shop.as('System')(context => placeDue(context, 10, 'NOW'));
    expect(batch.pending).toHaveLength(2);
    for (const { charge } of batch.pending) await line.inner.charge(charge);
    // It dies here. The next one starts.
    await shop.run({ isStart: true });
    expect((await shop.orders(ids[0] as number))[0]?.status).toBe('PAID');
    expect((await shop.orders(ids[1] as number))[0]?.status).toBe('FAILED');
    expect(await shop.charges()).toHaveLength(2);
  });

  describe('a gateway that forgets keys', () => {
    let gateway: ForgetfulGateway;
    const placed = async (fault: 'before' | 'after'): Promise<number> => {
      gateway = new ForgetfulGateway();
      shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store, gateway: () => gateway });
      const id = await shop.contract({ first: FIRST });
      shop.now = new Date('2026-02-01T14:01:00Z');
      gateway.fault = fault;
      await shop.run();
      gateway.fault = null;
      gateway.calls.length = 0;
      return id;
    };

    it.each([
      ['after', ['lookup']],
      ['before', ['lookup', 'charge']],
    ] as const)('is looked up before a second charge (line broke %s)', async (fault, calls) => {
      const id = await placed(fault);
      shop.now = new Date('2026-02-01T14:10:00Z');
      await shop.run();
      expect(gateway.calls).toEqual(calls);
      expect((await shop.orders(id)).map(order => [order.status, order.attempts])).toEqual([['PAID', 1]]);
      expect(gateway.taken).toHaveLength(1);
    });

    it.each(['after', 'before'] as const)(
      'is not charged again when it has forgotten: a person says what happened (line broke %s)',
      async fault => {
        const id = await placed(fault);
        gateway.forget();
        shop.now = new Date('2026-02-01T16:00:00Z');
        await shop.run();
        expect(gateway.calls).toEqual(['lookup']);
        const [order] = await shop.orders(id);
        expect(order).toMatchObject({ status: 'PROCESSING', unclear_since: shop.now });
        expect((await shop.log(id)).at(-1)).toBe('charge_unclear');
        // Neither the next minute nor the next month nor anybody's hand charges it.
        shop.now = new Date('2026-03-05T14:10:00Z');
        await shop.run({ isStart: true });
        expect(gateway.calls).toEqual(['lookup']);
        await expect(
          shop.act(id, 'chargeNow', (work, subscription) => chargeNow(work, subscription, { orderId: order!.id })),
        ).rejects.toThrow('can’t tell whether an order of this subscription was charged');
        expect(gateway.taken).toHaveLength(fault === 'after' ? 1 : 0);
        if (fault === 'after')
          await shop.act(id, 'confirmCharge', (work, subscription) => confirmCharge(work, subscription, { orderId: order!.id }));
        else await shop.act(id, 'chargeAgain', (work, subscription) => chargeAgain(work, subscription, { orderId: order!.id }));
        expect(gateway.taken).toHaveLength(1);
        expect((await shop.orders(id))[0]).toMatchObject({ status: 'PAID', unclear_since: null, attempts: fault === 'after' ? 1 : 2 });
        expect((await shop.get(id)).contract.completed_orders).toBe(1);
        for (const again of [confirmCharge, chargeAgain])
          await expect(shop.act(id, again.name, (work, subscription) => again(work, subscription, { orderId: order!.id }))).rejects.toThrow(
            'is known now',
          );
        // The order of the next month goes on.
        await shop.run();
        expect((await shop.orders(id)).map(one => one.status)).toEqual(['PAID', 'PAID']);
        expect(new Set(gateway.taken).size).toBe(2);
      },
    );
  });

  it('what the provider is still processing is looked up after a minute, five and thirty, then every hour, and is no lost charge', async () => {
    const gateway = new ForgetfulGateway();
    shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store, gateway: () => gateway });
    const id = await shop.contract({ first: FIRST });
    shop.now = new Date('2026-02-01T14:00:00Z');
    gateway.fault = 'after';
    await shop.run();
    gateway.fault = null;
    gateway.says = 'PENDING';
    const lookedUp: string[] = [];
    for (let minutes = 1; minutes <= 180; minutes++) {
      shop.now = new Date(Date.parse('2026-02-01T14:00:00Z') + minutes * 60_000);
      gateway.calls.length = 0;
      const [first] = await shop.as('System')(context => unsettled(context, 10, 0));
      if (!first) continue;
      await shop.run({ isStart: true });
      lookedUp.push(`${minutes} ${gateway.calls.join()}`);
    }
    expect(lookedUp).toEqual(['1 lookup', '5 lookup', '30 lookup', '90 lookup', '150 lookup']);
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'PROCESSING', unclear_since: null });
    // It is known by its key for a month, whatever the gateway would forget.
    shop.now = new Date('2026-02-20T14:00:00Z');
    await shop.run();
    gateway.says = null;
    shop.now = new Date('2026-02-20T15:00:01Z');
    await shop.run();
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'PAID', attempts: 1 });
    expect(gateway.taken).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)('a refund whose line broke %s the money went back is looked up, and made once', async fault => {
    const id = await shop.contract({ first: FIRST });
    shop.now = new Date('2026-02-01T14:01:00Z');
    await shop.run();
    const [order] = await shop.orders(id);
    const test = line.inner;
    const broken: Refunding = {
      keysLive: () => test.keysLive(),
      lookupRefund: refund => test.lookupRefund(refund),
      refund: async refund => {
        if (fault === 'after') await test.refund(refund);
        throw new Error('The line broke');
      },
    };
    const as = shop.as('System');
    const begin = (amount: string) =>
      as(context =>
        act(context, id, { action: 'refundOrder' }, (work, subscription) =>
          beginRefund(work, subscription, { orderId: order!.id, amount }),
        ),
      );
    const { result } = await begin('1.50');
    await expect(takeRefund(as, broken, result)).rejects.toThrow('The line broke');
    await expect(begin('1.00')).rejects.toThrow('A refund of this order is under way');
    expect((await shop.orders(id))[0]).toMatchObject({ refunding: 150, refunded: 0 });
    const lost = await as(context => unsettledRefunds(context, {}));
    expect(lost.map(one => one.refund)).toEqual([result.refund]);
    await Promise.all([...lost, ...lost].map(one => takeRefund(as, test, one)));
    expect((await shop.orders(id))[0]).toMatchObject({ refunding: 0, refunded: 150 });
    expect(await as(context => unsettledRefunds(context, {}))).toEqual([]);
    expect((await shop.log(id)).filter(key => key === 'order_refunded')).toHaveLength(1);
    const given = await as(({ trx }) => trx.selectFrom('gateway_refunds').select('amount').where('store_id', '=', shop.storeId).execute());
    expect(given).toEqual([{ amount: 150 }]);
  });

  it('a gateway that answers without an outcome is looked up again while it knows the key, then a person decides', async () => {
    const gateway = new ForgetfulGateway();
    shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store, gateway: () => gateway });
    const id = await shop.contract({ first: FIRST });
    shop.now = new Date('2026-02-01T14:00:00Z');
    gateway.fault = 'after';
    await shop.run();
    gateway.fault = null;
    gateway.says = new NoOutcome('The key is refused.');
    for (const [at, isUnclear] of [
      ['2026-02-01T14:30:00Z', false],
      ['2026-02-01T15:10:00Z', true],
    ] as const) {
      shop.now = new Date(at);
      await shop.run();
      expect((await shop.orders(id))[0]).toMatchObject({ status: 'PROCESSING', unclear_since: isUnclear ? shop.now : null });
    }
    expect(gateway.taken).toHaveLength(1);
  });

  it('after a charge of which a person found nothing, the next one is the first of the payment: the backup is tried', async () => {
    await shop.settings('paymentRecovery', { backupPaymentEnabled: true });
    const id = await shop.contract({ first: FIRST, token: 'tok_decline_insufficient_funds', backup: 'tok_success' });
    shop.now = new Date('2026-02-01T14:01:00Z');
    line.fault = 'before';
    await shop.run();
    line.fault = null;
    line.keysLive = () => 0;
    shop.now = new Date('2026-03-01T13:00:00Z');
    await shop.run({ isStart: true });
    const [order] = await shop.orders(id);
    expect(order?.unclear_since).not.toBeNull();
    await shop.act(id, 'chargeAgain', (work, subscription) => chargeAgain(work, subscription, { orderId: order!.id }));
    expect((await shop.attempts(id)).map(row => [row.attempt_number, row.is_backup, row.success])).toEqual([
      [1, false, null],
      [2, false, false],
      [3, true, true],
    ]);
  });

  it('an answer that arrives twice is written once', async () => {
    const id = await shop.contract({ first: FIRST, lines: [{ variantId: 1, quantity: 2, discountType: 'NONE' }] });
    shop.now = new Date('2026-02-01T14:01:00Z');
    const { pending } = await shop.as('System')(context => placeDue(context, 10, 'NOW'));
    const [lost] = await shop.as('System')(context => unsettled(context, 10, 0));
    expect(lost?.charge).toEqual(pending[0]?.charge);
    const outcome = await line.charge(pending[0]!.charge);
    await Promise.all([1, 2, 3].map(() => shop.as('System')(context => applyAll(context, [{ item: pending[0]!, outcome }], 'NOW'))));
    expect((await shop.get(id)).contract.completed_orders).toBe(1);
    expect(await shop.stock(1)).toBe(98);
    expect((await shop.log(id)).filter(key => key === 'order_placed')).toHaveLength(1);
  });

  it('while a charge has no answer, the next order waits and is not charged by hand', async () => {
    const id = await shop.contract({ first: FIRST, every: { interval: 'DAY', intervalCount: 1 } });
    shop.now = new Date('2026-02-01T14:01:00Z');
    line.fault = 'after';
    await shop.run();
    const { pause } = await import('../../../src/server/engine/status.ts');
    await expect(shop.act(id, 'chargeNow', (work, subscription) => chargeNow(work, subscription, {}))).rejects.toThrow(
      'A charge for this order is already in progress.',
    );
    await expect(shop.act(id, 'pause', (work, subscription) => pause(work, subscription, null))).rejects.toThrow(
      'This subscription has an order being processed. Try again in a few minutes.',
    );
    line.fault = null;
    shop.now = new Date('2026-02-02T14:01:00Z');
    await shop.run();
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PAID', 'PAID']);
    expect(await shop.charges()).toHaveLength(2);
  });

  it('a subscription is cancelled when the charge that was under way has its answer, and not before', async () => {
    const id = await shop.contract({ first: FIRST });
    shop.now = new Date('2026-02-01T14:01:00Z');
    line.fault = 'after';
    await shop.run();
    const { cancel } = await import('../../../src/server/engine/status.ts');
    const cancelIt = () =>
      shop.act(id, 'cancel', (work, subscription) =>
        cancel(work, subscription, { reason: 'Other', comment: null, source: 'MERCHANT', notifyCustomer: false }),
      );
    await expect(cancelIt()).rejects.toThrow('This subscription has an order being processed. Try again in a few minutes.');
    line.fault = null;
    await shop.run({ isStart: true });
    await cancelIt();
    expect((await shop.orders(id))[0]?.status).toBe('PAID');
    expect((await shop.get(id)).contract).toMatchObject({ status: 'CANCELLED', completed_orders: 1, next_billing_at: null });
  });

  it('workers share the work and charge nothing twice', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 24; i++)
      ids.push(
        await shop.contract({
          first: FIRST,
          token: i % 4 ? 'tok_success' : 'tok_decline_card_declined',
          lines: [{ variantId: 1, quantity: 1, discountType: 'NONE' }],
        }),
      );
    const other = engine === 'postgres' ? await openDatabase({ database: { kind: 'postgres', url: database.url as string } }) : undefined;
    try {
      const runtimes = [shop.runtime, other ? { db: other, gateway: new TestGateway(other), definitions, config: {} } : shop.runtime];
      shop.now = new Date('2026-02-01T14:01:00Z');
      const results = await Promise.all([0, 1, 0, 1].map(i => runDue(runtimes[i]!, shop.storeId, { now: shop.now, batch: 4 })));
      expect(results.reduce((sum, one) => sum + one.paid, 0)).toBe(18);
      expect(results.reduce((sum, one) => sum + one.failed, 0)).toBe(6);
    } finally {
      await other?.close();
    }
    expect(await shop.charges()).toHaveLength(24);
    expect(await shop.stock(1)).toBe(82);
    for (const id of ids) expect(await shop.attempts(id)).toHaveLength(1);
  });

  it('dates that are not those of their schedule are put right in one run, charge no customer and hold up no other', async () => {
    const early: number[] = [];
    for (let i = 0; i < 7; i++) early.push(await shop.contract({ first: '2026-03-05T14:00:00Z' }));
    const due = await shop.contract({ first: FIRST });
    await database.db.exec(`update contracts set next_billing_at = '2026-01-05T14:00:00Z' where id in (${early.join()})`);
    shop.now = new Date('2026-02-01T14:01:00Z');
    const { paid } = await runDue(shop.runtime, shop.storeId, { now: shop.now, batch: 2 });
    expect(paid).toBe(1);
    expect((await shop.orders(due)).map(order => order.status)).toEqual(['PAID']);
    for (const id of early) {
      expect((await shop.get(id)).contract.next_billing_at?.toISOString()).toBe('2026-03-05T14:00:00.000Z');
      expect(await shop.orders(id)).toEqual([]);
    }
  });

  it("a contract that can't be worked on holds up no other, and is looked at again in an hour", async () => {
    const bad = await shop.contract({ first: FIRST });
    const good = await shop.contract({ first: FIRST });
    const retried = await shop.contract({ first: FIRST, token: 'tok_decline_card_declined' });
    await shop.until('2026-02-01T14:00:00Z');
    const broken = `update contract_lines set pricing_policy = '{"cycleDiscounts":[{"afterCycle":0,"adjustmentType":"PRICE","adjustmentValue":"a lot"}]}' where contract_id in (${bad}, ${retried})`;
    await database.db.exec(broken);
    shop.now = new Date('2026-03-01T14:00:00Z');
    const told: object[] = [];
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (details: object) => {
        told.push(details);
      },
    };
    await runDue({ ...shop.runtime, log }, shop.storeId, { now: shop.now });
    expect((await shop.orders(good)).map(order => order.status)).toEqual(['PAID', 'PAID']);
    expect((await shop.orders(bad)).map(order => order.status)).toEqual(['PAID']);
    expect((await shop.get(bad)).contract.next_billing_at?.toISOString()).toBe('2026-03-01T15:00:00.000Z');
    expect(new Set(told.map(one => (one as { contractId?: number }).contractId))).toEqual(new Set([bad, retried]));
    await database.db.exec(`update contract_lines set pricing_policy = null where contract_id in (${bad}, ${retried})`);
    shop.now = new Date('2026-03-01T15:00:00Z');
    await shop.run();
    const [, second] = await shop.orders(bad);
    expect([second?.status, second?.billing_at.toISOString()]).toEqual(['PAID', '2026-03-01T14:00:00.000Z']);
  });

  it("an answer that can't be written holds up no other", async () => {
    const [bad, good] = [await shop.contract({ first: FIRST }), await shop.contract({ first: FIRST })];
    shop.now = new Date('2026-02-01T14:01:00Z');
    const { pending } = await shop.as('System')(context => placeDue(context, 10, 'NOW'));
    await database.db.exec(
      `update contract_lines set pricing_policy = '{"cycleDiscounts":[{"afterCycle":0,"adjustmentType":"PRICE","adjustmentValue":"a lot"}]}' where contract_id = ${bad}`,
    );
    const { takeCharges } = await import('../../../src/server/engine/charging/charge.ts');
    await takeCharges(shop.as('System'), line, pending);
    expect((await shop.orders(good as number))[0]?.status).toBe('PAID');
    expect((await shop.orders(bad as number))[0]?.status).toBe('PROCESSING');
    await database.db.exec(`update contract_lines set pricing_policy = null where contract_id = ${bad}`);
    await shop.run({ isStart: true });
    expect((await shop.orders(bad as number))[0]?.status).toBe('PAID');
    expect(await shop.charges()).toHaveLength(2);
  });

  it('one key is charged once, with one amount', async () => {
    const gateway = new TestGateway(database.db);
    const charge: Charge = {
      storeId: store,
      key: 'k-1',
      gateway: 'TEST',
      token: TEST_CARDS.success,
      amount: 100,
      currency: 'USD',
      at: new Date(),
    };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => gateway.charge(charge)));
    expect(new Set(outcomes.map(outcome => JSON.stringify(outcome))).size).toBe(1);
    await expect(gateway.charge({ ...charge, amount: 101 })).rejects.toThrow("can't stand for 101 USD");
    expect(await gateway.lookup({ storeId: store, key: 'k-1' })).toEqual({ ok: true, reference: 'ch_k-1' });
    expect(await gateway.lookup({ storeId: store, key: 'k-2' })).toBeNull();
    expect(await gateway.charge({ ...charge, key: 'x-1', token: TEST_CARDS.failThenSucceed(1) })).toMatchObject({ ok: false });
    expect(await gateway.charge({ ...charge, key: 'x-2', token: TEST_CARDS.failThenSucceed(1) })).toMatchObject({ ok: true });
    expect(await gateway.charge({ ...charge, key: 'y-1', token: `${TEST_CARDS.decline('DO_NOT_HONOR')}:ann` })).toMatchObject({
      ok: false,
      code: 'DO_NOT_HONOR',
    });
    expect(await gateway.charge({ ...charge, key: 'z-1', token: 'nonsense' })).toMatchObject({
      ok: false,
      code: 'PAYMENT_METHOD_NOT_FOUND',
    });
  });

  it.runIf(engine === 'postgres')(
    'a worker killed at any moment leaves nothing charged twice or lost, and the books here and at Stripe agree',
    async () => {
      const vendors = await startVendorSimulator();
      shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store, gateway: db => gatewaysAt(db, vendors.url) });
      await connectStripe(database.db, store);
      for (let i = 0; i < 60; i++)
        await shop.contract({
          first: FIRST,
          token: i % 5 === 0 ? 'tok_fail_n_1_then_success' : i % 2 ? 'tok_success' : `moved_stripe:cus_${i}:pm_${i}`,
          lines: [{ variantId: 1, quantity: 1, discountType: 'NONE' }],
        });
      const now = '2026-02-01T14:01:00Z';
      for (let kill = 0; kill < 4; kill++) {
        const worker = await startWorker(new URL('./worker.ts', import.meta.url).pathname, [
          database.url as string,
          String(shop.storeId),
          now,
          vendors.url,
        ]);
        await new Promise(resolve => setTimeout(resolve, Math.random() * 120));
        worker.kill('SIGKILL');
        await once(worker, 'exit');
      }
      shop.now = new Date(now);
      await shop.run({ isStart: true });
      await shop.run({ isStart: true });
      const rows = await database.db.inStore(shop.storeId, trx =>
        trx.selectFrom('orders').select(['status', 'attempts', 'contract_id']).where('store_id', '=', shop.storeId).execute(),
      );
      expect(rows).toHaveLength(60);
      expect(rows.filter(row => row.status === 'PAID')).toHaveLength(48);
      expect(rows.filter(row => row.status === 'FAILED')).toHaveLength(12);
      expect(rows.every(row => row.attempts === 1)).toBe(true);
      expect(await shop.stock(1)).toBe(52);
      // Of those that pay every second one does by Stripe: each once there as here, to the minor unit.
      const { rows: books } = await database.db.ownerQuery<{ reference: string; amount: number; currency: string }>(
        `select gateway_reference as reference, amount::float8 as amount, lower(currency_code) as currency from billing_attempts
          where store_id = $1 and success and gateway = 'STRIPE' order by 1`,
        [shop.storeId],
      );
      const there = (await Promise.all(rows.map((_, i) => paymentsAt(vendors, `cus_${i}`)))).flat();
      expect(there.map(({ id, amount, currency }) => ({ reference: id, amount, currency })).sort(byReference)).toEqual(
        books.sort(byReference),
      );
      expect([books.length, (await shop.charges()).length]).toEqual([24, 36]);
      await vendors.close();
    },
    120_000,
  );
});
