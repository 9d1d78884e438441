// The actions on a subscription as calls: each locks the contract, asks version and state, writes contract, logs and
// e-mails, and answers the whole contract.
import { sql } from 'kysely';
import type { IntervalUnit } from '../../../domain/calendar/interval.ts';
import type { JsonValue } from '../../../contract/types.ts';
import { accessOf } from '../../../contract/access.ts';
import { ownTransactions, Refusal, type Context, type Handler } from '../../platform/context.ts';
import {
  act,
  type Acted,
  type Address,
  type Aggregate,
  type BillingDetails,
  contractView,
  delivery,
  details,
  discounts,
  type EngineContext,
  engineOf,
  lines,
  firstOrderAt,
  pauseAsAsked,
  pauseUntil,
  type PauseInput,
  reactivateAsAsked,
  type ReactivateInput,
  startAgain,
  orders,
  type PendingCharge,
  settling,
  status,
  takeCharges,
  type Transact,
  type UnitOfWork,
  updateBillingDetails as changeFrequency,
  updateSellingPlan as changePlan,
} from '../../engine/index.ts';
import { prepared } from '../../platform/db/prepared-statements.ts';
import { logAction } from './account-log.ts';
import { reasonOf } from './cancellation-reason.ts';
import { t, translated } from '../../../domain/text/t.ts';

export interface Named {
  id: number;
}
type Change<I> = (work: UnitOfWork, subscription: Aggregate, input: I) => unknown;

const ordersOf = (input: { orderId?: number }): { orderIds?: number[] } =>
  input.orderId === undefined ? {} : { orderIds: [input.orderId] };

/** Runs an action within the request's transaction and writes the account log. */
export async function change<I extends Named, T>(
  context: Context,
  action: string,
  input: I,
  work: (work: UnitOfWork, subscription: Aggregate, input: I, context: Context) => T | Promise<T>,
  options: { attempts?: number } = {},
): Promise<Acted<T>> {
  const acted = await act(
    engineOf(context),
    input.id,
    { action, expectedVersion: context.expectedVersion, ...ordersOf(input as { orderId?: number }), ...options },
    (w, subscription) => work(w, subscription, input, context),
  );
  await logAction(context, action, acted);
  return acted;
}

/** What a call does to a contract, for those who want to see it without its being done (preview.ts). */
export interface Tryable {
  action: string;
  work: (work: UnitOfWork, subscription: Aggregate, input: never, context: Context) => unknown;
  /** The orders that the action names besides those ahead and open. */
  orderIds: (input: { orderId?: number }) => number[];
}
export type TryableHandler = Handler & { tryable?: Tryable };
/** Marks a handler whose whole effect on the contract is `work`. */
export const tryable = <I>(
  handler: Handler,
  action: string,
  work: (work: UnitOfWork, subscription: Aggregate, input: I, context: Context) => unknown,
): TryableHandler =>
  Object.assign(handler, {
    tryable: {
      action,
      work: work as Tryable['work'],
      orderIds: (input: { orderId?: number }) => (input.orderId === undefined ? [] : [input.orderId]),
    },
  });

const OTHERS = new Map<string, Readonly<Record<string, unknown>>>();
/** Calls of another feature whose effect on a contract can be seen beforehand, by their table. */
export const canBeTried = (table: string, calls: Readonly<Record<string, unknown>>): unknown => OTHERS.set(table, calls);
export const triedElsewhere = (table: string): Readonly<Record<string, unknown>> | undefined => OTHERS.get(table);

/** A handler for an action that changes the contract and nothing outside. */
export const edit = <I extends Named>(action: string, work: Change<I>): TryableHandler =>
  tryable(
    async (context: Context, input: I): Promise<JsonValue> => {
      const acted = await change(context, action, input, work);
      return contractView(engineOf(context), input.id, acted);
    },
    action,
    work,
  );

/**
 * A handler for an action that may charge: the charge is written down first, then taken through the gateway, then settled; the answer is
 * the contract after it. `without` is what it does as long as nothing is charged; an action without it can't be tried beforehand. `refuse`
 * looks at what is asked before anything else.
 */
export const charging = <I extends Named>(
  action: string,
  work: (work: UnitOfWork, subscription: Aggregate, input: I) => PendingCharge | null | Promise<PendingCharge | null>,
  without?: Change<I>,
  refuse?: (context: Context, input: I) => void,
): TryableHandler => {
  const handler = ownTransactions(async (context: Context, input: I) => {
    refuse?.(context, input);
    const { result } = await context.transaction(inner => change(inner, action, input, work, { attempts: 2 }));
    if (result) {
      const transact: Transact = settle =>
        context.transaction(inner => settle({ ...engineOf(inner), source: 'System', userEmail: '' } satisfies EngineContext));
      await takeCharges(transact, context.gateway, [result]);
    }
    return context.transaction(inner => contractView(engineOf(inner), input.id));
  });
  return without ? tryable(handler, action, without) : handler;
};

// --- state ---

export const pause: Handler = edit<Named & PauseInput>('pause', pauseAsAsked);
export const pauseV2: Handler = edit<Named & PauseInput & { pauseDuration?: { intervalType: IntervalUnit; intervalCount: number } | null }>(
  'pause',
  (work, subscription, { pauseDuration, resumeDateEpoch }) =>
    pauseUntil(
      work,
      subscription,
      pauseDuration ? { interval: pauseDuration.intervalType, intervalCount: pauseDuration.intervalCount } : null,
      resumeDateEpoch,
    ),
);

export const resume: Handler = edit<Named & { nextBillingDateEpoch?: number }>('resume', (work, subscription, { nextBillingDateEpoch }) =>
  status.resume(work, subscription, firstOrderAt(work, subscription, nextBillingDateEpoch)),
);

export const cancel: Handler = edit<Named & { cancellationReason: string; cancellationComment?: string; notifyCustomer?: boolean }>(
  'cancel',
  async (work, subscription, { cancellationReason, cancellationComment, notifyCustomer = true }) =>
    status.cancel(work, subscription, {
      reason: await reasonOf(work.context, cancellationReason),
      comment: cancellationComment?.trim() || null,
      source: work.context.source === 'API' ? 'API' : work.context.source === 'Customer portal' ? 'CUSTOMER' : 'MERCHANT',
      notifyCustomer,
    }),
);

export const markForCancellation: Handler = edit<Named>('markForCancellation', (work, subscription) =>
  status.markForCancellation(work, subscription, true),
);
export const undoMarkForCancellation: Handler = edit<Named>('undoMarkForCancellation', (work, subscription) =>
  status.markForCancellation(work, subscription, false),
);

/** Who may change states need not be one who may charge cards. @throws Refusal 403 */
function refuseCharge(context: Context, { chargeAtOnce }: ReactivateInput): void {
  if (!chargeAtOnce || accessOf(context.session).can('subscriptionOrderActions', 'WRITE')) return;
  const label = translated(context.definitions.permissions.subscriptionOrderActions?.label ?? 'subscriptionOrderActions');
  throw new Refusal(
    403,
    'FORBIDDEN',
    t`Reactivating with a charge needs the permission “${label}” too. Reactivate it without charging, or ask an admin of your store.`,
  );
}
export const reactivate: Handler = charging<Named & ReactivateInput>('reactivate', reactivateAsAsked, startAgain, refuseCharge);

// --- orders ---

export const skipOrder: Handler = edit<Named & { orderId?: number }>('skipOrder', orders.skipOrder);
export const unSkipOrder: Handler = edit<Named & { orderId: number }>('unSkipOrder', orders.unSkipOrder);
export const reschedule: Handler = edit<Named & { nextBillingDateEpoch: number }>('reschedule', orders.reschedule);
export const rescheduleOneOrder: Handler = edit<Named & { orderId?: number; billingDateEpoch: number }>(
  'rescheduleOneOrder',
  (work, subscription, input) => orders.rescheduleOneOrder(work, subscription, input),
);
export const delay: Handler = edit<Named & { days: number }>('delay', orders.delay);
export const chargeNow: Handler = charging<Named & { orderId: number; keepSchedule?: boolean }>('chargeNow', orders.chargeNow);
export const confirmCharge: Handler = edit<Named & { orderId: number }>('confirmCharge', settling.confirmCharge);
export const chargeAgain: Handler = charging<Named & { orderId: number }>('chargeAgain', settling.chargeAgain);
export const updateBillingDetails: Handler = edit<Named & BillingDetails>('updateBillingDetails', changeFrequency);
export const updateSellingPlan: Handler = edit<Named & { sellingPlanId: number }>('updateSellingPlan', changePlan);

// --- products ---

export const skipLineItem: Handler = edit<Named & { lineId: number; orderId?: number }>('skipLineItem', lines.skipLine);
export const addLine: Handler = edit<Named & lines.NewLine>('addLine', lines.addLine);
export const removeLine: Handler = edit<Named & { lineId: number; once?: boolean; orderId?: number }>('removeLine', lines.removeLine);
export const swapLine: Handler = edit<Named & lines.Swap>('swapLine', lines.swapLine);
export const updateQuantity: Handler = edit<Named & { lineId: number; quantity: number }>('updateQuantity', lines.updateQuantity);
export const updatePrice: Handler = edit<Named & { lineId: number; price: string }>('updatePrice', lines.updatePrice);
export const updateLineItemAttributes: Handler = edit<Named & { lineId: number; attributes: { key: string; value: string }[] }>(
  'updateLineItemAttributes',
  lines.updateLineAttributes,
);
export const addDiscount: Handler = edit<Named & discounts.NewDiscount>('addDiscount', discounts.addDiscount);
export const adjustCredits: Handler = edit<Named & { credits: number; type?: 'ADDED' | 'ADJUSTED' | 'REFUNDED'; reason: string }>(
  'adjustCredits',
  details.adjustCredits,
);

// --- note, tags, attributes ---

export const updateNote: Handler = edit<Named & { note: string }>('updateNote', details.updateNote);
export const addOrderNote: Handler = edit<Named & { note: string }>('addOrderNote', details.addOrderNote);
export const updateTags: Handler = edit<Named & { tags: string[] }>('updateTags', details.updateTags);
export const updateCustomAttributes: Handler = edit<Named & { customAttributes: { key: string; value: string }[] }>(
  'updateCustomAttributes',
  details.updateAttributes,
);

// --- delivery ---

export const updateShipping: Handler = edit<Named & { deliveryPrice: string }>('updateShipping', delivery.updateShippingPrice);
export const updatePickupDetails: Handler = edit<Named & { optionCode: string }>('updatePickupDetails', delivery.updatePickupDetails);
export const updateLocalDeliveryDetails: Handler = edit<Named & { phone: string; instructions?: string }>(
  'updateLocalDeliveryDetails',
  delivery.updateLocalDeliveryDetails,
);
/** With the saved address that is named in the place of one that is typed. */
const sentTo =
  <I extends delivery.Destination>(work: (work: UnitOfWork, subscription: Aggregate, input: I & { address: Address }) => void): Change<I> =>
  async (w, subscription, input) =>
    work(w, subscription, await delivery.destination(w, subscription, input));
export const updateToShipping: Handler = edit<Named & delivery.ShippingDetails>('updateToShipping', sentTo(delivery.updateToShipping));
export const updateToPickup: Handler = edit<Named & { optionCode?: string }>('updateToPickup', delivery.updateToPickup);
export const updateToLocalDelivery: Handler = edit<Named & delivery.LocalDelivery>(
  'updateToLocalDelivery',
  sentTo(delivery.updateToLocalDelivery),
);

/**
 * The same change on other subscriptions of the customer, in the transaction of the first: all of them change, or none.
 * @throws Refusal what one of them refuses, with its number before the sentence
 */
export async function changeOthers(
  context: Context,
  action: string,
  ids: readonly number[],
  work: (w: UnitOfWork, subscription: Aggregate) => unknown,
): Promise<Acted<unknown>[]> {
  const changed: Acted<unknown>[] = [];
  for (const id of ids) {
    try {
      changed.push(await act(engineOf(context), id, { action }, work));
    } catch (error) {
      if (error instanceof Refusal && (error.status === 409 || error.status === 422))
        throw new Refusal(error.status, error.code, t`Subscription #${id}: ${error.message}`, error.errors);
      throw error;
    }
  }
  return changed;
}

/** Changes an address here and, if wished, on the customer's other running subscriptions that go to the same place. */
const addressed = <I extends Named & { alsoOthers?: boolean }>(action: string, work: Change<I>): TryableHandler =>
  tryable(
    async (context: Context, input: I): Promise<JsonValue> => {
      let others: number[] = [];
      const acted = await change(context, action, input, async (w, subscription) => {
        if (input.alsoOthers)
          others = await delivery.othersAtAddress(w, subscription, subscription.contract.shipping_address as Address | null);
        await work(w, subscription, input);
      });
      for (const other of await changeOthers(context, action, others, (w, subscription) =>
        work(w, subscription, { ...input, id: subscription.contract.id }),
      ))
        await logAction(context, action, other);
      return contractView(engineOf(context), input.id, acted);
    },
    action,
    work,
  );
export const updateShippingDetails: Handler = addressed<Named & delivery.ShippingDetails & { alsoOthers?: boolean }>(
  'updateShippingDetails',
  sentTo(delivery.updateShippingDetails),
);
export const updateLocalDeliveryAddress: Handler = addressed<Named & delivery.Destination & { alsoOthers?: boolean }>(
  'updateLocalDeliveryAddress',
  sentTo(delivery.updateLocalDeliveryAddress),
);

/** The id of the contract with a platform id. @throws Refusal 404 */
export async function idOf({ trx, storeId }: Context, shopifyId: number, otherwise: () => Error): Promise<number> {
  const { rows } = await prepared(
    sql<{ id: number }>`select id from contracts where store_id = ${storeId}::integer and shopify_id = ${shopifyId}::bigint`,
  ).execute(trx);
  if (!rows[0]) throw otherwise();
  return rows[0].id;
}
