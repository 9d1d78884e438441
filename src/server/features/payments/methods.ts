// Payment methods of customers, and the subscriptions that are paid by them.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { invalidState, notFound } from '../../platform/context.ts';
import {
  act,
  type EngineContext,
  type MethodRow,
  type PendingCharge,
  retryWithNewMethod,
  type Status,
  tellMethodsUpdated,
} from '../../engine/index.ts';
import { later, t } from '../../../domain/text/t.ts';

type Scope = Pick<EngineContext, 'trx' | 'storeId'>;

/**
 * Locks all subscriptions of the customer whose method this is, before the method itself, as everything else that touches both does: who
 * switches to the method is waited for, and who would, waits.
 */
export async function lockSubscriptions({ trx, storeId }: Scope, methodId: number): Promise<void> {
  await sql`select 1 from contracts where store_id = ${storeId}::integer and customer_id = (select customer_id from payment_methods
      where store_id = ${storeId}::integer and id = ${methodId}::bigint) order by id for update`.execute(trx);
}

export async function methodOf({ trx, storeId }: Scope, id: number): Promise<MethodRow> {
  const { rows } =
    await sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer and id = ${id}::bigint for update`.execute(trx);
  if (!rows[0]) throw notFound(later`payment method`);
  return rows[0];
}

/** @throws Refusal 409 while a charge of the method is under way: what is asked again without an answer is asked of the same card */
export async function mustNotBeCharged({ trx, storeId }: Scope, methodId: number): Promise<void> {
  const { rows } = await sql`select 1 from orders o join billing_attempts t on t.store_id = o.store_id and t.order_id = o.id and not t.ready
    where o.store_id = ${storeId}::integer and o.status = 'PROCESSING' and t.payment_method_id = ${methodId}::bigint limit 1`.execute(trx);
  if (rows.length) throw invalidState(t`An order is being charged with this payment method. Try again in a few minutes.`);
}

/** Ids of subscriptions in these states that charge a method, first or as their backup. */
export async function usersOf(
  { trx, storeId }: Scope,
  ids: readonly number[],
  states: readonly Status[] = ['ACTIVE'],
): Promise<{ id: number; method_id: number; backup_id: number | null }[]> {
  const { rows } = await sql<{ id: number; method_id: number; backup_id: number | null }>`
    select id, payment_method_id as method_id, backup_payment_method_id as backup_id from contracts where store_id = ${storeId}::integer
      and status = any(${states}::text[])
      and (payment_method_id = any(${ids}::bigint[]) or backup_payment_method_id = any(${ids}::bigint[])) order by id`.execute(trx);
  return rows;
}

const brief = (method: MethodRow): JsonObject => ({ paymentMethodId: method.id, brand: method.brand, lastDigits: method.last_digits });

/** The card behind a method was replaced: what waits for it is tried again at once, if the store wants that. Gives those charges. */
export async function replaced(context: EngineContext, before: MethodRow, after: MethodRow): Promise<PendingCharge[]> {
  await tellMethodsUpdated(context, [{ before, after }]);
  const pending: PendingCharge[] = [];
  const users = await usersOf(context, [after.id], ['ACTIVE', 'PAUSED', 'FAILED']);
  for (const { id } of users.filter(user => user.method_id === after.id)) {
    const { result } = await act(context, id, { action: 'updatePaymentMethod', attempts: 2 }, (work, subscription) => {
      work.note(subscription, 'payment_method_changed', { before: brief(before), after: brief(after) });
      return retryWithNewMethod(work, subscription);
    });
    if (result) pending.push(result);
  }
  return pending;
}
