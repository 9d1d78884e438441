// What banners have besides the calls of all widgets: all their places, and whether the theme can show them (D220).
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { mappingsOf } from '../mappings.ts';
import { themesOf } from '../../themes/themes.ts';
import { t } from '../../../../domain/text/t.ts';

/** The places of all banners (C608). */
export const allMappings = async (context: Context): Promise<JsonValue> =>
  (await mappingsOf(context, { types: ['STOREFRONT_BANNER'] })) as JsonValue;

/** Whether the theme that shoppers see can show banners, and why not (C610). */
export async function themeEligibility(context: Context): Promise<JsonObject> {
  const main = (await themesOf(context)).find(one => one.role === 'MAIN');
  if (!main) return { isEligible: false, reason: t`Your store has no published theme.` };
  return main.takesBlocks ? { isEligible: true, reason: null } : { isEligible: false, reason: t`${main.name} takes no blocks of apps.` };
}
