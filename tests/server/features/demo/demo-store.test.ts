// The demo store is what people meet first: it must be the same every time, full of life, and its books must add up. That the embedded
// database takes the same is seen in ready-made.test.ts.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedStores } from '../../../../src/server/features/demo/seed.ts';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { oneEngine, openTestDatabase } from '../../../support/database.ts';

const NOW = Date.UTC(2026, 9, 14, 15, 30);
const AREAS = ['subscriptionDetails', 'sellingPlan', 'updateUserPermission'];

async function rows<T>(db: Database, text: string): Promise<T[]> {
  return (await db.ownerQuery<T>(text)).rows;
}

describe('the demo store', () => {
  let db: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const opened = await openTestDatabase(oneEngine[0]!);
    db = opened.db;
    close = () => opened.remove();
    await seedStores(db, { seed: 7, contracts: 1500, now: NOW, areas: AREAS, isLiving: true });
  });
  afterAll(() => close());

  it('D018 D053 has subscriptions in all five statuses', async () => {
    const found = await rows<{ status: string; n: number }>(db, 'select status, count(*) as n from contracts group by 1');
    expect(found.map(row => row.status).sort()).toEqual(['ACTIVE', 'CANCELLED', 'EXPIRED', 'FAILED', 'PAUSED']);
    expect(found.every(row => row.n > 5)).toBe(true);
  });

  it('D020 has orders that were paid, failed and skipped', async () => {
    const found = await rows<{ status: string }>(db, 'select distinct status from orders');
    expect(found.map(row => row.status).sort()).toEqual(['FAILED', 'PAID', 'SKIPPED']);
  });

  it('has customers of twelve countries, some twenty plan groups and subscriptions over two years', async () => {
    expect(await rows(db, 'select distinct country_code from customers')).toHaveLength(12);
    expect(await rows(db, "select 1 from records where entity = 'selling-plan-group'")).toHaveLength(20);
    const [{ months }] = (await rows<{ months: number }>(
      db,
      "select count(distinct date_trunc('month', created_at)) as months from contracts",
    )) as [{ months: number }];
    expect(months).toBeGreaterThanOrEqual(24);
  });

  it('has a ledger of movements that comes to what each subscription is', async () => {
    const wrong = await rows(
      db,
      `select c.id, c.source, c.status, m.status as said, m.mrr, m.lines from contracts c left join lateral (
          select (array_agg(status_after order by change_no desc))[1] as status, coalesce(sum(mrr_after - mrr_before), 0) as mrr,
            sum(runs_after::int - runs_before::int) as lines, min(day) as first
          from movements m where m.store_id = c.store_id and m.contract_id = c.id) m on true
        where m.status is distinct from c.status
          or m.mrr <> case when c.status = 'ACTIVE'
            then monthly_value(coalesce(c.recurring_charge, c.subtotal), c.billing_interval, c.billing_interval_count) else 0 end
          or m.lines <> case when c.status in ('ACTIVE', 'PAUSED')
            then (select count(*) from contract_lines l where l.store_id = c.store_id and l.contract_id = c.id and not l.one_time_added) else 0 end
          or m.first <> (c.created_at at time zone 'America/New_York')::date and c.source <> 'GIFT'`,
    );
    expect(wrong).toEqual([]);
    expect((await rows(db, 'select distinct kind from movements')).length).toBeGreaterThan(5);
  });

  it('has an account log that begins with its history: every entry by one of the team, in order, about what is there', async () => {
    const log = await rows<{ action: string; at: Date; user_email: string; id: number }>(
      db,
      'select l.id, l.action, l.created_at as at, l.user_email from account_log l join users u on u.store_id = l.store_id and u.id = l.user_id order by l.id',
    );
    expect(log).toHaveLength((await rows(db, 'select 1 from account_log')).length);
    expect(log[0]).toMatchObject({ action: 'onboarding.saved', user_email: 'amira@fernandember.example' });
    expect(NOW - (log[0]?.at.getTime() ?? 0)).toBeGreaterThan(700 * 86_400_000);
    const times = log.map(one => one.at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const count = (action: string): number => log.filter(one => one.action === action).length;
    expect(count('selling_plan_group.created')).toBe(20);
    expect(count('subscription.cancel')).toBe(
      (await rows(db, "select 1 from contracts where status = 'CANCELLED' and cancellation_source = 'MERCHANT'")).length,
    );
    expect(count('subscription.cancel')).toBeGreaterThan(5);
  });

  it('counts as completed exactly the charges that were paid', async () => {
    expect(
      await rows(
        db,
        `select c.id, c.completed_orders, count(o.id) as paid from contracts c left join orders o on o.contract_id = c.id and o.status = 'PAID' and not o.is_prepaid_delivery
      group by c.id, c.completed_orders having c.completed_orders <> count(o.id)`,
      ),
    ).toEqual([]);
  });

  it('adds up: an order is its products and its shipping, a paid recurring order has exactly one successful attempt of the same amount', async () => {
    expect(await rows(db, 'select id from orders where total <> subtotal - discount + shipping + tax')).toEqual([]);
    expect(
      await rows(
        db,
        `select o.id from orders o left join billing_attempts a on a.order_id = o.id and a.success where o.status = 'PAID' and o.order_type = 'RECURRING' and not o.is_prepaid_delivery
      group by o.id, o.total having count(a.id) <> 1 or min(a.amount) <> o.total`,
      ),
    ).toEqual([]);
  });

  it('dates run forward within every subscription and no active one is overdue', async () => {
    expect(
      await rows(
        db,
        'select id from (select id, billing_at, lag(billing_at) over (partition by contract_id order by cycle) as before from orders) o where billing_at <= before',
      ),
    ).toEqual([]);
    expect(
      await rows(
        db,
        `select id from contracts where status = 'ACTIVE' and (next_billing_at is null or next_billing_at <= '${new Date(NOW).toISOString()}')`,
      ),
    ).toEqual([]);
    expect(await rows(db, "select id from contracts where status <> 'ACTIVE' and next_billing_at is not null")).toEqual([]);
  });

  it('raises only alerts that are true of its rows', async () => {
    const alerts = await rows<{ type_key: string; affected_count: number }>(db, 'select type_key, affected_count from alerts');
    expect(alerts.length).toBeGreaterThanOrEqual(3);
    expect(alerts.every(alert => alert.affected_count > 0)).toBe(true);
  });

  it('is left alone by a second seeding', async () => {
    const before = await rows(db, 'select count(*) as n, max(id) as id from contracts');
    await seedStores(db, { seed: 8, contracts: 10, now: NOW, areas: AREAS });
    expect(await rows(db, 'select count(*) as n, max(id) as id from contracts')).toEqual(before);
  });

  it('is the same for the same seed and day, and another for another seed', async () => {
    const fingerprint = async (seed: number) => {
      const { db: other, remove: end } = await openTestDatabase(oneEngine[0]!);
      try {
        await seedStores(other, { seed, contracts: 120, now: NOW, areas: AREAS });
        const {
          rows: [row],
        } = await other.asOwner(trx =>
          sql<{
            print: string;
          }>`select md5(string_agg(c::text, '|' order by id)) || (select md5(string_agg(o::text, '|' order by id)) from orders o) as print from contracts c`.execute(
            trx,
          ),
        );
        return row!.print;
      } finally {
        await end();
      }
    };
    const [one, again, another] = [await fingerprint(3), await fingerprint(3), await fingerprint(4)];
    expect(again).toBe(one);
    expect(another).not.toBe(one);
  });

  it('spreads many subscriptions over many stores, the largest with 30 percent', async () => {
    const { db: many, remove: end } = await openTestDatabase(oneEngine[0]!);
    try {
      await seedStores(many, { contracts: 400, stores: 6, now: NOW, areas: AREAS });
      const sizes = await rows<{ store_id: number; n: number }>(
        many,
        'select store_id, count(*) as n from contracts group by 1 order by 1',
      );
      expect(sizes).toHaveLength(6);
      expect(sizes.reduce((sum, row) => sum + row.n, 0)).toBe(400);
      expect(sizes[0]!.n).toBeGreaterThanOrEqual(120);
    } finally {
      await end();
    }
  });
});
