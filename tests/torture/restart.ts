// Check 9: built servers are killed at random moments of bulk actions and started again, one on the embedded database, two that share PostgreSQL: the work goes
// on by itself, no row missed, none done twice, log = rows, no card charged twice.
// usage: npx tsx tests/torture/restart.ts [--kills 40] [--seed N] [--seconds N] (needs npm run build)
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { seeded } from '../support/torture/embedded-kill.ts';
import { PostgresCluster, skipPostgres } from '../support/postgres.ts';
import { killServers, killSharedServers, type RestartReport } from '../support/torture/restart.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, kills } = options('kills', 40);
/** Subscriptions of the store: a bulk action of all of them lasts about as long as a process lives, or is large enough for two servers. */
const SIZE = { embedded: 1200, shared: 5000 };
console.log(`restart: seed ${seed}, ${kills} kills`);
const { ensureBuild } = await import('../../scripts/ensure.mjs');
ensureBuild();
const random = seeded(seed);
const failures: string[] = [];
const told: string[] = [];
let done = 0;
const tell = (where: string, report: RestartReport): void => {
  const times = report.resumed.toSorted((a, b) => a - b).map(Math.round);
  done += report.kills;
  failures.push(...report.failures.map(line => `${where}, ${line}`));
  told.push(
    `${where}: ${report.kills} kills, ${report.bulks} bulk actions, ${report.rows} rows, ${times.length ? `went on after ${times[times.length >> 1]} ms (median), ${times.at(-1)} ms (worst; goal 5,000)` : 'always over at once'}`,
  );
};

const shared = skipPostgres ? 0 : Math.ceil(kills / 2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-restart-'));
try {
  tell(
    'embedded',
    await killServers({ folder, kills: kills - shared, size: SIZE.embedded, random, isOver: (skipPostgres ? time : time.part(2)).isOver }),
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
if (shared > 0) {
  const cluster = await PostgresCluster.create();
  try {
    tell(
      'two servers on PostgreSQL',
      await killSharedServers({ url: cluster.url(), kills: shared, size: SIZE.shared, random, isOver: time.isOver }),
    );
  } finally {
    await cluster.remove();
  }
}
end(`restart: ${told.join('; ')}`, { done, of: kills, unit: 'kills' }, failures);
