// What customers hear ahead of a payment: that their card is about to expire, and that an order is coming. Once each, whatever happens.
import { sql } from 'kysely';
import { dayNumber, dayOf, daysInMonth, inZone } from '../../../domain/calendar/calendar.ts';
import { methodById, type Aggregate } from '../aggregate.ts';
import { PREFERENCES } from '../../platform/mail/letterhead.ts';
import type { EngineContext } from '../context.ts';
import { USUAL_ORDER_DAYS } from '../settings.ts';
import { mailCardExpiring, mailUpcomingOrder, type FlowText } from '../mails.ts';
import { giftsOf } from '../gifts/gift.ts';
import { mailGiftOrder } from '../gifts/gift-mails.ts';
import { keepGiftTimes, nextGiftTime } from '../gifts/gift-times.ts';
import type { GiftRow, MethodRow } from '../rows.ts';
import { linesOfOrder, priceOrder } from '../price.ts';
import { nextPlanned, openCharges } from '../schedule.ts';
import { epoch } from '../status.ts';
import { isLive } from './stock.ts';
import type { Clock } from './due.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { productsOfOrder } from '../products-read.ts';

/** Days before the last day of the month of expiry. */
export const CARD_DAYS = [30, 15, 3] as const;
/** The hour of the store's day at which reminders go out. */
const HOUR = 9;
const HOUR_MS = 3_600_000;

interface CardMark {
  year: number;
  month: number;
  days: number;
  at: Date;
}

/** The dates around an instant at which cards of a month are reminded of; the first of each month is the earliest. */
function cardMarks(around: Date, zone: string): CardMark[] {
  const local = inZone(around.getTime(), zone);
  return [0, 1, 2].flatMap(ahead => {
    const first = local.startOf('month').plus({ months: ahead });
    const last = first.set({ day: daysInMonth(first.year, first.month) });
    return CARD_DAYS.map(days => ({ year: first.year, month: first.month, days, at: last.minus({ days }).set({ hour: HOUR }).toJSDate() }));
  });
}

/**
 * Of each month whose cards have not expired yet, the reminder that is the latest due: after a long silence they don't all come at
 * once.
 */
function cardsDue(now: Date, zone: string): CardMark[] {
  const local = inZone(now.getTime(), zone);
  const due = cardMarks(now, zone).filter(mark => mark.at <= now && (mark.year > local.year || mark.month >= local.month));
  return due.filter(mark => !due.some(other => other.year === mark.year && other.month === mark.month && other.days < mark.days));
}

interface Claimed {
  id: number;
  subject: string;
  at: Date;
  known_since: Date;
  method_id: number | null;
}

const localDay = (zone: string) => sql`to_char(c.next_billing_at at time zone ${zone}::text, 'YYYY-MM-DD')`;
/** Days before an order on which it is announced: to customers, and to recipients of gifts. */
interface OrderDays {
  usual: number;
  gifts: number;
}
const orderMark = (zone: string, { usual, gifts }: OrderDays) =>
  sql`(((c.next_billing_at at time zone ${zone}::text)::date - case when c.source = 'GIFT' then ${gifts}::integer
      else ${usual}::integer end)::timestamp + make_interval(hours => ${HOUR}::integer)) at time zone ${zone}::text`;
const notYet = (kind: string, subject: ReturnType<typeof sql>) =>
  sql`not exists (select 1 from reminders r where r.store_id = c.store_id and r.contract_id = c.id and r.kind = ${kind}::text
      and r.subject = ${subject})`;

/** Days before an order on which the store wants it announced. */
const orderDays = async (context: EngineContext): Promise<OrderDays> => ({
  usual: Number((await context.setting(PREFERENCES)).upcomingOrderDaysBefore ?? USUAL_ORDER_DAYS),
  gifts: Number((await context.setting('gift-preferences')).upcomingOrderDaysBefore ?? USUAL_ORDER_DAYS),
});

async function ordersToAnnounce(context: EngineContext, now: Date, limit: number): Promise<Claimed[]> {
  const { trx, storeId, store } = context;
  const zone = store.timezone;
  const days = await orderDays(context);
  const { rows } = await sql<Claimed>`
    select c.id, ${localDay(zone)} as subject, ${orderMark(zone, days)} as at, c.created_at as known_since, null::bigint as method_id
      from contracts c
    where c.store_id = ${storeId}::integer and c.status = 'ACTIVE' and c.next_billing_at > ${now}
      and c.next_billing_at < ((${now}::timestamptz at time zone ${zone}::text - make_interval(hours => ${HOUR}::integer))::date +
        ${Math.max(days.usual, days.gifts) + 1}::integer)::timestamp at time zone ${zone}::text
      and ${orderMark(zone, days)} <= ${now}
      and ${notYet('UPCOMING_ORDER', localDay(zone))}
    order by c.next_billing_at, c.id limit ${limit} for update of c skip locked`.execute(trx);
  return rows;
}

async function cardsToAnnounce({ trx, storeId }: EngineContext, marks: readonly CardMark[], limit: number): Promise<Claimed[]> {
  if (marks.length === 0) return [];
  const subject = sql`m.id::text || ':' || k.year::text || '-' || lpad(k.month::text, 2, '0') || ':' || k.days::text`;
  const { rows } = await sql<Claimed>`
    select c.id, ${subject} as subject, greatest(c.created_at, m.created_at) as known_since, m.id as method_id, k.at
    from unnest(${marks.map(mark => mark.year)}::integer[], ${marks.map(mark => mark.month)}::integer[],
      ${marks.map(mark => mark.days)}::integer[], ${marks.map(mark => mark.at)}::timestamptz[]) as k(year, month, days, at)
    join payment_methods m on m.store_id = ${storeId}::integer and m.expiry_year = k.year and m.expiry_month = k.month
      and m.revoked_at is null and not m.inactive
    join contracts c on c.store_id = m.store_id and c.payment_method_id = m.id and c.status = 'ACTIVE'
      and ${notYet('CARD_EXPIRING', subject)}
    order by c.id limit ${limit} for update of c skip locked`.execute(trx);
  return rows;
}

/**
 * Sends the reminders that are due at the store's clock, at most `limit` of each kind, and answers how many it found and whether there may
 * be more. A reminder is written down in the
 * transaction that puts its e-mail into the outbox, so that no restart and no second worker sends it again. Contracts that came after the
 * date of a reminder
 * (a new subscription, a card just entered) has heard of it otherwise and gets none. DUE dates a reminder by its own instant when time runs
 * fast.
 */
export async function sendReminders(
  context: EngineContext,
  limit: number,
  clock: Clock = 'NOW',
): Promise<{ claimed: number; more: boolean }> {
  const now = context.now();
  const orders = await ordersToAnnounce(context, now, limit);
  const cards = await cardsToAnnounce(context, cardsDue(now, context.store.timezone), limit);
  const gifts = await keepGiftTimes(context, limit, clock);
  const claimed = orders.length + cards.length + gifts;
  if (orders.length + cards.length === 0) return { claimed, more: gifts >= limit };
  const work = await UnitOfWork.open(context);
  const wanted = [...new Set([...orders, ...cards].map(one => one.id))].sort((a, b) => a - b);
  const byId = new Map((await work.load(wanted)).map(subscription => [subscription.contract.id, subscription]));
  const given = await giftsOf(context, [...byId.values()]);
  const rewards = await rewardTexts(
    context,
    orders.map(one => one.id),
  );
  await work.loadVariants(orders.flatMap(one => byId.get(one.id) ?? []));
  for (const [kind, list] of [
    ['UPCOMING_ORDER', orders],
    ['CARD_EXPIRING', cards],
  ] as const) {
    const written = await writeDown(context, kind, list);
    for (const one of list) {
      const subscription = byId.get(one.id);
      if (!written.has(`${one.id} ${one.subject}`) || !subscription || !isNew(one)) continue;
      work.at = clock === 'DUE' && one.at <= now && now.getTime() - one.at.getTime() <= HOUR_MS ? one.at : now;
      if (kind === 'UPCOMING_ORDER') announceOrder(work, subscription, one.subject, rewards.get(one.id) ?? [], given.get(one.id));
      else announceCard(work, subscription, methodById(subscription, one.method_id));
    }
  }
  await work.flush();
  return { claimed, more: orders.length >= limit || cards.length >= limit || gifts >= limit };
}

/** A contract that came after the date of a reminder needs none. */
const isNew = (one: Claimed): boolean => one.known_since < one.at;

/** Writes reminders down in one statement; answers those that did not stand already, as contract and subject. */
async function writeDown({ trx, storeId, now }: EngineContext, kind: string, list: readonly Claimed[]): Promise<Set<string>> {
  if (list.length === 0) return new Set();
  const { rows } = await sql<{ contract_id: number; subject: string }>`
    insert into reminders (store_id, contract_id, kind, subject, sent, created_at)
    select ${storeId}::integer, k.id, ${kind}::text, k.subject, k.sent, ${now()}::timestamptz
    from unnest(${list.map(one => one.id)}::bigint[], ${list.map(one => one.subject)}::text[], ${list.map(isNew)}::boolean[]) as k(id,
      subject, sent)
    on conflict do nothing returning contract_id, subject`.execute(trx);
  return new Set(rows.map(row => `${row.contract_id} ${row.subject}`));
}

/** What flows that ran since the latest order say of the next one: contract -> a sentence of each flow, in the order in which they ran. */
async function rewardTexts({ trx, storeId }: EngineContext, ids: readonly number[]): Promise<Map<number, FlowText[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; texts: { flowId: number; text: string }[] }>`
    select f.contract_id as id, jsonb_agg(jsonb_build_object('flowId', f.flow_id, 'text', f.said) order by f.id) as texts from (
      select distinct on (f.contract_id, f.flow_id) f.id, f.flow_id, f.contract_id,
        r.data -> 'rewardNotification' ->> 'upcomingOrderEmailText' as said
      from flow_runs f join records r on r.store_id = f.store_id and r.entity = 'flow' and r.id = f.flow_id and r.deleted_at is null
      where f.store_id = ${storeId}::integer and f.contract_id = any(${[...ids]}::bigint[]) and f.status in ('SUCCESS', 'PARTIAL')
        and coalesce(r.data -> 'rewardNotification' ->> 'upcomingOrderEmailText', '') <> ''
        and f.started_at >= coalesce((select max(o.processed_at) from orders o where o.store_id = f.store_id
          and o.contract_id = f.contract_id and o.status = 'PAID'), '-infinity')
      order by f.contract_id, f.flow_id, f.id) f
    group by 1`.execute(trx);
  const key = 'rewardNotification.upcomingOrderEmailText';
  return new Map(rows.map(({ id, texts }) => [id, texts.map(one => ({ ...one, key }) as const)]));
}

/** To the customer who pays for it; of a gift, to the recipient. `day` is the order's. */
function announceOrder(
  work: UnitOfWork,
  subscription: Aggregate,
  day: string,
  rewards: readonly FlowText[],
  gift: GiftRow | undefined,
): void {
  const planned = nextPlanned(subscription, work.zone);
  if (!planned) return;
  const { contract } = subscription;
  // As it will be placed: with what is added or left out once, at the price of its number, without what is not sold any more.
  const order = priceOrder(contract, subscription.discounts, {
    lines: linesOfOrder(subscription.lines, planned.cycle).filter(line => isLive(work, line)),
    orderNumber: planned.orderNumber,
    isPrepaidDelivery: planned.isPrepaidDelivery,
    ordersAhead: openCharges(subscription),
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  });
  if (order.lines.length === 0) return;
  const date = new Date(planned.billingAt);
  if (gift) {
    // A recipient who has not heard of the gift yet hears of it first.
    if (gift.received_at === null) return;
    work.note(subscription, 'gift_order_announced', { orderNumber: planned.cycle, dateEpoch: epoch(date) });
    mailGiftOrder(work, subscription, gift, { date, day, products: say => productsOfOrder(contract, order.lines, say.named) });
    return;
  }
  work.note(subscription, 'order_announced', {
    orderNumber: planned.orderNumber,
    dateEpoch: epoch(date),
    ...(planned.isPrepaidDelivery ? { isPrepaidDelivery: true } : {}),
  });
  mailUpcomingOrder(work, subscription, planned, order, rewards);
}

function announceCard(work: UnitOfWork, subscription: Aggregate, method: MethodRow | undefined): void {
  if (!method?.expiry_month || !method.expiry_year) return;
  const [year, month] = [method.expiry_year, method.expiry_month];
  const days = dayNumber({ year, month, day: daysInMonth(year, month) }) - dayNumber(dayOf(work.at.getTime(), work.zone));
  work.note(subscription, 'payment_card_expiring', {
    paymentMethodId: method.id,
    brand: method.brand,
    lastDigits: method.last_digits,
    expiryMonth: method.expiry_month,
    expiryYear: method.expiry_year,
    days,
  });
  mailCardExpiring(work, subscription, method, days);
}

/**
 * When the next reminder is due after an instant, up to `until`; null when none is. The dates of cards count whether or not a card expires
 * then.
 */
export async function nextReminderAt(context: EngineContext, after: Date, until: Date): Promise<Date | null> {
  const { trx, storeId, store } = context;
  const { rows } = await sql<{ at: Date }>`
    select ${orderMark(store.timezone, await orderDays(context))} as at from contracts c
    where c.store_id = ${storeId}::integer and c.status = 'ACTIVE' and c.next_billing_at > ${after}
      and ${notYet('UPCOMING_ORDER', localDay(store.timezone))}
    order by c.next_billing_at limit 1`.execute(trx);
  const cards = cardMarks(after, store.timezone)
    .map(mark => mark.at.getTime())
    .filter(at => at > after.getTime());
  const gift = await nextGiftTime(context);
  const others = [...rows.map(row => row.at), ...(gift ? [gift] : [])];
  const at = Math.min(...cards, ...others.map(one => Math.max(one.getTime(), after.getTime())));
  return at <= until.getTime() ? new Date(at) : null;
}
