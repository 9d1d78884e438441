// The languages of the admin, as the folders of languages/ have them, and which of them the present request is answered in.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dictionaryOf } from '../../domain/text/language-files.ts';
import { type Dictionary, takeLanguageFrom } from '../../domain/text/t.ts';
import { projectRoot } from './definitions.ts';
import { requests } from './request-language.ts';

export interface Language {
  code: string;
  /** In its own words: "Deutsch". */
  name: string;
}
export interface LoadedLanguage extends Language {
  /** Area -> text -> words, as its files have them. */
  files: Record<string, Record<string, string>>;
}

/** English, in which everything is written, stands first; it has no folder. */
export const ENGLISH: Language = { code: 'en', name: 'English' };

/** Every language that has a folder with an index.json. @throws Error naming the file that is no JSON */
export function readLanguages(root = projectRoot): LoadedLanguage[] {
  const folder = join(root, 'languages');
  if (!existsSync(folder)) return [];
  const codes = readdirSync(folder).filter(code => existsSync(join(folder, code, 'index.json')));
  return codes.sort().map(code => {
    const read = (name: string): Record<string, string> => {
      try {
        return JSON.parse(readFileSync(join(folder, code, name), 'utf8')) as Record<string, string>;
      } catch (error) {
        throw new Error(`languages/${code}/${name}: ${(error as Error).message}. Run: npx tsx scripts/texts.ts --tidy`, { cause: error });
      }
    };
    const names = readdirSync(join(folder, code)).filter(name => name.endsWith('.json') && name !== 'index.json');
    return {
      code,
      name: String(read('index.json').name ?? code),
      files: Object.fromEntries(names.map(name => [name.slice(0, -'.json'.length), read(name)])),
    };
  });
}

/** What the browser is given: all but what only the server says. */
export const browserDictionary = ({ code, files: { server: _server, ...files } }: LoadedLanguage): Dictionary => dictionaryOf(code, files);

/** A script that makes a dictionary the page's. `walk` is an expression for `withTexts` of src/domain/text/definition-texts.ts. */
export const languageScript = (dictionary: Dictionary, walk: string): string =>
  `globalThis.perennialLanguage={language:${JSON.stringify(dictionary.language)},` +
  `texts:JSON.parse(${JSON.stringify(JSON.stringify(dictionary.texts))}),withTexts:${walk}};\n`;

const dictionaries = new Map<string, Dictionary>();
let offered: readonly Language[] = [ENGLISH];
/** The languages that the admin speaks. */
export const languagesNow = (): readonly Language[] => offered;

/** Reads the languages and lets every request be answered in its own; what belongs to no request is English. */
export function startLanguages(root = projectRoot): void {
  const all = readLanguages(root);
  dictionaries.clear();
  for (const { code, files } of all) dictionaries.set(code, dictionaryOf(code, files));
  takeLanguageFrom(() => requests.getStore());
  offered = [ENGLISH, ...all.map(({ code, name }) => ({ code, name }))];
}

/** The first language of an Accept-Language header that there is: "de-AT,de;q=0.9" is German; undefined is English. */
export function languageOf(header: string | undefined): Dictionary | undefined {
  if (!header || dictionaries.size === 0) return undefined;
  const wanted = header
    .slice(0, 200)
    .split(',')
    .map(part => {
      const [tag = '', ...more] = part.trim().toLowerCase().split(';');
      const quality = Number(/^\s*q=([\d.]+)/.exec(more.join(';'))?.[1] ?? 1);
      return { code: tag.split('-')[0] as string, quality };
    })
    .sort((a, b) => b.quality - a.quality);
  for (const { code, quality } of wanted) {
    if (quality === 0) continue;
    if (code === ENGLISH.code) return undefined;
    const found = dictionaries.get(code);
    if (found) return found;
  }
  return undefined;
}

/** Runs work in the language that a request asks for. */
export const inLanguage = <T>(header: string | undefined, work: () => T): T => requests.run(languageOf(header), work);
