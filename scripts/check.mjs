// `npm run check`: the definitions, the words, the freshness of generated files, the types, the lint rules, the formatting and the census.
// All are run, whatever the ones before say.
// `npm run check -- --texts` instead lists the texts without words in a language, and the words that nothing uses any more.
// `npm run check -- --diff main` instead tells in words what changed in the definitions since a commit.
import { spawn, spawnSync } from 'node:child_process';
import { ensurePackages, root } from './ensure.mjs';

ensurePackages();
const diff = process.argv.indexOf('--diff');
if (diff >= 0) {
  const commit = process.argv[diff + 1] ?? 'main';
  process.exit(spawnSync(process.execPath, ['--import', 'tsx', 'scripts/check-diff.ts', commit], { stdio: 'inherit' }).status ?? 1);
}
if (process.argv.includes('--texts'))
  process.exit(spawnSync(process.execPath, ['--import', 'tsx', 'scripts/check-texts.ts', '--texts'], { stdio: 'inherit' }).status ?? 1);

const script = (name, ...args) => ['--import', 'tsx', `scripts/${name}.ts`, ...args];
/** Those in a row wait for each other; both rows run at the same time, as half of the time is the types'. */
const ROWS = [
  [script('check'), script('check-texts'), script('check-words'), script('generate', '--check'), script('census')],
  [
    ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
    ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
    ['node_modules/oxfmt/bin/oxfmt', '--check', '.'],
  ],
];
/** Runs a step to its end and shows all that it wrote at once. @returns whether it found nothing wrong */
const step = args =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const written = [];
    child.stdout.on('data', data => written.push(data));
    child.stderr.on('data', data => written.push(data));
    child.once('error', reject);
    child.once('close', code => {
      process.stdout.write(Buffer.concat(written));
      resolve(code === 0);
    });
  });
const found = await Promise.all(
  ROWS.map(async row => {
    let isGood = true;
    for (const args of row) isGood = (await step(args)) && isGood;
    return isGood;
  }),
);
process.exitCode = found.every(Boolean) ? 0 : 1;
