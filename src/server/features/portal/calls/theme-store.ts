// Looking at a theme of the portal before subscribers do: by a link for an hour, and beside the form while it is typed.
import type { JsonObject } from '../../../../contract/types.ts';
import { invalidState, notFound, type Context } from '../../../platform/context.ts';
import { STYLE } from '../../../platform/http/public-pages.ts';
import { engineOf, linkToken, portalBase, asCustomer } from '../../../engine/index.ts';
import { previewPage } from '../preview.ts';
import { findTheme, PREVIEW, themeFrom } from '../../../platform/portal-look/theme.ts';
import { themeCss, type Scheme } from '../../../platform/portal-look/theme-css.ts';
import { later, t } from '../../../../domain/text/t.ts';

const HOUR_MS = 3_600_000;

/** A link to a page by this theme, for an hour. @throws Refusal 404, 409 */
export async function preview(context: Context, { id }: { id: number }): Promise<JsonObject> {
  const theme = await findTheme(context, { id });
  if (!theme) throw notFound(later`theme`);
  const base = portalBase(context.config);
  const { id: storeId, link_secret: secret } = context.store;
  if (base === undefined || !secret) throw invalidState(t`It is not known under which address the customer portal is reached.`);
  const expiresAt = new Date(context.now().getTime() + HOUR_MS);
  const token = linkToken({ id: storeId, link_secret: secret }, { contractId: id, what: PREVIEW, expiresAt });
  return { url: `${base}/a/loop_subscriptions/theme-preview/${token}`, expiresAt: expiresAt.toISOString() };
}

/** The page by a theme as it stands in a form, as HTML for a frame of its own. */
export async function draw(
  context: Context,
  { theme: typed, scheme = 'light' }: { theme: JsonObject; scheme?: Scheme },
): Promise<JsonObject> {
  const kept = typeof typed.id === 'number' ? await findTheme(context, { id: typed.id }) : undefined;
  const theme = themeFrom(context.definitions, kept?.id ?? 0, 0, { ...typed, nanoId: kept?.nanoId ?? '' });
  const shown = await previewPage(asCustomer(context, engineOf(context)), theme);
  const html = 'html' in shown ? shown.html : '';
  const css = `${STYLE}${themeCss(theme, scheme)}`.replaceAll('<', '');
  return { html: `<body><style>${css}</style><main><article>${html}</article></main></body>` };
}
