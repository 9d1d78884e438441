// The words of a store by language: read, resolved, written.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { readyWords } from './ready-words.ts';
import type { Reading } from './reading.ts';
import { standardIn } from './standard-words.ts';
import { type Owned, textId } from './text-id.ts';

/** One text of a store in one language. */
export interface TextValue {
  /** Null: none of its own any more, or not yet. */
  value: string | null;
  /** What a machine proposes. */
  draft: string | null;
  /** Counts the changes of the value; 0 while there was none. */
  version: number;
  /** Null for words of the product. */
  updatedAt: Date | null;
  updatedBy: string;
}
type Scope = Pick<Reading, 'trx' | 'storeId'>;

/** Whether the store writes the text in its primary language too; that of a record stands in the record. */
export const isOfStore = ({ ownerKind }: Pick<Owned, 'ownerKind'>): boolean => ['store', 'theme', 'widget'].includes(ownerKind);

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

/** What customers read in a language, by `textId`; of one owner or of all: words of the store, else those that the product brings. */
export async function valuesIn(
  { trx, storeId }: Scope,
  locale: string,
  owner?: Pick<Owned, 'ownerKind'> & Partial<Pick<Owned, 'ownerId'>>,
): Promise<Map<string, TextValue>> {
  let query = trx.selectFrom('texts').selectAll().where('store_id', '=', storeId).where('locale', '=', locale);
  if (owner) query = query.where('owner_kind', '=', owner.ownerKind);
  if (owner?.ownerId !== undefined) query = query.where('owner_id', '=', owner.ownerId);
  const found = new Map<string, TextValue>();
  const ready = readyWords(locale);
  for (const [id, value] of ready) found.set(id, { value, draft: null, version: 0, updatedAt: null, updatedBy: '' });
  for (const row of await query.execute()) {
    const id = textId({ ownerKind: row.owner_kind, ownerId: row.owner_id, key: row.key });
    const { draft, version, updated_at: updatedAt, updated_by: updatedBy } = row;
    found.set(id, { value: row.value ?? ready.get(id) ?? null, draft, version, updatedAt, updatedBy });
  }
  return found;
}

/** What a language has for a text, by `valuesIn`: a standard text without a translation has the product's words. */
export function valueFor(values: ReadonlyMap<string, TextValue>, text: Owned, locale: string): TextValue | undefined {
  const own = values.get(textId(text));
  const usual = own?.value == null && text.usual !== undefined ? standardIn(locale, text.usual) : undefined;
  return usual === undefined ? own : { draft: null, version: 0, updatedAt: null, updatedBy: '', ...own, value: usual };
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
  await noteVersions({ trx, storeId, at, by }, locale, writes);
  if (writes.length === 0) return;
  await trx
    .insertInto('texts')
    .values(
      writes.map(({ ownerKind, ownerId, key, value }) => ({
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
        version: sql<number>`texts.version + (texts.value is distinct from excluded.value)::integer`,
        updated_at: eb.ref('excluded.updated_at'),
        updated_by: eb.ref('excluded.updated_by'),
      })),
    )
    .execute();
}

/** Lets one at a time write words of a store in a language, until the transaction ends: what is read after it can't change before that. */
export const lockTexts = async (trx: Kysely<Tables>, storeId: number, locale: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} texts ${locale}`}, 0))`.execute(trx);
};

/** Keeps what becomes of the words of records: one version for each record that is written to. */
async function noteVersions(
  { trx, storeId, at, by }: { trx: Kysely<Tables>; storeId: number; at: Date; by: string },
  locale: string,
  writes: readonly TextWrite[],
): Promise<void> {
  const ofRecords = writes.filter(one => !isOfStore(one));
  if (ofRecords.length === 0) return;
  const column = (name: keyof TextWrite) => ofRecords.map(one => one[name]);
  await sql`insert into text_versions (store_id, locale, owner_kind, owner_id, version, key, value, changed_at, changed_by)
    select ${storeId}::integer, ${locale}::text, w.kind, w.id, coalesce((select max(v.version) from text_versions v
        where v.store_id = ${storeId}::integer and v.locale = ${locale}::text and v.owner_kind = w.kind and v.owner_id = w.id), 0) + 1,
      w.key, w.value, ${at}::timestamptz, ${by}::text
    from unnest(${column('ownerKind')}::text[], ${column('ownerId')}::text[], ${column('key')}::text[], ${column('value')}::text[])
      as w (kind, id, key, value)`.execute(trx);
}
