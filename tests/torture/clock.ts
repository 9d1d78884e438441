// Check 22: two years of orders in random zones, from random first days on hours that daylight saving skips and repeats, with the clock set back an hour after each step.
// usage: npx tsx tests/torture/clock.ts [--stores 8] [--seed N] [--seconds N]
import { DateTime } from 'luxon';
import { passTime, type First } from '../server/engine/years/two-years.ts';
import { randomFrom } from '../support/random.ts';
import { end, options, withDatabase } from '../support/torture/torture.ts';

const ZONES = [
  'America/New_York',
  'Europe/London',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'America/Santiago',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'UTC',
];
const { seed, time, stores } = options('stores', 8);
console.log(`clock: seed ${seed}, ${stores} stores`);
const random = randomFrom(seed);
const failures: string[] = [];
let orders = 0;
let done = 0;
await withDatabase(async db => {
  for (let storeId = 1; storeId <= stores && !time.isOver(); storeId++) {
    const start = DateTime.utc(random.between(2024, 2032), random.between(1, 12), random.between(1, 28), 12);
    const at = (day: DateTime): string => `${day.toISODate() ?? ''}T0${random.between(0, 3)}:${random.pick(['00', '15', '30'])}`;
    const soon = start.plus({ days: 2 + random.between(0, 40) });
    const leapYear =
      [0, 1, 2, 3, 4]
        .map(n => start.year + n)
        .find(year => DateTime.utc(year, 2, 29).isValid && DateTime.utc(year, 2, 29) > start.plus({ days: 1 })) ?? 2096;
    const firsts: First[] = [
      { at: at(soon.endOf('month')), every: { interval: 'MONTH', intervalCount: random.between(1, 3) }, unit: 'months' },
      { at: at(soon), every: { interval: 'WEEK', intervalCount: random.between(1, 3) }, unit: 'weeks' },
      { at: at(DateTime.utc(leapYear, 2, 29)), every: { interval: 'YEAR', intervalCount: 1 }, unit: 'years' },
    ];
    const passed = await passTime(db, {
      storeId,
      timezone: random.pick(ZONES),
      start: start.toISO() ?? '',
      end: start.plus({ years: 2, days: random.between(0, 60) }).toISO() ?? '',
      stepDays: random.between(3, 50),
      firsts,
    });
    orders += passed.orders;
    failures.push(...passed.failures);
    done++;
  }
});
end(`clock: ${orders} orders`, { done, of: stores, unit: 'stores' }, failures);
