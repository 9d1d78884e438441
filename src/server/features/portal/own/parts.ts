// The pieces of HTML that pages with steps and fields are made of. Everything that people wrote is escaped here.
import { escapeHtml, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { cleanText } from '../../../platform/texts/text-verbs.ts';
import { at } from '../at.ts';
import type { Portal } from '../portal.ts';

const attribute = (name: string, value: string | undefined): string => (value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`);

/** What a merchant wrote with markup; it is reduced once more to what pages may carry. */
export const rich = (html: string): string => cleanText({ component: 'RICH_TEXT' }, html);
/** What was wrong with what was sent. */
export const alert = (text: string | undefined): string => (text ? `<p class="refused" role="alert">${escapeHtml(text)}</p>` : '');
export const link = (label: string, query?: Readonly<Record<string, string | number>>): string =>
  `<p><a href="${escapeHtml(at(query))}">${escapeHtml(label)}</a></p>`;

/** A button in a form of its own. A `quiet` one does not look like the thing to do. */
export const button = (address: string, label: string, { quiet = false, about }: { quiet?: boolean; about?: string } = {}): string =>
  `<form method="post" action="${escapeHtml(address)}"><button type="submit"${quiet ? ' class="second"' : ''}${attribute(
    'aria-label',
    about ? `${label}: ${about}` : undefined,
  )}>${escapeHtml(label)}</button></form>`;

export interface Field {
  name: string;
  label: string;
  value: string;
  error?: string;
  isRequired?: boolean;
  maxLength?: number;
  autocomplete?: string;
  /** Of a list to choose from. */
  options?: readonly { value: string; label: string }[];
  isLong?: boolean;
  type?: 'text' | 'tel' | 'email' | 'date';
  /** Bounds of a date. */
  min?: string;
  max?: string;
}

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

/** A label, its field, and below it what is wrong. */
export function field(one: Field): string {
  const { name, label, value, error, isRequired = false, maxLength, autocomplete, options, isLong = false, type = 'text', min, max } = one;
  const shared =
    ` id="f-${name}" name="${name}"${attribute('autocomplete', autocomplete)}${isRequired ? ' required' : ''}` +
    (error ? ` aria-invalid="true" aria-describedby="e-${name}"` : '');
  const most = attribute('maxlength', maxLength === undefined ? undefined : String(maxLength));
  const control = options
    ? `<select${shared}>${options
        .map(({ value: option, label: said }) => {
          const chosen = option === value ? ' selected' : '';
          return `<option value="${escapeHtml(option)}"${chosen}>${escapeHtml(said)}</option>`;
        })
        .join('')}</select>`
    : isLong
      ? `<textarea${shared}${most} rows="4">${escapeHtml(value)}</textarea>`
      : `<input type="${type}"${shared}${most}${attribute('min', min)}${attribute('max', max)} value="${escapeHtml(value)}">`;
  const wrong = error ? `<p class="refused" id="e-${name}">${escapeHtml(error)}</p>` : '';
  return `<label for="f-${name}">${escapeHtml(label)}</label>${control}${wrong}`;
}

export const answer = ({ speech }: Pick<Portal, 'speech'>, title: string, html: string, status = 200): PageAnswer & { html: string } => ({
  status,
  title,
  html: `<h1>${escapeHtml(title)}</h1>${html}`,
  language: speech.language,
});
