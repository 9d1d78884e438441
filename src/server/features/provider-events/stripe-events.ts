// What events of Stripe are about is read again at Stripe, and followed in the one place where each thing is settled.
import { sql } from 'kysely';
import type { Hint } from '../../platform/http/incoming.ts';
import type { Services } from '../../platform/services.ts';
import {
  type EngineContext,
  followDispute,
  followRefunds,
  lookUpNow,
  type MethodRow,
  takeCharges,
  takeRefund,
  transactIn,
  type Transact,
  unsettledRefunds,
} from '../../engine/index.ts';
import { settleSetup, setupByReference, setupOf, type Setup } from '../payments/card-setups.ts';
import { lockSubscriptions, methodOf, replaced } from '../payments/methods.ts';
import { openPurchaseOf, settleHosted } from '../shop/pay-hosted.ts';

/** Kinds of events that are followed. */
export const HEARD = /^(?:checkout\.session|setup_intent|payment_intent|payment_method|mandate|charge|refund)\./;

interface Heard {
  services: Services;
  storeId: number;
  transact: Transact;
  hint: Hint;
}
const said = ({ hint }: Heard, name: string): string => String(hint.subject[name] ?? '');

/** By the kind of thing that an event is about. */
const FOLLOW: Readonly<Record<string, (heard: Heard) => Promise<void>>> = {
  'checkout.session': followPage,
  setup_intent: followPage,
  payment_intent: followCharge,
  payment_method: heard => followMethod(heard, said(heard, 'id')),
  mandate: followMandate,
  charge: heard => followRefund(heard, said(heard, 'payment_intent')),
  refund: heard => followRefund(heard, said(heard, 'payment_intent')),
  dispute: followDisputed,
};

export async function followStripe(services: Services, storeId: number, hint: Hint): Promise<void> {
  await FOLLOW[String(hint.subject.object)]?.({ services, storeId, transact: transactIn(services, storeId), hint });
}

/** A page on which a customer entered a card or paid, by our mark or its own name. */
async function followPage(heard: Heard): Promise<void> {
  const { services, storeId, transact } = heard;
  const [, of, id, attempt] = /-shop-(\d{1,9})-(\d{1,15})-(\d{1,4})$/.exec(said(heard, 'perennial_page')) ?? [];
  if (of !== undefined) {
    const open = Number(of) === storeId ? await openPurchaseOf(services, storeId, { id: Number(id), attempt: Number(attempt) }) : undefined;
    if (open?.page) await settleHosted(services, storeId, open);
    return;
  }
  const setup = await transact(async (context): Promise<Setup | undefined> => {
    const [, of, id] = /-card-(\d{1,9})-(\d{1,15})$/.exec(said(heard, 'perennial_page')) ?? [];
    if (Number(of) === storeId) return setupOf(context, Number(id));
    return setupByReference(context, said(heard, 'id'));
  });
  const settled = setup?.reference ? await settleSetup(services, storeId, setup) : undefined;
  if (settled?.is === 'DONE') await takeCharges(transact, services.gateway, settled.charges, 'NOW', services.log);
}

/** The key of a charge of ours. */
const keyIn = (mark: string): string => /^perennial-[0-9a-z]+-(.+)$/.exec(mark)?.[1] ?? '';

/** A charge that has no outcome here yet is looked up, as it would be later anyway. */
async function followCharge(heard: Heard): Promise<void> {
  const { services, transact } = heard;
  const key = keyIn(said(heard, 'perennial_charge'));
  const pending = key ? await transact(context => lookUpNow(context, { key })) : [];
  const { unknown } = await takeCharges(transact, services.gateway, pending, 'NOW', services.log);
  // Still processed is an answer; without one the event is followed once more.
  if (unknown > 0) for (const { charge } of pending) await services.gateway.lookup(charge);
}

const methodBy = async ({ trx, storeId }: EngineContext, method: string): Promise<MethodRow | undefined> => {
  const { rows } = await sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer
    and gateway_token like 'moved\\_stripe:%' and split_part(gateway_token, ':', 3) = ${method}
    order by revoked_at is not null, id limit 1`.execute(trx);
  return rows[0];
};

/** A card that its bank renewed is the same method with another look; what can't be charged any more is revoked. */
async function followMethod({ services, storeId, transact }: Heard, method: string, isActive = true): Promise<void> {
  const known = await transact(context => methodBy(context, method));
  if (!known || isDeleted(known)) return;
  const card = isActive ? await services.stripe.card(storeId, known.gateway_token) : null;
  const charges = await transact(async opened => {
    const context: EngineContext = { ...opened, source: 'System' };
    await lockSubscriptions(context, known.id);
    const before = await methodOf(context, known.id);
    // Deleted while the card was read: it stays so.
    if (isDeleted(before)) return [];
    const at = context.now();
    const change = card
      ? {
          brand: card.brand,
          last_digits: card.lastDigits,
          expiry_month: card.expiryMonth,
          expiry_year: card.expiryYear,
          inactive: false,
          revoked_at: null,
          revoked_reason: null,
        }
      : { revoked_at: at, revoked_reason: REVOKED };
    const isSame = card
      ? (Object.keys(change) as (keyof typeof change)[]).every(name => before[name] === change[name])
      : before.revoked_at !== null;
    if (isSame) return [];
    await context.trx
      .updateTable('payment_methods')
      .set({ ...change, updated_at: at })
      .where('store_id', '=', storeId)
      .where('id', '=', known.id)
      .execute();
    return card ? replaced(context, before, await methodOf(context, known.id)) : [];
  });
  await takeCharges(transact, services.gateway, charges, 'NOW', services.log);
}
const REVOKED = 'REVOKED_AT_PROVIDER';
/** Deleted here, not at the provider: no event brings it back. */
const isDeleted = ({ revoked_at, revoked_reason }: MethodRow): boolean => revoked_at !== null && revoked_reason !== REVOKED;

async function followMandate(heard: Heard): Promise<void> {
  const mandate = await heard.services.stripe.mandate(heard.storeId, said(heard, 'id'));
  if (mandate) await followMethod(heard, mandate.method, mandate.isActive);
}

/** Refunds of a payment: those under way here are settled, those that were made at Stripe are written down. */
async function followRefund({ services, storeId, transact }: Heard, payment: string): Promise<void> {
  const orders = payment ? await transact(context => ordersPaidBy(context, payment)) : [];
  for (const { orderId, contractId } of orders) {
    for (const pending of await transact(context => unsettledRefunds(context, { orderId })))
      await takeRefund(transact, services.gateway, pending);
    const refunds = await services.stripe.refundsOf(storeId, payment);
    await transact(context => followRefunds(context, { contractId, orderId, gateway: 'STRIPE', charge: payment, refunds }));
  }
}
/** A dispute, as it stands now; of several orders that were paid at once the first one says it. */
async function followDisputed(heard: Heard): Promise<void> {
  const { services, storeId, transact } = heard;
  const dispute = await services.stripe.dispute(storeId, said(heard, 'id'));
  if (!dispute?.payment) return;
  const [order] = await transact(context => ordersPaidBy(context, dispute.payment));
  if (order) await transact(context => followDispute(context, order, dispute));
}

/** The orders that a payment paid, those of attempts and those that were bought in the shop. */
async function ordersPaidBy({ trx, storeId }: EngineContext, payment: string): Promise<{ orderId: number; contractId: number }[]> {
  const { rows } = await sql<{ orderId: number; contractId: number }>`
    select order_id as "orderId", contract_id as "contractId" from billing_attempts where store_id = ${storeId}::integer
      and gateway_reference = ${payment} and gateway = 'STRIPE' and success
    union all
    select id, contract_id from orders where store_id = ${storeId}::integer and charged is not null
      and charged ->> 'reference' = ${payment} and charged ->> 'gateway' = 'STRIPE'
    order by 1`.execute(trx);
  return rows;
}
