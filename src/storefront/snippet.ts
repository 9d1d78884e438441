// The snippet of widget version 1, as it stands in the code of a theme:
// <div data-perennial-product-id="9001">…</div>
// <script src="https://perennial.example/storefront/snippet.js" data-store="1" async></script>
// It is the script of all shops with one thing more: each place of a snippet becomes the element that shops of version 2 write themselves.
import './main.ts';

/** What the snippet says beside its product stands in attributes of the same name. */
const PREFIX = 'data-perennial-';
const PLACES = `[${PREFIX}product-id]`;

function become(place: Element): void {
  const widget = document.createElement('perennial-widget');
  for (const { name, value } of place.attributes) if (name.startsWith(PREFIX)) widget.setAttribute(name.slice(PREFIX.length), value);
  widget.append(...place.childNodes);
  place.replaceWith(widget);
}

// A theme may open products in a window of their own, later.
const look = (): void => document.querySelectorAll(PLACES).forEach(become);
new MutationObserver(look).observe(document, { childList: true, subtree: true });
look();
