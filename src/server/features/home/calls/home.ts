// The figures of the home page: where the store stands, what a period brought, the orders of the next days, what needs attention first.
import { inZone } from '../../../../domain/calendar/calendar.ts';
import { accessOf } from '../../../../contract/access.ts';
import { changePercent } from '../../../../domain/money/metrics.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import { addDays, eachDay, type Compared } from '../../../../domain/calendar/plain-days.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { unresolvedAlerts } from '../../alerts/raise.ts';
import type { Context } from '../../../platform/context.ts';
import { engineOf, ordersAhead, readSettings } from '../../../engine/index.ts';
import { beforeOf, checkPeriods } from '../../../platform/records/store-days.ts';
import { earned, movement as moved, recurringRevenue, standing } from '../figures.ts';

const WEEK = 7;
const MONTH = 30;

const money = (context: Context, minor: number): string => toDecimal(minor, context.store.currency_code);

/** Subscriptions, subscribers, monthly recurring revenue, and running retries for people who may look at payment recovery; as of now. */
export async function overview(context: Context): Promise<JsonValue> {
  const { trx, store, session } = context;
  const { inRecovery, ...now } = await standing(trx, store);
  return {
    ...now,
    ...(accessOf(session).can('dunningAnalytics', 'READ')
      ? { inRecovery: { count: inRecovery.count, value: money(context, inRecovery.value) } }
      : {}),
    mrr: money(context, await recurringRevenue(context)),
    currencyCode: store.currency_code,
    updatedAt: context.now().toISOString(),
  };
}

const figure = (current: number, previous: number, write: (value: number) => JsonValue = value => value): JsonObject => ({
  value: write(current),
  previous: write(previous),
  changePercent: changePercent(current, previous),
});

/** Revenue and orders of a period beside another one, and revenue by day for a chart. Days are the store's, both ends included. */
export async function revenue(context: Context, input: Compared): Promise<JsonValue> {
  const { trx, store } = context;
  checkPeriods(input);
  const [now, then] = [await earned(trx, store, input), await earned(trx, store, beforeOf(input))];
  const amount = (value: number): string => money(context, value);
  const average = ({ orders, checkout, recurring }: typeof now): number => (orders ? Math.round((checkout + recurring) / orders) : 0);
  return {
    currencyCode: store.currency_code,
    revenue: figure(now.checkout + now.recurring, then.checkout + then.recurring, amount),
    recurring: figure(now.recurring, then.recurring, amount),
    checkout: figure(now.checkout, then.checkout, amount),
    orders: figure(now.orders, then.orders),
    averageOrder: figure(average(now), average(then), amount),
    byDay: eachDay(input).map((date, i) => ({
      date,
      value: amount(now.byDay.get(date) ?? 0),
      previous: amount(then.byDay.get(addDays(input.comparisonStartDate, i)) ?? 0),
    })),
  };
}

/** New and cancelled subscriptions of a period beside another one, and the rate of churn. */
export async function movement(context: Context, input: Compared): Promise<JsonValue> {
  checkPeriods(input);
  const [now, then] = [await moved(context, input), await moved(context, beforeOf(input))];
  const [churn, churnThen] = [now.churnRate, then.churnRate];
  return {
    begun: figure(now.begun, then.begun),
    cancelled: figure(now.cancelled, then.cancelled),
    churnRate: {
      value: churn,
      previous: churnThen,
      changePercent: churn === null || churnThen === null ? null : changePercent(churn, churnThen),
    },
  };
}

/** The next seven days one by one, and what the next thirty are worth. */
export async function upcoming(context: Context): Promise<JsonValue> {
  const { trx, store } = context;
  const { prepaidShippingCharge } = await readSettings(engineOf(context));
  const { days } = await ordersAhead(trx, store, context.now(), MONTH, { prepaidShippingCharge });
  const today = inZone(context.now().getTime(), store.timezone).toFormat('yyyy-MM-dd');
  const by = new Map(days.map(day => [day.date, day]));
  const week = Array.from({ length: WEEK }, (_, i) => by.get(addDays(today, i)) ?? { date: addDays(today, i), count: 0, value: 0 });
  const sum = (list: readonly { count: number; value: number }[]): JsonObject => ({
    count: list.reduce((n, day) => n + day.count, 0),
    value: money(
      context,
      list.reduce((n, day) => n + day.value, 0),
    ),
  });
  return {
    currencyCode: store.currency_code,
    days: week.map(day => ({ ...day, value: money(context, day.value) })),
    week: sum(week),
    month: sum(days),
  };
}

/** The three open alerts that weigh most, in the order of the alert center. */
export async function alerts({ trx, storeId }: Context): Promise<JsonValue> {
  const open = await unresolvedAlerts(trx, storeId);
  return {
    total: open.length,
    alerts: open.slice(0, 3).map(row => ({
      id: row.id,
      title: row.title,
      summary: row.summary,
      category: row.category,
      severity: row.severity,
      affectedCount: row.affected_count,
      createdAt: row.created_at.toISOString(),
    })),
  };
}
