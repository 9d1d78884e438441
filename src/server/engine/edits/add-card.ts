// A card that a customer enters themselves: what the vault lets be known of it becomes one of their payment methods.
import type { Vaulted } from '../../platform/gateway/card-vault.ts';
import type { EngineContext } from '../context.ts';
import { tellMethodAdded } from '../payment-method-events.ts';
import { newIds } from '../rows.ts';

/** Adds a card to the methods of a customer; gives its number. Nothing is paid by it yet. */
export async function addCard(context: EngineContext, customerId: number, card: Vaulted): Promise<number> {
  const { trx, storeId } = context;
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
