// A preview of a theme: a signed link that is good for an hour brings people here who need not be signed in.
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import { escapeHtml, type PublicPage } from '../../../platform/http/public-pages.ts';
import { genuineLink, SIGNATURE, transactIn, asCustomer } from '../../../engine/index.ts';
import { previewPage } from '../preview.ts';
import { findTheme, PREVIEW, styleSheetOf } from '../../../platform/portal-look/theme.ts';
import { t } from '../../../../domain/text/t.ts';

export const themePreview: PublicPage = {
  path: '/a/loop_subscriptions/theme-preview/:token',
  secret: SIGNATURE,
  async get(services, { params }) {
    const link = await genuineLink(services, params.token ?? '');
    if (!link || link.what !== PREVIEW || link.goodFor <= 0) return nothingHere();
    return transactIn(
      services,
      link.storeId,
    )(async opened => {
      const context = asCustomer(services, opened);
      const theme = await findTheme(context, { id: link.contractId });
      if (!theme) return nothingHere();
      const shown = await previewPage(context, theme);
      if (!('html' in shown)) return nothingHere();
      const note = `<p class="said" role="status">${escapeHtml(t`Preview of “${theme.name}”. Nothing can be changed here.`)}</p>`;
      // Nothing leads on from here: who looks at a theme is no customer.
      const html = note + shown.html.replaceAll(/ href="\?[^"]*"/g, ' role="link" aria-disabled="true"');
      return { ...shown, html, styleSheet: styleSheetOf(theme) };
    });
  },
};
