import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/server/platform/db/database.ts';
import { killWorkers } from '../../../support/torture/bulk-kill.ts';
import { engines, oneEngine, openTestDatabase, temporaryFolder } from '../../../support/database.ts';
import { seeded } from '../../../support/torture/embedded-kill.ts';
import { planSeed } from '../../../support/seed.ts';

const seed = planSeed();

test.runIf(engines.includes('postgres'))(
  'two workers of bulk actions killed at any moment leave no row undone, none done twice, and no card charged twice',
  async () => {
    console.log(`bulk kill: FC_SEED=${seed}`);
    const { url, remove } = await openTestDatabase('postgres');
    try {
      const outcome = await killWorkers({
        kind: 'postgres',
        where: url!,
        open: () => openDatabase({ database: { kind: 'postgres', url: url! } }),
        kills: 2,
        contracts: 60,
        workers: 2,
        random: seeded(seed),
      });
      expect(outcome.failures).toEqual([]);
      expect(outcome.kills).toBe(2);
      expect(outcome.rows).toBeGreaterThan(25);
    } finally {
      await remove();
    }
  },
  600_000,
);

// Usually in the torture alone.
test.runIf(oneEngine.includes('embedded'))(
  'the same on the embedded database, whose folder the next process takes over',
  async () => {
    const folder = temporaryFolder();
    const outcome = await killWorkers({
      kind: 'embedded',
      where: folder,
      open: () => openDatabase({ database: { kind: 'embedded' }, dataFolder: folder }),
      kills: 1,
      contracts: 40,
      workers: 1,
      random: seeded(seed + 1),
    });
    expect(outcome.failures).toEqual([]);
    expect(outcome.kills).toBe(1);
  },
  600_000,
);
