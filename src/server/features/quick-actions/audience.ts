// Whom a campaign is for: subscriptions in the right state, all of them, those who meet conditions, or a list; without those left out.
import { sql, type RawBuilder } from 'kysely';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { conditionSql } from '../../platform/records/conditions/compile.ts';
import { GIFT, linkOf } from '../../engine/index.ts';
import type { Offered } from './kinds.ts';
import { nameKeySql } from '../../platform/records/name-key.ts';

export type Audience = {
  type: Offered['type'];
  audienceType?: 'ALL_ELIGIBLE' | 'CONDITIONS' | 'SUBSCRIPTION_IDS';
  conditions?: ConditionSet;
  subscriptionIds?: number[];
  excludedTags?: string[];
  excludeStreaks?: boolean;
  swapVariantIds?: number[];
};
export type Asking = Pick<Context, 'trx' | 'storeId' | 'store' | 'shape' | 'now' | 'session' | 'definitions'>;

/** A predicate over a row `r` of contracts: its state is one that the campaign's action is for. */
export function fitsKind(definitions: Definitions, { type, swapVariantIds = [] }: Audience): RawBuilder<unknown> {
  // Who gives a gift does nothing to its subscription.
  const isState = sql`(r.status = any(${[...linkOf(type, definitions).states]}::text[]) and r.source <> ${GIFT})`;
  if (type === 'SWAP_PRODUCT') return sql`(${isState} and r.variant_ids && ${swapVariantIds}::bigint[])`;
  if (type !== 'RECOVER_FAILED_PAYMENT') return isState;
  return sql`(${isState} and exists (select 1 from orders o where o.store_id = r.store_id and o.contract_id = r.id
    and o.status = 'FAILED'))`;
}

/** Those who get a link. @throws Refusal 422 for a condition on what the person may not read */
export async function withLinks(context: Asking, audience: Audience): Promise<RawBuilder<unknown>> {
  const { all, out } = await chosen(context, audience);
  return sql`(${all} and not ${out})`;
}

/** Those who are chosen, and of them those who are left out. @throws Refusal 422 for a condition on what the person may not read */
async function chosen(context: Asking, audience: Audience): Promise<{ all: RawBuilder<unknown>; out: RawBuilder<unknown> }> {
  const { audienceType = 'ALL_ELIGIBLE', conditions, subscriptionIds = [], excludedTags = [], excludeStreaks = false } = audience;
  const parts = [sql`r.store_id = ${context.storeId}::integer`, fitsKind(context.definitions, audience)];
  if (audienceType === 'SUBSCRIPTION_IDS') parts.push(sql`r.id = any(${subscriptionIds}::bigint[])`);
  if (audienceType === 'CONDITIONS' && conditions?.rows.length) {
    const where = await conditionSql(context, conditions as JsonObject, context.definitions.conditions);
    if (where) parts.push(sql`${where}`);
  }
  const out = [sql`false`];
  if (excludedTags.length > 0)
    out.push(sql`exists (select 1 from customers c where c.store_id = r.store_id and c.id = r.customer_id
      and exists (select 1 from unnest(c.tags) has, unnest(${excludedTags}::text[]) named
        where ${nameKeySql(sql`has`)} = ${nameKeySql(sql`named`)}))`);
  if (excludeStreaks)
    out.push(
      sql`exists (select 1 from streak_enrollments e where e.store_id = r.store_id and e.contract_id = r.id and e.state = 'ACTIVE')`,
    );
  return { all: sql`(${sql.join(parts, sql` and `)})`, out: sql`(${sql.join(out, sql` or `)})` };
}

/** C409: how many get a link, and how many are left out. */
export async function countAudience(context: Asking, audience: Audience): Promise<{ eligible: number; excluded: number; total: number }> {
  const { all, out } = await chosen(context, audience);
  const { rows } = await sql<{ eligible: number; excluded: number }>`select count(*) filter (where not ${out})::integer as eligible,
    count(*) filter (where ${out})::integer as excluded from contracts r where ${all}`.execute(context.trx);
  const { eligible = 0, excluded = 0 } = rows[0] ?? {};
  return { eligible, excluded, total: eligible + excluded };
}

/** Fixes the subscriptions of a campaign; gives how many. `isMailed`: each is to get an e-mail. */
export async function enlist(context: Asking, campaignId: number, audience: Audience, isMailed: boolean): Promise<number> {
  const { numAffectedRows } = await sql`insert into campaign_members (store_id, campaign_id, contract_id, letter)
    select r.store_id, ${campaignId}::bigint, r.id, ${isMailed ? 'NEW' : null}::text from contracts r
    where ${await withLinks(context, audience)} on conflict do nothing`.execute(context.trx);
  return Number(numAffectedRows ?? 0);
}

export type WhyNot = 'NOT_FOUND' | 'WRONG_STATUS' | 'DUPLICATE' | 'ALREADY_IN_CAMPAIGN';

/** C410: which numbers can be used, and why the others can't. */
export async function checkIds(
  { trx, storeId, definitions }: Pick<Context, 'trx' | 'storeId' | 'definitions'>,
  audience: Audience,
): Promise<{ valid: number[]; invalid: { id: number; reason: WhyNot }[] }> {
  const ids = audience.subscriptionIds ?? [];
  const { rows } = await sql<{ id: number; fits: boolean; taken: boolean }>`select r.id, ${fitsKind(definitions, audience)} as fits,
      exists (select 1 from campaign_members m join records g on g.store_id = m.store_id and g.id = m.campaign_id
        and g.entity = 'campaign' and g.deleted_at is null and g.data ->> 'status' in ('SCHEDULED', 'ACTIVE')
        and g.data ->> 'type' = ${audience.type}
        where m.store_id = r.store_id and m.contract_id = r.id) as taken
    from contracts r where r.store_id = ${storeId}::integer and r.id = any(${ids}::bigint[])`.execute(trx);
  const found = new Map(rows.map(row => [row.id, row]));
  const seen = new Set<number>();
  const result = { valid: [] as number[], invalid: [] as { id: number; reason: WhyNot }[] };
  for (const id of ids) {
    const row = found.get(id);
    const reason: WhyNot | undefined = seen.has(id)
      ? 'DUPLICATE'
      : !row
        ? 'NOT_FOUND'
        : !row.fits
          ? 'WRONG_STATUS'
          : row.taken
            ? 'ALREADY_IN_CAMPAIGN'
            : undefined;
    seen.add(id);
    if (reason) result.invalid.push({ id, reason });
    else result.valid.push(id);
  }
  return result;
}
