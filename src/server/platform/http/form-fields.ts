// Fields of forms on pages for customers, as HTML. Everything that people wrote is escaped here.
import { escapeHtml } from './public-pages.ts';

/** What was wrong with what was sent. */
export const alarm = (text: string | undefined): string => (text ? `<p class="refused" role="alert">${escapeHtml(text)}</p>` : '');

const attribute = (name: string, value: string | undefined): string => (value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`);

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
  type?: 'text' | 'tel' | 'email' | 'date' | 'number';
  /** Bounds of a date or a number. */
  min?: string;
  max?: string;
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

/** What a form sends along. */
export const hiddenFields = (given: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(given)
    .map(([name, value]) =>
      value === undefined ? '' : `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(String(value))}">`,
    )
    .join('');

type Query = Readonly<Record<string, string | number | undefined>>;
/** The query of an address, without what is not known. */
export const queryOf = (query: Query = {}): string =>
  `?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`;

/**
 * A form that leads to a question and does nothing yet, at the address of its page with this query. What people write stays out of
 * addresses; days and numbers may stand there, so that going back works.
 */
export function questionForm(fields: readonly Field[], submit: string, query: Query = {}): string {
  const isShort = fields.every(({ type, options }) => type === 'date' || type === 'number' || options);
  return (
    (isShort ? `<form method="get">${hiddenFields(query)}` : `<form method="post" action="${escapeHtml(queryOf(query))}">`) +
    `${fields.map(field).join('')}<button type="submit">${escapeHtml(submit)}</button></form>`
  );
}
