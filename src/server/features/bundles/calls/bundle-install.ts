// The two parts of ours that themes need for bundles: a script, and a snippet that groups the lines of a bundle in the cart. The platform
// whose themes these are is simulated: what stands in a theme is kept with it.
import type { JsonObject } from '../../../../contract/types.ts';
import { invalidState, notFound, type Context } from '../../../platform/context.ts';
import { keepSnippet, needTheme, themesOf, type Theme } from '../../themes/themes.ts';
import { later, t } from '../../../../domain/text/t.ts';

export const SCRIPT = 'bundle-script';
export const CART_SNIPPET = 'bundle-cart';
const TITLES: Record<string, string> = { [SCRIPT]: 'Bundle script', [CART_SNIPPET]: 'Cart snippet of bundles' };

interface Input {
  themeShopifyId?: number;
  byHand?: boolean;
}

/** The theme that is named, else the one that shoppers see. @throws Refusal 404 */
async function themeOf(context: Context, { themeShopifyId }: Input): Promise<Theme> {
  if (themeShopifyId !== undefined) return needTheme(context, themeShopifyId);
  const theme = (await themesOf(context)).find(one => one.role === 'MAIN');
  if (!theme) throw notFound(later`theme`);
  return theme;
}

const has = ({ snippets }: Theme, part: string): boolean => snippets.includes(part);

const statusOf = (theme: Theme): JsonObject => ({
  themeShopifyId: theme.shopifyThemeId,
  themeName: theme.name,
  isInstalled: has(theme, SCRIPT) && has(theme, CART_SNIPPET),
  scriptStatus: has(theme, SCRIPT) ? 'INSTALLED' : 'NOT_INSTALLED',
  cartSnippetStatus: has(theme, CART_SNIPPET) ? 'INSTALLED' : theme.takesBlocks ? 'NOT_INSTALLED' : 'MANUAL_REQUIRED',
});

/** C253. @throws Refusal 404 */
export const checkInstallStatus = async (context: Context, input: Input): Promise<JsonObject> => statusOf(await themeOf(context, input));

async function put(context: Context, theme: Theme, part: string, isThere: boolean): Promise<void> {
  await keepSnippet(context, theme.id, part, isThere);
  await context.log({
    action: isThere ? 'bundle.installed' : 'bundle.removed',
    category: 'Bundles',
    entity: 'bundle-theme',
    entityId: theme.shopifyThemeId,
    description: `${TITLES[part]} ${isThere ? 'installed in' : 'taken out of'} the theme "${theme.name}"`,
  });
}

/** C256. Twice is once. @throws Refusal 404 */
export async function installScript(context: Context, input: Input): Promise<JsonObject> {
  const theme = await themeOf(context, input);
  if (!has(theme, SCRIPT)) await put(context, theme, SCRIPT, true);
  return statusOf(await needTheme(context, theme.shopifyThemeId));
}

/** C257: after the script, without which it does nothing. @throws Refusal 404, 409 */
export async function installCartSnippet(context: Context, input: Input): Promise<JsonObject> {
  const theme = await themeOf(context, input);
  if (!has(theme, SCRIPT)) throw invalidState(t`Install the bundle script first.`);
  if (!theme.takesBlocks && !input.byHand && !has(theme, CART_SNIPPET))
    throw invalidState(t`We could not find the cart template. Install the snippet by hand.`);
  if (!has(theme, CART_SNIPPET)) await put(context, theme, CART_SNIPPET, true);
  return statusOf(await needTheme(context, theme.shopifyThemeId));
}

/** Takes both parts out of a theme. @throws Refusal 404 */
export async function remove(context: Context, input: Input): Promise<JsonObject> {
  const theme = await themeOf(context, input);
  for (const part of [CART_SNIPPET, SCRIPT]) if (has(theme, part)) await put(context, theme, part, false);
  return statusOf(await needTheme(context, theme.shopifyThemeId));
}
