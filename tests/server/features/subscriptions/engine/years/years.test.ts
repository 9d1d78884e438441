// Ten years of random subscriptions on both engines, with a fresh seed each time; npm run torture does thousands.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, openTestDatabase, type TestDatabase } from '../../../../../support/database.ts';
import { simulateYears } from './years.ts';

const given = process.env['PERENNIAL_SEED'];
const seed = given ? Number(given) : Math.floor(Math.random() * 1_000_000_000);

describe.each(engines)('years on %s', engine => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.remove());

  it(`no order is charged twice, none is lost, no date runs backwards, totals add up (PERENNIAL_SEED=${seed})`, async () => {
    const result = await simulateYears(database.db, { seed, storeId: 1, contracts: 12, years: 10 });
    expect(result.orders).toBeGreaterThan(100);
    expect(result.checks).toBeGreaterThan(1000);
  }, 900_000);
});
