// What can be started from an alert to resolve it: changes of many subscriptions by bulk actions, and copying collections again.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { bulkWire } from '../bulk-actions/bulk-record.ts';
import { createBulk, startBulk } from '../bulk-actions/start.ts';
import { invalid, invalidState, type Context } from '../../platform/context.ts';
import { startSync } from '../selling-plans/collections.ts';
import type { Hits } from './alert-check.ts';
import { overdue } from './checks/orders.ts';
import { withExpiredMethod } from './checks/payments.ts';
import { scopeOf } from './raise.ts';
import type { Started } from './resolution.ts';
import { t } from '../../../domain/text/t.ts';

export interface ResolutionInput {
  /** Which variant takes the place of which; rows without a new one are left alone. */
  mapping?: { fromVariantId: number; toVariantId?: number | null }[];
  priceRule?: 'KEEP' | 'PLAN';
  /** Percent off the next order of every subscription that is changed. */
  discount?: number | null;
  /** The number of subscriptions, typed by hand where cards are charged. */
  confirmCount?: number;
}

export interface Starter {
  /** The areas of which WRITE is needed besides that of the alert center. */
  permissions: readonly string[];
  /** The feature that the plan must have. */
  feature?: string;
  /** Starts it, in the request's transaction. @throws Refusal where the input or the store does not allow it */
  begin(context: Context, input: ResolutionInput): Promise<{ resolving: Started; message: string; bulkActionId?: number }>;
}

/** More subscriptions, or collections, than these are left for the next time. */
const MAX = 10_000;
const MAX_COLLECTIONS = 200;

/** The subscriptions that a check hits, by their ids. */
async function hitIds(context: Context, hits: Hits): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct contract_id as id from (${hits}) h order by 1 limit ${MAX}`.execute(
    context.trx,
  );
  if (rows.length === 0) throw invalidState(t`Nothing is affected any more. Check again to close the alert.`);
  return rows.map(row => row.id);
}
const scope = (context: Context) => scopeOf(context.trx, context.store, context.now(), context.definitions.plans);

/** Makes a bulk action for the subscriptions and lets it run. */
async function run(
  context: Context,
  actionKey: string,
  ids: number[],
  input: JsonObject,
  label: string,
  confirmCount?: number,
): Promise<number> {
  const draft = await createBulk(context, { actionKey, selection: { mode: 'IDS', ids }, input, label });
  await startBulk(context, { id: draft.id, ...(confirmCount === undefined ? {} : { confirmCount }) }, 'runBulkAction');
  return Number(bulkWire(draft, context.now()).id);
}

const swap: Starter = {
  permissions: ['subscriptionProduct', 'bulkActions'],
  feature: 'bulk_actions',
  async begin(context, { mapping = [], priceRule = 'KEEP', discount }) {
    const chosen = mapping.filter((one): one is { fromVariantId: number; toVariantId: number } => typeof one.toVariantId === 'number');
    if (chosen.length === 0)
      throw invalid([{ pointer: '/mapping', rule: 'minItems', message: t`Choose what takes the place of at least one product.` }]);
    const ids: number[] = [];
    const all = new Set<number>();
    for (const toVariantId of new Set(chosen.map(one => one.toVariantId))) {
      const variantIds = chosen.filter(one => one.toVariantId === toVariantId).map(one => one.fromVariantId);
      const held = await hitIds(
        context,
        sql`select l.contract_id from contract_lines l join contracts c on c.store_id = l.store_id and c.id = l.contract_id
          and c.status = 'ACTIVE' where l.store_id = ${context.storeId}::integer and l.variant_id = any(${variantIds}::bigint[])`,
      );
      for (const id of held) all.add(id);
      ids.push(
        await run(context, 'SWAP_PRODUCT', held, { variantIds, toVariantId, quantityRule: 'KEEP', priceRule }, 'Swap inactive products'),
      );
    }
    if (discount)
      ids.push(
        await run(
          context,
          'ADD_DISCOUNT',
          [...all].slice(0, MAX),
          { kind: 'MANUAL', title: 'For a product that is no longer sold', type: 'PERCENTAGE', value: String(discount), orderLimit: 1 },
          'Discount for swapped products',
        ),
      );
    return { resolving: { kind: 'BULK', ids }, bulkActionId: ids[0] as number, message: t`The products are being swapped.` };
  },
};

const ask: Starter = {
  permissions: ['subscriptionPaymentDetails', 'bulkActions'],
  feature: 'bulk_actions',
  async begin(context) {
    const id = await run(
      context,
      'SEND_PAYMENT_UPDATE_EMAIL',
      await hitIds(context, withExpiredMethod(scope(context))),
      {},
      'Ask for new cards',
    );
    return {
      resolving: { kind: 'BULK', ids: [id], left: 'The customers were asked. The alert closes as they enter new cards.' },
      bulkActionId: id,
      message: t`The e-mails are on their way.`,
    };
  },
};

const charge: Starter = {
  permissions: ['subscriptionOrderActions', 'bulkActions'],
  feature: 'bulk_actions',
  async begin(context, { confirmCount }) {
    const id = await run(
      context,
      'CHARGE_ORDER',
      await hitIds(context, overdue(scope(context))),
      { which: 'OVERDUE', keepSchedule: true },
      'Charge overdue orders',
      confirmCount,
    );
    return { resolving: { kind: 'BULK', ids: [id] }, bulkActionId: id, message: t`The orders are being charged.` };
  },
};

const copyAgain: Starter = {
  permissions: ['sellingPlan'],
  async begin(context) {
    const { rows } = await sql<{
      id: number;
    }>`select c.id from collections c where c.store_id = ${context.storeId}::integer and (c.sync_status = 'FAILED'
        or c.seed_status = 'FAILED')
      and exists (select 1 from plan_collections m where m.store_id = c.store_id and m.collection_id = c.id) order by c.id
        limit ${MAX_COLLECTIONS}`.execute(context.trx);
    for (const { id } of rows) await startSync(context, id, 'sync', { again: true });
    return { resolving: { kind: 'COLLECTIONS', ids: rows.map(row => row.id) }, message: t`The collections are being copied again.` };
  },
};

/** By the key of the alert's kind; alerts of other kinds are resolved elsewhere. */
export const STARTERS: Record<string, Starter> = {
  INACTIVE_PRODUCTS: swap,
  EXPIRED_METHODS: ask,
  OVERDUE_ORDERS: charge,
  COLLECTION_SYNC_FAILED: copyAgain,
};
