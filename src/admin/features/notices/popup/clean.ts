// The body of a popup, reduced to text, lists, links and pictures of our own. It becomes nodes, never text that is read as HTML again:
// values of placeholders are put into finished text nodes and encoded into addresses, so nothing in them can ever be markup.
import createPurifier from 'dompurify';
import { fillLink, fillText, readLink, type Values } from './links.ts';

/** Pictures come from this server only: one from elsewhere would tell that server who reads this, and when. */
const PICTURE = /^\/(?:demo|assets)\/[\w./-]+\.(?:png|jpe?g|gif|webp|avif|svg)$/i;

const purifier = createPurifier(window);

export function cleanBody(html: string, values: Values): DocumentFragment {
  const body = purifier.sanitize(html, {
    ALLOWED_TAGS: ['p', 'br', 'b', 'strong', 'i', 'em', 'ul', 'ol', 'li', 'a', 'img'],
    ALLOWED_ATTR: ['href', 'src', 'alt'],
    // Addresses are validated below, when they are whole; here only what could run is refused.
    ALLOWED_URI_REGEXP: /^(?:https:|\/|[\w-]+(?:[/?#]|$)|\{\{)/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.nodeValue = fillText(texts.currentNode.nodeValue ?? '', values);
  for (const picture of body.querySelectorAll('img')) {
    const source = picture.getAttribute('src') ?? '';
    const alt = fillText(picture.getAttribute('alt') ?? '', values);
    if (!PICTURE.test(source) || source.includes('..')) {
      picture.replaceWith(alt);
      continue;
    }
    picture.setAttribute('alt', alt);
  }
  for (const link of body.querySelectorAll('a')) {
    const filled = fillLink(link.getAttribute('href') ?? '', values);
    const leads = filled === undefined ? undefined : readLink(filled);
    if (!leads) {
      link.removeAttribute('href');
      continue;
    }
    link.setAttribute('href', leads.kind === 'tab' ? leads.href : leads.to);
    if (leads.kind === 'tab') {
      link.setAttribute('target', '_blank');
      link.setAttribute('rel', 'noopener noreferrer');
    }
  }
  return body;
}
