// In which direction a language is written.

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg']);

/** "rtl" for Arabic, Hebrew, Persian, Urdu and the like, also where the code names the script itself ("az-Arab"); else "ltr". */
export function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}

const quoted = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** What the first element of a document says about its words: `lang="de" dir="ltr"`. */
export const languageAttributes = (language: string): string => `lang="${quoted(language)}" dir="${directionOf(language)}"`;
