// `npm run check`: the definitions, the freshness of generated files, the types, the lint rules, the formatting and the census, one after the other.
import { ensurePackages, run } from './ensure.mjs';

ensurePackages();
run(process.execPath, ['--import', 'tsx', 'scripts/check.ts']);
run(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', '--check']);
run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.']);
run(process.execPath, ['node_modules/oxlint/bin/oxlint', '--deny-warnings']);
run(process.execPath, ['node_modules/oxfmt/bin/oxfmt', '--check', '.']);
run(process.execPath, ['--import', 'tsx', 'scripts/census.ts']);
