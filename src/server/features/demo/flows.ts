// Flows of the demo store, with what they did in the last weeks as it follows from its orders and failed charges.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAYS = 45;

interface DemoFlow {
  flow: JsonObject;
  trigger: string;
  /** The orders or failed charges that it followed, as `(contract_id, order_id, at)`. */
  followed: (since: Date) => ReturnType<typeof sql>;
}
const one = (conditionKey: string, operator: string, value: string | number): JsonObject => ({
  match: 'ALL',
  rows: [{ conditionKey, operator, value }],
});
const does = (action: string, input: JsonObject): JsonObject => ({ action, input });
const own = (flow: JsonObject): JsonObject => ({ flowType: 'CUSTOM', status: 'ACTIVE', runOncePerSubscription: false, ...flow });

const paid = (since: Date, number: number) => sql`select o.contract_id, o.id as order_id, o.processed_at as at from orders o
  where o.status = 'PAID' and o.order_number = ${number} and o.processed_at > ${since}`;

const FLOWS = (giftVariant: number): DemoFlow[] => [
  {
    flow: own({
      name: 'Third order: free mug, note, tag',
      triggers: ['ORDER_PLACED'],
      conditions: one('ORDER_NUMBER', 'EQ', 2),
      runOncePerSubscription: true,
      rewardNotification: { sendEmail: false, upcomingOrderEmailText: 'A mug comes with it, on us: thank you for your third order.' },
      actions: [
        does('ADD_PRODUCT', { variantId: giftVariant, quantity: 1, type: 'ONE_TIME', discountType: 'PERCENTAGE', discountValue: '100' }),
        does('UPDATE_NOTE', { mode: 'ADD', note: 'Third order: put in a card that says thank you.' }),
        does('UPDATE_TAGS', { mode: 'ADD', tags: ['third-order-gift'] }),
      ],
    }),
    trigger: 'ORDER_PLACED',
    followed: since => paid(since, 2),
  },
  {
    flow: own({
      name: 'Discount after six orders',
      triggers: ['ORDER_PLACED'],
      conditions: one('ORDER_NUMBER', 'EQ', 6),
      runOncePerSubscription: true,
      actions: [
        does('ADD_DISCOUNT', {
          kind: 'MANUAL',
          title: 'Thank you for six orders',
          type: 'PERCENTAGE',
          value: '10',
          targetType: 'LINE_ITEM',
          orderLimit: 3,
        }),
      ],
    }),
    trigger: 'ORDER_PLACED',
    followed: since => paid(since, 6),
  },
  {
    flow: own({
      name: 'Mark failed payments',
      triggers: ['PAYMENT_FAILED'],
      actions: [does('UPDATE_TAGS', { mode: 'ADD', tags: ['payment-failed'] })],
    }),
    trigger: 'PAYMENT_FAILED',
    followed: since => sql`select b.contract_id, b.order_id, min(b.completed_at) as at from billing_attempts b
      where b.success = false and b.completed_at > ${since} group by 1, 2`,
  },
  {
    flow: own({
      name: 'Coffee journey: a single origin each season',
      flowType: 'ORDER_JOURNEY',
      status: 'DRAFT',
      triggers: ['ORDER_PLACED'],
      actions: [],
      journeySteps: [
        { orderNumber: 2, actions: [does('UPDATE_NOTE', { mode: 'ADD', note: 'Put in the leaflet about Yirgacheffe.' })] },
        { orderNumber: 4, actions: [does('UPDATE_NOTE', { mode: 'ADD', note: 'Put in the leaflet about Huila.' })] },
      ],
    }),
    trigger: 'ORDER_PLACED',
    followed: () => sql`select 0::bigint as contract_id, 0::bigint as order_id, now() as at where false`,
  },
];

const LABELS: Record<string, string> = {
  ADD_PRODUCT: 'Add product',
  UPDATE_NOTE: 'Change note',
  UPDATE_TAGS: 'Change tags',
  ADD_DISCOUNT: 'Add discount',
};

/** Writes the flows of one store and their log. Every fortieth run failed in its first action, as it happens to a merchant. */
export async function writeFlows(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  const since = new Date(now - DAYS * 86_400_000);
  const { rows: gifts } = await sql<{
    id: number;
  }>`select v.id from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
    where v.store_id = ${store.id}::integer and p.deleted_at is null and v.deleted_at is null
    order by (p.title ilike '%mug%') desc, v.price, v.id limit 1`.execute(trx);
  const giftVariant = gifts[0]?.id;
  if (giftVariant === undefined) return;
  for (const [i, { flow, trigger, followed }] of FLOWS(giftVariant).entries()) {
    const {
      rows: [made],
    } = await sql<{ id: number }>`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
      values (${store.id}::integer, 'flow', ${i + 1}, ${JSON.stringify(flow)}::jsonb, ${since}, ${since}, ${store.email})
      returning id`.execute(trx);
    const done = (flow.actions as JsonObject[]).map(({ action, input }) => ({
      action: action ?? '',
      label: LABELS[String(action)] ?? String(action),
      input: input ?? {},
      status: 'SUCCESS',
      message: null,
    }));
    const [first, ...others] = done;
    if (!made || !first) continue;
    const failed = [{ ...first, status: 'FAILED', message: 'Subscription is no longer active.' }, ...others];
    await sql`insert into flow_runs (store_id, flow_id, flow_name, contract_id, event_id, order_id, trigger, status, results,
        is_once, started_at)
      select ${store.id}::integer, ${made.id}::bigint, ${String(flow.name)}, f.contract_id, -f.order_id, f.order_id, ${trigger},
        case when f.n % 40 <> 0 then 'SUCCESS' when ${others.length} > 0 then 'PARTIAL' else 'FAILED' end,
        case when f.n % 40 <> 0 then ${JSON.stringify(done)}::jsonb else ${JSON.stringify(failed)}::jsonb end,
        ${flow.runOncePerSubscription === true}, f.at + interval '20 seconds'
      from (select x.*, row_number() over (order by x.at) as n from (${followed(since)}) x
        join contracts c on c.store_id = ${store.id}::integer and c.id = x.contract_id order by x.at limit 400) f
      on conflict do nothing`.execute(trx);
  }
}
