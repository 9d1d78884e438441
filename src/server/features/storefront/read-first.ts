// What our script on a page will read: a page that names it gets it together with the script, so the widget stands with the page's content.
import { sql } from 'kysely';
import { shardOf, type StorefrontIndex } from '../../../domain/widgets/published.ts';
import type { Context } from '../../platform/context.ts';

/** Addresses of the files that the widget of a product reads, by the platform's number; empty while nothing is published. */
export async function readOnProductPage({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, productNumber: number): Promise<string[]> {
  const { rows } = await sql<{ content: string }>`select content from storefronts where store_id = ${storeId}::integer`.execute(trx);
  if (!rows[0]) return [];
  const { widgets, theme, plans, products } = JSON.parse(rows[0].content) as StorefrontIndex;
  const templates = widgets.PRODUCT?.[String(theme)];
  const widget = templates?.product ?? templates?.['*'];
  const shard = products[shardOf(String(productNumber), products.length)];
  return widget && shard ? ['index.json', widget, plans, shard].map(file => `/storefront/${storeId}/${file}`) : [];
}
