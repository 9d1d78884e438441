// What the pages of a subscription read besides its record: orders, activity, delivery, plans, customer, reasons of failures, credits.
import { sql } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import { billingInterval, deliveryInterval } from '../../../domain/selling-plans/selling-plan.ts';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { notFound, Reply, type Context } from '../../platform/context.ts';
import type { Address } from '../../../domain/places/address.ts';
import {
  type AttemptRow,
  billingOf,
  contractView,
  type CustomerRow,
  deliveryOf,
  detailsOf,
  engineOf,
  idByShopifyId,
  findVariants,
  GIFT,
  groupsOfBundles,
  hasFrequency,
  hasPortal,
  lastAttempt,
  optionsFor,
  type OrderRow,
  orderView,
  parcelOf,
  pickupOptions,
  plansOfVariants,
  portalLink,
  readContract,
  scheduleView,
  type Status,
  STATUS_CODES,
  STATUSES,
  wireAttempt,
  wireOption,
} from '../../engine/index.ts';
import { planned, prepared } from '../../platform/db/prepared-statements.ts';
import { type ListQuery, listQuery, listRecords, listTexts } from '../../platform/records/list/list.ts';
import { tabCounts } from '../../platform/records/list/totals.ts';
import { numberIn, placedBy } from '../../platform/records/order-number.ts';
import { later } from '../../../domain/text/t.ts';

interface Named {
  id: number;
}
const missing = () => notFound(later`subscription`);

export const read = async (context: Context, { id }: Named): Promise<JsonValue> => contractView(engineOf(context), id);
/** D144. */
export const readByShopifyId = async (context: Context, { shopify_id }: { shopify_id: number }): Promise<JsonValue> =>
  contractView(engineOf(context), await idByShopifyId(context, shopify_id));

/**
 * The list, with a picture of each subscription's first product. Who looks for the number of an order
 * gets the subscription that placed it first.
 */
export async function list(context: Context, input: JsonObject): Promise<Reply> {
  const call = context.definitions.calls['subscription-contract.list'] as Call;
  const picture = sql`(select p.image from products p where p.store_id = r.store_id and p.id = r.product_ids[1])`;
  const query: ListQuery = { ...listQuery(call, context.definitions.hosts[call.host], input), extra: { imageUrl: picture } };
  const number = numberIn(query.q);
  const { texts, pageInfo } = await listTexts(
    context,
    context.shape('subscription'),
    number === undefined ? query : { ...query, q: number },
  );
  const placed = number === undefined ? [] : await placedOrder(context, query, number);
  if (placed.length === 0) return new Reply(null, { texts, pageInfo });
  const records = texts.map(text => JSON.parse(text) as JsonObject);
  const others = records.filter(one => placed.every(other => other.id !== one.id));
  return new Reply([...placed, ...others], {
    pageInfo: {
      ...pageInfo,
      ...(pageInfo.total === undefined ? {} : { total: pageInfo.total + placed.length - (records.length - others.length) }),
    },
  });
}

/** The subscriptions that placed the order of this number, as far as the list's filters let them through; on its first page alone. */
async function placedOrder(context: Context, query: ListQuery, number: string): Promise<JsonObject[]> {
  if (query.after !== undefined || query.before !== undefined || (query.page ?? 1) > 1 || (query.offset ?? 0) > 0) return [];
  const { rows: found } = await sql<{ contract_id: number }>`${placedBy(context.storeId, number)}`.execute(context.trx);
  if (found.length === 0) return [];
  const { q: _number, ...rest } = query;
  return (
    await listRecords(context, context.shape('subscription'), {
      ...rest,
      where: [sql`r.id = any(${found.map(order => order.contract_id)}::bigint[])`],
      total: false,
    })
  ).records;
}

/** How many subscriptions each tab has, from counters that are kept as contracts change. */
export const counts = async (context: Context): Promise<JsonValue> => ({
  ...(await tabCounts(context, 'contracts', STATUSES)),
  codes: { ...STATUS_CODES },
});

/** The orders ahead: ten, or twelve months. */
export async function ordersSchedule(context: Context, { id }: Named): Promise<Reply> {
  const { subscription, work } = await readContract(engineOf(context), id);
  const records = scheduleView(work, subscription, context.now());
  return new Reply(records, { pageInfo: { hasNextPage: false, hasPreviousPage: false, total: records.length } });
}

interface Paged extends Named {
  limit?: number;
  offset?: number;
}
const page = ({ limit = 25, offset = 0 }: Paged): { limit: number; offset: number } => ({ limit: Math.min(limit, 250), offset });
const paged = (records: JsonObject[], total: number, { limit, offset }: { limit: number; offset: number }): Reply =>
  new Reply(records, { pageInfo: { hasNextPage: offset + limit < total, hasPreviousPage: offset > 0, total } });

/** Orders that were placed, tried or skipped, newest first, with their attempts. */
export async function ordersHistory(context: Context, input: Paged): Promise<Reply> {
  const { trx, storeId } = context;
  const contract = await trx
    .selectFrom('contracts')
    .modifyFront(planned)
    .select(['status', 'next_cycle'])
    .where('store_id', '=', storeId)
    .where('id', '=', input.id)
    .executeTakeFirst();
  if (!contract) throw missing();
  const part = page(input);
  // Skipped and moved orders ahead are on the schedule, those that wait for stock too.
  const past = sql`store_id = ${storeId}::integer and contract_id = ${input.id}::bigint and (status in ('PAID', 'FAILED', 'PROCESSING')
      or (status = 'SKIPPED' and cycle < ${contract.next_cycle}::integer))`;
  const [
    { rows: orders },
    {
      rows: [counted],
    },
  ] = await Promise.all([
    prepared(sql<OrderRow>`select * from orders where ${past} order by cycle desc limit ${part.limit} offset ${part.offset}`).execute(trx),
    prepared(sql<{ n: number }>`select count(*) as n from orders where ${past}`).execute(trx),
  ]);
  const total = Number(counted?.n ?? 0);
  const attempts =
    orders.length === 0
      ? []
      : (
          await prepared(
            sql<AttemptRow>`select * from billing_attempts where store_id = ${storeId}::integer
              and order_id = any(${orders.map(order => order.id)}::bigint[]) order by attempt_number`,
          ).execute(trx)
        ).rows;
  return paged(
    orders.map(order =>
      orderView(
        order,
        attempts.filter(attempt => attempt.order_id === order.id),
        contract.status as Status,
      ),
    ),
    total,
    part,
  );
}

async function mustExist(trx: Context['trx'], storeId: number, id: number): Promise<void> {
  const row = await trx
    .selectFrom('contracts')
    .modifyFront(planned)
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw missing();
}

/** D145: how a contract is delivered. */
export async function deliveryMethod(context: Context, { shopifyId }: { shopifyId: number }): Promise<JsonValue> {
  const { subscription } = await readContract(engineOf(context), await idByShopifyId(context, shopifyId));
  return {
    deliveryMethod: subscription.contract.delivery_method as JsonValue,
    shippingAddress: subscription.contract.shipping_address as JsonValue,
    deliveryPrice: toDecimal(subscription.contract.delivery_price, subscription.contract.currency_code),
    currencyCode: subscription.contract.currency_code,
  };
}

/** D146: the addresses a customer has saved, the default first. */
export async function customerAddresses(
  { trx, storeId }: Context,
  { customerShopifyId }: { customerShopifyId: number },
): Promise<JsonValue> {
  const customer = await trx
    .selectFrom('customers')
    .select('id')
    .where('store_id', '=', storeId)
    .where('shopify_id', '=', customerShopifyId)
    .executeTakeFirst();
  if (!customer) throw notFound(later`customer`);
  const rows = await trx
    .selectFrom('customer_addresses')
    .select(['id', 'is_default', 'address'])
    .where('store_id', '=', storeId)
    .where('customer_id', '=', customer.id)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(row => ({ ...(row.address as JsonObject), id: row.id, isDefault: row.is_default }));
}

/** Where orders can be picked up; with a subscription, at the price for it. */
export async function pickupAddresses(context: Context, { id }: { id?: number }): Promise<JsonValue> {
  if (id === undefined) return (detailsOf(context.store).locations ?? []).filter(location => location.pickup) as JsonValue;
  const { subscription } = await readContract(engineOf(context), id);
  return pickupOptions(context.store, parcelOf(subscription.contract, subscription.lines)).map(option =>
    wireOption(option, subscription.contract.currency_code),
  );
}

/** Every way the store delivers to an address, by today's rates; without one, to the address of the subscription. */
export async function availableDeliveryOptions(context: Context, { id, address }: Named & { address?: Address }): Promise<JsonValue> {
  const { subscription, work } = await readContract(engineOf(context), id);
  return optionsFor(work, subscription, address ?? null).map(option => wireOption(option, subscription.contract.currency_code));
}

/** D147: the plans that all recurring products of a contract are offered on, by group. */
export async function sellingPlans(context: Context, { contractId }: { contractId: number }): Promise<JsonValue> {
  const engine = engineOf(context);
  const { subscription } = await readContract(engine, contractId);
  const variants = await findVariants(engine, {
    ids: subscription.lines.flatMap(line => (line.one_time_added || line.variant_id === null ? [] : line.variant_id)),
  });
  const offered = [...(await plansOfVariants(engine, variants)).values()];
  const [first = [], ...rest] = offered;
  const kept = await groupsOfBundles(engine);
  const own = new Set(subscription.contract.plan_group_ids);
  const common = first
    .filter(({ groupId }) => own.has(groupId) || !kept.has(groupId))
    .filter(({ plan }) => rest.every(list => list.some(other => other.plan.lspId === plan.lspId)));
  const groups = new Map<number, { groupId: number; groupName: string; plans: JsonObject[] }>();
  for (const { groupId, groupName, plan } of common) {
    const group = groups.get(groupId) ?? { groupId, groupName, plans: [] };
    group.plans.push({
      id: plan.lspId,
      name: plan.name,
      billingPolicy: {
        ...billingInterval(plan),
        minCycles: plan.recurringBillingPolicyMinCycles ?? null,
        maxCycles: plan.recurringBillingPolicyMaxCycles ?? null,
      },
      deliveryPolicy: { ...deliveryInterval(plan) },
      discount: { type: plan.fixedDiscountType, value: plan.fixedDiscountValue ?? null },
      isCurrent:
        hasFrequency(plan, billingOf(subscription.contract), deliveryOf(subscription.contract)) &&
        subscription.lines.some(line => line.selling_plan_id === plan.lspId),
    });
    groups.set(groupId, group);
  }
  return [...groups.values()] as JsonValue;
}

/** The customer with counts, what they have paid, and the link to their own page (null without a portal). */
export async function customerDetails(context: Context, { id }: Named): Promise<JsonValue> {
  const { trx, storeId } = context;
  const view = await contractView(engineOf(context), id);
  const { rows } = await prepared(sql<CustomerRow & { orders: number; spent: number; subscriptions: number }>`
    select k.*, (select count(*) from contracts c where c.store_id = k.store_id and c.customer_id = k.id) as subscriptions,
      o.orders, o.spent
    from customers k, lateral (
      select count(*) as orders, coalesce(sum(o.total) filter (where o.currency_code = ${String(view.currencyCode)}), 0)::bigint as spent
      from contracts c join orders o on o.store_id = c.store_id and o.contract_id = c.id and o.status = 'PAID'
        where c.store_id = k.store_id and c.customer_id = k.id) o
    where k.store_id = ${storeId}::integer and k.id = ${Number(view.customerId)}::bigint`).execute(trx);
  const row = rows[0];
  if (!row) throw notFound(later`customer`);
  return {
    ...(view.customer as JsonObject),
    subscriptionsCount: row.subscriptions,
    ordersCount: row.orders,
    totalSpent: toDecimal(Number(row.spent), String(view.currencyCode)),
    currencyCode: view.currencyCode ?? null,
    portalLink: view.source !== GIFT && (await hasPortal(context)) ? portalLink(context.config, row, id, context.now()) : null,
  };
}

/** The newest attempt to charge; `ready` is false while the gateway is still asked. */
export async function lastBillingAttempt(context: Context, { id }: Named): Promise<JsonValue> {
  const engine = engineOf(context);
  await mustExist(context.trx, context.storeId, id);
  const attempt = await lastAttempt(engine, id);
  if (!attempt) return null;
  const order = await context.trx
    .selectFrom('orders')
    .select('next_retry_at')
    .where('store_id', '=', context.storeId)
    .where('id', '=', attempt.order_id)
    .executeTakeFirst();
  return wireAttempt(attempt, order?.next_retry_at ?? null);
}
