// Streaks of the demo store, with the subscriptions that began since the first of them was turned on.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAYS = 160;
const GRACE = 3;

const milestone = (orderNumber: number, over: JsonObject): JsonObject => ({ id: `demoMilestone${orderNumber}`, orderNumber, ...over });
const streaks = (giftId: number): JsonObject[] => [
  {
    name: 'Three months in a row',
    status: 'ACTIVE',
    frequencies: [{ interval: 'MONTH', intervalCount: 1 }],
    gracePeriodDays: GRACE,
    streakLength: 3,
    milestones: [
      milestone(1, { rewardType: 'NONE', title: 'The first one', quote: 'Good to have you.' }),
      milestone(2, {
        rewardType: 'DISCOUNT',
        discountType: 'PERCENTAGE',
        discountValue: '10',
        orderCount: 1,
        title: '10% off your next order',
        quote: 'One more, and there is a mug in your parcel.',
      }),
      milestone(3, { rewardType: 'GIFT', variantId: giftId, quantity: 1, title: 'An everyday mug on us' }),
    ],
  },
  {
    name: 'Every other month, five times',
    status: 'DRAFT',
    frequencies: [{ interval: 'MONTH', intervalCount: 2 }],
    gracePeriodDays: 7,
    streakLength: 5,
    milestones: [1, 2, 3, 4, 5].map(n =>
      milestone(
        n,
        n === 5 ? { rewardType: 'GIFT', variantId: giftId, quantity: 1, title: 'A mug for five orders' } : { rewardType: 'NONE' },
      ),
    ),
  },
];

/** Writes the streaks of one store; subscriptions that began since then have as many orders in a row as were paid. */
export async function writeStreaks(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  const since = new Date(now - DAYS * 86_400_000);
  const gift = await sql<{ id: number }>`select v.id from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
    where v.store_id = ${store.id}::integer and p.handle = 'everyday-mug' order by v.id limit 1`.execute(trx);
  if (!gift.rows[0]) return;
  for (const [i, data] of streaks(gift.rows[0].id).entries()) {
    const made = await sql<{ id: number }>`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
      values (${store.id}::integer, 'streak', ${i + 1}, ${JSON.stringify(data)}::jsonb, ${since}, ${since}, ${store.email})
      returning id`.execute(trx);
    const [row] = made.rows;
    if (row && data.status === 'ACTIVE') await writeEnrollments(trx, store.id, row.id, String(data.name), since);
  }
}

async function writeEnrollments(trx: Kysely<Tables>, storeId: number, streakId: number, name: string, since: Date): Promise<void> {
  await sql`insert into streak_enrollments (store_id, streak_id, streak_name, contract_id, customer_id, state, step, length, last_order,
      due_at, lapses_at, rewards, enrolled_at, ended_at)
    select c.store_id, ${streakId}::bigint, ${name}, c.id, c.customer_id, s.state, least(c.completed_orders, 3), 3, c.completed_orders,
      case s.state when 'ACTIVE' then c.next_billing_at end,
      case s.state when 'ACTIVE' then (date_trunc('day', c.next_billing_at at time zone z.timezone)
        + make_interval(days => ${GRACE + 1})) at time zone z.timezone end,
      (select coalesce(jsonb_agg(jsonb_build_object('step', r.step, 'reward', r.reward, 'status', 'DONE', 'sentence', r.sentence,
          'at', c.created_at + make_interval(months => r.step - 1)) order by r.step), '[]')
        from (values (2, 'DISCOUNT', 'Add discount.'), (3, 'GIFT', 'Add product.')) r (step, reward, sentence)
        where r.step <= c.completed_orders),
      c.created_at, case s.state when 'COMPLETED' then c.created_at + interval '2 months'
        when 'FAILED' then coalesce(c.cancelled_at, c.paused_at, c.expired_at, c.created_at) + interval '33 days' end
    from contracts c join stores z on z.id = c.store_id cross join lateral (select case when c.completed_orders >= 3 then 'COMPLETED'
      when c.status = 'ACTIVE' and c.next_billing_at is not null then 'ACTIVE' else 'FAILED' end as state) s
    where c.store_id = ${storeId}::integer and c.created_at > ${since} and c.billing_interval = 'MONTH' and c.billing_interval_count = 1
      and c.source = 'CHECKOUT' and not c.is_prepaid`.execute(trx);
}
