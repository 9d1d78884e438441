// A billing run on the embedded database lets others read between its steps, instead of placing everything that is due at once.
import { expect, it } from 'vitest';
import { remind } from '../../../../src/server/engine/charging/run-due.ts';
import { eachShop } from '../../engine/each-shop.ts';
import type { Shop } from '../../engine/shop.ts';

const COUNT = 45;
let shop: Shop;
const database = eachShop('embedded', given => {
  shop = given;
});

/** Does the work while its row is read again and again; gives the different numbers that were seen. */
async function seenDuring(work: Promise<unknown>, look: () => Promise<number>): Promise<number[]> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const seen = new Set<number>();
  while (!isOver) seen.add(await look());
  await over;
  seen.add(await look());
  return [...seen].sort((a, b) => a - b);
}
const rowsOf = (table: 'orders' | 'reminders') => async (): Promise<number> => {
  const { n } = await database.db.inStore(
    shop.storeId,
    trx =>
      trx
        .selectFrom(table)
        .select(one => one.fn.countAll().as('n'))
        .where('store_id', '=', shop.storeId)
        .executeTakeFirstOrThrow(),
    { readOnly: true },
  );
  return Number(n);
};
const between = (seen: number[]): number[] => seen.filter(n => n > 0 && n < COUNT);

it('places what is due in steps', async () => {
  const due = new Date('2026-01-12T15:00:00Z');
  for (let i = 0; i < COUNT; i++) await shop.contract({ first: due });
  shop.now = new Date('2026-01-12T16:00:00Z');
  const run = shop.run();
  const seen = await seenDuring(run, rowsOf('orders'));
  expect((await run).paid).toBe(COUNT);
  expect([seen.at(-1), between(seen)[0]]).toEqual([COUNT, 20]);
});

it('sends reminders in steps', async () => {
  const due = new Date('2026-01-20T15:00:00Z');
  for (let i = 0; i < COUNT; i++) await shop.contract({ first: due });
  const seen = await seenDuring(remind(shop.runtime, shop.storeId, { now: new Date('2026-01-17T15:00:00Z') }), rowsOf('reminders'));
  expect([seen.at(-1), between(seen)[0]]).toEqual([COUNT, 20]);
});
