import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutAndRetry } from '../../../support/torture/broken-connections.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { planSeed } from '../../../support/seed.ts';

describe.each(oneEngine)('connections that break (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 60, stores: 1 }, jobs: true, config: { workers: 0 } });
  });
  afterAll(() => server?.close());

  it('leave exactly one effect of a write that is repeated with its key', async () => {
    const seed = planSeed();
    console.log(`cut: FC_SEED=${seed}`);
    const report = await cutAndRetry(server, { seed, perCall: Number(process.env.CUTS_PER_CALL ?? 1) });
    expect(report.failures.slice(0, 10).join('\n')).toBe('');
    expect(report.writes).toBeGreaterThan(50);
  }, 300_000);
});
