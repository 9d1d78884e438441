import { describe, expect, test } from 'vitest';
import { productsOf } from '../../../../src/server/features/products/import/group-rows.ts';
import { readProductCsv, type RowError } from '../../../../src/server/features/products/import/read-csv.ts';
import { candle, file, HEADER, row, soap } from './files.ts';

const read = async (text: string | Uint8Array, currency = 'USD') => productsOf(await readProductCsv(text), currency);
const errorsOf = async (text: string | Uint8Array): Promise<RowError[]> => (await read(text)).errors;

describe('a product file', () => {
  test('rows of one handle are one product with variants, options and its first picture', async () => {
    const { products, errors, handles } = await read(file(soap(), ...candle()));
    expect([errors, handles]).toEqual([[], 2]);
    expect(products[0]).toMatchObject({
      handle: 'cedar-soap',
      title: 'Cedar Soap',
      vendor: 'Millbrook',
      productType: 'Bath',
      tags: ['soap', 'wood'],
      status: 'ACTIVE',
      isGiftCard: false,
      options: [],
      image: 'https://pictures.example/soap.png',
      variants: [{ row: 2, optionValues: [], sku: 'SOAP-1', price: 850, compareAtPrice: null, inventoryManagement: null }],
    });
    expect(products[1]).toMatchObject({
      row: 3,
      handle: 'fig-candle',
      description: 'Burns for days.\nReally.',
      options: [{ name: 'Size', values: ['Small', 'Large'] }],
      image: 'https://pictures.example/fig-1.png',
      variants: [
        {
          row: 3,
          optionValues: ['Small'],
          price: 1200,
          compareAtPrice: 1500,
          inventoryManagement: 'shopify',
          inventoryQuantity: 5,
          inventoryPolicy: 'deny',
        },
        { row: 4, optionValues: ['Large'], price: 2000, inventoryPolicy: 'continue', weightInGrams: 900 },
      ],
    });
  });

  test('a byte order mark, other line ends, semicolons, blank lines and rows of a product that stand apart do no harm', async () => {
    const [small = '', large = '', picture = ''] = candle();
    for (const text of [
      '\uFEFF' + file(soap(), ...candle()),
      file(soap(), ...candle())
        .replaceAll('\n', '\r\n')
        .replace('days.\r\nReally', 'days.\nReally'),
      [HEADER, small, soap(), '', large, picture].join('\n'),
    ]) {
      const { products, errors } = await read(text);
      expect(errors).toEqual([]);
      expect(products.map(product => product.variants.length).toSorted()).toEqual([1, 2]);
    }
    expect((await read('Handle;Title;Variant Price\nsalt;"Sea; salt";3.20\n')).products[0]).toMatchObject({
      title: 'Sea; salt',
      variants: [{ price: 320 }],
    });
    // Commas within quotes are no sign of a file with commas.
    expect((await read('Handle;Title;Variant Price;"Ours: a, b, c, d"\nsalt;Sea salt;3.20;\n')).products[0]).toMatchObject({
      title: 'Sea salt',
      variants: [{ price: 320 }],
    });
  });

  test('the names of the newer template are understood, and columns that are not there say nothing', async () => {
    const { products, errors } = await read(
      'Title,URL handle,Price,Continue selling when out of stock,Product image URL\nSea Salt,sea-salt,3.20,TRUE,https://pictures.example/salt.png\n',
    );
    expect(errors).toEqual([]);
    expect(products[0]).toMatchObject({
      handle: 'sea-salt',
      image: 'https://pictures.example/salt.png',
      variants: [{ price: 320, inventoryPolicy: 'continue' }],
    });
    expect(products[0]).not.toHaveProperty('vendor');
    expect(products[0]?.variants[0]).not.toHaveProperty('inventoryQuantity');
  });

  test('descriptions lose scripts, handlers, styles and unsafe links, and keep their formatting', async () => {
    const nasty =
      '<p onclick="steal()">Warm <b>wood</b> <a href="javascript:steal()">x</a> <a href="https://fern.example" target="_blank">y</a></p><script>steal()</script><iframe src="https://evil.example"></iframe><img src="data:text/html,x" onerror="steal()"><style>p{color:red}</style>';
    const { products } = await read(file(soap({ 'Body (HTML)': nasty })));
    expect(products[0]?.description).toBe(
      '<p>Warm <b>wood</b> <a rel="noopener nofollow">x</a> <a href="https://fern.example" rel="noopener nofollow">y</a></p><img />',
    );
  });

  test('amounts are in the currency of the store', async () => {
    expect((await read(file(soap({ 'Variant Price': '850' })), 'JPY')).products[0]?.variants[0]?.price).toBe(850);
    expect((await read(file(soap({ 'Variant Price': '8.505' })), 'KWD')).products[0]?.variants[0]?.price).toBe(8505);
    expect((await read(file(soap({ 'Variant Price': '8.505' })))).errors[0]?.message).toContain('too many decimals');
  });
});

describe('mistakes of a product file are reported by row and column', () => {
  const cases: [string, string, Partial<RowError>][] = [
    [
      'no handle',
      file(soap({ Handle: '' })),
      { row: 2, column: 'Handle', message: 'Row 2 has no handle. Every row starts with the handle of its product.' },
    ],
    [
      'no title',
      file(soap({ Title: '' })),
      {
        row: 2,
        column: 'Title',
        handle: 'cedar-soap',
        message: '“cedar-soap” has no title. The first row of a product carries its title.',
      },
    ],
    [
      'a handle with blanks',
      file(soap({ Handle: 'cedar soap' })),
      { row: 2, column: 'Handle', message: "“cedar soap” can't be a handle. Use letters, digits and dashes, such as ground-coffee." },
    ],
    [
      'a price with a comma',
      file(soap({ 'Variant Price': '8,50' })),
      { row: 2, column: 'Variant Price', message: "“8,50” isn't an amount. Write it with digits and a dot only, such as 12.50." },
    ],
    [
      'a price below zero',
      file(soap({ 'Variant Price': '-1' })),
      { row: 2, column: 'Variant Price', message: '“-1” is below zero. Enter an amount of 0 or more.' },
    ],
    [
      'no price',
      file(soap({ 'Variant Price': '' })),
      { row: 2, column: 'Variant Price', message: 'The price is empty. Enter 0 if the variant costs nothing.' },
    ],
    [
      'a quantity in words',
      file(soap({ 'Variant Inventory Qty': 'many' })),
      { row: 2, column: 'Variant Inventory Qty', message: "“many” isn't a whole number." },
    ],
    ['an unknown policy', file(soap({ 'Variant Inventory Policy': 'maybe' })), { row: 2, column: 'Variant Inventory Policy' }],
    [
      'an unknown status',
      file(soap({ Status: 'sleeping' })),
      { row: 2, column: 'Status', message: "“sleeping” isn't known here. Use active, draft or archived." },
    ],
    ['no truth', file(soap({ 'Gift Card': 'perhaps' })), { row: 2, column: 'Gift Card', message: '“perhaps” is neither true nor false.' }],
    ['a picture that is no address', file(soap({ 'Image Src': 'soap.png' })), { row: 2, column: 'Image Src' }],
    ['a picture that is a script', file(soap({ 'Image Src': 'javascript:alert(1)' })), { row: 2, column: 'Image Src' }],
    [
      'an option without a name',
      file(soap({ 'Option1 Name': '', 'Option1 Value': 'Red' })),
      { row: 2, column: 'Option1 Name', message: 'This option has a value but no name. Name it, for example “Size”.' },
    ],
    [
      'a variant without its option',
      file(...candle({}, { 'Option1 Value': '' })),
      { row: 3, handle: 'fig-candle', column: 'Option1 Value', message: 'This variant has no value for “Size”.' },
    ],
    [
      'the same variant twice',
      file(...candle({}, { 'Option1 Value': 'small' })),
      { row: 3, column: 'Option1 Value', handle: 'fig-candle', message: 'Row 3 repeats the variant “small” of row 2.' },
    ],
    [
      'the same product twice',
      file(soap(), soap()),
      {
        row: 3,
        handle: 'cedar-soap',
        message: 'Row 3 repeats the product of row 2 without saying how it differs. Give both rows an option value.',
      },
    ],
    [
      'a title that is too long',
      file(soap({ Title: 'x'.repeat(256) })),
      { row: 2, column: 'Title', message: 'This text has 256 characters; at most 255 fit.' },
    ],
    [
      'too many tags',
      file(soap({ Tags: Array.from({ length: 251 }, (_, i) => `t${i}`).join(', ') })),
      { row: 2, column: 'Tags', message: 'A product can have at most 250 tags; this one has 251.' },
    ],
    ['too many cells', `${file(soap())}birch-soap,Birch Soap,x,y\n`, { row: 3, handle: 'birch-soap' }],
  ];
  test.each(cases)('%s', async (_name, text, expected) => {
    const { errors, products } = await read(text);
    expect(errors).toContainEqual(expect.objectContaining(expected));
    expect(products.map(product => product.handle)).not.toContain(errors[0]?.handle);
  });

  test('a product with one mistake is left out whole, the others are read', async () => {
    const { products, errors } = await read(file(soap(), ...candle({}, { 'Variant Price': 'free' })));
    expect(products.map(product => product.handle)).toEqual(['cedar-soap']);
    expect(errors).toEqual([
      {
        row: 4,
        column: 'Variant Price',
        handle: 'fig-candle',
        message: "“free” isn't an amount. Write it with digits and a dot only, such as 12.50.",
      },
    ]);
  });

  const whole: [string, string | Uint8Array, string][] = [
    ['nothing', '  \n', 'This file is empty.'],
    ['a header alone', `${HEADER}\n`, 'This file has a header but no products.'],
    [
      'something else',
      'Date,Amount\n1,2\n',
      "This doesn't look like a product export: the columns “Handle” and “Title” are missing from its first row.",
    ],
    ['a column twice', 'Handle,Title,Title\na,b,c\n', 'The header has the column “Title” twice. Keep one of them.'],
    [
      'a quotation mark without its end',
      'Handle,Title\nsoap,"Soap\ncandle,Candle\n',
      'A quotation mark that opens in row 2 is never closed.',
    ],
    ['a quotation mark in the middle', 'Handle,Title\nsoap,So"ap\n', 'In row 2 a quotation mark stands in the middle of a cell.'],
    ['another encoding', new Uint8Array([0x48, 0xe4, 0x2c, 0x81, 0x0a]), "This file isn't UTF-8 text."],
    ['a spreadsheet', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00]), "This file isn't UTF-8 text."],
  ];
  test.each(whole)('%s is refused as a file', async (_name, content, message) => {
    const { products, errors } = await read(content);
    expect(products).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(message);
  });

  test('a row that stands for a picture alone needs no price', async () => {
    expect(await errorsOf(file(soap(), row({ Handle: 'cedar-soap', 'Image Src': 'https://pictures.example/2.png' })))).toEqual([]);
  });
});
