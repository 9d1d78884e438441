// Vendure's products in the words of the port.
import type { JsonObject } from '../../../contract/types.ts';
import type { ShopLink, ShopProduct, ShopVariant } from '../../platform/store-platform/store-platform.ts';
import { id, list, object, text, whole } from './ask.ts';
import { fromShop } from './money.ts';

/** What all products share where they say nothing of their own. */
interface Shared {
  link: ShopLink;
  isTracked: boolean;
  threshold: number;
}

/** How many can be sold: what lies there, less what is promised, less what the shop keeps back. Null where it does not count. */
function stockOf(variant: JsonObject, shared: Shared): number | null {
  const tracked = variant.trackInventory;
  if (tracked === 'FALSE' || (tracked === 'INHERIT' && !shared.isTracked)) return null;
  const levels = list(variant.stockLevels, 'the stock of a variant');
  const free = levels.reduce(
    (sum, level) => sum + whole(level.stockOnHand, 'the stock of a variant') - whole(level.stockAllocated, 'the stock of a variant'),
    0,
  );
  const keptBack =
    variant.useGlobalOutOfStockThreshold === true ? shared.threshold : whole(variant.outOfStockThreshold, 'the stock of a variant');
  return Math.max(0, free - keptBack);
}

function readVariant(given: JsonObject, groups: readonly string[], shared: Shared): ShopVariant {
  const options = list(given.options, 'the options of a variant');
  return {
    id: id(given.id, 'the id of a variant'),
    options: groups.map(group => text(options.find(one => one.groupId === group)?.name ?? '–', 'an option')),
    sku: text(given.sku, 'an SKU'),
    price: Math.max(0, fromShop(shared.link, whole(given.priceWithTax, 'a price'))),
    stock: stockOf(given, shared),
  };
}

function readProduct(given: JsonObject, shared: Shared): ShopProduct {
  const groups = list(given.optionGroups, 'the options of a product');
  const groupIds = groups.map(group => id(group.id, 'an option'));
  const asset = given.featuredAsset === null ? null : text(object(given.featuredAsset, 'a picture').preview, 'a picture', 2000);
  const variants = list(given.variants, 'the variants of a product')
    .filter(variant => variant.enabled === true)
    .map(variant => readVariant(variant, groupIds, shared));
  // Two variants of the same options are one to a customer: the first.
  const byOptions = new Map(variants.toReversed().map(variant => [variant.options.join('\0').toLowerCase(), variant]));
  return {
    id: id(given.id, 'the id of a product'),
    handle: text(given.slug, 'the slug of a product').toLowerCase(),
    title: text(given.name, 'the name of a product'),
    description: text(given.description, 'the description of a product', 500_000),
    isActive: given.enabled === true,
    image: asset !== null && /^https?:\/\//i.test(asset) && URL.canParse(asset) ? asset : null,
    options: groups.map(group => text(group.name, 'an option')),
    variants: variants.filter(variant => byOptions.get(variant.options.join('\0').toLowerCase()) === variant),
  };
}

/** @throws ShopError WRONG */
export function readProducts(link: ShopLink, data: JsonObject): { items: ShopProduct[]; total: number } {
  const settings = object(data.globalSettings, 'the settings of the shop');
  const shared: Shared = {
    link,
    isTracked: settings.trackInventory === true,
    threshold: whole(settings.outOfStockThreshold, 'the settings of the shop'),
  };
  const { items, totalItems } = object(data.products, 'products');
  return {
    items: list(items, 'products').map(one => readProduct(one, shared)),
    total: whole(totalItems, 'how many products there are'),
  };
}
