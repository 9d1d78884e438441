// Quick actions and campaigns of the demo store, with what became of their links.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAYS = 80;
const words = (title: string, ctaText: string, successText: string): JsonObject => ({ title, ctaText, successText });

const QUICK_ACTIONS: JsonObject[] = [
  {
    name: 'Skip from the reminder',
    status: 'ACTIVE',
    type: 'SKIP_ORDER',
    description: 'Still enough on the shelf? We leave this one out and see you at the next.',
    ...words('Skip your next order?', 'Skip it', 'Your next order is skipped.'),
  },
  {
    name: 'A little later',
    status: 'ACTIVE',
    type: 'DELAY_ORDER',
    delayOptions: [
      { interval: 'WEEK', intervalCount: 1 },
      { interval: 'WEEK', intervalCount: 2 },
    ],
    ...words('Delay your next order?', 'Delay by', 'Your next order comes later.'),
  },
  {
    name: 'Away for a while',
    status: 'ACTIVE',
    type: 'HOLD_FOR_HOLIDAY',
    description: 'Say when you are away, and nothing waits in front of your door.',
    ...words('Going on holiday?', 'Hold my orders', 'Nothing comes while you are away.'),
  },
  {
    name: 'Come back, 15% off',
    status: 'ACTIVE',
    type: 'WINBACK',
    reward: { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '15', orderCount: 1 },
    ...words('We miss you, {{customer_first_name}}', 'Start again', 'Welcome back. Your subscription has started again.'),
  },
  {
    name: 'Resume after a pause',
    status: 'DRAFT',
    type: 'RESUME_SUBSCRIPTION',
    reward: { rewardType: 'NONE' },
    ...words('Resume your subscription?', 'Resume', 'Your subscription goes on.'),
  },
];
const day = (now: number, back: number): string => new Date(now - back * 86_400_000).toISOString();
const CAMPAIGNS = (now: number): JsonObject[] => [
  {
    name: 'Spring: come back',
    status: 'COMPLETED',
    delivery: 'FILE',
    type: 'WINBACK',
    audienceType: 'ALL_ELIGIBLE',
    startAt: day(now, 70),
    endAt: day(now, 40),
    reward: { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '20', orderCount: 2 },
    ...words('Your coffee is still here', 'Start again', 'Welcome back. Your subscription has started again.'),
  },
  {
    name: 'Order before the holidays',
    status: 'ACTIVE',
    delivery: 'EMAIL',
    subject: 'Have your coffee before the holidays',
    letterText: 'Guests are coming? Order your next box now, and it is with you before the holidays.',
    type: 'ORDER_NOW',
    audienceType: 'CONDITIONS',
    conditions: { match: 'ALL', rows: [{ conditionKey: 'SUBSCRIPTION_ORDERS', operator: 'GTE', value: 3 }] },
    excludeStreaks: true,
    startAt: day(now, 9),
    endAt: day(now, -21),
    reward: { rewardType: 'DISCOUNT', discountType: 'FREE_SHIPPING', orderCount: 1 },
    ...words('Have it before the holidays?', 'Order now', 'Your order is placed.'),
  },
  {
    name: 'Paused for long',
    status: 'DRAFT',
    delivery: 'EMAIL',
    subject: 'Ready for coffee again?',
    letterText: 'Your subscription is paused. Shall we go on? One press, and your next bag is on its way.',
    type: 'RESUME_SUBSCRIPTION',
    audienceType: 'ALL_ELIGIBLE',
    startAt: day(now, -3),
    endAt: day(now, -33),
    reward: { rewardType: 'NONE' },
    ...words('Resume your subscription?', 'Resume', 'Your subscription goes on.'),
  },
];

/** States of the subscriptions whose customers used a link, and of a hundred how many. */
const USED: Record<string, { states: string[]; share: number; isRevenue: boolean }> = {
  SKIP_ORDER: { states: ['ACTIVE'], share: 5, isRevenue: false },
  DELAY_ORDER: { states: ['ACTIVE'], share: 4, isRevenue: false },
  WINBACK: { states: ['ACTIVE'], share: 2, isRevenue: true },
};

/** Writes the quick actions of one store; some subscribers used their links in the last weeks, and more of them looked. */
export async function writeLinks(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  const since = new Date(now - DAYS * 86_400_000);
  for (const data of QUICK_ACTIONS) {
    const { rows } = await sql<{ id: number }>`insert into records (store_id, entity, data, created_at, updated_at, updated_by)
      values (${store.id}::integer, 'quick-action', ${JSON.stringify(data)}::jsonb, ${since}, ${since}, ${store.email})
      returning id`.execute(trx);
    const used = USED[String(data.type)];
    if (rows[0] && used && data.status === 'ACTIVE') await writeEvents(trx, store.id, { id: rows[0].id, now, ...used });
  }
  await writeCampaigns(trx, store, now);
}

/** Writes the campaigns of one store, with whom they were for and who took them. */
async function writeCampaigns(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  for (const data of CAMPAIGNS(now)) {
    const isLaunched = data.status !== 'DRAFT';
    const at = new Date(isLaunched ? String(data.startAt) : now - 86_400_000);
    const document = JSON.stringify({ ...data, isLaunched, launchedAt: isLaunched ? data.startAt : null });
    const { rows } = await sql<{ id: number }>`insert into records (store_id, entity, data, created_at, updated_at, updated_by)
      values (${store.id}::integer, 'campaign', ${document}::jsonb, ${at}, ${at}, ${store.email}) returning id`.execute(trx);
    const id = rows[0]?.id;
    if (id === undefined || !isLaunched) continue;
    const isWinback = data.type === 'WINBACK';
    const letter = data.delivery === 'EMAIL' ? 'WRITTEN' : null;
    const isFor = isWinback ? sql`(status = 'CANCELLED' or id % 97 = 0)` : sql`status = 'ACTIVE' and completed_orders >= 3`;
    const { numAffectedRows } = await sql`insert into campaign_members (store_id, campaign_id, contract_id, letter)
      select store_id, ${id}::bigint, id, ${letter}::text from contracts
      where store_id = ${store.id}::integer and ${isFor}`.execute(trx);
    await sql`update records set data = data || jsonb_build_object('audience', ${Number(numAffectedRows)}::integer)
      where store_id = ${store.id}::integer and id = ${id}::bigint`.execute(trx);
    const days = isWinback ? { from: 70, to: 40 } : { from: 9, to: 0 };
    await sql`insert into link_events (store_id, kind, action_id, contract_id, happened, day, link, rewarded, sentence, value, created_at)
      select x.store_id, 'CAMPAIGN', ${id}::bigint, x.id, e.happened,
        (x.at at time zone (select timezone from stores where id = x.store_id))::date,
        case e.happened when 'CONFIRMED' then 'demo-' || ${id}::bigint || '-' || x.id end, false, '',
        case e.happened when 'CONFIRMED' then x.total else 0 end, x.at
      from (select c.store_id, c.id, c.total, c.status, (c.id * 7919) % 100 as n, ${new Date(now)}::timestamptz
          - make_interval(days => ${days.to}::integer + ((c.id * 7349) % ${days.from - days.to}::integer)::integer, mins => 30) as at
        from campaign_members m join contracts c on c.store_id = m.store_id and c.id = m.contract_id
        where m.store_id = ${store.id}::integer and m.campaign_id = ${id}::bigint) x
      cross join (values ('OPENED'), ('CONFIRMED')) as e(happened)
      where case e.happened when 'OPENED' then x.n < 38 else x.n < 9 and x.status = 'ACTIVE' end on conflict do nothing`.execute(trx);
  }
}

interface Events {
  id: number;
  now: number;
  states: string[];
  share: number;
  isRevenue: boolean;
}
async function writeEvents(trx: Kysely<Tables>, storeId: number, { id, now, states, share, isRevenue }: Events): Promise<void> {
  await sql`insert into link_events (store_id, kind, action_id, contract_id, happened, day, link, rewarded, sentence, value, created_at)
    select x.store_id, 'QUICK_ACTION', ${id}::bigint, x.id, e.happened,
        (x.at at time zone (select timezone from stores where id = x.store_id))::date,
      case e.happened when 'CONFIRMED' then 'demo-' || ${id}::bigint || '-' || x.id end, false, '',
      case when e.happened = 'CONFIRMED' and ${isRevenue} then x.total else 0 end, x.at
    from (select c.store_id, c.id, c.total, (c.id * 7919 + ${id}::bigint * 53) % 100 as n,
        ${new Date(now)}::timestamptz - make_interval(days => ((c.id * 7349) % ${DAYS - 5})::integer,
          mins => ((c.id * 53) % 600)::integer) as at
      from contracts c where c.store_id = ${storeId}::integer and c.status = any(${states}::text[])
        and c.created_at < ${new Date(now - DAYS * 86_400_000)}) x
    cross join (values ('OPENED', 2), ('CONFIRMED', 1)) as e(happened, times)
    where x.n < ${share}::integer * e.times on conflict do nothing`.execute(trx);
}
