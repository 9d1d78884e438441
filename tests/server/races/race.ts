// Races with a random plan (on both databases in the torture), over a server whose jobs wait, with a seed that is printed and can be given again (FC_SEED).
import { afterAll, beforeAll, describe, it } from 'vitest';
import { oneEngine } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { planSeed } from '../../support/seed.ts';

/** Describes `who`, with one test; `FC_SEED=7` repeats its plan. */
export function race(who: string, does: string, run: (server: TestServer, seed: number) => Promise<void>): void {
  describe.each(oneEngine)(`${who}, on %s`, engine => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, jobs: true, config: { workers: 0 } });
    });
    afterAll(() => server?.close());

    it(
      does,
      async () => {
        const seed = planSeed();
        console.log(`races: FC_SEED=${seed}`);
        await run(server, seed);
      },
      300_000,
    );
  });
}
