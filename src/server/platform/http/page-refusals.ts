// What customers read where a page of theirs can't be shown: never JSON, and in their language as far as it is known.
import { language, t } from '../../../domain/text/t.ts';
import { inLanguage } from '../languages.ts';
import { documentOf, escapeHtml, policyFor, type PageAnswer, type PublicPage } from './public-pages.ts';

/** Whether an address is one of pages for customers, complete or not. */
export const isPageAddress = (pages: readonly Pick<PublicPage, 'path'>[], url: string): boolean =>
  pages.some(({ path }) => url.startsWith(path.split(':')[0] as string));

/** What is wrong, and what helps. */
function wordsOf(status: number): string {
  if (status === 404 || status === 405) return t`The link is not complete, or what it was for has ended.`;
  if (status === 429 || status === 503) return t`Many people are here at the moment. Wait a few seconds and try again.`;
  if (status >= 500) return t`Something went wrong on our side. Open your link again to see how things stand.`;
  return t`This could not be read. Open your link again and try once more.`;
}

/** The page in place of one that there is none of. */
export function nothingHere(): PageAnswer {
  const title = t`There is nothing here now`;
  return { status: 404, title, html: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(wordsOf(404))}</p>`, language: language() };
}

interface Refused {
  headers: Record<string, string>;
  html: string;
}
/**
 * A refusal as a page, with the headers that pages have. `languages` is the language of the customer, else what the browser asks for
 * ("de-AT,de;q=0.9").
 */
export const refusalPage = (status: number, requestId: string, languages: string | undefined): Refused =>
  inLanguage(languages, () => {
    const isNothing = status === 404 || status === 405;
    const title = isNothing ? t`There is nothing here now` : t`That did not work`;
    const number = isNothing ? '' : `<p class="quiet">${escapeHtml(t`If you write to the store, give this number: ${requestId}`)}</p>`;
    return {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policyFor({ html: '' }),
      },
      html: documentOf(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(wordsOf(status))}</p>${number}`, language()),
    };
  });
