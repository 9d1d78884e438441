// Simulated years: random contracts, random settings and random actions on a real database, and what must be true of the books at any moment.
import type { JsonObject } from '../../../../src/contract/types.ts';
import { group, loadAggregates, type Aggregate } from '../../../../src/server/engine/aggregate.ts';
import { moveClock } from '../../../../src/server/engine/charging/run-due.ts';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { randomFrom } from '../../../support/random.ts';
import type { Recovery, Rules, Stretch, Terms } from './model.ts';
import { DAY, Shop } from '../shop.ts';
import { randomAction } from './years-actions.ts';
import { checkBooks, checkMoment, checkShown, checkWatched, Proof, readBooks, type Books } from './years-checks.ts';
import { clocksOf, KINDS, randomContract, watchedContract, type Kind } from './years-contracts.ts';
import { billingHourOf, scheduleSettings, settingsOf, zoneOf } from './years-settings.ts';

export interface YearsOptions {
  /** Half of the contracts live through random actions, the other half is left alone and must live as the model says. */
  seed: number;
  storeId: number;
  contracts: number;
  years: number;
  /** Random actions for each contract of the first half and year, about. */
  actions?: number;
  progress?(line: string): void;
  /** Whether its time is over before the years are; everything is looked at once more then. */
  isOver?(): boolean;
}
export interface YearsResult {
  contracts: number;
  /** Years that passed, of all contracts together. */
  lived: number;
  orders: number;
  charges: number;
  /** Charges that were refused. */
  failures: number;
  /** Actions that were done, by name. */
  actions: Record<string, number>;
  refused: number;
  /** Times that something was looked at that must be so. */
  checks: number;
}
/** Contracts made under the same order schedule and billing hour: one of each kind that is watched, and as many others. */
const COHORT = 2 * KINDS.length;
const YEAR = 365.25 * DAY;

/**
 * Lets years pass over random contracts of a store. Its settings change about once a year; the contracts were sold under several order schedules.
 * @throws Error naming seed and moment when something is wrong
 */
export async function simulateYears(db: Database, options: YearsOptions): Promise<YearsResult> {
  const { seed, storeId, contracts, years, actions = 2 } = options;
  const random = randomFrom(seed);
  const zone = zoneOf(seed, random);
  const currency = random.pick(['USD', 'USD', 'EUR', 'JPY', 'KWD']);
  const shop = await Shop.open(
    db,
    `20${random.between(20, 30)}-0${random.between(1, 9)}-${random.between(10, 28)}T${random.between(10, 23)}:17:00Z`,
    {
      storeId,
      timezone: zone,
      currency,
      details: currency === 'JPY' ? { shippingOptions: [{ code: 'STANDARD', title: 'Standard', price: '500' }] } : {},
    },
  );
  const proof = new Proof(() => `Seed ${seed}, store ${storeId} (${zone}, ${currency}), ${shop.now.toISOString()}`);
  const save = async (pages: Record<string, JsonObject>): Promise<void> => {
    for (const [name, data] of Object.entries(pages)) await shop.settings(name, data);
  };
  let settings = settingsOf(random);
  await save(settings);
  await db.exec(`update variants set inventory_quantity = ${random.between(20, 2000)} where store_id = ${storeId} and id in (1, 3)`);
  const stock = new Map(
    (
      await db.inStore(storeId, trx =>
        trx.selectFrom('variants').select(['id', 'inventory_quantity']).where('inventory_management', 'is not', null).execute(),
      )
    ).map(row => [row.id, row.inventory_quantity]),
  );
  const changes: { after: number; rules: Rules }[] = [{ after: -Infinity, rules: rulesOf(settings) }];
  const rulesAt = (at: number): Rules => (changes.findLast(change => change.after < at) ?? changes[0]!).rules;

  const ids: number[] = [];
  const watched = new Map<number, Terms>();
  const clocks = clocksOf(random);
  const billingHours = [billingHourOf(random), billingHourOf(random), null];
  let schedule: JsonObject = {};
  for (let i = 0; i < contracts; i++) {
    if (i % COHORT === 0) {
      schedule = scheduleSettings(random);
      await save({ 'order-schedule': schedule, general: { ...settings.general, billingHour: random.pick(billingHours) } });
    }
    if (i % 2 === 0) ids.push(await randomContract(shop, random, { currency, zone, clocks }));
    else {
      const { id, terms } = await watchedContract(shop, random, KINDS[(i >> 1) % KINDS.length] as Kind, {
        zone,
        clocks,
        schedule,
        rulesAt,
      });
      watched.set(id, terms);
    }
  }
  await save({ general: settings.general ?? {} });
  const read = async (which: readonly number[]): Promise<Map<number, Aggregate>> =>
    new Map(
      (await shop.as()(context => loadAggregates(context.trx, storeId, which, { lock: false }))).map(subscription => [
        subscription.contract.id,
        subscription,
      ]),
    );
  const made = await read([...watched.keys()]);
  for (const [id, terms] of watched) checkShown(made.get(id) as Aggregate, terms, [], shop.now, proof);

  const stretches: Stretch[] = [];
  /** Everything written down so far, against itself, the gateway and the model. */
  const checkAll = async (): Promise<Books> => {
    const books = await readBooks(db, storeId);
    checkBooks(books, stock, zone, proof);
    const ordersOf = group(books.orders, order => order.contract_id);
    const attemptsOf = group(books.attempts, attempt => attempt.contract_id);
    const lived = await read([...watched.keys()]);
    for (const [id, terms] of watched)
      checkWatched(lived.get(id) as Aggregate, ordersOf.get(id) ?? [], attemptsOf.get(id) ?? [], terms, stretches, shop.now, proof);
    return books;
  };
  const done: Record<string, number> = {};
  let asked = 0,
    refused = 0,
    isChecked = false;
  const start = shop.now.getTime();
  const end = start + years * YEAR;
  let changesNext = start + random.between(100, 500) * DAY;
  while (shop.now.getTime() < end && !options.isOver?.()) {
    const next = new Date(Math.min(end, shop.now.getTime() + (random.between(1, 40) * DAY) / 2 + random.between(0, 3_600_000)));
    const isExact = random.chance(0.5);
    stretches.push({ from: shop.now.getTime(), to: next.getTime(), isExact });
    if (isExact) await moveClock(shop.runtime, storeId, shop.now, next, async () => undefined);
    shop.now = next;
    if (!isExact) {
      await shop.run();
      await shop.run();
    }
    if (random.chance(0.2))
      await db
        .exec(`update variants set inventory_quantity = inventory_quantity + 30 where store_id = ${storeId} and id = 1`)
        .then(() => stock.set(1, (stock.get(1) ?? 0) + 30));
    const wanted = Math.ceil(((next.getTime() - start) / YEAR) * actions * ids.length) - asked;
    const chosen = Array.from({ length: wanted }, () => random.pick(ids));
    const known = await read([...new Set(chosen)]);
    for (const id of chosen) {
      const { action, isDone } = await randomAction(shop, random, known.get(id) as Aggregate);
      asked++;
      if (isDone) done[action] = (done[action] ?? 0) + 1;
      else refused++;
    }
    await shop.run();
    await checkMoment(db, storeId, shop.now, proof);
    // What goes wrong at all mostly does so in the first year; the end sees the rest.
    if (!isChecked && shop.now.getTime() > start + YEAR) {
      await checkAll();
      isChecked = true;
    }
    if (shop.now.getTime() > changesNext) {
      settings = settingsOf(random);
      await save(settings);
      changes.push({ after: shop.now.getTime(), rules: rulesOf(settings) });
      changesNext = shop.now.getTime() + random.between(100, 500) * DAY;
    }
  }

  const books = await checkAll();
  const failures = books.attempts.filter(attempt => !attempt.success).length;
  options.progress?.(
    `seed ${seed}: ${contracts} contracts, ${years} years in ${zone}, ${books.orders.length} orders, ${books.charges.length} charges, ${failures} failures, ${asked} actions (${refused} refused), settings of ${changes.length} kinds, ${proof.checks} checks`,
  );
  return {
    contracts,
    lived: Math.round((contracts * (shop.now.getTime() - start)) / YEAR),
    orders: books.orders.length,
    charges: books.charges.length,
    failures,
    actions: done,
    refused,
    checks: proof.checks,
  };
}

const rulesOf = (settings: Record<string, JsonObject>): Rules => ({
  recovery: settings.paymentRecovery as unknown as Recovery,
  billingHour: settings.general?.billingHour as number | null,
  shippingRule: settings.general?.prepaidShippingCharge as Rules['shippingRule'],
});
