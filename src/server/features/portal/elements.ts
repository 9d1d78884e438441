// What pages of the portal are put together from. All of it works without scripts: links lead to a question, buttons answer it.
import { escapeHtml } from '../../platform/http/public-pages.ts';
import type { Action } from './action.ts';
import { at } from './at.ts';

export const p = (text: string, kind = ''): string =>
  text.trim() ? `<p${kind && ` class="${kind}"`}>${escapeHtml(text).replaceAll('\n', '<br>')}</p>` : '';
export const h2 = (text: string): string => (text.trim() ? `<h2>${escapeHtml(text)}</h2>` : '');
/** A product: its picture, if it has one, beside what is said of it, which names it; `way`: the one thing that can be done with it. */
export const pictured = (image: string | null, words: string, way = ''): string =>
  `<div class="product">${image ? `<img src="${escapeHtml(image)}" alt="" width="64" height="64">` : ''}<div>${words}</div>${way}</div>`;
/** `about`: what a label that stands at several things is about; `name`: all that is read out in place of the label. */
export const link = (href: string, label: string, about = '', name = about && `${label}: ${about}`): string =>
  `<a href="${escapeHtml(href)}"${name && ` aria-label="${escapeHtml(name)}"`}>${escapeHtml(label)}</a>`;
export const nav = (name: string, links: readonly string[]): string =>
  links.length ? `<nav aria-label="${escapeHtml(name)}">${links.join('')}</nav>` : '';

/** Links of actions. */
export const offering = (name: string, actions: readonly Action[], about = ''): string =>
  nav(
    name,
    actions.map(({ id, of, fills, label, name: read }) => link(at({ do: id, of, ...fills }), label, about, read)),
  );
