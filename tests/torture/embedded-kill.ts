// Check 10: kills a process writing to the embedded database a hundred times. Prints the seed and what came of it; ends with 1 if
// anything answered was lost. usage: npx tsx tests/torture/embedded-kill.ts [--kills 100] [--seed N]
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import os from 'node:os';
import path from 'node:path';
import { killAgainAndAgain, seeded } from '../support/embedded-kill.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) } } });
console.log(`seed ${values.seed}`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-kill-'));
try {
  const report = await killAgainAndAgain(folder, Number(values.kills), seeded(Number(values.seed)));
  const times = report.opened.toSorted((a, b) => a - b).map(Math.round);
  console.log(JSON.stringify({ ...report, opened: { median: times[times.length >> 1], worst: times.at(-1) } }));
  if (report.lost > 0 || report.torn > 0 || report.failed.length > 0) process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
