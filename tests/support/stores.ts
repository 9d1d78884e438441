// What two seeded stores hold: ids to call with, and marks to find a leak by.
import type { Database } from '../../src/server/platform/db/database.ts';
import type { Pool } from './arbitrary.ts';

/** Some ids of every kind that a store has. "" holds one of each. */
export async function idsOf(db: Database, storeId: number): Promise<Pool> {
  const ids = async (table: string, column = 'id', where = '') =>
    (
      await db.ownerQuery<{ id: number }>(`select ${column} as id from ${table} where store_id = $1 ${where} order by 1 limit 8`, [storeId])
    ).rows.map(row => row.id);
  const pool: Record<string, number[]> = {
    subscription: await ids('contracts'),
    contractId: await ids('contracts'),
    shopifyId: await ids('contracts', 'shopify_id'),
    shopify_id: await ids('contracts', 'shopify_id'),
    subscriptionShopifyId: await ids('contracts', 'shopify_id'),
    customer: await ids('customers'),
    customerShopifyId: await ids('customers', 'shopify_id'),
    order: await ids('orders'),
    orderId: await ids('orders'),
    lineId: await ids('contract_lines'),
    discountId: await ids('contract_discounts'),
    product: await ids('products'),
    productId: await ids('products'),
    variant: await ids('variants'),
    variantId: await ids('variants'),
    collection: await ids('collections'),
    collectionId: await ids('collections'),
    'selling-plan-group': await ids('records', 'id', "and entity = 'selling-plan-group'"),
    lspgId: await ids('records', 'id', "and entity = 'selling-plan-group'"),
    'payment-method': await ids('payment_methods'),
    customerPaymentMethodId: await ids('payment_methods'),
    userId: await ids('users'),
    user: await ids('users'),
    'account-log': await ids('account_log'),
    alert: await ids('alerts'),
    fileId: await ids('files'),
    runId: await ids('runs'),
  };
  pool[''] = [...new Set(Object.values(pool).flatMap(list => list.slice(0, 1)))];
  return pool;
}

/** The word that stands in every text of a marked store. */
export const MARK = 'zzforeign';

/** Writes the mark into what people could see of a store, so that any answer that holds it gives the store away. */
export async function markStore(db: Database, storeId: number): Promise<void> {
  const texts = [
    `update stores set name = '${MARK}', email = '${MARK}@example.com', shop_owner = '${MARK}' where id = ${storeId}`,
    `update users set first_name = '${MARK}', last_name = '${MARK}' where store_id = ${storeId}`,
    `update customers set first_name = '${MARK}', last_name = '${MARK}', email = id || '${MARK}@example.com', search = '${MARK} an coffee' where store_id = ${storeId}`,
    `update customer_addresses set address = address || '{"city": "${MARK}"}' where store_id = ${storeId}`,
    `update contracts set customer_name = '${MARK}', customer_email = '${MARK}@example.com', products_label = '${MARK}', note = '${MARK}', tags = array['${MARK}'], search = '${MARK} an coffee' where store_id = ${storeId}`,
    `update contract_lines set product_title = '${MARK}', variant_title = '${MARK}', sku = '${MARK}' where store_id = ${storeId}`,
    `update contract_discounts set title = '${MARK}' where store_id = ${storeId}`,
    `update orders set note = '${MARK}', tags = array['${MARK}'] where store_id = ${storeId}`,
    `update products set title = '${MARK}', description = '${MARK}', vendor = '${MARK}', search = '${MARK} coffee' where store_id = ${storeId}`,
    `update variants set title = '${MARK}', sku = '${MARK}' where store_id = ${storeId}`,
    `update collections set title = '${MARK}' where store_id = ${storeId}`,
    `update payment_methods set name = '${MARK}', last_digits = '${MARK}' where store_id = ${storeId}`,
    `update records set data = data || '{"name": "${MARK}", "optionLabel": "${MARK}"}' where store_id = ${storeId}`,
    `update settings set data = data || '{"storeEmail": ["${MARK}@example.com"]}' where store_id = ${storeId}`,
    `update alerts set title = '${MARK}', summary = '${MARK}' where store_id = ${storeId}`,
    `insert into account_log (store_id, action, category, description, user_email) values (${storeId}, '${MARK}', '${MARK}', '${MARK}', '${MARK}@example.com')`,
    `insert into events (store_id, contract_id, key, source) select store_id, id, '${MARK}', '${MARK}' from contracts where store_id = ${storeId}`,
    `insert into files (store_id, name, content_type, size, sha256, content) values (${storeId}, '${MARK}', 'text/csv', 1, '${MARK}', '\\x41')`,
    `insert into runs (store_id, kind, error) values (${storeId}, '${MARK}', '${MARK}')`,
  ];
  for (const text of texts) await db.ownerQuery(text);
}

/** Tables whose rows belong to a store. */
export async function storeTables(db: Database): Promise<string[]> {
  const { rows } = await db.ownerQuery<{ t: string }>(
    "select table_name as t from information_schema.columns where table_schema = 'public' and column_name = 'store_id' order by 1",
  );
  return rows.map(row => row.t);
}

/** One number per table over all rows of a store: equal before and after means that nothing of it was touched. */
export async function fingerprint(db: Database, storeId: number): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const table of await storeTables(db)) {
    const { rows } = await db.ownerQuery<{ h: string }>(
      `select coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text || ' ' || count(*) as h from ${table} t where store_id = $1`,
      [storeId],
    );
    prints[table] = rows[0]?.h ?? '';
  }
  return prints;
}
