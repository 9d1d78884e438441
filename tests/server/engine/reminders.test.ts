// Reminders ahead of a payment: cards that expire and orders ahead, once each, on the store's clock, however it moves and whichever process
// works.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveClock, remind } from '../../../src/server/engine/charging/run-due.ts';
import { reschedule } from '../../../src/server/engine/edits/orders.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DAY, Shop, WEEKLY } from './shop.ts';

describe.each(oneEngine)('reminders on %s', engine => {
  let database: TestDatabase;
  let stores = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.remove());
  const open = (now: string): Promise<Shop> => Shop.open(database.db, now, { storeId: ++stores });
  const cardOf = async (shop: Shop, id: number, year: number, month: number): Promise<number> => {
    const { contract } = await shop.get(id);
    await database.db.asOwner(trx =>
      trx
        .updateTable('payment_methods')
        .set({ expiry_year: year, expiry_month: month, created_at: new Date('2020-01-01Z') })
        .where('store_id', '=', shop.storeId)
        .where('id', '=', contract.payment_method_id)
        .execute(),
    );
    return contract.payment_method_id as number;
  };
  const told = async (shop: Shop, id: number, template: string): Promise<string[]> =>
    (await shop.mails(id)).filter(mail => mail.template === template).map(mail => mail.created_at.toISOString());

  it('tells of a card 30, 15 and 3 days before the last day of its month, at nine in the store', async () => {
    const shop = await open('2031-01-02T12:00:00Z');
    const id = await shop.contract({ first: '2031-12-01T12:00:00Z' });
    await cardOf(shop, id, 2031, 3);
    await moveClock(shop.runtime, shop.storeId, shop.now, new Date('2031-06-01T00:00:00Z'), async () => undefined);
    // New York is four hours behind UTC from 9 March on.
    expect(await told(shop, id, 'CARD_EXPIRING')).toEqual([
      '2031-03-01T14:00:00.000Z',
      '2031-03-16T13:00:00.000Z',
      '2031-03-28T13:00:00.000Z',
    ]);
    expect(
      (await shop.mails(id)).filter(mail => mail.template === 'CARD_EXPIRING').map(mail => mail.text.match(/expires (.*?),/)?.[1]),
    ).toEqual(['in 30 days', 'in 15 days', 'in 3 days']);
    expect((await shop.log(id)).filter(key => key === 'payment_card_expiring')).toHaveLength(3);
  });

  it('tells of an order three days before it, and of each order once', async () => {
    const shop = await open('2031-05-01T12:00:00Z');
    const id = await shop.contract({ first: '2031-05-20T15:30:00Z', every: WEEKLY });
    await moveClock(shop.runtime, shop.storeId, shop.now, new Date('2031-06-12T00:00:00Z'), async () => undefined);
    expect(await told(shop, id, 'UPCOMING_ORDER')).toEqual([
      '2031-05-17T13:00:00.000Z',
      '2031-05-24T13:00:00.000Z',
      '2031-05-31T13:00:00.000Z',
      '2031-06-07T13:00:00.000Z',
    ]);
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
  });

  it('sends nothing twice when it runs again, with two workers, or after the clock went back', async () => {
    const shop = await open('2031-07-29T12:00:00Z');
    const ids = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async n => {
        const id = await shop.contract({ first: new Date(Date.parse('2031-08-04T10:00:00Z') + n * 60_000) });
        await cardOf(shop, id, 2031, 8);
        return id;
      }),
    );
    shop.now = new Date('2031-08-02T13:30:00Z');
    await Promise.all([
      remind(shop.runtime, shop.storeId, { now: shop.now, batch: 2 }),
      remind(shop.runtime, shop.storeId, { now: shop.now, batch: 2 }),
    ]);
    await remind(shop.runtime, shop.storeId, { now: shop.now });
    await remind(shop.runtime, shop.storeId, { now: new Date(shop.now.getTime() - DAY / 24) });
    for (const id of ids) {
      expect(
        (await shop.mails(id))
          .map(mail => mail.template)
          .filter(name => name === 'UPCOMING_ORDER' || name === 'CARD_EXPIRING')
          .sort(),
      ).toEqual(['CARD_EXPIRING', 'UPCOMING_ORDER']);
      expect((await shop.log(id)).filter(key => key === 'order_announced' || key === 'payment_card_expiring')).toHaveLength(2);
    }
    // A process that died after the mails were tidied away knows it still.
    await database.db.exec(`delete from outbox where store_id = ${shop.storeId}`);
    expect(await remind(shop.runtime, shop.storeId, { now: shop.now })).toBe(0);
    expect(await shop.mails(ids[0] as number)).toEqual([]);
  });

  it('sends after a long silence the latest reminder of a card, not all that were missed', async () => {
    const shop = await open('2031-01-02T12:00:00Z');
    const id = await shop.contract({ first: '2031-12-01T12:00:00Z' });
    await cardOf(shop, id, 2031, 3);
    for (const at of ['2031-03-20T15:00:00Z', '2031-03-29T15:00:00Z', '2031-04-02T15:00:00Z'])
      await remind(shop.runtime, shop.storeId, { now: new Date(at) });
    expect(await told(shop, id, 'CARD_EXPIRING')).toEqual(['2031-03-20T15:00:00.000Z', '2031-03-29T15:00:00.000Z']);
  });

  it('leaves out those who came after the date of the reminder, paused subscriptions, revoked cards', async () => {
    const shop = await open('2031-09-10T12:00:00Z');
    const late = await shop.contract({ first: '2031-09-12T12:00:00Z' });
    const paused = await shop.contract({ first: '2031-09-20T12:00:00Z' });
    const revoked = await shop.contract({ first: '2031-12-01T12:00:00Z' });
    const card = await cardOf(shop, revoked, 2031, 9);
    await database.db.exec(`update payment_methods set revoked_at = now() where store_id = ${shop.storeId} and id = ${card}`);
    await database.db.exec(
      `update contracts set status = 'PAUSED', next_billing_at = null where store_id = ${shop.storeId} and id = ${paused}`,
    );
    await remind(shop.runtime, shop.storeId, { now: new Date('2031-09-10T15:00:00Z') });
    await remind(shop.runtime, shop.storeId, { now: new Date('2031-09-18T15:00:00Z') });
    for (const id of [late, paused, revoked])
      expect((await shop.mails(id)).filter(mail => ['UPCOMING_ORDER', 'CARD_EXPIRING'].includes(mail.template))).toEqual([]);
  });

  it('tells of an order again when it was moved to another day, and one letter goes out for a card of two subscriptions', async () => {
    const shop = await open('2031-10-01T12:00:00Z');
    const id = await shop.contract({ first: '2031-10-20T12:00:00Z' });
    shop.now = new Date('2031-10-17T14:00:00Z');
    await remind(shop.runtime, shop.storeId, { now: shop.now });
    await shop.act(id, 'reschedule', (work, subscription) =>
      reschedule(work, subscription, { nextBillingDateEpoch: Date.parse('2031-11-20T12:00:00Z') / 1000 }),
    );
    await remind(shop.runtime, shop.storeId, { now: new Date('2031-11-17T15:00:00Z') });
    expect((await shop.mails(id)).filter(mail => mail.template === 'UPCOMING_ORDER').map(mail => mail.subject)).toEqual([
      'Your next order is on Mon, Oct 20, 2031',
      'Your next order is on Thu, Nov 20, 2031',
    ]);
    const card = await cardOf(shop, id, 2031, 12);
    const other = await shop.contract({
      first: '2031-12-20T12:00:00Z',
      customerId: (await shop.get(id)).contract.customer_id,
      paymentMethodId: card,
    });
    await remind(shop.runtime, shop.storeId, { now: new Date('2031-12-02T15:00:00Z') });
    expect([...(await shop.mails(id)), ...(await shop.mails(other))].filter(mail => mail.template === 'CARD_EXPIRING')).toHaveLength(1);
    for (const one of [id, other]) expect((await shop.log(one)).filter(key => key === 'payment_card_expiring')).toHaveLength(1);
  });
});
