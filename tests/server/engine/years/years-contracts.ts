// The subscriptions of simulated stores: any that live through random actions, and some of every kind that are left alone.
import { DateTime } from 'luxon';
import type { IntervalUnit } from '../../../../src/domain/calendar/interval.ts';
import { toDecimal } from '../../../../src/domain/money/money.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import type { Random } from '../../../support/random.ts';
import type { Rules, Terms } from './model.ts';
import type { Shop } from '../shop.ts';
import { EVERY } from './years-settings.ts';

const TOKENS = [
  'tok_success',
  'tok_success',
  'tok_success',
  'tok_fail_n_1_then_success',
  'tok_fail_n_3_then_success',
  'tok_decline_insufficient_funds',
  'tok_decline_expired_card',
  'tok_decline_fraud_suspected',
  'tok_decline_transient_error',
  'tok_decline_amount_too_small',
  'tok_decline_insufficient_inventory',
  'tok_requires_action',
];

/**
 * Clock times of a store's first orders: as many by day as in the hours that daylight saving leaves out or repeats. Few of them, so that
 * orders fall due together.
 */
export const clocksOf = (random: Random): number[] =>
  Array.from({ length: 4 }, (_, n) => (n % 2 ? random.between(0, 4 * 3600 - 1) : random.between(0, 86_399)));

/** The instant of a first order, one to seventy days ahead. */
function firstOf(shop: Shop, random: Random, zone: string, clocks: readonly number[]): Date {
  const seconds = random.pick(clocks);
  const day = DateTime.fromJSDate(shop.now, { zone })
    .startOf('day')
    .plus({ days: random.between(1, 70) + 1 });
  // Clocks change on Sundays: what repeats by weeks meets every change on one.
  return (random.chance(0.4) ? day.plus({ days: 7 - day.weekday }) : day)
    .set({ hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 })
    .toJSDate();
}

export async function randomContract(
  shop: Shop,
  random: Random,
  { currency, zone, clocks }: { currency: string; zone: string; clocks: readonly number[] },
): Promise<number> {
  const delivery = random.pick(EVERY);
  const times = random.chance(0.2) ? random.between(2, 4) : 1;
  const anchored = random.chance(0.25);
  const anchor: Record<IntervalUnit, JsonObject> = {
    DAY: {},
    WEEK: { anchorType: 'WEEKDAY', anchorDay: random.between(1, 7) },
    MONTH: { anchorType: 'MONTHDAY', anchorDay: random.pick([1, 15, 29, 31, 32]) },
    YEAR: { anchorType: 'YEARDAY', anchorDay: 29, anchorMonth: 2 },
  };
  const minor = toDecimal(random.between(1, 9999), currency);
  return shop.contract({
    token: random.pick(TOKENS),
    backup: random.chance(0.4) ? random.pick(TOKENS) : undefined,
    first: firstOf(shop, random, zone, clocks),
    billingPolicy: {
      interval: delivery.interval,
      intervalCount: delivery.intervalCount * times,
      maxCycles: random.chance(0.2) ? random.between(3, 30) : null,
      ...(anchored ? anchor[delivery.interval] : {}),
    },
    deliveryPolicy: delivery,
    lines: [
      {
        variantId: random.pick([1, 2, 3]),
        quantity: random.between(1, 3),
        discountType: random.pick(['NONE', 'PERCENTAGE']),
        discountValue: '12.5',
      },
      ...(random.chance(0.5) ? [{ variantId: 4, discountType: 'PRICE' as const, discountValue: minor }] : []),
    ],
  });
}

/** Kinds of contracts that are left alone; every run has each of them. */
export const KINDS = ['PLAIN', 'PREPAID_LIMITED', 'FAILING', 'ANCHORED', 'PREPAID', 'BACKUP'] as const;
export type Kind = (typeof KINDS)[number];
const FAILING = [
  'tok_fail_n_1_then_success',
  'tok_fail_n_2_then_success',
  'tok_decline_insufficient_funds',
  'tok_decline_expired_card',
  'tok_requires_action',
];
const REFUSING = ['tok_decline_insufficient_funds', 'tok_requires_action'];
const ANCHORS: Record<
  IntervalUnit,
  (random: Random) => { anchorType: 'WEEKDAY' | 'MONTHDAY' | 'YEARDAY'; anchorDay: number; anchorMonth?: number } | null
> = {
  DAY: () => null,
  WEEK: random => ({ anchorType: 'WEEKDAY', anchorDay: random.between(1, 7) }),
  MONTH: random => ({ anchorType: 'MONTHDAY', anchorDay: random.pick([1, 15, 29, 31, 32]) }),
  YEAR: () => ({ anchorType: 'YEARDAY', anchorDay: 29, anchorMonth: 2 }),
};

/** A contract of products without stock that stays untouched, and its terms as the model reads them. */
export async function watchedContract(
  shop: Shop,
  random: Random,
  kind: Kind,
  { zone, clocks, schedule, rulesAt }: { zone: string; clocks: readonly number[]; schedule: JsonObject; rulesAt: (at: number) => Rules },
): Promise<{ id: number; terms: Terms }> {
  const isPrepaid = kind === 'PREPAID' || kind === 'PREPAID_LIMITED';
  const every = random.pick(kind === 'ANCHORED' ? EVERY.filter(one => one.interval !== 'DAY') : EVERY);
  const times = isPrepaid ? random.between(2, 4) : 1;
  const isLimited = kind === 'PREPAID_LIMITED' || random.chance(0.2);
  const maxCharges = isLimited ? random.between(2, every.interval === 'YEAR' ? 2 : 5) : null;
  const anchor = kind === 'ANCHORED' ? ANCHORS[every.interval](random) : null;
  // What is tried again more than once shows which method each try takes: the backup only once, after the first.
  const token =
    kind === 'BACKUP'
      ? random.pick(REFUSING)
      : kind === 'FAILING' || (isPrepaid && random.chance(0.3))
        ? random.pick(FAILING)
        : 'tok_success';
  const backup = kind === 'BACKUP' ? random.pick(['tok_success', ...REFUSING, ...REFUSING, ...FAILING]) : undefined;
  const hasCode = random.chance(0.5);
  const lines = [
    {
      variantId: 2,
      quantity: random.between(1, 3),
      ...(random.chance(0.7)
        ? { discountType: 'PERCENTAGE' as const, discountValue: random.pick(['12.5', '10', '33']) }
        : { discountType: 'NONE' as const, discountValue: null }),
    },
    ...(random.chance(0.4) ? [{ variantId: 4, quantity: random.between(1, 2), discountType: 'NONE' as const, discountValue: null }] : []),
  ];
  const id = await shop.contract({
    token,
    backup,
    first: firstOf(shop, random, zone, clocks),
    lines,
    discountCodes: hasCode ? ['WELCOME'] : [],
    billingPolicy: { interval: every.interval, intervalCount: every.intervalCount * times, maxCycles: maxCharges, ...anchor },
    deliveryPolicy: every,
  });
  const { contract, methods } = await shop.get(id);
  const [method, other] = methods;
  const base: Record<number, number> = { 2: 2400, 4: 500 };
  return {
    id,
    terms: {
      zone,
      first: contract.base_at as Date,
      unit: every.interval,
      count: every.intervalCount,
      times,
      maxCharges,
      anchor: anchor && { day: anchor.anchorDay, month: anchor.anchorMonth ?? null },
      lines: lines.map(line => ({
        base: base[line.variantId] as number,
        quantity: line.quantity,
        percentOff: line.discountValue,
        price: null,
        ships: line.variantId === 2,
      })),
      shipping: contract.delivery_price,
      code: hasCode ? { percent: 10, charges: 2 } : null,
      method: { id: method?.id as number, token },
      backup: other && backup ? { id: other.id, token: backup } : null,
      isBackupChosen: true,
      rulesAt,
      ...scheduleOfTerms(schedule),
    },
  };
}

/** Every contract of the shop goes to New York: the province counts before the country, the country before the rest. */
function scheduleOfTerms(page: JsonObject): Pick<Terms, 'daysBeforeDelivery' | 'weekdays'> {
  if (page.scheduleType !== 'DELIVERY')
    return { daysBeforeDelivery: null, weekdays: page.onlyOnBillingDays ? (page.billingDays as number[]) : null };
  const rows = page.countryBasedChargeOffset as { provinceCodes: string[]; offsetDays: number }[];
  const row = rows.find(one => one.provinceCodes.includes('NY')) ?? rows.find(one => one.provinceCodes.length === 0);
  return { daysBeforeDelivery: row ? row.offsetDays : (page.chargeOffset as number), weekdays: null };
}
