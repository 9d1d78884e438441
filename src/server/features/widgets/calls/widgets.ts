// Calls about widgets that no generic verb answers: templates of themes, places, the example of the editor.
// Those of gift widgets and banners are the same functions, called with their type (D219, D220).
import { sql } from 'kysely';
import { allowsCall } from '../../../../contract/access.ts';
import type { Call, JsonObject, JsonValue } from '../../../../contract/types.ts';
import { Refusal, invalid, invalidState, type Context, type Reply } from '../../../platform/context.ts';
import { needRow } from '../../../platform/records/record-repository.ts';
import { listRecords } from '../../../platform/records/verbs.ts';
import { map, type MappingInput } from '../map.ts';
import { ENTITY_OF, mappingsOf } from '../mappings.ts';
import { samplePreview } from '../sample.ts';
import { addBlock, needTheme, PAGES_OF, templatesOf, type Target, type TemplateType } from '../../themes/themes.ts';
import { t } from '../../../../domain/text/t.ts';

interface OfTheme {
  /** The platform's number of the theme. */
  id: number;
  target: Target;
}

/** The templates of a theme on which a widget of this kind may stand, and what stands there (C570). @throws Refusal 404 */
export async function templates(context: Context, { id, target }: OfTheme): Promise<JsonObject> {
  const theme = await needTheme(context, id);
  const found = await templatesOf(context, theme.id, PAGES_OF[target]);
  const there = (await mappingsOf(context, { types: [target] })).filter(one => one.shopifyThemeId === id);
  return {
    shopifyThemeId: theme.shopifyThemeId,
    name: theme.name,
    role: theme.role,
    isEligibleV2: theme.takesBlocks,
    templates: found.map(({ key, name, type, blocks }) => ({
      templateKey: key,
      templateName: name,
      templateType: type,
      isBlockAdded: blocks.includes(target),
      mappedWidgetId: there.find(one => one.templateKey === key)?.widgetId ?? null,
    })),
  };
}

/**
 * Looks at a theme again after a person worked on it in the platform's editor (C571). The platform is simulated: `templateKeys` says
 * what was done there, and it is saved in the theme.
 * @throws Refusal 404, 409 for themes without blocks, 422 for templates that are not there
 */
export async function checkTemplates(
  context: Context,
  { templateKeys = [], ...of }: OfTheme & { templateKeys?: string[] },
): Promise<JsonValue> {
  const theme = await needTheme(context, of.id);
  const known = (await templatesOf(context, theme.id, PAGES_OF[of.target])).map(one => one.key);
  if (!theme.takesBlocks && templateKeys.length > 0)
    throw invalidState(t`${theme.name} takes no blocks of apps. Paste the snippet of widget version 1 into it instead.`);
  const errors = templateKeys.flatMap((key, place) => {
    const message = t`${theme.name} has no template “${key}” for this widget. It has ${known.join(', ')}.`;
    return known.includes(key) ? [] : [{ pointer: `/templateKeys/${place}`, rule: 'enum', message }];
  });
  if (errors.length) throw invalid(errors);
  if (templateKeys.length > 0) {
    await addBlock(context, theme.id, of.target, templateKeys);
    await context.log({
      action: 'store-theme.block',
      category: 'Widgets',
      entity: 'store-theme',
      entityId: theme.shopifyThemeId,
      description: `Block added to ${templateKeys.join(', ')} of the theme "${theme.name}"`,
    });
  }
  return templates(context, of);
}

/** Puts a widget on templates of a theme, or takes it off (C568). */
export const mapping = (context: Context, { type = 'PRODUCT', ...input }: MappingInput & { type?: Target }): Promise<JsonObject> =>
  map(context, ENTITY_OF[type], input);

/** The places of a widget on one kind of pages (C572, D217): none in the checkout, which is no page of a theme. @throws Refusal 404 */
export async function mappings(
  context: Context,
  { id, target, templateType = 'PRODUCT' }: { id: number; target: Target; templateType?: TemplateType },
): Promise<JsonValue> {
  await needRow(context, context.shape(ENTITY_OF[target]), id);
  return (await mappingsOf(context, { widgetIds: [id], types: [target], templateType })) as JsonValue;
}

/** The tables of calls about kinds of widgets that are entities of their own. */
const TABLE_OF: Partial<Record<Target, string>> = { GIFT: 'gift-widgets', STOREFRONT_BANNER: 'storefront-banners' };

/** The widgets of a kind, or those of the storefront's pages (C556, D213). @throws Refusal 403 for a kind that the person may not see */
export async function list(context: Context, input: JsonObject): Promise<Reply> {
  const { definitions, session } = context;
  const table = TABLE_OF[input.type as Target] ?? 'widgets';
  const call = definitions.calls[`${table}.list`] as Call;
  const allowed = allowsCall(call, session);
  if (!allowed.ok) throw new Refusal(403, allowed.code, allowed.message);
  const { type: _type, ...rest } = input;
  return listRecords(context, { call, input: table === 'widgets' ? input : rest });
}

/** Whether the store has a widget of a kind (C558, D214). */
export async function hasWidget({ trx, storeId }: Context, { type }: { type: Target }): Promise<JsonObject> {
  const { rows } = await sql<{ has: boolean }>`select exists (select 1 from records where store_id = ${storeId}::integer
    and entity = ${ENTITY_OF[type]} and deleted_at is null and data ->> 'type' = ${type}) as has`.execute(trx);
  return { hasWidget: rows[0]?.has ?? false };
}

/** The example that the editor draws (D048): a product of the store and the plans it is sold by. */
export const sample = (context: Context, { productId }: { productId?: number }): Promise<JsonObject> => samplePreview(context, productId);
