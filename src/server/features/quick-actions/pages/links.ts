// The page behind a link of a quick action or campaign: what is offered, and buttons that do it.
import { filledOut } from '../../../../domain/text/placeholders.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import { alarm, hiddenFields, questionForm } from '../../../platform/http/form-fields.ts';
import type { PageServices } from '../../../platform/http/page-request.ts';
import { escapeHtml, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import { type Given, genuineLink, languageBehind, SIGNATURE, transactIn } from '../../../engine/index.ts';
import { look, type Found, type Said } from '../look.ts';
import { confirm } from '../use-link.ts';

/** A page that only says something: done, too late, not possible. */
const saying = (found: Found, said: Said): PageAnswer => {
  const text = found.say(said.text);
  const title = said.isDone ? found.say('quickSuccessTitle') : found.storeName;
  const lines = [
    ...(found.notices ?? []).map(key => found.say(key)),
    said.own ?? '',
    said.holds ?? '',
    text,
    said.isDone ? found.say('quickNextOrder') : '',
  ].filter(line => line.trim() !== '');
  const html = `<h1>${escapeHtml(title)}</h1>${lines.map(line => `<p>${escapeHtml(line)}</p>`).join('')}`;
  return { status: 200, title, html, language: found.saysIn(said.text), styleSheet: found.styleSheet };
};

function offering(found: Found): PageAnswer {
  const { offered, choices, form, rewardSaid, products, storeName, notices = [], say } = found;
  const fill = (text: string): string => filledOut(text, found.values);
  const title = fill(offered.title ?? '');
  const lines = [fill(offered.description ?? ''), rewardSaid, found.values.next_order_date ? found.say('quickNextOrder') : ''];
  const picture = offered.imageUrl ? `<img src="${escapeHtml(offered.imageUrl)}" alt="">` : '';
  const buttons = choices.map(({ label, price, key }) => {
    const said = price === undefined ? label : `${label} · ${price}`;
    const button = `<button type="submit">${escapeHtml(said)}</button>`;
    return `<form method="post" action="?choice=${key}">${hiddenFields(form?.given ?? {})}${button}</form>`;
  });
  const isOpen = form !== undefined && !form.input;
  const isWrong = isOpen && (form.wrong !== undefined || form.fields.some(one => one.error));
  const fields = isOpen
    ? questionForm(form.fields, say('portalContinue'))
    : (form?.summary ?? []).map(line => `<p>${escapeHtml(line)}</p>`).join('');
  const notice = [...notices.map(key => say(key)), form?.wrong ?? ''].filter(Boolean).join(' ');
  return {
    status: isWrong ? 422 : 200,
    title,
    language: found.language,
    styleSheet: found.styleSheet,
    html:
      alarm(notice) +
      `${picture}<h1>${escapeHtml(title)}</h1>` +
      lines
        .filter(line => line.trim() !== '')
        .map(line => `<p>${escapeHtml(line)}</p>`)
        .join('') +
      `<ul>${products.map(name => `<li>${escapeHtml(name)}</li>`).join('')}</ul>${fields}${buttons.join('')}` +
      `<p class="quiet">${escapeHtml(storeName)}</p>`,
  };
}

export const links: PublicPage = {
  path: '/q/:token',
  secret: SIGNATURE,
  languageOf: async (services, { params: { token = '' } }) => languageBehind(services, await genuineLink(services, token)),
  get: (services, { params: { token = '' }, query }) => show(services, token, query, true),
  async post(services, { params: { token = '' }, query: { choice }, form }) {
    // What was filled in leads to the question first.
    if (choice === undefined) return show(services, token, form, false);
    const link = await genuineLink(services, token);
    if (!link) return nothingHere();
    const found = await confirm(services, link, choice, form);
    if (!found) return nothingHere();
    return found.said ? saying(found, found.said) : offering(found);
  },
};

async function show(services: PageServices, token: string, given: Given, opens: boolean): Promise<PageAnswer> {
  const link = await genuineLink(services, token);
  if (!link) return nothingHere();
  const found = await transactIn(services, link.storeId)(context => look(services, context, link, { opens, given }));
  if (!found) return nothingHere();
  return found.said ? saying(found, found.said) : offering(found);
}
