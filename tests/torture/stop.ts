// Check 15: a server has to stop while two hundred connections write: every request is answered, every write that was answered is there
// after the next start, and no other; the job it was at is handed back.
// usage: npx tsx tests/torture/stop.ts [--rounds 10] [--connections 200] [--seed N] [--seconds N]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomFrom } from '../support/random.ts';
import { stopUnderLoad } from '../support/torture/stops.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, rounds, connections } = options('rounds', 10, { connections: 200 });
console.log(`stop: seed ${seed}, ${rounds} rounds, ${connections} connections`);
const random = randomFrom(seed);
const failures: string[] = [];
let written = 0;
let late = 0;
let done = 0;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-stop-'));
try {
  for (; done < rounds && !time.isOver(); done++) {
    const report = await stopUnderLoad({ folder, connections, random, round: done });
    written += report.written;
    if (report.late) late++;
    failures.push(...report.failures);
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
end(`stop: ${written} writes${late ? `, ${late} stops took more than ten seconds` : ''}`, { done, of: rounds, unit: 'rounds' }, failures);
