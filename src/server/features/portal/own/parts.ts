// The pieces of HTML that pages with steps and fields are made of. Everything that people wrote is escaped here.
import { type Field, hiddenFields } from '../../../platform/http/form-fields.ts';
import { escapeHtml, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { at } from '../at.ts';
import type { Portal } from '../portal.ts';

export const link = (label: string, query?: Readonly<Record<string, string | number>>): string =>
  `<p><a href="${escapeHtml(at(query))}">${escapeHtml(label)}</a></p>`;

/** A button in a form of its own, which sends `given` along. A `quiet` one does not look like the thing to do. */
export const button = (
  address: string,
  label: string,
  { quiet = false, about, given = {} }: { quiet?: boolean; about?: string; given?: Readonly<Record<string, string>> } = {},
): string =>
  `<form method="post" action="${escapeHtml(address)}">${hiddenFields(given)}<button type="submit"${
    quiet ? ' class="second"' : ''
  }${about ? ` aria-label="${escapeHtml(`${label}: ${about}`)}"` : ''}>${escapeHtml(label)}</button></form>`;

/** Which fields are not right, each leading to it. `missing`: those that were left empty. */
export function errorSummary(say: Portal['say'], fields: readonly Field[], missing: ReadonlySet<string> = new Set()): string {
  const wrong = fields.filter(one => one.error);
  if (wrong.length === 0) return '';
  const items = wrong.map(({ name, label, value }) => {
    const key = missing.has(name) || value.trim() === '' ? 'a11yRequiredField' : 'a11yInvalidField';
    return `<li><a href="#f-${name}">${escapeHtml(say(key, { field_name: label }))}</a></li>`;
  });
  return `<div class="refused" role="alert"><p>${escapeHtml(say('a11yErrorSummary'))}</p><ul>${items.join('')}</ul></div>`;
}

export const answer = ({ speech }: Pick<Portal, 'speech'>, title: string, html: string, status = 200): PageAnswer & { html: string } => ({
  status,
  title,
  html: `<h1>${escapeHtml(title)}</h1>${html}`,
  language: speech.language,
});
