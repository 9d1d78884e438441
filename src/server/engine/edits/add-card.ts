// A card that a customer enters themselves: what the vault lets be known of it becomes one of their payment methods.
import type { Vaulted } from '../../platform/gateway/card-vault.ts';
import type { EngineContext } from '../context.ts';
import { tellMethodAdded } from '../payment-method-events.ts';
import { newIds } from '../rows.ts';

/**
 * Adds a card to the methods of a customer; gives its number. Nothing is paid by it yet. A card of a provider's that is among them already
 * is added no second time.
 */
export async function addCard(context: EngineContext, customerId: number, card: Vaulted): Promise<number> {
  const { trx, storeId } = context;
  const known = await trx
    .selectFrom('payment_methods')
    .select('id')
    .where('store_id', '=', storeId)
    .where('customer_id', '=', customerId)
    .where('gateway_token', '=', card.token)
    .where('gateway_token', 'like', 'moved\\_%')
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (known) return known.id;
  const [id] = (await newIds(trx, 'payment_methods', 1)) as [number];
  const at = context.now();
  const method = { id, customer_id: customerId, brand: card.brand, last_digits: card.lastDigits };
  await trx
    .insertInto('payment_methods')
    .values({
      store_id: storeId,
      ...method,
      shopify_id: `pm_${id}`,
      type: 'CREDIT_CARD',
      name: card.name,
      expiry_month: card.expiryMonth,
      expiry_year: card.expiryYear,
      gateway_token: card.token,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await tellMethodAdded(context, method);
  return id;
}
