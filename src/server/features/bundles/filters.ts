// Filters of a box: the values by which its products are narrowed while it is filled, from tags, vendor, type or metafields
// (bundles.md, sections 2 and 6).
import { sql } from 'kysely';
import type { Bundle, BundleFilter } from '../../../domain/bundles/bundle.ts';
import type { Context } from '../../platform/context.ts';

type Reading = Pick<Context, 'trx' | 'storeId'>;
type Metafields = Record<string, string[]>;

interface Narrowed {
  id: number;
  shopifyId: number;
  vendor: string;
  type: string;
  tags: string[];
  metafields: Metafields;
}

const SOURCES: Record<BundleFilter['source'], (product: Narrowed, filter: BundleFilter) => readonly string[]> = {
  TAG: ({ tags }) => tags,
  VENDOR: ({ vendor }) => [vendor],
  PRODUCT_TYPE: ({ type }) => [type],
  METAFIELD: ({ metafields }, { metafield }) => metafields[metafield ?? ''] ?? [],
};

export interface FilterValues {
  filter: BundleFilter;
  /** Value -> the products that have it. Values that no product has are left out. */
  values: Map<string, Narrowed[]>;
}

/** The filters of a box with what its products have: the values that were named in their order, else all, by the alphabet. */
export async function filterValuesOf({ trx, storeId }: Reading, { filters = [], productIds = [] }: Bundle): Promise<FilterValues[]> {
  if (filters.length === 0) return [];
  const { rows } = await sql<Narrowed>`select id, shopify_id as "shopifyId", vendor, product_type as type, tags, metafields from products
    where store_id = ${storeId}::integer and deleted_at is null and id = any(${productIds}::bigint[]) order by id`.execute(trx);
  return filters.map(filter => {
    const found = new Map<string, Narrowed[]>();
    for (const product of rows)
      for (const value of SOURCES[filter.source](product, filter)) if (value) found.set(value, [...(found.get(value) ?? []), product]);
    const wanted = filter.values?.length ? filter.values : [...found.keys()].sort();
    return { filter, values: new Map(wanted.flatMap(value => (found.has(value) ? [[value, found.get(value) ?? []]] : []))) };
  });
}

/** Product -> what filters say of it: "Roast: Dark". */
export function wordsOf(filters: readonly FilterValues[]): Map<number, string[]> {
  const words = new Map<number, string[]>();
  for (const { filter, values } of filters)
    for (const [value, products] of values)
      for (const { id } of products) words.set(id, [...(words.get(id) ?? []), `${filter.name}: ${value}`]);
  return words;
}
