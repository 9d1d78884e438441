import { afterAll, beforeAll, expect, it } from 'vitest';
import { fuzz } from '../../../support/torture/fuzz.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { planSeed } from '../../../support/seed.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 60, stores: 2 }, jobs: true, config: { workers: 0 } });
});
afterAll(() => server?.close());

it('answers generated requests to every call without failing, in one form, with records as their schemas say', async () => {
  const seed = planSeed();
  console.log(`fuzz: FC_SEED=${seed}`);
  const report = await fuzz(server, { seed, perCall: Number(process.env.FUZZ_PER_CALL ?? 12) });
  expect(report.failures.slice(0, 10).join('\n\n')).toBe('');
  expect(report.answered[200]).toBeGreaterThan(50); // the inputs reach the handlers
}, 300_000);
