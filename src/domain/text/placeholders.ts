// Placeholders in words that people write: {{next_order_date}}, or with a filter as in e-mails, {{ order.total | money }}.

const BRACES = /\{\{[^{}]*\}\}/g;
/** A placeholder that a text begins with, as far as the first letter behind it; and one with the comma and spaces before it. */
const LEADING = /^(\{\{[^{}]*\}\})\s*,?\s*(\p{L}?)/u;
const LED_TO = /,?\s*(\{\{[^{}]*\}\})/g;
const NAME = /^\s*([\w.]+)/;
/** Of {{ order.total | money }}: order.total; empty where there is no name. */
const nameIn = (placeholder: string): string => NAME.exec(placeholder.slice(2, -2))?.[1] ?? '';
/** What a translation must carry over as it is: placeholders, tags of templates, tags and entities of HTML, addresses. */
const PROTECTED = /\{\{[^{}]*\}\}|\{%[^%]*%\}|<[^<>]+>|&[a-z]+;|&#\d+;|https?:\/\/[^\s<>"]+/gi;

/** Names of the placeholders of a text, each once, in their order. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(BRACES)].map(([whole]) => nameIn(whole)).filter(Boolean)),
];

/** A text with values for its placeholders; one without a value stays as it is. */
export const filledIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(BRACES, whole => {
    const name = nameIn(whole);
    return Object.hasOwn(values, name) ? (values[name] as string) : whole;
  });

/**
 * The same as customers read it: a placeholder without a value is left out together with what leads to it, so that
 * "Hi {{name}}," reads "Hi,", "Thank you, {{name}}." reads "Thank you." and "{{name}}, look" reads "Look".
 */
export const filledOut = (text: string, values: Readonly<Record<string, string>>): string => {
  const valueOf = (placeholder: string): string | undefined => {
    const name = nameIn(placeholder);
    return name ? (Object.hasOwn(values, name) ? (values[name] as string) : '') : undefined;
  };
  const isEmpty = (placeholder: string | undefined): boolean => placeholder !== undefined && valueOf(placeholder) === '';
  return text
    .replace(LEADING, (whole, placeholder: string, next: string) => (isEmpty(placeholder) ? next.toLocaleUpperCase() : whole))
    .replace(LED_TO, (whole, placeholder: string) => (isEmpty(placeholder) ? '' : whole))
    .replace(BRACES, whole => valueOf(whole) ?? whole);
};

/** Whether braces stand there that are no placeholder with a name. */
export const hasOpenBraces = (text: string): boolean => /\{\{|\}\}/.test(text.replace(BRACES, whole => (nameIn(whole) ? '' : whole)));

/** Each part of a text in turn, and whether a translation must leave it alone. */
export function partsOf(text: string): { text: string; isProtected: boolean }[] {
  const parts: { text: string; isProtected: boolean }[] = [];
  let at = 0;
  for (const match of text.matchAll(PROTECTED)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), isProtected: false });
    parts.push({ text: match[0], isProtected: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isProtected: false });
  return parts;
}

const protectedParts = (text: string): string[] =>
  partsOf(text)
    .filter(part => part.isProtected)
    .map(part => part.text.replace(/\s+/g, ' '))
    .sort();

/** Whether a machine's translation carries over all that it must: nothing missing, nothing new. */
export const isIntact = (source: string, translation: string): boolean =>
  translation.trim() !== '' && JSON.stringify(protectedParts(source)) === JSON.stringify(protectedParts(translation));
