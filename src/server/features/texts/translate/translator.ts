// Who translates: a program at a configured address, or without one a stand-in that works offline.
import { partsOf } from '../../../../domain/text/placeholders.ts';
import type { Config } from '../../../platform/config.ts';

export interface Translator {
  /** The texts in another language, in their order. @throws Error when it can't */
  translate(texts: readonly string[], languages: { source: string; target: string }, signal: AbortSignal): Promise<string[]>;
}

const MAPS = ['áéíöü', 'àèïóû', 'âêîôù'] as const;
const PLAIN = 'aeiou';

/**
 * Readable and as long as before, but no language: letters get marks, by the target language. The same text gives the same words.
 * Placeholders, tags and addresses stay.
 */
export function pseudoTranslation(text: string, target: string): string {
  const marks = MAPS[[...target].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % MAPS.length] ?? MAPS[0];
  const marked = (part: string): string => part.replace(/[aeiou]/g, letter => marks[PLAIN.indexOf(letter)] as string);
  return partsOf(text)
    .map(part => (part.isProtected ? part.text : marked(part.text)))
    .join('');
}
export const pseudoTranslator: Translator = {
  translate: (texts, { target }) => Promise.resolve(texts.map(text => pseudoTranslation(text, target))),
};

const TIMEOUT = 30_000;
const LARGEST = 5_000_000;

/** Asks a program over HTTP: POST { source, target, texts } answers { texts }. Redirects are not followed. */
export const httpTranslator = (address: string): Translator => ({
  async translate(texts, { source, target }, signal) {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ source, target, texts }),
    });
    if (!response.ok) throw new Error(`The translator answered ${response.status}.`);
    const body = await response.text();
    if (body.length > LARGEST) throw new Error('The translator answered with too much.');
    const answer = JSON.parse(body) as { texts?: unknown } | null;
    const found = answer?.texts;
    if (!Array.isArray(found) || found.length !== texts.length || !found.every(one => typeof one === 'string'))
      throw new Error(`The translator must answer { "texts": [...] } with ${texts.length} texts.`);
    return found as string[];
  },
});

/** The translator of an installation. */
export const translatorOf = ({ translatorUrl }: Pick<Config, 'translatorUrl'>): Translator =>
  translatorUrl === undefined ? pseudoTranslator : httpTranslator(translatorUrl);
