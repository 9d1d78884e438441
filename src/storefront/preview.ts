// The script of the frame in which the admin shows an element of shops' pages: it draws what the page around it sends, by the elements
// that shops have, and reads the rest of what is published as they do.
import type { StorefrontPreview } from '../domain/widgets/published.ts';
import { h } from './dom.ts';
import { PerennialBanner } from './parts/banner.ts';
import { PerennialBox } from './parts/box.ts';
import { PerennialGift } from './parts/gift.ts';
import { PerennialWidget } from './perennial-widget.ts';
import { publishedAt, type Published } from './published-data.ts';
import { PublishedElement } from './published-element.ts';

/** What the page around the frame sends. */
export interface Shown {
  preview: StorefrontPreview;
  /** The language of the shopper. */
  lang: string;
}

const ELEMENTS = {
  ...{ 'perennial-widget': PerennialWidget, 'perennial-gift': PerennialGift },
  ...{ 'perennial-banner': PerennialBanner, 'perennial-box': PerennialBox },
};
for (const [tag, element] of Object.entries(ELEMENTS)) customElements.define(tag, element);

const PAGE_CSS = `
body { margin: 0; padding: 16px; background: #fff; color: #202223; font: 14px/1.45 system-ui, sans-serif; }
header { display: flex; gap: 12px; align-items: center; margin: 0 0 12px; font-weight: 600; }
header img { width: 48px; height: 48px; object-fit: cover; border-radius: 6px; }
`;
const sheet = new CSSStyleSheet();
sheet.replaceSync(PAGE_CSS);
document.adoptedStyleSheets = [sheet];

let published: { of: number; source: Published } | undefined;
function show({ preview, lang }: Shown): void {
  const { store, element: tag, attributes, product, widget, box } = preview;
  if (published?.of !== store)
    published = { of: store, source: publishedAt(new URL(`${store}/`, document.querySelector('script')!.src).href) };
  const { source } = published;
  // What is looked at here is counted nowhere, and no code runs beside it.
  const { count: _count, codePage: _codePage, ...read } = source;
  PublishedElement.source = {
    ...read,
    widget: async (...place) => widget ?? source.widget(...place),
    box: async id => box ?? source.box(id),
  };
  document.documentElement.lang = lang;
  let element = document.querySelector<PublishedElement<unknown>>(tag);
  if (!element) {
    element = document.createElement(tag) as PublishedElement<unknown>;
    document.body.replaceChildren(h('header'), h('form', {}, element));
  }
  document
    .querySelector('header')!
    .replaceChildren(...(product ? [product.image ? h('img', { src: product.image, alt: '' }) : '', h('span', {}, product.title)] : []));
  for (const [name, value] of Object.entries(attributes)) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  element.begin();
}

// A page of a shop adds the product; here it is enough that it seems so.
addEventListener('perennial:add', event =>
  (event as CustomEvent<{ waitUntil(work: Promise<void>): void }>).detail.waitUntil(Promise.resolve()),
);
addEventListener('message', ({ source, data }: MessageEvent<Shown>) => {
  if (source === parent) show(data);
});
const tell = (): void => parent.postMessage({ height: document.body.scrollHeight }, '*');
new ResizeObserver(tell).observe(document.body);
parent.postMessage({ height: 0 }, '*');
