// Standard texts of records (src/domain/text/standard-texts.ts) in the languages that the product brings words for customers in.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../../../contract/types.ts';
import { baseLanguage } from '../../../domain/text/translation.ts';
import { projectRoot } from '../definitions.ts';

type Words = Readonly<Record<string, string>>;
const FOLDER = join(projectRoot, 'languages');
const NONE: Words = {};
let known: ReadonlyMap<string, Words> | undefined;

/** By language: English -> its words. */
function languages(): ReadonlyMap<string, Words> {
  known ??= new Map(
    readdirSync(FOLDER).flatMap((language): [string, Words][] => {
      const file = join(FOLDER, language, 'customers', 'standards.json');
      return existsSync(file) ? [[language, JSON.parse(readFileSync(file, 'utf8')) as Words]] : [];
    }),
  );
  return known;
}

/** The words of a language for each English standard text; none for English, and for languages without words of the product. */
export const standardsIn = (locale: string): Words => languages().get(baseLanguage(locale)) ?? NONE;

/** A standard text in the words of a language; undefined where the product has none. */
export const standardIn = (locale: string, english: string): string | undefined =>
  baseLanguage(locale) === 'en' ? english : standardsIn(locale)[english];

/** Which English standard text a text is, in whichever language of the product; undefined for words of the store. */
export function standardOf({ default: english }: Schema, text: string): string | undefined {
  if (typeof english !== 'string') return undefined;
  return text === english || [...languages().values()].some(words => words[english] === text) ? english : undefined;
}
