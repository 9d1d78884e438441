// One subscription's life, from its checkout to today: orders, failed and recovered payments, skips, pauses, and how it ended.
import { planPrice, type SeedPlan } from './plans.ts';
import type { Person } from './people.ts';
import { priceIn } from './people.ts';
import type { Random } from './random.ts';
import { anchorOf } from '../../../domain/calendar/anchor.ts';
import { firstDelivery } from '../../../domain/schedule/first-delivery.ts';
import { cycleDate, oneIntervalLater } from '../../../domain/schedule/schedule.ts';
import { step, type DayNumber, type StoreCalendar } from './days.ts';
import type { Life, PastOrder, Sale } from './life.ts';

/** What can go wrong with a payment, and how often among a hundred. */
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
/** Days between the retries of a payment, and how many there are. */
const RETRY_SPACING = 3;
const RETRY_ATTEMPTS = 4;
const DAY_MS = 86_400_000;

/**
 * How likely a customer cancels before the order of a cycle: most often after the first ones. `patience` is a number below 1 of the
 * person's own.
 */
export const cancelChance = (isPaidAhead: boolean, cycle: number, interval: string, patience: number): number =>
  (isPaidAhead ? 0.004 : cycle <= 3 ? 0.075 : cycle <= 6 ? 0.045 : 0.026) * (0.4 + 1.3 * patience) * (interval === 'WEEK' ? 0.45 : 1);

/** Simulates one sale. Deterministic for the stream `chance`. */
export const live = (chance: Random, calendar: StoreCalendar, who: Person, sale: Sale): Life =>
  new Simulation(chance, calendar, who, sale).untilToday();

/** What becomes of a cycle: the next one follows, the same one gets another date, or nothing follows any more. */
type After = 'NEXT' | 'SAME' | 'OVER';
type Anchor = ReturnType<typeof anchorOf>;

/** Goes through the cycles of a subscription. The order in which it asks `chance` decides what the demo looks like: keep it. */
class Simulation {
  readonly #chance: Random;
  readonly #calendar: StoreCalendar;
  readonly #customer: string;
  readonly #currency: string;
  readonly #sale: Sale;
  readonly #life: Life;
  /** Of an order that pays for several deliveries, how many. */
  readonly #perCharge: number;
  readonly #delivery: SeedPlan['billing'];
  readonly #anchor: Anchor | null;
  /** The day that the cycles without an anchor are counted from. */
  #base: DayNumber;
  #orderNumber = 1;

  constructor(chance: Random, calendar: StoreCalendar, who: Person, sale: Sale) {
    const { plan } = sale;
    const createdAt = calendar.near(sale.startedOn, sale.minutes);
    this.#chance = chance;
    this.#calendar = calendar;
    this.#sale = sale;
    this.#customer = `${who.firstName} ${who.lastName}`;
    this.#currency = who.country.currency;
    this.#base = sale.startedOn;
    this.#delivery = plan.delivery ?? plan.billing;
    this.#perCharge = plan.delivery ? Math.round(step(0, plan.billing, 1) / step(0, this.#delivery, 1)) : 1;
    const isLarge = sale.lines.reduce((sum, line) => sum + line.variant.price * line.quantity, 0) >= 4500;
    this.#life = {
      status: 'ACTIVE',
      ...{ orders: [], events: [], baseAt: createdAt, baseCycle: 1, nextCycle: 2, nextAt: null, completed: 1 },
      ...{ credits: this.#perCharge - 1, resumeAt: null, endedAt: null, reason: null, comment: null, source: null, failedInARow: 0 },
      ...{ deliveriesPerCharge: this.#perCharge, marked: false, updatedAt: createdAt, createdAt },
      shipping: isLarge ? 0 : this.#convert(495),
    };
    this.#order(1, 1, createdAt, { type: 'CHECKOUT' });
    this.#log(createdAt, 'subscription_created', { orderNumber: 1 }, 'Shopify', this.#customer);
    // Dates as the engine counts them: from the checkout day, or from the anchors that the plan names.
    const { anchor } = plan;
    this.#anchor = anchor ? anchorOf({ anchorType: anchor.type, anchorDay: anchor.day, anchorMonth: anchor.month }) : null;
    this.#life.baseAt = calendar.billingAt(this.#base);
    if (!anchor || !this.#anchor) return;
    const terms = {
      billing: { interval: plan.billing[0], intervalCount: plan.billing[1] },
      delivery: this.#policy(),
      anchor: this.#anchor,
      preAnchorBehavior: anchor.behavior,
      cutOffDays: anchor.cutOff,
    };
    const first = firstDelivery(createdAt, terms, calendar.zone, calendar.hour);
    this.#life.baseAt = first.baseAt;
    this.#life.baseCycle = first.baseCycle;
  }

  /** Until today, or until it ends before. */
  untilToday(): Life {
    const [life, chance, calendar] = [this.#life, this.#chance, this.#calendar];
    const patience = chance.next(); // some stay, some only try
    for (let cycle = 2; ;) {
      const after = this.#goThrough(cycle, patience);
      if (after === 'OVER') break;
      if (after === 'NEXT') cycle++;
    }
    life.marked = life.status === 'ACTIVE' && life.credits > 0 && chance.chance(0.06);
    if (life.marked)
      this.#log(
        calendar.near(calendar.today - chance.between(1, 10), 60),
        'marked_for_cancellation',
        {},
        'Customer portal',
        this.#customer,
      );
    life.events.sort((a, b) => a.at - b.at);
    life.events = life.events.filter(event => event.at <= calendar.now);
    return life;
  }

  #goThrough(cycle: number, patience: number): After {
    const [life, chance, calendar, { plan }] = [this.#life, this.#chance, this.#calendar, this.#sale];
    const day = this.#dateOf(cycle);
    life.nextCycle = cycle;
    life.nextAt = calendar.billingAt(day);
    const isPaidAhead = life.credits > 0;
    if (!isPaidAhead && plan.max !== undefined && life.completed >= plan.max) {
      const at = life.orders.at(-1)!.at + 3_600_000;
      this.#end('EXPIRED', at);
      this.#log(at, 'subscription_expired', { completedOrders: life.completed });
      return 'OVER';
    }
    if (!calendar.isPast(day)) return 'OVER';
    // The minimum number of orders is kept.
    const hazard = cancelChance(isPaidAhead, cycle, plan.billing[0], patience);
    if (life.completed >= (plan.min ?? 0) && chance.chance(hazard)) return this.#cancel(day);
    if (chance.chance(0.014)) return this.#pause(cycle, day);
    const at = calendar.billingAt(day);
    if (chance.chance(0.035)) {
      this.#order(cycle, this.#orderNumber + 1, at, { status: 'SKIPPED', skipReason: 'CUSTOMER', paidAt: null, credit: isPaidAhead });
      const skippedAt = calendar.near(day - chance.between(1, 5), chance.between(-60, 700));
      this.#log(skippedAt, 'order_skipped', { cycle }, 'Customer portal', this.#customer);
      return 'NEXT';
    }
    if (!isPaidAhead) return this.#charge(cycle, day);
    life.credits--;
    this.#order(cycle, this.#orderNumber, at, { credit: true });
    this.#log(at + 40_000, 'order_placed', { orderNumber: this.#orderNumber, cycle, prepaid: true });
    return 'NEXT';
  }

  #cancel(day: DayNumber): After {
    const [life, chance] = [this.#life, this.#chance];
    const at = this.#calendar.near(day - chance.between(1, 4), chance.between(-180, 600));
    const isByCustomer = chance.chance(0.86);
    [life.reason, life.comment] = [chance.weighted(REASONS), chance.chance(0.2) ? chance.pick(COMMENTS) : null];
    life.source = isByCustomer ? 'CUSTOMER' : 'MERCHANT';
    this.#end('CANCELLED', at);
    const data = { reason: life.reason, ...(life.comment ? { comment: life.comment } : {}) };
    if (isByCustomer) this.#log(at, 'subscription_cancelled', data, 'Customer portal', this.#customer);
    else this.#log(at, 'subscription_cancelled', data, 'Admin portal', 'amira@fernandember.example');
    return 'OVER';
  }

  /** For some months, or until the customer resumes it. A pause that is over gives its cycle another date. */
  #pause(cycle: number, day: DayNumber): After {
    const [life, chance, calendar] = [this.#life, this.#chance, this.#calendar];
    const at = calendar.near(day - chance.between(1, 3), chance.between(-120, 540));
    const months = chance.chance(0.65) ? chance.between(1, 3) : 0;
    const resumesOn = months ? step(calendar.today - Math.floor((calendar.now - at) / DAY_MS), ['MONTH', 1], months) : null;
    const duration = months ? { duration: { intervalType: 'MONTH', intervalCount: months } } : {};
    this.#log(at, 'subscription_paused', duration, 'Customer portal', this.#customer);
    if (resumesOn && calendar.isPast(resumesOn)) {
      this.#log(calendar.billingAt(resumesOn), 'subscription_resumed', {});
      life.baseCycle = cycle;
      life.baseAt = oneIntervalLater(calendar.billingAt(resumesOn), this.#policy(), this.#anchor, calendar.zone, null);
      this.#base = calendar.dayAt(life.baseAt);
      return 'SAME';
    }
    // Most long pauses end with the subscription.
    if (!resumesOn && calendar.today - day > 150 && chance.chance(0.8)) {
      const endedAt = calendar.near(day + chance.between(60, 140), 200);
      [life.reason, life.source] = ['I have too much of it', 'CUSTOMER'];
      this.#end('CANCELLED', endedAt);
      this.#log(endedAt, 'subscription_cancelled', { reason: life.reason }, 'Customer portal', this.#customer);
      return 'OVER';
    }
    this.#end('PAUSED', at);
    life.resumeAt = resumesOn ? calendar.billingAt(resumesOn) : null;
    return 'OVER';
  }

  #charge(cycle: number, day: DayNumber): After {
    const [chance, at] = [this.#chance, this.#calendar.billingAt(day)];
    this.#orderNumber++;
    const { cardExpiredOn } = this.#sale;
    const isExpired = cardExpiredOn !== null && day >= cardExpiredOn;
    if (chance.chance(isExpired ? 1 : 0.05)) return this.#retry(cycle, day, isExpired);
    const paid = this.#order(cycle, this.#orderNumber, at, { paidAt: at + chance.between(20, 200) * 1000 });
    return this.#paid(paid, {});
  }

  #paid({ paidAt, cycle, total, at }: PastOrder, more: Record<string, unknown>): After {
    const life = this.#life;
    life.completed++;
    life.credits = this.#perCharge - 1;
    life.failedInARow = 0;
    this.#log(paidAt!, 'order_placed', { orderNumber: this.#orderNumber, cycle, total, dateEpoch: Math.floor(at / 1000), ...more });
    return 'NEXT';
  }

  /** A failed payment: retried every few days until it is paid, given up, or still on its way today. */
  #retry(cycle: number, day: DayNumber, isExpired: boolean): After {
    const [life, chance, calendar, orderNumber] = [this.#life, this.#chance, this.#calendar, this.#orderNumber];
    const failed = this.#order(cycle, orderNumber, calendar.billingAt(day), { status: 'FAILED', paidAt: null });
    const [code, category, message] = isExpired ? EXPIRED : chance.weighted<readonly [string, string, string]>(FAILURES);
    const retries = Math.min(RETRY_ATTEMPTS, Math.floor((step(day, this.#delivery, 1) - day - 1) / RETRY_SPACING));
    const recoversAt = !isExpired && chance.chance(0.68) ? chance.between(1, RETRY_ATTEMPTS) : Infinity;
    for (let attempt = 0; attempt <= retries; attempt++) {
      const tryDay = day + attempt * RETRY_SPACING;
      if (!calendar.isPast(tryDay)) {
        failed.nextRetryAt = calendar.billingAt(tryDay);
        life.nextCycle = cycle + 1;
        life.nextAt = calendar.billingAt(this.#dateOf(cycle + 1));
        return 'OVER';
      }
      const at = calendar.billingAt(tryDay) + 30_000;
      if (attempt >= recoversAt) {
        Object.assign(failed, { status: 'PAID', paidAt: at });
        return this.#paid(failed, { recovered: true });
      }
      failed.failures.push({ at, code, category, message });
      const key = attempt === retries ? 'payment_failed' : attempt === retries - 1 ? 'payment_failed_last_retry' : 'payment_failed_retry';
      this.#log(at, key, { orderNumber, cycle, category, code, attempt: attempt + 1, amount: failed.total });
    }
    life.failedInARow++;
    const lastAt = failed.failures.at(-1)!.at;
    if (!chance.chance(0.45)) {
      Object.assign(failed, { status: 'SKIPPED', skipReason: 'PAYMENT_FAILED' });
      this.#log(lastAt + 1000, 'order_skipped', { cycle, reason: 'PAYMENT_FAILED' });
      return 'NEXT';
    }
    this.#end('FAILED', lastAt);
    life.nextCycle = cycle + 1;
    this.#log(lastAt + 1000, 'subscription_failed', { category });
    if (calendar.now - lastAt > 60 * DAY_MS && chance.chance(0.7)) {
      const endedAt = lastAt + 14 * DAY_MS;
      [life.reason, life.source] = ['Payment failed', 'DUNNING'];
      this.#end('CANCELLED', endedAt);
      this.#log(endedAt, 'subscription_cancelled', { reason: life.reason });
    }
    return 'OVER';
  }

  #end(status: Life['status'], at: number): void {
    this.#life.status = status;
    this.#life.endedAt = at;
    this.#life.nextAt = null;
  }

  #log(at: number, key: string, data: Record<string, unknown> = {}, source = 'System', entity = ''): void {
    this.#life.events.push({ at, key, source, entity, data });
    this.#life.updatedAt = Math.max(this.#life.updatedAt, at);
  }

  #order(cycle: number, number: number, at: number, more: Partial<PastOrder>): PastOrder {
    const { plan, lines } = this.#sale;
    const convert = (cents: number): number => this.#convert(cents);
    const prices = lines.map(line => planPrice(plan, convert(line.variant.price), number, convert));
    const credit = more.credit ?? false;
    const subtotal = credit ? 0 : lines.reduce((sum, line, i) => sum + prices[i]! * line.quantity, 0) * this.#perCharge;
    const shipping = credit ? 0 : this.#life.shipping;
    const made: PastOrder = {
      status: 'PAID',
      type: 'RECURRING',
      ...{ cycle, number, at, scheduledAt: at, credit },
      ...{ subtotal, shipping, total: subtotal + shipping },
      // Of a piece in this order: of all deliveries that it pays for, and nothing where one before has paid.
      prices: prices.map(price => (credit ? 0 : price * this.#perCharge)),
      ...{ skipReason: null, failures: [], paidAt: at, nextRetryAt: null },
      ...more,
    };
    this.#life.orders.push(made);
    return made;
  }

  #dateOf(cycle: number): DayNumber {
    const [life, calendar] = [this.#life, this.#calendar];
    if (!this.#anchor) return step(this.#base, this.#delivery, cycle - life.baseCycle);
    const schedule = {
      ...{ zone: calendar.zone, billingHour: null, baseAt: life.baseAt, baseCycle: life.baseCycle, nextCycle: life.nextCycle },
      ...{ deliveryPolicy: this.#policy(), billingPolicy: this.#policy(), anchor: this.#anchor },
      ...{ prepaidCreditsLeft: 0, completedOrders: 1, maxCycles: null, chargeOffsetDays: 0, exceptions: new Map() },
    };
    return calendar.dayAt(cycleDate(schedule, cycle));
  }

  #policy(): { interval: SeedPlan['billing'][0]; intervalCount: number } {
    return { interval: this.#delivery[0], intervalCount: this.#delivery[1] };
  }

  #convert(cents: number): number {
    return priceIn(this.#currency, cents);
  }
}
