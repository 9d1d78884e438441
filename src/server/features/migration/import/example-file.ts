// An example of a file of subscriptions: every column by its own name, and rows about products of the store: it can be imported as it is.
import { sql } from 'kysely';
import { isoDay } from '../../../../domain/calendar/calendar.ts';
import { addDays } from '../../../../domain/calendar/plain-days.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import type { Context } from '../../../platform/context.ts';
import { needsProvince } from '../../../../domain/places/places.ts';
import { TEMPLATE_HEAD, type FieldKey } from './columns.ts';

type Row = Partial<Record<FieldKey, string>>;
interface Sold {
  id: number;
  sku: string | null;
  price: number;
}

/** A place of each country whose addresses name a state. */
const PLACES: Record<string, Row> = {
  US: { shipping_city: 'Portland', shipping_zip: '97201', shipping_province_code: 'OR' },
  CA: { shipping_city: 'Toronto', shipping_zip: 'M5V 2T6', shipping_province_code: 'ON' },
  AU: { shipping_city: 'Sydney', shipping_zip: '2000', shipping_province_code: 'NSW' },
  BR: { shipping_city: 'São Paulo', shipping_zip: '01310-100', shipping_province_code: 'SP' },
  IN: { shipping_city: 'Mumbai', shipping_zip: '400001', shipping_province_code: 'MH' },
  MX: { shipping_city: 'Mexico City', shipping_zip: '06000', shipping_province_code: 'CDMX' },
};

/** A variant of each of three products that can be on a subscription. */
async function soldIn({ trx, storeId }: Context): Promise<Sold[]> {
  const { rows } = await sql<Sold>`select distinct on (p.id) coalesce(v.shopify_id, v.id) as id, v.sku, v.price from products p
    join variants v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
    where p.store_id = ${storeId}::integer and p.deleted_at is null and p.status = 'ACTIVE' and not p.is_gift_card
    order by p.id, v.id limit 3`.execute(trx);
  return rows;
}

/** The rows below `TEMPLATE_HEAD`. A store without products gets one row whose product has yet to be named. */
export async function exampleRows(context: Context): Promise<string[][]> {
  const { store } = context;
  const today = isoDay(context.now().getTime(), store.timezone);
  const sold = await soldIn(context);
  const country = needsProvince(store.country_code) && !PLACES[store.country_code] ? 'US' : store.country_code || 'US';
  const at = (first: string, last: string, street: string): Row => ({
    customer_first_name: first,
    customer_last_name: last,
    shipping_first_name: first,
    shipping_last_name: last,
    shipping_address1: street,
    shipping_city: 'Hometown',
    shipping_zip: '10000',
    ...PLACES[country],
    shipping_country_code: country,
  });
  const product = (n: number, quantity = 1): Row => {
    const one = sold[n % Math.max(1, sold.length)];
    return {
      quantity: String(quantity),
      ...(one
        ? { variant_id: String(one.id), sku: one.sku ?? '', price: toDecimal(one.price, store.currency_code) }
        : { variant_id: '40512345678901', price: toDecimal(2000, store.currency_code) }),
    };
  };
  const monthly = { billing_interval: 'month', billing_interval_count: '1' };
  const rows: Row[] = [
    {
      external_id: 'example-1001',
      customer_email: 'ana@example.com',
      status: 'active',
      ...monthly,
      next_billing_date: addDays(today, 14),
      orders_completed: '3',
      currency: store.currency_code,
      ...at('Ana', 'Ray', '12 Main Street'),
      ...product(0),
    },
  ];
  if (sold.length > 0)
    rows.push(
      // Two rows of one id are one subscription with two products.
      {
        external_id: 'example-1002',
        customer_email: 'ben@example.com',
        status: 'active',
        billing_interval: 'week',
        billing_interval_count: '2',
        next_billing_date: addDays(today, 5),
        orders_completed: '11',
        currency: store.currency_code,
        note: 'Leave it with the neighbor',
        ...at('Ben', 'Okafor', '4 Station Road'),
        ...product(1, 2),
      },
      { external_id: 'example-1002', ...(sold.length > 1 ? product(2) : product(1)) },
      {
        external_id: 'example-1003',
        customer_email: 'cleo@example.com',
        status: 'paused',
        ...monthly,
        orders_completed: '1',
        currency: store.currency_code,
        ...at('Cleo', 'Lind', '77 Harbor Lane'),
        ...product(0),
      },
    );
  return rows.map(row => TEMPLATE_HEAD.map(field => row[field] ?? ''));
}
