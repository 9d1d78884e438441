// `npm run adopt -- file.json`: makes a settings page of any JSON schema, and says what it changed and what it could not take over.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { parse, type ParseError } from 'jsonc-parser';
import { isObject } from '../src/check/context.ts';
import { atPointer } from '../src/contract/paths.ts';
import { checkOptions, projectRoot, readDefinitionFiles } from '../src/server/platform/definitions.ts';
import type { Union } from './lib/adopt.ts';
import { pageOf, type AdoptedPage } from './lib/adopted-page.ts';
import { Refused } from './lib/new-definitions.ts';

/** The part of a schema that a pointer names, with what its references name. @throws Refused */
function partOf(source: unknown, at: string | undefined): unknown {
  if (at === undefined) return source;
  const part = atPointer(source, at);
  if (!isObject(part) || !isObject(source)) throw new Refused(`There is no object at ${at} in this schema.`);
  return { ...(source.$defs ? { $defs: source.$defs } : {}), ...(source.definitions ? { definitions: source.definitions } : {}), ...part };
}

/** Asks a person which kind each field has; Enter takes the first. */
async function choices(unions: readonly Union[]): Promise<Record<string, string>> {
  const terminal = createInterface({ input: process.stdin });
  // Line by line, so that what is typed ahead is an answer too.
  const lines = terminal[Symbol.asyncIterator]();
  const chosen: Record<string, string> = {};
  for (const { name, kinds } of unions) {
    process.stdout.write(`${name} can be ${kinds.join(' or ')}; a form has one of them [${kinds[0]}]: `);
    const { value = '' } = await lines.next();
    chosen[name] = kinds.find(kind => kind === value.trim()) ?? (kinds[0] as string);
  }
  terminal.close();
  return chosen;
}

try {
  const text = { type: 'string' as const };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: text, permission: text, group: text, icon: text, part: text, kind: { ...text, multiple: true } },
  });
  const [path] = positionals;
  if (!path)
    throw new Refused(
      'npm run adopt -- file.json [--name NAME] [--permission AREA] [--group GROUP] [--icon ICON] [--part /properties/x] [--kind field=string]',
    );
  let schema: string;
  try {
    schema = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    throw new Refused(`${path} can't be read. Save the schema into a file of this machine first.`);
  }
  const errors: ParseError[] = [];
  const source: unknown = parse(schema, errors, { allowTrailingComma: true });
  if (errors.length) throw new Refused(`${path} is not JSON. A schema in YAML is converted first, by "npx js-yaml" for example.`);
  const name =
    values.name ??
    basename(path)
      .replace(/(\.schema)?\.jsonc?$/i, '')
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[-\d]+|-+$/g, '');
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new Refused(`"${name}" can't be an address. Give one: --name loyalty-points.`);
  const wishes = { name, permission: values.permission ?? 'generalSettings', group: values.group ?? 'Store', icon: values.icon ?? 'store' };
  const made = (kinds: Record<string, string>): AdoptedPage =>
    pageOf(partOf(source, values.part), { ...wishes, kinds }, readDefinitionFiles(), checkOptions());
  const given = Object.fromEntries(
    (values.kind ?? []).map(one => [one.slice(0, one.lastIndexOf('=')), one.slice(one.lastIndexOf('=') + 1)]),
  );
  let page = made(given);
  const open = page.unions.filter(({ name }) => given[name] === undefined);
  if (process.stdin.isTTY && open.length) page = made({ ...given, ...(await choices(open)) });
  writeFileSync(join(projectRoot, page.file), page.text);
  console.log(page.report.join('\n'));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(`\nOpen /settings/${name} on the development server (npm run dev); where it runs, the page is there now.`);
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof Refused) && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
