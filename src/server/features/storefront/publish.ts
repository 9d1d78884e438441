// Writes what pages of a shop read: builds it, adds the files that are new, and lets the index name them.
import { sql, type Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { StorefrontIndex } from '../../../domain/widgets/published.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Context } from '../../platform/context.ts';
import { readSetting } from '../../platform/records/settings.ts';
import { build, inOnePiece, type Built, type SnapshotKind } from './build.ts';
import type { Reading } from './widgets.ts';

/** For how long a file is answered that the index names no more: pages that were loaded before still ask for it. */
export const ANSWERED_HOURS = 24;

/** What a build reads, where there is no call: in a job. */
export async function readingFor(trx: Kysely<Tables>, storeId: number, definitions: Definitions): Promise<Reading | undefined> {
  const store = await trx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirst();
  if (!store) return undefined;
  const scope = { trx, storeId, store, definitions };
  return { ...scope, setting: async name => (await readSetting(scope, name)).data };
}

/**
 * Builds the files of a store and puts them in the place of those of before, in this transaction. One build of a store at a time: changes
 * are taken away before anything is read, so what is changed meanwhile is built again.
 * @param by the person who pressed the button; empty where it was built because something had changed
 */
export async function publish(context: Reading, by: string): Promise<Built> {
  const { trx, storeId } = context;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} storefront`}, 0))`.execute(trx);
  await sql`delete from storefront_changes where store_id = ${storeId}::integer`.execute(trx);
  const built = await build(context);
  const [names, contents] = [[...built.files.keys()], [...built.files.values()]];
  await sql`insert into storefront_files (store_id, name, content)
    select ${storeId}::integer, f.name, f.content from unnest(${names}::text[], ${contents}::text[]) as f (name, content)
    on conflict (store_id, name) do update set replaced_at = null where storefront_files.replaced_at is not null`.execute(trx);
  await sql`update storefront_files set replaced_at = now() where store_id = ${storeId}::integer and replaced_at is null
    and name <> all(${names}::text[])`.execute(trx);
  await sql`insert into storefronts (store_id, content, built_at, built_by)
    values (${storeId}::integer, ${JSON.stringify(built.index)}, clock_timestamp(), ${by})
    on conflict (store_id) do update set content = excluded.content, built_at = excluded.built_at, built_by = excluded.built_by`.execute(
    trx,
  );
  return built;
}

/** Builds at once (C574, C575, C576). */
export async function refresh(context: Context, kind: SnapshotKind): Promise<JsonObject> {
  const built = await publish(context, context.user.email);
  return { kind, refreshedAt: context.now().toISOString(), refreshedBy: context.user.email, data: inOnePiece(built, kind) };
}

/** What pages read now, in one piece; null while nothing was built. */
export async function publishedData({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, kind: SnapshotKind): Promise<JsonObject | null> {
  const { rows } = await sql<{ content: string; at: Date; by: string }>`select content, built_at as at, built_by as by from storefronts
    where store_id = ${storeId}::integer`.execute(trx);
  const row = rows[0];
  if (!row) return null;
  const files = await sql<{ name: string; content: string }>`select name, content from storefront_files
    where store_id = ${storeId}::integer and replaced_at is null and name not like 'products-%'`.execute(trx);
  const index = JSON.parse(row.content) as StorefrontIndex;
  const data = inOnePiece({ index, files: new Map(files.rows.map(file => [file.name, file.content])) }, kind);
  return { kind, refreshedAt: row.at.toISOString(), refreshedBy: row.by, data };
}
