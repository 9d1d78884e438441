// `npm run bench`: every benchmark, one after the other, each beside its floor in the same run. With names, only those: npm run bench -- lists pages.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BENCHES: Record<string, string[]> = {
  lists: ['lists.ts'],
  pages: ['pages/run.ts'],
  forms: ['forms/run.ts'],
  billing: ['billing.ts'],
};
const root = fileURLToPath(new URL('../..', import.meta.url));
const asked = process.argv.slice(2).filter(name => !name.startsWith('-'));
const unknown = asked.filter(name => !(name in BENCHES));
if (unknown.length) { console.error(`There is no benchmark "${unknown[0]}". There are: ${Object.keys(BENCHES).join(', ')}.`); process.exit(2); }

// The pages are measured as they are built.
const { ensureBuild } = await import('../../scripts/ensure.mjs');
ensureBuild();
let failed = false;
for (const [name, [file, ...args]] of Object.entries(BENCHES)) {
  if (asked.length && !asked.includes(name)) continue;
  console.log(`\n== ${name} ==`);
  if (spawnSync(process.execPath, ['--import', 'tsx', `tests/bench/${file}`, ...args], { cwd: root, stdio: 'inherit' }).status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
