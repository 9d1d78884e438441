// Published widgets as pages of a shop read them: preferences, CSS, words in every published language.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { PublishedWidget } from '../../../domain/widgets/published.ts';
import { cssVariables, type Styles } from '../../../domain/widgets/style-attributes.ts';
import { withStandards } from '../../../domain/text/standard-texts.ts';
import { standardsIn } from '../../platform/texts/standard-words.ts';
import { textsOfRecord } from '../../platform/texts/sources.ts';
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

/** A widget as a record holds it, saved or not. */
export interface KeptWidget {
  id: number;
  data: JsonObject;
}

/** Published widgets of an entity. */
export async function widgetsOf(context: Reading, entity: string, languages: Languages): Promise<PublishedWidget[]> {
  const { rows } = await sql<KeptWidget>`select id::float8 as id, data from records
    where store_id = ${context.storeId}::integer and entity = ${entity} and deleted_at is null and data ->> 'status' = 'ACTIVE'
    order by id`.execute(context.trx);
  return rows.map(row => publishedWidget(context, entity, row, languages));
}

/** A widget as pages read it, whether it is published or not: what has no value has its standard one. */
export function publishedWidget(
  { definitions }: Pick<Reading, 'definitions'>,
  entity: string,
  { id, data }: KeptWidget,
  { words, others }: Languages,
): PublishedWidget {
  const schema = withStandards(definitions.entities[entity] ?? {}, standardsIn(words.primary)).properties ?? {};
  const whole = { ...data, texts: withDefaults<JsonObject>(schema.texts ?? {}, data.texts ?? {}) };
  const sources = textsOfRecord({ definitions }, entity, { id, data: whole });
  const inLanguage = (locale: string): Record<string, string> =>
    Object.fromEntries(
      sources.flatMap(source => {
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
    texts: texts(whole.texts),
    textsByLocale: Object.fromEntries(others.map(locale => [locale, inLanguage(locale)])),
  };
}

/** The widget of version 1: its one look, whether it is shown, and the themes that have its snippet. */
export interface LegacyWidget {
  isShown: boolean;
  themeIds: number[];
  widget: Omit<PublishedWidget, 'id' | 'type'>;
}
export async function legacyWidget(context: Reading, languages: Languages): Promise<LegacyWidget> {
  const themes = await themesOf(context);
  const data = await context.setting('widget-design');
  const { id: _id, type: _type, ...widget } = publishedWidget(context, 'storefront-widget', { id: 0, data }, languages);
  return {
    isShown: ((context.store.details ?? {}) as JsonObject).widgetStatus === 'ACTIVE',
    themeIds: themes.filter(one => one.snippets.includes(SUBSCRIPTION_WIDGET)).map(one => one.shopifyThemeId),
    widget,
  };
}
