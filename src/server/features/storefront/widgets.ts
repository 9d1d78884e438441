// Published widgets as pages of a shop read them: preferences, CSS, words in every published language.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { PublishedWidget } from '../../../domain/widgets/published.ts';
import { cssVariables, type Styles } from '../../../domain/widgets/style-attributes.ts';
import { sourcesOf } from '../../platform/texts/sources.ts';
import type { Reading as TextReading } from '../../platform/texts/reading.ts';
import type { Words } from '../../platform/texts/words.ts';
import type { Context } from '../../platform/context.ts';
import { SUBSCRIPTION_WIDGET, themesOf } from '../themes/themes.ts';

export type Reading = Pick<Context, 'trx' | 'storeId' | 'store' | 'definitions' | 'setting'>;
/** The words of the store, and the languages besides the primary one that are published. */
export interface Languages {
  words: Words;
  others: readonly string[];
}

const texts = (given: JsonValue | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries((given ?? {}) as JsonObject).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])));

/** Published widgets of an entity, whose texts are translated under the name `localised`. */
export async function widgetsOf(
  context: Reading & TextReading,
  entity: string,
  localised: string,
  { words, others }: Languages,
): Promise<PublishedWidget[]> {
  const { trx, storeId, definitions } = context;
  const schema = definitions.entities[entity]?.properties ?? {};
  const { rows } = await sql<{ id: number; data: JsonObject }>`select id::float8 as id, data from records
    where store_id = ${storeId}::integer and entity = ${entity} and deleted_at is null and data ->> 'status' = 'ACTIVE'
    order by id`.execute(trx);
  if (rows.length === 0) return [];
  const sources = await sourcesOf(context, { categoryId: localised });
  return rows.map(({ id, data }) => {
    const own = sources.filter(source => source.ownerId === String(id));
    const inLanguage = (locale: string): Record<string, string> =>
      Object.fromEntries(
        own.flatMap(source => {
          const found = words.find(locale, source);
          return found && found.value !== source.standard ? [[source.key.split('.').pop() ?? source.key, found.value]] : [];
        }),
      );
    return {
      id,
      type: String(data.type ?? ''),
      preferences: withDefaults<JsonObject>(schema.preferences ?? {}, data.preferences ?? {}),
      cssVariables: cssVariables(withDefaults<JsonObject>(schema.styles ?? {}, data.styles ?? {}) as Styles),
      customCss: String(data.customCss ?? ''),
      texts: texts(withDefaults<JsonObject>(schema.texts ?? {}, data.texts ?? {})),
      textsByLocale: Object.fromEntries(others.map(locale => [locale, inLanguage(locale)])),
    };
  });
}

/** The widget of version 1: its one look, whether it is shown, and the themes that have its snippet. */
export interface LegacyWidget {
  isShown: boolean;
  themeIds: number[];
  widget: Pick<PublishedWidget, 'preferences' | 'cssVariables' | 'customCss' | 'texts'>;
}
export async function legacyWidget(context: Reading): Promise<LegacyWidget> {
  const { preferences, styles, texts: words, customCss } = await context.setting('widget-design');
  const themes = await themesOf(context);
  return {
    isShown: ((context.store.details ?? {}) as JsonObject).widgetStatus === 'ACTIVE',
    themeIds: themes.filter(one => one.snippets.includes(SUBSCRIPTION_WIDGET)).map(one => one.shopifyThemeId),
    widget: {
      preferences: (preferences ?? {}) as JsonObject,
      cssVariables: cssVariables((styles ?? {}) as Styles),
      customCss: String(customCss ?? ''),
      texts: texts(words),
    },
  };
}
