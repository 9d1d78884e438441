// What pages of figures are made of, and what they can be filtered by.
import { sql, type RawBuilder } from 'kysely';
import { accessOf, mayNotSee, notInPlan } from '../../../contract/access.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { FILTER_NAMES, FILTERS, type FilterName } from '../../../domain/analytics/facts.ts';
import { t } from '../../../domain/text/t.ts';
import { filtersFor, reportFor, reportList } from './reports.ts';
import { OF_SUBSCRIPTION } from '../../platform/analytics/facts-sql.ts';
import { componentsFor, pageFor } from '../../platform/analytics/chart-verb.ts';
import { namesOf } from '../../platform/analytics/labels.ts';
import { notFound, Refusal } from '../../platform/context.ts';
import type { RuleContext } from '../../platform/records/rules.ts';

type Sql = RawBuilder<unknown>;
const FEATURE = 'analytics';
/** Filters offer so many values at most, the most frequent first. */
const MOST = 250;

/** Who has no page of analytics at all has no use for what they are filtered by. @throws Refusal 403 */
function refuseModule({ session }: RuleContext): void {
  const access = accessOf(session);
  if (!access.planHas(FEATURE)) throw new Refusal(403, 'FEATURE_NOT_IN_PLAN', notInPlan(session, FEATURE));
  if (!access.module('analytics')) throw new Refusal(403, 'FORBIDDEN', mayNotSee(t`Analytics`));
}

/** C347 */
export function analyticsPage(context: RuleContext, { page }: JsonObject): JsonObject {
  refuseModule(context);
  return pageFor(context, String(page));
}
/** C348 */
export function analyticsComponents(context: RuleContext, { keys }: JsonObject): JsonObject[] {
  refuseModule(context);
  return componentsFor(context, (keys as string[] | undefined) ?? []);
}

/** A value of a filter and how often there is one, of a store: what subscriptions are, and what they were. */
const ofContracts = (value: Sql) => (store: number) =>
  sql`select ${value} as key, count(*)::integer as n from contract_spans c where c.store_id = ${store}::integer group by 1`;
const ofMethods = (value: Sql) => (store: number) =>
  sql`select ${value} as key, count(*)::integer as n from payment_methods w where w.store_id = ${store}::integer group by 1`;
/** What the choices of a filter are counted from; those that are not named here are columns of subscriptions. */
const CHOICES: Partial<Record<FilterName, (store: number) => Sql>> = {
  plan: ofContracts(sql`unnest(c.plan_group_ids)`),
  product: ofContracts(sql`unnest(c.product_ids)`),
  variant: ofContracts(sql`unnest(c.variant_ids)`),
  provider: ofMethods(sql`w.type`),
  brand: ofMethods(sql`coalesce(w.brand, w.type, '')`),
  reason: store => sql`select key, count(*)::integer as n from (
      select r.text as key from movement_reasons r where r.store_id = ${store}::integer
      union all select m.reason from cancellation_attempts m where m.store_id = ${store}::integer and m.reason <> '') reasons group by 1`,
  cancelledBy: store =>
    sql`select m.source as key, count(*)::integer as n from movements m
      where m.store_id = ${store}::integer and m.kind in ('cancelled', 'failed') and m.row_no = 0 group by 1`,
  offerProfile: store =>
    sql`select m.profile_id as key, count(*)::integer as n from offer_events m where m.store_id = ${store}::integer group by 1`,
};

/** The values that a store has, the most frequent first, with their names; at the end the choice of rows without one. */
async function choices(context: RuleContext, dimension: FilterName): Promise<JsonObject[]> {
  const { trx, store, definitions, now } = context;
  const counted = (CHOICES[dimension] ?? ofContracts(OF_SUBSCRIPTION[dimension] as Sql))(store.id);
  const { rows } = await sql<{ key: string | number }>`select key from (${counted}) found where key is not null and key::text <> ''
    order by n desc, 1 limit ${MOST}`.execute(trx);
  const keys = [...rows.map(({ key }) => key), ...('hasNone' in FILTERS[dimension] ? [''] : [])];
  const name = await namesOf({ trx, store, filters: {}, now: now() }, definitions, dimension, keys);
  return keys.map(key => ({ value: key, label: name(key) }));
}

/** C387: `list` says of what: plans, products, countries, and what else figures are narrowed by. */
export function analyticsChoices(context: RuleContext, { list }: JsonObject): Promise<JsonObject[]> {
  refuseModule(context);
  const dimension = FILTER_NAMES.find(name => FILTERS[name].list === list);
  if (!dimension) throw notFound('list');
  return choices(context, dimension);
}
/** C369, C383 */
export const analyticsPlans = (context: RuleContext): Promise<JsonObject[]> => choices(context, 'plan');
/** C382 */
export const analyticsProducts = (context: RuleContext): Promise<JsonObject[]> => choices(context, 'product');
/** C381, C384 */
export const analyticsCountries = (context: RuleContext): Promise<JsonObject[]> => choices(context, 'country');
/** C370 */
export const analyticsFrequencies = (context: RuleContext): Promise<JsonObject[]> => choices(context, 'frequency');

/** C380 */
export const analyticsCohorts = (context: RuleContext): JsonObject => pageFor(context, 'cohorts');

/** Benefits pages or offers that customers saw on the way to cancelling, the most frequent first. */
async function shown({ trx, store, definitions, now }: RuleContext, dimension: 'benefit' | 'offer'): Promise<JsonObject[]> {
  const column = dimension === 'benefit' ? sql`benefit_id` : sql`offer_id`;
  const { rows } = await sql<{ key: number }>`select ${column} as key from cancellation_attempts
    where store_id = ${store.id}::integer and ${column} is not null group by 1 order by count(*) desc, 1 limit ${MOST}`.execute(trx);
  const keys = rows.map(({ key }) => key);
  const name = await namesOf({ trx, store, filters: {}, now: now() }, definitions, dimension, keys);
  return keys.map(key => ({ value: key, label: name(key) }));
}
/** C375 */
export const analyticsBenefits = (context: RuleContext): Promise<JsonObject[]> => shown(context, 'benefit');
/** C376 */
export const analyticsOffers = (context: RuleContext): Promise<JsonObject[]> => shown(context, 'offer');

/** The page of reports lists them. */
export const reports = (context: RuleContext): JsonObject[] => reportList(context);
/** C388 */
export const report = (context: RuleContext, { key }: JsonObject): JsonObject => reportFor(context, key);
/** C389 */
export const reportFilters = (context: RuleContext, { key }: JsonObject): JsonObject[] => filtersFor(context, key);
/** C390: plans, products, countries and frequencies, by which most reports are narrowed. */
export const reportChoices = async (context: RuleContext): Promise<JsonObject> => ({
  planGroupIds: await choices(context, 'plan'),
  productIds: await choices(context, 'product'),
  countryCode: await choices(context, 'country'),
  frequency: await choices(context, 'frequency'),
});
