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
    if (rows[0] && used && data.status === 'ACTIVE')
      await writeEvents(trx, store.id, { kind: 'QUICK_ACTION', id: rows[0].id, now, ...used });
  }
}

interface Events {
  kind: 'QUICK_ACTION' | 'CAMPAIGN';
  id: number;
  now: number;
  states: string[];
  share: number;
  isRevenue: boolean;
}
export async function writeEvents(
  trx: Kysely<Tables>,
  storeId: number,
  { kind, id, now, states, share, isRevenue }: Events,
): Promise<void> {
  await sql`insert into link_events (store_id, kind, action_id, contract_id, happened, day, link, rewarded, sentence, value, created_at)
    select x.store_id, ${kind}, ${id}::bigint, x.id, e.happened, x.at::date,
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
