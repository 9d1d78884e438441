// How far the translation into a language is: of all texts, and by category.
import type { Definitions } from '../../../contract/types.ts';
import { sourcesOf, type Reading, type Selection, type TextSource } from '../../platform/texts/sources.ts';
import { valueFor, valuesIn, type TextValue } from '../../platform/texts/values.ts';

export interface Progress {
  total: number;
  translated: number;
  /** Proposals that wait for a person to look at them, where there is no translation yet or a newer one is proposed. */
  drafts: number;
}

/** How many of some texts have words in a language. `values`: what that language has (`valuesIn`). */
export function progressOf(sources: readonly TextSource[], values: ReadonlyMap<string, TextValue>, locale: string): Progress {
  const found = sources.map(source => valueFor(values, source, locale));
  return {
    total: sources.length,
    translated: found.filter(one => one?.value != null).length,
    drafts: found.filter(one => one?.draft != null).length,
  };
}

/** 0 to 100; 100 only when nothing is missing. */
export const percentOf = ({ total, translated }: Progress): number => (total === 0 ? 100 : Math.floor((translated / total) * 100));

export interface WithSources {
  sources: TextSource[];
  values: Map<string, TextValue>;
}
/** The texts that are chosen and what the store has for them in a language. */
export const inLanguage = async (
  scope: Reading & { definitions: Definitions },
  locale: string,
  selection: Selection = {},
): Promise<WithSources> => ({
  sources: await sourcesOf(scope, selection),
  values: await valuesIn(scope, locale),
});
