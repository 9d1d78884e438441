import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRead } from '../../../../src/contract/request.ts';
import { fuzz } from '../../../support/torture/fuzz.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { setScene } from './shown-scene.ts';
import { planSeed } from '../../../support/seed.ts';

let server: TestServer;
let inputs: Awaited<ReturnType<typeof setScene>>;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 60, stores: 2 }, jobs: true, config: { workers: 0 } });
  inputs = await setScene(server);
});
afterAll(() => server?.close());

it('answers generated requests to every call without failing, in one form, with records as their schemas say', async () => {
  const seed = planSeed();
  console.log(`fuzz: FC_SEED=${seed}`);
  const report = await fuzz(server, { seed, perCall: Number(process.env.FUZZ_PER_CALL ?? 3), inputs });
  const calls = Object.values(server.services.definitions.calls);
  const silent = calls.filter(({ name }) => !report.well.has(name));
  console.log(
    `${report.well.size} of ${calls.length} lines of the call tables answered well, ${report.twice} writes the same again for the same key; not these: ${silent.map(({ name }) => name).join(', ')}`,
  );
  expect(report.failures.slice(0, 10).join('\n\n')).toBe('');
  // Every call that reads answers well, that of a move of the clock where a random write began one; a write may be refused in the state that
  // the random ones before left.
  expect(silent.filter(call => isRead(call) && !call.public && call.name !== 'clock.run').map(({ name }) => name)).toEqual([]);
  expect(report.well.size).toBeGreaterThan(150);
  expect(report.twice).toBeGreaterThan(20);
  expect(report.answered[200]).toBeGreaterThan(50); // the inputs reach the handlers
}, 600_000);
