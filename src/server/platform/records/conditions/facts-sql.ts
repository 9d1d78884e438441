// How the database knows each fact that conditions ask of a subscription: an expression over the row `r` of contracts. What a contract
// does not hold itself is looked up by an index for that one contract.
import { sql, type RawBuilder } from 'kysely';
import { ATTRIBUTE, CONDITION_FACTS, type ConditionFact, type FactKind } from '../../../../domain/conditions/facts.ts';
import type { ComparableAmount } from '../list/currency-comparison.ts';
import { nameKeySql } from '../name-key.ts';

/** What facts depend on besides the contract. */
export interface FactScope {
  storeId: number;
  /** The store's clock. */
  now: Date;
  /** The store's currency first: what amounts are worth (`comparableAmountsOf`). */
  amounts: readonly ComparableAmount[];
  /** The order that an event tells of: facts about "the order" are of it, and orders paid after it don't count. */
  orderId?: number;
}

/** An amount of the contract's currency in minor units of the store's own. */
function inOwn(amount: RawBuilder<unknown>, { amounts }: FactScope): RawBuilder<unknown> {
  const [own, ...others] = amounts;
  if (!own || others.length === 0) return sql`(${amount})::bigint`;
  const cases = others.map(({ currency, unit }) => sql`when ${currency} then round((${amount}) * ${unit} / ${own.unit})`);
  return sql`(case r.currency_code ${sql.join(cases, sql` `)} else (${amount}) end)::bigint`;
}

const lookup = (expression: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select ${expression} ${from})`;
/** Tags as they are compared (`TAG_FACTS`). */
const keysOf = (tags: RawBuilder<unknown>): RawBuilder<unknown> => sql`array(select ${nameKeySql(sql`t`)} from unnest(${tags}) t)`;
/** Orders of the contract, as far as they have happened at the event. */
const until = ({ orderId }: FactScope): RawBuilder<unknown> => (orderId === undefined ? sql`` : sql` and o.id <= ${orderId}::bigint`);
const ordersOf = (scope: FactScope): RawBuilder<unknown> =>
  sql`from orders o where o.store_id = r.store_id and o.contract_id = r.id${until(scope)}`;
const customerOf = sql`from customers c where c.store_id = r.store_id and c.id = r.customer_id`;
const theirs = sql`from contracts k where k.store_id = r.store_id and k.customer_id = r.customer_id`;
const productsOf = sql`from products p where p.store_id = r.store_id and p.id = any(r.product_ids)`;
const failure = (column: string, scope: FactScope): RawBuilder<unknown> =>
  lookup(
    sql`o.${sql.raw(column)}`,
    sql`${ordersOf(scope)} and o.error_code is not null${scope.orderId === undefined ? sql`` : sql` and o.id = ${scope.orderId}::bigint`}
      order by o.cycle desc limit 1`,
  );
const theOrder = (expression: RawBuilder<unknown>, scope: FactScope): RawBuilder<unknown> =>
  scope.orderId === undefined
    ? lookup(expression, sql`${ordersOf(scope)} and o.status = 'PAID' order by o.cycle desc limit 1`)
    : lookup(expression, sql`from orders o where o.store_id = r.store_id and o.contract_id = r.id and o.id = ${scope.orderId}::bigint`);

const FACTS: Record<ConditionFact, (scope: FactScope) => RawBuilder<unknown>> = {
  status: () => sql`r.status`,
  completedOrders: ({ orderId }) =>
    orderId === undefined
      ? sql`r.completed_orders::bigint`
      : sql`(r.completed_orders - (select count(*) from orders o where o.store_id = r.store_id and o.contract_id = r.id
          and o.status = 'PAID' and o.id > ${orderId}::bigint))::bigint`,
  spent: scope => inOwn(sql`(select coalesce(sum(o.total - o.refunded), 0) ${ordersOf(scope)} and o.status = 'PAID')`, scope),
  nextOrderValue: scope => inOwn(sql`r.total`, scope),
  ageDays: ({ now }) => sql`greatest(0, floor(extract(epoch from ${now}::timestamptz - r.created_at) / 86400))::bigint`,
  frequency: () => sql`r.frequency`,
  paymentType: () => sql`(case when r.is_prepaid then 'PREPAID' else 'PAY_AS_YOU_GO' end)`,
  planGroupIds: () => sql`r.plan_group_ids`,
  tags: () => keysOf(sql`r.tags`),
  skips: scope => sql`(select count(*) ${ordersOf(scope)} and o.status = 'SKIPPED'
    and o.cycle > coalesce((select max(p.cycle) from orders p where p.store_id = r.store_id and p.contract_id = r.id
      and p.status = 'PAID'), 0))::bigint`,
  customerTags: () => keysOf(lookup(sql`c.tags`, customerOf)),
  customerOrders: () => sql`${lookup(sql`coalesce(sum(k.completed_orders), 0)`, theirs)}::bigint`,
  customerSpent: scope =>
    inOwn(
      sql`(select coalesce(sum(o.total - o.refunded), 0) from contracts k join orders o on o.store_id = k.store_id and o.contract_id = k.id
      and o.status = 'PAID' where k.store_id = r.store_id and k.customer_id = r.customer_id and k.currency_code = r.currency_code)`,
      scope,
    ),
  countryCode: () => sql`r.country_code`,
  provinceCode: () => sql`(r.shipping_address ->> 'provinceCode')`,
  deliveryType: () => sql`r.delivery_type`,
  source: () => sql`r.source`,
  productIds: () => sql`r.product_ids`,
  variantIds: () => sql`r.variant_ids`,
  collectionIds: () => sql`array(select distinct s.collection_id from collection_products s where s.store_id = r.store_id
    and s.product_id = any(r.product_ids))`,
  quantity: () => sql`(select coalesce(sum(l.quantity), 0) from contract_lines l where l.store_id = r.store_id and l.contract_id = r.id
    and not l.one_time_added)::bigint`,
  vendors: () => sql`array(select distinct p.vendor ${productsOf})`,
  productTypes: () => sql`array(select distinct p.product_type ${productsOf})`,
  productTags: () => sql`array(select distinct ${nameKeySql(sql`t`)} from products p, unnest(p.tags) t where p.store_id = r.store_id
    and p.id = any(r.product_ids))`,
  orderNumber: scope => sql`${theOrder(sql`o.order_number`, scope)}::bigint`,
  orderValue: scope => inOwn(theOrder(sql`o.total`, scope), scope),
  failureReason: scope => failure('error_category', scope),
  failureCode: scope => failure('error_code', scope),
  failureMessage: scope => failure('error_message', scope),
  retriesLeft: () => sql`(case when r.dunning ->> 'state' = 'IN_RECOVERY' then (r.dunning ->> 'retriesLeft')::bigint end)`,
  declineType: () => sql`(case (r.dunning ->> 'isHardDecline')::boolean when true then 'HARD' when false then 'SOFT' end)`,
};

/** The expression of a fact and what it holds. @throws Error for a name that the check refuses */
export function factSql(name: string, scope: FactScope): { sql: RawBuilder<unknown>; kind: FactKind } {
  if (name.startsWith(ATTRIBUTE)) {
    const key = name.slice(ATTRIBUTE.length);
    return {
      sql: sql`(select a ->> 'value' from jsonb_array_elements(r.custom_attributes) a where a ->> 'key' = ${key} limit 1)`,
      kind: 'text',
    };
  }
  if (!Object.hasOwn(FACTS, name)) throw new Error(`There is no fact "${name}".`);
  return { sql: FACTS[name as ConditionFact](scope), kind: CONDITION_FACTS[name as ConditionFact] };
}
