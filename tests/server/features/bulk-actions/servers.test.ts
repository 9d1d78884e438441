// Check 9 in short, on the built product: two servers share a bulk action on one PostgreSQL database, and one after the other is killed in the middle of it.
// Longer, and on the embedded database too: npm run torture -- restart.
import { expect, test } from 'vitest';
import { createPostgresDatabase, engines } from '../../../support/database.ts';
import { seeded } from '../../../support/torture/embedded-kill.ts';
import { killSharedServers } from '../../../support/torture/restart.ts';
import { planSeed } from '../../../support/seed.ts';

test.runIf(engines.includes('postgres'))(
  'two servers that share bulk actions and are killed in turns leave no row undone, none done twice, and no card charged twice',
  async () => {
    const seed = planSeed();
    console.log(`servers: FC_SEED=${seed}`);
    const { url, remove } = await createPostgresDatabase();
    try {
      const report = await killSharedServers({
        url,
        kills: 2,
        size: 600,
        random: seeded(seed),
        bulks: 2,
        kinds: ['UPDATE_TAGS', 'CHARGE_ORDER'],
      });
      expect(report.failures.slice(0, 10)).toEqual([]);
      expect(report.kills).toBeGreaterThan(0);
      expect(report.rows).toBeGreaterThan(250);
    } finally {
      await remove();
    }
  },
  600_000,
);
