// The words of the product in the reader's language. The English text is the key: t`Replace card`,
// t`${name} is used by ${count} plans`. In English nothing is looked up. Which language is current is set once per place: in the
// browser by the script that the page carries in its head, on the server by the request (platform/languages.ts).

/** One language's words. Keys are the English texts with {0}, {1}… in the places of values; words may choose by number: {0?one|many}. */
export interface Dictionary {
  /** Its code, "de". */
  language: string;
  texts: Readonly<Record<string, string>>;
}
/** What the browser's script of a language brings: its words, and the walk over definitions, which English does without. */
export interface PageLanguage extends Dictionary {
  withTexts<T>(definition: T, say: (text: string) => string, names?: readonly string[]): T;
}
declare global {
  var perennialLanguage: PageLanguage | undefined;
}

let current: () => Dictionary | undefined = () => globalThis.perennialLanguage;
/** Says where the current language is found; undefined is English. The browser need not: there it is a global. */
export function takeLanguageFrom(source: () => Dictionary | undefined): void {
  current = source;
}
/** The code of the current language: "en", "de". */
export const language = (): string => current()?.language ?? 'en';
/** For Intl: English is that of the United States; any other language is asked for by its own code. */
export const intlLocale = (): string => {
  const code = language();
  return code === 'en' ? 'en-US' : code;
};

/** A number as the current language writes it: "1,234.5", in German "1.234,5". */
export const inFigures = (value: number, options?: Intl.NumberFormatOptions): string => value.toLocaleString(intlLocale(), options);

/** A title within a sentence: English writes it small there, languages with nouns in capitals leave it. */
export const inSentence = (title: string): string => (language() === 'en' ? title.toLowerCase() : title);
/** A sentence begins with it. */
export const atStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const joined = new WeakMap<TemplateStringsArray, readonly string[]>();
/** The parts of a template. A text may go on in the next line of the source: the break, with the spaces after it, is one space. */
export function partsOf(strings: TemplateStringsArray): readonly string[] {
  let parts = joined.get(strings);
  if (parts === undefined) joined.set(strings, (parts = strings.map(part => part.replace(LINE_BREAK, ' '))));
  return parts;
}
/** Where a text goes on in the next line of the source. */
export const LINE_BREAK = /\n\s*/g;

const keys = new WeakMap<TemplateStringsArray, string>();
/** "{0} is used by {1} plans": the text of a template with the numbers of its values. */
export function keyOf(strings: TemplateStringsArray): string {
  let key = keys.get(strings);
  if (key === undefined) {
    key = partsOf(strings).reduce((all, part, i) => (i === 0 ? part : `${all}{${i - 1}}${part}`), '');
    keys.set(strings, key);
  }
  return key;
}
const CONTEXT = (context: string, key: string): string => `[${context}] ${key}`;
/** What the current language says for a template; undefined where it says nothing, or is English. */
export const wordsFor = (strings: TemplateStringsArray, context?: string): string | undefined => {
  const texts = current()?.texts;
  if (!texts) return undefined;
  const key = keyOf(strings);
  return texts[context === undefined ? key : CONTEXT(context, key)];
};

/** The places of values in words: {0}, or {0?one|many}. */
export const PLACE = /\{(\d+)(?:\?([^{}|]*)\|([^{}]*))?\}/g;
export type Value = string | number;

function say(strings: TemplateStringsArray, values: readonly Value[], context?: string): string {
  const words = wordsFor(strings, context);
  if (words === undefined) return partsOf(strings).reduce((all, part, i) => (i === 0 ? part : all + String(values[i - 1]) + part), '');
  return words.replace(PLACE, (_, place: string, one?: string, many?: string) => {
    const value = String(values[Number(place)] ?? '');
    return one === undefined ? value : value === '1' ? one : (many ?? '');
  });
}

type Tag = (strings: TemplateStringsArray, ...values: Value[]) => string;
/**
 * A text of the product in the current language: t`Delete ${name}?`. `t.as('adjective')` tells apart what English says with the same word:
 * t.as('adjective')`Open`. On the server it is called where the sentence is made, never for a constant of a module.
 */
export const t: Tag & { as(context: string): Tag } = Object.assign(
  (strings: TemplateStringsArray, ...values: Value[]) => say(strings, values),
  {
    as:
      (context: string): Tag =>
      (strings, ...values) =>
        say(strings, values, context),
  },
);

/**
 * A text whose language is not known yet, in English: a constant of a module on the server, or what is stored. The code that shows it calls
 * `translated(text)`. It has no values.
 */
export const later = (strings: TemplateStringsArray): string => partsOf(strings)[0] as string;

/** A text of a definition, of `later`, or any other that is looked up as it stands, in the current language. */
export const translated = (text: string): string => current()?.texts[text] ?? text;
