// How an e-mail says days, amounts and fixed phrases in the language that it is written in.
import { writtenDate } from '../../../domain/calendar/date-format.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import { filledIn } from '../../../domain/text/placeholders.ts';
import { translated } from '../../../domain/text/t.ts';
import type { Definitions } from '../../../contract/types.ts';
import { inLanguage } from '../languages.ts';
import { type Named, spoken } from '../texts/product-names.ts';
import type { Words } from '../texts/words.ts';

export interface SpeechScope {
  words: Words;
  /** The files of schemas/texts. */
  texts: Definitions['texts'];
  /** Days are days of this zone. */
  zone: string;
  /** How the store writes days (`dateFormatOf`). */
  dateFormat: string | undefined;
}

export interface Speech {
  /** The language: "de", "pt-BR". */
  language: string;
  day(at: Date): string;
  /** An amount in minor units. */
  money(minor: number, currency: string): string;
  /** "every 2 weeks". */
  every(interval: Interval): string;
  /** A line with the names of its product in this language: to be shown. */
  named<L extends Named>(line: L): L;
  /** A text of schemas/texts/emails.json, by its key; undefined where there is none of this name. */
  phrase(key: string, values?: Record<string, string>): string | undefined;
}

/** The language of the product's own words. */
export const PRODUCT_LANGUAGE = 'en';
const CATEGORY = 'emails';

/** A text of schemas/texts/emails.json in a language: in the store's words, else in those of the product. Undefined where there is none. */
export function phraseOf(
  { words, texts }: Pick<SpeechScope, 'words' | 'texts'>,
  language: string,
  key: string,
  values: Readonly<Record<string, string>> = {},
): string | undefined {
  const text = texts[CATEGORY]?.texts[key];
  if (!text) return undefined;
  const own = words.find(language, { ownerKind: 'store', ownerId: '', key })?.value;
  return filledIn(own ?? inLanguage(language, () => translated(text.default)), values);
}

/** Speech in a language. */
export function speechOf({ words, texts, zone, dateFormat }: SpeechScope, language: string): Speech {
  const written = language === PRODUCT_LANGUAGE ? 'en-US' : language;
  const phrase = (key: string, values?: Record<string, string>): string | undefined => phraseOf({ words, texts }, language, key, values);
  return {
    language,
    day: at => writtenDate(at.getTime(), zone, dateFormat, written),
    money: (minor, currency) => formatMoney(minor, currency, written),
    every: ({ interval, intervalCount: count }) => {
      const unit = interval.charAt(0) + interval.slice(1).toLowerCase();
      return (count === 1 ? phrase(`mailEvery${unit}`) : phrase(`mailEvery${unit}s`, { count: String(count) })) ?? '';
    },
    named: line => spoken(words, language, line),
    phrase,
  };
}
