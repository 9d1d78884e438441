// The words of a store in all languages that its customers read, held in memory for work that writes to many of them at once.
import { sql } from 'kysely';
import { baseLanguage, firstWords, localeChain } from '../../../domain/text/translation.ts';
import { prepared } from '../db/prepared-statements.ts';
import type { Reading } from './reading.ts';
import { readyWords } from './ready-words.ts';
import type { TextSource } from './sources.ts';
import { standardIn } from './standard-words.ts';
import { textId, type Owned } from './text-id.ts';

/** Words that were found, and the language that they are in. */
export interface Found {
  value: string;
  locale: string;
  /** They are the product's, not the store's. */
  isReady: boolean;
}

/** Words by language; those of languages that are not published are not among them. */
export class Words {
  readonly primary: string;
  readonly #values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  constructor(primary: string, values: ReadonlyMap<string, ReadonlyMap<string, string>>) {
    this.primary = primary;
    this.#values = values;
  }

  /**
   * The words for a reader of `locale` (null: the primary language): in that language, its base language, the primary one; the store's,
   * else those that the product brings in that language. Undefined: those of the record, or the product's English. Of several texts the
   * first with words in a language counts there: a theme's, then the store's.
   */
  find(locale: string | null, ...texts: Owned[]): Found | undefined {
    const ids = texts.map(textId);
    const ownIn = (one: string): string | undefined => firstOf(this.#values.get(one), ids);
    const chain = localeChain(locale ?? this.primary, this.primary).filter(one => this.#values.has(one));
    const found = firstWords(chain, (one): string | undefined => {
      // What the store says in German comes before what the product says to Austrians.
      const isLast = chain.findLast(other => baseLanguage(other) === baseLanguage(one)) === one;
      return ownIn(one) ?? (isLast ? (firstOf(readyWords(one), ids) ?? usualIn(one, texts)) : undefined);
    });
    return found && { ...found, isReady: ownIn(found.locale) === undefined };
  }

  /** The language of the store in which a person with this locale is written to: days and amounts are said in it too. */
  languageFor(locale: string | null): string {
    return localeChain(locale ?? this.primary, this.primary).find(one => this.#values.has(one)) ?? this.primary;
  }
}

const usualIn = (locale: string, texts: readonly Owned[]): string | undefined =>
  texts.flatMap(({ usual }) => (usual === undefined ? [] : (standardIn(locale, usual) ?? [])))[0];
const firstOf = (words: ReadonlyMap<string, string> | undefined, ids: readonly string[]): string | undefined =>
  ids.map(id => words?.get(id)).find(found => found !== undefined && found !== '');

/**
 * Reads the words of a store, of some kinds of owners ("store", "email-template") or of all. `also` is a language that counts although
 * it may not be published: for looking at what customers will read. `reader`: the locale of the one customer they are for, null for one
 * without; only what that customer can be shown is read.
 */
export async function readWords(
  { trx, storeId }: Pick<Reading, 'trx' | 'storeId'>,
  ownerKinds?: readonly string[],
  also: string | null = null,
  reader?: string | null,
): Promise<Words> {
  const kinds = ownerKinds ? [...ownerKinds] : null;
  const chain = reader === undefined ? null : reader === null ? [] : localeChain(reader, reader);
  const { rows } = await prepared(sql<{
    locale: string;
    isPrimary: boolean;
    ownerKind: string | null;
    ownerId: string;
    key: string;
    value: string;
  }>`select l.data ->> 'locale' as locale, coalesce((l.data ->> 'isPrimary')::boolean, false) as "isPrimary", t.owner_kind as "ownerKind",
      t.owner_id as "ownerId", t.key, t.value
    from records l left join texts t on t.store_id = l.store_id and t.locale = l.data ->> 'locale' and t.value is not null
      and (${kinds}::text[] is null or t.owner_kind = any(${kinds}::text[]))
    where l.store_id = ${storeId}::integer and l.entity = 'store-language' and l.deleted_at is null
      and (l.data ->> 'isPrimary' = 'true' or l.data ->> 'isPublished' = 'true' or l.data ->> 'locale' = ${also}::text)
      and (${chain}::text[] is null or l.data ->> 'isPrimary' = 'true' or l.data ->> 'locale' = any(${chain}::text[]))`).execute(trx);
  const values = new Map<string, Map<string, string>>();
  for (const { locale, ownerKind, ownerId, key, value } of rows) {
    let there = values.get(locale);
    if (!there) values.set(locale, (there = new Map()));
    if (ownerKind !== null) there.set(textId({ ownerKind, ownerId, key }), value);
  }
  return new Words(rows.find(row => row.isPrimary)?.locale ?? 'en', values);
}

/** The words that customers read in a locale: the store's, else those that each text has of its own. */
export async function resolved(
  scope: Pick<Reading, 'trx' | 'storeId'>,
  locale: string | null,
  sources: readonly TextSource[],
): Promise<Map<string, string>> {
  const words = await readWords(scope);
  return new Map(sources.map(source => [textId(source), words.find(locale, source)?.value ?? source.standard]));
}
