// Files of subscriptions as another app exports them, and imports through a running server.
import { csvLine } from '../../../../src/domain/csv/write.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { runImport, type RunOptions } from '../../../../src/server/features/migration/import/run-import.ts';
import { undoImport } from '../../../../src/server/features/migration/import/undo-import.ts';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import type { TestServer } from '../../../support/server.ts';

/** Heads of another app: some are known by their names, "Kundennummer" must be chosen by hand or stays out. */
export const FOREIGN = {
  'Subscription ID': 'external_id',
  Email: 'customer_email',
  'First name': 'customer_first_name',
  'Last name': 'customer_last_name',
  'External variant ID': 'variant_id',
  Qty: 'quantity',
  'Unit price': 'price',
  'Charge interval unit': 'billing_interval',
  'Charge interval frequency': 'billing_interval_count',
  'Next charge date': 'next_billing_date',
  Status: 'status',
  'Completed orders': 'orders_completed',
  'Shipping address1': 'shipping_address1',
  'Shipping city': 'shipping_city',
  'Shipping zip': 'shipping_zip',
  'Shipping province': 'shipping_province_code',
  'Shipping country': 'shipping_country_code',
} as const;
export type Head = keyof typeof FOREIGN;
export type Row = Partial<Record<Head, string>>;

/** A CSV file with the foreign heads; `more` are further columns at the end. */
export const file = (rows: readonly Row[], heads: readonly string[] = Object.keys(FOREIGN)): string =>
  [heads, ...rows.map(row => heads.map(head => row[head as Head] ?? ''))].map(csvLine).join('');

/** A day so many days from now, as files write it. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export interface Sold {
  id: number;
  shopify_id: number;
  price: number;
}
/** Variants of the first store that can be sold on subscription, cheapest first. */
export async function soldVariants(db: Database, storeId = 1): Promise<Sold[]> {
  const { rows } = await db.ownerQuery<Sold>(
    `select v.id, v.shopify_id, v.price from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
      where v.store_id = $1 and v.deleted_at is null and p.deleted_at is null and p.status = 'ACTIVE' and not p.is_gift_card
      order by v.price, v.id`,
    [storeId],
  );
  return rows.map(row => ({ id: Number(row.id), shopify_id: Number(row.shopify_id), price: Number(row.price) }));
}

/** A good row; `n` makes it one of its own. */
export const goodRow = (n: number | string, variant: Sold, over: Row = {}): Row => ({
  'Subscription ID': `sub-${n}`,
  Email: `person-${n}@elsewhere.example`,
  'First name': 'Noa',
  'Last name': `Person ${n}`,
  'External variant ID': String(variant.shopify_id),
  Qty: '2',
  'Unit price': '18.50',
  'Charge interval unit': 'Months',
  'Charge interval frequency': '1',
  'Next charge date': inDays(9),
  Status: 'Active',
  'Completed orders': '3',
  'Shipping address1': `${n} Alder Street`,
  'Shipping city': 'Portland',
  'Shipping zip': '97201',
  'Shipping province': 'OR',
  'Shipping country': 'US',
  ...over,
});

/** Imports of the first store, without a queue: the work is done when it is asked for. */
export class Imports {
  readonly server: TestServer;
  constructor(server: TestServer) {
    this.server = server;
  }

  query<R = Record<string, any>>(text: string, params: unknown[] = []): Promise<R[]> {
    return this.server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  }
  async count(what: string, params: unknown[] = []): Promise<number> {
    return Number((await this.query<{ n: number }>(`select count(*) as n from ${what}`, params))[0]?.n);
  }

  async choose(content: string, name = 'export.csv'): Promise<JsonObject & { id: number }> {
    const answer = await this.server.call('subscription-imports.create', { file: { name, content } });
    if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.data;
  }
  /** Does the work that is waiting. */
  async work(importId: number, options: RunOptions = {}, signal = new AbortController().signal): Promise<JsonObject> {
    await runImport(this.server.services, { storeId: 1, importId }, signal, options);
    await undoImport(this.server.services, { storeId: 1, importId }, signal, options);
    return this.read(importId);
  }
  async read(id: number): Promise<JsonObject> {
    return (await this.server.call('subscription-imports.read', { id })).data;
  }
  /** Chooses a file and looks at it. */
  async checked(content: string): Promise<JsonObject & { id: number }> {
    const { id } = await this.choose(content);
    return { ...(await this.work(id)), id };
  }
  /** Chooses a file, starts it and brings it to its end. */
  async imported(content: string): Promise<JsonObject & { id: number }> {
    const { id } = await this.checked(content);
    await this.move('start', id);
    return { ...(await this.work(id)), id };
  }
  async move(key: 'start' | 'stop' | 'undo', id: number): Promise<JsonObject> {
    const answer = await this.server.call(`subscription-imports.${key}`, { id });
    if (answer.status !== 200) throw new Error(`${key} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.data;
  }
  async rows(importId: number): Promise<JsonObject[]> {
    return (await this.server.call('subscription-imports.rows', { importId, pageSize: 250 })).data;
  }
}
