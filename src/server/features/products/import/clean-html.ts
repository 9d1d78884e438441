// Descriptions of products as they may be shown.
import sanitizeHtml from 'sanitize-html';

/** Descriptions are shown as HTML: only text formatting, lists, tables, pictures and safe links stay. */
export function cleanHtml(html: string): string {
  if (!/[<>&]/.test(html)) return html.trim();
  return sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img'],
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'width', 'height'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
    },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https', 'http'] },
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }) },
  }).trim();
}
