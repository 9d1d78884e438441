// What writes e-mails outside of the engine's work: the words of the store, and its speech in a language.
import { dateFormatOf } from '../../domain/calendar/date-format.ts';
import type { Context } from '../platform/context.ts';
import { PREFERENCES } from '../platform/mail/letterhead.ts';
import { readMailWords, type Words } from '../platform/mail/mail-words.ts';
import { speechOf, type Speech } from '../platform/mail/speech.ts';

/** The words of the store's e-mails, and how one says days and amounts in a language. `also`: a language that is not published yet. */
export async function mailSpeech(
  context: Pick<Context, 'trx' | 'storeId' | 'store' | 'definitions' | 'setting'>,
  also?: string,
): Promise<{ words: Words; speech: (language: string) => Speech }> {
  const words = await readMailWords(context, also);
  const dateFormat = dateFormatOf(await context.setting(PREFERENCES));
  const scope = { words, texts: context.definitions.texts, zone: context.store.timezone, dateFormat };
  return { words, speech: language => speechOf(scope, language) };
}
