// The census of `npm run check`: which calls are data alone, and what stops the check.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { figuresOf, kindsOf, worsened } from '../../scripts/census.ts';
import { unreadIn } from '../../scripts/readers.ts';
import { definitionsWith } from '../support/definitions.ts';

const roots: string[] = [];
afterEach(() => roots.splice(0).forEach(root => rmSync(root, { recursive: true })));
/** A project with these source files. */
function projectWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'census-'));
  roots.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}
const entity = (one: string) => ({
  title: one,
  type: 'object',
  'x-record': { name: { one, many: `${one}s` }, key: 'id', label: '{id}' },
  properties: { id: { type: 'integer', readOnly: true } },
});
const definitions = definitionsWith({
  'schemas/entities/crate.json': entity('crate'),
  'schemas/entities/pallet.json': entity('pallet'),
  'schemas/calls/crates.json': {
    title: 'Crates',
    host: 'main',
    base: '/api/test/crates',
    permission: null,
    of: 'crate',
    calls: {
      list: { route: 'GET /list', does: 'list' },
      read: { route: 'GET /{id}', does: 'read' },
      delete: { route: 'DELETE /{id}', does: 'delete' },
      again: { route: 'DELETE /again/{id}', does: 'delete', like: 'crates.delete' },
      weigh: { route: 'POST /weigh', does: 'command' },
      export: { route: 'GET /export', does: 'export' },
      pallets: { route: 'GET /pallets', does: 'list', of: 'pallet' },
    },
  },
});

describe('what does the work of a call', () => {
  test('a function of its name, code that names it, a rule of its entity around the verb, or the verb alone', () => {
    const root = projectWith({
      'src/server/features/crates/calls/crates.ts': 'export async function delete_() {}\nexport const weigh = () => null;\n',
      'src/server/features/crates/rules.ts': 'export const pallet = rules({ scope: () => sql`true` });\n',
      'src/server/platform/special.ts': "// 'crates.list' is only named in a comment\nif (call.name === 'crates.export') special();\n",
    });
    const kinds = [...kindsOf(root, definitions)].filter(([name]) => name.startsWith('crates.'));
    expect(Object.fromEntries(kinds.map(([name, kind]) => [name.slice('crates.'.length), kind]))).toEqual({
      list: 'alone',
      read: 'alone',
      delete: 'code',
      again: 'code',
      weigh: 'code',
      export: 'code',
      pallets: 'ruled',
    });
  });
  test('size counts code alone, whatever formats it; lines and files are counted as they are', () => {
    const code = 'x'.repeat(5000);
    const files = (text: string) => projectWith({ 'src/contract/a.ts': text });
    expect(figuresOf(files(code), definitions)).toMatchObject({ contractSize: 100, longFiles: 0, wideLines: 1 });
    const spread = `// A comment.\n${[...code].join(' \n')}\n/* Another. */`;
    expect(figuresOf(files(spread), definitions)).toMatchObject({ contractSize: 100, longFiles: 1, wideLines: 0 });
  });
});

describe('what people set and nothing reads', () => {
  const set = definitionsWith({
    'schemas/entities/crate.json': {
      ...entity('crate'),
      properties: {
        lid: { title: 'Lid', type: 'string', maxLength: 9 },
        size: { title: 'Size', type: 'object', properties: { wide: { title: 'Width', type: 'integer' } } },
        weight: { title: 'Weight', type: 'number', readOnly: true },
      },
    },
    'schemas/texts/crate.json': {
      $schema: '../meta/texts.json',
      title: 'Crates',
      type: 'GENERAL',
      belongsTo: 'store',
      position: 99,
      description: 'On crates.',
      variables: {},
      texts: {
        crateIsOpen: { label: 'Open', default: 'Open', maxLength: 9 },
        crateIsShut: { label: 'Shut', default: 'Shut', maxLength: 9 },
      },
    },
  });
  const unread = (files: Record<string, string>) =>
    unreadIn(projectWith(files), set).flatMap(({ where, what }) => (where.endsWith('/crate') ? [`${where} ${what}`] : []));
  const own = {
    'src/server/features/demo/crates.ts':
      "const crate = { entity: 'crate', lid: 'oak', size: { wide: 2 }, say: ['crateIsOpen', 'crateIsShut'] }",
  };
  test('is listed, whatever forms, wire, rules and the demo do with it', () => {
    const rules = { 'src/server/features/crates/rules.ts': "export const crate = rules({ of: 'crate', lid: 1 })" };
    expect(unread({ ...own, ...rules })).toEqual([
      'entities/crate lid',
      'entities/crate size.wide',
      'texts/crate crateIsOpen',
      'texts/crate crateIsShut',
    ]);
  });
  test('is read by code beside its name, by a column, by what is put together, and by no namesake', () => {
    const pack = "const all = await documents('crate'); import { cut } from './cut.ts'; say(`crateIs${isOpen ? 'Open' : 'Shut'}`)";
    const cut = 'export const cut = ({ size }) => size.wide';
    expect(unread({ ...own, 'src/server/features/crates/pack.ts': pack, 'src/server/features/crates/cut.ts': cut })).toEqual([
      'entities/crate lid',
    ]);
    expect(unread({ ...own, 'src/domain/boats/lid.ts': 'export const lid = 3' })).toContain('entities/crate lid');
  });
});

describe('what stops the check', () => {
  const figures = {
    callsWithoutFunction: 80,
    callsOfActions: 1,
    callsAlone: 50,
    sizePerCall: 200,
    featureSizePerCall: 50,
    contractSize: 2000,
    soonPlaces: 9,
    longFiles: 3,
    wideLines: 0,
    unread: 5,
  };
  const kept = { figures, reasons: [] };
  test.each([
    ['a call that got a function', { callsWithoutFunction: 79 }],
    ['a rule around a call that had none', { callsAlone: 49 }],
    ['one more long file', { longFiles: 4 }],
    ['one more place without a screen', { soonPlaces: 10 }],
    ['a contract that grew by a tenth', { contractSize: 2200 }],
    ['one more field that nothing reads', { unread: 6 }],
  ])('%s is named with both figures', (_what, worse) => {
    const [name, now] = Object.entries(worse)[0] as [keyof typeof figures, number];
    const problems = worsened({ ...figures, ...worse }, kept);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${now}, it was ${figures[name]}`);
  });
  test('neither what gets better nor a little more code does', () => {
    expect(worsened({ ...figures, callsWithoutFunction: 90, sizePerCall: 190, contractSize: 2030, longFiles: 0 }, kept)).toEqual([]);
  });
});
