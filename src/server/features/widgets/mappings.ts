// Where widgets stand: which template of which theme shows which of them. A template shows one of each kind.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import type { Target, TemplateType } from '../themes/themes.ts';

/** The entity that holds the widgets of a kind. */
export const ENTITY_OF: Record<Target, string> = {
  PRODUCT: 'storefront-widget',
  COLLECTION: 'storefront-widget',
  CHECKOUT: 'storefront-widget',
  GIFT: 'gift-widget',
  STOREFRONT_BANNER: 'storefront-banner',
};

/** A place of a widget, in the form of the wire. */
export type Mapping = {
  widgetId: number;
  type: Target;
  shopifyThemeId: number;
  themeName: string;
  isMainTheme: boolean;
  templateKey: string;
  templateName: string;
  templateType: TemplateType;
  isBlockAdded: boolean;
};

const SELECT = sql`select m.widget_id as "widgetId", m.type, h.shopify_theme_id as "shopifyThemeId", h.name as "themeName",
    h.role = 'MAIN' as "isMainTheme", t.key as "templateKey", t.name as "templateName", t.type as "templateType",
    t.blocks @> array[m.type] as "isBlockAdded"
  from widget_mappings m join theme_templates t on t.store_id = m.store_id and t.theme_id = m.theme_id and t.key = m.template_key
    join store_themes h on h.store_id = m.store_id and h.id = m.theme_id`;

type Reading = Pick<Context, 'trx' | 'storeId'>;

/** All places, of some widgets or kinds, those in the theme that shoppers see first. */
export async function mappingsOf(
  { trx, storeId }: Reading,
  { widgetIds, types, templateType }: { widgetIds?: readonly number[]; types?: readonly Target[]; templateType?: TemplateType } = {},
): Promise<Mapping[]> {
  const among = (column: RawBuilder<unknown>, values: readonly unknown[] | undefined, type: string): RawBuilder<unknown> =>
    values === undefined ? sql`` : sql`and ${column} = any(${[...values]}::${sql.raw(type)}[])`;
  const { rows } = await sql<Mapping>`${SELECT} where m.store_id = ${storeId}::integer ${among(sql`m.widget_id`, widgetIds, 'bigint')}
      ${among(sql`m.type`, types, 'text')} ${among(sql`t.type`, templateType && [templateType], 'text')}
    order by h.role <> 'MAIN', h.id, t.position, t.key`.execute(trx);
  return rows;
}

/** The places of each of some widgets, for lists and records. */
export async function placesOf(context: Reading, ids: readonly number[]): Promise<JsonObject[]> {
  const all = await mappingsOf(context, { widgetIds: ids });
  return ids.map(id => {
    const own = all.filter(one => one.widgetId === id);
    return {
      mappings: own.map(({ widgetId: _id, type: _type, ...place }) => place),
      places: own.map(({ themeName, templateName }) => `${themeName} · ${templateName}`),
    } as JsonObject;
  });
}
