// The choices for the filters of the account log.
import { sql } from 'kysely';
import type { JsonValue } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { actionLabel } from './rules.ts';

/**
 * The actions that the store's log holds, with their words. Walks the index from value to value, so that a
 * long log costs no more than a short one.
 */
export async function loggedActions(context: RuleContext): Promise<JsonValue> {
  const { rows } = await sql<{ action: string; category: string }>`with recursive steps as (
      (select action, category from account_log where store_id = ${context.storeId} order by action limit 1)
      union all
      select next.action, next.category from steps cross join lateral (select action, category from account_log
        where store_id = ${context.storeId} and action > steps.action order by action limit 1) next
    ) select action, category from steps`.execute(context.trx);
  return rows
    .map(row => ({ key: row.action, label: actionLabel(context.definitions, row.action), category: row.category }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
}

/** The people of the log: the team, removed members too, because their entries stay. */
export async function loggedPeople(context: RuleContext): Promise<JsonValue> {
  const found = await context.trx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'shopify_id', 'removed_at'])
    .where('store_id', '=', context.storeId)
    .where('type', '<>', 'LOOP_USER')
    .orderBy('first_name')
    .orderBy('id')
    .execute();
  return found.map(user => ({
    userId: user.id,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    name: `${user.first_name} ${user.last_name}`.trim() || user.email,
    userShopifyId: user.shopify_id,
    isRemoved: user.removed_at !== null,
  }));
}
