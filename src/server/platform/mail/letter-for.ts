// An e-mail in the store's own words, in the language of its reader.
import type { Letter } from '../../../domain/messages/letter.ts';
import { renderLetter } from '../../../domain/messages/letter.ts';
import type { MessageKind } from '../../../contract/types.ts';
import type { Words } from '../texts/words.ts';
import { TEMPLATE, letterOf, withEdit, type MessageEdit } from './message-edits.ts';
import { PRODUCT_LANGUAGE } from './speech.ts';

/** A message in the words for one reader. */
export interface Wording {
  subject: string;
  body: readonly string[];
  /** The language of the text; the subject may be in another where only one of them is translated. */
  language: string;
  /** Whether some of it is a translation. */
  isTranslated: boolean;
}

/**
 * What a reader of `locale` gets: the store's translation, else the product's own words in that language, else those of the store's primary
 * language, else those of the file. In the primary language what the store changed about a message comes before the product's words.
 */
export function wordingFor(kind: MessageKind, edit: MessageEdit | undefined, words: Words, locale: string | null): Wording {
  const own = withEdit(kind, edit);
  const of = (key: 'subject' | 'body') => {
    const found = words.find(locale, { ownerKind: TEMPLATE, ownerId: kind.key, key });
    return found?.isReady && found.locale === words.primary && edit?.[key] !== undefined ? undefined : found;
  };
  const [subject, body] = [of('subject'), of('body')];
  return {
    subject: subject?.value ?? own.subject,
    body: body ? [body.value] : own.body,
    language: body?.locale ?? ownLanguage(edit, words),
    isTranslated: Boolean(subject ?? body),
  };
}

const ownLanguage = (edit: MessageEdit | undefined, { primary }: Pick<Words, 'primary'>): string =>
  edit?.body === undefined ? PRODUCT_LANGUAGE : primary;

/**
 * The letter for a reader of `locale`. `valuesIn` gives the values in the language of the words. Words that can't be filled in give way to
 * those of the primary language and of the file: the customer gets the e-mail in any case.
 */
export function letterFor(
  kind: MessageKind,
  edit: MessageEdit | undefined,
  { words, locale }: { words: Words; locale: string | null },
  valuesIn: (language: string) => object,
): Letter {
  const wording = wordingFor(kind, edit, words, locale);
  if (wording.isTranslated)
    try {
      return renderLetter(wording, valuesIn(wording.language), wording.language);
    } catch {
      // Below.
    }
  return letterOf(kind, edit, valuesIn(ownLanguage(edit, words)), words.primary);
}
