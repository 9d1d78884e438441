// The widget of version 1: a snippet in the code of a theme.
import type { JsonObject } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { keepSnippet, needTheme, SUBSCRIPTION_WIDGET } from '../../themes/themes.ts';

/** Pastes the snippet into a theme, or takes it out. Twice is once. @throws Refusal 404 */
const put =
  (isThere: boolean) =>
  async (context: Context, { shopifyThemeId }: { shopifyThemeId: number }): Promise<JsonObject> => {
    const theme = await needTheme(context, shopifyThemeId);
    if (theme.snippets.includes(SUBSCRIPTION_WIDGET) !== isThere) {
      await keepSnippet(context, theme.id, SUBSCRIPTION_WIDGET, isThere);
      await context.log({
        action: 'store-theme.snippet',
        category: 'Widgets',
        entity: 'store-theme',
        entityId: shopifyThemeId,
        description: `Widget ${isThere ? 'put into' : 'taken out of'} the theme "${theme.name}"`,
        before: { isInstalled: !isThere },
        after: { isInstalled: isThere },
      });
    }
    return { shopifyThemeId, isInstalled: isThere };
  };
export const install = put(true);
export const remove = put(false);
