// Selling plan groups: lists and reads, saving by the rules, the status machine, and what they are offered on.
import { sql } from 'kysely';
import { accessOf } from '../../../../contract/access.ts';
import { discountOf, type SellingPlan } from '../../../../domain/selling-plans/selling-plan.ts';
import { approxDays, frequencyLabel, intervalLabel, type Interval, type IntervalUnit } from '../../../../domain/calendar/interval.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import { Refusal, Reply, validatesInput, type Context } from '../../../platform/context.ts';
import { planWords } from '../../../engine/index.ts';
import { collectionsOf } from '../collections.ts';
import {
  GROUP,
  createGroup,
  figuresOf,
  groupMapping,
  logGroup,
  moveGroup,
  needGroup,
  planIdsOf,
  rowId,
  toWire,
  updateGroup,
  type GroupInput,
} from '../groups.ts';
import { mappedProducts } from '../mapping.ts';
import { offerOn } from '../offered-on.ts';
import { isPrepaid, plansOf } from '../../../../domain/selling-plans/plan-document.ts';
import { variantWire, type VariantRow } from '../../products/product-response.ts';
import { deleteRow, recordOf, type Row } from '../../../platform/records/record-repository.ts';
import { refuseUsed } from '../../../platform/records/references.ts';
import { listRecords, type ListQuery } from '../../../platform/records/list/list.ts';
import { checkVersion } from '../../../platform/records/version-check.ts';
import { t } from '../../../../domain/text/t.ts';

export { addVariants, mapCollections, removeVariants, unmapCollections } from '../offered-on.ts';

type Filter = JsonObject & { productIds?: number[]; collectionIds?: number[] };
interface ListInput {
  pageSize?: number;
  page?: number;
  after?: string;
  before?: string;
  sort?: string;
  order?: 'ASC' | 'DESC';
  q?: string;
  filter?: Filter;
}
interface PageInput {
  lspgId: number;
  q?: string;
  page?: number;
  pageSize?: number;
}

/** What the list shows of a group; its plans are read with the group itself. */
function row(group: JsonObject): JsonObject {
  const { sellingPlans: _plans, ...rest } = group;
  return rest;
}

/** Groups by priority, with figures (C009). Without a page size it is the whole list, as start-up asks for it. */
export async function list(context: Context, input: ListInput): Promise<Reply> {
  const shape = groupMapping(context);
  const { productIds, collectionIds, ...filter } = input.filter ?? {};
  const where = [];
  if (productIds?.length)
    where.push(
      sql`exists (select 1 from plan_products m where m.store_id = ${context.storeId} and m.group_id = r.id
        and m.product_id = any(${productIds}::bigint[]))`,
    );
  if (collectionIds?.length)
    where.push(
      sql`exists (select 1 from plan_collections m where m.store_id = ${context.storeId} and m.group_id = r.id
        and m.collection_id = any(${collectionIds}::bigint[]))`,
    );
  const query: ListQuery = {
    size: input.pageSize ?? 200,
    page: input.page,
    after: input.after,
    before: input.before,
    sort: input.sort,
    order: input.order,
    q: input.q,
    filter,
    where: where.length ? where : undefined,
  };
  const { records, pageInfo } = await listRecords(context, shape, query);
  const figures = await figuresOf(
    context,
    records.map(record => Number(record.lspgId)),
  );
  return new Reply(
    records.map(record => row(toWire(context, record, figures.get(Number(record.lspgId))))),
    { pageInfo },
  );
}

async function wholeGroup(context: Context, group: Row): Promise<JsonObject> {
  const id = rowId(group);
  const figures = await figuresOf(context, [id]);
  const collections = await collectionsOf(context, id);
  return {
    ...toWire(context, recordOf(context, groupMapping(context), group), figures.get(id)),
    collections,
  };
}

/** A group with its plans and mapped collections (C016). */
export async function read(context: Context, { lspgId }: { lspgId: number }): Promise<JsonObject> {
  return wholeGroup(context, await needGroup(context, lspgId));
}

/** Answers all errors at once, those of the schema and those of the rules. */
export const create = validatesInput(async (context: Context, input: GroupInput): Promise<Reply> => {
  const group = await createGroup(context, input);
  await offerOn(context, rowId(group), input);
  return new Reply(await wholeGroup(context, group), { message: input.publish ? t`Selling plan group published.` : t`Draft saved.` });
});

export const update = validatesInput(
  async (context: Context, { lspgId, version: _version, ...input }: GroupInput & { lspgId: number; version?: number }): Promise<Reply> => {
    const group = await updateGroup(context, lspgId, input);
    await offerOn(context, lspgId, input);
    return new Reply(await wholeGroup(context, group), {
      message: t`Selling plan group saved. Subscriptions already sold keep their terms.`,
    });
  },
);

export async function publish(context: Context, { lspgId }: { lspgId: number }): Promise<Reply> {
  return new Reply(await wholeGroup(context, await moveGroup(context, lspgId, 'publish')), {
    message: t`Published. Product pages offer it now.`,
  });
}

export async function unpublish(context: Context, { lspgId }: { lspgId: number }): Promise<Reply> {
  return new Reply(await wholeGroup(context, await moveGroup(context, lspgId, 'unpublish')), {
    message: t`Unpublished. Product pages stop offering it; subscriptions go on.`,
  });
}

/**
 * Deletes a group for good, unless something else of the store sells by it: it is no longer offered anywhere, and subscriptions that were
 * sold keep running. @throws Refusal 409 IN_USE
 */
async function deleteGroup(context: Context, { lspgId }: { lspgId: number }): Promise<Reply> {
  const group = await needGroup(context, lspgId, { lock: true });
  const shape = groupMapping(context);
  checkVersion(context, shape.hints.name.one, toWire(context, recordOf(context, shape, group)), Number(group.version), {
    by: String(group.updated_by ?? ''),
    at: group.updated_at instanceof Date ? group.updated_at : null,
  });
  await refuseUsed(context, GROUP, [lspgId]);
  await refuseUsed(context, 'selling-plan', planIdsOf(recordOf(context, shape, group)));
  await sql`update records set data = jsonb_set(data, '{status}', '"DELETED"') where store_id = ${context.storeId} and entity = ${GROUP}
      and id = ${lspgId}`.execute(context.trx);
  await deleteRow(context, shape, group);
  for (const table of ['plan_products', 'plan_collections'] as const)
    await context.trx.deleteFrom(table).where('store_id', '=', context.storeId).where('group_id', '=', lspgId).execute();
  await logGroup(context, 'deleted', group, undefined);
  return new Reply({ lspgId }, { message: t`Selling plan group deleted. Subscriptions already sold keep running.` });
}
export { deleteGroup as delete };

/** A name with an ending, within the 100 characters that names have. */
const cut = (text: string, ending: string): string => `${[...text].slice(0, 100 - ending.length).join('')}${ending}`;

/** "name (copy)" and "code-copy", counted up until the code is free; always a draft, without products. */
export async function duplicate(context: Context, { lspgId }: { lspgId: number }): Promise<Reply> {
  const shape = groupMapping(context);
  const original = recordOf(context, shape, await needGroup(context, lspgId));
  const { rows } = await sql<{
    code: string;
  }>`select lower(data->>'merchantCode') as code from records where store_id = ${context.storeId} and entity = ${GROUP}
      and deleted_at is null`.execute(context.trx);
  const taken = new Set(rows.map(one => one.code));
  let merchantCode = '';
  for (let n = 1; merchantCode === '' || taken.has(merchantCode.toLowerCase()); n += 1)
    merchantCode = cut(String(original.merchantCode), n === 1 ? '-copy' : `-copy-${n}`);
  const plans = plansOf(original).map((plan): JsonObject => ({ ...(plan as JsonObject), lspId: null }));
  const copy: GroupInput = {
    name: cut(String(original.name), ' (copy)'),
    merchantCode,
    optionLabel: String(original.optionLabel ?? ''),
    description: (original.description ?? null) as string | null,
    sellingPlans: plans,
  };
  const group = await createGroup(context, copy);
  return new Reply(await wholeGroup(context, group), { message: t`Copied as “${copy.name}”. It is a draft without products.` });
}

/** Mapped products, paged (C017): "3 of 5 variants selected". */
export async function products(context: Context, input: PageInput): Promise<Reply> {
  await needGroup(context, input.lspgId);
  const { rows, total } = await mappedProducts(context, input.lspgId, input);
  const page = input.page ?? 1;
  return new Reply(rows, { pageInfo: { hasNextPage: page * (input.pageSize ?? 25) < total, hasPreviousPage: page > 1, total } });
}

/** The groups as the store platform has them: published ones, with its own ids (C018). */
export async function platform(context: Context): Promise<JsonObject[]> {
  const { records } = await listRecords(context, groupMapping(context), { size: 200, filter: { status: ['ACTIVE'] } });
  return records.map(group => ({
    id: `gid://shopify/SellingPlanGroup/${String(group.shopifyId)}`,
    shopifyId: group.shopifyId ?? null,
    appName: 'Perennial',
    isReadOnly: false,
    name: group.name ?? '',
    merchantCode: group.merchantCode ?? '',
    options: [group.optionLabel ?? ''],
    position: group.position ?? null,
    sellingPlans: plansOf(group).map(plan => ({
      shopifyId: (plan as JsonObject).shopifyId ?? null,
      name: plan.name,
      options: [plan.optionLabel],
      category: 'SUBSCRIPTION',
    })),
  }));
}

/** One product with its variants and which of them the group is offered on (C019). */
export async function product(context: Context, { lspgId, productId }: { lspgId: number; productId: number }): Promise<JsonObject> {
  await needGroup(context, lspgId);
  const { trx, storeId } = context;
  const found = await trx
    .selectFrom('products')
    .select(['id', 'shopify_id', 'title', 'image', 'status', 'is_gift_card'])
    .where('store_id', '=', storeId)
    .where('id', '=', productId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!found)
    throw new Refusal(404, 'NOT_FOUND', t`This product no longer exists`, [
      { pointer: '/productId', rule: 'PRODUCT_DOES_NOT_EXIST', message: t`This product no longer exists` },
    ]);
  const variants = await trx
    .selectFrom('variants')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const mapped = await trx
    .selectFrom('plan_products')
    .select(['variant_id', 'collection_id'])
    .where('store_id', '=', storeId)
    .where('group_id', '=', lspgId)
    .where('product_id', '=', productId)
    .execute();
  const whole = mapped.some(one => one.variant_id === null);
  return {
    productId: found.id,
    shopifyId: found.shopify_id,
    title: found.title,
    image: found.image,
    status: found.status,
    isGiftCard: found.is_gift_card,
    isMapped: mapped.length > 0,
    allVariants: whole,
    byCollection: mapped.some(one => one.collection_id !== null),
    variants: variants.map(variant => ({
      ...variantWire(variant as VariantRow, context.store.currency_code, found.title),
      selected: whole || mapped.some(one => one.variant_id === variant.id),
    })),
  };
}

async function liveGroups(context: Context): Promise<JsonObject[]> {
  const groups: JsonObject[] = [];
  for (let after: string | undefined; ;) {
    const { records, pageInfo } = await listRecords(context, groupMapping(context), { size: 200, after, total: false });
    groups.push(...records);
    if (!pageInfo.hasNextPage || !pageInfo.nextCursor) return groups;
    after = pageInfo.nextCursor;
  }
}

/** Every plan of every group, flat, for choosing one (C020). */
export async function plans(context: Context): Promise<JsonObject[]> {
  const currency = context.store.currency_code;
  return (await liveGroups(context)).flatMap(group =>
    plansOf(group).map((plan): JsonObject => ({
      lspId: plan.lspId ?? null,
      name: plan.name,
      optionLabel: plan.optionLabel,
      groupId: group.lspgId ?? null,
      groupName: group.name ?? '',
      groupStatus: group.status ?? '',
      billingPolicy: {
        interval: plan.recurringBillingPolicyInterval,
        intervalCount: plan.recurringBillingPolicyIntervalCount,
        minCycles: plan.recurringBillingPolicyMinCycles ?? null,
        maxCycles: plan.recurringBillingPolicyMaxCycles ?? null,
      },
      deliveryPolicy: { interval: plan.recurringDeliveryPolicyInterval, intervalCount: plan.recurringDeliveryPolicyIntervalCount },
      discount: { type: plan.fixedDiscountType, value: plan.fixedDiscountValue ?? null, label: discountOf(plan, 1, currency).label },
      isPrepaid: isPrepaid(plan),
      ...planWords(String(group.name ?? ''), plan),
    })),
  );
}

/** The delivery frequencies in use, shortest first, with what they are called (C021). */
export async function frequencies(context: Context): Promise<JsonObject[]> {
  const found = new Map<string, Interval>();
  for (const group of await liveGroups(context)) {
    for (const plan of plansOf(group)) {
      const interval = {
        interval: plan.recurringDeliveryPolicyInterval as IntervalUnit,
        intervalCount: plan.recurringDeliveryPolicyIntervalCount,
      };
      found.set(intervalLabel(interval), interval);
    }
  }
  return [...found.values()].sort((a, b) => approxDays(a) - approxDays(b)).map(one => ({ ...one, label: frequencyLabel(one) }));
}

/**
 * What plans can do in this store (C024, D140): by feature switch and plan, and for a group that is prepaid by the switches of the
 * second prepaid generation.
 */
export async function features(context: Context, { loopSellingPlanGroupId: id }: { loopSellingPlanGroupId?: number }): Promise<JsonObject> {
  const access = accessOf(context.session);
  const ofPrepaid =
    id !== undefined &&
    plansOf(recordOf(context, groupMapping(context), await needGroup(context, id))).some((plan: SellingPlan) => isPrepaid(plan));
  const also = (name: string): boolean => !ofPrepaid || access.switchedOn(`PREPAIDV2_${name}`);
  const prepaid = access.switchedOn('PREPAIDV2_SELLING_PLAN_GROUPS');
  return {
    prepaid,
    giftPlan: prepaid && access.planHas('gift_subscription'),
    collectionMapping: also('COLLECTION_MAPPING'),
    minMaxCycles: also('MIN_MAX_BILLING_CYCLES'),
    customPlan: also('CUSTOM_PLAN'),
  };
}
