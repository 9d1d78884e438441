// Changes of definitions, told in words: what was added, removed and changed, and whether stored values still fit.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { describeChanges, tellChange } from '../../src/check/changes/index.ts';
import { projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const definitionFiles = readDefinitionFiles(projectRoot);

// JSON of any form is edited here: its types are not known.
type Edit = (value: Record<string, any>) => void;

/** What is reported when a file of the product is edited. */
function edited(file: string, edit: Edit): { words: string; stored: readonly string[] | undefined } {
  const before = { [file]: definitionFiles[file] as string };
  const value = JSON.parse(before[file] as string) as Record<string, unknown>;
  edit(value);
  const changes = describeChanges(before, { [file]: JSON.stringify(value) });
  expect(changes.length).toBeLessThan(2);
  return { words: changes.map(tellChange).join('\n'), stored: changes[0]?.stored };
}
const general = 'schemas/settings/general.json';
const setting = (edit: Edit) => edited(general, edit);

test('a file written again with the same content has not changed', () => {
  const text = definitionFiles[general] as string;
  expect(describeChanges({ [general]: text }, { [general]: JSON.stringify(JSON.parse(text)) })).toEqual([]);
});

test('fields that are added leave stored values safe; required ones without a default do not', () => {
  const added = setting(page => {
    page['properties'].one = { title: 'One', type: 'string', default: '' };
    page['properties'].two = { title: 'Two', type: 'boolean', default: false };
  });
  expect(added.words).toContain('Settings page "General" changed (schemas/settings/general.json)');
  expect(added.words).toContain('2 fields added: "one", "two"');
  expect(added.words).toContain('stored values stay safe');
  expect(added.stored).toEqual([]);
  const demanded = setting(page => {
    page['properties'].one = { title: 'One', type: 'string' };
    page['required'] = [...(page['required'] ?? []), 'one'];
  });
  expect(demanded.stored).toEqual(['records without "one" can\'t be saved until it is filled in']);
});

test('what narrows a field is distinguished from what widens it', () => {
  const bounded = { field: { title: 'Field', type: 'integer', minimum: 1, maximum: 10, oneOf: undefined } };
  const page = (field: object): string => JSON.stringify({ title: 'Page', type: 'object', properties: { field } });
  const between = (field: object, other: object) =>
    describeChanges({ 'schemas/settings/page.json': page(field) }, { 'schemas/settings/page.json': page(other) })[0]?.stored;
  expect(between(bounded.field, { ...bounded.field, maximum: 20 })).toEqual([]);
  expect(between(bounded.field, { ...bounded.field, maximum: 5 })).toEqual([
    '"field": values that the former maximum allowed may not fit 5',
  ]);
  expect(between(bounded.field, { ...bounded.field, minimum: 0 })).toEqual([]);
  expect(between(bounded.field, { ...bounded.field, type: 'string' })).toEqual(['"field": values of the former type do not fit']);
  expect(between(bounded.field, { ...bounded.field, type: ['integer', 'null'] })).toEqual([]);
  expect(between(bounded.field, { ...bounded.field, type: 'number' })).toEqual([]);
  const choice = (...values: string[]) => ({
    title: 'Choice',
    type: 'string',
    oneOf: values.map(value => ({ const: value, title: value })),
  });
  expect(between(choice('A', 'B'), choice('A', 'B', 'C'))).toEqual([]);
  expect(between(choice('A', 'B'), choice('A'))).toEqual(['"field": the value "B" does not fit any more']);
});

test('one permission changed is one line', () => {
  const { words } = setting(page => {
    page['x-setting'].permission = 'accountLogs';
  });
  expect(words.split('\n').filter(line => line.startsWith('  '))).toEqual([
    '  permission "generalSettings" became "accountLogs"',
    '  stored values stay safe',
  ]);
  const field = setting(page => {
    const [name] = Object.keys(page['properties']) as [string];
    page['properties'][name]['x-ui'] = { ...page['properties'][name]['x-ui'], permission: 'accountLogs' };
  });
  expect(field.words).toMatch(/"\w+": permission none became "accountLogs"/);
});

test('calls, screens, events and the navigation are listed by name', () => {
  const calls = edited('schemas/calls/email-templates-v2.json', table => {
    table['calls'].read.permission = 'accountLogs';
    delete table['calls'].reset;
  });
  expect(calls.words).toContain('1 call removed: "reset"');
  expect(calls.words).toContain('call "read": permission none became "accountLogs"');
  const screen = edited('resources/customers.json', value => {
    value['list'].columns.push({ field: 'taxId' });
    value['title'] = 'People';
  });
  expect(screen.words).toContain('title "Customers" became "People"');
  expect(screen.words).toContain('list: 1 column added: "taxId"');
  const places = edited('resources/navigation.json', value => {
    value['main'].find((entry: { id: string }) => entry.id === 'home').title = 'Start';
  });
  expect(places.words).toContain('part "home": title none became "Start"');
});

test('the command compares the work tree with a commit', { timeout: 60_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    const put = (file: string, value: unknown): void => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), JSON.stringify(value));
    };
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root, encoding: 'utf8' });
    put('schemas/settings/tea.json', { title: 'Tea', properties: { leaves: { type: 'integer', maximum: 9 } } });
    put('schemas/settings/milk.json', { title: 'Milk', properties: {} });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    expect(git('commit', '-qm', 'first').status).toBe(0);
    const diff = (...args: string[]) =>
      spawnSync(
        process.execPath,
        ['--import', join(projectRoot, 'node_modules/tsx/dist/esm/index.mjs'), join(projectRoot, 'scripts/check-diff.ts'), ...args],
        {
          cwd: root,
          encoding: 'utf8',
        },
      );
    expect(diff('main').stdout).toBe('The definitions are as they are in main.\n');
    put('schemas/settings/tea.json', { title: 'Tea', properties: { leaves: { type: 'integer', maximum: 3 } } });
    put('schemas/settings/honey.json', { title: 'Honey', properties: {} });
    rmSync(join(root, 'schemas/settings/milk.json'));
    const { stdout, status } = diff('main');
    expect(status).toBe(0);
    expect(stdout).toContain('Settings page "Honey" added (schemas/settings/honey.json)');
    expect(stdout).toContain('Settings page "Milk" removed (schemas/settings/milk.json)');
    expect(stdout).toContain('! stored values: "leaves": values that the former maximum allowed may not fit 3');
    expect(stdout).toContain('3 files of definitions differ from main; look at the stored values of 2.');
    const unknown = diff('nowhere');
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain('"nowhere" can\'t be compared with');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
