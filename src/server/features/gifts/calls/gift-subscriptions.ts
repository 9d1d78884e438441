// Calls about gifts (C449 to C463, C471): each is done to the contract of the gift by the engine of subscriptions, as what a gift allows.
import { sql } from 'kysely';
import { addDays } from '../../../../domain/calendar/calendar.ts';
import type { Call, JsonObject, JsonValue } from '../../../../contract/types.ts';
import { later, t } from '../../../../domain/text/t.ts';
import { invalid, notFound, ownTransactions, Reply, type Context } from '../../../platform/context.ts';
import { listQuery, listTexts } from '../../../platform/records/list/list.ts';
import { pageOf } from '../../../platform/records/list/page-of.ts';
import { recordOf } from '../../../platform/records/record-repository.ts';
import { withVariants } from '../../products/product-response.ts';
import type { Address } from '../../../../domain/places/address.ts';
import {
  firstOrderAt,
  act,
  beginRefund,
  type Aggregate,
  chargeNow as placeNow,
  contractView,
  giftAccess,
  optionsFor,
  programOf,
  readContract,
  reschedule,
  status,
  swapLine as swap,
  takeRefund,
  type UnitOfWork,
  updateLocalDeliveryAddress as toLocalAddress,
  updateShippingDetails,
  wireOption,
} from '../../../engine/index.ts';
import * as reads from '../../subscriptions/reads.ts';
import { ACTIONS, engineOfGift, giftFor, giftView, needGift, originOrder } from '../gift.ts';
import { holdingWords } from '../../../platform/records/list/filter.ts';

interface Named {
  id: number;
}
export const read = (context: Context, { id }: Named): Promise<JsonObject> => giftView(context, id);

/** C451. @throws Refusal 404 for a subscription that is no gift */
export async function ordersSchedule(context: Context, input: Named): Promise<Reply> {
  await needGift(context, input.id);
  return reads.ordersSchedule(context, input);
}
/** C452. */
export async function ordersHistory(context: Context, input: Named & { limit?: number; offset?: number }): Promise<Reply> {
  await needGift(context, input.id);
  return reads.ordersHistory(context, input);
}

/** What happened to a gift and to its contract (C453). */
export async function readActivityLogs(
  context: Context,
  { subscriptionId, ...input }: JsonObject & { subscriptionId: number },
): Promise<Reply> {
  await needGift(context, subscriptionId);
  const call = context.definitions.calls['gift-subscriptions.readActivityLogs'] as Call;
  const query = {
    ...listQuery(call, context.definitions.hosts[call.host], input),
    where: [sql`r.contract_id = ${subscriptionId}::bigint`],
  };
  const { texts, pageInfo } = await listTexts(context, context.shape('activity'), query);
  return new Reply(null, { texts, pageInfo });
}

export async function lines(context: Context, { id }: Named): Promise<JsonValue> {
  await needGift(context, id);
  const contract: JsonObject = await contractView(engineOfGift(context), id);
  return contract.lines as JsonValue;
}

/** The link to the recipient's own page, for 24 hours; null where no portal stands (C454). */
export async function cpToken(context: Context, { id }: Named): Promise<JsonValue> {
  return giftAccess(context.config, await needGift(context, id), context.now()) as JsonValue;
}

/** How a gift is delivered, and what else the store delivers to the same address (C455). */
export async function deliveryMethod(context: Context, { id }: Named): Promise<JsonValue> {
  await needGift(context, id);
  const { subscription, work } = await readContract(engineOfGift(context), id);
  const { delivery_type: type, delivery_method: method, shipping_address: address, currency_code: currency } = subscription.contract;
  return {
    deliveryType: type,
    deliveryMethod: method as JsonValue,
    shippingAddress: address as JsonValue,
    options: optionsFor(work, subscription, null).map(option => wireOption(option, currency)) as JsonValue,
  };
}

/** Does one thing to a gift, with its line in the account log, and answers the gift as it is then. @throws Refusal 404, 409, 422 */
async function change(
  context: Context,
  call: string,
  id: number,
  work: (work: UnitOfWork, subscription: Aggregate) => unknown,
  more: { attempts?: number; orderIds?: number[] } = {},
): Promise<JsonObject> {
  await giftFor(context, id, call);
  const before = await giftView(context, id);
  await act(engineOfGift(context), id, { action: ACTIONS[call]?.does ?? call, expectedVersion: context.expectedVersion, ...more }, work);
  return logged(context, call, id, before);
}
const LOGGED = ['status', 'nextOrderDateEpoch', 'completedOrders', 'products', 'shippingAddress', 'note', 'cancellationReason'] as const;
async function logged(context: Context, call: string, id: number, before: JsonObject): Promise<JsonObject> {
  const after = await giftView(context, id);
  const differing = LOGGED.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const of = (view: JsonObject): JsonObject => Object.fromEntries(differing.map(name => [name, view[name] ?? null]));
  await context.log({
    action: `gift.${call}`,
    category: 'Gifts',
    entity: 'gift-subscription',
    entityId: id,
    description: `Gift #${id}: ${context.definitions.calls[`gift-subscriptions.${call}`]?.title ?? call}`,
    before: of(before),
    after: of(after),
  });
  return after;
}

/** No refund is made: the store does that in its own admin (C456, D084). */
export const cancel = (context: Context, { id, reason }: Named & { reason?: string }): Promise<JsonObject> =>
  change(context, 'cancel', id, (work, subscription) =>
    status.cancel(work, subscription, {
      reason: reason?.trim() || null,
      comment: null,
      source: context.source === 'API' ? 'API' : 'MERCHANT',
      notifyCustomer: false,
    }),
  );

/**
 * Gives back what the giver paid, or a part of it, by the payment method that paid. The gift goes on until it is cancelled.
 * @throws Refusal 404, 409 where nothing of it was charged here or all is given back, 422
 */
export const refund = ownTransactions(
  async (context: Context, { id, amount, reason = '' }: Named & { amount: string; reason?: string }): Promise<JsonObject> => {
    const pending = await context.transaction(async inner => {
      await giftFor(inner, id, 'refund');
      const orderId = (await originOrder(inner, id))?.id;
      if (orderId === undefined) throw notFound(later`order`);
      const options = { action: 'refundOrder', expectedVersion: inner.expectedVersion, orderIds: [orderId] };
      const { result } = await act(engineOfGift(inner), id, options, (work, subscription) =>
        beginRefund(work, subscription, { orderId, amount, reason }),
      );
      await inner.log({
        action: 'gift.refund',
        category: 'Gifts',
        entity: 'gift-subscription',
        entityId: id,
        description: `Gift #${id}: Refund gift`,
        after: { amount, ...(reason.trim() ? { reason: reason.trim() } : {}) },
      });
      return result;
    });
    // Without an outcome it stays under way, and is looked up later.
    await takeRefund(settle => context.transaction(inner => settle(engineOfGift(inner))), context.gateway, pending).catch(() => undefined);
    return context.transaction(inner => giftView(inner, id));
  },
);

/** The orders that were not placed come after all (C457, D084). */
export const reactivate = (
  context: Context,
  { id, nextBillingDateEpoch }: Named & { nextBillingDateEpoch?: number },
): Promise<JsonObject> =>
  change(context, 'reactivate', id, (work, subscription) =>
    status.reactivate(work, subscription, firstOrderAt(work, subscription, nextBillingDateEpoch)),
  );

/** The next order at once, which the call names: a second press places no further one. Nothing is charged, it is paid (C461, D084). */
export const chargeNow = (
  context: Context,
  { id, orderId, keepSchedule = false }: Named & { orderId: number; keepSchedule?: boolean },
): Promise<JsonObject> =>
  change(
    context,
    'chargeNow',
    id,
    (work, subscription) => {
      if (placeNow(work, subscription, { orderId, keepSchedule })) throw new Error(`An order of gift ${id} was to be charged.`);
    },
    { attempts: 1, orderIds: [orderId] },
  );

/** All orders to come are counted from the new day (C462, D084). */
export const rescheduleContract = (
  context: Context,
  { id, nextBillingDateEpoch }: Named & { nextBillingDateEpoch: number },
): Promise<JsonObject> =>
  change(context, 'rescheduleContract', id, (work, subscription) => {
    if (nextBillingDateEpoch * 1000 > addDays(work.at.getTime(), 365, work.zone))
      throw invalid([{ pointer: '/nextBillingDateEpoch', rule: 'maximum', message: t`Choose a day within the next 365 days.` }]);
    reschedule(work, subscription, { nextBillingDateEpoch });
  });

/** The giver has paid the shipping: its price stays, wherever the recipient moves (C459, C460). */
export const updateShippingAddress = (context: Context, { id, address }: Named & { address: Address }): Promise<JsonObject> =>
  change(context, 'updateShippingAddress', id, (work, subscription) =>
    updateShippingDetails(work, subscription, { address, keepShippingPrice: true }),
  );
export const updateLocalDeliveryAddress = (context: Context, { id, address }: Named & { address: Address }): Promise<JsonObject> =>
  change(context, 'updateLocalDeliveryAddress', id, (work, subscription) => toLocalAddress(work, subscription, { address }));

/** Another product of the same program, at no cost (C463). */
export const swapLine = async (
  context: Context,
  { id, lineId, variantId }: Named & { lineId: number; variantId: number },
): Promise<JsonObject> => {
  const gift = await needGift(context, id);
  const program = await programOf(engineOfGift(context), gift.program_id);
  return change(context, 'swapLine', id, (work, subscription) => {
    if (!program?.variantIds?.includes(variantId))
      throw invalid([{ pointer: '/variantId', rule: 'NOT_IN_PROGRAM', message: t`This product is not part of the gift program.` }]);
    return swap(work, subscription, { lineId, variantId, pricingType: 'PRESENT_PRICE' });
  });
};

/** The note of the team, in any state (C458). */
export async function updateNote(context: Context, { id, note }: Named & { note: string }): Promise<JsonObject> {
  await needGift(context, id);
  const before = await giftView(context, id);
  await act(engineOfGift(context), id, { action: 'updateNote', expectedVersion: context.expectedVersion }, async (work, subscription) => {
    await sql`update gifts set note = ${note.trim()}, updated_at = ${work.at}::timestamptz where store_id = ${context.storeId}::integer
      and id = ${id}::bigint`.execute(context.trx);
    work.note(subscription, 'gift_note_updated', { before: { note: before.note ?? '' }, after: { note: note.trim() } });
  });
  return logged(context, 'updateNote', id, before);
}

/** The products of the gift's program, with the variants that can be had instead (C471). */
export async function readProductsToSwap(
  context: Context,
  { id, q = '', page = 1, pageSize = 25 }: Named & { q?: string; page?: number; pageSize?: number },
): Promise<Reply> {
  const gift = await needGift(context, id);
  const program = await programOf(engineOfGift(context), gift.program_id);
  const offered = new Set(program?.variantIds ?? []);
  const shape = context.shape('product');
  const { rows } = await sql<Record<string, unknown>>`select p.* from products p where p.store_id = ${context.storeId}::integer
      and p.deleted_at is null and p.status <> 'ARCHIVED' and ${holdingWords(sql`p.search`, q)}
      and exists (select 1 from variants v where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
        and v.id = any(${[...offered]}::bigint[]))
    order by lower(p.title), p.id`.execute(context.trx);
  const contract: JsonObject = await contractView(engineOfGift(context), id);
  const present = new Set((contract.lines as JsonObject[]).map(line => line.variantId));
  const products = await withVariants(
    context,
    rows.map(row => {
      const { description: _description, ...record } = recordOf(context, shape, row as never);
      return record;
    }),
  );
  return pageOf(
    products.map(product => {
      const variants = (product.variants as JsonObject[])
        .filter(variant => offered.has(Number(variant.id)))
        .map(variant => ({ ...variant, isCurrent: present.has(variant.id as number) }));
      return { ...product, variants, isCurrent: variants.some(variant => variant.isCurrent) };
    }),
    { page, pageSize },
  );
}
