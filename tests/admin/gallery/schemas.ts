// The forms of the gallery: one with every widget, one like a record page, one with conditions, one for a dialog.
import { conditionsSchema, type ConditionKind } from '../../../src/contract/conditions.ts';
import type { JsonObject, Schema, Section } from '../../../src/contract/types.ts';

const units: Schema = {
  type: 'string',
  oneOf: [
    { const: 'DAY', title: 'Days' },
    { const: 'WEEK', title: 'Weeks' },
    { const: 'MONTH', title: 'Months' },
    { const: 'YEAR', title: 'Years' },
  ],
};
const kind = (key: string, title: string, of: Partial<ConditionKind>): ConditionKind => ({
  key,
  title,
  group: 'Subscription',
  kind: 'number',
  fact: key,
  events: [],
  in: ['list'],
  operators: [],
  value: {},
  ...of,
});
const galleryConditions: Record<string, ConditionKind> = {
  ORDERS: kind('ORDERS', 'Orders', {
    operators: [
      { name: 'GTE', title: 'is at least', takes: 'one' },
      { name: 'BETWEEN', title: 'is between', takes: 'two' },
    ],
    value: { type: 'integer', minimum: 0, 'x-ui': { unit: 'orders' } },
  }),
  TAG: kind('TAG', 'Tag', {
    operators: [{ name: 'PRESENT', title: 'has one of', takes: 'several' }],
    value: { type: 'string', maxLength: 40 },
  }),
  COLLECTION: kind('COLLECTION', 'Collections', {
    group: 'Products',
    operators: [{ name: 'ANY_OF', title: 'includes any of', takes: 'several' }],
    value: { type: 'integer', 'x-ui': { of: 'collection' } },
  }),
};
const address: Schema = {
  type: 'object',
  title: 'Address',
  required: ['lastName', 'address1', 'city', 'countryCode'],
  'x-ui': { widget: 'address' },
  properties: {
    firstName: { type: ['string', 'null'], title: 'First name' },
    lastName: { type: 'string', title: 'Last name', minLength: 1 },
    company: { type: ['string', 'null'], title: 'Company' },
    address1: { type: 'string', title: 'Address', minLength: 1 },
    address2: { type: ['string', 'null'], title: 'Apartment, suite, floor' },
    zip: { type: ['string', 'null'], title: 'ZIP or postal code' },
    city: { type: 'string', title: 'City', minLength: 1 },
    countryCode: { type: 'string', title: 'Country', pattern: '^[A-Z]{2}$' },
    province: { type: ['string', 'null'], title: 'State or province' },
    phone: { type: ['string', 'null'], title: 'Phone' },
  },
};

/** Every widget, in groups. */
export const widgets: Schema = {
  type: 'object',
  title: 'Widgets',
  required: ['text', 'number', 'money', 'select', 'email', 'date', 'customer', 'tags', 'rows', 'radioCards'],
  properties: {
    text: {
      type: 'string',
      title: 'Name',
      minLength: 2,
      maxLength: 40,
      description: 'Customers see it on the product page.',
      'x-ui': { placeholder: 'Subscribe and save' },
    },
    prefixed: { type: 'string', title: 'Code', 'x-ui': { width: 'half', options: { prefix: '#', mono: true } } },
    number: { type: 'integer', title: 'Retries', minimum: 0, maximum: 16, 'x-ui': { width: 'half', unit: 'times' } },
    stepper: {
      type: 'integer',
      title: 'Deliveries',
      minimum: 1,
      maximum: 53,
      'x-ui': { width: 'half', unit: 'per charge', options: { steppers: true } },
    },
    unlimited: {
      type: ['integer', 'null'],
      title: 'Maximum orders',
      minimum: 1,
      maximum: 99,
      'x-ui': { width: 'half', options: { empty: 'Unlimited' } },
    },
    money: { type: 'string', format: 'money', title: 'Price', 'x-ui': { width: 'third' } },
    yen: { type: 'string', format: 'money', title: 'Price in yen', 'x-ui': { width: 'third', options: { currency: 'JPY' } } },
    percentage: { type: 'number', title: 'Discount', minimum: 0, maximum: 100, 'x-ui': { widget: 'percentage', width: 'third' } },
    textarea: {
      type: ['string', 'null'],
      title: 'Description',
      maxLength: 500,
      'x-ui': { widget: 'textarea', options: { counter: true } },
    },
    email: { type: 'string', format: 'email', title: 'Contact', 'x-ui': { width: 'half' } },
    url: { type: 'string', format: 'uri', title: 'Website', 'x-ui': { width: 'half' } },

    select: { ...units, title: 'Interval', 'x-ui': { width: 'half' } },
    long: { type: ['string', 'null'], format: 'timezone', title: 'Time zone', 'x-ui': { width: 'half' } },
    multi: {
      type: 'array',
      title: 'Delivery methods',
      uniqueItems: true,
      minItems: 1,
      items: {
        type: 'string',
        oneOf: [
          { const: 'SHIPPING', title: 'Shipping' },
          { const: 'PICKUP', title: 'Pickup in store', description: 'Customers come to one of your locations.' },
          { const: 'LOCAL', title: 'Local delivery' },
        ],
      },
    },
    countries: {
      type: 'array',
      title: 'Countries',
      uniqueItems: true,
      items: { type: 'string' },
      'x-ui': { widget: 'multi-select', options: { source: 'countries' } },
    },
    toggle: { type: 'boolean', title: 'Tell the customer', description: 'Each message has a link to update the payment method.' },
    checkbox: { type: 'boolean', title: 'Restock items', 'x-ui': { options: { checkbox: true } } },
    radioCards: {
      type: 'string',
      title: 'If the last try fails too',
      'x-ui': { widget: 'radio-cards' },
      oneOf: [
        { const: 'SKIP', title: 'Skip the order', description: 'The subscription goes on with its next order.' },
        { const: 'PAUSE', title: 'Pause it', description: 'Nothing is charged until someone resumes it.' },
        { const: 'CANCEL', title: 'Cancel it', description: 'It ends for good.' },
      ],
    },
    options: {
      type: 'string',
      title: 'Alignment',
      'x-ui': { widget: 'options' },
      oneOf: [
        { const: 'left', title: 'Left' },
        { const: 'centre', title: 'Centre' },
        { const: 'right', title: 'Right' },
      ],
    },
    tags: { type: 'array', title: 'Tags', uniqueItems: true, maxItems: 6, items: { type: 'string', maxLength: 20 } },

    date: { type: 'string', format: 'date', title: 'Next order', 'x-ui': { width: 'half', options: { min: 'today' } } },
    time: { type: 'string', format: 'time', title: 'Cut-off time', 'x-ui': { width: 'half' } },
    dateTime: { type: 'string', format: 'date-time', title: 'Publish at' },
    hour: { type: ['integer', 'null'], title: 'Billing hour', minimum: 0, maximum: 23, 'x-ui': { widget: 'hour', width: 'half' } },
    monthDay: {
      type: ['integer', 'null'],
      title: 'Day of the month',
      minimum: 1,
      maximum: 32,
      'x-ui': { widget: 'month-day', width: 'half' },
    },
    weekday: { type: 'integer', title: 'Delivery day', minimum: 1, maximum: 7, 'x-ui': { widget: 'weekday' } },
    weekdays: { type: 'array', title: 'Billing days', items: { type: 'integer' }, 'x-ui': { widget: 'weekdays' } },
    months: { type: 'array', title: 'Season', items: { type: 'integer' }, 'x-ui': { widget: 'months' } },
    interval: {
      type: 'object',
      title: 'Deliver every',
      required: ['interval', 'intervalCount'],
      properties: { intervalCount: { type: 'integer', minimum: 1, maximum: 36500 }, interval: units },
      'x-ui': { widget: 'interval', width: 'half', options: { prefix: 'Every' } },
    },
    billingCount: {
      type: 'integer',
      title: 'Charge every',
      minimum: 1,
      'x-ui': { widget: 'frequency', width: 'half', options: { unitField: 'billingUnit' } },
    },
    billingUnit: { ...units, 'x-ui': { widget: 'unseen' } },
    duration: { type: 'integer', title: 'Wait before sending', minimum: 0, 'x-ui': { widget: 'duration', width: 'half' } },
    color: {
      type: 'string',
      format: 'color',
      title: 'Button colour',
      'x-ui': { width: 'half', options: { presets: ['#0f6655', '#1f6feb', '#d08a1d'] } },
    },

    richText: {
      type: 'string',
      format: 'html',
      title: 'Message',
      'x-ui': {
        options: {
          variables: [
            { key: 'customer_first_name', label: 'First name' },
            { key: 'store_name', label: 'Store name' },
          ],
        },
      },
    },
    image: { type: ['string', 'null'], format: 'uri', title: 'Logo', 'x-ui': { widget: 'image' } },

    customer: { type: 'integer', title: 'Customer', 'x-ui': { of: 'customer', options: { person: true } } },
    collections: {
      type: 'array',
      title: 'Related collections',
      items: { type: 'integer' },
      'x-ui': { of: 'collection', widget: 'references' },
    },
    products: {
      type: 'object',
      title: 'Products',
      properties: { productIds: { type: 'array', items: { type: 'integer' } }, variantIds: { type: 'array', items: { type: 'integer' } } },
      'x-ui': { widget: 'product-picker' },
    },
    collection: { type: 'array', title: 'Collections', items: { type: 'integer' }, 'x-ui': { widget: 'collection-picker' } },

    attributes: {
      type: 'array',
      title: 'Attributes',
      maxItems: 5,
      items: { type: 'object', properties: { key: { type: 'string', title: 'Name' }, value: { type: 'string', title: 'Value' } } },
      'x-ui': { widget: 'key-value' },
    },
    rows: {
      type: 'array',
      title: 'Tiers',
      minItems: 1,
      maxItems: 5,
      description: 'Customers who buy more pay less.',
      items: {
        type: 'object',
        required: ['name', 'from'],
        properties: {
          name: { type: 'string', title: 'Name', minLength: 1 },
          from: { type: 'integer', title: 'From', minimum: 1 },
          off: { type: 'number', title: 'Off', minimum: 0, maximum: 100, 'x-ui': { widget: 'percentage' } },
          kind: {
            type: 'string',
            title: 'Kind',
            oneOf: [
              { const: 'A', title: 'Each' },
              { const: 'B', title: 'Total' },
            ],
          },
          active: { type: 'boolean', title: 'Active' },
        },
      },
    },
    waits: {
      type: 'array',
      title: 'Days between tries',
      minItems: 1,
      maxItems: 4,
      items: { type: 'integer', title: 'Wait', minimum: 1, maximum: 15, default: 3, 'x-ui': { unit: 'days' } },
      'x-ui': { widget: 'rows' },
    },
    cards: {
      type: 'array',
      title: 'Selling plans',
      maxItems: 4,
      'x-ui': { widget: 'cards', options: { title: '{name}', subtitle: '{label}' } },
      items: {
        type: 'object',
        title: 'Selling plan',
        required: ['name'],
        'x-record': { name: { one: 'selling plan', many: 'selling plans' }, key: 'id', label: '{name}' },
        properties: {
          id: { type: ['integer', 'null'], 'x-ui': { widget: 'unseen' } },
          name: { type: 'string', title: 'Name', minLength: 1, maxLength: 60, 'x-ui': { width: 'half' } },
          label: { type: 'string', title: 'Choice', 'x-ui': { width: 'half' } },
          discountType: {
            type: 'string',
            title: 'Discount',
            default: 'NONE',
            oneOf: [
              { const: 'NONE', title: 'No discount' },
              { const: 'PERCENTAGE', title: 'Percentage off' },
              { const: 'FIXED_AMOUNT', title: 'Amount off' },
            ],
            'x-ui': { width: 'half' },
          },
          discountValue: {
            type: ['number', 'string', 'null'],
            title: 'Discount value',
            'x-ui': {
              widget: 'discount-value',
              width: 'half',
              options: { typeField: 'discountType' },
              when: { discountType: ['PERCENTAGE', 'FIXED_AMOUNT'] },
            },
          },
        },
      },
    },
    conditions: { title: 'Who takes part', ...conditionsSchema('list', galleryConditions), 'x-ui': { widget: 'conditions' } },
    address,
  },
};

export const widgetSections: Section[] = [
  {
    id: 'text',
    title: 'Text and numbers',
    description: 'What is typed on one line, with its unit, and on several.',
    fields: ['text', 'prefixed', 'number', 'stepper', 'unlimited', 'money', 'yen', 'percentage', 'textarea', 'email', 'url'],
  },
  {
    id: 'choice',
    title: 'Choices',
    description: 'One or several of a list, short or long.',
    fields: ['select', 'long', 'multi', 'countries', 'toggle', 'checkbox', 'radioCards', 'options', 'tags'],
  },
  {
    id: 'time',
    title: 'Dates and times',
    description: 'Moments are shown in the store’s time zone.',
    fields: [
      'date',
      'time',
      'dateTime',
      'hour',
      'monthDay',
      'weekday',
      'weekdays',
      'months',
      'interval',
      'billingCount',
      'billingUnit',
      'duration',
      'color',
    ],
  },
  { id: 'content', title: 'Content', description: 'Formatted text and pictures.', fields: ['richText', 'image'] },
  {
    id: 'records',
    title: 'Records',
    description: 'Customers, products and collections of the store.',
    fields: ['customer', 'collections', 'products', 'collection'],
  },
  {
    id: 'lists',
    title: 'Lists',
    description: 'Rows for small items, cards for larger ones.',
    fields: ['attributes', 'rows', 'waits', 'cards'],
  },
  { id: 'conditions', title: 'Conditions', description: 'Rows with inputs that fit what they compare.', fields: ['conditions'] },
  { id: 'address', title: 'Address', description: 'The parts follow the country.', fields: ['address'] },
];

export const filled: JsonObject = {
  text: 'Subscribe and save',
  prefixed: 'COFFEE-01',
  number: 4,
  stepper: 3,
  unlimited: null,
  money: '24.00',
  yen: '1200',
  percentage: 12.5,
  textarea: 'Freshly roasted every week and shipped the same day.',
  email: 'hello@juniper.example',
  url: 'https://juniper.example',
  select: 'MONTH',
  long: 'Europe/Berlin',
  multi: ['SHIPPING', 'LOCAL'],
  countries: ['DE', 'FR', 'US'],
  toggle: true,
  checkbox: false,
  radioCards: 'SKIP',
  options: 'centre',
  tags: ['coffee', 'monthly'],
  date: '2030-03-31',
  time: '14:30',
  dateTime: '2030-03-31T09:30:00Z',
  hour: 9,
  monthDay: 31,
  weekday: 3,
  weekdays: [1, 3, 5],
  months: [3, 4, 5],
  interval: { intervalCount: 2, interval: 'WEEK' },
  billingCount: 1,
  billingUnit: 'MONTH',
  duration: 90,
  color: '#0f6655',
  richText:
    '<p>Hello {{customer_first_name}},</p><p>your <strong>next order</strong> is on its way.</p><ul><li>Ethiopia</li><li>Brazil</li></ul>',
  image: '/picture.svg',
  customer: 2,
  collections: [1, 2],
  products: { productIds: [1], variantIds: [21, 23] },
  collection: [3],
  attributes: [
    { key: 'Gift note', value: 'Happy birthday' },
    { key: 'Roast', value: 'Medium' },
  ],
  rows: [
    { name: 'Starter', from: 1, off: 5, kind: 'A', active: true },
    { name: 'Regular', from: 3, off: 10, kind: 'A', active: true },
    { name: 'Office', from: 10, off: 15, kind: 'B', active: false },
  ],
  waits: [3, 5],
  cards: [
    { id: 1, name: 'Delivered monthly', label: '1 month', discountType: 'PERCENTAGE', discountValue: 10 },
    { id: 2, name: 'Every second week', label: '2 weeks', discountType: 'NONE' },
  ],
  conditions: {
    match: 'ALL',
    rows: [
      { conditionKey: 'ORDERS', operator: 'BETWEEN', value: [3, 12] },
      { conditionKey: 'TAG', operator: 'PRESENT', value: ['vip', 'local'] },
      { conditionKey: 'COLLECTION', operator: 'ANY_OF', value: [1] },
    ],
  },
  address: {
    firstName: 'Anna',
    lastName: 'Berg',
    company: null,
    address1: 'Kastanienallee 12',
    address2: null,
    zip: '10435',
    city: 'Berlin',
    countryCode: 'DE',
    province: null,
    phone: '+49 30 5550 1234',
  },
};

/** What is wrong in every kind of field at once. */
export const wrong: JsonObject = {
  text: 'x',
  number: 99,
  money: '12,3x',
  percentage: 140,
  email: 'anna@',
  url: 'no link',
  select: 'CENTURY',
  multi: [],
  tags: ['a tag that is far too long'],
  time: '25:00',
  monthDay: 40,
  interval: { intervalCount: 0, interval: 'WEEK' },
  color: '#12',
  rows: [{ name: '', from: 0 }],
  waits: [40],
  cards: [{ name: '' }],
  address: { lastName: '', address1: '', city: '', countryCode: '' },
};

/** A page as merchants see it: conditions, a closed section, a list that grows. */
export const record: Schema = {
  type: 'object',
  title: 'Payment recovery',
  required: ['name', 'retries', 'finalAction', 'notify'],
  properties: {
    name: { type: 'string', title: 'Name', minLength: 1, maxLength: 50 },
    retries: {
      type: 'integer',
      title: 'Retries',
      minimum: 0,
      maximum: 16,
      'x-errors': { maximum: 'Choose between 0 and 16 retries.', minimum: 'Choose between 0 and 16 retries.' },
    },
    spacing: {
      type: 'integer',
      title: 'Days between tries',
      minimum: 1,
      maximum: 15,
      'x-ui': { unit: 'days', when: { retries: { minimum: 1 } } },
    },
    finalAction: {
      type: 'string',
      title: 'If the last try fails too',
      default: 'SKIP',
      oneOf: [
        { const: 'SKIP', title: 'Skip the order' },
        { const: 'PAUSE', title: 'Pause' },
        { const: 'CANCEL', title: 'Cancel' },
      ],
    },
    reason: { type: 'string', title: 'Cancellation reason', minLength: 3, 'x-ui': { when: { finalAction: 'CANCEL' } } },
    notify: { type: 'boolean', title: 'Tell the customer' },
    steps: {
      type: 'array',
      title: 'Steps',
      maxItems: 4,
      items: {
        type: 'object',
        required: ['day', 'text'],
        properties: { day: { type: 'integer', title: 'Day', minimum: 1 }, text: { type: 'string', title: 'Message', minLength: 2 } },
      },
    },
    advanced: {
      type: 'object',
      title: 'Advanced',
      required: ['key'],
      properties: { key: { type: 'string', title: 'Key', minLength: 4 }, note: { type: 'string', title: 'Note' } },
    },
  },
};
export const recordSections: Section[] = [
  {
    id: 'main',
    title: 'Retries',
    description: 'Tries after the first one that failed.',
    fields: ['name', 'retries', 'spacing', 'finalAction', 'reason', 'notify'],
  },
  { id: 'steps', title: 'Messages', fields: ['steps'] },
  { id: 'advanced', title: 'Advanced', description: 'Most stores never need these.', fields: ['advanced'], closed: true },
];
export const recordValue: JsonObject = {
  name: 'Standard',
  retries: 4,
  spacing: 3,
  finalAction: 'SKIP',
  notify: true,
  steps: [
    { day: 1, text: 'Your payment failed' },
    { day: 3, text: 'Please update your card' },
  ],
  advanced: { key: 'abcd', note: '' },
};

/** The input of a call, for the dialog. */
export const pause: Schema = {
  type: 'object',
  title: 'Pause',
  required: ['id', 'reason'],
  properties: {
    id: { type: 'integer' },
    reason: { type: 'string', title: 'Reason', minLength: 3 },
    until: { type: ['string', 'null'], format: 'date', title: 'Resume on' },
  },
};

export const SCHEMAS: Record<string, Schema> = { widgets, record, pause };
