// Themes of the customer portal of the demo store: the one that subscribers see, and the one for the winter, which is being made.
import { sql, type Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { Tables } from '../../../generated/tables.ts';
import { writeValues } from '../../platform/texts/values.ts';
import type { SeedStore } from './store.ts';

const ENTITY = 'portal-theme';
const DAY_MS = 86_400_000;
const GREEN = '#2F5D27';
const BLUE = '#1F4E79';
const shown = (...keys: string[]): JsonObject[] => keys.map(key => ({ id: key, key, isVisible: true }));
const FRESH: JsonObject = {
  id: 'fresh-from-the-roaster',
  key: 'custom_section',
  isVisible: true,
  title: 'Fresh from the roaster',
  html: '<p>We roast on <strong>Tuesdays</strong>. What you change until Monday evening is in the same week’s bag.</p>',
};

interface DemoTheme {
  nanoId: string;
  name: string;
  status: 'LIVE' | 'DRAFT';
  changedDaysAgo: number;
  sections: JsonObject[];
  styles: Record<string, JsonObject>;
  words: Record<'en' | 'de', Record<string, string>>;
}
const THEMES: readonly DemoTheme[] = [
  {
    nanoId: 'FernEmberPortalTheme1',
    name: 'Fern & Ember',
    status: 'LIVE',
    changedDaysAgo: 12,
    sections: [
      ...shown('upgrade_banner', 'next_order', 'streak_banner', 'mystery_reward', 'loyalty', 'products', 'upsell', 'discounts'),
      FRESH,
      ...shown('schedule_actions', 'subscription_actions', 'delivery_details', 'payment_details', 'order_history'),
      ...shown('other_subscriptions', 'gifts_given', 'help'),
    ],
    styles: { page: { backgroundColor: '#F1F6EF' }, action: { color: GREEN }, button: { backgroundColor: GREEN }, link: { color: GREEN } },
    words: {
      en: { greeting: 'Good to see you, {{customer_first_name}}' },
      de: { greeting: 'Schön, dass Sie da sind, {{customer_first_name}}' },
    },
  },
  {
    nanoId: 'FernEmberPortalTheme2',
    name: 'Winter',
    status: 'DRAFT',
    changedDaysAgo: 1,
    sections: [
      ...shown('upgrade_banner', 'next_order', 'streak_banner', 'mystery_reward', 'loyalty', 'products', 'upsell', 'discounts'),
      ...shown('delivery_details', 'payment_details'),
      ...shown('schedule_actions', 'subscription_actions', 'order_history', 'other_subscriptions', 'gifts_given', 'help'),
    ],
    styles: { page: { backgroundColor: '#EDF2F7' }, action: { color: BLUE }, button: { backgroundColor: BLUE }, link: { color: BLUE } },
    words: { en: { greeting: 'Warm up, {{customer_first_name}}' }, de: {} },
  },
];
const GERMAN_SECTION = {
  title: 'Frisch aus der Rösterei',
  html: '<p>Wir rösten <strong>dienstags</strong>. Was Sie bis Montagabend ändern, ist in der Tüte derselben Woche.</p>',
};

/** Writes the themes with their words; the live one is there since the store was opened. */
export async function writePortalThemes(trx: Kysely<Tables>, store: SeedStore, { entities }: Definitions, now: number): Promise<void> {
  for (const { changedDaysAgo, words, ...own } of THEMES) {
    const at = new Date(now - changedDaysAgo * DAY_MS);
    const data = JSON.stringify({
      ...withDefaults<JsonObject>(entities[ENTITY] ?? {}, { ...own, themeType: 'CUSTOMER_PORTAL', isCustomised: true }),
    });
    const { rows } = await (
      own.status === 'LIVE'
        ? sql<{ id: number }>`update records set data = ${data}::jsonb, created_at = ${new Date(store.openedAt)}::timestamptz,
            updated_at = ${at}::timestamptz, updated_by = ${store.email} where store_id = ${store.id}::integer and entity = ${ENTITY}
            and data ->> 'status' = 'LIVE' returning id::float8 as id`
        : sql<{ id: number }>`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
            values (${store.id}::integer, ${ENTITY}, 2, ${data}::jsonb, ${at}::timestamptz, ${at}::timestamptz, ${store.email})
            returning id::float8 as id`
    ).execute(trx);
    for (const locale of ['en', 'de'] as const)
      await writeValues({ trx, storeId: store.id, at, by: store.email }, locale, [
        ...Object.entries(words[locale]).map(([key, value]) => ({ ownerKind: 'theme', ownerId: own.nanoId, key, value })),
        ...(locale === 'de' && own.sections.includes(FRESH)
          ? Object.entries(GERMAN_SECTION).map(([name, value]) => ({
              ...{ ownerKind: ENTITY, ownerId: String(rows[0]!.id), key: `sections.${String(FRESH.id)}.${name}` },
              value,
            }))
          : []),
      ]);
  }
}
