// What every message about a subscription may name (schemas/common/message-variables.json).
import { writtenDate } from '../../../../domain/calendar/date-format.ts';
import type { Kysely } from 'kysely';
import type { JsonValue } from '../../../../contract/types.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { PREFERENCES } from '../../../platform/mail/letterhead.ts';
import type { EngineContext } from './context.ts';
import { nameOf } from './price.ts';
import type { ContractRow, LineRow } from './rows.ts';

/** The variables by their names in templates. Days are days of the store. */
export function messageVariables(
  { store, config }: Pick<EngineContext, 'store' | 'config'>,
  contract: Pick<ContractRow, 'id' | 'customer_name' | 'customer_email' | 'frequency' | 'next_billing_at'>,
  lines: readonly LineRow[],
  dateFormat: string,
): Record<string, JsonValue> {
  return {
    store: { name: store.name, email: store.email },
    customer: {
      name: contract.customer_name,
      firstName: contract.customer_name.split(' ')[0] || 'there',
      email: contract.customer_email,
    },
    subscription: {
      id: contract.id,
      frequency: contract.frequency.toLowerCase(),
      products: lines.filter(line => !line.one_time_added).map(line => ({ quantity: line.quantity, name: nameOf(line) })),
      nextOrderOn: contract.next_billing_at && writtenDate(contract.next_billing_at.getTime(), store.timezone, dateFormat),
    },
    portal: { isThere: config.portalUrl !== undefined },
  };
}

/** The subscription and its variables, read anew; undefined when there is no such subscription. */
export async function contractVariables(
  trx: Kysely<Tables>,
  scope: Pick<EngineContext, 'store' | 'config' | 'setting'>,
  contractId: number,
): Promise<{ email: string; variables: Record<string, JsonValue> } | undefined> {
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
    variables: messageVariables(scope, contract, lines, String((await scope.setting(PREFERENCES)).dateFormat)),
  };
}
