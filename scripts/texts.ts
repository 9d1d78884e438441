// The words of the product in its languages (languages/<code>/).
//   npx tsx scripts/texts.ts                          what is missing, unused or wrong, in numbers
//   npx tsx scripts/texts.ts --missing [--of folder]  what has no words yet, a JSON line each: {"text", "at"}
//   npx tsx scripts/texts.ts --add file.json          takes in words: {"text": "words"}, or lines {"text", "words"}
//   npx tsx scripts/texts.ts --tidy [--drop]          every text in its file, sorted; also after a merge. --drop: without what nothing uses
//   npx tsx scripts/texts.ts --unmarked [--of folder] what people read in English whatever their language: no t`…` around it
//   npx tsx scripts/texts.ts --list [--of folder]     every text with its words
// --language code: of another language than German.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allTexts, codeFiles, languageCodes, type TextUse } from './lib/texts/all-texts.ts';
import { inOrder, nearest, readLanguage, stateOf, wordsOf, writeLanguage } from './lib/texts/language-store.ts';
import { unmarkedIn } from './lib/texts/unmarked.ts';
import { readSource } from './lib/source-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const args = process.argv.slice(2);
const given = (name: string): string | undefined => (args.includes(name) ? (args[args.indexOf(name) + 1] ?? '') : undefined);
const of = given('--of')?.replace(/\/$/, '');
const code = given('--language') ?? 'de';
const isOf = (file: string): boolean => of === undefined || file === of || file.startsWith(`${of}/`);
const place = (use: TextUse): string => use.uses.filter(one => isOf(one.file)).map(one => `${one.file}:${one.line}`)[0] ?? '';

/** {"text": "words"}, a list of {text, words}, or a line for each. */
function wordsFrom(file: string): [text: string, words: string][] {
  const source = readFileSync(file, 'utf8');
  type Line = { text?: unknown; words?: unknown; source?: unknown };
  const pair = ({ text, source: old, words }: Line): [string, string] => {
    if (typeof (text ?? old) !== 'string' || typeof words !== 'string') throw new Error('Each entry has a "text" and its "words".');
    return [(text ?? old) as string, words];
  };
  let whole: unknown;
  try {
    whole = JSON.parse(source);
  } catch {
    whole = source
      .split('\n')
      .filter(line => line.trim())
      .map(line => JSON.parse(line) as Line);
  }
  if (Array.isArray(whole)) return (whole as Line[]).map(pair);
  return typeof (whole as Line).words === 'string' ? [pair(whole as Line)] : Object.entries(whole as Record<string, string>);
}

if (args.includes('--unmarked')) {
  const found = codeFiles(root)
    .filter(isOf)
    .flatMap(file => unmarkedIn(file, readSource(root, file)));
  for (const { file, line, text, kind } of found) console.log(`${file}:${line}  ${kind}  ${text}`);
  console.log(`${found.length} texts without t.`);
} else {
  const texts = allTexts(root);
  if (!languageCodes(root).includes(code))
    throw new Error(`There is no languages/${code}/index.json. It holds {"name": "…"}, the language in its own words.`);
  const { language } = readLanguage(root, code);
  if (args.includes('--add')) {
    const unknown: string[] = [];
    for (const [text, words] of wordsFrom(given('--add') as string)) {
      const uses = [texts.get(text), texts.get(`definition ${text}`)].filter(use => use !== undefined);
      if (uses.length === 0) unknown.push(text);
      for (const use of uses) (language[use.area] ??= {})[text] = words;
    }
    for (const text of unknown) console.log(`Nothing says this, so it is left out: ${JSON.stringify(text)}`);
    writeLanguage(root, code, inOrder(language, texts));
  }
  if (args.includes('--tidy')) {
    const ordered = inOrder(language, texts);
    if (args.includes('--drop')) for (const { text, area } of stateOf(code, ordered, texts).unused) delete ordered[area]?.[text];
    writeLanguage(root, code, ordered);
  }
  const state = stateOf(code, readLanguage(root, code).language, texts);
  if (args.includes('--missing')) {
    for (const use of state.missing.filter(use => place(use)))
      console.log(
        JSON.stringify({
          text: use.text,
          at: place(use),
          ...(nearest(use.text, state.unused) ? { was: nearest(use.text, state.unused) } : {}),
        }),
      );
  } else if (args.includes('--list')) {
    const words = wordsOf(readLanguage(root, code).language);
    for (const [id, use] of texts)
      if (place(use)) console.log(JSON.stringify({ text: use.text, words: words.get(id)?.words ?? '', at: place(use) }));
  } else {
    for (const error of state.errors) console.log(error);
    for (const use of texts.values())
      for (const one of use.uses) if (one.problem) console.log(`${one.file}:${one.line}  ${JSON.stringify(one.text)}\n  ${one.problem}`);
    console.log(
      `${code}: ${texts.size} texts, ${state.missing.length} without words, ` +
        `${state.unused.length} that nothing uses, ${state.errors.length} wrong.`,
    );
  }
}
