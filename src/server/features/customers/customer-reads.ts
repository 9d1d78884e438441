// What the pages of a customer read and do besides the record: orders and events of all their
// subscriptions, and the link to their own page.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { invalidState, notFound, Reply, type Context } from '../../platform/context.ts';
import {
  type AttemptRow,
  type CustomerRow,
  isErased,
  mustHavePortal,
  type OrderRow,
  orderView,
  portalLetter,
  refuseErased,
  type Status,
} from '../../engine/index.ts';
import { later, t } from '../../../domain/text/t.ts';
import { fold } from '../../../domain/text/fold.ts';

interface Paged {
  id: number;
  limit?: number;
  offset?: number;
}
const partOf = ({ limit = 25, offset = 0 }: Paged): { limit: number; offset: number } => ({ limit: Math.min(limit, 250), offset });

/** The words by which a customer is found: name, e-mail address, number, and the phone with and without the signs between its digits. */
export function customerSearch(row: { id: number; first_name: string; last_name: string; email: string; phone: string | null }): string {
  const digits = row.phone?.replace(/[^0-9+]/g, '') ?? '';
  return fold(
    [row.first_name, row.last_name, row.email, String(row.id), row.phone, digits === row.phone ? '' : digits].filter(Boolean).join(' '),
  );
}

/** @throws Refusal 404 for a customer that the store does not have */
export async function findCustomer({ trx, storeId }: Context, id: number, lock = false): Promise<CustomerRow> {
  const { rows } = await sql<CustomerRow>`select * from customers where store_id = ${storeId}::integer
        and id = ${id}::bigint ${lock ? sql`for update` : sql``}`.execute(trx);
  if (!rows[0]) throw notFound(later`customer`);
  return rows[0];
}

async function contractsOf({ trx, storeId }: Context, id: number): Promise<Map<number, Status>> {
  const rows = await trx
    .selectFrom('contracts')
    .select(['id', 'status'])
    .where('store_id', '=', storeId)
    .where('customer_id', '=', id)
    .execute();
  return new Map(rows.map(row => [row.id, row.status as Status]));
}

/** Orders of all subscriptions of a customer that were placed, tried or skipped, newest first, with their attempts. */
export async function ordersOfCustomer(context: Context, input: Paged): Promise<Reply> {
  await findCustomer(context, input.id);
  const { trx, storeId } = context;
  const part = partOf(input);
  const contracts = await contractsOf(context, input.id);
  // Skipped and moved orders ahead are on the schedules of their subscriptions.
  const past = sql`o.store_id = ${storeId}::integer and o.contract_id = any(${[...contracts.keys()]}::bigint[])
    and (o.status in ('PAID', 'FAILED', 'PROCESSING') or (o.status = 'SKIPPED' and exists (select 1 from contracts c
      where c.store_id = o.store_id and c.id = o.contract_id and o.cycle < c.next_cycle)))`;
  const [
    { rows: orders },
    {
      rows: [counted],
    },
  ] = await Promise.all([
    sql<OrderRow>`select o.* from orders o where ${past} order by o.billing_at desc, o.id desc
        limit ${part.limit} offset ${part.offset}`.execute(trx),
    sql<{ n: number }>`select count(*) as n from orders o where ${past}`.execute(trx),
  ]);
  const attempts =
    orders.length === 0
      ? []
      : (
          await sql<AttemptRow>`select * from billing_attempts where store_id = ${storeId}::integer
            and order_id = any(${orders.map(order => order.id)}::bigint[]) order by attempt_number`.execute(trx)
        ).rows;
  const records = orders.map(order => ({
    ...orderView(
      order,
      attempts.filter(attempt => attempt.order_id === order.id),
      contracts.get(order.contract_id) as Status,
    ),
    contractId: order.contract_id,
  }));
  return replyOf(records, Number(counted?.n ?? 0), part);
}

const replyOf = (records: JsonObject[], total: number, { limit, offset }: { limit: number; offset: number }): Reply =>
  new Reply(records, { pageInfo: { hasNextPage: offset + limit < total, hasPreviousPage: offset > 0, total } });

/**
 * Sends the customer the link to their own page (template CUSTOMER_PORTAL_LINK), which says for how long it is good.
 * @throws Refusal 409 where there is no page to lead to
 */
export async function sendPortalLink(context: Context, { id }: { id: number }): Promise<JsonValue> {
  const customer = await findCustomer(context, id);
  if (isErased(customer.email)) throw refuseErased();
  await mustHavePortal(context);
  const found = await portalLetter(context, customer, context.requestId);
  if (!found) throw invalidState(t`This customer has no subscription yet, so there is no page of theirs to link to.`);
  await context.mail(found.letter);
  await context.activity(found.contractId, 'customer_portal_link_created', { email: customer.email });
  await context.log({
    action: 'customer.portalLinkSent',
    category: 'Customers',
    description: `Link to the customer portal sent to ${customer.email}`,
    entity: 'customer',
    entityId: id,
  });
  return { id, email: customer.email };
}
