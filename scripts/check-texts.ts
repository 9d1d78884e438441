// `npm run check`, the languages: how much is without words or not used any more, in one line each; `--texts` lists them. Ends with 1 only when
// words have lost a place, a file is broken, or a text is made where it can't know its language.
import { fileURLToPath } from 'node:url';
import { allTexts, languageCodes } from './lib/texts/all-texts.ts';
import { customerWordsProblems } from './lib/texts/customer-words.ts';
import { nearest, readLanguage, stateOf } from './lib/texts/language-store.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const isWhole = process.argv.includes('--texts');
const texts = allTexts(root);
const errors: string[] = [];
for (const use of texts.values())
  for (const one of use.uses) if (one.problem) errors.push(`${one.file}:${one.line}  ${JSON.stringify(one.text)}\n  ${one.problem}`);
for (const code of languageCodes(root)) {
  let language;
  try {
    language = readLanguage(root, code).language;
  } catch (error) {
    errors.push((error as Error).message);
    continue;
  }
  const { missing, unused, errors: wrong } = stateOf(code, language, texts);
  errors.push(...wrong, ...customerWordsProblems(root, code));
  if (isWhole) {
    for (const { text, uses } of missing) {
      const was = nearest(text, unused);
      console.log(`${uses[0]?.file}:${uses[0]?.line}  ${JSON.stringify(text)} has no words in ${code}.`);
      if (was !== undefined) console.log(`  Perhaps it was ${JSON.stringify(was)}.`);
    }
    for (const { text, area } of unused) console.log(`languages/${code}/${area}.json  ${JSON.stringify(text)} is not used any more.`);
  }
  const how = isWhole || missing.length + unused.length === 0 ? '' : ' (npm run check -- --texts lists them)';
  console.log(`${code}: ${texts.size} texts · ${missing.length} without words · ${unused.length} not used any more${how}`);
}
for (const error of errors) console.log(error);
process.exitCode = errors.length ? 1 : 0;
