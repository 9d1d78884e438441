// What every message about a subscription may name (schemas/common/message-variables.json).
import type { Kysely } from 'kysely';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import type { Tables } from '../../generated/tables.ts';
import type { Speech } from '../platform/mail/speech.ts';
import type { EngineContext } from './context.ts';
import { actionLinks, cardLink } from './action-links.ts';
import { ACCESSIBILITY, signInPath } from '../platform/mail/account-link.ts';
import { leadsOf, type LettersLead, PORTAL_PREFERENCES } from './letters-lead.ts';
import { portalBase } from './portal-link.ts';
import { productsRead } from './products-read.ts';
import { deliveryOf } from './schedule.ts';
import type { ContractRow, LineRow } from './rows.ts';

/** What a subscription says about itself in a message. */
export type Told = Pick<
  ContractRow,
  'id' | 'customer_name' | 'customer_first_name' | 'customer_email' | 'delivery_interval' | 'delivery_interval_count' | 'next_billing_at'
> &
  Partial<Pick<ContractRow, 'loyalty_points' | 'bundles'>>;

/** The variables by their names in templates, said in the language of the message. */
export function messageVariables(
  { store, config, hasPortal = true, letsEnterCards = false }: Pick<EngineContext, 'store' | 'config'> & LettersLead,
  contract: Told,
  lines: readonly LineRow[],
  say: Speech,
): Record<string, JsonValue> {
  const base = hasPortal ? portalBase(config) : undefined;
  const now = new Date(Date.now() + (store.clock_offset_ms ?? 0));
  // Cards are entered on the page of a provider that charges them.
  const hasCardPage = letsEnterCards && store.charges_through?.includes('STRIPE') === true;
  return {
    store: { name: store.name, email: store.email },
    customer: {
      name: contract.customer_name,
      firstName: contract.customer_first_name || say.phrase('mailThere') || '',
      email: contract.customer_email,
      loyaltyPoints: contract.loyalty_points ?? null,
    },
    subscription: {
      id: contract.id,
      frequency: say.every(deliveryOf(contract)),
      products: productsRead(contract, lines.map(say.named)).flatMap(({ quantity, name, isOneTime, line }) =>
        isOneTime ? [] : { quantity, name, picture: line?.image ?? null },
      ),
      nextOrderOn: contract.next_billing_at && say.day(contract.next_billing_at),
    },
    portal: { isThere: base !== undefined, link: base === undefined ? null : base + signInPath(store.id) },
    card: { link: hasCardPage ? cardLink(base, store, contract.id, now) : null },
    quickAction: actionLinks(config, store, contract.id, now),
  };
}

/** The subscription, the language of its customer and its variables, freshly read; undefined when there is no such subscription. */
export async function contractVariables(
  trx: Kysely<Tables>,
  scope: Pick<EngineContext, 'store' | 'config'>,
  contractId: number,
): Promise<{ email: string; locale: string | null; variables: (say: Speech) => Record<string, JsonValue> } | undefined> {
  const storeId = scope.store.id;
  const contract = await trx
    .selectFrom('contracts')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', contractId)
    .executeTakeFirst();
  if (!contract) return undefined;
  const lines = await trx
    .selectFrom('contract_lines')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('contract_id', '=', contractId)
    .orderBy('position')
    .execute();
  const pages = await trx
    .selectFrom('settings')
    .select(['name', 'data'])
    .where('store_id', '=', storeId)
    .where('name', 'in', [ACCESSIBILITY, PORTAL_PREFERENCES])
    .execute();
  const of = (name: string): JsonObject => (pages.find(one => one.name === name)?.data ?? {}) as JsonObject;
  const leads = leadsOf(of(ACCESSIBILITY), of(PORTAL_PREFERENCES));
  return {
    email: contract.customer_email,
    locale: contract.customer_locale,
    variables: say => messageVariables({ ...scope, ...leads }, contract, lines, say),
  };
}
