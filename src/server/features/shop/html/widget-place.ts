// Where the widget stands on a page of the shop, as a theme has it: an element of its own, or the snippet of version 1.
import { escapeHtml as e } from '../../../platform/http/public-pages.ts';

interface Versioned {
  storefront_widget_version: number;
}

/** The file that pages load: the one for snippets knows the elements too. */
export const scriptOf = ({ storefront_widget_version: version }: Versioned): string => (version === 1 ? 'snippet.js' : 'v1.js');

/** @param inner what stands there until the widget does */
export function widgetPlace({ storefront_widget_version: version }: Versioned, attributes: Record<string, string>, inner: string): string {
  const [tag, prefix] = version === 1 ? ['div', 'data-perennial-'] : ['perennial-widget', ''];
  const written = Object.entries(attributes).map(([name, value]) => ` ${prefix}${name}${value && `="${e(value)}"`}`);
  return `<${tag}${written.join('')}>${inner}</${tag}>`;
}
