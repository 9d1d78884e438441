// Profiles of offers (swap, upsell, upgrade): documents in an order of priority. The first one that fits a subscription is used.
import { sql } from 'kysely';
import type { ConditionSet } from '../../../contract/conditions.ts';
import { prepaidRefusal } from '../../../contract/switches.ts';
import { meetsAll } from '../../../domain/conditions/evaluate.ts';
import type { Context } from '../../platform/context.ts';
import { askedOf, factScope, factsOfContract } from '../../platform/records/conditions/compile.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { type Aggregate, isGift, type UnitOfWork } from '../../engine/index.ts';

/** Where an offer is looked at: by the team, by subscribers in the portal or on a page of the store, or before a customer cancels. */
export type Place = 'ADMIN' | 'PORTAL' | 'CANCELLATION_FLOW' | 'STOREFRONT';
/** How something that is offered can be added: to the next order alone, or to every order. */
export type PurchaseType = 'ONETIME' | 'SUBSCRIPTION';
export type ProfileEntity = 'swap-profile' | 'upsell-profile' | 'upgrade-profile';
/** Products, single variants and collections, as profiles name them. */
export interface Chosen {
  productIds?: number[];
  variantIds?: number[];
  collectionIds?: number[];
}
/** What offers are worked out with: who asks, and the subscription. */
export interface Scope {
  context: RuleContext & Pick<Context, 'setting'>;
  work: UnitOfWork;
  subscription: Aggregate;
}

/** The profiles of a kind that are on, by their priority. */
export async function activeProfiles<P extends { id: number }>(
  { trx, storeId }: Pick<RuleContext, 'trx' | 'storeId'>,
  entity: ProfileEntity,
): Promise<P[]> {
  const { rows } = await sql<{ id: number; data: Omit<P, 'id'> }>`select id, data from records where store_id = ${storeId}::integer
    and entity = ${entity} and deleted_at is null and data ->> 'status' = 'ACTIVE' order by position, id`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id }) as P);
}

/** Whether products are offered to the subscription to add: prepaid ones are, where the store's switch is on (D122). */
export const takesUpsells = ({ context, subscription: { contract } }: Pick<Scope, 'context' | 'subscription'>): boolean =>
  !contract.is_prepaid || isGift(contract) || prepaidRefusal(context.store.feature_switches, { part: 'UPSELLS' }) === null;

/** Whether a subscription meets conditions; nothing in them means everybody. */
export async function meetsConditions({ context, subscription }: Scope, conditions: ConditionSet | undefined): Promise<boolean> {
  if (!conditions?.rows.length) return true;
  const questions = askedOf(conditions, context.definitions.conditions, context.store.currency_code);
  const names = questions.rows.map(row => row.fact);
  const facts = await factsOfContract(context.trx, subscription.contract.id, names, await factScope(context, names));
  return facts !== undefined && meetsAll(facts, questions);
}
