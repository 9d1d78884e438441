// Themes of the demo store: the one that shoppers see, the one for the winter, and an old one that takes no blocks of apps.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;
const TEMPLATES = [
  ['product', 'Default product', 'PRODUCT'],
  ['product.coffee', 'Coffee', 'PRODUCT'],
  ['product.equipment', 'Equipment', 'PRODUCT'],
  ['collection', 'Default collection', 'COLLECTION'],
  ['collection.tasting', 'Tasting boxes', 'COLLECTION'],
  ['page', 'Default page', 'PAGE'],
  ['page.gifts', 'Gifts', 'PAGE'],
] as const;

interface DemoTheme {
  number: number;
  name: string;
  role: 'MAIN' | 'UNPUBLISHED';
  takesBlocks: boolean;
  changedDaysAgo: number;
  /** Template -> the blocks of ours in it. */
  blocks: Record<string, readonly string[]>;
}
const THEMES: readonly DemoTheme[] = [
  {
    number: 1,
    name: 'Meadow',
    role: 'MAIN',
    takesBlocks: true,
    changedDaysAgo: 9,
    blocks: {
      product: ['PRODUCT', 'GIFT', 'STOREFRONT_BANNER'],
      'product.coffee': ['PRODUCT', 'STOREFRONT_BANNER'],
      collection: ['COLLECTION'],
      'page.gifts': ['GIFT'],
    },
  },
  { number: 2, name: 'Meadow in winter', role: 'UNPUBLISHED', takesBlocks: true, changedDaysAgo: 2, blocks: { product: ['PRODUCT'] } },
  { number: 3, name: 'Brook (2019)', role: 'UNPUBLISHED', takesBlocks: false, changedDaysAgo: 610, blocks: {} },
];

/** Writes the themes; the first one is there since the store was opened. */
export async function writeThemes(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  for (const theme of THEMES) {
    const { rows } = await sql<{ id: number }>`insert into store_themes (store_id, shopify_theme_id, name, role, takes_blocks, updated_at)
      values (${store.id}::integer, 140000000000 + ${store.id}::bigint * 100 + ${theme.number}::bigint, ${theme.name}, ${theme.role},
        ${theme.takesBlocks}::boolean, ${new Date(now - theme.changedDaysAgo * DAY_MS)}::timestamptz)
      on conflict (store_id, shopify_theme_id) do update set updated_at = excluded.updated_at returning id`.execute(trx);
    const column = <T>(of: (one: (typeof TEMPLATES)[number], place: number) => T): T[] => TEMPLATES.map(of);
    await sql`insert into theme_templates (store_id, theme_id, key, name, type, position, blocks)
      select ${store.id}::integer, ${rows[0]!.id}::integer, t.key, t.name, t.type, t.position,
        array(select jsonb_array_elements_text(coalesce(${JSON.stringify(theme.blocks)}::jsonb -> t.key, '[]')))
      from unnest(${column(one => one[0])}::text[], ${column(one => one[1])}::text[], ${column(one => one[2])}::text[],
        ${column((_, place) => place + 1)}::integer[]) t (key, name, type, position)
      on conflict (store_id, theme_id, key) do update set position = excluded.position, blocks = excluded.blocks`.execute(trx);
  }
}
