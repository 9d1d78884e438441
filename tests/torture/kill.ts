// Check 10: kills a process writing to the embedded database a hundred times: nothing that was answered may be lost.
// usage: npx tsx tests/torture/kill.ts [--kills 100] [--seed N] [--seconds N]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { killAgainAndAgain, seeded } from '../support/torture/embedded-kill.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, kills } = options('kills', 100);
console.log(`kill: seed ${seed}, ${kills} kills`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-kill-'));
try {
  const report = await killAgainAndAgain(folder, kills, seeded(seed), time.isOver);
  const times = report.opened.toSorted((a, b) => a - b).map(Math.round);
  end(
    `kill: ${report.kills} kills, ${report.answered} answered rows, opened again in ${times[times.length >> 1]} ms (median), ${times.at(-1)} ms (worst)`,
    { done: report.kills, of: kills, unit: 'kills' },
    [
      ...report.failed,
      ...(report.lost > 0 ? [`${report.lost} answered rows were lost`] : []),
      ...(report.torn > 0 ? [`${report.torn} batches were torn`] : []),
    ],
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
