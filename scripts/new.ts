// `npm run new -- KIND NAME`: writes the first files of a definition, complete and valid, and says what to open and to do next.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOptions, projectRoot, readDefinitionFiles } from '../src/server/platform/definitions.ts';
import { kindsIn, plan, Refused } from './lib/new-definitions.ts';

const root = projectRoot;
const kinds = kindsIn(projectRoot);
const OPTIONS = ['in', 'filter', 'title', 'permission', 'group', 'icon', 'from', 'to', 'event', 'call'];

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(OPTIONS.map(name => [name, { type: 'string' as const }])),
  });
  const [kind, ...name] = positionals;
  if (!kind || name.length === 0) {
    console.log('npm run new -- KIND NAME [--title "What people read"]\n');
    for (const { usage, about } of Object.values(kinds)) console.log(`  ${usage}\n    ${about}`);
    process.exit(kind ? 1 : 0);
  }
  const given = Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  const planned = plan({ files: readDefinitionFiles(root), kinds, options: checkOptions(root) }, kind, name.join(' '), given);
  for (const [file, text] of Object.entries(planned.files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  console.log(planned.report.join('\n'));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) console.log('Wrote the names and types that follow from it.');
  const there = planned.restart ? 'where it runs, stop it and start it again first' : 'where it runs, the page is there now';
  if (planned.open) console.log(`\nOpen ${planned.open} on the development server (npm run dev); ${there}.`);
  for (const line of planned.next) console.log(`- ${line}`);
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof Refused) && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
