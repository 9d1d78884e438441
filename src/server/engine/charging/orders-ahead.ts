// The orders of the next days, as the engine will place them: counted in SQL where nothing but the
// interval decides, else by the engine's own rule.
import { DateTime } from 'luxon';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isoDay } from '../../../domain/calendar/calendar.ts';
import { addDays } from '../../../domain/calendar/plain-days.ts';
import { timeZone } from '../../../domain/calendar/time-zone.ts';
import { plannedOrders } from '../../../domain/schedule/schedule.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { group, LAST_CYCLE, loadAggregates, ordersThatMatter } from '../aggregate.ts';
import type { ContractRow } from '../rows.ts';
import { scheduleOf } from '../schedule.ts';
import type { EngineSettings } from '../settings.ts';
import { pricedAhead } from './next-charge.ts';

type Trx = Kysely<Tables>;
const BATCH = 1000;
/** Between two orders of a subscription by the month or year lie at least so many days, also when a weekday moves the first of them. */
const MIN_BY_MONTH = 21;

export interface Ahead {
  date: string;
  count: number;
  value: number;
}
/** What the orders of a day hold of a variant; 0 for lines whose variant is gone. */
export interface UnitsAhead {
  date: string;
  variantId: number;
  quantity: number;
}

/** One order of the days ahead, with what it brings in minor units of the store's currency, or the pieces that it holds of a variant. */
export interface OrderAhead {
  date: string;
  contractId: number;
  value: number;
}

/** What SQL counts of a day, for one order where they are listed; or a subscription that the engine plans. */
interface FromSql {
  what: 'DAY' | 'UNITS' | 'ENGINE' | 'PRICED';
  contract: number | null;
  variant: number | null;
  day: string;
  currency: string;
  each: number;
  n: number;
  amount: number;
}

const step = sql`case c.delivery_interval when 'DAY' then make_interval(days => c.delivery_interval_count)
    when 'WEEK' then make_interval(weeks => c.delivery_interval_count)
  when 'MONTH' then make_interval(months => c.delivery_interval_count) else make_interval(years => c.delivery_interval_count) end`;
/** The day of the store on which a cycle is charged when nothing but the interval decides. */
const dayOfCycle = (zone: string, cycle: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`((c.base_at at time zone ${zone}::text) + (${cycle} - c.base_cycle) * ${step} - make_interval(days => case c.schedule_type
      when 'DELIVERY' then c.charge_offset_days else 0 end))::date`;
/** Nothing ahead was skipped or moved. */
const isUntouched = sql`not exists (select from orders o where o.store_id = c.store_id and o.id between c.id * 10000 + c.next_cycle
    and c.id * 10000 + ${LAST_CYCLE}::integer)`;

/**
 * Something is in one order only or left out of one, or a discount ends before the orders of these days do: what they are charged differs.
 */
const isPricedApart = (
  days: number,
): RawBuilder<unknown> => sql`(exists (select from contract_lines l where l.store_id = c.store_id and l.contract_id = c.id
    and (l.one_time_added or l.one_time_removed_cycle is not null))
  or (c.has_discount and exists (select from contract_discounts d where d.store_id = c.store_id and d.contract_id = c.id
    and d.order_limit <= case c.delivery_interval when 'DAY' then ${days}::integer / c.delivery_interval_count
      when 'WEEK' then ${days}::integer / (7 * c.delivery_interval_count) else ${days}::integer / 21 end)))`;

/**
 * PRICED: orders of different amounts. INTERVAL: each date follows from the interval, and each is charged. ONCE: a second order can't come
 * before the end. ENGINE: everything else.
 */
const kindOf = (zone: string, now: Date, until: Date, days: number): RawBuilder<unknown> => sql`case
  when ${isPricedApart(days)} then 'PRICED'
  when c.next_billing_at < ${now} or c.is_prepaid or not ${isUntouched} then 'ENGINE'
  when c.base_at is not null and c.anchor_type is null and cardinality(c.billing_days) = 0 and not c.is_marked_for_cancellation
      and c.max_cycles is null
    and ${dayOfCycle(zone, sql`c.next_cycle`)} = (c.next_billing_at at time zone ${zone}::text)::date then 'INTERVAL'
  when c.delivery_interval in ('MONTH', 'YEAR')
      and c.next_billing_at >= ${until}::timestamptz - make_interval(days => ${MIN_BY_MONTH}::integer) then 'ONCE'
  else 'ENGINE' end`;

/**
 * Orders of active subscriptions on each of the next `days` days of the store, today's included. A subscription that is charged
 * more often than that stands on each of its days; what was skipped is left out, what was moved stands where it was moved to, and
 * what is overdue counts for today. A delivery that is paid for already is an order worth nothing, but for what was added to it.
 * Amounts are minor units of the store's currency. `withUnits`: also how many pieces of which variant go out with them, prepaid deliveries
 * among them. `list`: also the orders one by one, which add up to them: what each is worth, or those that hold a variant (0: one that is
 * gone). `narrow`: a condition on subscriptions `c`.
 */
export async function ordersAhead(
  trx: Trx,
  store: Pick<Store, 'id' | 'timezone' | 'currency_code' | 'details'>,
  now: Date,
  days: number,
  {
    prepaidShippingCharge = 'UPFRONT_ALL',
    withUnits = false,
    list,
    narrow = sql`true`,
  }: Partial<Pick<EngineSettings, 'prepaidShippingCharge'>> & {
    withUnits?: boolean;
    list?: 'value' | { variantId: number };
    narrow?: RawBuilder<unknown>;
  } = {},
): Promise<{ days: Ahead[]; units: UnitsAhead[]; orders: OrderAhead[] }> {
  const zone = store.timezone;
  const today = isoDay(now.getTime(), zone);
  const end = addDays(today, days);
  const until = DateTime.fromISO(end, { zone: timeZone(zone) }).toJSDate();
  const sums = new Map<string, Ahead>();
  const orders: OrderAhead[] = [];
  const add = (date: string, count: number, value: number, contract: number | null): void => {
    const day = sums.get(date) ?? { date, count: 0, value: 0 };
    sums.set(date, { date, count: day.count + count, value: day.value + value });
    if (list === 'value' && contract !== null) orders.push({ date, contractId: Number(contract), value });
  };
  const units = new Map<string, UnitsAhead>();
  const hold = (date: string, variant: number | null, quantity: number, contract: number | null): void => {
    const variantId = Number(variant ?? 0);
    if (ofVariant === variantId && contract !== null) orders.push({ date, contractId: Number(contract), value: quantity });
    const key = `${date} ${variantId}`;
    const held = units.get(key) ?? { date, variantId, quantity: 0 };
    units.set(key, { ...held, quantity: held.quantity + quantity });
  };
  const ofVariant = typeof list === 'object' ? list.variantId : undefined;
  const needsLines = withUnits || ofVariant !== undefined;
  const due = sql`
    select c.id, c.currency_code, c.total, c.base_at, c.base_cycle, c.next_cycle, c.next_billing_at, c.delivery_interval,
      c.delivery_interval_count, c.schedule_type, c.charge_offset_days,
      ${kindOf(zone, now, until, days)} as kind
    from contracts c where c.store_id = ${store.id}::integer and c.status = 'ACTIVE' and c.next_billing_at < ${until}
      and ${narrow}`;
  /** Orders whose day SQL knows, as "c" and "on_day". */
  const onDays = sql`c cross join lateral (
      select (c.next_billing_at at time zone ${zone}::text)::date as day where c.kind = 'ONCE'
      union all select ${dayOfCycle(zone, sql`(c.next_cycle + k)`)} from generate_series(0, case c.delivery_interval
        when 'DAY' then ${days}::integer / c.delivery_interval_count when 'WEEK' then ${days}::integer / (7 * c.delivery_interval_count)
          else ${days}::integer / 28 end) k where c.kind = 'INTERVAL'
    ) on_day`;
  const isAhead = sql`on_day.day < ${end}::date`;
  const dayIn = sql`to_char(on_day.day, 'YYYY-MM-DD')`;
  const ofOne = (isListed: boolean): RawBuilder<unknown> => (isListed ? sql`c.id` : sql`null::bigint`);
  // Other currencies are converted order by order, so that orders add up to the sum.
  const each = sql`case when c.currency_code = ${store.currency_code}::text then 0 else c.total end`;
  const { rows } = await sql<FromSql>`
    with c as materialized (${due})
    select 'DAY' as what, ${ofOne(list === 'value')} as contract, null::bigint as variant, ${dayIn} as day, c.currency_code as currency,
        ${each} as each, count(*) as n, sum(c.total)::bigint as amount
      from ${onDays} where ${isAhead} group by 2, 4, 5, 6
    union all select c.kind, c.id, null, '', '', 0, 0, 0 from c where c.kind in ('ENGINE', 'PRICED')
    ${
      needsLines
        ? sql`union all select 'UNITS', ${ofOne(ofVariant !== undefined)}, l.variant_id, ${dayIn}, '', 0, sum(l.quantity)::bigint, 0
      from ${onDays} join contract_lines l on l.store_id = ${store.id}::integer and l.contract_id = c.id
      where ${isAhead} and ${ofVariant === undefined ? sql`true` : sql`coalesce(l.variant_id, 0) = ${ofVariant}::bigint`} group by 2, 3, 4`
        : sql``
    }`.execute(trx);
  for (const { what, contract, variant, day, currency, each: one, ...row } of rows) {
    const [n, amount] = [Number(row.n), Number(row.amount)];
    const value = currency === store.currency_code ? amount : n * inStoreCurrency(store, Number(one), currency);
    if (what === 'DAY') add(day, n, value, contract);
    else if (what === 'UNITS') hold(day, variant, n, contract);
  }
  const ofKind = (kind: string): number[] =>
    rows.flatMap(({ what, contract }) => (what === kind ? Number(contract) : [])).sort((a, b) => a - b);
  const [rest, apart] = [ofKind('ENGINE'), ofKind('PRICED')];
  for (let i = 0; i < rest.length; i += BATCH) {
    const ids = rest.slice(i, i + BATCH);
    const contracts = (
      await sql<ContractRow>`select * from contracts where store_id = ${store.id}::integer and id = any(${ids}::bigint[])`.execute(trx)
    ).rows;
    const placed = group(await ordersThatMatter(trx, store.id, contracts), order => order.contract_id);
    const linesHeld = needsLines ? group(await linesOf(trx, store.id, ids), line => line.contract_id) : undefined;
    for (const contract of contracts) {
      const schedule = scheduleOf({ contract, orders: placed.get(contract.id) ?? [] }, zone);
      for (const planned of schedule ? plannedOrders(schedule) : []) {
        const day = isoDay(planned.billingAt, zone);
        if (day >= end || planned.cycle > LAST_CYCLE) break;
        if (planned.status !== 'SCHEDULED') continue;
        const on = day < today ? today : day;
        add(on, 1, planned.isPrepaidDelivery ? 0 : inStoreCurrency(store, contract.total, contract.currency_code), contract.id);
        for (const line of linesHeld?.get(contract.id) ?? []) hold(on, line.variant_id, line.quantity, contract.id);
      }
    }
  }
  for (let i = 0; i < apart.length; i += BATCH) {
    for (const subscription of await loadAggregates(trx, store.id, apart.slice(i, i + BATCH), { lock: false })) {
      const schedule = scheduleOf(subscription, zone);
      for (const { planned, priced } of schedule ? pricedAhead(subscription, plannedOrders(schedule), prepaidShippingCharge) : []) {
        const day = isoDay(planned.billingAt, zone);
        if (day >= end || planned.cycle > LAST_CYCLE) break;
        if (planned.status !== 'SCHEDULED') continue;
        const on = day < today ? today : day;
        const { id, currency_code: currency } = subscription.contract;
        add(on, 1, inStoreCurrency(store, priced.total, currency), id);
        for (const line of needsLines ? priced.lines : []) hold(on, line.variantId, line.quantity, id);
      }
    }
  }
  const byDate = (a: { date: string }, b: { date: string }): number => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0);
  return { days: [...sums.values()].sort(byDate), units: [...units.values()], orders: orders.sort(byDate) };
}

/** Lines of subscriptions of which none is in one order only. */
async function linesOf(
  trx: Trx,
  storeId: number,
  ids: readonly number[],
): Promise<{ contract_id: number; variant_id: number | null; quantity: number }[]> {
  return trx
    .selectFrom('contract_lines')
    .select(['contract_id', 'variant_id', 'quantity'])
    .where('store_id', '=', storeId)
    .where('contract_id', 'in', [...ids])
    .execute();
}
