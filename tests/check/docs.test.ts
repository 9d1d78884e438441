// What the pages under docs/ name is there: files and folders, and the symbols named beside a file. And the picture's arrows point down.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { houseOf, ringsOf, roughly, withPicture } from '../../scripts/house-picture.ts';
import { FACTS } from '../../src/domain/analytics/facts.ts';
import { projectRoot } from '../../src/server/platform/definitions.ts';
import { exampleFiles } from '../support/doc-examples.ts';

const pages = readdirSync(join(projectRoot, 'docs')).filter(name => name.endsWith('.md'));
const PATH = /^(?:src|docs|schemas|resources|renderers|scripts|tests|public)\/[\w./[\]-]+$/;

/** Every path in backticks with the names in backticks that follow it: `a/b.ts` (`one`, `two`). */
function namedIn(text: string): { path: string; symbols: string[] }[] {
  const found = [...text.matchAll(/`([^`\n]+)`(?:\s*\(((?:`\w+`(?:,\s*)?)+)\)|,\s*`(\w+)`\))?/g)];
  return found
    .filter(([, path = '']) => PATH.test(path))
    .map(([, path = '', list = '', one]) => ({
      path,
      symbols: [...[...list.matchAll(/`(\w+)`/g)].map(([, name]) => name as string), ...(one ? [one] : [])],
    }));
}

describe.each(pages)('docs/%s', page => {
  const text = readFileSync(join(projectRoot, 'docs', page), 'utf8');
  const examples = exampleFiles(text);
  test('every path that it names exists, and has the symbols that are named beside it', () => {
    const wrong = namedIn(text)
      .filter(({ path }) => !(path in examples))
      .flatMap(({ path, symbols }) => {
        const file = join(projectRoot, path);
        if (!existsSync(file)) return [path];
        const source = statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
        return symbols.filter(name => !new RegExp(`\\b${name}\\b`).test(source)).map(name => `${path} (${name})`);
      });
    expect(wrong).toEqual([]);
  });
});

test('the page on definitions names every fact that metrics count, with its measures and columns', () => {
  const text = readFileSync(join(projectRoot, 'docs/definitions.md'), 'utf8');
  const missing = Object.entries(FACTS).flatMap(([name, { kind, measures, columns }]) => {
    const line = text.split('\n').find(one => one.startsWith(`| \`${name}\` | ${kind} |`)) ?? '';
    return [...Object.keys(measures), ...columns].filter(one => !line.includes(`\`${one}\``)).map(one => `${name}: ${one}`);
  });
  expect(missing).toEqual([]);
});

test('the page on architecture can be read in one go', () => {
  const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8');
  const prose = page.replace(/<!-- picture:begin[\s\S]*picture:end -->/, '');
  expect(prose.split('\n').length).toBeLessThanOrEqual(200);
  expect(withPicture(page, projectRoot)).toBe(page);
});

test('the picture finds rings of folders, and numbers roughly', () => {
  const folders = new Map(['a', 'b', 'c', 'd'].map(name => [name, 1]));
  const arrows = new Map(['a b', 'b c', 'c b', 'c d'].map(arrow => [arrow, 1]));
  expect(ringsOf({ folders, arrows })).toEqual([['b', 'c']]);
  expect([1, 4, 5, 19, 730].map(roughly)).toEqual(['1', '2', '5+', '10+', '500+']);
});
test('no folders lead to each other but those known: types and codecs, one lazy import of the admin', () => {
  expect(ringsOf(houseOf(projectRoot))).toEqual([
    ['admin/features', 'admin/list'],
    ['contract', 'domain'],
  ]);
});

/** Each may get smaller, none may grow or come to it. The first four are a part of the page and what it loads later; the others know each other by types alone. */
const KNOWN_RINGS = [
  ['whats-new-button.tsx', 'whats-new.tsx'],
  ['panel.tsx', 'setup.tsx'],
  ['action-runner.tsx', 'list-actions.tsx'],
  ['menu.tsx', 'overlays-chunk.tsx'],
  ['next-charge.ts', 'stock.ts', 'tags.ts', 'remove-line.ts', 'mails.ts', 'status.ts', 'unit-of-work.ts'],
  ['context.ts', 'entity-mapping.ts', 'rules.ts'],
  ['database.ts', 'snapshot.ts', 'queue.ts'],
  ['definitions.ts', 'incoming.ts', 'modules.ts', 'job.ts', 'services.ts'],
];
test('modules that need each other are only those known; the linter refuses rings that are more than types', () => {
  const rings = ringsOf(houseOf(projectRoot, file => file)).map(ring => ring.map(file => file.split('/').at(-1) as string));
  expect(rings.filter(ring => !KNOWN_RINGS.some(known => ring.every(file => known.includes(file))))).toEqual([]);
});
test('no features of the server need each other', () => {
  const feature = (file: string): string | undefined => /^src\/server\/features\/([^/]+)/.exec(file)?.[1];
  expect(ringsOf(houseOf(projectRoot, feature))).toEqual([]);
});
