// The choices of a field: written in its schema, or one of the lists that every browser knows
// (countries, currencies, time zones, languages).
import { optionsOf } from '../../../contract/paths.ts';
import { humanise } from '../../../contract/paths.ts';
import { CURRENCY_CODES } from '../../../domain/money/money.ts';
import type { JsonValue, Schema } from '../../../contract/types.ts';
import { fold, foldedWords, holdsWords } from '../../../domain/text/fold.ts';
import { COUNTRIES } from '../../../domain/text/countries.ts';
import { intlLocale } from '../../../domain/text/t.ts';

export interface Choice {
  /** Identifies the choice among its neighbours; values may be of any type. */
  key: string;
  value: JsonValue;
  title: string;
  detail?: string;
  picture?: string;
  /** A person: initials stand in for a missing picture. */
  person?: boolean;
  tone?: string;
  disabled?: boolean;
  icon?: string;
}

export const keyOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const LANGUAGES = (
  'ar bg ca cs da de de-AT de-CH el en en-GB es es-MX et fi fr fr-CA fr-CH he hi hr hu id is it ja ko lt lv ms nb nl nl-BE pl pt-BR ' +
  'pt-PT ro ru sk sl sr sv th tr uk vi zh-CN zh-TW'
).split(' ');

const byTitle = (a: Choice, b: Choice) => a.title.localeCompare(b.title);
const named = (codes: readonly string[], type: 'region' | 'currency' | 'language'): Choice[] => {
  const names = new Intl.DisplayNames(intlLocale(), { type });
  return codes.map(code => ({ key: code, value: code, title: names.of(code) ?? code, detail: code })).sort(byTitle);
};
const SOURCES: Record<string, () => Choice[]> = {
  countries: () => named(COUNTRIES, 'region'),
  currencies: () => named(CURRENCY_CODES, 'currency'),
  languages: () => named(LANGUAGES, 'language'),
  timezones: () => Intl.supportedValuesOf('timeZone').map(zone => ({ key: zone, value: zone, title: zone.replace(/_/g, ' ') })),
};
const made = new Map<string, Choice[]>();

/** A list the browser knows by its name; empty for an unknown name. */
export function sourceChoices(source: string): Choice[] {
  let choices = made.get(source);
  if (!choices) made.set(source, (choices = SOURCES[source]?.() ?? []));
  return choices;
}

const known = new WeakMap<Schema, Choice[]>();

/** The choices of a schema or of the items of a list. Null is left out: "nothing chosen" is the widget's affair. */
export function choicesOf(schema: Schema, source?: JsonValue): Choice[] {
  if (typeof source === 'string') return sourceChoices(source);
  let choices = known.get(schema);
  if (!choices) {
    const carriers = (schema.oneOf ?? schema.items?.oneOf ?? []) as Schema[];
    choices = optionsOf(schema)
      .filter(option => option.value !== null)
      .map(option => {
        const carrier = carriers.find(one => one.const === option.value);
        const icon = carrier?.['x-ui']?.options?.icon;
        return {
          key: keyOf(option.value),
          value: option.value,
          title: option.title || humanise(String(option.value)),
          ...(carrier?.description ? { detail: carrier.description } : {}),
          ...(option.tone ? { tone: option.tone } : {}),
          ...(typeof icon === 'string' ? { icon } : {}),
        };
      });
    known.set(schema, choices);
  }
  return choices;
}

/** The choices that a text finds: those that begin with it first, then those that hold all of its words. */
export function search(choices: readonly Choice[], text: string): Choice[] {
  const words = foldedWords(text);
  if (!words.length) return [...choices];
  const found = choices.filter(choice => holdsWords(text, choice.title, choice.detail));
  const begins = (choice: Choice) => (fold(choice.title).startsWith(words[0]!) ? 0 : 1);
  return found.sort((a, b) => begins(a) - begins(b));
}
