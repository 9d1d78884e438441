// What the live theme says of sections, styles and words, as fields.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { attributeUI, cssVariable, splitUnit } from '../../../../domain/widgets/style-attributes.ts';
import { invalid, type Context } from '../../../platform/context.ts';
import { sourcesOf } from '../../../platform/texts/sources.ts';
import { textId } from '../../../platform/texts/text-id.ts';
import { primaryOf, valuesIn } from '../../../platform/texts/values.ts';
import { ENTITY, liveTheme, type Theme, type ThemeSection } from '../../../platform/portal-look/theme.ts';
import { t } from '../../../../domain/text/t.ts';

interface Asked {
  sectionKey?: ThemeSection['key'];
  themeTypeCategoryKeys?: string[];
}

const layout = ({ sections }: Theme): JsonObject[] =>
  sections.map(({ id = '', key, isVisible, title = '', html = '' }, i) => ({
    ...{ categoryKey: 'layout', sectionKey: key, key: id || key, position: i + 1, value: isVisible !== false },
    ...(key === 'custom_section' ? { title, html } : {}),
  }));

function styles({ definitions }: Context, theme: Theme): JsonObject[] {
  const groups = definitions.entities[ENTITY]?.properties?.styles?.properties ?? {};
  return Object.entries(groups).map(([styleKey, { title = styleKey, properties = {} }]) => ({
    ...{ categoryKey: 'styles', sectionKey: null, key: styleKey, styleKey, label: title },
    attributes: Object.entries(properties).map(([attributeKey, schema]) => ({
      attributeKey,
      attributeValue: splitUnit(theme.styles[styleKey]?.[attributeKey]) as JsonValue,
      attributeCssVariableKey: cssVariable(styleKey, attributeKey, 'portal'),
      attributeComponentUI: attributeUI(schema),
    })),
  }));
}

async function words(context: Context, { nanoId }: Theme): Promise<JsonObject[]> {
  const sources = await sourcesOf(context, { type: 'CUSTOMER_PORTAL_THEME', ownerId: nanoId });
  const own = await valuesIn(context, await primaryOf(context), { ownerKind: 'theme', ownerId: nanoId });
  return sources.map(source => ({
    categoryKey: source.categoryId,
    sectionKey: context.definitions.texts[source.categoryId]?.section || null,
    key: source.key,
    label: source.label,
    value: own.get(textId(source))?.value ?? source.standard,
    defaultValue: source.standard,
    componentUI: source.component,
  }));
}

/**
 * C618 (D223): the fields of the theme that subscribers see: its sections in their order (`layout`), its `styles`, and its words by their
 * categories; narrowed to some of these, and to one section. @throws Refusal 422 for a category that there is not
 */
export async function fieldsForActiveTheme(context: Context, { sectionKey, themeTypeCategoryKeys: keys = [] }: Asked): Promise<JsonObject> {
  const theme = await liveTheme(context);
  const texts = Object.values(context.definitions.texts).flatMap(one => (one.belongsTo === 'theme' ? [one.key] : []));
  const known = ['layout', 'styles', ...texts];
  const errors = keys.flatMap((key, i) => {
    const message = t`There is no category “${key}”. There are ${known.join(', ')}.`;
    return known.includes(key) ? [] : [{ pointer: `/themeTypeCategoryKeys/${i}`, rule: 'enum', message }];
  });
  if (errors.length) throw invalid(errors);
  const fields = [...layout(theme), ...styles(context, theme), ...(await words(context, theme))].filter(
    one => (keys.length === 0 || keys.includes(String(one.categoryKey))) && (sectionKey === undefined || one.sectionKey === sectionKey),
  );
  return { themeNanoId: theme.nanoId, name: theme.name, themeType: 'CUSTOMER_PORTAL', version: theme.version, fields };
}
