// What the pages of the storefront read: plans, products, widgets with their places, styles and words, kept in one piece as it was when it
// was put together last. Pages load fast by it, and what is changed in the admin is seen once it is put together again.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { planType } from '../../../domain/selling-plans/selling-plan.ts';
import { cssVariables } from '../../../domain/widgets/style-attributes.ts';
import type { Context } from '../../platform/context.ts';
import { sourcesOf } from '../../platform/texts/sources.ts';
import { languagesOf, textId } from '../../platform/texts/values.ts';
import { readWords } from '../../platform/texts/words.ts';
import { readBundles } from '../bundles/catalogue.ts';
import { filterValuesOf } from '../bundles/filters.ts';
import { plansOf } from '../selling-plans/plan-document.ts';
import { mappingsOf, type Mapping } from './mappings.ts';
import { SUBSCRIPTION_WIDGET, themesOf } from '../themes/themes.ts';
import { groupsOf } from './sample.ts';

export type SnapshotKind = 'STORE' | 'PRESET_BUNDLES' | 'GIFT';
type Reading = Pick<Context, 'trx' | 'storeId' | 'store' | 'definitions' | 'setting'>;
type Styles = Parameters<typeof cssVariables>[0];

/** Published widgets of an entity: preferences, CSS, words in every published language. */
async function widgetsOf(context: Reading, entity: string, localised: string): Promise<JsonObject[]> {
  const { trx, storeId, definitions } = context;
  const schema = definitions.entities[entity]?.properties ?? {};
  const { rows } = await sql<{ id: number; data: JsonObject }>`select id::float8 as id, data from records
    where store_id = ${storeId}::integer and entity = ${entity} and deleted_at is null and data ->> 'status' = 'ACTIVE'
    order by id`.execute(trx);
  if (rows.length === 0) return [];
  const words = await readWords(context, [entity]);
  const locales = (await languagesOf(context)).filter(one => one.isPublished && !one.isPrimary).map(one => one.locale);
  const sources = await sourcesOf(context, { categoryId: localised });
  return rows.map(({ id, data }) => {
    const own = sources.filter(source => source.ownerId === String(id));
    return {
      id,
      type: data.type ?? null,
      preferences: withDefaults<JsonObject>(schema.preferences ?? {}, data.preferences ?? {}),
      cssVariables: cssVariables(withDefaults<JsonObject>(schema.styles ?? {}, data.styles ?? {}) as Styles),
      customCss: data.customCss ?? '',
      texts: withDefaults<JsonObject>(schema.texts ?? {}, data.texts ?? {}),
      textsByLocale: Object.fromEntries(
        locales.map(locale => [
          locale,
          Object.fromEntries(
            own.map(source => [source.key.split('.').pop() ?? textId(source), words.find(locale, source)?.value ?? source.standard]),
          ),
        ]),
      ),
    };
  });
}

/** { theme: { template: widget } }, of what is published. */
function widgetMapping(mappings: readonly Mapping[], published: ReadonlySet<number>): JsonObject {
  const byTheme: Record<string, Record<string, number>> = {};
  for (const { shopifyThemeId, templateKey, widgetId, isBlockAdded } of mappings)
    if (isBlockAdded && published.has(widgetId)) (byTheme[String(shopifyThemeId)] ??= {})[templateKey] = widgetId;
  return byTheme;
}
const idsOf = (widgets: readonly JsonObject[]): Set<number> => new Set(widgets.map(one => Number(one.id)));

/** Plans with the products they are offered on, by the numbers that the platform has for them. */
async function plans(context: Reading): Promise<JsonObject[]> {
  const groups = await groupsOf(context);
  const { rows } = await sql<{ groupId: number; products: number[] }>`select m.group_id::float8 as "groupId",
      array_agg(distinct p.shopify_id::float8) as products
    from plan_products m join products p on p.store_id = m.store_id and p.id = m.product_id and p.deleted_at is null
    where m.store_id = ${context.storeId}::integer group by 1`.execute(context.trx);
  const products = new Map(rows.map(row => [row.groupId, row.products]));
  return groups.map(({ id, data }) => ({
    id,
    name: data.name ?? '',
    optionLabel: data.optionLabel ?? '',
    sellingPlans: plansOf(data) as JsonValue,
    productShopifyIds: products.get(id) ?? [],
  }));
}

/** The widget of version 1: its one look, whether it is shown, and the themes that have its snippet. */
async function legacyWidget(context: Reading): Promise<JsonObject> {
  const { preferences, styles, texts, customCss } = await context.setting('widget-design');
  const themes = await themesOf(context);
  return {
    isShown: ((context.store.details ?? {}) as JsonObject).widgetStatus === 'ACTIVE',
    themeIds: themes.filter(one => one.snippets.includes(SUBSCRIPTION_WIDGET)).map(one => one.shopifyThemeId),
    preferences: preferences ?? {},
    cssVariables: cssVariables((styles ?? {}) as Styles),
    customCss: customCss ?? '',
    texts: texts ?? {},
  };
}

/** Boxes that are sold, with what their products are narrowed by: values, and the platform's numbers of the products that have them. */
async function boxes(context: Reading): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (const bundle of await readBundles(context, { status: 'ACTIVE', bundleType: 'BYOB' })) {
    const filters = (await filterValuesOf(context, bundle)).map(({ filter, values }) => ({
      name: filter.name,
      source: filter.source,
      metafield: filter.metafield ?? null,
      values: [...values].map(([value, products]) => ({ value, productShopifyIds: products.map(one => one.shopifyId) })),
    }));
    found.push({ id: bundle.id, publicId: bundle.publicId ?? null, name: bundle.name, filters });
  }
  return found;
}

/** The scripts that pages load (script tags). */
async function scripts({ trx, storeId }: Reading): Promise<JsonObject[]> {
  const { rows } = await sql<{ data: JsonObject }>`select data from records where store_id = ${storeId}::integer and entity = 'script-tag'
    and deleted_at is null order by id`.execute(trx);
  return rows.map(({ data: { src, event = 'onload', displayScope = 'ONLINE_STORE' } }) => ({ src: src ?? null, event, displayScope }));
}

const BUILD: Record<SnapshotKind, (context: Reading) => Promise<JsonObject>> = {
  async STORE(context) {
    const widgets = await widgetsOf(context, 'storefront-widget', 'WIDGET');
    const banners = await widgetsOf(context, 'storefront-banner', 'STOREFRONT_BANNER');
    const groups = await groupsOf(context);
    const [primary] = await languagesOf(context);
    return {
      storeDefaultLocale: primary?.locale ?? 'en',
      isStorefrontWidgetPublished: widgets.length > 0,
      widgetMapping: widgetMapping(await mappingsOf(context, { types: ['PRODUCT', 'COLLECTION'] }), idsOf(widgets)),
      bannerMapping: widgetMapping(await mappingsOf(context, { types: ['STOREFRONT_BANNER'] }), idsOf(banners)),
      hasPrepaid: groups.some(({ data }) => plansOf(data).some(plan => planType(plan) !== 'STANDARD')),
      sellingPlanGroups: await plans(context),
      boxes: await boxes(context),
      scripts: await scripts(context),
      widgets,
      banners,
      ...(context.store.storefront_widget_version === 1 ? { legacyWidget: await legacyWidget(context) } : {}),
    };
  },
  async PRESET_BUNDLES({ trx, storeId }) {
    const { rows } = await sql<{ id: number; data: JsonObject }>`select id::float8 as id, data from records
      where store_id = ${storeId}::integer and entity = 'bundle' and deleted_at is null and data ->> 'status' = 'ACTIVE'
        and data ->> 'bundleType' = 'PRESET' order by id`.execute(trx);
    const products = await sql<{ id: number }>`select shopify_id::float8 as id from products where store_id = ${storeId}::integer
      and id = any(${rows.flatMap(row => (row.data.productId ? [Number(row.data.productId)] : []))}::bigint[]) order by 1`.execute(trx);
    return {
      hasPresetBundles: rows.length > 0,
      presetBundleShopifyProductIds: products.rows.map(row => row.id),
      presetBundles: rows.map(({ id, data }) => ({ id, ...data })),
    };
  },
  async GIFT(context) {
    const widgets = await widgetsOf(context, 'gift-widget', 'GIFT_WIDGET');
    return { widgetMapping: widgetMapping(await mappingsOf(context, { types: ['GIFT'] }), idsOf(widgets)), widgets };
  },
};

/** Puts a snapshot together again and keeps it. */
export async function refresh(context: Context, kind: SnapshotKind): Promise<JsonObject> {
  const data = await BUILD[kind](context);
  const at = context.now();
  await sql`insert into storefront_snapshots (store_id, kind, data, refreshed_at, refreshed_by)
    values (${context.storeId}::integer, ${kind}, ${JSON.stringify(data)}::jsonb, ${at}::timestamptz, ${context.user.email})
    on conflict (store_id, kind) do update set data = excluded.data, refreshed_at = excluded.refreshed_at,
      refreshed_by = excluded.refreshed_by`.execute(context.trx);
  return { kind, refreshedAt: at.toISOString(), refreshedBy: context.user.email, data };
}

/** The snapshot as the storefront reads it; null while there is none. */
export async function storedSnapshot({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, kind: SnapshotKind): Promise<JsonObject | null> {
  const { rows } = await sql<{ data: JsonObject; at: Date; by: string }>`select data, refreshed_at as at, refreshed_by as by
    from storefront_snapshots where store_id = ${storeId}::integer and kind = ${kind}`.execute(trx);
  const row = rows[0];
  return row ? { kind, refreshedAt: row.at.toISOString(), refreshedBy: row.by, data: row.data } : null;
}
