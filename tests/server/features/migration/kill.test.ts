import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/server/platform/db/database.ts';
import { engines, openTestDatabase, temporaryFolder } from '../../../support/database.ts';
import { planSeed } from '../../../support/seed.ts';
import { seeded } from '../../../support/torture/embedded-kill.ts';
import { killImports } from '../../../support/torture/import-kill.ts';

const seed = planSeed();

// The long one, 5,000 rows on both databases, its dry run and its undo killed as well, is `npm run torture -- import`.
test('a foreign file with bad rows is imported whole, once and without e-mails while its worker is killed twice', async () => {
  console.log(`import kill: FC_SEED=${seed}`);
  const plan = { rows: 120, bad: 9, kills: { check: 0, import: 2 }, size: 20, random: seeded(seed) };
  const made = engines.includes('postgres') ? await openTestDatabase('postgres') : undefined;
  const folder = temporaryFolder();
  const database = made ? ({ kind: 'postgres', url: made.url! } as const) : ({ kind: 'embedded' } as const);
  try {
    const outcome = await killImports({
      ...plan,
      kind: database.kind,
      where: made?.url ?? folder,
      open: () => openDatabase(made ? { database } : { database, dataFolder: folder }),
    });
    expect(outcome.failures).toEqual([]);
    expect(outcome.kills).toBe(2);
  } finally {
    await made?.remove();
  }
}, 600_000);
