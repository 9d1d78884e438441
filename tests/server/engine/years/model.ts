// What an untouched subscription must order, pay and be refused: worked out from its terms alone, on another calendar and with other
// arithmetic than the engine's, so that a mistake in the engine does not repeat itself here.
import { DateTime } from 'luxon';

/** Minor units of a currency are whole numbers everywhere. */
export interface ModelLine {
  base: number;
  quantity: number;
  percentOff: string | null;
  price: number | null;
  ships: boolean;
}
export interface ModelMethod {
  id: number;
  token: string;
}
export interface Recovery {
  retryAttempts: number;
  retrySpacingDays: number;
  finalAction: 'SKIP' | 'PAUSE' | 'CANCEL';
  successiveFailedCycles: number | null;
  successiveAction: 'PAUSE' | 'CANCEL';
  hardDeclineBehavior: 'RETRY_AS_USUAL' | 'NO_RETRY';
  hardDeclineAction: 'NONE' | 'SKIP' | 'PAUSE';
  timeWindowDays: number | null;
  backupPaymentEnabled: boolean;
  backupAutoConfigure: boolean;
}
/** What the store's settings say at some moment. */
export interface Rules {
  recovery: Recovery;
  billingHour: number | null;
  shippingRule: 'UPFRONT_ALL' | 'FIRST_ONLY' | 'EACH_DELIVERY';
}
export interface Terms {
  zone: string;
  /** The instant of the first order. */
  first: Date;
  unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  count: number;
  /** Deliveries that one charge pays for. */
  times: number;
  maxCharges: number | null;
  anchor: { day: number; month: number | null } | null;
  lines: ModelLine[];
  shipping: number;
  /** A code of so many percent off the lines of so many charges. */
  code: { percent: number; charges: number } | null;
  method: ModelMethod;
  backup: ModelMethod | null;
  /** Whether the backup was chosen; otherwise the settings may choose it. */
  isBackupChosen: boolean;
  /** The rules in force for what is done at an instant: settings change while subscriptions run. */
  rulesAt(at: number): Rules;
  /** Dates are delivery dates, charged so many days before; null: dates are charge dates. */
  daysBeforeDelivery: number | null;
  /** Weekdays (1 Monday) on which it is charged; null means all. */
  weekdays: readonly number[] | null;
}
/** Time as it passed: stretches in which everything ran at its instant, or only at the end. */
export interface Stretch {
  from: number;
  to: number;
  isExact: boolean;
}

export interface ModelAttempt {
  at: number;
  methodId: number;
  amount: number;
  ok: boolean;
  isBackup: boolean;
  isRetry: boolean;
}
export interface ModelOrder {
  cycle: number;
  billingAt: number;
  deliveryAt: number;
  isPrepaidDelivery: boolean;
  number: number;
  total: number;
  status: 'PAID' | 'FAILED' | 'SKIPPED';
  attempts: ModelAttempt[];
  retryAt: number | null;
}
export interface ModelLife {
  orders: ModelOrder[];
  status: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | 'EXPIRED';
  charges: number;
  credits: number;
  nextAt: number | null;
}

/** The clock time of an instant on a local day; of an hour that comes twice the first, of one that is left out the one after the jump. */
function onDay(day: DateTime, clock: DateTime, zone: string): number {
  const wanted = DateTime.fromObject(
    {
      year: day.year,
      month: day.month,
      day: day.day,
      hour: clock.hour,
      minute: clock.minute,
      second: clock.second,
      millisecond: clock.millisecond,
    },
    { zone },
  );
  for (const earlier of [120, 60, 30]) {
    const before = wanted.minus({ minutes: earlier });
    if (before.toFormat('yyyy-MM-dd HH:mm:ss') === wanted.toFormat('yyyy-MM-dd HH:mm:ss')) return before.toMillis();
  }
  return wanted.toMillis();
}

/** The day of a cycle by the calendar: the first one as agreed, the others counted from it, or from the first anchor after it. */
function dayOfCycle(terms: Terms, cycle: number): DateTime {
  const first = DateTime.fromJSDate(terms.first, { zone: terms.zone }).startOf('day');
  const n = cycle - 1;
  const step = (many: number): DateTime => {
    if (terms.unit === 'DAY') return first.plus({ days: many });
    if (terms.unit === 'WEEK') return first.plus({ days: 7 * many });
    const months = terms.unit === 'MONTH' ? many : 12 * many;
    const start = first.startOf('month').plus({ months });
    return start.set({ day: Math.min(first.day, start.daysInMonth ?? 28) });
  };
  if (!terms.anchor || n === 0) return step(n * terms.count);
  const { day, month } = terms.anchor;
  const from = step(terms.count);
  const later = (n - 1) * terms.count;
  if (terms.unit === 'WEEK') return from.plus({ days: ((day - from.weekday + 7) % 7) + 7 * later });
  const fit = (start: DateTime): DateTime => start.set({ day: Math.min(day, start.daysInMonth ?? 28) });
  if (terms.unit === 'MONTH') {
    const here = fit(from.startOf('month'));
    return fit(from.startOf('month').plus({ months: (here < from ? 1 : 0) + later }));
  }
  const inYear = (year: number): DateTime => fit(DateTime.fromObject({ year, month: month ?? 1, day: 1 }, { zone: terms.zone }));
  return inYear(from.year + (inYear(from.year) < from ? 1 : 0) + later);
}

/** The date of a cycle in the schedule: of its charge, or where the terms say so of its delivery. */
function scheduledOn(terms: Terms, cycle: number): number {
  const first = DateTime.fromJSDate(terms.first, { zone: terms.zone });
  let day = dayOfCycle(terms, cycle);
  let isMoved = false;
  while (terms.weekdays && !terms.weekdays.includes(day.weekday)) {
    day = day.plus({ days: 1 });
    isMoved = true;
  }
  return cycle === 1 && !isMoved ? first.toMillis() : onDay(day, first, terms.zone);
}
/** When a cycle is charged. */
function dateOfCycle(terms: Terms, cycle: number): number {
  const at = scheduledOn(terms, cycle);
  if (!terms.daysBeforeDelivery) return at;
  const local = DateTime.fromMillis(at, { zone: terms.zone });
  return onDay(local.startOf('day').minus({ days: terms.daysBeforeDelivery }), local, terms.zone);
}

/** `part` hundred-thousandths of an amount, half a unit up. */
const share = (amount: number, part: number): number => Number((BigInt(amount) * BigInt(part) * 2n + 100_000n) / 200_000n);

function totalOf(terms: Terms, isPrepaidDelivery: boolean, chargesBefore: number, at: number): number {
  const { shippingRule } = terms.rulesAt(at);
  const ships = terms.lines.some(line => line.ships);
  const times = isPrepaidDelivery ? (shippingRule === 'EACH_DELIVERY' ? 1 : 0) : shippingRule === 'UPFRONT_ALL' ? terms.times : 1;
  const shipping = ships ? terms.shipping * (terms.times === 1 ? 1 : times) : 0;
  if (isPrepaidDelivery) return shipping;
  let total = shipping;
  for (const line of terms.lines) {
    const piece =
      line.price ?? (line.percentOff === null ? line.base : share(line.base, 100_000 - Math.round(Number(line.percentOff) * 1000)));
    const whole = piece * terms.times * line.quantity;
    const isOff = terms.code !== null && chargesBefore < terms.code.charges;
    total += isOff && terms.code ? whole - share(whole, terms.code.percent * 1000) : whole;
  }
  return total;
}

/** What a card says to the attempt of this number at one order. */
function answers(token: string, attempt: number): 'PAID' | 'SOFT' | 'HARD' {
  const fails = /^tok_fail_n_(\d+)_then_success$/.exec(token);
  if (fails) return attempt > Number(fails[1]) ? 'PAID' : 'SOFT';
  if (token === 'tok_success') return 'PAID';
  return token === 'tok_decline_expired_card' ? 'HARD' : 'SOFT';
}

const localDay = (at: number, zone: string): number =>
  Math.round(DateTime.fromMillis(at, { zone }).startOf('day').setZone('utc', { keepLocalTime: true }).toMillis() / 86_400_000);

/** The life of a subscription until `end`. */
export function modelLife(terms: Terms, stretches: readonly Stretch[], end: number): ModelLife {
  const { zone } = terms;
  const life: ModelLife = { orders: [], status: 'ACTIVE', charges: 0, credits: 0, nextAt: null };
  /** When something that is due then is done. */
  const doneAt = (due: number): number => {
    const here = stretches.find(stretch => due > stretch.from && due <= stretch.to);
    return !here || here.isExact ? due : here.to;
  };
  let unpaidInARow = 0;
  for (let cycle = 1; life.status === 'ACTIVE'; cycle++) {
    const billingAt = dateOfCycle(terms, cycle);
    if (billingAt > end) {
      life.nextAt = billingAt;
      return life;
    }
    const isPrepaidDelivery = life.credits > 0;
    const order: ModelOrder = {
      cycle,
      billingAt,
      deliveryAt: scheduledOn(terms, cycle),
      isPrepaidDelivery,
      number: isPrepaidDelivery ? life.charges : life.charges + 1,
      total: 0,
      status: 'FAILED',
      attempts: [],
      retryAt: null,
    };
    life.orders.push(order);
    const { verdict, at } = tryAll(order, cycle);
    if (verdict === 'LATER') {
      life.nextAt = isLastOf(order) ? null : dateOfCycle(terms, cycle + 1);
      return life;
    }
    if (verdict === 'PAID') {
      order.status = 'PAID';
      unpaidInARow = 0;
      if (isPrepaidDelivery) life.credits -= 1;
      else {
        life.charges += 1;
        life.credits = terms.times - 1;
      }
      if (life.credits === 0 && terms.maxCharges !== null && life.charges >= terms.maxCharges) life.status = 'EXPIRED';
      continue;
    }
    unpaidInARow += 1;
    const { recovery } = terms.rulesAt(at);
    const action =
      verdict === 'HARD'
        ? recovery.hardDeclineAction
        : recovery.finalAction === 'SKIP' && recovery.successiveFailedCycles !== null && unpaidInARow >= recovery.successiveFailedCycles
          ? recovery.successiveAction
          : recovery.finalAction;
    if (action === 'SKIP') order.status = 'SKIPPED';
    if (action === 'PAUSE') life.status = 'PAUSED';
    if (action === 'CANCEL') life.status = 'CANCELLED';
  }
  return life;

  /** While an order is open it counts as made: after the last one no other follows. */
  function isLastOf(order: ModelOrder): boolean {
    return (
      terms.maxCharges !== null &&
      (order.isPrepaidDelivery ? life.credits === 1 && life.charges >= terms.maxCharges : life.charges + 1 >= terms.maxCharges)
    );
  }
  function tryAll(order: ModelOrder, cycle: number): { verdict: 'PAID' | 'SOFT' | 'HARD' | 'LATER'; at: number } {
    const nextDay = isLastOf(order) ? Infinity : localDay(dateOfCycle(terms, cycle + 1), zone);
    let due = order.billingAt;
    for (let retries = 0; ; retries++) {
      if (due > end) {
        order.retryAt = due;
        return { verdict: 'LATER', at: due };
      }
      const at = doneAt(due);
      const { recovery, billingHour } = terms.rulesAt(at);
      // An order is priced again at every try.
      order.total = totalOf(terms, order.isPrepaidDelivery, life.charges, at);
      if (order.total === 0) return { verdict: 'PAID', at };
      let said = attempt(order, at, terms.method, false, retries > 0);
      if (said === 'PAID') return { verdict: said, at };
      const isBackupThere =
        recovery.backupPaymentEnabled && terms.backup !== null && (terms.isBackupChosen || recovery.backupAutoConfigure);
      if (order.attempts.length === 1 && isBackupThere && terms.backup) {
        said = attempt(order, at, terms.backup, true, false);
        if (said === 'PAID') return { verdict: said, at };
      }
      if (said === 'HARD' && recovery.hardDeclineBehavior === 'NO_RETRY') return { verdict: 'HARD', at };
      if (retries >= recovery.retryAttempts) return { verdict: 'SOFT', at };
      const last = DateTime.fromMillis(at, { zone });
      const day = last.startOf('day').plus({ days: recovery.retrySpacingDays });
      due = onDay(day, billingHour === null ? last : DateTime.utc(2000, 1, 1, billingHour), zone);
      if (recovery.timeWindowDays !== null && localDay(due, zone) - localDay(order.billingAt, zone) > recovery.timeWindowDays)
        return { verdict: 'SOFT', at };
      if (localDay(due, zone) >= nextDay) return { verdict: 'SOFT', at };
    }
  }
  function attempt(order: ModelOrder, at: number, method: ModelMethod, isBackup: boolean, isRetry: boolean): 'PAID' | 'SOFT' | 'HARD' {
    const said = answers(method.token, order.attempts.length + 1);
    order.attempts.push({ at, methodId: method.id, amount: order.total, ok: said === 'PAID', isBackup, isRetry });
    return said;
  }
}
