// Check 9: the built server is killed at random moments of bulk actions and started again: it goes on by itself, no row missed, none done twice, log = rows.
// usage: npx tsx tests/torture/restart.ts [--kills 40] [--seed N] (needs npm run build)
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { seeded } from '../support/embedded-kill.ts';
import { killServers } from '../support/restart.ts';
import { end, options } from '../support/torture.ts';

const { seed, kills } = options('kills', 40);
/** Subscriptions of the store: a bulk action of all of them lasts about as long as a process lives. */
const size = 1200;
console.log(`restart: seed ${seed}, ${kills} kills`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-restart-'));
try {
  const { ensureBuild } = await import('../../scripts/ensure.mjs');
  ensureBuild();
  const report = await killServers({ folder, kills, size, random: seeded(seed) });
  const times = report.resumed.toSorted((a, b) => a - b).map(Math.round);
  const told = times.length ? `went on after ${times[times.length >> 1]} ms (median), ${times.at(-1)} ms (worst; goal 5,000)` : 'always over at once';
  end(`restart: ${report.kills} kills, ${report.bulks} bulk actions, ${report.rows} rows, ${told}`, report.failures);
} finally { fs.rmSync(folder, { recursive: true, force: true }); }
