// `npm run bench`: every benchmark, one after the other, each beside its floor in the same run. With names, only those: npm run bench -- lists pages.
// Options after the names are handed on: npm run bench -- lists --keep ../lists.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BENCHES: Record<string, string[]> = {
  lists: ['lists.ts'],
  pages: ['pages/run.ts'],
  start: ['start.ts'],
  forms: ['forms/run.ts'],
  billing: ['billing.ts'],
  bulk: ['bulk.ts'],
  flows: ['flows.ts'],
  rates: ['rates.ts'],
  records: ['records.ts'],
  load: ['load.ts'],
  clock: ['clock.ts'],
  analytics: ['analytics.ts'],
  attacks: ['attacks.ts'],
  storefront: ['storefront.ts'],
};
const root = fileURLToPath(new URL('../..', import.meta.url));
const firstOption = process.argv.findIndex((word, i) => i > 1 && word.startsWith('-'));
const asked = process.argv.slice(2, firstOption < 0 ? undefined : firstOption);
const options = firstOption < 0 ? [] : process.argv.slice(firstOption);
if (options.length && asked.length !== 1) {
  console.error('Name one benchmark to give options to.');
  process.exit(2);
}
const unknown = asked.filter(name => !(name in BENCHES));
if (unknown.length) {
  console.error(`There is no benchmark "${unknown[0]}". There are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}

// The pages are measured as they are built.
const { ensureBuild } = await import('../../scripts/ensure.mjs');
ensureBuild();
let failed = false;
for (const [name, [file, ...args]] of Object.entries(BENCHES)) {
  if (asked.length && !asked.includes(name)) continue;
  console.log(`\n== ${name} ==`);
  if (
    spawnSync(process.execPath, ['--import', 'tsx', `tests/bench/${file}`, ...args, ...options], { cwd: root, stdio: 'inherit' }).status !==
    0
  )
    failed = true;
}
process.exit(failed ? 1 : 0);
