// Where the button of a popup leads. Pure: placeholders, the widget library, what opens in a new tab and what stays in the admin.

export interface PopupData {
  id: number;
  header: string;
  body: string;
  primary_cta_text: string;
  primary_cta_link: string;
}
export type Values = Record<string, string | null | undefined>;
export type Destination = { kind: 'tab'; href: string } | { kind: 'page'; to: string };

/** The work of these happens in another tab, so they stay open after their action (S184, S188, S189, S190). */
const STAY_OPEN: readonly number[] = [3, 4, 8];
export const staysOpen = (id: number): boolean => STAY_OPEN.includes(id);

const LIBRARY = '/widgets/storefront/library';
/** Where a link leads whose placeholders have no value yet, or that is no link at all. */
const INSTEAD: Record<number, string> = { 2: '/selling-plans', 3: LIBRARY, 4: '/selling-plans', 8: '/selling-plans' };
const START = '/dashboard';

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Text with the values in place of {{name}}; nothing where there is no value. It is text, to be drawn as text. */
export const fillText = (text: string, values: Values): string => text.replace(PLACEHOLDER, (_, name: string) => own(values, name) ?? '');
/** A link with the values encoded, so that each stays one piece of the address (S149); undefined when one is missing. */
export function fillLink(link: string, values: Values): string | undefined {
  let isWhole = true;
  const filled = link.replace(PLACEHOLDER, (_, name: string) => {
    const value = own(values, name);
    // One or two dots are a step in a path however they are written: no value for a link.
    if (!value || /^\.{1,2}$/.test(value)) isWhole = false;
    return encode(value ?? '');
  });
  return isWhole ? filled : undefined;
}
const own = (values: Values, name: string): string | null | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);
/** Half a character can't be encoded; it is left out. */
const encode = (value: string): string =>
  encodeURIComponent(value.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, ''));

/**
 * S187: under widget version 2 (and later) a page of the admin becomes the widget library; an https
 * address stays. The one place that decides it.
 */
export const forWidget = (to: string, widgetVersion: number): string => (widgetVersion >= 2 ? LIBRARY : to);

/**
 * A filled link read the way a browser reads it: an https address opens in a new tab (S185), everything else is a page of the admin (S186).
 * Other schemes and addresses without one ("//…") are no pages: undefined.
 */
export function readLink(link: string): Destination | undefined {
  const text = link.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  if (/^https:/i.test(text)) {
    try {
      const { protocol, hostname, href } = new URL(text);
      return protocol === 'https:' && hostname ? { kind: 'tab', href } : undefined;
    } catch {
      return undefined;
    }
  }
  if (text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text.replace(/\s/g, '')) || /^[\\/]\s*[\\/]/.test(text)) return undefined;
  const BASE = 'https://admin.invalid';
  try {
    const { origin, pathname, search, hash } = new URL(text, BASE);
    return origin === BASE && !/^[\\/]{2}/.test(pathname) ? { kind: 'page', to: pathname + search + hash } : undefined;
  } catch {
    return undefined;
  }
}

/** Where the button leads. */
export function destination(
  { id, primary_cta_link }: Pick<PopupData, 'id' | 'primary_cta_link'>,
  values: Values,
  widgetVersion: number,
): Destination {
  const filled = fillLink(primary_cta_link, values);
  const found = (filled === undefined ? undefined : readLink(filled)) ?? { kind: 'page' as const, to: INSTEAD[id] ?? START };
  return found.kind === 'page' ? { kind: 'page', to: forWidget(found.to, widgetVersion) } : found;
}
