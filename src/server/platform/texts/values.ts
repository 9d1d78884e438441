// The words of a store by language: read, resolved, written.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Reading } from './reading.ts';

/** One text of a store in one language. */
export interface TextValue {
  /** Null: none of its own any more, or not yet. */
  value: string | null;
  /** What a machine proposes. */
  draft: string | null;
  /** Counts the changes of the value; 0 while there was none. */
  version: number;
  updatedAt: Date;
  updatedBy: string;
}
/** Which text it is: whose, and its key there (`TextSource` says more). */
export interface Owned {
  ownerKind: string;
  ownerId: string;
  key: string;
}
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
      { value: row.value, draft: row.draft, version: row.version, updatedAt: row.updated_at, updatedBy: row.updated_by },
    ]),
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
  const ofRecords = writes.filter(one => !NO_RECORDS.has(one.ownerKind));
  if (ofRecords.length === 0) return;
  const column = (name: keyof TextWrite) => ofRecords.map(one => one[name]);
  await sql`insert into text_versions (store_id, locale, owner_kind, owner_id, version, key, value, changed_at, changed_by)
    select ${storeId}::integer, ${locale}::text, w.kind, w.id, coalesce((select max(v.version) from text_versions v
        where v.store_id = ${storeId}::integer and v.locale = ${locale}::text and v.owner_kind = w.kind and v.owner_id = w.id), 0) + 1,
      w.key, w.value, ${at}::timestamptz, ${by}::text
    from unnest(${column('ownerKind')}::text[], ${column('ownerId')}::text[], ${column('key')}::text[], ${column('value')}::text[])
      as w (kind, id, key, value)`.execute(trx);
}
const NO_RECORDS = new Set(['store', 'theme', 'widget']);
