// Markup that people wrote or pasted, reduced to what mails and pages may carry: text, lists, headings, links. Nothing that runs.
import createPurifier from 'dompurify';
import { allowMarkup } from '../../platform/trusted-html.ts';

const purifier = createPurifier(window);
purifier.addHook('afterSanitizeAttributes', node => {
  if (node.tagName !== 'A') return;
  node.setAttribute('rel', 'noopener noreferrer');
  node.setAttribute('target', '_blank');
});

// What the text editor reads (stored text, pasted text) passes this one.
const guard = createPurifier(window);
allowMarkup(text => guard.sanitize(text));

/** Safe markup; what isn't allowed goes, its text stays. */
export function cleanHtml(html: string): string {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 's', 'h2', 'h3', 'ul', 'ol', 'li', 'a', 'blockquote'],
    ALLOWED_ATTR: ['href', 'rel', 'target', 'start'],
    ALLOWED_URI_REGEXP: /^(https?:|mailto:|tel:|\{\{\w+\}\}|#|\/(?!\/))/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}
