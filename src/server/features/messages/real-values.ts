// What a message about one subscription of the store would say: the values of its own variables, as far as that subscription has them.
import type { JsonValue } from '../../../contract/types.ts';
import { categoryOf } from '../../../domain/recovery/failure-codes.ts';
import type { Context } from '../../platform/context.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import { whyFailed } from '../../engine/index.ts';

type Values = Record<string, JsonValue>;

/** By the names that the files of schemas/messages use. What the subscription does not have (a payment that failed) is left out. */
export async function realValues(context: Context, contractId: number, say: Speech): Promise<Values> {
  const { trx, storeId } = context;
  const contract = await trx
    .selectFrom('contracts')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', contractId)
    .executeTakeFirst();
  if (!contract) return {};
  const day = (at: Date | null): string | null => at && say.day(at);
  return {
    resumeOn: day(contract.resume_at),
    nextOrderOn: day(contract.next_billing_at),
    ...(contract.next_billing_at ? { orderOn: day(contract.next_billing_at), date: day(contract.next_billing_at) } : {}),
    reason: contract.cancellation_reason,
    deliveriesLeft: contract.prepaid_credits,
    ...(await ofCard(context, contract.payment_method_id)),
    ...(await ofFailure(context, contractId, say)),
  };
}

async function ofCard({ trx, storeId }: Context, methodId: number | null): Promise<Values> {
  if (methodId === null) return {};
  const card = await trx
    .selectFrom('payment_methods')
    .select(['last_digits', 'expiry_month', 'expiry_year'])
    .where('store_id', '=', storeId)
    .where('id', '=', methodId)
    .executeTakeFirst();
  return {
    ...(card?.last_digits ? { lastDigits: card.last_digits } : {}),
    ...(card?.expiry_year ? { expiry: `${String(card.expiry_month).padStart(2, '0')}/${card.expiry_year}` } : {}),
  };
}

/** Of the last order whose payment failed. */
async function ofFailure({ trx, storeId }: Context, contractId: number, say: Speech): Promise<Values> {
  const order = await trx
    .selectFrom('orders')
    .select(['id', 'total', 'currency_code', 'error_code', 'next_retry_at', 'billing_at'])
    .where('store_id', '=', storeId)
    .where('contract_id', '=', contractId)
    .where('error_code', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!order) return {};
  const failed = await trx
    .selectFrom('events')
    .select('data')
    .where('store_id', '=', storeId)
    .where('contract_id', '=', contractId)
    .where('key', '=', 'payment_failed')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const { key, label, description } = categoryOf(order.error_code);
  const action = (failed?.data as { action?: JsonValue } | undefined)?.action;
  return {
    explanation: whyFailed(say, key),
    failure: label,
    description,
    amount: say.money(order.total, order.currency_code),
    retryOn: order.next_retry_at && say.day(order.next_retry_at),
    orderOn: say.day(order.billing_at),
    ...(typeof action === 'string' ? { finalAction: action } : {}),
  };
}
