// Widgets of the demo store: what product pages show, the one for coffees, gifts, and the banner with what subscribers did with it.
import { sql, type Kysely } from 'kysely';
import type { JsonObject, Schema } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { Definitions } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { writeValues } from '../../platform/texts/values.ts';
import { writeTaken } from './offers.ts';
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;

interface DemoWidget {
  entity: 'storefront-widget' | 'gift-widget' | 'storefront-banner';
  name: string;
  type: string;
  status: 'ACTIVE' | 'DRAFT';
  changedDaysAgo: number;
  /** Template keys of the theme that shoppers see. */
  on: readonly string[];
  preferences?: JsonObject;
  styles?: Record<string, JsonObject>;
  texts?: JsonObject;
  german?: Record<string, string>;
}

const GREEN = '#2F5D27';
const WIDGETS: readonly DemoWidget[] = [
  {
    entity: 'storefront-widget',
    name: 'Subscribe and save',
    type: 'PRODUCT',
    status: 'ACTIVE',
    changedDaysAgo: 9,
    on: ['product'],
    styles: {
      purchaseOptionSelected: { backgroundColor: '#F1F6EF', borderColor: GREEN },
      radio: { accentColor: GREEN },
      addToCartButton: { backgroundColor: GREEN },
    },
    texts: { purchaseOptionLabel: 'How would you like it?', subscriptionDetailsText: 'How our subscriptions work' },
    german: {
      purchaseOptionLabel: 'Wie hätten Sie es gern?',
      oneTimePurchaseLabel: 'Einmaliger Kauf',
      priceLabelText: 'pro Stück',
      prepaidFullPriceText: '{{prepaid_price}} für {{deliveries_per_charge}} Lieferungen',
      discountBadgeText: '{{discount_value}} sparen',
      planSelectorLabelText: 'Lieferung',
      subscriptionDetailsText: 'So funktionieren unsere Abos',
      addToCartButtonText: 'In den Warenkorb',
      addSubscriptionToCartButtonText: 'Abonnieren',
    },
  },
  {
    entity: 'storefront-widget',
    name: 'Coffee, with buttons',
    type: 'PRODUCT',
    status: 'ACTIVE',
    changedDaysAgo: 31,
    on: ['product.coffee'],
    preferences: { layoutType: 'BUTTON_GROUP', sellingPlanFrequencyOptions: 'BUTTON' },
    texts: { purchaseOptionLabel: 'Fresh from the roaster' },
  },
  { entity: 'storefront-widget', name: 'Winter look', type: 'PRODUCT', status: 'DRAFT', changedDaysAgo: 2, on: [] },
  {
    entity: 'storefront-widget',
    name: 'Tasting boxes',
    type: 'COLLECTION',
    status: 'ACTIVE',
    changedDaysAgo: 64,
    on: ['collection'],
    preferences: { layoutType: 'CHECKBOX', showSubscriptionDetailsPopup: false },
  },
  {
    entity: 'storefront-widget',
    name: 'Before you pay',
    type: 'CHECKOUT',
    status: 'ACTIVE',
    changedDaysAgo: 12,
    on: [],
    preferences: { showPurchaseOptionsLabel: false, sellingPlanFrequencyOptions: 'BUTTON', showSubscriptionDetailsPopup: false },
    styles: {
      purchaseOptionSelected: { backgroundColor: '#F1F6EF', borderColor: GREEN },
      radio: { accentColor: GREEN },
      addToCartButton: { backgroundColor: GREEN },
    },
    german: {
      priceLabelText: 'pro Stück',
      prepaidFullPriceText: '{{prepaid_price}} für {{deliveries_per_charge}} Lieferungen',
      discountBadgeText: '{{discount_value}} sparen',
      planSelectorLabelText: 'Lieferung',
      addSubscriptionToCartButtonText: 'Abonnieren',
    },
  },
  {
    entity: 'gift-widget',
    name: 'Give coffee away',
    type: 'GIFT',
    status: 'ACTIVE',
    changedDaysAgo: 40,
    on: ['product', 'page.gifts'],
    texts: { giftDescriptionText: 'Months of coffee for a person you like, with your words.' },
    german: {
      giftLabelText: 'Verschenken',
      giftDescriptionText: 'Monatelang Kaffee für einen lieben Menschen, mit Ihren Worten.',
      recipientNameLabel: 'Name der beschenkten Person',
      recipientEmailLabel: 'E-Mail der beschenkten Person',
      messageLabel: 'Ihre Nachricht',
      deliveryDateLabel: 'Beginnt am',
      addGiftToCartButtonText: 'Geschenk in den Warenkorb',
    },
  },
  {
    entity: 'storefront-banner',
    name: 'With your next box',
    type: 'STOREFRONT_BANNER',
    status: 'ACTIVE',
    changedDaysAgo: 18,
    on: ['product', 'product.coffee'],
    texts: { bannerTitleText: 'Add it to your next box' },
    german: { bannerTitleText: 'Zu Ihrer nächsten Kiste legen', addOneTimeCta: 'Einmal dazulegen' },
  },
];

/** What subscribers add by the banner: filters, mugs and oat milk. */
async function added(trx: Kysely<Tables>, storeId: number): Promise<{ by: number[]; share: number; from: number[] }> {
  const { rows } = await sql<{ id: number }>`select id::float8 as id from products where store_id = ${storeId}::integer
    and handle in ('everyday-mug', 'oat-barista', 'cacao-ritual', 'moss-matcha')`.execute(trx);
  return { by: rows.map(row => row.id), share: 16, from: [] };
}

/** Writes the widgets with their places and German words; after themes and languages. */
export async function writeWidgets(trx: Kysely<Tables>, store: SeedStore, { entities }: Definitions, now: number): Promise<void> {
  for (const { entity, name, type, status, changedDaysAgo, on, german = {}, ...own } of WIDGETS) {
    const part = (key: 'preferences' | 'styles' | 'texts'): JsonObject =>
      withDefaults<JsonObject>((entities[entity]?.properties?.[key] ?? {}) as Schema, own[key] ?? {});
    const at = new Date(now - changedDaysAgo * DAY_MS);
    const data = {
      ...{ name, type, status, isCustomised: Object.keys(own).length > 0 },
      ...{ preferences: part('preferences'), styles: part('styles'), texts: part('texts') },
    };
    const { rows } = await sql<{ id: number }>`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
      values (${store.id}::integer, ${entity}, 1, ${JSON.stringify(data)}::jsonb, ${new Date(at.getTime() - 90 * DAY_MS)}::timestamptz,
        ${at}::timestamptz, ${store.email}) returning id::float8 as id`.execute(trx);
    const id = rows[0]!.id;
    await sql`insert into widget_mappings (store_id, theme_id, template_key, type, widget_id, mapped_at)
      select t.store_id, t.theme_id, t.key, ${type}::text, ${id}::bigint, ${at}::timestamptz
      from theme_templates t join store_themes h on h.store_id = t.store_id and h.id = t.theme_id and h.role = 'MAIN'
      where t.store_id = ${store.id}::integer and t.key = any(${[...on]}::text[])`.execute(trx);
    if (entity === 'storefront-banner')
      await writeTaken(trx, store.id, { kind: 'BANNER', profileId: id, now: new Date(now), taken: await added(trx, store.id) });
    const words = Object.entries(german).map(([key, value]) => ({ ownerKind: entity, ownerId: String(id), key: `texts.${key}`, value }));
    if (words.length) await writeValues({ trx, storeId: store.id, at, by: store.email }, 'de', words);
  }
}
