import { expect, test } from 'vitest';
import { engines, openTestDatabase } from '../../../support/database.ts';
import { planSeed } from '../../../support/seed.ts';
import { seeded } from '../../../support/torture/embedded-kill.ts';
import { killDeliveries } from '../../../support/torture/event-kill.ts';

test.runIf(engines.includes('postgres'))(
  'two processes that deliver events and are killed in turns bring each event to each consumer once',
  async () => {
    const seed = planSeed();
    console.log(`event kill: FC_SEED=${seed}`);
    const test = await openTestDatabase('postgres');
    try {
      const outcome = await killDeliveries({ url: test.url!, db: test.db, kills: 2, random: seeded(seed) });
      expect(outcome.failures).toEqual([]);
      expect(outcome.kills).toBe(2);
      expect(outcome.events).toBeGreaterThan(50);
    } finally {
      await test.remove();
    }
  },
  300_000,
);
