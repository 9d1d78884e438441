// The store's themes as its platform has them: their templates, the blocks and snippets of ours in them.
import { sql } from 'kysely';
import { notFound, type Context } from '../../platform/context.ts';
import { later } from '../../../domain/text/t.ts';

/** The snippet of widget version 1, as themes have it in their code. */
export const SUBSCRIPTION_WIDGET = 'subscription-widget';

export type Target = 'PRODUCT' | 'COLLECTION' | 'GIFT' | 'STOREFRONT_BANNER' | 'CHECKOUT';
export type TemplateType = 'PRODUCT' | 'COLLECTION' | 'PAGE';

/** The kinds of pages that a widget may stand on. The checkout is no page of a theme. */
export const PAGES_OF: Record<Target, readonly TemplateType[]> = {
  PRODUCT: ['PRODUCT', 'PAGE'],
  COLLECTION: ['COLLECTION', 'PAGE'],
  GIFT: ['PRODUCT', 'PAGE'],
  STOREFRONT_BANNER: ['PRODUCT', 'COLLECTION', 'PAGE'],
  CHECKOUT: [],
};

export interface Theme {
  id: number;
  shopifyThemeId: number;
  name: string;
  role: 'MAIN' | 'UNPUBLISHED' | 'DEMO';
  takesBlocks: boolean;
  snippets: string[];
}
export interface Template {
  key: string;
  name: string;
  type: TemplateType;
  blocks: string[];
}

type Reading = Pick<Context, 'trx' | 'storeId'>;
type Writing = Pick<Context, 'trx' | 'storeId' | 'now'>;

/** All themes of the store, the one that shoppers see first. */
export async function themesOf({ trx, storeId }: Reading): Promise<Theme[]> {
  const { rows } = await sql<Theme>`select id, shopify_theme_id as "shopifyThemeId", name, role, takes_blocks as "takesBlocks", snippets
    from store_themes where store_id = ${storeId}::integer order by role <> 'MAIN', id`.execute(trx);
  return rows;
}

/** The theme with the platform's number. @throws Refusal 404 */
export async function needTheme(context: Reading, shopifyThemeId: number): Promise<Theme> {
  const theme = (await themesOf(context)).find(one => one.shopifyThemeId === shopifyThemeId);
  if (!theme) throw notFound(later`theme`);
  return theme;
}

/** The templates of a theme, of some kinds of pages or all, in the theme's order. */
export async function templatesOf({ trx, storeId }: Reading, themeId: number, types?: readonly TemplateType[]): Promise<Template[]> {
  const { rows } = await sql<Template>`select key, name, type, blocks from theme_templates
    where store_id = ${storeId}::integer and theme_id = ${themeId}::integer
      and (${types ? [...types] : null}::text[] is null or type = any(${types ? [...types] : null}::text[]))
    order by position, key`.execute(trx);
  return rows;
}

/** Puts a block into templates of a theme, as the platform's theme editor does. Those that have it already keep it. */
export async function addBlock({ trx, storeId }: Reading, themeId: number, block: string, keys: readonly string[]): Promise<void> {
  await sql`update theme_templates set blocks = array_append(blocks, ${block}::text)
    where store_id = ${storeId}::integer and theme_id = ${themeId}::integer and key = any(${[...keys]}::text[])
      and not blocks @> array[${block}::text]`.execute(trx);
}

/** Pastes a snippet into a theme, or takes it out. Twice is once. */
export async function keepSnippet({ trx, storeId, now }: Writing, themeId: number, snippet: string, isThere: boolean): Promise<void> {
  const without = sql`array_remove(snippets, ${snippet}::text)`;
  await sql`update store_themes set snippets = ${isThere ? sql`array_append(${without}, ${snippet}::text)` : without},
      version = version + 1, updated_at = ${now()}::timestamptz
    where store_id = ${storeId}::integer and id = ${themeId}::integer`.execute(trx);
}
