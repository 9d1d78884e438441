// Simulated years: random contracts, random settings and random actions on a real database, and what must be true of the books at any moment.
import { DateTime } from 'luxon';
import { sql } from 'kysely';
import { toDecimal, toMinor } from '../../../src/contract/domain/money.ts';
import type { Interval, IntervalUnit } from '../../../src/contract/domain/interval.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { Refusal } from '../../../src/server/context.ts';
import type { Aggregate } from '../../../src/server/engine/aggregate.ts';
import { addDiscount } from '../../../src/server/engine/discounts.ts';
import { adjustCredits } from '../../../src/server/engine/details.ts';
import { updateBillingDetails } from '../../../src/server/engine/frequency.ts';
import { addLine, removeLine, skipLine, updatePrice, updateQuantity } from '../../../src/server/engine/lines.ts';
import { updateMethod } from '../../../src/server/engine/methods.ts';
import { applyTerms } from '../../../src/server/engine/order-schedule.ts';
import { chargeNow, delay, reschedule, rescheduleOneOrder, skipOrder, unSkipOrder } from '../../../src/server/engine/orders.ts';
import type { OrderLine } from '../../../src/server/engine/price.ts';
import type { AttemptRow, ContractRow, OrderRow } from '../../../src/server/engine/rows.ts';
import { moveClock } from '../../../src/server/engine/run.ts';
import { oneIntervalAfter, upcomingOrders } from '../../../src/server/engine/schedule.ts';
import { cancel, markForCancellation, pause, reactivate, resume } from '../../../src/server/engine/status.ts';
import type { Work } from '../../../src/server/engine/work.ts';
import type { Database } from '../../../src/server/store/database.ts';
import { modelLife, type Recovery, type Stretch, type Terms } from './model.ts';
import { DAY, Shop } from './shop.ts';

/** A small generator of random numbers that is the same for the same seed. */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return { next, between, chance: (p: number): boolean => next() < p, pick: <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T };
}
type Random = ReturnType<typeof randomFrom>;

const TOKENS = ['tok_success', 'tok_success', 'tok_success', 'tok_fail_n_1_then_success', 'tok_fail_n_3_then_success', 'tok_decline_insufficient_funds', 'tok_decline_expired_card', 'tok_decline_fraud_suspected', 'tok_decline_transient_error', 'tok_decline_amount_too_small', 'tok_decline_insufficient_inventory', 'tok_requires_action'];
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Auckland', 'America/Sao_Paulo', 'UTC'];
const EVERY: Interval[] = [{ interval: 'DAY', intervalCount: 9 }, { interval: 'WEEK', intervalCount: 1 }, { interval: 'WEEK', intervalCount: 3 }, { interval: 'MONTH', intervalCount: 1 }, { interval: 'MONTH', intervalCount: 1 }, { interval: 'MONTH', intervalCount: 2 }, { interval: 'YEAR', intervalCount: 1 }];

const settingsOf = (random: Random): Record<string, JsonObject> => ({
  general: { billingHour: random.pick([null, null, 0, 2, 3, 9, 23]), prepaidShippingCharge: random.pick(['UPFRONT_ALL', 'FIRST_ONLY', 'EACH_DELIVERY']) },
  paymentRecovery: {
    retryAttempts: random.pick([0, 1, 2, 3, 3, 4, 6]), retrySpacingDays: random.pick([1, 1, 2, 3, 4, 9]), finalAction: random.pick(['SKIP', 'SKIP', 'PAUSE', 'CANCEL']), successiveFailedCycles: random.pick([null, 2, 3]), successiveAction: random.pick(['PAUSE', 'CANCEL']),
    hardDeclineBehavior: random.pick(['RETRY_AS_USUAL', 'NO_RETRY']), hardDeclineAction: random.pick(['NONE', 'SKIP', 'PAUSE']), timeWindowDays: random.pick([null, null, 5, 15]), backupPaymentEnabled: random.chance(0.85), backupAutoConfigure: random.chance(0.5),
  },
  'inventory-settings': { whenSomeAvailable: random.pick(['ALLOW_ORDER', 'PARTIAL_ORDER', 'DELAY_ORDER', 'SKIP_ORDER']), whenNoneAvailable: random.pick(['ALLOW_ORDER', 'DELAY_ORDER', 'SKIP_ORDER']), delayMaxDays: random.pick([3, 30]), afterMaxDelay: random.pick(['SKIP_ORDER', 'PAUSE', 'CANCEL']) },
  'order-schedule': scheduleSettings(random),
});

/** Charge dates on any or on certain weekdays, or delivery dates that are charged before, at home (US, NY) by one of three rules. */
function scheduleSettings(random: Random): JsonObject {
  const tags = { deliveryDateTag: { enabled: true, value: 'Deliver {delivery_date}', dateFormat: 'YYYY-MM-DD' }, billingDateTag: { enabled: true, value: 'Charged {billing_date}', dateFormat: 'YYYY-MM-DD' } };
  const fields = { deliveryDateField: { enabled: true, source: 'ORDER_ATTRIBUTE', key: 'Delivery date', dateFormat: 'YYYY-MM-DD' } };
  if (random.chance(0.4)) return { ...tags, ...fields };
  if (random.chance(0.5)) return { ...tags, ...fields, scheduleType: 'BILLING', onlyOnBillingDays: true, billingDays: [...new Set(Array.from({ length: random.between(1, 5) }, () => random.between(1, 7)))].sort((a, b) => a - b) };
  const row = (provinceCodes: string[]): JsonObject => ({ countryCode: 'US', provinceCodes, offsetDays: random.between(0, 12) });
  return { ...tags, ...fields, scheduleType: 'DELIVERY', chargeOffset: random.between(0, 12), countryBasedChargeOffset: random.pick([[], [row([])], [row([]), row(['CA', 'NY'])], [row(['CA'])]]) };
}

export interface YearsOptions {
  /** Half of the contracts live through random actions, the other half is left alone and must live as the model says. */
  seed: number; storeId: number; contracts: number; years: number;
  /** Random actions for each contract of the first half and year, about. */
  actions?: number;
  progress?(line: string): void;
}
export interface YearsResult { orders: number; charges: number; actions: number; refused: number; checks: number }

/** Lets years pass over random contracts. @throws Error naming seed and moment when the books are wrong */
export async function simulateYears(db: Database, options: YearsOptions): Promise<YearsResult> {
  const { seed, storeId, contracts, years, actions = 2 } = options;
  const random = randomFrom(seed);
  const timezone = random.pick(ZONES);
  const currency = random.pick(['USD', 'USD', 'EUR', 'JPY', 'KWD']);
  const shop = await Shop.open(db, `20${random.between(20, 30)}-0${random.between(1, 9)}-${random.between(10, 28)}T${random.between(10, 23)}:17:00Z`, { storeId, timezone, currency, details: currency === 'JPY' ? { shippingOptions: [{ code: 'STANDARD', title: 'Standard', price: '500' }] } : {} });
  const settings = settingsOf(random);
  for (const [name, data] of Object.entries(settings)) await shop.settings(name, data);
  await db.exec(`update variants set inventory_quantity = ${random.between(20, 2000)} where store_id = ${storeId} and id in (1, 3)`);
  const stock = new Map((await db.inStore(storeId, trx => trx.selectFrom('variants').select(['id', 'inventory_quantity']).where('inventory_management', 'is not', null).execute())).map(row => [row.id, row.inventory_quantity]));
  const result: YearsResult = { orders: 0, charges: 0, actions: 0, refused: 0, checks: 0 };
  const ids: number[] = [];
  const watched = new Map<number, Terms>();
  const stretches: Stretch[] = [];
  for (let i = 0; i < contracts; i++) {
    if (i % 2 === 0) ids.push(await randomContract(shop, random, currency));
    else {
      const { id, terms } = await watchedContract(shop, random, KINDS[(i >> 1) % KINDS.length] as Kind, timezone, settings);
      watched.set(id, terms);
      checkShown(await shop.get(id), terms, [], shop.now, what => { throw new Error(`Seed ${seed}, store ${storeId} (${timezone}, ${currency}), at the start: ${what}`); });
    }
  }
  const start = shop.now.getTime();
  const end = start + years * 365.25 * DAY;
  const complain = (what: string): never => { throw new Error(`Seed ${seed}, store ${storeId} (${timezone}, ${currency}), ${shop.now.toISOString()}: ${what}`); };
  while (shop.now.getTime() < end) {
    const next = new Date(Math.min(end, shop.now.getTime() + random.between(1, 40) * DAY / 2 + random.between(0, 3_600_000)));
    const isExact = random.chance(0.5);
    stretches.push({ from: shop.now.getTime(), to: next.getTime(), isExact });
    if (isExact) {
      await moveClock(shop.runtime, storeId, shop.now, next, async () => undefined);
      shop.now = next;
    } else {
      shop.now = next;
      await shop.run();
      await shop.run();
    }
    if (random.chance(0.2)) await db.exec(`update variants set inventory_quantity = inventory_quantity + 30 where store_id = ${storeId} and id = 1`).then(() => stock.set(1, (stock.get(1) ?? 0) + 30));
    const wanted = (next.getTime() - start) / (365.25 * DAY) * actions * ids.length;
    while (result.actions < wanted) {
      const id = random.pick(ids);
      result.actions++;
      if (!await randomAction(shop, random, id)) result.refused++;
    }
    await shop.run();
    result.checks++;
    await checkMoment(db, storeId, shop.now, complain);
  }
  const books = await checkBooks(db, storeId, stock, complain, timezone);
  for (const [id, terms] of watched) await checkWatched(shop, id, terms, stretches, complain);
  options.progress?.(`seed ${seed}: ${contracts} contracts, ${years} years in ${timezone}, ${books.orders} orders, ${books.charges} charges, ${result.actions} actions (${result.refused} refused)`);
  return { ...result, ...books };
}

const allContracts = (db: Database, storeId: number): Promise<ContractRow[]> => db.inStore(storeId, trx => trx.selectFrom('contracts').selectAll().where('store_id', '=', storeId).orderBy('id').execute());

async function randomContract(shop: Shop, random: Random, currency: string): Promise<number> {
  const delivery = random.pick(EVERY);
  const times = random.chance(0.2) ? random.between(2, 4) : 1;
  const anchored = random.chance(0.25);
  const anchor: Record<IntervalUnit, JsonObject> = { DAY: {}, WEEK: { anchorType: 'WEEKDAY', anchorDay: random.between(1, 7) }, MONTH: { anchorType: 'MONTHDAY', anchorDay: random.pick([1, 15, 29, 31, 32]) }, YEAR: { anchorType: 'YEARDAY', anchorDay: 29, anchorMonth: 2 } };
  const minor = toDecimal(random.between(1, 9999), currency);
  return shop.contract({
    token: random.pick(TOKENS), backup: random.chance(0.4) ? random.pick(TOKENS) : undefined, first: new Date(shop.now.getTime() + random.between(1, 70) * DAY + random.between(0, 86_000) * 1000),
    billingPolicy: { interval: delivery.interval, intervalCount: delivery.intervalCount * times, maxCycles: random.chance(0.2) ? random.between(3, 30) : null, ...(anchored ? anchor[delivery.interval] : {}) }, deliveryPolicy: delivery,
    lines: [
      { variantId: random.pick([1, 2, 3]), quantity: random.between(1, 3), discountType: random.pick(['NONE', 'PERCENTAGE']), discountValue: '12.5' },
      ...(random.chance(0.5) ? [{ variantId: 4, discountType: 'PRICE' as const, discountValue: minor }] : []),
    ],
  });
}

/** One random action as the admin makes it; false when it was refused. */
async function randomAction(shop: Shop, random: Random, id: number): Promise<boolean> {
  const later = (days: number): number => Math.floor((shop.now.getTime() + days * DAY) / 1000);
  const a = await shop.get(id);
  const order = random.chance(0.7) ? undefined : id * 10_000 + a.contract.next_cycle + random.between(0, 4);
  const line = (x: Aggregate): number => random.pick(x.lines).id;
  const list: [string, (work: Work, a: Aggregate) => unknown][] = [
    ['pause', (work, x) => pause(work, x, random.chance(0.5) ? new Date(shop.now.getTime() + random.between(1, 90) * DAY) : null)],
    ['resume', (work, x) => resume(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour))],
    ['resume', (work, x) => resume(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour))],
    ['cancel', (work, x) => cancel(work, x, { reason: 'Other', comment: null, source: 'MERCHANT', notifyCustomer: false })],
    ['reactivate', (work, x) => { x.contract.max_cycles = null; reactivate(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour)); }],
    ['reactivate', (work, x) => { x.contract.max_cycles = null; reactivate(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour)); }],
    ['markForCancellation', (work, x) => markForCancellation(work, x, true)],
    ['undoMarkForCancellation', (work, x) => markForCancellation(work, x, false)],
    ['skipOrder', (work, x) => skipOrder(work, x, { orderId: order })],
    ['unSkipOrder', (work, x) => unSkipOrder(work, x, { orderId: x.orders.find(one => one.status === 'SKIPPED')?.id ?? id * 10_000 + 1 })],
    ['reschedule', (work, x) => reschedule(work, x, { nextBillingDateEpoch: later(random.between(-1, 60)) })],
    ['rescheduleOneOrder', (work, x) => rescheduleOneOrder(work, x, { orderId: order, billingDateEpoch: later(random.between(0, 90)) })],
    ['delay', (work, x) => delay(work, x, { days: random.between(1, 40) })],
    ['chargeNow', (work, x) => chargeNow(work, x, { orderId: x.contract.next_cycle + id * 10_000, keepSchedule: random.chance(0.5) })],
    ['chargeNow', (work, x) => chargeNow(work, x, { orderId: x.orders.find(one => one.status === 'FAILED')?.id ?? id * 10_000 + x.contract.next_cycle, keepSchedule: random.chance(0.5) })],
    ['addLine', (work, x) => addLine(work, x, { variantId: random.pick([1, 2, 3, 4]), type: random.pick(['ONE_TIME', 'RECURRING']), discountType: 'NONE', quantity: random.between(1, 2) })],
    ['removeLine', (work, x) => removeLine(work, x, { lineId: line(x) })],
    ['skipLineItem', (work, x) => skipLine(work, x, { lineId: line(x) })],
    // Nothing of the kind itself: any action of an active contract lets the update of its order schedule in.
    ['updateQuantity', (work, x) => applyTerms(work, x, random.chance(0.4) ? { scheduleType: 'BILLING', billingDays: random.pick([[], [1, 4], [6]]), chargeOffsetDays: 0 } : { scheduleType: 'DELIVERY', billingDays: [], chargeOffsetDays: random.between(0, 30) })],
    ['updateQuantity', (work, x) => updateQuantity(work, x, { lineId: line(x), quantity: random.between(1, 5) })],
    ['updatePrice', (work, x) => updatePrice(work, x, { lineId: line(x), price: toDecimal(random.between(0, 5000), x.contract.currency_code) })],
    ['addDiscount', (work, x) => addDiscount(work, x, { title: 'Sorry', type: random.pick(['PERCENTAGE', 'FIXED_AMOUNT', 'FREE_SHIPPING']), value: String(random.between(1, 60)), orderLimit: random.pick([null, 1, 3]), appliesOnEachItem: random.chance(0.3) })],
    ['updateBillingDetails', (work, x) => updateBillingDetails(work, x, { billingPolicy: { ...random.pick(EVERY), anchorType: null } })],
    ['adjustCredits', (work, x) => adjustCredits(work, x, { credits: random.between(-2, 3), reason: 'test' })],
    ['updatePaymentMethod', (work, x) => updateMethod(work, x, { customerPaymentMethodId: random.pick(x.methods).id })],
  ];
  // Subscriptions that stand still are mostly set going again, so that something happens in ten years.
  const { status } = a.contract;
  const wanted = status === 'PAUSED' ? 'resume' : status === 'ACTIVE' ? null : 'reactivate';
  const among = wanted && random.chance(0.6) ? list.filter(([name]) => name === wanted) : list;
  const [action, change] = random.pick(among);
  try {
    await shop.act(id, action, change, { orderIds: [id * 10_000 + 1, ...(order === undefined ? [] : [order])] });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw new Error(`${action} on contract ${id} failed`, { cause: error });
  }
}

type Complain = (what: string) => never;

/** What must hold whenever everything that is due has run. */
async function checkMoment(db: Database, storeId: number, now: Date, complain: Complain): Promise<void> {
  const { rows } = await db.inStore(storeId, trx => sql<{ what: string; n: number }>`
    select 'active contracts with an order that is due and not placed' as what, count(*) as n from contracts where store_id = ${storeId} and status = 'ACTIVE' and next_billing_at <= ${now}
    union all select 'retries that are due and not made', count(*) from orders where store_id = ${storeId} and next_retry_at <= ${now}
    union all select 'pauses that are over', count(*) from contracts where store_id = ${storeId} and status = 'PAUSED' and resume_at <= ${now}
    union all select 'charges without an answer', count(*) from orders where store_id = ${storeId} and status = 'PROCESSING'
    union all select 'attempts without an answer', count(*) from billing_attempts where store_id = ${storeId} and not ready
    union all select 'ended contracts with a next order', count(*) from contracts where store_id = ${storeId} and status in ('CANCELLED', 'EXPIRED', 'FAILED') and (next_billing_at is not null or base_at is not null)
    union all select 'retries of contracts that do not run', count(*) from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id where o.store_id = ${storeId} and o.next_retry_at is not null and c.status <> 'ACTIVE'
    union all select 'contracts beyond their last order', count(*) from contracts where store_id = ${storeId} and max_cycles is not null and completed_orders > max_cycles
    union all select 'active contracts that are over', count(*) from contracts where store_id = ${storeId} and status = 'ACTIVE' and max_cycles is not null and completed_orders >= max_cycles and prepaid_credits = 0`.execute(trx));
  for (const { what, n } of rows) if (Number(n) > 0) complain(`${n} ${what}`);
}

/** The books against the gateway, the ledger, the stock and themselves. */
async function checkBooks(db: Database, storeId: number, stock: Map<number, number>, complain: Complain, zone: string): Promise<{ orders: number; charges: number }> {
  const orders = await db.inStore(storeId, trx => trx.selectFrom('orders').selectAll().orderBy('contract_id').orderBy('cycle').execute()) as OrderRow[];
  const attempts = await db.inStore(storeId, trx => trx.selectFrom('billing_attempts').selectAll().orderBy('id').execute()) as AttemptRow[];
  const charges = await db.inStore(storeId, trx => trx.selectFrom('gateway_charges').selectAll().execute());
  const contracts = await allContracts(db, storeId);
  const credits = await db.inStore(storeId, trx => trx.selectFrom('credit_transactions').selectAll().orderBy('id').execute());
  const byKey = new Map(attempts.map(attempt => [attempt.idempotency_key, attempt]));

  for (const charge of charges) {
    const attempt = byKey.get(charge.idempotency_key);
    const ok = (charge.outcome as { ok: boolean }).ok;
    if (!attempt) complain(`the gateway charged ${charge.idempotency_key}, which our books don't know`);
    else if (attempt.amount !== charge.amount || attempt.currency_code !== charge.currency_code || attempt.success !== ok) complain(`books and gateway differ on ${charge.idempotency_key}: ${attempt.amount} ${attempt.success} against ${charge.amount} ${ok}`);
  }
  const byHand = new Set((await db.inStore(storeId, trx => trx.selectFrom('activity').select('data').where('key', '=', 'order_charged_now').execute())).map(row => (row.data as { orderId: number }).orderId));
  const keys = new Set(charges.map(charge => charge.idempotency_key));
  for (const attempt of attempts) if (attempt.success && !keys.has(attempt.idempotency_key)) complain(`attempt ${attempt.idempotency_key} succeeded without the gateway`);
  const successes = groupBy(attempts.filter(attempt => attempt.success), attempt => attempt.order_id);
  const placed = groupBy(orders, order => order.contract_id);
  for (const order of orders) {
    const paid = successes.get(order.id) ?? [];
    if (paid.length > 1) complain(`order ${order.id} was charged ${paid.length} times`);
    if (order.status === 'PAID' && order.total > 0 && paid.length === 0) complain(`order ${order.id} counts as paid and was never charged`);
    if (order.status !== 'PAID' && paid.length > 0) complain(`order ${order.id} was charged and is ${order.status}`);
    if (order.status === 'PAID' && order.skip_reason !== null) complain(`order ${order.id} was skipped (${order.skip_reason}) and charged all the same`);
    if (paid[0] && paid[0].amount !== order.total) complain(`order ${order.id} cost ${order.total} and was charged ${paid[0].amount}`);
    checkTotals(order, complain);
  }
  for (const contract of contracts) {
    const own = placed.get(contract.id) ?? [];
    const cycles = new Set(own.map(order => order.cycle));
    for (let cycle = 1; cycle < contract.next_cycle; cycle++) if (!cycles.has(cycle)) complain(`contract ${contract.id} lost its cycle ${cycle} of ${contract.next_cycle - 1}`);
    const done = own.filter(order => order.status === 'PAID' && !order.is_prepaid_delivery).length;
    if (done !== contract.completed_orders) complain(`contract ${contract.id} counts ${contract.completed_orders} orders, ${done} are paid`);
    let last = { at: 0, day: '' };
    for (const order of own.filter(one => one.status !== 'SKIPPED' && one.cycle < contract.next_cycle)) {
      const here = { at: order.billing_at.getTime(), day: DateTime.fromJSDate(order.billing_at, { zone }).toISODate() ?? '' };
      // Only a person may charge a second order on the same day.
      if (here.at < last.at || (here.day <= last.day && !byHand.has(order.id))) complain(`contract ${contract.id}: order ${order.cycle} of ${order.billing_at.toISOString()} follows one of ${last.day}`);
      last = here;
    }
    const ledger = credits.filter(entry => entry.contract_id === contract.id);
    let balance = 0;
    for (const entry of ledger) {
      balance += entry.credits;
      if (balance !== entry.balance_after || balance < 0) complain(`contract ${contract.id}: ledger entry ${entry.id} says ${entry.balance_after}, the sum is ${balance}`);
    }
    if (!ledger.some(entry => entry.type === 'ADJUSTED')) checkLedger(own, ledger, complain);
    if (balance !== contract.prepaid_credits) complain(`contract ${contract.id} has ${contract.prepaid_credits} credits, the ledger ${balance}`);
  }
  for (const [variantId, had] of stock) {
    const sold = orders.filter(order => order.status === 'PAID').flatMap(order => order.lines as OrderLine[]).filter(line => line.variantId === variantId).reduce((total, line) => total + line.quantity, 0);
    const { rows } = await db.inStore(storeId, trx => sql<{ left: number }>`select inventory_quantity as left from variants where store_id = ${storeId} and id = ${variantId}`.execute(trx));
    if (rows[0]?.left !== had - sold) complain(`variant ${variantId}: ${had} minus ${sold} sold is not ${rows[0]?.left}`);
  }
  return { orders: orders.length, charges: charges.length };
}

/** Every charge of a prepaid contract finds no delivery left and pays for several, every delivery uses one up. */
function checkLedger(orders: readonly OrderRow[], ledger: readonly { type: string; credits: number; balance_after: number; order_id: number | null }[], complain: Complain): void {
  const byOrder = groupBy(ledger, entry => entry.order_id);
  for (const order of orders) {
    const entries = byOrder.get(order.id) ?? [];
    const told = entries.map(entry => `${entry.type} ${entry.credits}`).join(', ');
    const isRight = order.status !== 'PAID' ? entries.length === 0
      : order.is_prepaid_delivery ? told === 'CONSUMED -1'
      : entries.length === 0 || (entries.length === 2 && entries[0]?.type === 'ADDED' && entries[0].credits > 1 && entries[0].balance_after === entries[0].credits && entries[1]?.type === 'CONSUMED' && entries[1].credits === -1);
    if (!isRight) complain(`order ${order.id} (${order.status}${order.is_prepaid_delivery ? ', paid in advance' : ''}) stands in the ledger as ${told || 'nothing'}`);
    if (order.status === 'PAID' && order.is_prepaid_delivery && order.subtotal !== (order.lines as OrderLine[]).filter(line => line.isOneTimeAdded).reduce((sum, line) => sum + toMinor(line.total, order.currency_code), 0)) complain(`order ${order.id} was paid in advance and costs ${order.subtotal}`);
  }
}

function checkTotals(order: OrderRow, complain: Complain): void {
  const lines = order.lines as OrderLine[];
  const minor = (text: string): number => toMinor(text, order.currency_code);
  const sum = (pick: (line: OrderLine) => number): number => lines.reduce((total, line) => total + pick(line), 0);
  if (sum(line => minor(line.total)) !== order.subtotal) complain(`order ${order.id}: its lines don't add up to ${order.subtotal}`);
  for (const line of lines) {
    if (minor(line.price) * line.quantity !== minor(line.total)) complain(`order ${order.id}: ${line.quantity} x ${line.price} is not ${line.total}`);
    if (minor(line.total) - line.discounts.reduce((total, part) => total + minor(part.amount), 0) !== minor(line.discountedPrice)) complain(`order ${order.id}: the discounts of line ${line.lineId} don't add up`);
  }
  const offLines = order.subtotal - sum(line => minor(line.discountedPrice));
  const offShipping = order.discount - offLines;
  if (offShipping < 0 || offShipping > order.shipping) complain(`order ${order.id}: ${offShipping} off a shipping of ${order.shipping}`);
  if (order.subtotal - order.discount + order.shipping !== order.total || order.total < 0) complain(`order ${order.id}: ${order.subtotal} - ${order.discount} + ${order.shipping} is not ${order.total}`);
}

/** Kinds of contracts that are left alone; every run has each of them. */
const KINDS = ['PLAIN', 'PREPAID_LIMITED', 'FAILING', 'ANCHORED', 'PREPAID', 'BACKUP'] as const;
type Kind = (typeof KINDS)[number];
const FAILING = ['tok_fail_n_1_then_success', 'tok_fail_n_2_then_success', 'tok_decline_insufficient_funds', 'tok_decline_expired_card', 'tok_requires_action'];
const REFUSING = ['tok_decline_insufficient_funds', 'tok_requires_action'];
const ANCHORS: Record<IntervalUnit, (random: Random) => { anchorType: 'WEEKDAY' | 'MONTHDAY' | 'YEARDAY'; anchorDay: number; anchorMonth?: number } | null> = {
  DAY: () => null, WEEK: random => ({ anchorType: 'WEEKDAY', anchorDay: random.between(1, 7) }), MONTH: random => ({ anchorType: 'MONTHDAY', anchorDay: random.pick([1, 15, 29, 31, 32]) }), YEAR: () => ({ anchorType: 'YEARDAY', anchorDay: 29, anchorMonth: 2 }),
};

/** A contract of products without stock that nobody will touch, and its terms as the model reads them. */
async function watchedContract(shop: Shop, random: Random, kind: Kind, zone: string, settings: Record<string, JsonObject>): Promise<{ id: number; terms: Terms }> {
  const isPrepaid = kind === 'PREPAID' || kind === 'PREPAID_LIMITED';
  const every = random.pick(kind === 'ANCHORED' ? EVERY.filter(one => one.interval !== 'DAY') : EVERY);
  const times = isPrepaid ? random.between(2, 4) : 1;
  const isLimited = kind === 'PREPAID_LIMITED' || random.chance(0.2);
  const maxCharges = isLimited ? random.between(2, every.interval === 'YEAR' ? 2 : 5) : null;
  const anchor = kind === 'ANCHORED' ? ANCHORS[every.interval](random) : null;
  // What is tried again more than once shows which method each try takes: the backup only once, after the first.
  const token = kind === 'BACKUP' ? random.pick(REFUSING) : kind === 'FAILING' || (isPrepaid && random.chance(0.3)) ? random.pick(FAILING) : 'tok_success';
  const backup = kind === 'BACKUP' ? random.pick(['tok_success', ...REFUSING, ...REFUSING, ...FAILING]) : undefined;
  const hasCode = random.chance(0.5);
  const lines = [
    { variantId: 2, quantity: random.between(1, 3), ...(random.chance(0.7) ? { discountType: 'PERCENTAGE' as const, discountValue: random.pick(['12.5', '10', '33']) } : { discountType: 'NONE' as const, discountValue: null }) },
    ...(random.chance(0.4) ? [{ variantId: 4, quantity: random.between(1, 2), discountType: 'NONE' as const, discountValue: null }] : []),
  ];
  const later = new Date(shop.now.getTime() + random.between(1, 70) * DAY + random.between(0, 86_000) * 1000);
  // As often as not in the hours that daylight saving leaves out or repeats.
  const first = random.chance(0.5) ? later : DateTime.fromJSDate(later, { zone }).set({ hour: random.between(0, 3) }).plus({ days: 1 }).toJSDate();
  const id = await shop.contract({
    token, backup, first, lines, discountCodes: hasCode ? ['WELCOME'] : [],
    billingPolicy: { interval: every.interval, intervalCount: every.intervalCount * times, maxCycles: maxCharges, ...anchor }, deliveryPolicy: every,
  });
  const { contract, methods } = await shop.get(id);
  const [method, other] = methods;
  const base: Record<number, number> = { 2: 2400, 4: 500 };
  return { id, terms: {
    zone, first: contract.base_at as Date, unit: every.interval, count: every.intervalCount, times, maxCharges, anchor: anchor && { day: anchor.anchorDay, month: anchor.anchorMonth ?? null },
    lines: lines.map(line => ({ base: base[line.variantId] as number, quantity: line.quantity, percentOff: line.discountValue, price: null, ships: line.variantId === 2 })),
    shipping: contract.delivery_price, shippingRule: settings.general?.prepaidShippingCharge as Terms['shippingRule'], code: hasCode ? { percent: 10, charges: 2 } : null,
    method: { id: method?.id as number, token }, backup: other && backup ? { id: other.id, token: backup } : null, isBackupChosen: true,
    recovery: settings.paymentRecovery as unknown as Recovery, billingHour: settings.general?.billingHour as number | null,
    ...scheduleOfTerms(settings['order-schedule'] ?? {}),
  } };
}

/** Every contract of the shop goes to New York: the province counts before the country, the country before the rest. */
function scheduleOfTerms(page: JsonObject): Pick<Terms, 'daysBeforeDelivery' | 'weekdays'> {
  if (page.scheduleType !== 'DELIVERY') return { daysBeforeDelivery: null, weekdays: page.onlyOnBillingDays ? page.billingDays as number[] : null };
  const rows = page.countryBasedChargeOffset as { provinceCodes: string[]; offsetDays: number }[];
  const row = rows.find(one => one.provinceCodes.includes('NY')) ?? rows.find(one => one.provinceCodes.length === 0);
  return { daysBeforeDelivery: row ? row.offsetDays : page.chargeOffset as number, weekdays: null };
}

/** A contract that nobody touched has exactly the orders, attempts, amounts, credits and state of its model, no more and no fewer. */
async function checkWatched(shop: Shop, id: number, terms: Terms, stretches: readonly Stretch[], complain: Complain): Promise<void> {
  const model = modelLife(terms, stretches, shop.now.getTime());
  const { contract } = await shop.get(id);
  const attempts = groupBy(await shop.attempts(id), attempt => attempt.order_id);
  const orders = (await shop.orders(id)).filter(order => order.cycle < contract.next_cycle);
  const time = (at: number | null): string => (at === null ? 'none' : new Date(at).toISOString());
  const differ = (what: string, is: unknown, wanted: unknown): void => {
    if (String(is) !== String(wanted)) complain(`contract ${id}, which nobody touched (${JSON.stringify({ ...terms, recovery: undefined })}): ${what} is ${String(is)} and must be ${String(wanted)}`);
  };
  for (const [i, wanted] of model.orders.entries()) {
    const order = orders[i];
    const name = `order ${wanted.cycle}`;
    differ(name, order ? `cycle ${order.cycle} of ${time(order.billing_at.getTime())}` : 'missing', `cycle ${wanted.cycle} of ${time(wanted.billingAt)}`);
    if (!order) return;
    differ(`${name}, its delivery`, time(order.delivery_at.getTime()), time(wanted.deliveryAt));
    if (order.status === 'PAID') {
      const local = (at: number): string => DateTime.fromMillis(at, { zone: terms.zone }).toFormat('yyyy-MM-dd');
      differ(`${name}, its tags`, order.tags.filter(tag => / \d{4}-/.test(tag)).join('; '), `Deliver ${local(wanted.deliveryAt)}; Charged ${local(wanted.billingAt)}`);
      differ(`${name}, its date field`, (order.custom_attributes as { key: string; value: string }[]).map(one => `${one.key} ${one.value}`).join('; '), `Delivery date ${local(wanted.deliveryAt)}`);
    }
    differ(`${name}, its state`, order.status, wanted.status);
    differ(`${name}, paid in advance`, order.is_prepaid_delivery, wanted.isPrepaidDelivery);
    if (order.status === 'PAID') differ(`${name}, its number`, order.order_number, wanted.number);
    differ(`${name}, its total`, order.total, wanted.total);
    differ(`${name}, its next try`, time(order.next_retry_at?.getTime() ?? null), time(wanted.retryAt));
    const told = (one: { at: number; methodId: number | null; amount: number; ok: boolean; isBackup: boolean; isRetry: boolean }): string => `${time(one.at)} ${one.isBackup ? 'backup' : one.isRetry ? 'retry' : 'first'} ${one.methodId} ${one.amount} ${one.ok ? 'paid' : 'refused'}`;
    const made = (attempts.get(order.id) ?? []).map(row => told({ at: row.created_at.getTime(), methodId: row.payment_method_id, amount: row.amount, ok: row.success === true, isBackup: row.is_backup, isRetry: row.trigger === 'RETRY' }));
    differ(`${name}, its charges`, made.join('; '), wanted.attempts.map(one => told({ ...one, amount: wanted.total })).join('; '));
  }
  if (contract.status === 'ACTIVE' && terms.method.token === 'tok_success') checkShown(await shop.get(id), terms, stretches, shop.now, complain);
  differ('the number of orders', orders.length, model.orders.length);
  differ('the state', contract.status, model.status);
  differ('the number of charges', contract.completed_orders, model.charges);
  differ('the deliveries left', contract.prepaid_credits, model.credits);
  differ('the next order', time(contract.next_billing_at?.getTime() ?? null), time(model.nextAt));
}

/** The orders ahead that people are shown are those that the model sees coming, if every charge succeeds. */
function checkShown(a: Aggregate, terms: Terms, stretches: readonly Stretch[], now: Date, complain: Complain): void {
  const year = DateTime.fromJSDate(now, { zone: terms.zone }).plus({ months: 12 }).toMillis();
  const told = (cycle: number, number: number, at: number, isPrepaidDelivery: boolean): string => `${cycle} as number ${number} on ${new Date(at).toISOString()}${isPrepaidDelivery ? ', paid in advance' : ''}`;
  const shown = upcomingOrders(a, terms.zone, now).map(order => told(order.cycle, order.orderNumber, order.billingAt, order.isPrepaidDelivery));
  const model = modelLife({ ...terms, method: { ...terms.method, token: 'tok_success' } }, stretches, year).orders.filter(order => order.cycle >= a.contract.next_cycle).slice(0, 10).map(order => told(order.cycle, order.number, order.billingAt, order.isPrepaidDelivery));
  // The very next order is shown however far ahead it is.
  if (shown.slice(0, Math.max(1, model.length)).join('; ') !== (model.length ? model : shown.slice(0, 1)).join('; ') || shown.length > Math.max(1, model.length)) complain(`contract ${a.contract.id} shows the orders ${shown.join('; ')}, and must show ${model.join('; ')}`);
}

function groupBy<T, K>(list: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of list) groups.set(key(item), [...groups.get(key(item)) ?? [], item]);
  return groups;
}
