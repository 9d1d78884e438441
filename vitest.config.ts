// Every test of the product: pure ones first, then the server on both engines, then a real browser on the built product.
import { defineConfig } from 'vitest/config';
import { QUICK_NODE } from './tests/support/quick-node.ts';

export default defineConfig({
  test: {
    globalSetup: ['tests/support/quick-disk.ts', 'tests/support/postgres.ts', 'tests/support/run-folder.ts'],
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    pool: 'forks',
    // One more than the two cores that it is meant for: a file often waits for a database, a browser or a clock.
    maxWorkers: 3,
    execArgv: QUICK_NODE,
    // Files follow each other in the same processes, with the modules, the browser and the compiled database of the ones before:
    // they share code, never data. Each opens databases and servers of its own and closes them.
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for in a browser may take its time on a busy machine; its time is not measured here.
    expect: { poll: { timeout: 90_000 } },
    // A failure says all that is wrong, also one that was tried again and passed: reports keep nothing else of it.
    chaiConfig: { truncateThreshold: 4000 },
    // What was starved on a busy machine is run again as a whole file (scripts/test.mjs), not where it failed.
    retry: 0,
  },
});
