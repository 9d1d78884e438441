// What every message about a subscription may name (schemas/common/message-variables.json).
import { dateLabel } from '../../../../domain/calendar/calendar.ts';
import type { JsonValue } from '../../../../contract/types.ts';
import type { EngineContext } from './context.ts';
import { nameOf } from './price.ts';
import type { ContractRow, LineRow } from './rows.ts';

/** The variables by their names in templates. Days are days of the store. */
export function messageVariables(
  { store, config }: Pick<EngineContext, 'store' | 'config'>,
  contract: Pick<ContractRow, 'id' | 'customer_name' | 'customer_email' | 'frequency' | 'next_billing_at'>,
  lines: readonly LineRow[],
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
      nextOrderOn: contract.next_billing_at && dateLabel(contract.next_billing_at.getTime(), store.timezone),
    },
    portal: { isThere: config.portalUrl !== undefined },
  };
}
