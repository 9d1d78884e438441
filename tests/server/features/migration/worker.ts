// A worker of imports in a process of its own, for tests that kill it: says "ready", then "step" after each step, then "over" with its most memory (MiB).
import { readConfig } from '../../../../src/server/platform/config.ts';
import { runImport } from '../../../../src/server/features/migration/import/run-import.ts';
import { undoImport } from '../../../../src/server/features/migration/import/undo-import.ts';
import { openServices } from '../../../../src/server/platform/services.ts';

// `size`: subscriptions of a step; 0: as the product takes them.
const [kind = '', where = '', importId = '', size = '0'] = process.argv.slice(2);
const services = await openServices({
  ...readConfig({ PERENNIAL_WORKERS: '0', ...(kind === 'postgres' ? { DATABASE_URL: where } : { PERENNIAL_DATA: where }) }),
  port: 0,
});
await services.start();
process.stdout.write('ready\n');
const data = { storeId: 1, importId: Number(importId) };
const options = {
  ...(Number(size) ? { size: Number(size) } : {}),
  onStep: () => {
    process.stdout.write('step\n');
  },
};
await runImport(services, data, new AbortController().signal, options);
await undoImport(services, data, new AbortController().signal, options);
process.stdout.write(`over ${Math.round(process.resourceUsage().maxRSS / 1024)}\n`);
await services.close();
