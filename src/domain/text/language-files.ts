// The files of languages/<code>/: what the product says, in the words of one language. Files are for people: the places of values have
// names, {name}; at run time they are numbers.
import type { Dictionary } from './t.ts';

/** A place of a value as files write it: {name}, or {count?one|many}. */
const NAMED = /\{([A-Za-z_]\w*|\d+)(?:\?([^{}|]*)\|([^{}]*))?\}/g;
/** Files whose texts come from definitions: there braces are part of the text. */
const AS_IT_STANDS = /^definitions\b/;

/** The names of a text's places in their order, each once. */
export const placesOf = (text: string): string[] => [...new Set([...text.matchAll(NAMED)].map(([, name]) => name as string))];

/** A text of a file and its words in the language, as they are looked up: "{name} of {total}" becomes "{0} of {1}". */
export function compiled(text: string, words: string): [key: string, words: string] {
  const places = placesOf(text);
  const numbered = (one: string): string =>
    one.replace(NAMED, (whole, name: string) => (places.includes(name) ? whole.replace(name, String(places.indexOf(name))) : whole));
  return [numbered(text), numbered(words)];
}

/** The dictionary of a language from its files by name ("admin-shell", "definitions-calls"), each text -> words. */
export function dictionaryOf(language: string, files: Readonly<Record<string, Readonly<Record<string, string>>>>): Dictionary {
  const texts: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, entries] of Object.entries(files))
    for (const [text, words] of Object.entries(entries)) {
      const [key, translation] = AS_IT_STANDS.test(name) ? [text, words] : compiled(text, words);
      if (translation !== '') texts[key] = translation;
    }
  return { language, texts };
}

/**
 * What is wrong with the words for a text, as sentences: a place of a value that is missing or unknown, a choice by number that is
 * not closed. Words may choose by the number of any place, also where English does not.
 */
export function wordProblems(text: string, words: string, isDefinition: boolean): string[] {
  const names = (one: string): string[] =>
    isDefinition ? [...new Set([...one.matchAll(DEFINED)].map(([, name]) => name as string))] : placesOf(one);
  const has = names(words);
  const wants = names(text);
  return [
    ...wants.filter(name => !has.includes(name)).map(name => `The place {${name}} is missing.`),
    ...has.filter(name => !wants.includes(name)).map(name => `There is no place {${name}}.`),
    ...(words.match(/\{[^{}]*\}/g) ?? [])
      .filter(place => place.includes('?') && !place.includes('|'))
      .map(place => `${place} chooses between two words, {name?one|many}.`),
  ];
}
/** A place in a text of a definition: {row.price}, {date:relative}, {n?one|many}, {{ liquid }}. */
const DEFINED = /\{\{?\s*([\w.[\]/@-]+(?::relative)?)\s*(?:\?[^{}|]*\|[^{}]*)?\}?\}/g;
