// The selling plan groups of the demo store: twenty ways to subscribe, from a plain monthly discount to prepaid gifts.

export type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
export interface SeedPlan {
  name: string;
  option: string;
  billing: readonly [Unit, number];
  delivery?: readonly [Unit, number];
  discount?: readonly ['PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE', number];
  then?: readonly ['PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE', number, after: number];
  min?: number;
  max?: number;
  anchor?: { type: 'WEEKDAY' | 'MONTHDAY' | 'YEARDAY'; day: number; month?: number; behavior: 'ASAP' | 'NEXT'; cutOff: number };
  description?: string;
  share?: number;
}
export interface SeedGroup {
  code: string;
  name: string;
  label: string;
  status: 'ACTIVE' | 'DRAFT';
  handles?: readonly string[];
  collections?: readonly string[];
  plans: readonly SeedPlan[];
  weight: number;
}

const every = (unit: Unit, count: number): string =>
  count === 1 ? `Every ${unit.toLowerCase()}` : `Every ${count} ${unit.toLowerCase()}s`;
const plain = (unit: Unit, count: number, percent: number, share = 1): SeedPlan => ({
  name: `Delivered ${every(unit, count).toLowerCase()}`,
  option: every(unit, count),
  billing: [unit, count],
  discount: percent ? ['PERCENTAGE', percent] : undefined,
  share,
});

export const GROUPS: readonly SeedGroup[] = [
  {
    code: 'coffee-core',
    name: 'Subscribe and save',
    label: 'Deliver',
    status: 'ACTIVE',
    collections: ['coffee'],
    weight: 30,
    plans: [plain('WEEK', 1, 15, 2), plain('WEEK', 2, 12, 5), plain('WEEK', 4, 10, 4), plain('MONTH', 1, 10, 6), plain('MONTH', 2, 5, 1)],
  },
  {
    code: 'tea-core',
    name: 'Tea club',
    label: 'Deliver',
    status: 'ACTIVE',
    collections: ['tea'],
    weight: 10,
    plans: [plain('MONTH', 1, 10, 4), plain('MONTH', 2, 8, 3), plain('MONTH', 3, 5, 1)],
  },
  {
    code: 'wellness-core',
    name: 'Daily ritual',
    label: 'Deliver',
    status: 'ACTIVE',
    collections: ['wellness'],
    weight: 22,
    plans: [
      { ...plain('MONTH', 1, 15, 7), then: ['PERCENTAGE', 20, 3], description: '15% off, and 20% from your fourth order on.' },
      { ...plain('MONTH', 2, 10, 3), then: ['PERCENTAGE', 15, 3] },
      plain('MONTH', 3, 10, 1),
    ],
  },
  {
    code: 'pantry-core',
    name: 'Pantry top-up',
    label: 'Deliver',
    status: 'ACTIVE',
    collections: ['pantry'],
    weight: 9,
    plans: [plain('WEEK', 2, 5, 3), plain('WEEK', 4, 5, 3), plain('MONTH', 1, 5, 2)],
  },
  {
    code: 'filters-quarterly',
    name: 'Never run out of filters',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['paper-filters'],
    weight: 3,
    plans: [plain('MONTH', 3, 0, 2), plain('MONTH', 6, 5, 1)],
  },
  {
    code: 'coffee-prepaid-3',
    name: 'Three months, paid ahead',
    label: 'Paid ahead',
    status: 'ACTIVE',
    collections: ['coffee'],
    weight: 5,
    plans: [
      {
        name: 'Monthly, paid for 3',
        option: '3 months, monthly delivery',
        billing: ['MONTH', 3],
        delivery: ['MONTH', 1],
        discount: ['PERCENTAGE', 18],
      },
    ],
  },
  {
    code: 'coffee-prepaid-6',
    name: 'Half a year, paid ahead',
    label: 'Paid ahead',
    status: 'ACTIVE',
    handles: ['harbour-house-blend', 'ember-espresso'],
    weight: 2,
    plans: [
      {
        name: 'Monthly, paid for 6',
        option: '6 months, monthly delivery',
        billing: ['MONTH', 6],
        delivery: ['MONTH', 1],
        discount: ['PERCENTAGE', 22],
      },
    ],
  },
  {
    code: 'coffee-gift-12',
    name: 'A year of coffee, as a gift',
    label: 'Gift',
    status: 'ACTIVE',
    handles: ['harbour-house-blend', 'first-light-ethiopia'],
    weight: 1,
    plans: [
      {
        name: 'Twelve bags, once',
        option: '12 months, monthly delivery',
        billing: ['YEAR', 1],
        delivery: ['MONTH', 1],
        discount: ['PERCENTAGE', 20],
        max: 1,
        description: 'Twelve deliveries, no renewal.',
      },
    ],
  },
  {
    code: 'matcha-minimum',
    name: 'Matcha commitment',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['moss-matcha'],
    weight: 4,
    plans: [{ ...plain('MONTH', 1, 20), min: 3, description: '20% off with a minimum of three orders.' }],
  },
  {
    code: 'collagen-course',
    name: 'Ninety-day course',
    label: 'Course',
    status: 'ACTIVE',
    handles: ['marine-collagen', 'probiotic-twelve'],
    weight: 4,
    plans: [{ ...plain('MONTH', 1, 12), max: 3, description: 'Three deliveries, then it ends by itself.' }],
  },
  {
    code: 'honey-monthly',
    name: 'Honey of the Month',
    label: 'Club',
    status: 'ACTIVE',
    handles: ['honey-of-the-month'],
    weight: 4,
    plans: [
      {
        name: 'On the 5th of the month',
        option: 'Monthly, on the 5th',
        billing: ['MONTH', 1],
        discount: ['FIXED_AMOUNT', 200],
        anchor: { type: 'MONTHDAY', day: 5, behavior: 'NEXT', cutOff: 3 },
      },
    ],
  },
  {
    code: 'weekly-wednesday',
    name: 'Wednesday roast',
    label: 'Fresh roast',
    status: 'ACTIVE',
    handles: ['ember-espresso', 'cloudline-colombia'],
    weight: 5,
    plans: [
      {
        name: 'Every Wednesday',
        option: 'Every week, on Wednesday',
        billing: ['WEEK', 1],
        discount: ['PERCENTAGE', 10],
        anchor: { type: 'WEEKDAY', day: 3, behavior: 'ASAP', cutOff: 2 },
      },
      {
        name: 'Every second Wednesday',
        option: 'Every 2 weeks, on Wednesday',
        billing: ['WEEK', 2],
        discount: ['PERCENTAGE', 8],
        anchor: { type: 'WEEKDAY', day: 3, behavior: 'ASAP', cutOff: 2 },
      },
    ],
  },
  {
    code: 'month-end-stock',
    name: 'Last day of the month',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['oat-barista'],
    weight: 2,
    plans: [
      {
        name: 'On the last day',
        option: 'Monthly, on the last day',
        billing: ['MONTH', 1],
        discount: ['PERCENTAGE', 6],
        anchor: { type: 'MONTHDAY', day: 32, behavior: 'ASAP', cutOff: 0 },
      },
    ],
  },
  {
    code: 'cacao-annual',
    name: 'Cacao, once a year',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['cacao-ritual'],
    weight: 1,
    plans: [
      {
        name: 'Every 1 December',
        option: 'Yearly, on 1 December',
        billing: ['YEAR', 1],
        discount: ['PERCENTAGE', 10],
        anchor: { type: 'YEARDAY', day: 1, month: 12, behavior: 'ASAP', cutOff: 10 },
      },
      plain('MONTH', 6, 5),
    ],
  },
  {
    code: 'decaf-flat',
    name: 'Decaf for a flat price',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['slow-river-decaf'],
    weight: 3,
    plans: [
      { ...plain('WEEK', 4, 0), discount: ['PRICE', 1500] },
      { ...plain('MONTH', 1, 0), discount: ['PRICE', 1550] },
    ],
  },
  {
    code: 'first-box-half',
    name: 'First box half price',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['lions-mane-focus', 'oat-and-spirulina-greens'],
    weight: 5,
    plans: [{ ...plain('MONTH', 1, 50), then: ['PERCENTAGE', 10, 1], description: 'Half price to try it, 10% off after that.' }],
  },
  {
    code: 'office-weekly',
    name: 'Office coffee',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['harbour-house-blend', 'night-watch-robusta'],
    weight: 3,
    plans: [plain('WEEK', 1, 18, 3), plain('DAY', 10, 15, 1)],
  },
  {
    code: 'sleep-bundle',
    name: 'Evening ritual',
    label: 'Deliver',
    status: 'ACTIVE',
    handles: ['sleep-drops', 'quiet-hour-chamomile', 'daily-magnesium'],
    weight: 4,
    plans: [plain('MONTH', 1, 12, 3), plain('MONTH', 2, 8, 1)],
  },
  {
    code: 'summer-cold-brew',
    name: 'Cold brew season',
    label: 'Deliver',
    status: 'DRAFT',
    handles: ['cloudline-colombia'],
    weight: 0,
    plans: [plain('WEEK', 2, 15)],
  },
  {
    code: 'wellness-year',
    name: 'A year of wellness',
    label: 'Paid ahead',
    status: 'DRAFT',
    weight: 0,
    plans: [
      {
        name: 'Monthly, paid for a year',
        option: '12 months, monthly delivery',
        billing: ['YEAR', 1],
        delivery: ['MONTH', 1],
        discount: ['PERCENTAGE', 25],
      },
    ],
  },
];

/** The form in which a selling plan is stored and sold (specification 2, section 3). Ids are given by the caller. */
export function planDocument(plan: SeedPlan, id: number, position: number) {
  const delivery = plan.delivery ?? plan.billing;
  return {
    lspId: id,
    shopifyId: 680_000_000 + id,
    name: plan.name,
    optionLabel: plan.option,
    category: 'SUBSCRIPTION',
    description: plan.description ?? '',
    position,
    isDefault: position === 1,
    recurringBillingPolicyInterval: plan.billing[0],
    recurringBillingPolicyIntervalCount: plan.billing[1],
    recurringBillingPolicyMinCycles: plan.min ?? null,
    recurringBillingPolicyMaxCycles: plan.max ?? null,
    recurringDeliveryPolicyInterval: delivery[0],
    recurringDeliveryPolicyIntervalCount: delivery[1],
    recurringDeliveryPolicyPreAnchorBehavior: plan.anchor?.behavior ?? null,
    recurringDeliveryPolicyCutOff: plan.anchor?.cutOff ?? null,
    anchorType: plan.anchor?.type ?? null,
    anchorDay: plan.anchor?.day ?? null,
    anchorMonth: plan.anchor?.month ?? null,
    fixedDiscountType: plan.discount?.[0] ?? 'NONE',
    fixedDiscountValue: plan.discount ? discountValue(plan.discount) : null,
    recurringDiscountType: plan.then?.[0] ?? 'NONE',
    recurringDiscountValue: plan.then ? discountValue(plan.then) : null,
    recurringDiscountAfterCycle: plan.then?.[2] ?? null,
    inventoryReserve: plan.delivery ? 'ON_FULFILLMENT' : 'ON_SALE',
  };
}
/** Percentages as they are; amounts and prices from US cents to units of the store's currency. */
const discountValue = ([type, value]: readonly [string, number, ...unknown[]]): number => (type === 'PERCENTAGE' ? value : value / 100);

/** The unit price in minor units under a plan for the given order number; half up, never below 0. */
export function planPrice(plan: SeedPlan, base: number, orderNumber: number, convert: (cents: number) => number): number {
  const rule = plan.then && orderNumber > plan.then[2] ? plan.then : plan.discount;
  if (!rule) return base;
  if (rule[0] === 'PERCENTAGE') return Math.round((base * (100 - rule[1])) / 100);
  return rule[0] === 'PRICE' ? convert(rule[1]) : Math.max(0, base - convert(rule[1]));
}
