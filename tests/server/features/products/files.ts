// Product files of our own invention, as a store would export them.

export const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Image Src,Image Position,Gift Card,Variant Image,Status';
const COLUMNS = HEADER.split(',');

/** One row; cells that are not named are empty. */
export function row(cells: Record<string, string>): string {
  const unknown = Object.keys(cells).find(name => !COLUMNS.includes(name));
  if (unknown) throw new Error(`The file has no column ${unknown}.`);
  return COLUMNS.map(name => quoted(cells[name] ?? '')).join(',');
}
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const file = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;

const always = {
  Published: 'true',
  'Variant Inventory Policy': 'deny',
  'Variant Grams': '0',
  'Variant Inventory Qty': '5',
  'Variant Requires Shipping': 'true',
  'Variant Taxable': 'true',
  Status: 'active',
};
/** A product without options. */
export const soap = (over: Record<string, string> = {}): string =>
  row({
    ...always,
    Handle: 'cedar-soap',
    Title: 'Cedar Soap',
    'Body (HTML)': '<p>Smells of <b>cedar</b>.</p>',
    Vendor: 'Millbrook',
    Type: 'Bath',
    Tags: 'soap, wood',
    'Option1 Name': 'Title',
    'Option1 Value': 'Default Title',
    'Variant SKU': 'SOAP-1',
    'Variant Price': '8.50',
    'Image Src': 'https://pictures.example/soap.png',
    'Image Position': '1',
    'Gift Card': 'false',
    ...over,
  });
/** A product with two sizes and a second picture: three rows. */
export const candle = (small: Record<string, string> = {}, large: Record<string, string> = {}): string[] => [
  row({
    ...always,
    Handle: 'fig-candle',
    Title: 'Fig Candle',
    'Body (HTML)': 'Burns for days.\nReally.',
    Vendor: 'Millbrook',
    Tags: 'candle',
    'Option1 Name': 'Size',
    'Option1 Value': 'Small',
    'Variant SKU': 'FIG-S',
    'Variant Inventory Tracker': 'shopify',
    'Variant Price': '12',
    'Variant Compare At Price': '15.00',
    'Image Src': 'https://pictures.example/fig-2.png',
    'Image Position': '2',
    ...small,
  }),
  row({
    Handle: 'fig-candle',
    'Option1 Value': 'Large',
    'Variant SKU': 'FIG-L',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': '3',
    'Variant Inventory Policy': 'continue',
    'Variant Price': '20.00',
    'Variant Requires Shipping': 'true',
    'Variant Taxable': 'true',
    'Variant Grams': '900',
    'Image Src': 'https://pictures.example/fig-1.png',
    'Image Position': '1',
    ...large,
  }),
  row({ Handle: 'fig-candle', 'Image Src': 'https://pictures.example/fig-3.png', 'Image Position': '3' }),
];
