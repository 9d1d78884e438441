/** The words of what is published, in a reader's language. */
import { localeChain } from '../text/translation.ts';

/** The texts for a reader of a language; what was not translated is in the store's primary language. */
export function wordsOf(
  { texts, textsByLocale }: { texts: Readonly<Record<string, string>>; textsByLocale: Readonly<Record<string, Record<string, string>>> },
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
