import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenWalls, featuresOf, pastDoors, wrongImports } from '../../scripts/walls.ts';
import { projectRoot } from '../../src/server/platform/definitions.ts';

const FOLDER = 'src/server/features';
let root = '';
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, FOLDER, file)), { recursive: true });
  writeFileSync(join(root, FOLDER, file), text);
};
const declare = (name: string, imports: string[], open: string[]): void =>
  write(`${name}/feature.json`, JSON.stringify({ says: name, imports, public: open }));

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'walls-'));
  write('demo/seed.ts', 'export const seed = 1;\n');
  write('demo/clock.ts', 'export const clock = 1;\n');
  write('messages/engine/demo/own.ts', 'export const own = 1;\n');
  write('messages/engine/send.ts', "import { own } from './demo/own.ts';\nexport const send = own;\n");
  declare('demo', [], ['clock.ts']);
  declare('messages', [], []);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('every import between features of the product is declared, and everything declared is imported', () => {
  expect(brokenWalls(projectRoot)).toEqual([]);
});

test('a folder of its own that is called like another feature is no import of it', () => {
  expect(wrongImports(root, FOLDER)).toEqual([]);
});

test('an import that is not declared, one past the public files and a declaration without an import are refused', () => {
  write('messages/jobs/fill.ts', "import { seed } from '../../demo/seed.ts';\nexport const fill = seed;\n");
  expect(wrongImports(root, FOLDER)).toEqual([
    `${FOLDER}/messages/jobs/fill.ts imports ${FOLDER}/demo/seed.ts; its feature.json does not name "demo".`,
  ]);
  declare('messages', ['demo'], []);
  expect(wrongImports(root, FOLDER)).toEqual([
    `${FOLDER}/messages/jobs/fill.ts imports ${FOLDER}/demo/seed.ts, which feature.json of "demo" does not name as public.`,
  ]);
  write('messages/jobs/fill.ts', 'export const fill = 1;\n');
  expect(wrongImports(root, FOLDER)).toEqual([`${FOLDER}/messages/feature.json names "demo", which it does not import.`]);
  declare('messages', [], []);
});

test('the engine is imported by its door alone, and imports no feature', () => {
  const engine = (file: string, text: string): void => write(`../engine/${file}`, text);
  engine('price.ts', 'export const price = 1;\n');
  engine('index.ts', "export { price } from './price.ts';\n");
  write('demo/clock.ts', "import { price } from '../../engine/index.ts';\nexport const clock = price;\n");
  expect(pastDoors(root)).toEqual([]);
  write('demo/clock.ts', "import { price } from '../../engine/price.ts';\nexport const clock = price;\n");
  engine('price.ts', "import { seed } from '../features/demo/seed.ts';\nexport const price = seed;\n");
  engine('charge.ts', "import { price } from './index.ts';\nexport const charge = price;\n");
  expect(pastDoors(root).sort()).toEqual([
    'src/server/engine/charge.ts imports its own door src/server/engine/index.ts. Import the file that has it.',
    `src/server/engine/price.ts imports ${FOLDER}/demo/seed.ts, a feature. Features import the engine, which knows none of them.`,
    `${FOLDER}/demo/clock.ts imports src/server/engine/price.ts. Import it from src/server/engine/index.ts, and export it there if others need it.`,
  ]);
  rmSync(join(root, 'src/server/engine'), { recursive: true });
  write('demo/clock.ts', 'export const clock = 1;\n');
});

test('a folder without feature.json, an unknown feature and a public file that does not exist stop the check', () => {
  write('orders/place.ts', 'export const place = 1;\n');
  expect(() => featuresOf(root, FOLDER)).toThrow(`${FOLDER}/orders/feature.json is missing`);
  declare('orders', ['demos'], []);
  expect(() => featuresOf(root, FOLDER)).toThrow(`${FOLDER}/orders/feature.json imports "demos", which is no other feature`);
  declare('orders', [], ['placed.ts']);
  expect(() => featuresOf(root, FOLDER)).toThrow(`names "placed.ts" as public, and the feature has no such file`);
});

test('every package that is depended on is imported, or asked for by one that is', () => {
  const packageOf = (at: string): { dependencies: Record<string, string>; peerDependencies?: Record<string, string> } =>
    JSON.parse(readFileSync(join(projectRoot, at, 'package.json'), 'utf8'));
  const names = Object.keys(packageOf('.').dependencies);
  const peers = new Set(names.flatMap(name => Object.keys(packageOf(`node_modules/${name}`).peerDependencies ?? {})));
  const code = ['src', 'renderers', 'scripts', 'tests']
    .flatMap(folder => readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)))
    // What the judges of tests installed is not ours.
    .filter(file => /\.(tsx?|m?js|css)$/.test(file) && !file.includes('node_modules'))
    .map(file => readFileSync(join(projectRoot, file), 'utf8'))
    .join('\n');
  const isImported = (name: string): boolean => ["'", '"'].some(mark => [mark, '/'].some(end => code.includes(`${mark}${name}${end}`)));
  expect(names.filter(name => !isImported(name) && !peers.has(name))).toEqual([]);
});
