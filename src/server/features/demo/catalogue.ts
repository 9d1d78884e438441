// The products of the demo store, Fern & Ember: coffee, tea and everyday wellness. Prices are US cents.

export interface SeedVariant {
  title: string;
  price: number;
  grams: number;
  sku: string;
  options: string[];
  stock?: number | null;
  policy?: 'deny' | 'continue';
}
export interface SeedProduct {
  handle: string;
  title: string;
  type: string;
  vendor: string;
  description: string;
  tags: string[];
  options: string[];
  variants: SeedVariant[];
  status?: 'ACTIVE' | 'ARCHIVED' | 'DRAFT';
  isGiftCard?: boolean;
  /** How often it is subscribed to, relative to the others; 0 for things that are not. */
  appeal: number;
  collections: string[];
  /** "namespace.key" -> values. */
  metafields?: Record<string, string[]>;
}

/** What products say of themselves beside their own fields; those of a type that nothing narrows by are not here. */
export const METAFIELDS = [
  { key: 'custom.roast', title: 'Roast', type: 'single_line_text_field' },
  { key: 'custom.tasting_notes', title: 'Tasting notes', type: 'list.single_line_text_field' },
  { key: 'custom.altitude', title: 'Altitude in metres', type: 'number_integer' },
  { key: 'custom.caffeine_free', title: 'Without caffeine', type: 'boolean' },
  { key: 'custom.servings', title: 'Servings', type: 'number_integer' },
] as const;
/** A coffee in metafields. */
const tastes = (roast: string, notes: string[], altitude: number, isFree = false): Pick<SeedProduct, 'metafields'> => ({
  metafields: {
    'custom.roast': [roast],
    'custom.tasting_notes': notes,
    'custom.altitude': [String(altitude)],
    'custom.caffeine_free': [isFree ? 'Yes' : 'No'],
  },
});

const GRINDS = ['Whole bean', 'Espresso', 'Filter'];

/** A coffee in two sizes and three grinds. */
function coffee(
  handle: string,
  title: string,
  small: number,
  description: string,
  appeal: number,
  extra: Partial<SeedProduct> = {},
): SeedProduct {
  const code = handle
    .split('-')
    .map(word => word[0])
    .join('')
    .toUpperCase();
  const variants = [
    ['250 g', 250, small],
    ['1 kg', 1000, Math.round((small * 3.4) / 50) * 50],
  ].flatMap(([size, grams, price]) =>
    GRINDS.map((grind, i) => ({
      title: `${size} / ${grind}`,
      options: [String(size), grind],
      price: Number(price),
      grams: Number(grams),
      sku: `${code}-${grams}-${'WEF'[i]}`,
      stock: 900,
    })),
  );
  return {
    handle,
    title,
    type: 'Coffee',
    vendor: 'Fern & Ember Roastery',
    description,
    tags: ['coffee'],
    options: ['Size', 'Grind'],
    variants,
    appeal,
    collections: ['coffee', 'bestsellers'],
    ...extra,
  };
}

function simple(
  handle: string,
  title: string,
  type: string,
  price: number,
  grams: number,
  description: string,
  appeal: number,
  extra: Partial<SeedProduct> = {},
): SeedProduct {
  const sku = handle
    .split('-')
    .map(word => word.slice(0, 3))
    .join('-')
    .toUpperCase();
  return {
    handle,
    title,
    type,
    vendor: 'Fern & Ember',
    description,
    tags: [type.toLowerCase()],
    options: ['Title'],
    appeal,
    collections: [type.toLowerCase()],
    variants: [{ title: 'Default', options: ['Default'], price, grams, sku, stock: 600 }],
    ...extra,
  };
}

export const PRODUCTS: readonly SeedProduct[] = [
  coffee(
    'harbour-house-blend',
    'Harbour House Blend',
    1600,
    'Chocolate, toasted hazelnut and a long, quiet finish. The one we drink all day.',
    16,
    tastes('Medium', ['Chocolate', 'Hazelnut'], 1300),
  ),
  coffee(
    'ember-espresso',
    'Ember Espresso',
    1750,
    'Dark cherry and molasses, made for milk and for people who wake up early.',
    13,
    tastes('Dark', ['Cherry', 'Molasses'], 1200),
  ),
  coffee(
    'first-light-ethiopia',
    'First Light, Ethiopia',
    2100,
    'Jasmine, bergamot and apricot from three small farms near Gera.',
    9,
    tastes('Light', ['Jasmine', 'Bergamot', 'Apricot'], 2050),
  ),
  coffee(
    'slow-river-decaf',
    'Slow River Decaf',
    1850,
    'Decaffeinated with mountain water. Cocoa and orange peel, no compromise.',
    8,
    tastes('Medium', ['Cocoa', 'Orange peel'], 1500, true),
  ),
  coffee(
    'cloudline-colombia',
    'Cloudline, Colombia',
    1900,
    'Red apple and panela, grown at 1,900 metres.',
    6,
    tastes('Light', ['Red apple', 'Panela'], 1900),
  ),
  coffee(
    'night-watch-robusta',
    'Night Watch',
    1500,
    'Twice the caffeine. Bitter cocoa, black pepper, honest work.',
    4,
    tastes('Dark', ['Cocoa', 'Black pepper'], 900),
  ),
  coffee('winter-ferment', 'Winter Ferment', 2400, 'A limited anaerobic lot: plum, rum and cinnamon.', 0, {
    status: 'ARCHIVED',
    collections: ['coffee'],
  }),
  simple('moss-matcha', 'Moss Matcha', 'Tea', 2900, 60, 'Stone-milled first harvest. Grassy, creamy, bright.', 8, {
    options: ['Size'],
    variants: [
      { title: '30 g tin', options: ['30 g tin'], price: 1900, grams: 60, sku: 'MOS-30', stock: 240 },
      { title: '100 g pouch', options: ['100 g pouch'], price: 4900, grams: 130, sku: 'MOS-100', stock: 90 },
    ],
  }),
  simple('orchard-rooibos', 'Orchard Rooibos', 'Tea', 1200, 120, 'Rooibos with dried apple and vanilla, without caffeine.', 5),
  simple('quiet-hour-chamomile', 'Quiet Hour Chamomile', 'Tea', 1100, 80, 'Whole flowers for the last cup of the day.', 5),
  simple('smoked-breakfast-tea', 'Smoked Breakfast Tea', 'Tea', 1400, 120, 'Black tea smoked over beech. Stands up to milk.', 4),
  simple(
    'lions-mane-focus',
    "Lion's Mane Focus",
    'Wellness',
    3400,
    150,
    'Mushroom powder that disappears into coffee. One scoop, no taste of forest.',
    9,
  ),
  simple('daily-magnesium', 'Daily Magnesium', 'Wellness', 2200, 180, '120 capsules of bisglycinate, two a day.', 9, {
    metafields: { 'custom.servings': ['60'] },
  }),
  simple('marine-collagen', 'Marine Collagen', 'Wellness', 3900, 320, 'Unflavoured peptides, 30 servings.', 7, {
    metafields: { 'custom.servings': ['30'] },
  }),
  simple('oat-and-spirulina-greens', 'Oat & Spirulina Greens', 'Wellness', 3600, 300, 'Greens that taste of oats rather than of pond.', 5),
  simple('sleep-drops', 'Sleep Drops', 'Wellness', 2600, 90, 'Lemon balm and passion flower in glycerine.', 4, {
    variants: [{ title: 'Default', options: ['Default'], price: 2600, grams: 90, sku: 'SLE-DRO', stock: 3 }],
  }),
  simple('probiotic-twelve', 'Probiotic Twelve', 'Wellness', 3200, 70, 'Twelve strains, 30 capsules, kept cool until it ships.', 6),
  simple('cacao-ritual', 'Cacao Ritual', 'Pantry', 1900, 400, 'Single-origin ceremonial cacao, 400 g block.', 5),
  simple('oat-barista', 'Oat Barista, case of six', 'Pantry', 2100, 6600, 'Foams properly. Six one-litre cartons.', 6),
  simple(
    'honey-of-the-month',
    'Honey of the Month',
    'Pantry',
    1500,
    520,
    'A different meadow every month, with a card that tells you which.',
    4,
  ),
  simple('paper-filters', 'Paper Filters, 100', 'Gear', 700, 120, 'Oxygen-bleached cone filters, size 2.', 5, { collections: ['gear'] }),
  simple('everyday-mug', 'Everyday Mug', 'Gear', 2400, 420, 'Stoneware, 320 ml, made two streets away.', 0, { collections: ['gear'] }),
  simple('hand-grinder', 'Hand Grinder', 'Gear', 8900, 700, 'Steel burrs, walnut knob, forty clicks.', 0, {
    collections: ['gear'],
    variants: [{ title: 'Default', options: ['Default'], price: 8900, grams: 700, sku: 'HAN-GRI', stock: 0, policy: 'continue' }],
  }),
  simple('gift-card', 'Gift Card', 'Gift card', 5000, 0, 'For people who are hard to buy for.', 0, {
    isGiftCard: true,
    collections: [],
    options: ['Amount'],
    variants: [
      { title: '25', options: ['25'], price: 2500, grams: 0, sku: 'GIFT-25', stock: null },
      { title: '50', options: ['50'], price: 5000, grams: 0, sku: 'GIFT-50', stock: null },
    ],
  }),
];

export const COLLECTIONS = [
  { handle: 'coffee', title: 'Coffee', type: 'SMART' },
  { handle: 'tea', title: 'Tea', type: 'SMART' },
  { handle: 'wellness', title: 'Wellness', type: 'SMART' },
  { handle: 'pantry', title: 'Pantry', type: 'MANUAL' },
  { handle: 'gear', title: 'Gear', type: 'MANUAL' },
  { handle: 'bestsellers', title: 'Bestsellers', type: 'MANUAL' },
] as const;
