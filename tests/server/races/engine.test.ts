// Two workers and a person at one subscription, or at the subscriptions of one customer, stopped at the very moment at which they could get in each other's way. Only PostgreSQL has two at once.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeDue } from '../../../src/server/engine/charging/due.ts';
import { engines, onServer, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { waitingForLocks } from '../../support/locks.ts';
import { MONTHLY, Shop } from '../engine/shop.ts';

describe.runIf(engines.includes('postgres'))('two at one subscription', () => {
  let database: TestDatabase;
  let shop: Shop;
  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    shop = await Shop.open(database.db, '2026-01-01T12:00:00Z');
    // Who says so looks at subscriptions slowly: he waits at each of them for the lock that the test holds.
    await database.db.exec(`create function test_looks_slowly() returns boolean language plpgsql volatile as $$ begin
        if current_setting('app.slow', true) = 'on' then perform pg_advisory_xact_lock_shared(77); end if; return true; end $$;
      grant execute on function test_looks_slowly() to public;
      create policy test_slow on contracts as restrictive for select using (test_looks_slowly())`);
  });
  afterAll(() => database?.remove());

  it('a worker that saw a subscription before another one charged it does not charge the order after it, while the first is under way', async () => {
    // Paid in advance for three deliveries, and two months behind: the order after the one that is charged is a delivery of that charge, once it is paid.
    const id = await shop.contract({
      first: '2026-02-01T14:00:00Z',
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      deliveryPolicy: MONTHLY,
    } as Parameters<Shop['contract']>[0]);
    shop.now = new Date('2026-03-15T12:00:00Z');
    const slow = await onServer(database.url!, async client => {
      await client.query('select pg_advisory_lock(77)');
      const second = shop.as('System')(async context => {
        await sql`select set_config('app.slow', 'on', true)`.execute(context.trx);
        return placeDue(context, 10, 'NOW');
      });
      await waitingForLocks(client, 1);
      const first = await shop.as('System')(context => placeDue(context, 10, 'NOW'));
      expect(first.pending).toHaveLength(1);
      await client.query('select pg_advisory_unlock(77)');
      return second;
    });
    expect(slow.pending).toEqual([]);
    expect((await shop.orders(id)).filter(order => order.status === 'PROCESSING')).toHaveLength(1);
    await shop.run({ isStart: true });
    expect((await shop.charges()).length).toBe(1);
    expect((await shop.orders(id)).map(order => [order.status, order.is_prepaid_delivery])).toEqual([
      ['PAID', false],
      ['PAID', true],
    ]);
  });

  it('counts of customers add up what two transactions change at once, in whatever order each has its subscriptions', async () => {
    // Four subscriptions of two customers, one of each for either transaction.
    const ids: number[] = [];
    for (let n = 0; n < 4; n++) ids.push(await shop.contract({ first: '2026-04-01T14:00:00Z' }));
    const [first, second, third, fourth] = ids;
    await database.db.exec(`update contracts set customer_id = (select customer_id from contracts where id = ${first}) where id = ${third};
      update contracts set customer_id = (select customer_id from contracts where id = ${second}) where id = ${fourth}`);
    const pause = (...some: (number | undefined)[]): string =>
      `with chosen as (select unnest('{${some.join(',')}}'::bigint[]) as id)
        update contracts set status = 'PAUSED', paused_at = now(), next_billing_at = null, base_at = null from chosen where contracts.id = chosen.id`;
    await onServer(database.url!, one =>
      onServer(database.url!, async other => {
        await one.query('begin');
        await one.query(pause(first, second));
        await other.query('begin');
        const waits = other.query(pause(fourth, third));
        await waitingForLocks(one, 1, waits);
        await one.query('commit');
        await waits;
        await other.query('commit');
        const { rows } = await one.query(
          `select all_subscriptions_count as total, active_subscriptions_count as active, paused_subscriptions_count as paused from customers
            where id in (select customer_id from contracts where id = any($1)) order by id`,
          [ids],
        );
        expect(rows).toEqual([
          { total: 2, active: 0, paused: 2 },
          { total: 2, active: 0, paused: 2 },
        ]);
      }),
    );
  });
});
