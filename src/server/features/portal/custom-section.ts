// A section of the store's own: HTML in the customer's language, reduced to what can do no harm.
import sanitizeHtml from 'sanitize-html';
import { h2 } from './elements.ts';
import type { Portal } from './portal.ts';
import { ENTITY, type ThemeSection } from '../../platform/portal-look/theme.ts';

/** No scripts, frames, forms and styles; pictures from addresses that begin with https. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'strong', 'b', 'em', 'i', 'u', 's', 'small', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'a', 'blockquote', 'div', 'span'],
    ...['img', 'picture', 'source', 'figure', 'figcaption', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    '*': ['class'],
    a: ['href', 'title', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    source: ['srcset', 'media'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'], source: ['https'] },
  allowProtocolRelative: false,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
};

export const cleanHtml = (html: string): string => sanitizeHtml(html, ALLOWED).trim();

export function customSection({ words, subscription, theme }: Portal, section: ThemeSection): string {
  const said = (name: 'title' | 'html'): string =>
    words.find(subscription.contract.customer_locale, {
      ownerKind: ENTITY,
      ownerId: String(theme.id),
      key: `sections.${section.id}.${name}`,
    })?.value ??
    section[name] ??
    '';
  return h2(said('title')) + cleanHtml(said('html'));
}
