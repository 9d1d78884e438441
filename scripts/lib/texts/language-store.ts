// The files of languages/<code>/: read (also with the marks of a merge in them), put in order, looked at for mistakes.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { wordProblems } from '../../../src/domain/text/language-files.ts';
import { filesBelow } from '../source-files.ts';
import { idOf, languageCodes, type TextUse } from './all-texts.ts';

/** Area -> text -> words. */
export type Language = Record<string, Record<string, string>>;

const MARKS = /^(?:<{7}|={7}|>{7}|\|{7})/;
const ENTRY = /^\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*")\s*,?\s*$/;

/** The entries of a file; what two people added at once is both there. @throws Error with file and line where a line is no entry */
function readEntries(file: string, source: string): Record<string, string> {
  const entries: Record<string, string> = {};
  source.split('\n').forEach((line, i) => {
    const entry = ENTRY.exec(line);
    if (entry) {
      const text = JSON.parse(entry[1] as string) as string;
      entries[text] = JSON.parse(entry[2] as string) as string;
    } else if (!MARKS.test(line) && !/^\s*[{}]?\s*$/.test(line))
      throw new Error(`${file}:${i + 1} is no entry "text": "words" on one line.`);
  });
  return entries;
}

/** The files of a language; what two people added at once counts on both sides. */
export function readLanguage(root: string, code: string): { language: Language } {
  const language: Language = {};
  // Words for customers stand in a folder below, by their keys (customer-words.ts).
  for (const file of filesBelow(root, `languages/${code}`).filter(one => one.split('/').length === 3)) {
    const area = /([^/]+)\.json$/.exec(file)?.[1];
    if (area === undefined || area === 'index') continue;
    language[area] = readEntries(file, readFileSync(join(root, file), 'utf8'));
  }
  return { language };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
/** One entry a line, in the order of the texts. */
const written = (entries: Record<string, string>): string =>
  `{\n${Object.keys(entries)
    .sort(compare)
    .map(text => `  ${JSON.stringify(text)}: ${JSON.stringify(entries[text])}`)
    .join(',\n')}\n}\n`;

export function writeLanguage(root: string, code: string, language: Language): void {
  const folder = join(root, 'languages', code);
  mkdirSync(folder, { recursive: true });
  for (const [area, entries] of Object.entries(language)) {
    const path = join(folder, `${area}.json`);
    if (Object.keys(entries).length === 0) rmSync(path, { force: true });
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== written(entries)) writeFileSync(path, written(entries));
  }
}

/** The words of every text of a language by the text's id. */
export function wordsOf(language: Language): Map<string, { words: string; area: string; text: string }> {
  const found = new Map<string, { words: string; area: string; text: string }>();
  for (const [area, entries] of Object.entries(language))
    for (const [text, words] of Object.entries(entries)) found.set(idOf(text, area), { words, area, text });
  return found;
}

/** The same language with every text in the file it belongs to. What nothing uses stays where it is. */
export function inOrder(language: Language, texts: Map<string, TextUse>): Language {
  const result: Language = Object.fromEntries(Object.keys(language).map(area => [area, {}]));
  for (const [id, { words, area, text }] of wordsOf(language)) {
    const home = texts.get(id)?.area ?? area;
    (result[home] ??= {})[text] = words;
  }
  return result;
}

/** The files of all languages that are not in order, as they should be; a file without entries is to go. */
export function untidyFiles(root: string, texts: Map<string, TextUse>): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = {};
  for (const code of languageCodes(root)) {
    const { language } = readLanguage(root, code);
    for (const [area, entries] of Object.entries(inOrder(language, texts))) {
      const file = `languages/${code}/${area}.json`;
      const wanted = Object.keys(entries).length ? written(entries) : undefined;
      const is = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
      if (wanted !== is) found[file] = wanted;
    }
  }
  return found;
}

export interface State {
  missing: TextUse[];
  unused: { text: string; area: string }[];
  /** "languages/de/server.json: …" */
  errors: string[];
}
/** What of a language is missing, what is not used any more, and what is wrong. */
export function stateOf(code: string, language: Language, texts: Map<string, TextUse>): State {
  const words = wordsOf(language);
  const errors: string[] = [];
  for (const { words: translation, area, text } of words.values())
    for (const problem of wordProblems(text, translation, area.startsWith('definitions')))
      errors.push(`languages/${code}/${area}.json  ${JSON.stringify(text)}\n  ${problem}`);
  return {
    missing: [...texts].filter(([id]) => !words.has(id)).map(([, use]) => use),
    unused: [...words].filter(([id]) => !texts.has(id)).map(([, { text, area }]) => ({ text, area })),
    errors,
  };
}

/** The unused text that a missing one most likely was before it was changed. */
export function nearest(text: string, unused: readonly { text: string }[]): string | undefined {
  let best: { text: string; far: number } | undefined;
  for (const one of unused) {
    if (Math.abs(one.text.length - text.length) > text.length / 3) continue;
    const far = distance(one.text, text);
    if (far <= text.length / 3 && far < (best?.far ?? Infinity)) best = { text: one.text, far };
  }
  return best?.text;
}
