// Builds what pages of a shop read, from what is published now: the contents of all files, and the index that names them.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { PublishedWidget, StorefrontIndex } from '../../../domain/widgets/published.ts';
import { isSpecialStore } from '../../../navigation/facts.ts';
import { planOf } from '../../platform/auth/store-plan.ts';
import { languagesOf } from '../../platform/texts/values.ts';
import { readWords } from '../../platform/texts/words.ts';
import { readBundles } from '../bundles/catalogue.ts';
import { filterValuesOf } from '../bundles/filters.ts';
import { BOX_WORDS, publishedBoxes } from '../bundles/published-boxes.ts';
import { themesOf } from '../themes/themes.ts';
import { mappingsOf, type Mapping } from '../widgets/mappings.ts';
import { offered } from './catalogue.ts';
import { legacyWidget, widgetsOf, type Languages, type Reading } from './widgets.ts';

/** What a build comes to. */
export interface Built {
  index: StorefrontIndex;
  /** Name -> content, in JSON. */
  files: Map<string, string>;
}

/** Kinds of files; their names begin so. */
export type FileKind = 'widget' | 'plans' | 'products' | 'store' | 'bundles' | 'box';

/** { theme: { template: widget } }, of what is published. */
function mappingOf(mappings: readonly Mapping[], published: ReadonlyMap<number, unknown>): Record<string, Record<string, number>> {
  const byTheme: Record<string, Record<string, number>> = {};
  for (const { shopifyThemeId, templateKey, widgetId, isBlockAdded } of mappings)
    if (isBlockAdded && published.has(widgetId)) (byTheme[String(shopifyThemeId)] ??= {})[templateKey] = widgetId;
  return byTheme;
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

/** Kinds of widgets, with the entity that holds them and the plan feature that publishes them. */
const KINDS = [
  { entity: 'storefront-widget', types: ['PRODUCT', 'COLLECTION'] },
  { entity: 'storefront-banner', types: ['STOREFRONT_BANNER'], feature: 'storefront_banners' },
  { entity: 'gift-widget', types: ['GIFT'], feature: 'gift_subscription' },
] as const satisfies readonly { entity: string; types: readonly string[]; feature?: string }[];

/** Whether a store publishes what a feature is for; special stores give gifts on any plan (S246 to S248). */
function publishes({ definitions, store }: Reading, feature: string | undefined): boolean {
  if (feature === undefined || planOf(definitions, store).features.includes(feature)) return true;
  const { myshopify_domain, plan_name, is_demo: isDemo } = store;
  return feature === 'gift_subscription' && isSpecialStore({ store: { myshopify_domain, plan_name, isDemo } });
}

/** Reads what is published and makes the files of it. The same content has the same name, so a file that did not change stays. */
export async function build(context: Reading): Promise<Built> {
  const files = new Map<string, string>();
  const add = (kind: FileKind, content: unknown): string => {
    const text = JSON.stringify(content);
    const name = `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`;
    files.set(name, text);
    return name;
  };
  const all = await languagesOf(context);
  const languages: Languages = {
    words: await readWords(context, ['selling-plan-group', ...BOX_WORDS, ...KINDS.map(({ entity }) => entity)]),
    others: all.filter(one => one.isPublished && !one.isPrimary).map(one => one.locale),
  };
  const themes = await themesOf(context);
  const widgets: StorefrontIndex['widgets'] = {};
  const published: Record<string, PublishedWidget[]> = {};
  const places: Record<string, Record<string, Record<string, number>>> = {};
  for (const { entity, types, ...kind } of KINDS) {
    const found = publishes(context, 'feature' in kind ? kind.feature : undefined) ? await widgetsOf(context, entity, languages) : [];
    published[entity] = found;
    const names = new Map(found.map(one => [one.id, add('widget', one)]));
    for (const type of types) {
      const mapping = mappingOf(await mappingsOf(context, { types: [type] }), names);
      places[type] = mapping;
      widgets[type] = Object.fromEntries(
        Object.entries(mapping).map(([theme, templates]) => [
          theme,
          Object.fromEntries(Object.entries(templates).map(([template, id]) => [template, names.get(id) ?? ''])),
        ]),
      );
    }
    // The checkout is no page of a theme: the widget that was made first stands there.
    const inCheckout = found.find(one => one.type === 'CHECKOUT');
    if (inCheckout) widgets.CHECKOUT = { checkout: { checkout: names.get(inCheckout.id) ?? '' } };
  }
  const legacy = context.store.storefront_widget_version === 1 ? await legacyWidget(context, languages) : undefined;
  // A store of version 1 has one look, on every product page of the themes that have its snippet.
  if (legacy) {
    const name = add('widget', { id: 0, type: 'PRODUCT', ...legacy.widget });
    widgets.PRODUCT = legacy.isShown ? Object.fromEntries(legacy.themeIds.map(theme => [String(theme), { '*': name }])) : {};
  }
  const { groups, products, bundles, hasPrepaid } = await offered(context, languages);
  const store = {
    isStorefrontWidgetPublished: (published['storefront-widget'] ?? []).length > 0,
    hasPrepaid,
    // By our numbers, for callers that read it all at once (the call widgets.storefrontData).
    widgetMapping: joined(places.PRODUCT, places.COLLECTION),
    bannerMapping: places.STOREFRONT_BANNER ?? {},
    giftMapping: places.GIFT ?? {},
    boxes: await boxes(context),
    scripts: await scripts(context),
    ...(legacy ? { legacyWidget: { isShown: legacy.isShown, themeIds: legacy.themeIds, ...legacy.widget } } : {}),
  };
  const index: StorefrontIndex = {
    currency: context.store.currency_code,
    locale: all.find(one => one.isPrimary)?.locale ?? 'en',
    theme: themes.find(one => one.role === 'MAIN')?.shopifyThemeId ?? null,
    widgets,
    plans: add('plans', groups),
    products: products.map(file => add('products', file)),
    store: add('store', store),
    bundles: add('bundles', bundles),
    boxes: Object.fromEntries((await publishedBoxes(context, languages)).map(box => [box.id, add('box', box)])),
  };
  return { index, files };
}

function joined(...mappings: (Record<string, Record<string, number>> | undefined)[]): Record<string, Record<string, number>> {
  const whole: Record<string, Record<string, number>> = {};
  for (const mapping of mappings)
    for (const [theme, templates] of Object.entries(mapping ?? {})) whole[theme] = { ...whole[theme], ...templates };
  return whole;
}

export type SnapshotKind = 'STORE' | 'PRESET_BUNDLES' | 'GIFT';

/** What a call answers of the files: those of one kind, in one piece. */
export function inOnePiece({ index, files }: Built, kind: SnapshotKind): JsonObject {
  const read = (name: string): JsonValue => JSON.parse(files.get(name) ?? 'null') as JsonValue;
  const widgetsOfTypes = (...types: string[]): JsonValue[] =>
    [...new Set(types.flatMap(type => Object.values(index.widgets[type] ?? {}).flatMap(templates => Object.values(templates))))].map(read);
  if (kind === 'PRESET_BUNDLES') return read(index.bundles) as JsonObject;
  const { giftMapping = {}, ...store } = read(index.store) as JsonObject;
  if (kind === 'GIFT') return { widgetMapping: giftMapping, widgets: widgetsOfTypes('GIFT') };
  return {
    storeDefaultLocale: index.locale,
    ...store,
    sellingPlanGroups: read(index.plans),
    widgets: widgetsOfTypes('PRODUCT', 'COLLECTION', 'CHECKOUT'),
    banners: widgetsOfTypes('STOREFRONT_BANNER'),
  };
}
