// Words that the product does not use, because a newcomer has to guess what they mean, and what to write instead: scripts/plain-words.json.
// Read are code, tests, definitions, words of languages and docs. Migrations are not: they never change.
import { readdirSync } from 'node:fs';
import { filesBelow, readSource } from './source-files.ts';

export interface PlainWords {
  /** Word, in small letters -> what to write instead. */
  readonly words: Readonly<Record<string, string>>;
  /** File -> words that are the name of something there, such as a user of the system. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** A word in a place. `line` counts from 1. */
export interface WordProblem {
  readonly file: string;
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

export const WORDS_FILE = 'scripts/plain-words.json';
const FOLDERS = ['docs', 'languages', 'public', 'renderers', 'resources', 'schemas', 'scripts', 'src', 'tests'];
const isRead = (file: string): boolean =>
  /\.(ts|tsx|mts|mjs|css|html|json|md)$/.test(file) && file !== WORDS_FILE && file !== 'package-lock.json' && !file.includes('/generated/');

export const readPlainWords = (root: string): PlainWords => JSON.parse(readSource(root, WORDS_FILE)) as PlainWords;

/** What a merge leaves where two changes met. Its middle alone is a heading in some documents. */
const MARK = /^(?:<{7}|>{7}) /gm;
const UNMARK = 'Two changes met here. Leave what is right, and take the marks of the merge away.';

/** Words of the list in the product's files, marks that a merge left, and names of the list that their file does not have any more. */
export function wordProblems(root: string, { words, names }: PlainWords): WordProblem[] {
  const pattern = new RegExp(`\\b(?:${Object.keys(words).join('|')})\\b`, 'gi');
  const files = [
    ...readdirSync(root, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : [])),
    ...FOLDERS.flatMap(folder => filesBelow(root, folder)),
  ];
  const unused = new Set(Object.entries(names).flatMap(([file, those]) => those.map(word => `${file} ${word}`)));
  const problems = files.filter(isRead).flatMap(file => {
    const text = readSource(root, file);
    const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
    const marks = [...text.matchAll(MARK)].map(({ 0: mark, index }) => ({ file, line: lineAt(index), word: mark.trim(), instead: UNMARK }));
    const used = [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const word = found.toLowerCase();
      unused.delete(`${file} ${word}`);
      if (names[file]?.includes(word)) return [];
      return [{ file, line: lineAt(index), word, instead: words[word] as string }];
    });
    return [...marks, ...used];
  });
  for (const name of unused) {
    const [file = '', word = ''] = name.split(/ (.*)/);
    problems.push({ file, line: 1, word, instead: `The file does not have it any more. Take it out of "names" in ${WORDS_FILE}.` });
  }
  return problems;
}
