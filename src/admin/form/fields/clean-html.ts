// Markup that people wrote or pasted, reduced to what mails and pages may carry: text, lists, headings, links. Nothing that runs.
import createPurifier from 'dompurify';

const purifier = createPurifier(window);
purifier.addHook('afterSanitizeAttributes', node => {
  if (node.tagName !== 'A') return;
  node.setAttribute('rel', 'noopener noreferrer');
  node.setAttribute('target', '_blank');
});

// Under Trusted Types a browser reads no text as HTML unless a policy gave it: what the text editor reads
// (stored text, pasted text) passes this one.
const guard = createPurifier(window);
(
  window as { trustedTypes?: { createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown } }
).trustedTypes?.createPolicy('default', { createHTML: text => guard.sanitize(text) });

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
