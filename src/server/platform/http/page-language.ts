// The page in the language of its person: a cookie names it, a script in the head brings its words before any module runs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageAttributes } from '../../../domain/text/direction.ts';
import { later } from '../../../domain/text/t.ts';

/** What the page says before any script has arrived. */
export const PAGE_TEXTS = [
  later`Perennial needs JavaScript. Switch it on in your browser and reload the page.`,
  later`Acquire, manage and retain subscribers.`,
  later`Loading`,
] as const;
/** By code: the language in its own words, the address of its script, and the words of PAGE_TEXTS, in their order. */
export type LanguageTable = Record<string, { name: string; file: string; page?: readonly string[] }>;
/** Its name in the folder of the built admin; never served. */
export const LANGUAGES_FILE = 'languages.json';
/** The cookie, set by the admin: the code of a language. */
export const LANGUAGE_COOKIE = 'perennial.language';

/** The table of a built admin; empty where there is none. */
export const readLanguageTable = (folder: string): LanguageTable =>
  existsSync(join(folder, LANGUAGES_FILE)) ? (JSON.parse(readFileSync(join(folder, LANGUAGES_FILE), 'utf8')) as LanguageTable) : {};

/** The language that a Cookie header names. */
export const chosenLanguage = (cookies: string | undefined): string | undefined =>
  /(?:^|;\s*)perennial\.language=([A-Za-z-]{2,12})(?:;|$)/.exec(cookies ?? '')?.[1];

/** The page for a language: its script, and what it says of itself. English, and what there is not, leaves the page as it is. */
export function inPageLanguage(html: string, table: LanguageTable, code: string | undefined): string {
  const language = code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
  if (!language) return html;
  const words = language.page ?? [];
  return PAGE_TEXTS.reduce((page, text, i) => page.replace(new RegExp(`(?<=[>"])${text}(?=[<"])`), () => words[i] ?? text), html)
    .replace('<html lang="en">', () => `<html ${languageAttributes(code ?? 'en')}>`)
    .replace('<meta charset="utf-8">', whole => `${whole}\n    <script src="${language.file}" nonce="__CSP_NONCE__"></script>`);
}
