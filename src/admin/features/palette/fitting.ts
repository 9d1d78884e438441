// How well what was typed into the palette fits a title: the beginnings of its words first, then any part, then letters left out.
import { defaultFilter } from 'cmdk';
import { fold, foldedWords } from '../../../domain/text/fold.ts';

/**
 * One typed word against a text: 1 at its beginning, 0.9 at the beginning of a later word, 0.5 inside; a
 * long one may leave letters out ("chkout").
 */
function fit(text: string, word: string): number {
  const score = defaultFilter(text, word);
  if (score >= 0.5) return score;
  if (text.includes(word)) return 0.5;
  return word.length >= 5 && score > 0.15 ? score : 0;
}

/** Those that fit every word that was typed, best first; all of them while nothing was typed. `words` are further names. */
export function fitting<T extends { title: string; words?: string[] }>(entries: readonly T[], text: string): T[] {
  const wanted = foldedWords(text);
  if (wanted.length === 0) return [...entries];
  return entries
    .map((entry, i) => ({
      entry,
      i,
      score: Math.min(
        ...wanted.map(word => Math.max(fit(fold(entry.title), word), ...(entry.words ?? []).map(other => 0.9 * fit(fold(other), word)))),
      ),
    }))
    .filter(one => one.score > 0)
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(one => one.entry);
}

/** Whether what was typed names a record: its number with or without "#", its e-mail address, its code, or its whole name. */
export function names(typed: string, title: string, detail: string): boolean {
  const wanted = fold(typed).trim().replace(/^#/, '');
  const words = fold(`${title} ${detail}`).split(/[\s·]+/);
  return wanted !== '' && (fold(title) === wanted || words.some(word => /[\d@]/.test(word) && word.replace(/^#/, '') === wanted));
}
