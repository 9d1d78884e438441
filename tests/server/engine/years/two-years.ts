// Time as stores know it: two years in steps over both edges of daylight saving, month ends and 29 February, and an hour backwards after every step.
import { DateTime } from 'luxon';
import type { Interval } from '../../../../src/domain/calendar/interval.ts';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { DAY, Shop } from '../shop.ts';

/** A first order by the store's clock, and how often it repeats. */
export interface First {
  at: string;
  every: Interval;
  unit: 'weeks' | 'months' | 'years';
}
export interface TwoYears {
  storeId: number;
  timezone: string;
  start: string;
  end: string;
  stepDays: number;
  firsts: readonly First[];
}

/** Lets the time pass and compares every order with another calendar. Answers what was wrong, one line each. */
export async function passTime(
  db: Database,
  { storeId, timezone, start, end: until, stepDays, firsts }: TwoYears,
): Promise<{ orders: number; failures: string[] }> {
  const failures: string[] = [];
  const shop = await Shop.open(db, start, { storeId, timezone });
  const made: { id: number; first: DateTime; unit: First['unit']; count: number }[] = [];
  for (const { at, every, unit } of firsts) {
    const first = DateTime.fromISO(at, { zone: timezone });
    made.push({ id: await shop.contract({ first: first.toJSDate(), every }), first, unit, count: every.intervalCount });
  }
  const end = new Date(until);
  while (shop.now < end) {
    const next = new Date(Math.min(end.getTime(), shop.now.getTime() + stepDays * DAY));
    await shop.until(next);
    // The clock is set back: nothing runs a second time.
    shop.now = new Date(next.getTime() - 3_600_000);
    const again = await shop.run();
    if (again.paid + again.failed > 0)
      failures.push(`${timezone}: ${again.paid + again.failed} charges ran again when the clock was set back to ${shop.now.toISOString()}`);
    shop.now = next;
  }
  let orders = 0;
  for (const { id, first, unit, count } of made) {
    const expected: string[] = [];
    for (let n = 0; ; n++) {
      const due = first.plus({ [unit]: n * count });
      if (due.toMillis() > end.getTime()) break;
      expected.push(due.toUTC().toISO() ?? '');
    }
    const own = await shop.orders(id);
    orders += own.length;
    const name = `${timezone}, every ${count} ${unit} from ${first.toISO()}`;
    const placed = own.map(order => order.billing_at.toISOString());
    const differs = expected.findIndex((date, n) => placed[n] !== date);
    if (differs >= 0 || placed.length !== expected.length)
      failures.push(
        `${name}: order ${differs + 1} is of ${placed[differs]} and must be of ${expected[differs]} (${placed.length} orders, ${expected.length} expected)`,
      );
    for (const order of own) if (order.status !== 'PAID') failures.push(`${name}: order ${order.cycle} is ${order.status}`);
    const processed = own.map(order => order.processed_at?.getTime() ?? 0);
    if (processed.some((at, n) => n > 0 && at <= (processed[n - 1] as number))) failures.push(`${name}: the orders were not made in order`);
  }
  const keys = (await shop.charges()).map(charge => charge.idempotency_key);
  if (new Set(keys).size !== keys.length || keys.length !== orders)
    failures.push(`${timezone}: ${keys.length} charges for ${orders} orders`);
  return { orders, failures };
}
