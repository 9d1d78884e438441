// Kills the workers of bulk actions at random moments, on both engines: no row missed, none done twice, activity = rows, no card charged twice.
// usage: npx tsx tests/torture/bulk.ts [--kills 60] [--seed N] [--seconds N]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/server/platform/db/database.ts';
import { killWorkers } from '../support/torture/bulk-kill.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { PostgresCluster, skipPostgres } from '../support/postgres.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, kills } = options('kills', 60);
console.log(`bulk: seed ${seed}, ${kills} kills`);
const random = seeded(seed);
const failures: string[] = [];
const told: string[] = [];
let done = 0;

const onEmbedded = skipPostgres ? kills : Math.max(1, Math.floor(kills / 4));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-bulk-'));
try {
  const found = await killWorkers({
    kind: 'embedded',
    where: folder,
    open: () => openDatabase({ database: { kind: 'embedded' }, dataFolder: folder }),
    kills: onEmbedded,
    contracts: 300,
    workers: 1,
    random,
    isOver: (skipPostgres ? time : time.part(3)).isOver,
  });
  failures.push(...found.failures);
  done += found.kills;
  told.push(`embedded: ${found.kills} kills, ${found.bulks} bulk actions, ${found.rows} rows`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

if (!skipPostgres) {
  const cluster = await PostgresCluster.create();
  const url = cluster.url();
  try {
    const found = await killWorkers({
      kind: 'postgres',
      where: url,
      open: () => openDatabase({ database: { kind: 'postgres', url } }),
      kills: kills - onEmbedded,
      contracts: 600,
      workers: 2,
      random,
      isOver: time.isOver,
    });
    failures.push(...found.failures);
    done += found.kills;
    told.push(`PostgreSQL, two workers: ${found.kills} kills, ${found.bulks} bulk actions, ${found.rows} rows`);
  } finally {
    await cluster.remove();
  }
}
end(`bulk: ${told.join('; ')}`, { done, of: kills, unit: 'kills' }, failures);
