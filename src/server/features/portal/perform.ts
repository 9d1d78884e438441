// What a button of the portal does: through the engine, in the name of the customer, once for each page that was looked at.
import { sql } from 'kysely';
import type { ActionKey } from '../../../generated/actions.ts';
import { Refusal } from '../../platform/context.ts';
import type { PageServices } from '../../platform/http/page-request.ts';
import { chooseAdvertising } from '../customers/advertising.ts';
import { note } from '../offers/offer.ts';
import { acceptSwap } from '../offers/swap.ts';
import { acceptUpgrade } from '../offers/upgrade.ts';
import { acceptUpsell, type UpsellInput } from '../offers/upsell.ts';
import {
  act,
  orderById,
  type PendingCharge,
  runAction,
  takeCharges,
  type Transact,
  updateMethod,
  rewardAction,
  asCustomer,
} from '../../engine/index.ts';
import { keyOf, type Action, type Asked, type Does } from './action.ts';
import { actionsOf } from './actions.ts';
import { deliver } from './delivery.ts';
import { OF_PAUSE_FLOW } from './pause.ts';
import { portalOf, type Portal } from './portal.ts';

export interface Click extends Asked {
  customerId: number;
  contractId: number;
  id: string;
  /** The name of its button. */
  choice: string;
  /** The version of the subscription that the page with the button showed. */
  version: number;
}
/**
 * DONE, or the sentence that refuses it. CHANGED: clicked twice, or the subscription changed meanwhile; OTHER: what the store offers did,
 * so that the page has no such button any more. Nothing is done then.
 */
export type Outcome = { is: 'DONE'; done: string } | { is: 'CHANGED' | 'OTHER' | 'GONE' } | { is: 'REFUSED'; why: string };

/** The action of an address; undefined where preferences or state do not offer it. */
export const actionNamed = (actions: readonly Action[], id: string, of: number | undefined): Action | undefined =>
  actions.find(one => one.id === id && one.of === of);

export async function perform(services: PageServices, transact: Transact, click: Click): Promise<Outcome> {
  try {
    const { outcome, pending } = await transact(opened => clicked(asCustomer(services, opened), click));
    const why = pending ? await chargeAll(services, { ...click, transact }, [pending]) : undefined;
    return why === undefined ? outcome : { is: 'REFUSED', why };
  } catch (error) {
    // Whatever refuses it has undone the transaction.
    if (error instanceof Refusal && error.status < 500) return { is: 'REFUSED', why: error.errors?.[0]?.message ?? error.message };
    throw error;
  }
}

/** Takes charges that a customer began; the sentence that says why the order of this subscription is not paid, undefined where it is. */
export async function chargeAll(
  services: PageServices,
  { transact, customerId, contractId }: Pick<Click, 'customerId' | 'contractId'> & { transact: Transact },
  charges: readonly PendingCharge[],
): Promise<string | undefined> {
  const own = charges.filter(one => one.contractId === contractId);
  const rest = charges.filter(one => one.contractId !== contractId);
  const { paid, unknown } = await takeCharges(transact, services.gateway, own, 'NOW', services.log);
  // What becomes of others stands on their own pages.
  if (rest.length) await takeCharges(transact, services.gateway, rest, 'NOW', services.log);
  const [first] = own;
  if (!first || paid > 0) return undefined;
  return transact(async opened => {
    const portal = await portalOf(asCustomer(services, opened), customerId, contractId);
    return portal ? unpaid(portal, first.orderId, unknown > 0) : '';
  });
}

/** What became of an order that is not paid: no answer yet, or when its payment is tried again. */
function unpaid({ subscription, say, speech }: Portal, orderId: number, isOpen: boolean): string {
  if (isOpen) return say('paymentRunning');
  const again = orderById(subscription, orderId)?.next_retry_at;
  return [say('paymentDeclined'), ...(again ? [say('quickRetry', { retry_date: speech.day(again) })] : [])].join(' ');
}

async function clicked(context: Portal['context'], click: Click): Promise<{ outcome: Outcome; pending: PendingCharge | null }> {
  const { customerId, contractId, id, of, choice, version } = click;
  // Two clicks at once: the second waits here, and finds another version.
  const { rows } = await sql<{ version: number }>`select version from contracts where store_id = ${context.storeId}::integer
    and id = ${contractId}::bigint and customer_id = ${customerId}::bigint for update`.execute(context.trx);
  const portal = rows[0] && (await portalOf(context, customerId, contractId));
  if (!portal) return { outcome: { is: 'GONE' }, pending: null };
  if (rows[0]?.version !== version) return { outcome: { is: 'CHANGED' }, pending: null };
  const action = actionNamed(await actionsOf(portal, click, id), id, of);
  if (!action || action.refusal !== undefined)
    return { outcome: { is: 'REFUSED', why: action?.refusal ?? portal.say('portalUnavailable') }, pending: null };
  const { does, done } = action.choices.find(one => keyOf(action, one) === choice) ?? {};
  if (!does) return { outcome: { is: 'OTHER' }, pending: null };
  const pending = await carryOut(portal, does);
  return { outcome: { is: 'DONE', done: done ?? action.done }, pending };
}

async function carryOut(portal: Portal, does: Does): Promise<PendingCharge | null> {
  const { context, subscription } = portal;
  const { id } = subscription.contract;
  if ('action' in does) return doAction(context, id, does);
  if ('payBy' in does) {
    const change = { customerPaymentMethodId: does.payBy };
    return (await act(context, id, { action: 'updatePaymentMethod', attempts: 2 }, (work, on) => updateMethod(work, on, change))).result;
  }
  if ('getsAdvertising' in does) {
    const { customer_email: address } = subscription.contract;
    await chooseAdvertising(context, { address, ...does, source: 'Customer portal', by: '', at: context.now() });
    return null;
  }
  if ('swap' in does) {
    await act(context, id, { action: 'swapLine' }, (work, on) =>
      acceptSwap({ context, work, subscription: on }, { id, ...does.swap, place: 'PORTAL' }),
    );
    return null;
  }
  if ('deliver' in does) {
    await deliver(portal, does.deliver);
    return null;
  }
  if ('upgrade' in does) {
    await act(context, id, { action: 'upgradeSubscription' }, (work, on) =>
      acceptUpgrade({ context, work, subscription: on }, { ...does.upgrade, notifyCustomer: true, place: 'PORTAL' }),
    );
    return null;
  }
  if ('putAway' in does) {
    await note({ context, subscription }, { kind: 'UPGRADE', profileId: does.putAway, happened: 'DISMISSED', place: 'PORTAL' });
    return null;
  }
  const what: Pick<UpsellInput, 'variantId' | 'bundleId'> =
    'add' in does ? { variantId: does.add } : { variantId: 0, bundleId: does.addBundle };
  await act(context, id, { action: 'addLine' }, (work, on) =>
    acceptUpsell({ context, work, subscription: on }, { id, ...what, purchaseType: does.way, place: 'PORTAL' }),
  );
  return null;
}

/** An action of schemas/actions, and the reward that comes with it. */
async function doAction(
  context: Portal['context'],
  id: number,
  { action, input, reward, orderId }: Extract<Does, { action: unknown }>,
): Promise<PendingCharge | null> {
  const source = 'Customer portal';
  const { status, sentence, pending } = await runAction(context, action, id, input, {
    source,
    mails: 'ALL',
    ...(orderId === undefined ? {} : { orderId }),
  });
  if (status === 'SKIPPED') throw new Refusal(409, 'INVALID_STATE', sentence);
  // What can't be given (a gift that is not sold any more) keeps no customer from doing it, and is offered again.
  const given = rewardAction(reward, 'Thank you for staying');
  if (given) await runAction(context, given.action as ActionKey, id, given.input ?? {}, { source, noteData: OF_PAUSE_FLOW });
  return pending;
}
