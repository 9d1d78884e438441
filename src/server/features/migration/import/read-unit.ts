// What the rows of one subscription say, as the input of a new contract; every cell that makes no sense is reported with what would be
// right.
import { ANCHOR_TYPE } from '../../../../domain/calendar/anchor.ts';
import { dayOf, daysInMonth, instant, type Day } from '../../../../domain/calendar/calendar.ts';
import type { Interval, IntervalUnit } from '../../../../domain/calendar/interval.ts';
import { countryOf } from '../../../../domain/places/places.ts';
import { CURRENCY_CODES } from '../../../../domain/money/money.ts';
import { isEmail } from '../../../../contract/validation/patterns.ts';
import { CsvCells } from '../../../platform/csv/csv-cells.ts';
import type { Address } from '../../../../domain/places/address.ts';
import type { BillingPolicy, NewContract, NewDiscount } from '../../../engine/index.ts';
import type { NamedMethod } from '../payments/move-methods.ts';
import { isLongId, type ImportRow, type ImportUnit } from './read-file.ts';
import type { FieldKey } from './columns.ts';

/** What is wrong with a row; `field` absent: with the row as a whole. */
export interface RowProblem {
  position: number;
  field?: FieldKey;
  message: string;
}

export type ImportedStatus = 'ACTIVE' | 'PAUSED' | 'CANCELLED';
/** A product as the file names it: by an id (ours or the platform's) or by its SKU. */
export interface NamedVariant {
  id?: number;
  sku?: string;
}
/** What a unit says, as far as the file alone tells. */
export interface ReadUnit {
  externalId: string;
  status: ImportedStatus;
  customer: { email: string; firstName: string; lastName: string; phone: string | null; countryCode?: string };
  lines: { variant: NamedVariant; quantity: number; price?: string }[];
  contract: Omit<NewContract, 'lines' | 'customerId'>;
  completedOrders: number;
  shippingTitle?: string;
  /** How it was paid before, as the provider calls it. */
  payment?: NamedMethod;
}

class Cells extends CsvCells<FieldKey> {
  private readonly problems: RowProblem[];
  constructor(row: ImportRow, problems: RowProblem[]) {
    super(row.position, row.cells);
    this.problems = problems;
  }
  wrong(field: FieldKey, message: string): undefined {
    this.problems.push({ position: this.row, field, message });
    return undefined;
  }
  /** '' where the file lacks the column. */
  at(field: FieldKey, longest = 255): string {
    return this.text(field, longest) ?? '';
  }
  /** A whole number in bounds; undefined where nothing stands. */
  number(field: FieldKey, least: number, most: number): number | undefined {
    if (!this.has(field)) return undefined;
    const found = this.whole(field, { least });
    if (found !== undefined && found > most)
      return this.wrong(field, `“${found}” is too large. Enter ${most.toLocaleString('en-US')} or less.`);
    return found;
  }
}

/** Fields of the subscription as a whole: the same in all its rows, or empty in those after the first. */
const OF_LINE = new Set<FieldKey>(['variant_id', 'sku', 'quantity', 'price']);
const STATUSES: Record<string, ImportedStatus> = { active: 'ACTIVE', paused: 'PAUSED', cancelled: 'CANCELLED', canceled: 'CANCELLED' };
const UNITS: Record<string, IntervalUnit> = { day: 'DAY', week: 'WEEK', month: 'MONTH', year: 'YEAR' };
const DISCOUNTS: Record<string, 'NONE' | 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FREE_SHIPPING'> = {
  none: 'NONE',
  percentage: 'PERCENTAGE',
  percent: 'PERCENTAGE',
  fixed: 'FIXED_AMOUNT',
  fixedamount: 'FIXED_AMOUNT',
  freeshipping: 'FREE_SHIPPING',
};

/** Reads a unit. `zone`: the store's, whose calendar its dates are of. */
export function readUnit(unit: ImportUnit, currency: string, zone: string): { read?: ReadUnit; problems: RowProblem[] } {
  const problems: RowProblem[] = [];
  const [first, ...more] = unit.rows.map(row => new Cells(row, problems)) as [Cells, ...Cells[]];
  const unreadable = unit.rows[0]?.unreadable;
  if (unreadable !== undefined) return { problems: [{ position: first.row, message: unreadable }] };
  if (unit.externalId === '')
    first.wrong(
      'external_id',
      'Every row needs the id that the subscription has in the other app. Rows with the same id become one subscription.',
    );
  else if (isLongId(unit.externalId))
    first.wrong('external_id', 'This id has more than 100 characters. Give the subscription a shorter one.');
  mustAgree(unit, problems);

  const status = wordIn(first, 'status', STATUSES, 'ACTIVE', 'Use active, paused or cancelled.');
  const ownCurrency = first.at('currency').toUpperCase() || currency;
  if (!CURRENCY_CODES.includes(ownCurrency))
    first.wrong('currency', `“${first.at('currency')}” is no currency. Write its code, such as ${currency}.`);
  const money = CURRENCY_CODES.includes(ownCurrency) ? ownCurrency : currency;
  const email = first.at('customer_email', 254);
  if (!isEmail(email))
    first.wrong(
      'customer_email',
      email ? `“${email}” isn't an e-mail address. Write it like name@example.com.` : 'The e-mail address is missing.',
    );
  const billing = intervalIn(first, 'billing_interval', 'billing_interval_count');
  if (!billing && !first.has('billing_interval'))
    first.wrong('billing_interval', 'How often it is charged is missing. Write day, week, month or year.');
  const delivery = intervalIn(first, 'delivery_interval', 'delivery_interval_count');
  const next = nextDate(first, zone, status ?? 'ACTIVE');
  const address = addressIn(first);
  const lines = [first, ...more].map(cells => lineIn(cells, money));
  const discount = discountIn(first);
  const attributes = attributesIn(first);
  const shippingPrice = amount(first, 'shipping_price', money);
  const completedOrders = first.number('orders_completed', 0, 9000) ?? 0;
  const minCycles = first.number('min_cycles', 0, 9000);
  const maxCycles = first.number('max_cycles', 0, 9000);
  if (maxCycles && status !== 'CANCELLED' && completedOrders >= maxCycles)
    first.wrong(
      'max_cycles',
      `It has had ${completedOrders} of at most ${maxCycles} orders, so none is left. Import it as cancelled, or leave the maximum empty.`,
    );
  const anchor = billing ? anchorIn(first, delivery ?? billing, next, zone) : {};
  const payment = paymentIn(first);
  const note = first.at('note', 5000);
  const [firstName, lastName, phone, title] = [
    first.at('customer_first_name', 100),
    first.at('customer_last_name', 100),
    first.at('customer_phone', 30),
    first.at('shipping_title', 100),
  ];
  if (problems.length || !billing || next === undefined || !status) return { problems };
  const policy: BillingPolicy = { ...billing, minCycles: minCycles || null, maxCycles: maxCycles || null, ...anchor };
  return {
    problems,
    read: {
      externalId: unit.externalId,
      status,
      customer: { email, firstName, lastName, phone: phone || null, ...(address?.countryCode ? { countryCode: address.countryCode } : {}) },
      lines: lines.flatMap(line => line ?? []),
      completedOrders,
      ...(title ? { shippingTitle: title } : {}),
      ...(payment ? { payment } : {}),
      contract: {
        billingPolicy: policy,
        ...(delivery
          ? {
              deliveryPolicy: delivery,
              paysAhead: delivery.interval !== billing.interval || delivery.intervalCount !== billing.intervalCount,
            }
          : {}),
        nextBillingDateEpoch: next,
        currencyCode: ownCurrency,
        paymentMethodId: null,
        askForPaymentMethod: true,
        ...(address ? { address } : {}),
        ...(shippingPrice === undefined ? {} : { deliveryPrice: shippingPrice }),
        ...(discount ? { discount: { ...discount, kind: 'MANUAL' } } : {}),
        ...(note ? { note } : {}),
        customAttributes: attributes ?? [],
      },
    },
  };
}

function mustAgree({ rows }: ImportUnit, problems: RowProblem[]): void {
  const [first, ...more] = rows as [ImportRow, ...ImportRow[]];
  for (const { position, cells } of more)
    for (const [name, value] of Object.entries(cells) as [FieldKey, string][])
      if (!OF_LINE.has(name) && value !== '' && value !== (first.cells[name] ?? ''))
        problems.push({
          position,
          field: name,
          message:
            `“${value.slice(0, 80)}” differs from “${(first.cells[name] ?? '').slice(0, 80)}” in row ${first.position} of the same ` +
            `subscription. Write the same in both, or leave it empty here.`,
        });
}

/** A word of a few, without regard to case and to what stands between letters. */
function wordIn<W extends string>(cells: Cells, field: FieldKey, words: Record<string, W>, whenEmpty: W, right: string): W | undefined {
  const given = cells.at(field);
  if (given === '') return whenEmpty;
  return words[given.toLowerCase().replace(/[^a-z]/g, '')] ?? cells.wrong(field, `“${given}” isn't known here. ${right}`);
}

function intervalIn(cells: Cells, unit: FieldKey, count: FieldKey): Interval | undefined {
  const given = cells.at(unit);
  const intervalCount = cells.number(count, 1, 1000) ?? 1;
  if (given === '') return undefined;
  const interval =
    UNITS[
      given
        .toLowerCase()
        .replace(/[^a-z]/g, '')
        .replace(/s$/, '')
    ];
  return interval ? { interval, intervalCount } : cells.wrong(unit, `“${given}” isn't known here. Use day, week, month or year.`);
}

/** Noon of the day, in seconds: the billing hour of the store is put in its place. A subscription that doesn't run needs none. */
function nextDate(cells: Cells, zone: string, status: ImportedStatus): number | undefined {
  const given = cells.at('next_billing_date');
  if (status !== 'ACTIVE') return LATER;
  if (given === '')
    return cells.wrong('next_billing_date', 'The date of the next charge is missing. Write it as year-month-day, such as 2027-01-31.');
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(given);
  const day: Day = { year: Number(found?.[1]), month: Number(found?.[2]), day: Number(found?.[3]) };
  const isDay =
    found && day.month >= 1 && day.month <= 12 && day.day >= 1 && day.day <= daysInMonth(day.year, day.month) && day.year < 2200;
  if (!isDay)
    return cells.wrong('next_billing_date', `“${given}” isn't a date that can be read. Write it as year-month-day, such as 2027-01-31.`);
  return Math.floor(instant(day, { hour: 12, minute: 0, second: 0, millisecond: 0 }, zone) / 1000);
}
/** A date that is always ahead, for a schedule that ends at once; in the middle of a month, so that it lies in January everywhere. */
const LATER = Date.UTC(2199, 0, 15) / 1000;

function anchorIn(cells: Cells, delivery: Interval, next: number | undefined, zone: string): Partial<BillingPolicy> {
  const anchorDay = cells.number('anchor_day', 1, 31);
  if (anchorDay === undefined) return {};
  const anchorType = ANCHOR_TYPE[delivery.interval];
  if (!anchorType) return (cells.wrong('anchor_day', "Specific day billing isn't available for daily deliveries. Leave this empty."), {});
  return {
    anchorType,
    anchorDay,
    ...(anchorType === 'YEARDAY' && next !== undefined ? { anchorMonth: dayOf(next * 1000, zone).month } : {}),
  };
}

/** A decimal string of the row's currency; undefined where nothing stands. */
function amount(cells: Cells, field: FieldKey, currency: string): string | undefined {
  if (!cells.has(field)) return undefined;
  return cells.money(field, currency) === undefined ? undefined : cells.at(field);
}

function lineIn(cells: Cells, currency: string): ReadUnit['lines'][number] | undefined {
  const [given, sku] = [cells.at('variant_id'), cells.at('sku')];
  const id = given === '' ? undefined : Number(/^(?:gid:\/\/shopify\/ProductVariant\/)?(\d{1,15})$/.exec(given)?.[1] ?? Number.NaN);
  if (id !== undefined && Number.isNaN(id))
    cells.wrong('variant_id', `“${given}” is no variant id. Write the number of the variant, such as 40512345678901.`);
  if (id === undefined && sku === '') cells.wrong('variant_id', 'The product is missing. Write the id of its variant, or its SKU.');
  const quantity = cells.number('quantity', 1, 1_000_000) ?? (cells.has('quantity') ? undefined : 1);
  const price = amount(cells, 'price', currency);
  if (quantity === undefined) return undefined;
  return { variant: id === undefined ? { sku } : { id }, quantity, ...(price === undefined ? {} : { price }) };
}

const PROVIDER_WORDS: Record<string, NamedMethod['provider']> = {
  stripe: 'STRIPE',
  paypal: 'PAYPAL_EXPRESS',
  paypalexpress: 'PAYPAL_EXPRESS',
  authorizenet: 'AUTHORIZE_NET',
  braintree: 'BRAINTREE',
};
const NO_PROVIDER = 'NONE';

/** The payment method that the provider is asked for after the import; undefined where none is named. */
function paymentIn(cells: Cells): NamedMethod | undefined {
  const words = { ...PROVIDER_WORDS, none: NO_PROVIDER } as Record<string, NamedMethod['provider'] | typeof NO_PROVIDER>;
  const provider = wordIn(cells, 'provider', words, NO_PROVIDER, 'Use stripe, paypal express, authorize.net or braintree.');
  const [customer, payment] = [cells.at('provider_customer_id'), cells.at('provider_payment_id')];
  if (provider === undefined) return undefined;
  if (provider === NO_PROVIDER)
    return payment
      ? cells.wrong('provider', 'The provider of the payment token is missing. Write stripe, paypal express, authorize.net or braintree.')
      : undefined;
  if (!payment) return cells.wrong('provider_payment_id', "The provider's id of the payment method is missing, such as pm_1A2b3C.");
  if (!customer && provider !== 'PAYPAL_EXPRESS')
    return cells.wrong('provider_customer_id', "The provider's id of the customer is missing, such as cus_9s6XKzkNRiz8i3.");
  return { provider, customer, payment };
}

const ADDRESS: Record<string, keyof Address> = {
  shipping_first_name: 'firstName',
  shipping_last_name: 'lastName',
  shipping_company: 'company',
  shipping_address1: 'address1',
  shipping_address2: 'address2',
  shipping_city: 'city',
  shipping_zip: 'zip',
  shipping_province_code: 'provinceCode',
  shipping_country_code: 'countryCode',
  shipping_phone: 'phone',
};
/** The column that holds a part of the address, for what the engine finds wrong with it. */
export const COLUMN_OF_ADDRESS = Object.fromEntries(Object.entries(ADDRESS).map(([field, part]) => [part, field as FieldKey]));

/** The address, where any part of it is given; without a name it goes to the customer. */
function addressIn(cells: Cells): Address | undefined {
  const address: Address = {};
  for (const [field, part] of Object.entries(ADDRESS)) {
    const value = cells.at(field as FieldKey, 255);
    if (value) (address as Record<string, string>)[part] = value;
  }
  if (Object.keys(address).length === 0) return undefined;
  if (address.countryCode) {
    const country = countryOf(address.countryCode);
    if (!country)
      return cells.wrong('shipping_country_code', `“${address.countryCode}” is no country code. Write its two letters, such as US.`);
    address.countryCode = country;
    address.country = country;
  }
  return {
    ...address,
    firstName: address.firstName ?? cells.at('customer_first_name'),
    lastName: address.lastName ?? cells.at('customer_last_name'),
  };
}

function discountIn(cells: Cells): NewDiscount | undefined {
  const type = wordIn(cells, 'discount_type', DISCOUNTS, 'NONE', 'Use percentage, fixed amount or free shipping.');
  if (type === undefined || type === 'NONE') {
    if (type && cells.has('discount_value') && Number(cells.at('discount_value')) !== 0)
      cells.wrong('discount_type', 'The discount has a value and no type. Write percentage or fixed amount.');
    return undefined;
  }
  const value = cells.at('discount_value').replace(/%$/, '').trim();
  return { title: 'Imported discount', type, ...(type === 'FREE_SHIPPING' ? {} : { value }) };
}

function attributesIn(cells: Cells): { key: string; value: string }[] | undefined {
  const given = cells.at('attributes', 10_000);
  if (given === '') return undefined;
  const wrong = () => cells.wrong('attributes', `“${given.slice(0, 80)}” can't be read. Write JSON, such as {"size":"M"}.`);
  let found: unknown;
  try {
    found = JSON.parse(given);
  } catch {
    return wrong();
  }
  if (found === null || typeof found !== 'object') return wrong();
  const pairs: [unknown, unknown][] = Array.isArray(found)
    ? found.map((one: { key?: unknown; name?: unknown; value?: unknown } | null) => [one?.key ?? one?.name, one?.value])
    : Object.entries(found);
  if (pairs.length > 50 || pairs.some(([key, value]) => typeof key !== 'string' || !key || typeof value === 'object')) return wrong();
  return pairs.map(([key, value]) => ({ key: String(key), value: String(value ?? '') }));
}
