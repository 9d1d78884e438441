// What a helpdesk shows beside a conversation: the customer by e-mail, and their subscriptions with what can be done to each.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import type { Context } from '../../../platform/context.ts';

/** How many subscriptions an answer holds; those that run come first. */
const MOST = 20;
/** What an agent may do from the panel, by the state of a subscription: calls of the API, each with its key. */
const ACTIONS: Record<string, readonly string[]> = {
  ACTIVE: ['subscription-contract.pause', 'subscription-contract.skipOrder', 'subscription-contract.cancel'],
  PAUSED: ['subscription-contract.resume', 'subscription-contract.cancel'],
  CANCELLED: ['subscription-contract.reactivate'],
  EXPIRED: ['subscription-contract.reactivate'],
};

interface Row {
  id: number;
  status: string;
  frequency: string;
  products: string;
  next_billing_at: Date | null;
  last_payment_status: string | null;
  total: number;
  currency_code: string;
  paid: number;
}

/** Amounts are decimal texts in the subscription's currency, dates ISO 8601. For an address of no customer, `customer` is null. */
export async function lookUp({ trx, storeId, config, address }: Context, { email }: { email: string }): Promise<JsonValue> {
  const {
    rows: [customer],
  } = await sql<{ id: number; first_name: string; last_name: string; email: string; phone: string | null; tags: string[]; since: Date }>`
    select id, first_name, last_name, email, phone, tags, created_at as since from customers
    where store_id = ${storeId}::integer and lower(email) = lower(${email}) order by id limit 1`.execute(trx);
  if (!customer) return { customer: null, subscriptions: [] };
  const { rows } =
    await sql<Row>`select c.id, c.status, c.frequency, c.products_label as products, c.next_billing_at, c.last_payment_status,
      c.total, c.currency_code, c.completed_orders as paid from contracts c
    where c.store_id = ${storeId}::integer and c.customer_id = ${customer.id}::bigint
    order by array_position(array['ACTIVE', 'PAUSED', 'FAILED'], c.status::text), c.id desc limit ${MOST}`.execute(trx);
  const admin = config.publicUrl ?? address;
  return {
    customer: {
      id: customer.id,
      name: `${customer.first_name} ${customer.last_name}`.trim(),
      email: customer.email,
      phone: customer.phone,
      tags: customer.tags,
      customerSince: customer.since.toISOString(),
      link: `${admin}/customers/${customer.id}`,
    },
    subscriptions: rows.map((row): JsonObject => ({
      id: row.id,
      status: row.status,
      products: row.products,
      frequency: row.frequency,
      nextOrderOn: row.status === 'ACTIVE' ? (row.next_billing_at?.toISOString() ?? null) : null,
      total: toDecimal(row.total, row.currency_code),
      currencyCode: row.currency_code,
      ordersPaid: row.paid,
      hasFailedPayment: row.last_payment_status === 'FAILED',
      actions: [...(ACTIONS[row.status] ?? [])],
      link: `${admin}/subscriptions/${row.id}`,
    })),
  };
}
