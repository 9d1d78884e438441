// Bundles on a contract: several of its lines that were sold together. Their lines share a transaction id; what the bundle is stands in
// `contracts.bundles`, and what it costs less is a discount of the kind BUNDLE on its lines.
import { sql } from 'kysely';
import { invalidState } from '../platform/context.ts';
import type { Aggregate } from './aggregate.ts';
import type { EngineContext } from './context.ts';
import type { ContractRow, DiscountRow, LineRow } from './rows.ts';
import { t } from '../../domain/text/t.ts';

/** A bundle as the contract keeps it. */
export interface HeldBundle {
  /** The transaction that its lines share. */
  id: string;
  bundleId: number;
  name: string;
  bundleType: 'BYOB' | 'PRESET';
  /** Of a preset bundle: the variant that was bought. */
  variantId: number | null;
  boxSizeId: number | null;
  boxName: string | null;
  /** How many of a preset bundle. */
  quantity: number;
  /** In one order only. */
  isOnce: boolean;
  /** Customers read its name alone. */
  isSecret?: boolean;
}

export const heldBundles = ({ contract }: Pick<Aggregate, 'contract'>): HeldBundle[] => (contract.bundles ?? []) as HeldBundle[];
/** Bundles whose contents are kept from the customer. */
export const secretBundles = ({ bundles }: Partial<Pick<ContractRow, 'bundles'>>): HeldBundle[] =>
  ((bundles ?? []) as HeldBundle[]).filter(one => one.isSecret === true);
export const linesOfBundle = ({ lines }: Pick<Aggregate, 'lines'>, id: string): LineRow[] =>
  lines.filter(line => line.bundle_transaction_id === id);

/** Writes the bundles of a contract down, with their ids for filters and counts. */
export function keepBundles(contract: ContractRow, held: readonly HeldBundle[]): void {
  contract.bundles = held.length === 0 ? null : (held as ContractRow['bundles']);
  contract.bundle_ids = held.length === 0 ? null : [...new Set(held.map(one => one.bundleId))].sort((a, b) => a - b);
}

/** A bundle whose last line is gone is gone too. */
export function forgetEmptyBundles(subscription: Aggregate): void {
  const held = heldBundles(subscription);
  const live = held.filter(one => subscription.lines.some(line => line.bundle_transaction_id === one.id));
  if (live.length !== held.length) keepBundles(subscription.contract, live);
}

/** The name of the bundle that a line belongs to; undefined for a product by itself. */
export const bundleNameOf = (subscription: Aggregate, line: LineRow): string | undefined =>
  line.bundle_transaction_id === null
    ? undefined
    : (heldBundles(subscription).find(one => one.id === line.bundle_transaction_id)?.name ?? line.product_title);

/** A product of a bundle is not changed by itself. @throws Refusal 409 */
export function refuseBundled(subscription: Aggregate, line: LineRow): void {
  const name = bundleNameOf(subscription, line);
  if (name !== undefined) throw invalidState(t`This product is part of the bundle “${name}”. Change or remove the bundle instead.`);
}

/** What a bundle costs less is no discount by itself. @throws Refusal 409 */
export function refuseBundleDiscount(row: DiscountRow): void {
  if (row.kind === 'BUNDLE') throw invalidState(t`This discount belongs to the bundle “${row.title}”. It goes with the bundle.`);
}

/** Selling plan groups that are kept for bundles: not offered to subscriptions where the store says so (bundles.md, section 11). */
export async function groupsOfBundles({ trx, storeId, setting }: Pick<EngineContext, 'trx' | 'storeId' | 'setting'>): Promise<Set<number>> {
  if ((await setting('bundle-preferences')).hideBundleSellingPlans !== true) return new Set();
  const { rows } = await sql<{ id: number }>`select distinct (data ->> 'sellingPlanGroupId')::bigint as id from records
    where store_id = ${storeId}::integer and entity = 'bundle' and deleted_at is null
      and data ->> 'sellingPlanGroupId' is not null`.execute(trx);
  return new Set(rows.map(row => row.id));
}
