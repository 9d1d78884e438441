// Two processes that run flows and are killed in turns: each event is followed once, each subscription has what its flow does once.
import { expect, test } from 'vitest';
import { engines, openTestDatabase } from '../../../support/database.ts';
import { planSeed } from '../../../support/seed.ts';
import { seeded } from '../../../support/torture/embedded-kill.ts';
import { killFlows } from '../../../support/torture/flow-kill.ts';

test.runIf(engines.includes('postgres'))(
  'flows run exactly once behind each event although their processes are killed',
  async () => {
    const seed = planSeed();
    console.log(`flow kill: FC_SEED=${seed}`);
    const test = await openTestDatabase('postgres');
    try {
      const outcome = await killFlows({ url: test.url!, db: test.db, kills: 1, events: 200, random: seeded(seed) });
      expect(outcome.failures).toEqual([]);
      expect(outcome.kills).toBe(1);
      expect(outcome.events).toBeGreaterThan(30);
    } finally {
      await test.remove();
    }
  },
  300_000,
);
