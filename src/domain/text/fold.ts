/** Letters that no accent is taken from by decomposition, as people write them without. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * A text as it is searched: small letters without accents, so that "jose" finds José and "gross" finds Groß. Marks that are vowels (Thai,
 * Hindi) stay. Letters of full width become those of usual width. The database folds what it stores by `folded`, a function that gives the
 * same letters.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\u0307/g, '')
    .replace(SPECIAL, letter => LETTERS[letter] ?? letter);

/** The words of a search, folded. */
export const foldedWords = (typed: string): string[] => fold(typed).split(/\s+/).filter(Boolean);

/** Whether each word that was typed stands somewhere in the texts, folded on both sides; true while nothing was typed. */
export function holdsWords(typed: string, ...texts: unknown[]): boolean {
  const all = fold(texts.join(' '));
  return foldedWords(typed).every(word => all.includes(word));
}
