// The product's own words for customers in other languages than English (languages/<code>/customers): what a store says in a language until
// it has words of its own.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseLanguage } from '../../../domain/text/translation.ts';
import { projectRoot } from '../definitions.ts';
import { TEMPLATE, bodyText } from '../mail/message-edits.ts';
import { textId } from './text-id.ts';

/** Words of e-mails, as their files have them. */
export interface ReadyEmail {
  /** Liquid. */
  subject: string;
  /** Liquid, a paragraph each. */
  body: readonly string[];
}

const NONE: ReadonlyMap<string, string> = new Map();
const known = new Map<string, ReadonlyMap<string, string>>();

/** The words of a language for the texts of a store and its e-mails, by `textId`; none in English, which their files have. */
export function readyWords(locale: string): ReadonlyMap<string, string> {
  const language = baseLanguage(locale);
  let words = known.get(language);
  if (!words) known.set(language, (words = readWordsOf(language)));
  return words;
}

/** A message in the product's words of a language. */
export function readyMessage<M extends ReadyEmail & { key: string }>(message: M, locale: string): M {
  const words = readyWords(locale);
  const of = (key: keyof ReadyEmail): string | undefined => words.get(textId({ ownerKind: TEMPLATE, ownerId: message.key, key }));
  const [subject, body] = [of('subject'), of('body')];
  return { ...message, ...(subject === undefined ? {} : { subject }), ...(body === undefined ? {} : { body: [body] }) };
}

function readWordsOf(language: string): ReadonlyMap<string, string> {
  const folder = join(projectRoot, 'languages', language, 'customers');
  // A locale comes from a store: it must not lead out of the folder.
  if (!/^[A-Za-z-]{2,10}$/.test(language) || !existsSync(folder)) return NONE;
  const read = <T>(name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, T>;
  const words = new Map<string, string>();
  for (const [key, text] of Object.entries(read<string>('texts.json'))) words.set(textId({ ownerKind: 'store', ownerId: '', key }), text);
  for (const [ownerId, email] of Object.entries(read<ReadyEmail>('emails.json'))) {
    words.set(textId({ ownerKind: TEMPLATE, ownerId, key: 'subject' }), email.subject);
    words.set(textId({ ownerKind: TEMPLATE, ownerId, key: 'body' }), bodyText(email));
  }
  return words;
}
