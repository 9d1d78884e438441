// Orders that were paid here are made in the shop, one after the other. The shop makes one order for each key, so a try that got lost on
// either way is simply made again.
import { sql } from 'kysely';
import type { Address } from '../../../domain/places/address.ts';
import { emit } from '../../platform/events/emit.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import type { ShopOrder } from '../../platform/store-platform/store-platform.ts';
import { afterRefusal, type Connection, type ConnectionServices } from './connection.ts';

interface Due {
  id: number;
  contract_id: number;
  tries: number;
  currency_code: string;
  store_currency: string;
  /** Of the store: what its mark is made of. */
  store_since: Date;
  total: number;
  lines: { variantId: number | null; name: string; quantity: number }[];
  shipping_address: Address | null;
  customer_id: number;
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
  is_erased: boolean;
  customer_there: string | null;
  payment: string | null;
  variants: Record<string, string>;
}

/** The next order that is due, with all that the shop needs of it. */
async function nextDue({ db }: ConnectionServices, storeId: number): Promise<Due | undefined> {
  return db.inStore(storeId, async trx => {
    const { rows } =
      await sql<Due>`select p.id, p.contract_id, p.tries, o.currency_code, s.currency_code as store_currency, s.created_at as store_since,
        o.total, o.lines, o.shipping_address, c.id as customer_id,
        c.email, c.first_name, c.last_name, c.phone, c.erased_at is not null as is_erased,
        (select platform_id from platform_ids where store_id = p.store_id and kind = 'CUSTOMER' and id = c.id) as customer_there,
        coalesce((select t.gateway || ' ' || coalesce(t.gateway_reference, t.idempotency_key) from billing_attempts t
          where t.store_id = p.store_id and t.order_id = p.id and t.success order by t.id desc limit 1),
          (o.charged ->> 'gateway') || ' ' || (o.charged ->> 'reference')) as payment,
        (select coalesce(jsonb_object_agg(i.id::text, i.platform_id), '{}') from jsonb_array_elements(o.lines) l
          join platform_ids i on i.store_id = p.store_id and i.kind = 'VARIANT' and i.id = (l->>'variantId')::bigint) as variants
      from platform_orders p join orders o on o.store_id = p.store_id and o.id = p.id
      join customers c on c.store_id = o.store_id and c.id = o.customer_id join stores s on s.id = p.store_id
      where p.store_id = ${storeId}::integer and p.state = 'WAITING' and p.try_at <= now()
      order by p.try_at, p.id limit 1`.execute(trx);
    return rows[0];
  });
}

const text = (given: unknown): string => (typeof given === 'string' ? given : '');

/** The order in the words of the port. @throws ShopError WRONG for what the shop can't have */
function asShopOrder(storeId: number, due: Due): ShopOrder {
  if (due.is_erased) throw new ShopError('WRONG', 'CUSTOMER_ERASED');
  if (due.currency_code !== due.store_currency)
    throw new ShopError('WRONG', 'OTHER_CURRENCY', { paid: due.currency_code, shop: due.store_currency });
  const lines = due.lines.map(line => {
    const variant = due.variants[String(line.variantId)];
    if (variant === undefined) throw new ShopError('WRONG', 'NO_PRODUCT_THERE', { name: line.name });
    return { variant, quantity: line.quantity };
  });
  const at = due.shipping_address;
  return {
    // With the store's mark: another installation has orders of the same number.
    key: `${due.store_since.getTime().toString(36)}-${storeId}-${due.id}`,
    customer: { id: due.customer_there, email: due.email, firstName: due.first_name, lastName: due.last_name, phone: due.phone },
    lines,
    address: at && {
      name: `${text(at.firstName)} ${text(at.lastName)}`.trim(),
      company: text(at.company),
      street: text(at.address1),
      street2: text(at.address2),
      city: text(at.city),
      province: text(at.provinceCode ?? at.province),
      postalCode: text(at.zip),
      countryCode: text(at.countryCode),
      phone: text(at.phone),
    },
    total: due.total,
    payment: due.payment ?? 'nothing to pay',
  };
}

/** Makes the next due order in the shop. @throws ShopError where the shop as a whole can't be reached or refuses the key */
export async function pushOrder(services: ConnectionServices, connection: Connection): Promise<void> {
  const { row, platform, link } = connection;
  const storeId = row.store_id;
  const due = await nextDue(services, storeId);
  if (!due) return;
  let made: { id: string; number: string };
  try {
    made = await platform.placeOrder(link, asShopOrder(storeId, due));
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    if (error.code !== 'WRONG') throw error;
    await services.db.inStore(storeId, trx =>
      trx
        .updateTable('platform_orders')
        .set(afterRefusal(due.tries, error.fault))
        .where('store_id', '=', storeId)
        .where('id', '=', due.id)
        .execute(),
    );
    return;
  }
  await services.db.inStore(storeId, async trx => {
    const store = await trx.selectFrom('stores').select('clock_offset_ms').where('id', '=', storeId).executeTakeFirstOrThrow();
    const at = new Date(Date.now() + store.clock_offset_ms);
    const { rows } = await sql`update platform_orders set state = 'MADE', error = null, platform_id = ${made.id}, number = ${made.number},
        tries = tries + 1, made_at = ${at}::timestamptz
      where store_id = ${storeId}::integer and id = ${due.id}::bigint and state <> 'MADE' returning id`.execute(trx);
    if (rows.length === 0) return;
    // Its pieces are no longer reserved here: the shop knows of them, and is asked what is left.
    const variants = [...new Set(Object.values(due.variants))].sort();
    await sql`insert into platform_changes (store_id, kind, platform_id, told_at)
      select ${storeId}::integer, 'VARIANT', id, clock_timestamp() from unnest(${variants}::text[]) as v(id)
      on conflict (store_id, kind, platform_id) do update set told_at = excluded.told_at`.execute(trx);
    await emit(trx, {
      storeId,
      contractId: due.contract_id,
      key: 'order_made_in_shop',
      payload: { orderId: due.id, shopOrder: made.number },
      source: 'System',
      entity: '',
      at,
    });
  });
}
