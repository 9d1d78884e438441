// A contract with everything that its rules look at: lines, discounts, the orders ahead or open, and the customer's payment methods.
import { sql, type Kysely } from 'kysely';
import { dayOf } from '../../domain/calendar/calendar.ts';
import type { Tables } from '../../generated/tables.ts';
import type { EngineContext } from './context.ts';
import { prepared } from '../platform/db/prepared-statements.ts';
import { copyOf, type ContractRow, type DiscountRow, type LineRow, type MethodRow, type OrderRow } from './rows.ts';

/** Actions change the rows in place; what differs from `before` is written when the work is done. */
export interface Aggregate {
  contract: ContractRow;
  lines: LineRow[];
  discounts: DiscountRow[];
  /**
   * Orders that differ from the schedule ahead, that are open (being charged, retried, waiting for stock), the last one placed, and those
   * asked for by id.
   */
  orders: OrderRow[];
  /** All payment methods of the customer. */
  methods: MethodRow[];
  /** When the last thing happened to it, where that is not the moment of the work. */
  at?: Date;
  before: { contract: ContractRow | null; lines: Map<number, LineRow>; discounts: Map<number, DiscountRow>; orders: Map<number, OrderRow> };
}

const byId = <T extends { id: number }>(rows: readonly T[]): Map<number, T> => new Map(rows.map(row => [row.id, copyOf(row)]));

/** An aggregate as it stands in the database; `fresh` marks a contract that has no row yet. */
export function aggregateOf(rows: Omit<Aggregate, 'before'>, fresh = false): Aggregate {
  const before = fresh
    ? { contract: null, lines: new Map(), discounts: new Map(), orders: new Map() }
    : { contract: copyOf(rows.contract), lines: byId(rows.lines), discounts: byId(rows.discounts), orders: byId(rows.orders) };
  return { ...rows, before };
}

/** Rows by a key, in their order. */
export const group = <T, K>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const list = groups.get(key(row));
    if (list) list.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
};

/**
 * The orders that the schedule of contracts looks at: what differs from it ahead, what is open, the last one placed; and those asked for by
 * id. In the order of their ids.
 */
export async function ordersThatMatter(
  trx: Kysely<Tables>,
  storeId: number,
  contracts: readonly Pick<ContractRow, 'id' | 'next_cycle'>[],
  orderIds: readonly number[] = [],
): Promise<OrderRow[]> {
  const { rows } = await prepared(sql<OrderRow>`
    select o.* from unnest(${contracts.map(contract => contract.id)}::bigint[],
      ${contracts.map(contract => contract.next_cycle)}::integer[]) as c(id, next_cycle) cross join lateral (
      select * from orders where store_id = ${storeId}::integer and contract_id = c.id
        and (cycle >= c.next_cycle - 1 or status = 'PROCESSING' or next_retry_at is not null or id = any(${orderIds}::bigint[]))) o
    order by o.id`).execute(trx);
  return rows;
}

/**
 * Reads contracts by id and locks them, in the order of their ids so that two workers never wait for each other.
 * `orderIds` are read besides the open orders (an old failed order that is charged by hand).
 */
export async function loadAggregates(
  trx: Kysely<Tables>,
  storeId: number,
  ids: readonly number[],
  options: { lock: boolean; orderIds?: readonly number[] },
): Promise<Aggregate[]> {
  if (ids.length === 0) return [];
  const lock = options.lock ? sql`for update` : sql``;
  const contracts = (
    await prepared(
      sql<ContractRow>`select * from contracts where store_id = ${storeId}::integer and id = any(${ids}::bigint[]) order by id ${lock}`,
    ).execute(trx)
  ).rows;
  if (contracts.length === 0) return [];
  const among = contracts.map(contract => contract.id);
  const customers = [...new Set(contracts.map(contract => contract.customer_id))];
  // The contracts are locked by now; the rest travels together.
  const [lines, discounts, orders, methods] = await Promise.all([
    prepared(
      sql<LineRow>`select * from contract_lines where store_id = ${storeId}::integer and contract_id = any(${among}::bigint[])
        order by contract_id, position, id`,
    ).execute(trx),
    prepared(
      sql<DiscountRow>`select * from contract_discounts where store_id = ${storeId}::integer and contract_id = any(${among}::bigint[])
        order by contract_id, id`,
    ).execute(trx),
    ordersThatMatter(trx, storeId, contracts, options.orderIds),
    prepared(
      sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer and customer_id = any(${customers}::bigint[])
        order by id`,
    ).execute(trx),
  ]);
  const linesOf = group(lines.rows, row => row.contract_id);
  const discountsOf = group(discounts.rows, row => row.contract_id);
  const ordersOf = group(orders, row => row.contract_id);
  const methodsOf = group(methods.rows, row => row.customer_id);
  return contracts.map(contract =>
    aggregateOf({
      contract,
      lines: linesOf.get(contract.id) ?? [],
      discounts: discountsOf.get(contract.id) ?? [],
      orders: ordersOf.get(contract.id) ?? [],
      methods: methodsOf.get(contract.customer_id) ?? [],
    }),
  );
}

/** The id of a contract's order: a cycle can never have two. */
export const orderIdOf = (contractId: number, cycle: number): number => contractId * 10_000 + cycle;
/** Cycles of one contract end here; no subscription gets as far. */
export const LAST_CYCLE = 9_999;

/** Placed and not settled: being charged, in recovery, or waiting for stock. */
export const isOpen = (order: OrderRow): boolean => order.status === 'PROCESSING' || order.next_retry_at !== null;
export const orderById = (subscription: Aggregate, id: number): OrderRow | undefined => subscription.orders.find(order => order.id === id);

/** Whether another product takes the place of this one in one order. */
export const isSwappedOnce = (line: LineRow, lines: readonly LineRow[]): boolean =>
  !line.one_time_added &&
  line.one_time_removed_cycle !== null &&
  lines.some(other => other.one_time_added && other.position === line.position && other.one_time_cycle === line.one_time_removed_cycle);

/** An instant, and the zone whose calendar says which month it is in: a card is good until the last day of its month ends in the store. */
export interface Moment {
  at: Date;
  zone: string;
}
export const momentOf = (context: { now(): Date; store: Pick<EngineContext['store'], 'timezone'> }): Moment => ({
  at: context.now(),
  zone: context.store.timezone,
});

/** Whether a payment method can be charged at a moment: not revoked, its agreement alive, its card not expired. */
export function isUsable(method: MethodRow, moment: Moment): boolean {
  const status = methodStatus(method, moment);
  return status !== 'EXPIRED' && status !== 'REVOKED';
}
export function methodStatus(method: MethodRow, { at, zone }: Moment): 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED' {
  if (method.revoked_at || method.inactive) return 'REVOKED';
  if (!method.expiry_year || !method.expiry_month) return 'ACTIVE';
  const { year, month } = dayOf(at.getTime(), zone);
  const months = (method.expiry_year - year) * 12 + method.expiry_month - month;
  return months < 0 ? 'EXPIRED' : months <= 1 ? 'EXPIRING' : 'ACTIVE';
}
export const methodById = (subscription: Aggregate, id: number | null): MethodRow | undefined =>
  id === null ? undefined : subscription.methods.find(method => method.id === id);
/** The primary payment method when it can be charged. */
export function usableMethod(subscription: Aggregate, moment: Moment): MethodRow | undefined {
  const method = methodById(subscription, subscription.contract.payment_method_id);
  return method && isUsable(method, moment) ? method : undefined;
}

/** A row as the plan it once was. */
export const plannedFrom = (order: OrderRow) => ({
  cycle: order.cycle,
  orderNumber: order.order_number,
  billingAt: order.billing_at.getTime(),
  deliveryAt: order.delivery_at.getTime(),
  isPrepaidDelivery: order.is_prepaid_delivery,
});
