// What an action on a subscription leaves in the account log: which columns differ, and what the activity log says about it.
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { changedColumns, type ContractRow } from '../rows.ts';
import type { Acted } from './act.ts';

const MONEY = new Set(['total', 'subtotal', 'delivery_price']);
/** Columns that only repeat others. */
const QUIET = new Set(['search', 'updated_at', 'version', 'variant_ids', 'product_ids', 'plan_group_ids', 'subtotal']);

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function wire(row: ContractRow, name: string): JsonValue {
  const value = (row as Record<string, unknown>)[name];
  if (value instanceof Date) return value.toISOString();
  if (MONEY.has(name)) return toDecimal(Number(value), row.currency_code);
  return (value ?? null) as JsonValue;
}

/** Writes the line of an action into the account log. */
export async function logAction(context: Context, action: string, { subscription, before, notes }: Acted<unknown>): Promise<void> {
  const names = changedColumns(before, subscription.contract).filter(name => !QUIET.has(name));
  const of = (row: ContractRow): JsonObject => Object.fromEntries(names.map(name => [camel(name), wire(row, name)]));
  const what = notes.map(note => context.definitions.events[note.key]?.title ?? note.key).join(', ');
  await context.log({
    action: `subscription.${action}`,
    category: 'Subscriptions',
    entity: 'subscription',
    entityId: subscription.contract.id,
    description: `#${subscription.contract.id} ${subscription.contract.customer_name}: ${what || 'nothing changed'}`,
    before: of(before),
    after: { ...of(subscription.contract), ...(notes.length ? { events: notes as JsonValue } : {}) },
  });
}
