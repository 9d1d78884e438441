// The last evening of a card's month: still good in the store, whatever day it is in UTC.
import { describe, expect, it } from 'vitest';
import { oneEngine } from '../../support/database.ts';
import { eachShop } from './each-shop.ts';
import type { Shop } from './shop.ts';

describe.each(oneEngine)('the last day of a card on %s', engine => {
  let shop: Shop;
  const database = eachShop(engine, opened => {
    shop = opened;
  });

  it('is charged until it ends in the store, and refused from the next on', async () => {
    // Ten in the evening of 31 January in New York is February in UTC.
    const id = await shop.contract({ first: '2026-02-01T03:00:00Z' });
    await database.db.exec(`update payment_methods set expiry_year = 2026, expiry_month = 1 where store_id = ${shop.storeId}`);
    await shop.until('2026-02-01T04:59:00Z');
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PAID']);
    await shop.until('2026-03-02T00:00:00Z');
    expect((await shop.orders(id)).at(-1)).toMatchObject({ status: 'FAILED', error_category: 'card_expired' });
  });
});
