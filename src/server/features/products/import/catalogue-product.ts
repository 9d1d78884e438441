// A product as an import understands it: the part of the products and variants tables that a file can say something about.

import { DEFAULT_VARIANT } from '../../../../domain/text/variant-name.ts';

export type ProductStatus = 'ACTIVE' | 'DRAFT' | 'ARCHIVED';

/** A field that is undefined is a column the file does not have: it keeps its value, or gets the default of a new product. */
export interface FileVariant {
  /** The row that describes it, as a spreadsheet numbers it. */
  row: number;
  /** One value for each option of the product; a product without options has none. */
  optionValues: string[];
  sku?: string;
  price?: number;
  compareAtPrice?: number | null;
  image?: string | null;
  inventoryManagement?: string | null;
  inventoryPolicy?: 'deny' | 'continue';
  inventoryQuantity?: number;
  weightInGrams?: number;
  requiresShipping?: boolean;
  taxable?: boolean;
}
export interface FileProduct {
  row: number;
  handle: string;
  title?: string;
  description?: string;
  vendor?: string;
  productType?: string;
  tags?: string[];
  status?: ProductStatus;
  isGiftCard?: boolean;
  image?: string | null;
  options: { name: string; values: string[] }[];
  variants: FileVariant[];
}

/** "Small / Red"; the name of a variant as it is kept. */
export const variantTitle = (optionValues: readonly string[]): string => optionValues.join(' / ') || DEFAULT_VARIANT;
