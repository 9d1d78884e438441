// One subscription's life, from its checkout to today: orders, failed and recovered payments, skips, pauses, and how it ended.
import { planPrice, type SeedGroup, type SeedPlan } from './plans.ts';
import type { Person } from './people.ts';
import { inUsd, priceIn } from './people.ts';
import type { Random } from './random.ts';
import { anchorOf } from '../../../domain/calendar/anchor.ts';
import { firstDelivery } from '../../../domain/schedule/first-delivery.ts';
import { cycleDate, oneIntervalLater } from '../../../domain/schedule/schedule.ts';
import { step, type DayNumber, type StoreCalendar } from './days.ts';

export interface SoldVariant {
  productId: number;
  variantId: number;
  productTitle: string;
  variantTitle: string;
  sku: string;
  image: string;
  price: number;
  grams: number;
}
export interface SoldLine {
  variant: SoldVariant;
  quantity: number;
}
export interface Sale {
  group: SeedGroup;
  groupId: number;
  plan: SeedPlan;
  planId: number;
  lines: SoldLine[];
  startedOn: DayNumber;
  minutes: number;
  /** The day the customer's card expired, or null while it is good. */
  cardExpiredOn: DayNumber | null;
}

export interface PastOrder {
  cycle: number;
  number: number;
  at: number;
  scheduledAt: number;
  status: 'PAID' | 'FAILED' | 'SKIPPED';
  type: 'CHECKOUT' | 'RECURRING';
  credit: boolean;
  subtotal: number;
  shipping: number;
  total: number;
  prices: number[];
  skipReason: string | null;
  failures: { at: number; code: string; category: string; message: string }[];
  paidAt: number | null;
  nextRetryAt: number | null;
}
export interface Event {
  at: number;
  key: string;
  source: string;
  entity: string;
  data: Record<string, unknown>;
}
export interface Life {
  status: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | 'EXPIRED' | 'FAILED';
  orders: PastOrder[];
  events: Event[];
  baseAt: number;
  baseCycle: number;
  nextCycle: number;
  nextAt: number | null;
  completed: number;
  credits: number;
  resumeAt: number | null;
  endedAt: number | null;
  reason: string | null;
  comment: string | null;
  source: string | null;
  failedInARow: number;
  deliveriesPerCharge: number;
  marked: boolean;
  updatedAt: number;
  createdAt: number;
  shipping: number;
}

const FAILURES = [
  [['INSUFFICIENT_FUNDS', 'insufficient_funds', 'The card has insufficient funds.'], 46],
  [['CARD_DECLINED', 'card_declined', 'The card was declined.'], 30],
  [['DO_NOT_HONOR', 'do_not_honor', 'The issuer declined the payment.'], 9],
  [['AUTHENTICATION_REQUIRED', 'three_ds_failed', 'The customer has to confirm this payment.'], 6],
  [['PROCESSING_ERROR', 'gateway_issue', 'The payment could not be processed.'], 5],
] as const;
const EXPIRED = ['EXPIRED_CARD', 'card_expired', 'The card has expired.'] as const;
export const REASONS = [
  ['Too expensive', 22],
  ['I have too much of it', 26],
  ['I am moving or travelling', 11],
  ['I did not like it', 9],
  ['I found another product', 10],
  ['I only wanted to try it', 14],
  ['Shipping takes too long', 8],
] as const;
export const COMMENTS = [
  'Might be back after the summer.',
  'The kitchen shelf is full.',
  'Lovely coffee, but my budget changed.',
  'Please restart me when the winter lot returns.',
  'Tasted good, packaging less so.',
];
/** The share that retries bring back, the retry settings of the store, and how a cycle can go. */
export const RETRY_SPACING = 3;
export const RETRY_ATTEMPTS = 4;

/**
 * How likely a customer cancels before the order of a cycle: most often after the first ones. `patience` is a number below 1 of the
 * person's own.
 */
export const cancelChance = (isPaidAhead: boolean, cycle: number, interval: string, patience: number): number =>
  (isPaidAhead ? 0.004 : cycle <= 3 ? 0.075 : cycle <= 6 ? 0.045 : 0.026) * (0.4 + 1.3 * patience) * (interval === 'WEEK' ? 0.45 : 1);

/** Simulates one sale. Deterministic for the stream `chance`. Amounts in minor units of the person's currency. */
export function live(chance: Random, calendar: StoreCalendar, who: Person, sale: Sale): Life {
  const { plan } = sale;
  const currency = who.country.currency;
  const delivery = plan.delivery ?? plan.billing;
  const perCharge = plan.delivery ? Math.round(step(0, plan.billing, 1) / step(0, delivery, 1)) : 1;
  const convert = (cents: number) => priceIn(currency, cents);
  const shippingPrice = sale.lines.reduce((sum, line) => sum + line.variant.price * line.quantity, 0) >= 4500 ? 0 : convert(495);
  const createdAt = calendar.near(sale.startedOn, sale.minutes);
  const life: Life = {
    status: 'ACTIVE',
    orders: [],
    events: [],
    baseAt: createdAt,
    baseCycle: 1,
    nextCycle: 2,
    nextAt: null,
    completed: 1,
    credits: perCharge - 1,
    resumeAt: null,
    endedAt: null,
    reason: null,
    comment: null,
    source: null,
    failedInARow: 0,
    deliveriesPerCharge: perCharge,
    marked: false,
    updatedAt: createdAt,
    createdAt,
    shipping: shippingPrice,
  };
  const customer = `${who.firstName} ${who.lastName}`;
  const log = (at: number, key: string, data: Record<string, unknown> = {}, source = 'System', entity = '') => {
    life.events.push({ at, key, source, entity, data });
    life.updatedAt = Math.max(life.updatedAt, at);
  };
  const order = (cycle: number, number: number, at: number, more: Partial<PastOrder>): PastOrder => {
    const prices = sale.lines.map(line => planPrice(plan, convert(line.variant.price), number, convert));
    const credit = more.credit ?? false;
    const subtotal = credit ? 0 : sale.lines.reduce((sum, line, i) => sum + prices[i]! * line.quantity, 0) * perCharge;
    const shipping = credit ? 0 : shippingPrice;
    const made: PastOrder = {
      cycle,
      number,
      at,
      scheduledAt: at,
      status: 'PAID',
      type: 'RECURRING',
      credit,
      subtotal,
      shipping,
      total: subtotal + shipping,
      // Of a piece in this order: of all deliveries that it pays for, and nothing where one before has paid.
      prices: prices.map(price => (credit ? 0 : price * perCharge)),
      skipReason: null,
      failures: [],
      paidAt: at,
      nextRetryAt: null,
      ...more,
    };
    life.orders.push(made);
    return made;
  };
  order(1, 1, createdAt, { type: 'CHECKOUT' });
  log(createdAt, 'subscription_created', { orderNumber: 1 }, 'Shopify', customer);

  // Dates as the engine counts them: from the checkout day, or from the anchors that the plan names.
  const deliveryPolicy = { interval: delivery[0], intervalCount: delivery[1] };
  const anchor = plan.anchor
    ? anchorOf({ anchorType: plan.anchor.type, anchorDay: plan.anchor.day, anchorMonth: plan.anchor.month })
    : null;
  let base = sale.startedOn;
  life.baseAt = calendar.billingAt(base);
  if (anchor) {
    const terms = {
      billing: { interval: plan.billing[0], intervalCount: plan.billing[1] },
      delivery: deliveryPolicy,
      anchor,
      preAnchorBehavior: plan.anchor!.behavior,
      cutOffDays: plan.anchor!.cutOff,
    };
    ({ baseAt: life.baseAt, baseCycle: life.baseCycle } = firstDelivery(createdAt, terms, calendar.zone, calendar.hour));
  }
  const dateOf = (cycle: number): DayNumber => {
    if (!anchor) return step(base, delivery, cycle - life.baseCycle);
    const schedule = {
      zone: calendar.zone,
      billingHour: null,
      baseAt: life.baseAt,
      baseCycle: life.baseCycle,
      nextCycle: life.nextCycle,
      deliveryPolicy,
      billingPolicy: deliveryPolicy,
      anchor,
      prepaidCreditsLeft: 0,
      completedOrders: 1,
      maxCycles: null,
      chargeOffsetDays: 0,
      exceptions: new Map(),
    };
    return calendar.dayAt(cycleDate(schedule, cycle));
  };
  const end = (status: Life['status'], at: number) => {
    life.status = status;
    life.endedAt = at;
    life.nextAt = null;
  };
  const patience = chance.next(); // some stay, some only try
  let orderNumber = 1;
  for (let cycle = 2; ; cycle++) {
    const day = dateOf(cycle);
    life.nextCycle = cycle;
    life.nextAt = calendar.billingAt(day);
    const paidAhead = life.credits > 0;
    if (!paidAhead && plan.max !== undefined && life.completed >= plan.max) {
      end('EXPIRED', life.orders.at(-1)!.at + 3_600_000);
      log(life.endedAt!, 'subscription_expired', { completedOrders: life.completed });
      break;
    }
    if (!calendar.isPast(day)) break;
    // The minimum number of orders is kept.
    const hazard = cancelChance(paidAhead, cycle, sale.plan.billing[0], patience);
    if (life.completed >= (plan.min ?? 0) && chance.chance(hazard)) {
      const at = calendar.near(day - chance.between(1, 4), chance.between(-180, 600));
      const byCustomer = chance.chance(0.86);
      [life.reason, life.comment] = [chance.weighted(REASONS), chance.chance(0.2) ? chance.pick(COMMENTS) : null];
      life.source = byCustomer ? 'CUSTOMER' : 'MERCHANT';
      end('CANCELLED', at);
      log(
        at,
        'subscription_cancelled',
        { reason: life.reason, ...(life.comment ? { comment: life.comment } : {}) },
        byCustomer ? 'Customer portal' : 'Admin portal',
        byCustomer ? customer : 'amira@fernandember.example',
      );
      break;
    }
    if (chance.chance(0.014)) {
      const at = calendar.near(day - chance.between(1, 3), chance.between(-120, 540));
      const months = chance.chance(0.65) ? chance.between(1, 3) : 0;
      const resumesOn = months ? step(calendar.today - Math.floor((calendar.now - at) / 86_400_000), ['MONTH', 1], months) : null;
      log(
        at,
        'subscription_paused',
        months ? { duration: { intervalType: 'MONTH', intervalCount: months } } : {},
        'Customer portal',
        customer,
      );
      if (!resumesOn || !calendar.isPast(resumesOn)) {
        if (!resumesOn && calendar.today - day > 150 && chance.chance(0.8)) {
          // long pauses end one way or the other
          const endedAt = calendar.near(day + chance.between(60, 140), 200);
          [life.reason, life.source] = ['I have too much of it', 'CUSTOMER'];
          end('CANCELLED', endedAt);
          log(endedAt, 'subscription_cancelled', { reason: life.reason }, 'Customer portal', customer);
          break;
        }
        life.status = 'PAUSED';
        life.endedAt = at;
        life.resumeAt = resumesOn ? calendar.billingAt(resumesOn) : null;
        life.nextAt = null;
        break;
      }
      log(calendar.billingAt(resumesOn), 'subscription_resumed', {});
      life.baseCycle = cycle;
      life.baseAt = oneIntervalLater(calendar.billingAt(resumesOn), deliveryPolicy, anchor, calendar.zone, null);
      base = calendar.dayAt(life.baseAt);
      cycle--; // this cycle gets its new date
      continue;
    }
    const at = calendar.billingAt(day);
    if (chance.chance(0.035)) {
      order(cycle, orderNumber + 1, at, { status: 'SKIPPED', skipReason: 'CUSTOMER', paidAt: null, credit: paidAhead });
      log(calendar.near(day - chance.between(1, 5), chance.between(-60, 700)), 'order_skipped', { cycle }, 'Customer portal', customer);
      continue;
    }
    if (paidAhead) {
      life.credits--;
      order(cycle, orderNumber, at, { credit: true });
      log(at + 40_000, 'order_placed', { orderNumber, cycle, prepaid: true });
      continue;
    }
    orderNumber++;
    const isExpired = sale.cardExpiredOn !== null && day >= sale.cardExpiredOn;
    if (!chance.chance(isExpired ? 1 : 0.05)) {
      const paid = order(cycle, orderNumber, at, { paidAt: at + chance.between(20, 200) * 1000 });
      life.completed++;
      life.credits = perCharge - 1;
      life.failedInARow = 0;
      log(paid.paidAt!, 'order_placed', { orderNumber, cycle, total: paid.total, dateEpoch: Math.floor(at / 1000) });
      continue;
    }
    // A failed payment: retried every few days until it is paid, given up, or still on its way today.
    const failed = order(cycle, orderNumber, at, { status: 'FAILED', paidAt: null });
    const [code, category, message] = isExpired ? EXPIRED : chance.weighted<readonly [string, string, string]>(FAILURES);
    const retries = Math.min(RETRY_ATTEMPTS, Math.floor((step(day, delivery, 1) - day - 1) / RETRY_SPACING));
    const recoversAt = !isExpired && chance.chance(0.68) ? chance.between(1, RETRY_ATTEMPTS) : Infinity;
    let open = false;
    for (let attempt = 0; attempt <= retries; attempt++) {
      const tryDay = day + attempt * RETRY_SPACING;
      if (!calendar.isPast(tryDay)) {
        failed.nextRetryAt = calendar.billingAt(tryDay);
        open = true;
        break;
      }
      const tryAt = calendar.billingAt(tryDay) + 30_000;
      if (attempt >= recoversAt) {
        Object.assign(failed, { status: 'PAID', paidAt: tryAt });
        break;
      }
      failed.failures.push({ at: tryAt, code, category, message });
      log(tryAt, attempt === retries ? 'payment_failed' : attempt === retries - 1 ? 'payment_failed_last_retry' : 'payment_failed_retry', {
        orderNumber,
        cycle,
        category,
        code,
        attempt: attempt + 1,
        amount: failed.total,
      });
    }
    if (open) {
      life.nextCycle = cycle + 1;
      life.nextAt = calendar.billingAt(dateOf(cycle + 1));
      break;
    }
    if (failed.status === 'PAID') {
      life.completed++;
      life.credits = perCharge - 1;
      life.failedInARow = 0;
      log(failed.paidAt!, 'order_placed', { orderNumber, cycle, total: failed.total, dateEpoch: Math.floor(at / 1000), recovered: true });
      continue;
    }
    life.failedInARow++;
    const lastAt = failed.failures.at(-1)!.at;
    if (chance.chance(0.45)) {
      life.status = 'FAILED';
      life.endedAt = lastAt;
      life.nextAt = null;
      life.nextCycle = cycle + 1;
      log(lastAt + 1000, 'subscription_failed', { category });
      if (calendar.now - lastAt > 60 * 86_400_000 && chance.chance(0.7)) {
        [life.reason, life.source] = ['Payment failed', 'DUNNING'];
        end('CANCELLED', lastAt + 14 * 86_400_000);
        log(life.endedAt!, 'subscription_cancelled', { reason: life.reason });
      }
      break;
    }
    Object.assign(failed, { status: 'SKIPPED', skipReason: 'PAYMENT_FAILED' });
    log(lastAt + 1000, 'order_skipped', { cycle, reason: 'PAYMENT_FAILED' });
  }
  life.marked = life.status === 'ACTIVE' && life.credits > 0 && chance.chance(0.06);
  if (life.marked)
    log(calendar.near(calendar.today - chance.between(1, 10), 60), 'marked_for_cancellation', {}, 'Customer portal', customer);
  life.events.sort((a, b) => a.at - b.at);
  life.events = life.events.filter(event => event.at <= calendar.now);
  return life;
}

/** US cents of an amount, for figures over all currencies. */
export const usd = inUsd;
