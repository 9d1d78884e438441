// The columns of a subscription file: by which names other apps know them. Which fields there are, the entity says.
import type { SubscriptionImport } from '../../../../generated/entities.ts';

export type FileColumn = {
  /** As the header of the file writes it. */
  head: string;
  /** The first value below it. */
  sample: string;
  /** What it is read as; null: it is not imported. */
  field: FieldKey | null;
};
export type FieldKey = NonNullable<SubscriptionImport['mapping'][number]['field']>;

/** Names that other apps give a field, besides its own; small letters and digits alone count. */
const NAMES: Record<FieldKey, readonly string[]> = {
  external_id: ['subscription id', 'contract id', 'id', 'external subscription id', 'source subscription id', 'handle'],
  customer_email: ['email', 'customer e-mail', 'subscriber email', 'email address'],
  customer_first_name: ['first name', 'firstname', 'subscriber first name'],
  customer_last_name: ['last name', 'lastname', 'surname', 'subscriber last name'],
  customer_phone: ['phone', 'phone number'],
  provider: ['payment provider', 'payment gateway', 'gateway', 'processor', 'processor name', 'payment processor'],
  provider_customer_id: [
    'processor customer id',
    'stripe customer id',
    'customer token',
    'braintree customer id',
    'payment customer token',
  ],
  provider_payment_id: [
    'payment token',
    'payment method token',
    'stripe payment method id',
    'payment method id',
    'processor payment method reference',
    'billing agreement id',
  ],
  status: ['subscription status', 'state', 'contract status'],
  variant_id: [
    'external variant id',
    'shopify variant id',
    'product variant id',
    'variant',
    'external variant id ecommerce',
    'line variant id',
  ],
  sku: ['variant sku', 'product sku', 'line sku'],
  quantity: ['qty', 'line quantity', 'item quantity'],
  price: ['unit price', 'variant price', 'line price', 'item price', 'recurring price'],
  discount_type: ['discount kind'],
  discount_value: ['discount', 'discount amount'],
  billing_interval: [
    'charge interval unit',
    'charge interval unit type',
    'billing interval unit',
    'interval',
    'interval unit',
    'frequency unit',
  ],
  billing_interval_count: [
    'charge interval frequency',
    'billing frequency',
    'interval count',
    'frequency',
    'charge every',
    'billing interval frequency',
  ],
  delivery_interval: ['order interval unit', 'delivery interval unit', 'shipping interval unit', 'shipping interval unit type'],
  delivery_interval_count: ['order interval frequency', 'delivery frequency', 'shipping interval frequency', 'shipping interval count'],
  anchor_day: ['order day of month', 'billing day', 'order day of week', 'billing anchor day'],
  next_billing_date: [
    'next charge date',
    'next charge scheduled at',
    'next order date',
    'next billing',
    'next renewal date',
    'next payment date',
  ],
  orders_completed: ['completed orders', 'orders count', 'charges count', 'past orders', 'total orders', 'number of orders'],
  min_cycles: ['minimum orders', 'minimum cycles', 'min orders'],
  max_cycles: ['maximum orders', 'maximum cycles', 'max orders', 'expire after specific number of charges'],
  currency: ['currency code', 'presentment currency'],
  shipping_first_name: ['delivery first name', 'ship first name'],
  shipping_last_name: ['delivery last name', 'ship last name'],
  shipping_company: ['company', 'delivery company'],
  shipping_address1: ['shipping address', 'address1', 'address', 'shipping address 1', 'delivery address1', 'street'],
  shipping_address2: ['address2', 'shipping address 2', 'delivery address2'],
  shipping_city: ['city', 'delivery city'],
  shipping_zip: ['zip', 'postal code', 'shipping postal code', 'postcode', 'delivery zip', 'shipping postcode'],
  shipping_province_code: ['province code', 'shipping province', 'province', 'state code', 'shipping state', 'delivery province code'],
  shipping_country_code: ['country code', 'shipping country', 'country', 'delivery country code'],
  shipping_phone: ['delivery phone', 'ship phone'],
  shipping_price: ['shipping cost', 'delivery price', 'shipping amount'],
  shipping_title: ['shipping method', 'shipping line title', 'delivery method', 'shipping name'],
  note: ['notes', 'order note'],
  attributes: ['custom attributes', 'properties', 'note attributes', 'cart attributes'],
};

/** What a file must say of every subscription; of the last two one is enough. */
const REQUIRED: readonly (readonly FieldKey[])[] = [['external_id'], ['customer_email'], ['billing_interval'], ['variant_id', 'sku']];

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const FIELD_OF = new Map<string, FieldKey>();
for (const [key, names] of Object.entries(NAMES) as [FieldKey, readonly string[]][])
  for (const name of [key, ...names]) if (!FIELD_OF.has(plain(name))) FIELD_OF.set(plain(name), key);

/** Rows that are looked through for an example of a column, and how much of it is shown. */
const LOOKED = 20;
const SHOWN = 60;

/** The columns of a file with what they are probably read as; a field is guessed once, for the first column of its name. */
export function guessColumns(head: readonly string[], body: readonly (readonly string[])[]): FileColumn[] {
  const taken = new Set<FieldKey>();
  // Its own name counts more than one of another app.
  for (const name of head) if (plain(name) in BY_OWN_NAME) taken.add(BY_OWN_NAME[plain(name)] as FieldKey);
  const own = new Set(taken);
  return head.map((name, index) => {
    const key = FIELD_OF.get(plain(name));
    const isOwn = key !== undefined && plain(key) === plain(name);
    const isFree = key !== undefined && (isOwn ? own.delete(key) : !taken.has(key));
    if (key !== undefined && isFree) taken.add(key);
    const sample =
      body
        .slice(0, LOOKED)
        .find(row => row[index]?.trim())
        ?.[index]?.trim() ?? '';
    return { head: name.trim(), sample: sample.slice(0, SHOWN), field: isFree ? key : null };
  });
}
const BY_OWN_NAME: Record<string, FieldKey> = Object.fromEntries((Object.keys(NAMES) as FieldKey[]).map(key => [plain(key), key]));

/** Where the fields stand in the rows of a file. */
export const positionsOf = (columns: readonly FileColumn[]): Map<FieldKey, number> =>
  new Map(columns.flatMap(({ field }, index) => (field === null ? [] : [[field, index] as const])));

/** The fields that no column holds although every file needs them, each with those that would do instead. */
export const missingFields = (columns: readonly FileColumn[]): (readonly FieldKey[])[] => {
  const there = new Set(columns.map(({ field }) => field));
  return REQUIRED.filter(either => !either.some(field => there.has(field)));
};

/** The head of the template: every field by its own name. */
export const TEMPLATE_HEAD = Object.keys(NAMES) as FieldKey[];
