// The files that `npm test` tries on PostgreSQL alone (`oneEngine`), on the embedded database. usage: npx tsx tests/torture/embedded.ts [--files 200] [--seed N] [--seconds N]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomFrom } from '../support/random.ts';
import { end, options } from '../support/torture/torture.ts';

/** Files between two looks at the time: vitest's own start is shared. */
const IN_A_ROW = 8;
interface Counted {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string; fullName: string }[] }[];
}

const { seed, time, files } = options('files', 200);
console.log(`embedded: seed ${seed}, ${files} files`);
const random = randomFrom(seed);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-torture-'));
const report = path.join(folder, 'report.json');
const all = fs
  .readdirSync('tests/server', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts') && fs.readFileSync(path.join('tests/server', file), 'utf8').includes('each(oneEngine)'))
  .map(file => ({ file: path.join('tests/server', file), place: random.between(0, 1_000_000) }))
  .sort((a, b) => a.place - b.place)
  .slice(0, files);
const failures: string[] = [];
let done = 0;
for (; done < all.length && !time.isOver(); done += IN_A_ROW) {
  const some = all.slice(done, done + IN_A_ROW).map(({ file }) => file);
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`, ...some], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PERENNIAL_SKIP_POSTGRES: '1' },
  });
  const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8')) as Counted;
  fs.rmSync(report);
  for (const { name, status, message, assertionResults } of testResults)
    if (status === 'failed')
      failures.push([name, message, ...assertionResults.flatMap(one => (one.status === 'failed' ? [one.fullName] : []))].join('\n  '));
}
fs.rmSync(folder, { recursive: true, force: true });
done = Math.min(done, all.length);
end(`embedded: ${done} files of rules and calls on the embedded database`, { done, of: all.length, unit: 'files' }, failures);
