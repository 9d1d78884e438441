// The page behind a link of a quick action or campaign: what is offered, and buttons that do it.
import { filledOut } from '../../../../domain/text/placeholders.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import { escapeHtml, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import { genuineLink, languageBehind, SIGNATURE, transactIn } from '../../../engine/index.ts';
import { look, type Found, type Said } from '../look.ts';
import { confirm } from '../use-link.ts';

/** A page that only says something: done, too late, not possible. */
const saying = (found: Found, said: Said): PageAnswer => {
  const text = found.say(said.text);
  const title = said.isDone ? found.say('quickSuccessTitle') : found.storeName;
  const lines = [
    ...(found.notices ?? []).map(found.say),
    said.own ?? '',
    said.holds ?? '',
    text,
    said.isDone ? found.say('quickNextOrder') : '',
  ].filter(line => line.trim() !== '');
  const html = `<h1>${escapeHtml(title)}</h1>${lines.map(line => `<p>${escapeHtml(line)}</p>`).join('')}`;
  return { status: 200, title, html, language: found.saysIn(said.text) };
};

function offering(found: Found): PageAnswer {
  const { offered, choices, rewardSaid, products, storeName, notices = [], say } = found;
  const fill = (text: string): string => filledOut(text, found.values);
  const title = fill(offered.title ?? '');
  const lines = [fill(offered.description ?? ''), rewardSaid, found.values.next_order_date ? found.say('quickNextOrder') : ''];
  const picture = offered.imageUrl ? `<img src="${escapeHtml(offered.imageUrl)}" alt="">` : '';
  const buttons = choices.map(({ label, price, key }) => {
    const said = price === undefined ? label : `${label} · ${price}`;
    return `<form method="post" action="?choice=${key}"><button type="submit">${escapeHtml(said)}</button></form>`;
  });
  const notice = notices.map(say).join(' ');
  return {
    status: 200,
    title,
    language: found.language,
    html:
      (notice ? `<p class="refused" role="alert">${escapeHtml(notice)}</p>` : '') +
      `${picture}<h1>${escapeHtml(title)}</h1>` +
      lines
        .filter(line => line.trim() !== '')
        .map(line => `<p>${escapeHtml(line)}</p>`)
        .join('') +
      `<ul>${products.map(name => `<li>${escapeHtml(name)}</li>`).join('')}</ul>${buttons.join('')}` +
      `<p class="quiet">${escapeHtml(storeName)}</p>`,
  };
}

export const links: PublicPage = {
  path: '/q/:token',
  secret: SIGNATURE,
  languageOf: async (services, { params: { token = '' } }) => languageBehind(services, await genuineLink(services, token)),
  async get(services, { params: { token = '' } }) {
    const link = await genuineLink(services, token);
    if (!link) return nothingHere();
    const found = await transactIn(services, link.storeId)(context => look(services, context, link, true));
    if (!found) return nothingHere();
    return found.said ? saying(found, found.said) : offering(found);
  },
  async post(services, { params: { token = '' }, query: { choice = '' } }) {
    const link = await genuineLink(services, token);
    if (!link) return nothingHere();
    const found = await confirm(services, link, choice);
    if (!found) return nothingHere();
    return found.said ? saying(found, found.said) : offering(found);
  },
};
