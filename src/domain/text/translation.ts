// Which words count in a language, and the rules that a person's words must keep.
import { hasOpenBraces, placeholdersOf } from './placeholders.ts';
import { inFigures, t } from './t.ts';

/** Languages whose region matters on a storefront; of all others the base counts. */
const WHOLE = new Set(['zh-CN', 'zh-TW', 'pt-BR', 'pt-PT']);

/** "de-AT" -> "de"; "pt-BR" stays. */
export const baseLanguage = (locale: string): string => (WHOLE.has(locale) ? locale : (locale.split('-')[0] as string));

/** Where words are looked for, in this order: the locale, its base language, the store's primary language. */
export const localeChain = (locale: string, primary: string): string[] => [
  ...new Set([locale, baseLanguage(locale), locale.split('-')[0] as string, primary]),
];

/** The words that a customer reads: those of the first language of the chain that has some. */
export function firstWords(
  chain: readonly string[],
  of: (locale: string) => string | undefined,
): { value: string; locale: string } | undefined {
  for (const locale of chain) {
    const value = of(locale);
    if (value !== undefined && value !== '') return { value, locale };
  }
  return undefined;
}

export interface TextRules {
  /** Names that it may hold. */
  variables: readonly string[];
  maxLength: number;
  /** Of a translation: the words it translates, whose placeholders it keeps. */
  source?: string;
}

const inBraces = (name: string): string => `{{${name}}}`;
/** What is wrong with a person's words, as sentences. An empty text is right: it falls back. */
export function textProblems(text: string, { variables, maxLength, source }: TextRules): string[] {
  if (text === '') return [];
  const has = placeholdersOf(text);
  const problems = has
    .filter(name => !variables.includes(name))
    .map(name => {
      const sentence = t`There is no variable ${inBraces(name)} here.`;
      const known = variables.map(inBraces).join(', ');
      return known ? t`${sentence} There are: ${known}.` : sentence;
    });
  if (hasOpenBraces(text)) {
    const example = inBraces('store_name');
    problems.push(t`A variable is not closed. Write it in two pairs of braces, such as ${example}.`);
  }
  if (source !== undefined)
    for (const name of placeholdersOf(source)) if (!has.includes(name)) problems.push(t`The variable ${inBraces(name)} is missing.`);
  return [...problems, ...lengthProblems(text, maxLength)];
}

/** That a text is too long, as a sentence. */
export function lengthProblems(text: string, maxLength: number): string[] {
  if (text.length <= maxLength) return [];
  const [most = '', has = ''] = [maxLength, text.length].map(n => inFigures(n));
  return [t`Use at most ${most} characters; these are ${has}.`];
}
