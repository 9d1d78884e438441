// Check 23: the properties of schedules and of money on many random cases. usage: npx tsx tests/torture/properties.ts [--cases 20000] [--seed N] [--seconds N]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, options } from '../support/torture/torture.ts';

/** Most properties of one file; they are tried one after the other, the files beside each other. */
const IN_A_FILE = 5;
const { seed, time, cases } = options('cases', 20_000);
console.log(`properties: seed ${seed}, ${cases} cases of each`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-properties-'));
const report = path.join(folder, 'report.json');
const { left } = time;
try {
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '.property.test.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--testTimeout=0',
    ],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PERENNIAL_RUNS: String(cases),
        FC_SEED: String(seed),
        ...(left === undefined ? {} : { PERENNIAL_RUN_MS: String(Math.ceil((left * 1000) / IN_A_FILE)) }),
      },
    },
  );
  interface Report {
    numPassedTests: number;
    numTotalTests: number;
    testResults: { assertionResults: { fullName: string; status: string; failureMessages?: string[] }[] }[];
  }
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(fs.readFileSync(report, 'utf8')) as Report;
  const failures = testResults
    .flatMap(file => file.assertionResults)
    .filter(one => one.status === 'failed')
    .map(one => `${one.fullName}\n${one.failureMessages?.join('\n') ?? ''}`);
  if (status !== 0 && failures.length === 0) failures.push(`The tests ended with ${status ?? 'a signal'}.`);
  end(`properties: ${numPassedTests} hold`, { done: numPassedTests, of: numTotalTests, unit: 'properties' }, failures);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
