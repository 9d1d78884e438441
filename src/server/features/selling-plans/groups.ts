// Selling plan groups: reading them with their figures, and saving them by the rules of the domain with history and account log.
import { sql } from 'kysely';
import { prepaidRefusal } from '../../../contract/switches.ts';
import { checkGroup } from '../../../domain/selling-plans/selling-plan-validation.ts';
import { discountWords, summary, type SellingPlan } from '../../../domain/selling-plans/selling-plan.ts';
import { intervalInWords } from '../../../domain/calendar/interval.ts';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { Refusal, invalid, invalidState, type Context } from '../../platform/context.ts';
import { insertRow, needRow, recordOf, updateRow, type Row } from '../../platform/records/record-repository.ts';
import { refuseUsed } from '../../platform/records/references.ts';
import { checkVersion } from '../../platform/records/version-check.ts';
import { eligibilityOf } from '../../../domain/payments/eligibility.ts';
import { asGroup, isPrepaid, oneDefault, plansOf, resultOf, typeOf } from '../../../domain/selling-plans/plan-document.ts';
import { t } from '../../../domain/text/t.ts';

export const GROUP = 'selling-plan-group';
/** The embedded platform gives its ids by adding to ours; a connected one gives its own. */
const platformGroupId = (id: number): number => 3_300_000_000 + id;
const platformPlanId = (id: number): number => 6_600_000_000 + id;

export const groupMapping = (context: Context) => context.shape(GROUP);
export const rowId = (row: Row): number => Number(row.id);

/** A group that was deleted in the meantime gets another message than one that never existed. */
export async function needGroup(context: Context, id: number, options: { lock?: boolean } = {}): Promise<Row> {
  try {
    return await needRow(context, groupMapping(context), id, options);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error;
    const gone = await context.trx
      .selectFrom('records')
      .select('id')
      .where('store_id', '=', context.storeId)
      .where('entity', '=', GROUP)
      .where('id', '=', id)
      .executeTakeFirst();
    throw gone
      ? new Refusal(404, 'NOT_FOUND', t`This selling plan group was deleted`, [
          { pointer: '/lspgId', rule: 'GROUP_DOES_NOT_EXIST', message: t`This selling plan group was deleted` },
        ])
      : error;
  }
}

/** What lists and records show besides what is kept. */
export interface Figures {
  productCount: number;
  variantCount: number;
  collectionCount: number;
  activeSubscriptionsCount: number;
}
const NOTHING: Figures = { productCount: 0, variantCount: 0, collectionCount: 0, activeSubscriptionsCount: 0 };

/** Mapped products, variants and collections (directly mapped ones) and active subscriptions, by group id. */
export async function figuresOf({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, ids: readonly number[]): Promise<Map<number, Figures>> {
  const figures = new Map<number, Figures>(ids.map(id => [id, { ...NOTHING }]));
  if (ids.length === 0) return figures;
  const products = await sql<{ id: number; products: number; variants: number }>`
    select m.group_id as id, count(distinct m.product_id) as products, count(m.variant_id) as variants
    from plan_products m join products p on p.store_id = m.store_id and p.id = m.product_id and p.deleted_at is null
    where m.store_id = ${storeId} and m.group_id = any(${[...ids]}::bigint[]) group by m.group_id`.execute(trx);
  const collections = await sql<{ id: number; n: number }>`
    select group_id as id, count(*) as n from plan_collections where store_id = ${storeId} and group_id = any(${[...ids]}::bigint[])
      group by group_id`.execute(trx);
  const active = await sql<{ id: string; n: number }>`
    select key as id, sum(n)::bigint as n from counters where store_id = ${storeId} and name = 'plans'
      and key = any(${ids.map(String)}::text[]) group by key`.execute(trx);
  for (const row of products.rows) Object.assign(figures.get(row.id) ?? {}, { productCount: row.products, variantCount: row.variants });
  for (const row of collections.rows) Object.assign(figures.get(row.id) ?? {}, { collectionCount: row.n });
  for (const row of active.rows) Object.assign(figures.get(Number(row.id)) ?? {}, { activeSubscriptionsCount: row.n });
  return figures;
}

/** A kept group as it goes over the wire, with what follows from its plans and with its figures. */
export function toWire(context: Pick<Context, 'store'>, group: JsonObject, figures: Figures = NOTHING): JsonObject {
  const plans = plansOf(group);
  const currency = context.store.currency_code;
  const frequencies = [
    ...new Set(
      plans.map(plan =>
        intervalInWords({ interval: plan.recurringDeliveryPolicyInterval, intervalCount: plan.recurringDeliveryPolicyIntervalCount }),
      ),
    ),
  ];
  return {
    ...group,
    shopifyId: group.shopifyId ?? null,
    options: [group.optionLabel ?? ''],
    type: typeOf(plans),
    sellingPlans: plans as JsonObject[],
    plansCount: plans.length,
    summary: plans.length === 0 ? t`No plans yet` : summary({ sellingPlans: plans }, currency),
    frequencies,
    discount: discountWords(plans, currency),
    ...figures,
  };
}

/** What the rules say about a group as it would be kept; `self` is its id, when it has one. */
async function errorsOf(
  context: Context,
  group: JsonObject,
  self: number | undefined,
  before: readonly SellingPlan[],
): Promise<FieldError[]> {
  const plans = plansOf(group);
  const code = String(group.merchantCode ?? '')
    .trim()
    .toLowerCase();
  const { rows } = await sql<{
    code: string;
  }>`select data->>'merchantCode' as code from records where store_id = ${context.storeId} and entity = ${GROUP} and deleted_at is null
      and lower(data->>'merchantCode') = ${code} and id is distinct from ${self ?? null}::bigint`.execute(context.trx);
  const errors = checkGroup(asGroup(group), {
    currency: context.store.currency_code,
    takenMerchantCodes: rows.map(row => row.code),
    isDraft: group.status !== 'ACTIVE',
  });
  const switches = context.session.featureSwitches;
  const noPlans = prepaidRefusal(switches, { part: 'PLANS' });
  const noLimits = prepaidRefusal(switches, { part: 'LIMITS' });
  for (const [index, plan] of plans.entries()) {
    const old = before.find(one => one.lspId === plan.lspId);
    if (isPrepaid(plan) && !(old && isPrepaid(old)) && noPlans) {
      errors.push({
        pointer: `/sellingPlans/${index}/isPrepaid`,
        rule: 'FEATURE_OFF',
        message: noPlans,
      });
    } else if (old && isPrepaid(old) !== isPrepaid(plan) && (await hasContracts(context, Number(plan.lspId)))) {
      errors.push({
        pointer: `/sellingPlans/${index}/isPrepaid`,
        rule: 'PLAN_IN_USE',
        message: t`Subscriptions were sold with this plan, so it can't change between paying for each delivery and paying in advance. Add
          a new plan instead.`,
      });
    }
    const limits = ['recurringBillingPolicyMinCycles', 'recurringBillingPolicyMaxCycles'] as const;
    if (!isPrepaid(plan) || !noLimits) continue;
    for (const name of limits) {
      const isGift = name === 'recurringBillingPolicyMaxCycles' && plan[name] === 1;
      if (plan[name] != null && plan[name] !== old?.[name] && !isGift)
        errors.push({
          pointer: `/sellingPlans/${index}/${name}`,
          rule: 'FEATURE_OFF',
          message: noLimits,
        });
    }
  }
  return errors;
}

async function hasContracts({ trx, storeId }: Context, planId: number): Promise<boolean> {
  return (
    (await trx
      .selectFrom('contract_lines')
      .select('id')
      .where('store_id', '=', storeId)
      .where('selling_plan_id', '=', planId)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

/** Ids for new plans: from the sequence of the records, passing over any that a plan of the store has already. */
async function newPlanIds({ trx, storeId }: Context, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const { rows } = await sql<{ id: number }>`
      select n.id from (select nextval(pg_get_serial_sequence('records', 'id')) as id
        from generate_series(1, ${count - ids.length}::integer)) as n
      where not exists (select 1 from records r cross join lateral jsonb_array_elements(r.data->'sellingPlans') as p
        where r.store_id = ${storeId} and r.entity = ${GROUP} and p->>'lspId' = n.id::text)`.execute(trx);
    ids.push(...rows.map(row => row.id));
  }
  return ids;
}

/** The group as it is kept: texts trimmed, plans with ids, the derived type, platform ids while it is published. */
async function keptFrom(context: Context, group: JsonObject, plans: readonly SellingPlan[], id?: number): Promise<JsonObject> {
  const missing = plans.filter(plan => plan.lspId == null).length;
  const ids = missing ? await newPlanIds(context, missing) : [];
  const isActive = group.status === 'ACTIVE';
  const named = oneDefault(plans).map((plan): JsonObject => {
    const lspId = plan.lspId ?? (ids.shift() as number);
    const given = (plan as JsonObject).shopifyId;
    return {
      ...(plan as JsonObject),
      lspId,
      shopifyId: isActive ? (typeof given === 'number' ? given : platformPlanId(lspId)) : (given ?? null),
    };
  });
  const text = (name: string): string => String(group[name] ?? '').trim();
  const { planIds: _planIds, publish: _publish, version: _version, lspgId: _id, productsToAdd: _p, collectionsToAdd: _c, ...rest } = group;
  return {
    ...rest,
    name: text('name'),
    merchantCode: text('merchantCode'),
    optionLabel: text('optionLabel'),
    description: group.description === null ? null : text('description'),
    type: typeOf(plans),
    sellingPlans: named,
    shopifyId: group.shopifyId ?? (isActive && id !== undefined ? platformGroupId(id) : null),
  };
}

/** Publishing needs a store that may sell subscriptions; with PayPal alone one group begins the approval. */
async function refuseUnlessEligible(context: Context, self: number | undefined): Promise<void> {
  const { isEligible, isPaypalOnly } = eligibilityOf(context.store);
  if (!isEligible)
    throw invalidState(
      t`Your store isn't eligible for selling subscriptions yet. Set up Shopify Payments, PayPal Express, Stripe, Adyen or Braintree, then
        publish.`,
    );
  if (!isPaypalOnly) return;
  const { rows } = await sql`select 1 from records where store_id = ${context.storeId} and entity = ${GROUP} and deleted_at is null
        and data->>'status' = 'ACTIVE' and id is distinct from ${self ?? null}::bigint limit 1`.execute(context.trx);
  if (rows.length)
    throw invalidState(
      t`With PayPal Express alone one selling plan group can be published, to begin PayPal's approval. Publish more when PayPal has
        approved recurring charges, or set up another way to pay.`,
    );
}

/** The numbers of a plan: the rules have sentences for them, whatever they are instead. */
const NUMBER = /^\/sellingPlans\/\d+\/\w*(Count|Cycles?|Day|Month|CutOff|Value)$/;

/** Whether the rules can read the input in spite of this mistake; not when it is another kind of value, an unknown field, or no id. */
const isReadable = ({ pointer, rule }: FieldError): boolean =>
  pointer !== '/lspgId' && pointer !== '/version' && rule !== 'additionalProperties' && (rule !== 'type' || NUMBER.test(pointer));

/** Refuses an input that leaves nothing for the rules to read. */
function refuseMalformed({ inputErrors }: Context): void {
  if (!inputErrors.every(isReadable)) throw invalid([...inputErrors]);
}

/** Every mistake at once: the rules' sentences first, and what only the schema knows after them. */
function refuseWrong({ inputErrors }: Context, errors: readonly FieldError[]): void {
  const reported = new Set(errors.map(error => error.pointer));
  const all = [...errors, ...inputErrors.filter(error => !reported.has(error.pointer))];
  if (all.length) throw invalid(all);
}

export type GroupInput = {
  name: string;
  merchantCode: string;
  optionLabel: string;
  description?: string | null;
  sellingPlans?: JsonObject[];
  planIds?: number[];
  publish?: boolean;
  productsToAdd?: { productIds?: number[]; variantIds?: number[] };
  collectionsToAdd?: number[];
};

/** Creates a group: a draft, or published at once. @throws Refusal 422 with every wrong field, 409 when the store may not sell */
export async function createGroup(context: Context, input: GroupInput): Promise<Row> {
  refuseMalformed(context);
  const { plans, errors } = resultOf(
    [],
    (input.sellingPlans ?? []).map(({ lspId: _lspId, ...plan }) => plan),
    [],
  );
  const group: JsonObject = {
    ...(input as JsonObject),
    status: input.publish ? 'ACTIVE' : 'DRAFT',
    sellingPlans: plans as JsonObject[],
  };
  refuseWrong(context, [...(await errorsOf(context, group, undefined, [])), ...errors]);
  if (input.publish) await refuseUnlessEligible(context, undefined);
  let row = await insertRow(context, groupMapping(context), await keptFrom(context, group, plans));
  if (input.publish) row = await withPlatformId(context, row);
  await logGroup(context, 'created', undefined, row);
  return row;
}

/** The platform's id of a group exists once the group does; its first version is completed with it. */
async function withPlatformId(context: Context, row: Row): Promise<Row> {
  const data = { ...(row.data as JsonObject), shopifyId: platformGroupId(rowId(row)) };
  await context.trx
    .updateTable('records')
    .set({ data: JSON.stringify(data) })
    .where('store_id', '=', context.storeId)
    .where('entity', '=', GROUP)
    .where('id', '=', rowId(row))
    .execute();
  return { ...row, data };
}

/**
 * Saves a group. Contracts that were sold keep what they were sold with. A draft may be published by it; a published group is taken back by
 * its own action alone (D056), which says what that means. @throws Refusal 422, 404, 409 STALE_VERSION, INVALID_STATE
 */
export async function updateGroup(context: Context, id: number, input: Partial<GroupInput>): Promise<Row> {
  refuseMalformed(context);
  const shape = groupMapping(context);
  const row = await needGroup(context, id, { lock: true });
  const before = recordOf(context, shape, row);
  checkVersion(context, shape.hints.name.one, toWire(context, before), Number(row.version), lastOf(row));
  if (input.publish === false && before.status === 'ACTIVE')
    throw invalidState(
      t`This selling plan group is published, and saving it as a draft would take it off the product pages. Unpublish it first, or save it
        without a status.`,
    );
  const old = plansOf(before);
  const { plans, errors } =
    input.sellingPlans === undefined ? { plans: old, errors: [] } : resultOf(old, input.sellingPlans, input.planIds ?? []);
  const there = new Set(planIdsOf({ sellingPlans: plans as JsonObject[] }));
  await refuseUsed(
    context,
    'selling-plan',
    planIdsOf(before).filter(planId => !there.has(planId)),
  );
  const status = input.publish === undefined ? before.status : input.publish ? 'ACTIVE' : 'DRAFT';
  const given = Object.fromEntries(Object.entries(input as JsonObject).filter(([, value]) => value !== undefined));
  const group: JsonObject = { ...before, ...given, status: status ?? 'DRAFT', sellingPlans: plans as JsonObject[] };
  refuseWrong(context, [...(await errorsOf(context, group, id, old)), ...errors]);
  if (status === 'ACTIVE' && before.status !== 'ACTIVE') await refuseUnlessEligible(context, id);
  const after = await updateRow(context, shape, row, await keptFrom(context, group, plans, id));
  await logGroup(context, 'updated', row, after);
  return after;
}

const lastOf = (row: Row) => ({ by: String(row.updated_by ?? ''), at: row.updated_at instanceof Date ? row.updated_at : null });

/** Ids of the plans of a group. */
export const planIdsOf = (group: JsonObject): number[] => plansOf(group).flatMap(({ lspId }) => lspId ?? []);

/** Writes "created", "updated", "published" … into the account log, with both versions. */
export async function logGroup(context: Context, verb: string, before: Row | undefined, after: Row | undefined): Promise<void> {
  const shape = groupMapping(context);
  const row = (after ?? before) as Row;
  await context.log({
    action: `selling_plan_group.${verb}`,
    category: 'Selling plans',
    description: `Selling plan group "${String((row.data as JsonObject).name)}" ${verb}`,
    entity: GROUP,
    entityId: rowId(row),
    ...(before ? { before: recordOf(context, shape, before) } : {}),
    ...(after ? { after: recordOf(context, shape, after) } : {}),
  });
}

/** Locks a group, checks the version the caller read, moves it to another state and logs that. */
export async function moveGroup(context: Context, id: number, move: 'publish' | 'unpublish'): Promise<Row> {
  const shape = groupMapping(context);
  const row = await needGroup(context, id, { lock: true });
  const before = recordOf(context, shape, row);
  checkVersion(context, shape.hints.name.one, toWire(context, before), Number(row.version), lastOf(row));
  if (move === 'publish' && before.status !== 'DRAFT') throw invalidState(t`Only drafts can be published.`);
  if (move === 'unpublish' && before.status !== 'ACTIVE') throw invalidState(t`Only published groups can be unpublished.`);
  // What is on and sells by its plans would have none.
  if (move === 'unpublish') await refuseUsed(context, GROUP, [id], 'ACTIVE');
  const group: JsonObject = { ...before, status: move === 'publish' ? 'ACTIVE' : 'DRAFT' };
  if (move === 'publish') {
    const wrong = await errorsOf(context, group, id, plansOf(before));
    if (wrong.length) throw invalid(wrong);
    await refuseUnlessEligible(context, id);
  }
  const after = await updateRow(context, shape, row, await keptFrom(context, group, plansOf(group), id));
  await logGroup(context, move === 'publish' ? 'published' : 'unpublished', row, after);
  return after;
}
