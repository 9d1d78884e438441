// A payment method of a customer becomes what pays for their subscriptions.
import { sql } from 'kysely';
import { Refusal } from '../../platform/context.ts';
import { act, type EngineContext, GIFT, type PendingCharge, updateMethod } from '../../engine/index.ts';

/** The customer's other subscriptions that are charged or may be again. */
export async function othersOf(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  { id, customerId }: { id: number; customerId: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from contracts where store_id = ${storeId}::integer
    and customer_id = ${customerId}::bigint and id <> ${id}::bigint and source <> ${GIFT} and status in ('ACTIVE', 'PAUSED', 'FAILED')
    order by id limit 50`.execute(trx);
  return rows.map(one => one.id);
}

/** The charge that follows, if one does: an order in recovery is tried at once. @throws Refusal where the subscription can't be changed */
export const payBy = async (context: EngineContext, id: number, customerPaymentMethodId: number): Promise<PendingCharge | null> =>
  (
    await act(context, id, { action: 'updatePaymentMethod', attempts: 2 }, (work, on) =>
      updateMethod(work, on, { customerPaymentMethodId }),
    )
  ).result;

/**
 * The same for subscriptions of which some can't be changed now: those keep the method that they have. Answers the charges that follow, and
 * which were changed.
 */
export async function payAllBy(
  context: EngineContext,
  ids: readonly number[],
  methodId: number,
): Promise<{ charges: PendingCharge[]; changed: number[] }> {
  const charges: PendingCharge[] = [];
  const changed: number[] = [];
  for (const id of ids)
    try {
      const charge = await payBy(context, id, methodId);
      changed.push(id);
      if (charge) charges.push(charge);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
    }
  return { charges, changed };
}

/** Methods of a customer that can be there beside each other. */
const MOST_METHODS = 20;

/** Whether a customer has as many methods as are kept. */
export async function hasTooMany({ trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>, customerId: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from payment_methods where store_id = ${storeId}::integer
    and customer_id = ${customerId}::bigint and revoked_at is null`.execute(trx);
  return (rows[0]?.n ?? 0) >= MOST_METHODS;
}
