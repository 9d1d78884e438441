// The script of a shop's pages:
// <script src="https://perennial.example/storefront/v1.js" data-store="1" async></script>
import { PerennialWidget } from './perennial-widget.ts';
import { publishedAt, type Published } from './published-data.ts';
import { loadStoreScripts } from './store-scripts.ts';

/** Elements that are seldom on a page: each is a file of its own, loaded when there is one. */
const PARTS = { 'perennial-gift': 'gift.js', 'perennial-banner': 'banner.js', 'perennial-box': 'box.js' };
type Part = { element: CustomElementConstructor & { source: Published | undefined } };

function definePartsWhenUsed(base: string, source: Published): void {
  const look = (): void => {
    for (const [tag, file] of Object.entries(PARTS)) {
      if (customElements.get(tag) || asked.has(tag) || !document.querySelector(tag)) continue;
      asked.add(tag);
      import(/* @vite-ignore */ new URL(file, base).href).then(({ element }: Part) => {
        element.source = source;
        customElements.define(tag, element);
      }, console.warn);
    }
    if (asked.size === Object.keys(PARTS).length) observer.disconnect();
  };
  const asked = new Set<string>();
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
  look();
}

const script = document.currentScript as HTMLScriptElement | null;
const store = script?.dataset.store;
if (!script || !store || !/^\d+$/.test(store))
  console.error('Perennial: the script needs the number of your store: <script src="…/storefront/v1.js" data-store="1" async></script>');
// Twice on a page is once.
else if (!customElements.get('perennial-widget')) {
  const source = publishedAt(new URL(`${store}/`, script.src).href, script.dataset.theme);
  PerennialWidget.source = source;
  customElements.define('perennial-widget', PerennialWidget);
  definePartsWhenUsed(script.src, source);
  // No script of anybody else's stands beside a card.
  if (script.dataset.page !== 'checkout')
    loadStoreScripts(async () => (await source.store()).scripts, script.dataset.page === 'order-status').catch(console.warn);
}
