// Checks 18, 19 and 25 where they cost money: all ways to charge a subscription at once. Longer: npm run torture -- races.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/database.ts';
import { raceCharges } from '../../support/races.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe.each(engines)('all ways to charge at once on %s', engine => {
  let server: TestServer;
  beforeAll(async () => { server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, jobs: true, config: { workers: 0 } }); });
  afterAll(() => server?.close());

  it('take the money once, and the books agree', async () => {
    const seed = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));
    console.log(`races: FC_SEED=${seed}`);
    const report = await raceCharges(server, { seed, rounds: 24 });
    expect(report.failures).toEqual([]);
    expect(report.charges).toBeGreaterThan(5);
  }, 300_000);
});
