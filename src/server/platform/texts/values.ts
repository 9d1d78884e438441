// The words of a store by language: read, resolved, written.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { localeChain, resolveText } from '../../../domain/text/translation.ts';
import type { Reading, TextSource } from './sources.ts';

/** One text of a store in one language. */
export interface TextValue {
  value: string | null;
  /** What a machine proposes. */
  draft: string | null;
  updatedAt: Date;
  updatedBy: string;
}
export type Owned = Pick<TextSource, 'ownerKind' | 'ownerId' | 'key'>;
type Scope = Pick<Reading, 'trx' | 'storeId'>;

/** Which text it is, within a language of a store. */
export const textId = ({ ownerKind, ownerId, key }: Owned): string => `${ownerKind}|${ownerId}|${key}`;

/** The languages of a store, the primary one first. */
export async function languagesOf({
  trx,
  storeId,
}: Scope): Promise<{ locale: string; name: string; isPrimary: boolean; isPublished: boolean }[]> {
  const { rows } = await sql<{ locale: string; name: string; isPrimary: boolean; isPublished: boolean }>`
    select data ->> 'locale' as locale, data ->> 'name' as name, (data ->> 'isPrimary')::boolean as "isPrimary",
      (data ->> 'isPublished')::boolean as "isPublished"
    from records where store_id = ${storeId} and entity = 'store-language' and deleted_at is null
    order by (data ->> 'isPrimary')::boolean desc nulls last, position, id`.execute(trx);
  return rows;
}

/** The store's primary language. */
export const primaryOf = async (scope: Scope): Promise<string> => (await languagesOf(scope)).find(one => one.isPrimary)?.locale ?? 'en';

/** What a store has in a language, by `textId`; of one owner or of all. */
export async function valuesIn(
  { trx, storeId }: Scope,
  locale: string,
  owner?: Pick<Owned, 'ownerKind'> & Partial<Pick<Owned, 'ownerId'>>,
): Promise<Map<string, TextValue>> {
  let query = trx.selectFrom('texts').selectAll().where('store_id', '=', storeId).where('locale', '=', locale);
  if (owner) query = query.where('owner_kind', '=', owner.ownerKind);
  if (owner?.ownerId !== undefined) query = query.where('owner_id', '=', owner.ownerId);
  const rows = await query.execute();
  return new Map(
    rows.map(row => [
      textId({ ownerKind: row.owner_kind, ownerId: row.owner_id, key: row.key }),
      { value: row.value, draft: row.draft, updatedAt: row.updated_at, updatedBy: row.updated_by },
    ]),
  );
}

/**
 * The words that customers read in a locale: its own, those of its base language, of the primary language, of the product. Languages that
 * are not published do not count.
 */
export async function resolved(scope: Scope, locale: string | null, sources: readonly TextSource[]): Promise<Map<string, string>> {
  const languages = await languagesOf(scope);
  const primary = languages.find(one => one.isPrimary)?.locale ?? 'en';
  const published = new Set(languages.filter(one => one.isPublished).map(one => one.locale));
  const chain = localeChain(locale ?? primary, primary).filter(one => one === primary || published.has(one));
  const found = await Promise.all(chain.map(one => valuesIn(scope, one)));
  return new Map(
    sources.map(source => {
      const id = textId(source);
      const values = Object.fromEntries(chain.map((one, i) => [one, found[i]?.get(id)?.value ?? undefined]));
      return [id, resolveText(values, chain, source.standard)];
    }),
  );
}

export interface TextWrite extends Owned {
  /** Null: none of its own, so that it falls back. */
  value: string | null;
}

/** Writes words of a store in a language; a proposal for the same text is settled by it. */
export async function writeValues(
  { trx, storeId, at, by }: { trx: Kysely<Tables>; storeId: number; at: Date; by: string },
  locale: string,
  writes: readonly TextWrite[],
): Promise<void> {
  const [kept, gone] = [writes.filter(one => one.value !== null), writes.filter(one => one.value === null)];
  if (gone.length)
    await sql`delete from texts where store_id = ${storeId} and locale = ${locale}
      and (owner_kind, owner_id, key) in (${sql.join(gone.map(one => sql`(${one.ownerKind}, ${one.ownerId}, ${one.key})`))})`.execute(trx);
  if (kept.length)
    await trx
      .insertInto('texts')
      .values(
        kept.map(({ ownerKind, ownerId, key, value }) => ({
          store_id: storeId,
          locale,
          owner_kind: ownerKind,
          owner_id: ownerId,
          key,
          value,
          draft: null,
          run_id: null,
          updated_at: at,
          updated_by: by,
        })),
      )
      .onConflict(conflict =>
        conflict.columns(['store_id', 'locale', 'owner_kind', 'owner_id', 'key']).doUpdateSet(eb => ({
          value: eb.ref('excluded.value'),
          draft: null,
          run_id: null,
          updated_at: eb.ref('excluded.updated_at'),
          updated_by: eb.ref('excluded.updated_by'),
        })),
      )
      .execute();
}
