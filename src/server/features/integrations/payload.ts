// What is sent to an integration about an event: the subscription as it is when the event is delivered.
import { sql, type Kysely, type Selectable } from 'kysely';
import type { JsonObject, JsonValue, MessageKind } from '../../../contract/types.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import type { GiftsTable, Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import type { StoredEvent } from '../../platform/events/consumer.ts';

interface Profile {
  active: number;
  paused: number;
  cancelled: number;
  expired: number;
  orders: number;
}

/** The gift that a subscription is, and whether the event is for its recipient. */
async function giftBehind(trx: Kysely<Tables>, storeId: number, contract: { id: number; source: string }, reader: MessageKind['gift']) {
  if (contract.source !== 'GIFT') return undefined;
  const row = await trx.selectFrom('gifts').selectAll().where('store_id', '=', storeId).where('id', '=', contract.id).executeTakeFirst();
  return row && { row, isForRecipient: reader === 'recipient' };
}
const giftOf = (gift: Selectable<GiftsTable>): JsonObject => ({
  plan: gift.plan_label,
  totalOrders: gift.total_orders,
  completedOrders: gift.completed_orders,
  startDate: gift.start_at.toISOString(),
  giverName: gift.sender_name,
  message: gift.message,
  recipientFirstName: gift.recipient_first_name,
  recipientEmail: gift.recipient_email,
  thanksMessage: gift.thanks_message,
});
const streakOf = (payload: JsonObject): JsonObject => ({
  name: payload.name ?? null,
  step: payload.step ?? null,
  length: payload.length ?? null,
  reward: payload.reward ?? null,
  nextDueDate: typeof payload.nextDueDateEpoch === 'number' ? new Date(payload.nextDueDateEpoch * 1000).toISOString() : null,
});

/**
 * The values that bodies of events may name: event, customer, properties, profile. Amounts are decimal texts, `event.value` a number;
 * times ISO 8601, `event.timestamp` seconds. `reader`: who of a gift the event is for; without it the customer of the subscription.
 * Undefined: there is no such subscription (any more).
 */
export async function eventPayload(
  trx: Kysely<Tables>,
  store: Store,
  portalUrl: string | undefined,
  name: string,
  reader: MessageKind['gift'],
  event: Pick<StoredEvent, 'id' | 'at' | 'contractId' | 'payload'>,
): Promise<JsonObject | undefined> {
  const contract = await trx
    .selectFrom('contracts')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('id', '=', event.contractId ?? 0)
    .executeTakeFirst();
  if (!contract) return undefined;
  const lines = await trx
    .selectFrom('contract_lines')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('contract_id', '=', contract.id)
    .orderBy('position')
    .execute();
  const { rows: counts } = await sql<Profile>`select count(*) filter (where status = 'ACTIVE')::integer as active,
      count(*) filter (where status = 'PAUSED')::integer as paused, count(*) filter (where status = 'CANCELLED')::integer as cancelled,
      count(*) filter (where status = 'EXPIRED')::integer as expired, coalesce(sum(completed_orders), 0)::integer as orders
    from contracts where store_id = ${store.id}::integer and customer_id = ${contract.customer_id}::bigint`.execute(trx);
  const count = counts[0];
  const products = lines.map(line => ({
    name: [line.product_title, line.variant_title].filter(Boolean).join(' · '),
    quantity: line.quantity,
    variantId: line.variant_id,
  }));
  const value = toDecimal(contract.total, contract.currency_code);
  const next = contract.next_billing_at;
  const { payload } = event;
  const gift = await giftBehind(trx, store.id, contract, reader);
  const payloadValue = (member: string): JsonValue => payload[member] ?? null;
  return {
    event: {
      id: String(event.id),
      name,
      time: event.at.toISOString(),
      timestamp: Math.floor(event.at.getTime() / 1000),
      value: Number(value),
      currency: contract.currency_code,
    },
    customer: gift?.isForRecipient
      ? { id: `gift-${contract.id}`, email: gift.row.recipient_email, firstName: gift.row.recipient_first_name }
      : { id: String(contract.customer_id), email: contract.customer_email, firstName: contract.customer_first_name },
    properties: {
      subscriptionId: contract.id,
      status: contract.status,
      frequency: contract.frequency,
      products,
      nextOrderDate: next?.toISOString() ?? null,
      nextOrderDateText: next && dateLabel(next.getTime(), store.timezone),
      orderValue: value,
      currency: contract.currency_code,
      ...(portalUrl ? { portalLink: portalUrl } : {}),
      ...('reason' in payload || 'comment' in payload
        ? { cancellation: { reason: payloadValue('reason'), comment: payloadValue('comment') } }
        : {}),
      ...('errorCode' in payload
        ? { payment: { code: payloadValue('errorCode'), message: payloadValue('errorCategory'), attempt: payloadValue('attempt') } }
        : {}),
      ...('orderNumber' in payload ? { orderNumber: payloadValue('orderNumber') } : {}),
      ...('streakId' in payload ? { streak: streakOf(payload) } : {}),
      ...(gift ? { gift: giftOf(gift.row) } : {}),
    },
    // Who is given a subscription is no subscriber.
    profile: gift?.isForRecipient
      ? { isGiftRecipient: true }
      : {
          isActiveSubscriber: (count?.active ?? 0) > 0,
          activeSubscriptions: count?.active ?? 0,
          pausedSubscriptions: count?.paused ?? 0,
          cancelledSubscriptions: count?.cancelled ?? 0,
          expiredSubscriptions: count?.expired ?? 0,
          processedOrders: count?.orders ?? 0,
          nextBillingDate: next?.toISOString() ?? null,
          subscribedItems: products.map(product => product.name),
          subscribedVariantIds: products.flatMap(product => product.variantId ?? []),
        },
  };
}

/** One event of each kind with sample values, so that a vendor shows them before anything happened. */
export const samplePayload = (name: string, id: string, now: Date): JsonObject => ({
  event: { id, name, time: now.toISOString(), timestamp: Math.floor(now.getTime() / 1000), value: 29.9, currency: 'USD' },
  customer: { id: 'sample', email: 'sample.customer@example.com', firstName: 'Sample' },
  properties: { isSample: true, subscriptionId: 0, status: 'ACTIVE', products: [{ name: 'Sample product', quantity: 1, variantId: null }] },
  profile: { isActiveSubscriber: true, activeSubscriptions: 1 },
});
