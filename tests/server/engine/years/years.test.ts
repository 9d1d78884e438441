// Two years, of random subscriptions, with a fresh seed each time; npm run torture does thousands of ten years on both engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { simulateYears } from './years.ts';

const given = process.env['PERENNIAL_SEED'];
const seed = given ? Number(given) : Math.floor(Math.random() * 1_000_000_000);

describe.each(oneEngine)('years on %s', engine => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.remove());

  it(`no order is charged twice, none is lost, no date runs backwards, totals add up (PERENNIAL_SEED=${seed})`, async () => {
    const result = await simulateYears(database.db, { seed, storeId: 1, contracts: 8, years: 2 });
    expect(result.orders).toBeGreaterThan(50);
    expect(result.checks).toBeGreaterThan(500);
  }, 900_000);
});
