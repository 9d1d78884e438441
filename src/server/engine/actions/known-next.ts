// What a call means that says "the next order" without its id: the order that was next when the call came in. Several such calls at once
// mean the same order, so that a button pressed twice skips one.
import { sql } from 'kysely';
import { t } from '../../../domain/text/t.ts';
import { invalidState, type Context } from '../../platform/context.ts';
import type { Database } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared-statements.ts';
import type { ContractRow } from '../rows.ts';
import { idOf, type Naming } from './named-subscription.ts';

/** The order that is next, as a reader sees it who holds no lock. */
type Next = Pick<ContractRow, 'next_cycle' | 'next_billing_at'>;
/** The order that was next when a call came in. */
export interface KnownNext {
  next: Next | undefined;
  /** To be done once the call has ended: those that come in later ask again. */
  forget(): void;
}

/** After so long (ms) a call that never came to its work, since its answer was there already, is forgotten. */
const LONGEST = 10_000;
/** The calls of this process that are under way, by subscription: an embedded database does one after the other, each after the last. */
const underWay = new WeakMap<Database, Map<string, Promise<Next | undefined>>>();

/**
 * The order that a call means by "the next one". To be asked before its transaction waits for its turn (`prepare`); what comes in while
 * another such call on the subscription is under way means that one's order. @throws Refusal 404
 */
export async function knowNext(context: Context, input: Naming): Promise<KnownNext> {
  const calls = underWay.get(context.db) ?? new Map<string, Promise<Next | undefined>>();
  underWay.set(context.db, calls);
  const { id, subscriptionShopifyId, subscriptionContractShopifyId } = input;
  const key = `${context.storeId} ${id ?? `store ${subscriptionShopifyId ?? subscriptionContractShopifyId}`}`;
  const before = calls.get(key);
  if (before) return { next: await before, forget: () => undefined };
  const asked = context.transaction(async inner => {
    const { rows } = await prepared(
      sql<Next>`select next_cycle, next_billing_at from contracts
        where store_id = ${inner.storeId}::integer and id = ${await idOf(inner, input)}::bigint`,
    ).execute(inner.trx);
    return rows[0];
  });
  calls.set(key, asked);
  const forget = (): void => {
    clearTimeout(timer);
    if (calls.get(key) === asked) calls.delete(key);
  };
  const timer = setTimeout(forget, LONGEST).unref();
  try {
    return { next: await asked, forget };
  } catch (error) {
    forget();
    throw error;
  }
}

/** With the contract locked. @throws Refusal 409 where another order is next by now, or the same on another day */
export function refuseOtherNext({ next_cycle: cycle, next_billing_at: at }: ContractRow, next: Next): void {
  if (cycle !== next.next_cycle || at?.getTime() !== next.next_billing_at?.getTime())
    throw invalidState(
      t`The next order of this subscription was changed by another request at the same moment. Look at its orders, and send this again if it
        is still meant.`,
    );
}
