// The page behind the link in the foot of a chart's letter. Mail programs press its button by themselves (RFC 8058): a POST ends the
// letters of this chart for their reader without a question, however often it comes. Looking at the page changes nothing.
import { t } from '../../../../domain/text/t.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import { escapeHtml, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import { inLanguage } from '../../../platform/languages.ts';
import { END_CHART_PATH } from '../../../platform/mail/endings.ts';
import { mailPage } from '../../../platform/mail/mail-page.ts';
import { namedMail } from '../../../platform/mail/mail-token.ts';
import { endFor } from '../mailed-charts.ts';

interface Reader {
  storeId: number;
  /** The chart and the person that the letter was for. */
  chart: number;
  userId: number;
  language: string;
  store: string;
  now: Date;
}

/** Whom a link was sent to, and of which chart; undefined for one that is none of ours. */
async function readerOf({ db }: PageServices, { params }: PageRequest): Promise<Reader | undefined> {
  const mail = await namedMail(db, 'chart', [params.token ?? '']);
  if (!mail) return undefined;
  const { rows } = await db.ownerQuery<{ dedupe_key: string | null; language: string; name: string; clock_offset_ms: number }>(
    `select o.dedupe_key, o.language, s.name, s.clock_offset_ms from outbox o join stores s on s.id = o.store_id
      where o.store_id = $1 and o.id = $2`,
    [mail.storeId, mail.id],
  );
  const [row] = rows;
  const [, chart, userId] = /^CHART:(\d+):[\d-]+:(\d+)$/.exec(row?.dedupe_key ?? '') ?? [];
  if (!row || !chart || !userId) return undefined;
  const now = new Date(Date.now() + row.clock_offset_ms);
  return { storeId: mail.storeId, chart: Number(chart), userId: Number(userId), language: row.language, store: row.name, now };
}

const page = ({ language, store }: Reader, title: string, text: string, button = ''): PageAnswer => ({
  status: 200,
  title,
  language,
  html:
    `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>` +
    `${button && `<form method="post" action="?"><button type="submit">${escapeHtml(button)}</button></form>`}` +
    `<p class="quiet">${escapeHtml(store)}</p>`,
});

export const endChart: PublicPage = mailPage({
  path: END_CHART_PATH,
  readerOf,
  get: (_services, reader) =>
    inLanguage(reader.language, () =>
      page(reader, t`Get this chart no more?`, t`The chart stays as it is, and others still get it.`, t`Do not send it to me`),
    ),
  async post(services, reader) {
    const { storeId, chart, userId, now } = reader;
    const name = await services.db.inStore(storeId, trx => endFor(trx, storeId, chart, userId, now));
    return inLanguage(reader.language, () =>
      page(
        reader,
        t`You get this chart no more`,
        name === undefined ? t`The chart was deleted.` : t`“${name}” is not sent to you any more. Its maker can choose you again.`,
      ),
    );
  },
});
