// `npm run check`: the definitions, the freshness of generated files, the types, the lint rules, the formatting and the census, one after the other.
// `npm run check -- --texts` instead lists the texts without words in a language, and the words that nothing says any more.
// `npm run check -- --diff main` instead tells in words what changed in the definitions since a commit.
import { spawnSync } from 'node:child_process';
import { ensurePackages, run } from './ensure.mjs';

ensurePackages();
const diff = process.argv.indexOf('--diff');
if (diff >= 0) {
  const commit = process.argv[diff + 1] ?? 'main';
  process.exit(spawnSync(process.execPath, ['--import', 'tsx', 'scripts/check-diff.ts', commit], { stdio: 'inherit' }).status ?? 1);
}
if (process.argv.includes('--texts'))
  process.exit(spawnSync(process.execPath, ['--import', 'tsx', 'scripts/check-texts.ts', '--texts'], { stdio: 'inherit' }).status ?? 1);
run(process.execPath, ['--import', 'tsx', 'scripts/check.ts']);
run(process.execPath, ['--import', 'tsx', 'scripts/check-texts.ts']);
run(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', '--check']);
run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.']);
run(process.execPath, ['node_modules/oxlint/bin/oxlint', '--deny-warnings']);
run(process.execPath, ['node_modules/oxfmt/bin/oxfmt', '--check', '.']);
run(process.execPath, ['--import', 'tsx', 'scripts/census.ts']);
