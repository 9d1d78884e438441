// The product runs on Node 20.19 to 24: its packages say so, and under Node 24 the rules hold and the built server starts, answers and stops.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { minVersion, satisfies } from 'semver';
import { describe, expect, it } from 'vitest';
import { ensureNode24, root } from '../../scripts/ensure.mjs';
import { startProduct } from '../support/browser/product.ts';

const readJson = (file: string): any => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')); // any: each file has its own shape

it('has no package that refuses the oldest Node it runs on, or Node 24', () => {
  const oldest = minVersion(readJson('package.json').engines.node)!.version;
  expect(oldest).toBe('20.19.0');
  const packages = Object.entries<{ version?: string; engines?: { node?: string }; optional?: boolean }>(
    readJson('package-lock.json').packages,
  );
  expect(packages.length).toBeGreaterThan(400);
  // Builds for other systems are optional: none is installed where it does not fit.
  const needed = packages.filter(([, { optional }]) => !optional);
  const refusing = needed.flatMap(([name, { version, engines }]) =>
    [oldest, '24.0.0'].filter(node => !satisfies(node, engines?.node ?? '*')).map(node => `${name} ${version} refuses Node ${node}`),
  );
  expect(refusing).toEqual([]);
});

const node24 = ensureNode24();
/** Runs a program of Node 24 to its end; gives its exit code and what it wrote. */
const run = (args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    // Without what this run of the tests says to its own processes.
    const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_ENV$|TEST$|CI$)/.test(name));
    const child = spawn(node24!, args, { cwd: root, env: { ...Object.fromEntries(own), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const read = (data: Buffer): void => {
      output += data.toString();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', code => resolve({ code, output }));
  });

describe.runIf(node24)('Node 24', () => {
  it('is the one that runs these', async () => {
    expect((await run(['--version'])).output).toMatch(/^v24\./);
  });

  it('keeps to the rules of dates, money and texts', async () => {
    const report = path.join(root, '.cache', 'node24-report.json');
    fs.rmSync(report, { force: true });
    const { code, output } = await run(
      ['node_modules/vitest/vitest.mjs', 'run', 'tests/domain/', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
      { PERENNIAL_RUNS: '50', PERENNIAL_SKIP_POSTGRES: '1' },
    );
    expect(code, output).toBe(0);
    const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(fs.readFileSync(report, 'utf8'));
    expect({ numPassedTests, numFailedTests }).toEqual({ numPassedTests: numTotalTests, numFailedTests: 0 });
    expect(numTotalTests).toBeGreaterThan(400);
  }, 300_000);

  it('starts the built server on the embedded database, lists subscriptions, and stops it', async () => {
    const product = await startProduct({ node: node24!, size: 60, env: { LOG_LEVEL: 'info' }, patience: 120_000 });
    try {
      expect(fs.readlinkSync(`/proc/${product.pid}/exe`)).toBe(fs.realpathSync(node24!));
      const response = await fetch(`${product.url}/host/main/api/merchant/subscriptionContract/list?pageSize=10`, {
        headers: { authorization: await product.token('readOnly') },
      });
      expect(response.status).toBe(200);
      expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(10);
      expect(await product.stop()).toBe(0);
    } finally {
      await product.remove();
    }
  });
});
