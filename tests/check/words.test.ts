// The words that the product does not use (scripts/plain-words.json) are found wherever people write.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPlainWords, wordProblems } from '../../scripts/lib/plain-words.ts';
import { projectRoot } from '../../src/server/platform/definitions.ts';

const list = readPlainWords(projectRoot);
const root = mkdtempSync(join(tmpdir(), 'words-'));
afterAll(() => rmSync(root, { recursive: true }));

const plant = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

test('the product uses none of them', () => {
  expect(wordProblems(projectRoot, list)).toEqual([]);
});

test('each planted word is reported with file, line and what to write instead, in code, docs, definitions and languages', () => {
  const files = ['src/server/planted.ts', 'docs/planted.md', 'schemas/entities/planted.json', 'languages/de/planted.json', 'README.md'];
  for (const [at, [word, instead]] of Object.entries(list.words).entries()) {
    const file = files[at % files.length] as string;
    const text = at % 2 ? word.toUpperCase() : word;
    plant(file, `first line\n// The order ${text}, and more\n`);
    expect(wordProblems(root, { words: list.words, names: {} })).toEqual([{ file, line: 2, word, instead }]);
    plant(file, `const x${word.replace(/ /g, '')}s = 'a part of another word';\n`);
    expect(wordProblems(root, { words: list.words, names: {} })).toEqual([]);
  }
});

test('marks that a merge left are reported', () => {
  plant('docs/planted.md', `first line\n${'<'.repeat(7)} HEAD\none\n${'='.repeat(7)}\nother\n${'>'.repeat(7)} other\n`);
  const found = wordProblems(root, { words: list.words, names: {} }).map(({ file, line }) => [file, line]);
  expect(found).toEqual([
    ['docs/planted.md', 2],
    ['docs/planted.md', 6],
  ]);
  plant('docs/planted.md', '');
});

test('a name stays where the list has it, and the list has no name that is gone', () => {
  const [word = ''] = Object.keys(list.words);
  plant('tests/support/user.ts', `const user = '${word}';\n`);
  const names = { 'tests/support/user.ts': [word] };
  expect(wordProblems(root, { words: list.words, names })).toEqual([]);
  plant('tests/support/user.ts', '');
  expect(wordProblems(root, { words: list.words, names })).toMatchObject([{ file: 'tests/support/user.ts', word }]);
});
