// 5,000 rows of a foreign file with 40 bad ones are imported, and taken back, while the process that does it is killed; on both databases.
// usage: npx tsx tests/torture/import.ts [--kills 8, 0 to measure] [--rows 5000] [--seed N] [--seconds N]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/server/platform/db/database.ts';
import { PostgresCluster, skipPostgres } from '../support/postgres.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { killImports, type Pace } from '../support/torture/import-kill.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, kills, rows } = options('kills', 8, { rows: 5000 });
console.log(`import: seed ${seed}, ${rows} rows, ${kills} kills`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-import-'));
/** Kills of the import and of taking it back, on each database. */
const each = kills === 0 ? 0 : Math.max(1, Math.floor(kills / 4));
const shared = {
  rows,
  bad: Math.round(rows / 125),
  kills: { check: kills === 0 ? 0 : 1, import: each, undo: each },
  size: 0,
  isOver: time.isOver,
};
const failures: string[] = [];
let killed = 0;
const show = (kind: string, paces: readonly Pace[]): void => {
  for (const { phase, seconds, peakMiB } of paces) console.log(`${kind}: ${phase} ${seconds.toFixed(1)} s, at most ${peakMiB} MiB`);
};
try {
  const embedded = await killImports({
    ...shared,
    kind: 'embedded',
    where: folder,
    open: () => openDatabase({ database: { kind: 'embedded' }, dataFolder: folder }),
    random: seeded(seed),
  });
  show('embedded', embedded.paces);
  killed += embedded.kills;
  failures.push(...embedded.failures);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
if (!skipPostgres) {
  const cluster = await PostgresCluster.create();
  const url = cluster.url();
  try {
    const postgres = await killImports({
      ...shared,
      kind: 'postgres',
      where: url,
      open: () => openDatabase({ database: { kind: 'postgres', url } }),
      random: seeded(seed + 1),
    });
    show('postgres', postgres.paces);
    killed += postgres.kills;
    failures.push(...postgres.failures);
  } finally {
    await cluster.remove();
  }
}
end(`import: ${rows} rows, ${killed} kills`, { done: killed, of: kills, unit: 'kills' }, failures);
