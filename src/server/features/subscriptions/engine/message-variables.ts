// What every message about a subscription may name (schemas/common/message-variables.json).
import type { Kysely } from 'kysely';
import type { JsonValue } from '../../../../contract/types.ts';
import type { Tables } from '../../../../generated/tables.ts';
import type { Speech } from '../../../platform/mail/speech.ts';
import type { EngineContext } from './context.ts';
import { actionLinks } from './action-links.ts';
import { secretBundles } from './bundles.ts';
import { nameOf } from './price.ts';
import { deliveryOf } from './schedule.ts';
import type { ContractRow, LineRow } from './rows.ts';

/** What a subscription says about itself in a message. */
export type Told = Pick<
  ContractRow,
  'id' | 'customer_name' | 'customer_email' | 'delivery_interval' | 'delivery_interval_count' | 'next_billing_at'
> &
  Partial<Pick<ContractRow, 'loyalty_points' | 'bundles'>>;

/** The recurring products; of a bundle whose contents are kept secret its name alone. */
function productsTold(contract: Told, lines: readonly LineRow[]): { quantity: number; name: string }[] {
  const secret = new Map(secretBundles(contract).map(one => [one.id, one]));
  const told = new Set<string>();
  return lines.flatMap(line => {
    if (line.one_time_added) return [];
    const bundle = secret.get(line.bundle_transaction_id ?? '');
    if (!bundle) return [{ quantity: line.quantity, name: nameOf(line) }];
    if (told.has(bundle.id)) return [];
    told.add(bundle.id);
    return [{ quantity: bundle.quantity, name: bundle.name }];
  });
}

/** The variables by their names in templates, said in the language of the message. */
export function messageVariables(
  { store, config }: Pick<EngineContext, 'store' | 'config'>,
  contract: Told,
  lines: readonly LineRow[],
  say: Speech,
): Record<string, JsonValue> {
  return {
    store: { name: store.name, email: store.email },
    customer: {
      name: contract.customer_name,
      firstName: contract.customer_name.split(' ')[0] || say.phrase('mailThere') || '',
      email: contract.customer_email,
      loyaltyPoints: contract.loyalty_points ?? null,
    },
    subscription: {
      id: contract.id,
      frequency: say.every(deliveryOf(contract)),
      products: productsTold(contract, lines),
      nextOrderOn: contract.next_billing_at && say.day(contract.next_billing_at),
    },
    portal: { isThere: config.portalUrl !== undefined },
    quickAction: actionLinks(config, store, contract.id, new Date(Date.now() + (store.clock_offset_ms ?? 0))),
  };
}

/** The subscription, the language of its customer and its variables, read anew; undefined when there is no such subscription. */
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
  return {
    email: contract.customer_email,
    locale: contract.customer_locale,
    variables: say => messageVariables(scope, contract, lines, say),
  };
}
