// Customer tags that follow from subscriptions (settings, subscription tags), and the tags that placed orders get.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { scheduleTags } from '../../../domain/schedule/order-tags.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Aggregate } from '../aggregate.ts';
import { isGift } from '../gifts/gift.ts';
import { frequencyOf, type OrderLine } from '../price.ts';
import { prepared } from '../../platform/db/prepared-statements.ts';
import type { OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { uniqueTags } from '../../../domain/text/tags.ts';
import { nameKeySql } from '../../platform/records/name-key.ts';

/** Words that the settings begin with. A store that changed them may still have customers with these. */
const FIRST_WORDS = ['Active Subscriber', 'Paused Subscriber', 'Inactive Subscriber'];
const KINDS = ['ACTIVE_SUBSCRIBER', 'PAUSED_SUBSCRIBER', 'INACTIVE_SUBSCRIBER'];

/** The tags that follow from subscriptions by the words of now. */
const wordsNow = (tags: Record<string, string>): string[] =>
  [...FIRST_WORDS, ...KINDS.map(kind => tags[kind] ?? '')].filter(tag => tag !== '');
/** Those of earlier settings. */
const wordsBefore = (storeId: number): RawBuilder<{ tag: string }> =>
  sql<{
    tag: string;
  }>`select distinct data ->> kind as tag from setting_history cross join unnest(${KINDS}::text[]) as kind
      where store_id = ${storeId}::integer and name = 'subscription-tags' and data ->> kind <> ''`;

/** Every tag that follows from subscriptions or did so under earlier settings of the store; all others are the store's own. */
export async function subscriptionTags(trx: Kysely<Tables>, storeId: number, tags: Record<string, string>): Promise<Set<string>> {
  const { rows } = await wordsBefore(storeId).execute(trx);
  return new Set([...wordsNow(tags), ...rows.map(row => row.tag)]);
}

/**
 * Gives each customer the one tag that fits: active (an active subscription), paused (only paused ones), former (had some, none runs).
 * Other tags stay; those of earlier settings go. Customers without any subscription lose all three. Gives how
 * many customers got other tags than they had.
 */
export async function retagCustomers(
  trx: Kysely<Tables>,
  storeId: number,
  customerIds: readonly number[],
  tags: Record<string, string>,
  at: Date,
): Promise<number> {
  if (customerIds.length === 0) return 0;
  const active = tags.ACTIVE_SUBSCRIBER ?? '',
    paused = tags.PAUSED_SUBSCRIBER ?? '',
    former = tags.INACTIVE_SUBSCRIBER ?? '';
  const { rows } = await prepared(sql<{ id: number }>`
    update customers c set tags = wanted.tags, updated_at = ${at}
    from (
      select k.id,
        array(select t from unnest(k.tags) as t where ${nameKeySql(sql`t`)} <> all(ours.keys))
          || case when s.tag is null or s.tag = '' then '{}'::text[] else array[s.tag] end as tags
      from (select id, tags from customers where store_id = ${storeId}::integer and id = any(${customerIds}::bigint[])
        order by id for update) k
      cross join (select array(select ${nameKeySql(sql`word`)} from unnest(${wordsNow(tags)}::text[] ||
        array(${wordsBefore(storeId)})) word) as keys) ours
      left join lateral (
        select case when bool_or(status = 'ACTIVE') then ${active}::text when bool_or(status = 'PAUSED') then ${paused}::text
          when count(*) > 0 then ${former}::text end as tag
        from contracts where store_id = ${storeId}::integer and customer_id = k.id
      ) s on true
    ) wanted
    where c.store_id = ${storeId}::integer and c.id = wanted.id and c.tags is distinct from wanted.tags returning c.id`).execute(trx);
  return rows.length;
}

/**
 * The tags of an order that is placed: those of the subscription tags, then those of the order schedule
 * with the order's dates in the store's zone.
 */
export function orderTags(
  work: Pick<UnitOfWork, 'settings' | 'zone'>,
  subscription: Aggregate,
  order: Pick<OrderRow, 'order_type' | 'order_number' | 'billing_at' | 'delivery_at'>,
  lines: readonly OrderLine[],
): string[] {
  const { contract } = subscription;
  const { tags, orderSchedule } = work.settings;
  const keys = [
    'ALL',
    order.order_type === 'CHECKOUT' ? 'FIRST_ORDER' : 'RECURRING_ORDER',
    'NUMBER',
    ...(contract.is_prepaid ? ['PREPAID'] : []),
    ...(lines.some(line => line.isUpsell) ? ['UPSELL'] : []),
    ...(lines.some(line => line.bundleTransactionId) ? ['BUNDLE'] : []),
  ];
  const kinds = keys
    .map(key => (tags[key] ?? '').replaceAll('{id}', String(contract.shopify_id)))
    .filter(tag => tag !== '')
    .map(tag => tag.slice(0, 40));
  const ofGift = isGift(contract) && work.settings.gift.orderTag ? [work.settings.gift.orderTag] : [];
  const facts = {
    billingAt: order.billing_at.getTime(),
    deliveryAt: order.delivery_at.getTime(),
    orderNumber: order.order_number,
    frequency: frequencyOf(contract),
    subscriptionId: contract.shopify_id,
  };
  return uniqueTags([...kinds, ...ofGift, ...scheduleTags(orderSchedule.tags, facts, work.zone)]);
}
