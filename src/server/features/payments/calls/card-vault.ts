// The card vault's own call (D209). A store may have another vault: the host group `external` says where; this one keeps test cards.
import type { JsonValue } from '../../../../contract/types.ts';
import { t } from '../../../../domain/text/t.ts';
import { invalid, invalidState, type Context } from '../../../platform/context.ts';
import { takesTestCards } from '../../../platform/gateway/gateway.ts';
import { newSessionId, vault, type CardInput } from '../../../platform/gateway/card-vault.ts';

/** How long a session may be used. */
const MINUTES = 30;

/** Keeps a card for a short time and answers a session by which it can be registered once. The number is not kept. */
export async function session(context: Context, input: CardInput): Promise<JsonValue> {
  if (!takesTestCards(context.store))
    throw invalidState(t`This store charges through a payment provider of its own. Test cards are not taken here.`);
  const card = vault(input, context.now());
  if (Array.isArray(card)) throw invalid(card);
  const id = newSessionId();
  const now = context.now();
  const expiresAt = new Date(now.getTime() + MINUTES * 60_000);
  await context.trx
    .insertInto('card_vault_sessions')
    .values({
      store_id: context.storeId,
      id,
      brand: card.brand,
      last_digits: card.lastDigits,
      name: card.name,
      expiry_month: card.expiryMonth,
      expiry_year: card.expiryYear,
      gateway_token: card.token,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  // The log of the account has what may be shown; without a line of ours it would have what was sent.
  await context.log({
    action: 'card-vault.session',
    category: 'Customers',
    description: 'Card handed to the card vault',
  });
  return { id, expiresAt: expiresAt.toISOString() };
}
