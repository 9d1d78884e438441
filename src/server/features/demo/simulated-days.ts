// What the customers of a demo store do on a day that its clock passes: they buy, cancel, pause, skip, and their cards fail and are
// renewed,
// at the rates of the past two years (history.ts). The same store and day bring the same; safe to repeat as its transaction is.
import { sql, type Kysely } from 'kysely';
import { dayOf, instant, type Day } from '../../../domain/calendar/calendar.ts';
import type { Tables } from '../../../generated/tables.ts';
import {
  type Aggregate,
  brief,
  cancel,
  dunningOf,
  type EngineContext,
  type MethodRow,
  performOne,
  oneIntervalAfter,
  pause,
  resume,
  skipOrder,
  tellMethodsUpdated,
  UnitOfWork,
} from '../../engine/index.ts';
import { cancelChance, COMMENTS, REASONS } from './history.ts';
import { random, type Random } from './random.ts';
import { liveWithGifts } from './simulated-gifts.ts';
import { buy } from './simulated-purchases.ts';

const DAY_MS = 86_400_000;

/** Marks a store whose customers go on by themselves when its clock is moved. */
export async function simulateCustomers(trx: Kysely<Tables>, storeId: number): Promise<void> {
  await sql`update stores set details = details || '{"hasSimulatedCustomers": true}' where id = ${storeId}::integer`.execute(trx);
}

/** The days (counted from 1970, in UTC) that end after `from` and not after `to`. */
export function daysBetween(from: Date, to: Date): number[] {
  const first = Math.floor(from.getTime() / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, Math.floor(to.getTime() / DAY_MS) - first + 1) }, (_, i) => first + i);
}

/**
 * Lets the customers of a store live through one day; everything but purchases happens at its end. Does nothing in a store whose customers
 * are real.
 */
export async function simulateDay(reached: EngineContext, day: number): Promise<void> {
  if ((reached.store.details as { hasSimulatedCustomers?: boolean } | null)?.hasSimulatedCustomers !== true) return;
  const given: EngineContext = { ...reached, now: () => new Date(day * DAY_MS) };
  const chance = random(given.storeId).fork(day);
  await restock(given);
  await renewRunOut(given, chance.fork('expired'));
  const context: EngineContext = { ...given, source: 'Customer portal' };
  const work = await UnitOfWork.open(context);
  const ids = await concerned(context);
  const aggregates = await work.load(ids);
  await work.loadVariants(aggregates);
  const cards: Card[] = [];
  for (const subscription of aggregates) await live(work, subscription, chance.fork(subscription.contract.id), cards);
  await work.flush();
  await writeCards(context, cards);
  await buy({ ...given, source: 'Shopify' }, chance.fork('buy'));
  await liveWithGifts(given, chance.fork('gifts'));
}

/**
 * Subscriptions whose next order is due on the day after tomorrow, whose payment is in recovery, and a few of those paused without an end.
 */
async function concerned({ trx, storeId, now }: EngineContext): Promise<number[]> {
  const from = new Date(now().getTime() + DAY_MS);
  const to = new Date(now().getTime() + 2 * DAY_MS);
  const { rows } = await sql<{ id: number }>`
    select id from contracts
      where store_id = ${storeId}::integer and status = 'ACTIVE' and next_billing_at > ${from} and next_billing_at <= ${to}
    union select id from contracts where store_id = ${storeId}::integer and status = 'ACTIVE' and dunning->>'state' = 'IN_RECOVERY'
    union (select id from contracts
      where store_id = ${storeId}::integer and status = 'PAUSED' and resume_at is null order by id desc limit 200)
    order by id`.execute(trx);
  return rows.map(row => row.id);
}

/** A card as it is from now on. */
interface Card {
  method: MethodRow;
  token: string;
  /** The customer entered a new one. */
  isNew?: boolean;
  /** It ran out at the end of last month. */
  isExpired?: boolean;
}

const RENEWED_A_DAY = 0.09;
const RESUMED_A_DAY = 0.01;
const PAUSED = 0.014;
const SKIPPED = 0.035;
const FAILING = 0.05;

type Apply = (work: UnitOfWork, subscription: Aggregate) => unknown;
type Choice = [action: string, apply: Apply];

/** What one customer does; an action that the subscription's state refuses is left. */
async function live(work: UnitOfWork, subscription: Aggregate, chance: Random, cards: Card[]): Promise<void> {
  const [action, apply] = choose(subscription, chance, cards) ?? [];
  if (action !== undefined && apply) await performOne(work, subscription, { action, apply });
}

function choose(subscription: Aggregate, chance: Random, cards: Card[]): Choice | undefined {
  const { contract } = subscription;
  if (contract.status === 'PAUSED') {
    if (!chance.chance(RESUMED_A_DAY)) return undefined;
    return ['resume', (work, on) => resume(work, on, oneIntervalAfter(on, work.at, work.zone, work.settings.billingHour))];
  }
  if (dunningOf(subscription)?.state === 'IN_RECOVERY') return chance.chance(RENEWED_A_DAY) ? renewCard(cards) : undefined;
  const choice = chance.next();
  const leaves = cancelChance(contract.prepaid_credits > 0, contract.next_cycle, contract.billing_interval, chance.next());
  if (choice < leaves)
    return [
      'cancel',
      (work, on) =>
        cancel(work, on, {
          reason: chance.weighted(REASONS),
          comment: chance.chance(0.2) ? chance.pick(COMMENTS) : null,
          source: 'CUSTOMER',
          notifyCustomer: true,
        }),
    ];
  if (choice < leaves + PAUSED)
    return [
      'pause',
      (work, on) => pause(work, on, chance.chance(0.65) ? new Date(work.at.getTime() + chance.between(1, 3) * 30 * DAY_MS) : null),
    ];
  if (choice < leaves + PAUSED + SKIPPED) return ['skipOrder', (work, on) => skipOrder(work, on, { reason: 'CUSTOMER' })];
  drawCard(subscription, chance, cards);
  return undefined;
}

const paidBy = (subscription: Aggregate): MethodRow | undefined =>
  subscription.methods.find(method => method.id === subscription.contract.payment_method_id);

/** A customer answers the letter about the failed payment with a new card; the next try charges it. */
const renewCard = (cards: Card[]): Choice => [
  'updatePaymentMethod',
  (work, on) => {
    const method = paidBy(on);
    if (!method) return;
    cards.push({ method, token: 'tok_success', isNew: true });
    work.note(on, 'payment_method_changed', { before: brief(method), after: { ...brief(method), lastDigits: newDigits(method) } });
  },
];

/** How the card behaves at the order ahead: nearly always well. Trouble of last time has mostly passed. */
function drawCard(subscription: Aggregate, chance: Random, cards: Card[]): void {
  const method = paidBy(subscription);
  if (!method) return;
  const isGood = method.gateway_token.startsWith('tok_success');
  if (!chance.chance(FAILING)) {
    if (!isGood && chance.chance(0.9)) cards.push({ method, token: 'tok_success' });
    return;
  }
  if (chance.chance(0.6)) cards.push({ method, token: `tok_fail_n_${chance.between(1, 3)}_then_success` });
  else if (method.type !== 'PAYPAL' && chance.chance(0.25)) cards.push({ method, token: 'tok_decline_expired_card', isExpired: true });
  else
    cards.push({
      method,
      token: chance.pick([
        'tok_decline_insufficient_funds',
        'tok_decline_card_declined',
        'tok_decline_do_not_honor',
        'tok_requires_action',
      ]),
    });
}

const newDigits = (method: MethodRow): string | null =>
  method.last_digits === null ? null : String((Number(method.last_digits) * 7 + 1301) % 10_000).padStart(4, '0');

/** The month before that of a day. */
const monthBefore = ({ year, month }: Day): Omit<Day, 'day'> => (month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 });

async function writeCards(context: EngineContext, cards: readonly Card[]): Promise<void> {
  const { trx, storeId, store, now } = context;
  const at = now();
  const today = dayOf(at.getTime(), store.timezone);
  const lastMonth = monthBefore(today);
  const rows = cards.map(({ method, token, isNew, isExpired }) => ({
    id: method.id,
    token,
    digits: isNew ? newDigits(method) : method.last_digits,
    month: isExpired ? lastMonth.month : method.expiry_month,
    year: isExpired ? lastMonth.year : isNew && method.expiry_year !== null ? today.year + 3 : method.expiry_year,
  }));
  if (rows.length === 0) return;
  await sql`update payment_methods m
    set gateway_token = v.token, last_digits = v.digits, expiry_month = v.month, expiry_year = v.year, updated_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(id bigint, token text, digits text, month integer, year integer)
    where m.store_id = ${storeId}::integer and m.id = v.id`.execute(trx);
  const renewed = cards.flatMap(({ method, isNew }) =>
    isNew ? [{ before: method, after: { ...method, last_digits: newDigits(method) } }] : [],
  );
  await tellMethodsUpdated(context, renewed);
}

/** Banks renew most cards by themselves when they run out; of the others the next charge fails. */
async function renewRunOut(context: EngineContext, chance: Random): Promise<void> {
  const { trx, storeId, store, now } = context;
  const at = now();
  const today = dayOf(at.getTime(), store.timezone);
  const last = monthBefore(today);
  const since = new Date(instant({ ...today, day: 1 }, { hour: 0, minute: 0, second: 0, millisecond: 0 }, store.timezone));
  const { rows } = await sql<Pick<MethodRow, 'id' | 'customer_id' | 'brand' | 'last_digits'>>`
    select id, customer_id, brand, last_digits from payment_methods where store_id = ${storeId}::integer
      and expiry_year = ${last.year}::integer
      and expiry_month = ${last.month}::integer
      and gateway_token like 'tok_success%' and updated_at < ${since}
        order by id`.execute(trx);
  const renewed = rows.filter(row => chance.fork(row.id).chance(0.7)).map(row => row.id);
  const others = rows.filter(row => !renewed.includes(row.id)).map(row => row.id);
  if (renewed.length)
    await sql`update payment_methods set expiry_year = expiry_year + 4, updated_at = ${at}
      where store_id = ${storeId}::integer and id = any(${renewed}::bigint[])`.execute(trx);
  await tellMethodsUpdated(
    context,
    rows.filter(({ id }) => renewed.includes(id)).map(row => ({ before: row, after: row })),
  );
  if (others.length)
    await sql`update payment_methods set gateway_token = 'tok_decline_expired_card', updated_at = ${at}
      where store_id = ${storeId}::integer and id = any(${others}::bigint[])`.execute(trx);
}

/** What sells is bought in again before it runs out; what ran out stays so, because a person has to notice. */
async function restock({ trx, storeId }: EngineContext): Promise<void> {
  await sql`update variants set inventory_quantity = inventory_quantity + 150
    where store_id = ${storeId}::integer and inventory_management is not null and inventory_quantity between 1 and 40
      and deleted_at is null`.execute(trx);
}
