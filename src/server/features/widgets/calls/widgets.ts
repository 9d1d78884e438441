// Widgets: the templates of themes and whether our block stands in them.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalid, invalidState, type Context } from '../../../platform/context.ts';
import { addBlock, needTheme, PAGES_OF, templatesOf, type Target } from '../themes.ts';
import { t } from '../../../../domain/text/t.ts';

interface OfTheme {
  /** The platform's number of the theme. */
  id: number;
  target: Target;
}

/** The templates of a theme on which a widget of this kind may stand (C570). @throws Refusal 404 */
export async function templates(context: Context, { id, target }: OfTheme): Promise<JsonObject> {
  const theme = await needTheme(context, id);
  const found = await templatesOf(context, theme.id, PAGES_OF[target]);
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
    })),
  };
}

/**
 * Looks at a theme again after somebody worked on it in the platform's editor (C571). The platform is simulated: what was done there is
 * told by `templateKeys`, and kept in the theme.
 * @throws Refusal 404, 409 for themes without blocks, 422 for templates that are not there
 */
export async function checkTemplates(
  context: Context,
  { templateKeys = [], ...of }: OfTheme & { templateKeys?: string[] },
): Promise<JsonValue> {
  const theme = await needTheme(context, of.id);
  const known = await templatesOf(context, theme.id, PAGES_OF[of.target]);
  if (!theme.takesBlocks && templateKeys.length > 0)
    throw invalidState(t`${theme.name} takes no blocks of apps. Paste the snippet of widget version 1 into it instead.`);
  const errors = templateKeys.flatMap((key, place) =>
    known.some(one => one.key === key)
      ? []
      : [
          {
            pointer: `/templateKeys/${place}`,
            rule: 'enum',
            message: t`${theme.name} has no template “${key}” for this. It has ${known.map(one => one.key).join(', ')}.`,
          },
        ],
  );
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
