// Check 20, in short: people who edit the same thing at once. Longer: npm run torture -- editors.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/database.ts';
import { raceEditors } from '../../support/editors.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe.each(engines)('people who edit one thing at once, on %s', engine => {
  let server: TestServer;
  beforeAll(async () => { server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, jobs: true, config: { workers: 0 } }); });
  afterAll(() => server?.close());

  it('lose nothing that was saved: of two with one version exactly one wins, the other hears both', async () => {
    const seed = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));
    console.log(`editors: FC_SEED=${seed}`);
    const report = await raceEditors(server, { seed, interleavings: 30 });
    expect(report.failures).toEqual([]);
    expect(report.refused).toBeGreaterThan(10);
  }, 300_000);
});
