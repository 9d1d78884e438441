// In which language an element speaks, and its words in it.
import type { PublishedWidget } from '../domain/widgets/published.ts';
import { localeChain } from '../domain/text/translation.ts';

/** The language of the page around an element: its own `lang`, or the nearest one above it. */
export const languageOf = (element: Element): string | undefined =>
  element.closest('[lang]')?.getAttribute('lang')?.trim().replace('_', '-') || undefined;

/** The texts of a widget for a reader of a language; what was not translated is in the store's primary language. */
export function wordsOf(
  { texts, textsByLocale }: Pick<PublishedWidget, 'texts' | 'textsByLocale'>,
  locale: string,
  primary: string,
): Record<string, string> {
  const found: Record<string, string> = { ...texts };
  for (const one of localeChain(locale, primary)
    .filter(each => each !== primary)
    .toReversed())
    Object.assign(found, textsByLocale[one]);
  return found;
}
