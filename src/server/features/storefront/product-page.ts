// What the page of a product reads, in one answer: a page names its address beforehand, so the widget stands with the page's own content.
import { shardOf, type PublishedPage, type PublishedProducts, type StorefrontIndex } from '../../../domain/widgets/published.ts';

/** The address of what our script reads first on the page of a product, for ever; `number`: the platform's. */
export const productPagePath = (storeId: number, number: number): string => `/storefront/${storeId}/product-${number}.json`;

/**
 * A `PublishedPage` as JSON: the plans and the widgets that stand on the usual template, as the files have them.
 * @param index as it is stored @param read gives a file's JSON by its name
 */
export async function pageOf(index: string, number: string, read: (name: string) => Promise<string | undefined>): Promise<string> {
  const { widgets, theme, plans, products } = JSON.parse(index) as StorefrontIndex;
  const shown = ['PRODUCT', 'GIFT'].flatMap(type => {
    const templates = widgets[type]?.[String(theme)];
    return templates?.product ?? templates?.['*'] ?? [];
  });
  const texts: string[] = [];
  for (const name of [plans, ...shown]) {
    const content = await read(name);
    if (content !== undefined) texts.push(`${JSON.stringify(name)}:${content}`);
  }
  const shard = await read(products[shardOf(number, products.length)] ?? '');
  const product: PublishedPage['product'] = (shard === undefined ? undefined : (JSON.parse(shard) as PublishedProducts)[number]) ?? null;
  return `{"index":${index},"files":{${texts.join(',')}},"product":${JSON.stringify(product)}}`;
}
