/** Letters that no accent is taken from by decomposition, as people write them without. */
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't' };
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * A text as it is searched: small letters without accents, so that "jose" finds José and "gross" finds Groß. Marks that are vowels (Thai,
 * Hindi) stay. Letters of full width become those of usual width.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\u0307/g, '')
    .replace(SPECIAL, letter => LETTERS[letter] ?? letter);
