// Puts a widget on templates of a theme, takes it off, or puts it in another's place.
import { sql } from 'kysely';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState, type Context } from '../../platform/context.ts';
import { labelOf, needRow, recordOf } from '../../platform/records/record-repository.ts';
import { mappingsOf, placesOf } from './mappings.ts';
import { needTheme, PAGES_OF, templatesOf, type Target, type TemplateType } from '../themes/themes.ts';
import { t } from '../../../domain/text/t.ts';

export interface MappingInput {
  id: number;
  /** D047: the platform's number of the theme. */
  shopifyThemeId: number;
  actionType: 'MAP' | 'UNMAP' | 'REMAP';
  templateDetails: { templateKey: string; templateName?: string; templateType?: TemplateType }[];
}

/**
 * At most ten templates at once (the schema says so). MAP takes free places, REMAP others' too. What is mapped already stays: repeating it
 * changes nothing. @throws Refusal 404, 409 where the block is missing or another widget stands there, 422 for unknown templates
 */
export async function map(
  context: Context,
  entity: string,
  { id, shopifyThemeId, actionType, templateDetails }: MappingInput,
): Promise<JsonObject> {
  const { trx, storeId } = context;
  const shape = context.shape(entity);
  const widget = recordOf(context, shape, await needRow(context, shape, id, { lock: true }));
  const type = widget.type as Target;
  if (type === 'CHECKOUT')
    throw invalidState(t`A widget for the checkout stands in no theme. Publish it, and put the block into your checkout.`);
  const theme = await needTheme(context, shopifyThemeId);
  const known = new Map((await templatesOf(context, theme.id, PAGES_OF[type])).map(one => [one.key, one]));
  const errors = templateDetails.flatMap(({ templateKey, templateType }, place): FieldError[] => {
    const template = known.get(templateKey);
    const pointer = `/templateDetails/${place}`;
    if (!template) {
      const message = t`${theme.name} has no template “${templateKey}” for this widget. It has ${[...known.keys()].join(', ')}.`;
      return [{ pointer: `${pointer}/templateKey`, rule: 'enum', message }];
    }
    if (templateType === undefined || templateType === template.type) return [];
    return [{ pointer: `${pointer}/templateType`, rule: 'const', message: t`“${templateKey}” is of the type ${template.type}.` }];
  });
  if (errors.length) throw invalid(errors);
  const keys = [...new Set(templateDetails.map(one => one.templateKey))];
  const nameOf = (some: readonly string[]): string => some.map(key => known.get(key)?.name ?? key).join(', ');
  if (actionType === 'UNMAP')
    await sql`delete from widget_mappings where store_id = ${storeId}::integer and theme_id = ${theme.id}::integer and type = ${type}
      and widget_id = ${id}::bigint and template_key = any(${keys}::text[])`.execute(trx);
  else {
    const without = keys.filter(key => !known.get(key)?.blocks.includes(type));
    if (without.length)
      throw invalidState(
        t`We could not find the block in this template yet: ${without.map(key => known.get(key)?.name ?? key).join(', ')}.`,
      );
    await refuseTaken(context, type, theme, id, keys, actionType);
    await sql`insert into widget_mappings (store_id, theme_id, template_key, type, widget_id, mapped_at)
      select ${storeId}::integer, ${theme.id}::integer, k.key, ${type}::text, ${id}::bigint, ${context.now()}::timestamptz
      from unnest(${keys}::text[]) k (key)
      on conflict (store_id, theme_id, template_key, type) do update set widget_id = excluded.widget_id, mapped_at = excluded.mapped_at
        where widget_mappings.widget_id <> excluded.widget_id`.execute(trx);
  }
  await context.log({
    action: `${entity}.mapped`,
    category: 'Widgets',
    entity,
    entityId: id,
    description: `"${labelOf(shape, widget)}" ${actionType === 'UNMAP' ? 'taken off' : 'put on'} ${nameOf(keys)} of "${theme.name}"`,
  });
  return { id, ...(await placesOf(context, [id]))[0] };
}

/** @throws Refusal 409 where another widget stands on one of these templates, and it was not said that it may go */
async function refuseTaken(
  context: Context,
  type: Target,
  theme: { shopifyThemeId: number },
  id: number,
  keys: readonly string[],
  actionType: 'MAP' | 'REMAP',
): Promise<void> {
  if (actionType === 'REMAP') return;
  const other = (await mappingsOf(context, { types: [type] })).find(
    one => one.shopifyThemeId === theme.shopifyThemeId && keys.includes(one.templateKey) && one.widgetId !== id,
  );
  if (other) throw invalidState(t`Another widget stands on ${other.templateName} already. Say REMAP to put this one in its place.`);
}
