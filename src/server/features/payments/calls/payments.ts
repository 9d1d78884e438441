// Cards entered by the merchant for a customer (C527 to C532). Card data go to the vault alone; here arrives a session of it.
import { sql } from 'kysely';
import type { JsonValue } from '../../../../contract/types.ts';
import { invalid, invalidState, notFound, ownTransactions, type Context, type Handler } from '../../../platform/context.ts';
import {
  act,
  change,
  type EngineContext,
  engineOf,
  isErased,
  type MethodRow,
  momentOf,
  type PendingCharge,
  refuseErased,
  removeBackup,
  STATUSES,
  takeCharges,
  tellMethodAdded,
  type Transact,
  updateMethod,
  wireMethod,
} from '../../../engine/index.ts';
import { lockSubscriptions, methodOf, mustNotBeCharged, replaced, usersOf } from '../methods.ts';
import { testCards } from '../../../platform/gateway/card-vault.ts';
import { later, t } from '../../../../domain/text/t.ts';

interface Card {
  brand: string;
  last_digits: string;
  name: string;
  expiry_month: number;
  expiry_year: number;
  gateway_token: string;
}

/**
 * C528: cards can be entered where the vault is this server's own, or another one is named. The own
 * one takes test cards alone, and says which.
 */
export async function isAllowedForDomain({ store, config }: Context): Promise<JsonValue> {
  const isOwn = config.demo && !config.hosts.external;
  return {
    domain: store.myshopify_domain,
    isAllowed: isOwn || Boolean(config.hosts.external),
    ...(isOwn ? { testCards: testCards() } : {}),
  };
}

/** C529: all methods of a customer, revoked ones too, and which active subscriptions they pay for. */
export async function details(context: Context, { customerId }: { customerId: number }): Promise<JsonValue> {
  const { trx, storeId } = context;
  const customer = await trx
    .selectFrom('customers')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', customerId)
    .executeTakeFirst();
  if (!customer) throw notFound(later`customer`);
  const { rows } =
    await sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer and customer_id = ${customerId}::bigint
        order by id`.execute(trx);
  const users = await usersOf(
    context,
    rows.map(row => row.id),
  );
  const used = new Set(users.flatMap(user => [user.method_id, user.backup_id ?? 0]));
  return rows.map(row => ({
    ...wireMethod(row, momentOf(context), undefined, used),
    subscriptionIds: users.filter(user => user.method_id === row.id || user.backup_id === row.id).map(user => user.id),
  }));
}

/** Takes a session of the vault; it can be used once, and not for long. */
async function redeem({ trx, storeId, now }: Context, sessionId: string): Promise<Card> {
  const { rows } =
    await sql<Card>`update card_vault_sessions set used_at = ${now()} where store_id = ${storeId}::integer and id = ${sessionId}::text
        and used_at is null and expires_at > ${now()}
    returning brand, last_digits, name, expiry_month, expiry_year, gateway_token`.execute(trx);
  if (!rows[0])
    throw invalid([{ pointer: '/sessionId', rule: 'INVALID_SESSION', message: t`The card was not kept, or not in time. Enter it again.` }]);
  return rows[0];
}

/** Takes charges that were written down before, and settles each in a transaction of its own. */
function take(context: Context, charges: PendingCharge[]): Promise<unknown> {
  const transact: Transact = settle =>
    context.transaction(inner => settle({ ...engineOf(inner), source: 'System', userEmail: '' } satisfies EngineContext));
  return takeCharges(transact, context.gateway, charges);
}

const nameOf = (method: Pick<MethodRow, 'brand' | 'last_digits' | 'paypal_account_email'>): string =>
  method.last_digits ? `•••• ${method.last_digits}` : (method.paypal_account_email ?? method.brand);

interface NewCard {
  customerId: number;
  sessionId: string;
  subscriptionId?: number;
  chargeFromNowOn?: boolean;
}

/**
 * C530: a card of the vault becomes a saved method of the customer. With a subscription it is charged for that from now on, unless it is
 * only to be saved; an order in recovery is then tried again with it at once, if the store wants that.
 */
export const registerCustomerCard: Handler = ownTransactions(
  async (context: Context, { customerId, sessionId, subscriptionId, chargeFromNowOn = true }: NewCard) => {
    const { after, charge } = await context.transaction(async inner => {
      const { trx, storeId } = inner;
      const customer = await trx
        .selectFrom('customers')
        .select(['id', 'email'])
        .where('store_id', '=', storeId)
        .where('id', '=', customerId)
        .forKeyShare()
        .executeTakeFirst();
      if (!customer) throw notFound(later`customer`);
      if (isErased(customer.email)) throw refuseErased();
      // Asked again after an answer that got lost: the card is there already.
      const known = (await trx
        .selectFrom('payment_methods')
        .selectAll()
        .where('store_id', '=', storeId)
        .where('shopify_id', '=', `card_${sessionId}`)
        .where('customer_id', '=', customerId)
        .executeTakeFirst()) as MethodRow | undefined;
      if (known) return { after: wireMethod(known, momentOf(inner), undefined, new Set()), charge: null };
      const card = await redeem(inner, sessionId);
      const row = (await trx
        .insertInto('payment_methods')
        .values({
          store_id: storeId,
          shopify_id: `card_${sessionId}`,
          customer_id: customerId,
          type: 'CREDIT_CARD',
          ...card,
          created_at: inner.now(),
          updated_at: inner.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()) as MethodRow;
      const after = wireMethod(row, momentOf(inner), undefined, new Set());
      await tellMethodAdded(engineOf(inner), row, subscriptionId);
      await inner.log({
        action: 'payments.registerCustomerCard',
        category: 'Customers',
        description: `Card ${nameOf(row)} added for ${customer.email}`,
        entity: 'payment-method',
        entityId: row.id,
        after,
      });
      if (subscriptionId === undefined || !chargeFromNowOn) return { after, charge: null };
      const { result } = await change(inner, 'updatePaymentMethod', { id: subscriptionId, customerPaymentMethodId: row.id }, updateMethod, {
        attempts: 2,
      });
      return { after, charge: result };
    });
    if (charge) await take(context, [charge]);
    return { ...after, retried: charge ? 1 : 0 };
  },
);

/**
 * C531: the card behind a method is replaced; subscriptions that use it go on with the new one. Those in recovery are tried again at once
 * if the store wants that, each written down before the gateway is asked.
 */
export const updateCustomerCard: Handler = ownTransactions(
  async (context: Context, { paymentMethodId, sessionId }: { paymentMethodId: number; sessionId: string }) => {
    const charges = await context.transaction(async inner => {
      await lockSubscriptions(inner, paymentMethodId);
      const before = await methodOf(inner, paymentMethodId);
      if (before.type !== 'CREDIT_CARD') throw invalidState(t`Only a card can be replaced. Ask the customer for a new payment method.`);
      if (before.revoked_at) throw invalidState(t`This card was deleted. Add the new one instead.`);
      await mustNotBeCharged(inner, paymentMethodId);
      const card = await redeem(inner, sessionId);
      await inner.trx
        .updateTable('payment_methods')
        .set({ ...card, inactive: false, updated_at: inner.now() })
        .where('store_id', '=', inner.storeId)
        .where('id', '=', paymentMethodId)
        .execute();
      const after = await methodOf(inner, paymentMethodId);
      await inner.log({
        action: 'payments.updateCustomerCard',
        category: 'Customers',
        description: `Card ${nameOf(before)} replaced by ${nameOf(after)}`,
        entity: 'payment-method',
        entityId: paymentMethodId,
        before: wireMethod(before, momentOf(inner)),
        after: wireMethod(after, momentOf(inner)),
      });
      return replaced(engineOf(inner), before, after);
    });
    if (charges.length) await take(context, charges);
    return context.transaction(async inner => ({
      ...wireMethod(await methodOf(inner, paymentMethodId), momentOf(inner)),
      retried: charges.length,
    }));
  },
);
/** C532: revokes a method for good, unless an active subscription charges it. Elsewhere it goes as the backup. */
export async function deletePaymentMethod(context: Context, { paymentMethodId }: { paymentMethodId: number }): Promise<JsonValue> {
  const { trx, storeId } = context;
  await lockSubscriptions(context, paymentMethodId);
  const method = await methodOf(context, paymentMethodId);
  if (method.revoked_at) throw invalidState(t`This payment method is deleted already.`);
  await mustNotBeCharged(context, paymentMethodId);
  const users = await usersOf(context, [paymentMethodId]);
  if (users.length)
    throw invalidState(
      users.length === 1
        ? t`This payment method is used by the active subscription #${users[0]?.id ?? ''}. Switch it to another method first.`
        : t`This payment method is used by ${users.length} active subscriptions. Switch them to another method first.`,
    );
  await trx
    .updateTable('payment_methods')
    .set({ revoked_at: context.now(), revoked_reason: 'MANUALLY_REVOKED', updated_at: context.now() })
    .where('store_id', '=', storeId)
    .where('id', '=', paymentMethodId)
    .execute();
  for (const { id, backup_id } of await usersOf(context, [paymentMethodId], STATUSES)) {
    if (backup_id === paymentMethodId) await act(engineOf(context), id, { action: 'removeBackup' }, removeBackup);
  }
  const after = wireMethod(await methodOf(context, paymentMethodId), momentOf(context));
  await context.log({
    action: 'payments.deletePaymentMethod',
    category: 'Customers',
    description: `Payment method ${nameOf(method)} deleted`,
    entity: 'payment-method',
    entityId: paymentMethodId,
    before: wireMethod(method, momentOf(context)),
    after,
  });
  return after;
}
