// Metafields of products: what the store's platform lets merchants say of them beside their own fields.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';

/** What each metafield of the store is called, by its key. */
export async function metafieldTitles({ trx, storeId }: Pick<RuleContext, 'trx' | 'storeId'>): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; title: string }>`select data ->> 'key' as key, data ->> 'title' as title from records
    where store_id = ${storeId}::integer and entity = 'metafield-definition' and deleted_at is null`.execute(trx);
  return new Map(rows.map(({ key, title }) => [key, title]));
}

/** Those of a product that are defined, in the order of their names. */
export const metafieldsWire = (stored: JsonObject, titles: ReadonlyMap<string, string>): JsonObject[] =>
  Object.entries(stored)
    .flatMap(([key, values]) => (titles.has(key) ? [{ title: titles.get(key) ?? key, values, metafield: key }] : []))
    .sort((a, b) => a.title.localeCompare(b.title));
