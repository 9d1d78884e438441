// The settings of simulated stores: what the engine obeys, at random.
import type { Interval } from '../../../../src/domain/calendar/interval.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import type { Random } from '../../../support/random.ts';

/** Where the clocks still change. */
const CHANGING = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Auckland'];
/** Of two seeds in a row one at least gives a zone with daylight saving. */
export const zoneOf = (seed: number, random: Random): string => random.pick(seed % 2 === 0 ? CHANGING : ZONES);
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'America/Sao_Paulo',
  'UTC',
];
export const EVERY: Interval[] = [
  { interval: 'DAY', intervalCount: 9 },
  { interval: 'WEEK', intervalCount: 1 },
  { interval: 'WEEK', intervalCount: 3 },
  { interval: 'MONTH', intervalCount: 1 },
  { interval: 'MONTH', intervalCount: 1 },
  { interval: 'MONTH', intervalCount: 2 },
  { interval: 'YEAR', intervalCount: 1 },
];

export const billingHourOf = (random: Random): number | null => random.pick([null, null, 0, 2, 3, 9, 23]);

/** The pages that may change while subscriptions run: the next order or try goes by them. */
export const settingsOf = (random: Random): Record<string, JsonObject> => ({
  general: { billingHour: billingHourOf(random), prepaidShippingCharge: random.pick(['UPFRONT_ALL', 'FIRST_ONLY', 'EACH_DELIVERY']) },
  paymentRecovery: {
    retryAttempts: random.pick([0, 1, 2, 3, 3, 4, 6]),
    retrySpacingDays: random.pick([1, 1, 2, 3, 4, 9]),
    finalAction: random.pick(['SKIP', 'SKIP', 'PAUSE', 'CANCEL']),
    successiveFailedCycles: random.pick([null, 2, 3]),
    successiveAction: random.pick(['PAUSE', 'CANCEL']),
    hardDeclineBehavior: random.pick(['RETRY_AS_USUAL', 'NO_RETRY']),
    hardDeclineAction: random.pick(['NONE', 'SKIP', 'PAUSE']),
    timeWindowDays: random.pick([null, null, 5, 15]),
    backupPaymentEnabled: random.chance(0.85),
    backupAutoConfigure: random.chance(0.5),
  },
  'inventory-settings': {
    whenSomeAvailable: random.pick(['ALLOW_ORDER', 'PARTIAL_ORDER', 'DELAY_ORDER', 'SKIP_ORDER']),
    whenNoneAvailable: random.pick(['ALLOW_ORDER', 'DELAY_ORDER', 'SKIP_ORDER']),
    delayMaxDays: random.pick([3, 30]),
    afterMaxDelay: random.pick(['SKIP_ORDER', 'PAUSE', 'CANCEL']),
  },
});

/** Charge dates on any or on certain weekdays, or delivery dates that are charged before, at home (US, NY) by one of three rules. */
export function scheduleSettings(random: Random): JsonObject {
  const tags = {
    deliveryDateTag: { enabled: true, value: 'Deliver {delivery_date}', dateFormat: 'YYYY-MM-DD' },
    billingDateTag: { enabled: true, value: 'Charged {billing_date}', dateFormat: 'YYYY-MM-DD' },
  };
  const fields = { deliveryDateField: { enabled: true, source: 'ORDER_ATTRIBUTE', key: 'Delivery date', dateFormat: 'YYYY-MM-DD' } };
  if (random.chance(0.4)) return { ...tags, ...fields };
  if (random.chance(0.5))
    return {
      ...tags,
      ...fields,
      scheduleType: 'BILLING',
      onlyOnBillingDays: true,
      billingDays: [...new Set(Array.from({ length: random.between(1, 5) }, () => random.between(1, 7)))].sort((a, b) => a - b),
    };
  const row = (provinceCodes: string[]): JsonObject => ({ countryCode: 'US', provinceCodes, offsetDays: random.between(0, 12) });
  return {
    ...tags,
    ...fields,
    scheduleType: 'DELIVERY',
    chargeOffset: random.between(0, 12),
    countryBasedChargeOffset: random.pick([[], [row([])], [row([]), row(['CA', 'NY'])], [row(['CA'])]]),
  };
}
