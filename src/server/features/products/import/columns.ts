// The columns of a Shopify product CSV: the names of the classic export and of the newer template, ignoring case.

/** Our word for a column, its name in messages (the classic export's) and every other name it has had. */
const COLUMNS = {
  handle: ['Handle', 'URL handle'],
  title: ['Title'],
  body: ['Body (HTML)', 'Body HTML', 'Description'],
  vendor: ['Vendor'],
  type: ['Type', 'Custom Product Type'],
  tags: ['Tags'],
  published: ['Published', 'Published on online store'],
  status: ['Status'],
  option1Name: ['Option1 Name'],
  option1Value: ['Option1 Value'],
  option2Name: ['Option2 Name'],
  option2Value: ['Option2 Value'],
  option3Name: ['Option3 Name'],
  option3Value: ['Option3 Value'],
  sku: ['Variant SKU', 'SKU'],
  grams: ['Variant Grams', 'Weight value (grams)'],
  tracker: ['Variant Inventory Tracker', 'Inventory tracker'],
  quantity: ['Variant Inventory Qty', 'Inventory quantity'],
  policy: ['Variant Inventory Policy', 'Continue selling when out of stock'],
  price: ['Variant Price', 'Price'],
  compareAtPrice: ['Variant Compare At Price', 'Compare-at price'],
  requiresShipping: ['Variant Requires Shipping', 'Requires shipping'],
  taxable: ['Variant Taxable', 'Charge tax'],
  imageSrc: ['Image Src', 'Product image URL'],
  imagePosition: ['Image Position'],
  giftCard: ['Gift Card'],
  variantImage: ['Variant Image', 'Variant image URL'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type ColumnKey = keyof typeof COLUMNS;

const KEY_OF = new Map<string, ColumnKey>();
for (const [key, names] of Object.entries(COLUMNS)) for (const name of names) KEY_OF.set(name.toLowerCase(), key as ColumnKey);

/** The column that a header cell names, or undefined for one that an import ignores (metafields, SEO, shopping feeds). */
export const columnOf = (headerCell: string): ColumnKey | undefined => KEY_OF.get(headerCell.trim().toLowerCase());

/** The classic name of a column, for messages about columns that are not in the file. */
export const classicName = (key: ColumnKey): string => COLUMNS[key][0];
