// German is there in full for what the product says.
import { expect, it } from 'vitest';
import { allTexts, languageCodes } from '../../scripts/lib/texts/all-texts.ts';
import { customerWordsProblems } from '../../scripts/lib/texts/customer-words.ts';
import { readLanguage, stateOf } from '../../scripts/lib/texts/language-store.ts';
import { projectRoot } from '../../src/server/platform/definitions.ts';

/** How many texts have no German yet. It only goes down. */
const MISSING = 0;

const texts = allTexts(projectRoot);

it('every text has its German words, and they keep the places of values', () => {
  const { missing, errors } = stateOf('de', readLanguage(projectRoot, 'de').language, texts);
  expect(errors).toEqual([]);
  expect(
    missing.length,
    `missing: ${missing
      .slice(0, 5)
      .map(one => one.text)
      .join(' · ')}`,
  ).toBeLessThanOrEqual(MISSING);
  expect(languageCodes(projectRoot)).toContain('de');
});

it('no text is made before its language is known, or has braces that look like a place', () => {
  expect(
    [...texts.values()].flatMap(({ uses }) => uses.flatMap(({ file, line, problem }) => (problem ? `${file}:${line} ${problem}` : []))),
  ).toEqual([]);
});

it('every text and e-mail that customers read has its words, with the variables of the English ones', () => {
  for (const code of languageCodes(projectRoot)) expect(customerWordsProblems(projectRoot, code)).toEqual([]);
});
