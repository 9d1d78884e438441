/**
 * The files that pages of a shop read (docs/storefront.md). The server writes them, the storefront's script reads them, and so does the
 * admin's preview. Amounts are minor units of the store's currency; ids are the platform's numbers unless it says otherwise.
 */
import type { JsonValue } from '../../contract/types.ts';
import type { PublishedBox } from '../bundles/published-box.ts';
import type { PriceRule } from '../money/pricing.ts';

/** `index.json`: the files of now. */
export interface StorefrontIndex {
  currency: string;
  /** The store's primary language: the words of records and widgets are in it. */
  locale: string;
  /** The number of the theme that shoppers see; null while there is none. */
  theme: number | null;
  /** Kind of widget -> number of a theme -> key of a template (`*`: each of them) -> the widget's file. */
  widgets: Record<string, Record<string, Record<string, string>>>;
  /** The file of selling plan groups. */
  plans: string;
  /** Files of products; `shardOf` says which one holds a product. */
  products: string[];
  /** The file of what concerns the whole shop: scripts and boxes. */
  store: string;
  /** The file of preset bundles. */
  bundles: string;
  /** Public id of a box that customers fill -> its file (src/domain/bundles/published-box.ts). */
  boxes: Record<string, string>;
}

/** `product-<number>.json`: what the page of a product reads first, in one answer at an address that a page can name beforehand. */
export interface PublishedPage {
  index: StorefrontIndex;
  /** Those of the files that the index names which the page reads, by their names. */
  files: Record<string, unknown>;
  /** Null where no plan is offered on it. */
  product: PublishedProduct | null;
}

/** A widget, banner or gift widget. */
export type PublishedWidget = {
  id: number;
  type: string;
  preferences: Record<string, JsonValue>;
  /** CSS variable -> value. */
  cssVariables: Record<string, string>;
  customCss: string;
  texts: Record<string, string>;
  /** Language -> the words that differ from `texts`. */
  textsByLocale: Record<string, Record<string, string>>;
};

/** What an editor shows: an element of a page, with what is not saved yet in the place of what is published. */
export type StorefrontPreview = {
  store: number;
  /** "perennial-widget" */
  element: string;
  attributes: Record<string, string>;
  /** The product of the page around it. */
  product: { title: string; image: string | null } | null;
  widget?: PublishedWidget;
  box?: PublishedBox;
  /** Those that the store publishes, the primary one first. */
  languages: { locale: string; name: string }[];
  /** Why there is little to see, for the merchant. */
  hint: string | null;
};

export interface PlanWords {
  name: string;
  optionLabel: string;
  description: string;
}
export interface PublishedPlan extends PlanWords {
  id: number;
  isDefault: boolean;
  /** The price of the first order. */
  rule: PriceRule;
  deliveriesPerCharge: number;
}
export interface PublishedGroup {
  /** Ours. */
  id: number;
  name: string;
  optionLabel: string;
  plans: PublishedPlan[];
  /** Language -> its words, where they differ. */
  words: Record<string, { name?: string; optionLabel?: string; plans?: Record<string, Partial<PlanWords>> }>;
}

export interface PublishedVariant {
  id: number;
  price: number;
  /** What it cost before, where that is more. */
  compareAt?: number;
  isSoldOut?: true;
  /** Our ids of the groups that it is sold by, in the order of the merchant. */
  groups: number[];
  /** Of a preset bundle: number of a plan -> what the checkout charges, its discount taken off. */
  planPrices?: Record<string, number>;
}
export interface PublishedProduct {
  /** It can't be bought once. */
  isSubscriptionOnly?: true;
  variants: PublishedVariant[];
}
/** A file of products: number -> product. */
export type PublishedProducts = Record<string, PublishedProduct>;

/** In which of `count` files the product with a number stands. Numbers of a platform are often multiples of one another, so it is mixed. */
export function shardOf(productId: number | string, count: number): number {
  let mixed = 2166136261;
  for (const character of String(productId)) mixed = Math.imul(mixed ^ character.charCodeAt(0), 16777619) >>> 0;
  return mixed % Math.max(1, count);
}
