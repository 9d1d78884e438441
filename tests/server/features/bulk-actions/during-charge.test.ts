// What a charge under way means for work on many subscriptions: the same as for one, and the row says why.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { engineForJob } from '../../../../src/server/engine/index.ts';
import { overContracts } from '../../../../src/server/features/bulk-actions/updates/contract-update.ts';
import { UPDATES } from '../../../../src/server/features/bulk-actions/updates/store-updates.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { inDays, rowsOf, type Made } from '../subscriptions/fixture.ts';
import { Bulk } from './helpers.ts';

const BUSY = 'This subscription has an order being processed. Try again in a few minutes.';

describe('while an order is being charged', () => {
  const at = serverWithGoods({ seed: { contracts: 4, stores: 1 }, jobs: true });

  /** A subscription whose order is written down as being charged and not answered. */
  async function charging(): Promise<Made> {
    const made = await at.make();
    const { db } = at.server.services;
    await db.exec(`update contracts set next_cycle = 2, base_cycle = 2 where store_id = 1 and id = ${made.id};
      insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total, attempts)
      select 1, ${made.id * 10_000 + 1}, id, customer_id, 1, 1, 'PROCESSING', now(), now(), now(), 'USD', 4495, 1 from contracts where store_id = 1 and id = ${made.id};
      insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, payment_method_id, amount, currency_code, ready)
      values (1, ${made.id * 10_000 + 1}, ${made.id}, 1, 'SCHEDULED', 'open-${made.id}', ${made.methods[0]}, 4495, 'USD', false)`);
    return made;
  }

  /** Everything about it but how far its e-mails have got, which leave by themselves. */
  async function kept(made: Made): Promise<unknown> {
    const { mails, ...rest } = (await rowsOf(at.server, made.id)) as { mails: unknown[] };
    return { ...rest, mails: mails.length };
  }

  test.each<[string, (made: Made) => JsonObject, string?]>([
    ['PAUSE_SUBSCRIPTION', () => ({ until: 'INDEFINITE' })],
    ['CANCEL_SUBSCRIPTION', () => ({ cancellationReason: 'Too expensive' })],
    ['SKIP_ORDER', () => ({ count: 1 })],
    ['RESCHEDULE', () => ({ mode: 'DATE', scope: 'ALL', nextBillingDateEpoch: inDays(40) })],
    ['CHARGE_ORDER', () => ({ which: 'NEXT' }), 'A charge for this order is already in progress.'],
    ['UPDATE_QUANTITY', made => ({ variantId: Number(made.lines[0]?.variantId), quantity: 4 })],
    ['UPDATE_PRICE', () => ({ products: 'ALL', rule: 'PRICE', price: '3.00' })],
    ['UPDATE_SHIPPING_PRICE', () => ({ rule: 'AMOUNT', deliveryPrice: '3.00' })],
    ['ADD_DISCOUNT', () => ({ kind: 'MANUAL', title: 'Sorry', type: 'PERCENTAGE', value: '10' })],
  ])('D054 %s leaves the subscription alone and says why', async (key, input, reason = BUSY) => {
    const made = await charging();
    const bulk = new Bulk(at.server);
    const before = await kept(made);
    const done = await bulk.run(key, { mode: 'IDS', ids: [made.id] }, input(made));
    expect((await bulk.rows(Number(done.id))).map(row => [row.status, row.reason])).toEqual([['SKIPPED', reason]]);
    expect(await kept(made)).toEqual(before);
  });

  test('notes are written all the same', async () => {
    const made = await charging();
    const bulk = new Bulk(at.server);
    const done = await bulk.run('UPDATE_NOTE', { mode: 'IDS', ids: [made.id] }, { mode: 'REPLACE', note: 'Call first' });
    expect((await bulk.rows(Number(done.id))).map(row => [row.status, row.reason])).toEqual([['SUCCESS', null]]);
  });

  test.each(Object.keys(UPDATES))('the update %s of all subscriptions skips it with the reason', async kind => {
    const made = await charging();
    const { db } = at.server.services;
    await db.exec(`update variants set price = price + 100 where store_id = 1 and id = ${Number(made.lines[0]?.variantId)}`);
    const before = await kept(made);
    const step = await db.inStore(1, async trx =>
      overContracts(UPDATES[kind]!).step(await engineForJob(at.server.services, trx, 1), [made.id], {
        billingHour: 3,
        page: {},
        bundleId: 1,
      }),
    );
    expect(step).toEqual({ changed: 0, skipped: [{ subscriptionId: made.id, reason: BUSY }] });
    expect(await kept(made)).toEqual(before);
  });
});
