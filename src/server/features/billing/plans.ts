// Plans of the product: what one costs, the billing period, how much of a plan a store uses, and putting a change into effect.
import { sql, type Kysely } from 'kysely';
import { planOf } from '../../platform/auth/store-plan.ts';
import type { Store } from '../../platform/context.ts';
import type { Definitions, Plan } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { inFigures, t } from '../../../domain/text/t.ts';

const DAY_MS = 86_400_000;
const PERIOD_DAYS = 30;
/** The rank from which prices are agreed one by one. */
const CUSTOM_RANK = 4;

export const isCustom = (plan: Pick<Plan, 'rank'>): boolean => plan.rank >= CUSTOM_RANK;
export const chargeOf = (plan: Plan): string => (isCustom(plan) ? 'A price of your own' : `$${plan.fixedCharge}`);
export const feeOf = (plan: Plan): string => (isCustom(plan) ? 'a share of your own' : `${Number(plan.transactionCharge)}%`);

/** Plans that are sold, from the smallest to the largest. */
export const sold = ({ plans }: Pick<Definitions, 'plans'>): Plan[] =>
  plans.filter(({ flagged }) => !flagged).sort((x, y) => x.rank - y.rank);

/** The 30 days of the plan that a moment lies in, counted from the day the plan began. */
export function periodAt(since: Date, at: Date): { from: Date; to: Date } {
  const n = Math.max(0, Math.floor((at.getTime() - since.getTime()) / (PERIOD_DAYS * DAY_MS)));
  const from = new Date(since.getTime() + n * PERIOD_DAYS * DAY_MS);
  return { from, to: new Date(from.getTime() + PERIOD_DAYS * DAY_MS) };
}

/** Active and paused subscriptions, which are what a plan's limit counts. */
export async function runningOf(trx: Kysely<Tables>, storeId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from contracts
    where store_id = ${storeId}::integer and status in ('ACTIVE', 'PAUSED')`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** Why a store can't be on a plan, in a sentence; undefined where it can. */
export function misfit(plan: Plan, running: number): string | undefined {
  const limit = plan.subscriptionLimit;
  return limit !== undefined && running > limit ? t`You have ${inFigures(running)} subscriptions; this plan allows ${limit}.` : undefined;
}

/** What stops with each feature that a lower plan lacks: how many of it are in use now. Features without a count have their name alone. */
export async function inUse(trx: Kysely<Tables>, storeId: number): Promise<Record<string, { count: number; what: string }>> {
  const { rows } = await sql<{
    api: number;
    prepaid: number;
    recovery: number;
    bulk: number;
    prices: number;
    dates: number;
    domains: number;
  }>`
    select (select count(*) from api_tokens where store_id = ${storeId}::integer and status = 'ACTIVE') as api,
      (select count(*) from contracts where store_id = ${storeId}::integer and status in ('ACTIVE', 'PAUSED') and is_prepaid) as prepaid,
      (select count(*) from contracts where store_id = ${storeId}::integer and dunning is not null
        and status in ('ACTIVE', 'FAILED')) as recovery,
      (select count(*) from bulk_actions where store_id = ${storeId}::integer and status in ('QUEUED', 'IN_PROGRESS')) as bulk,
      (select count(*) from settings where store_id = ${storeId}::integer and name = 'auto-updates'
        and (data @> '{"autoUpdateProductPrice": true}' or data @> '{"autoUpdateShippingPrice": true}')) as prices,
      (select count(*) from settings where store_id = ${storeId}::integer and name = 'order-schedule'
        and data @> '{"scheduleType": "DELIVERY"}') as dates,
      (select count(*) from email_domains where store_id = ${storeId}::integer) as domains`.execute(trx);
  const n = rows[0];
  if (!n) return {};
  const counted = (count: number, one: string, many: (n: string) => string) => ({
    count,
    what: count === 1 ? one : many(inFigures(count)),
  });
  return {
    api: counted(n.api, t`1 API token`, many => t`${many} API tokens`),
    prepaid: counted(n.prepaid, t`1 prepaid subscription`, many => t`${many} prepaid subscriptions`),
    payment_recovery: counted(n.recovery, t`1 payment in recovery`, many => t`${many} payments in recovery`),
    bulk_actions: counted(n.bulk, t`1 bulk action under way`, many => t`${many} bulk actions under way`),
    auto_updates: { count: n.prices, what: t`prices that are taken over by themselves` },
    delivery_date_scheduling: { count: n.dates, what: t`delivery dates` },
    custom_domains: counted(n.domains, t`1 e-mail domain`, many => t`${many} e-mail domains`),
  };
}

/** Puts a store on a plan from a moment on. Sessions read it with their next request. */
export async function putOnPlan(trx: Kysely<Tables>, storeId: number, planId: number, at: Date): Promise<void> {
  await sql`update stores set billing_plan_id = ${planId}::integer,
      details = jsonb_set(coalesce(details, '{}'), '{planSince}', to_jsonb(${at.toISOString()}::text))
    where id = ${storeId}::integer`.execute(trx);
}

/** The plan of a store, and since when. */
export function presentPlan(definitions: Definitions, store: Store): { plan: Plan; since: Date } {
  const now = planOf(definitions, store);
  const plan = definitions.plans.find(({ id }) => id === now.billing_plan_id);
  if (!plan) throw new Error(`There is no plan ${now.billing_plan_id}.`);
  return { plan, since: new Date(now.createdAt) };
}
