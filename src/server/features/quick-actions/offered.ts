// What quick actions and campaigns share: the words they begin with, what is wrong with them, and how often their links were used.
import { rewardErrors } from '../../engine/index.ts';
import { sql } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import { accessOf, notInPlan } from '../../../contract/access.ts';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { LINKS } from '../../../generated/actions.ts';
import type { Offered } from './kinds.ts';
import { MYSTERY, MYSTERY_FEATURE } from './mystery.ts';
import type { LinkOwner } from './look.ts';
import { t } from '../../../domain/text/t.ts';

const DAYS = 90;

/** The words of a kind, where none were written. */
export function filledWords(given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(LINKS[given.type as Offered['type']].default).flatMap(([key, value]) => (given[key] ? [] : [[key, value]])),
  );
}

/** What is wrong with a reward, and what a kind lacks. */
export function offeredErrors(context: Context, given: Offered): FieldError[] {
  const errors = rewardErrors(context, given.reward, '/reward');
  for (const [i, { reward }] of (given.type === MYSTERY ? (given.rewards ?? []) : []).entries())
    errors.push(...rewardErrors(context, reward, `/rewards/${i}/reward`));
  if (given.type === MYSTERY && !accessOf(context.session).planHas(MYSTERY_FEATURE))
    errors.push({ pointer: '/type', rule: 'FEATURE_NOT_IN_PLAN', message: notInPlan(context.session, MYSTERY_FEATURE) });
  if (given.type === 'APPLY_DISCOUNT' && given.reward?.rewardType !== 'DISCOUNT')
    errors.push({ pointer: '/reward/rewardType', rule: 'required', message: t`Choose the discount.` });
  return errors;
}

/** How often links were opened and used; of quick actions in the last days. */
export async function ofLinks(
  { trx, storeId, store, now }: RuleContext,
  kind: LinkOwner,
  ids: readonly number[],
): Promise<{ linkClicks: number; confirmations: number; revenue: string }[]> {
  const since = kind === 'QUICK_ACTION' ? sql`and created_at > ${now()}::timestamptz - make_interval(days => ${DAYS})` : sql``;
  const { rows } = await sql<{ id: number; opened: number; done: number; revenue: number }>`select action_id as id,
      count(*) filter (where happened = 'OPENED')::integer as opened, count(*) filter (where happened = 'CONFIRMED')::integer as done,
      coalesce(sum(value), 0)::float8 as revenue
    from link_events where store_id = ${storeId}::integer and kind = ${kind} and action_id = any(${[...ids]}::bigint[]) ${since}
    group by 1`.execute(trx);
  return ids.map(id => {
    const row = rows.find(one => one.id === id);
    return {
      linkClicks: row?.opened ?? 0,
      confirmations: row?.done ?? 0,
      revenue: toDecimal(row?.revenue ?? 0, store.currency_code),
    };
  });
}

/** In percent, with one decimal. */
export const shareOf = (part: number, of: number): number | null => (of > 0 ? Math.min(100, Math.round((part / of) * 1000) / 10) : null);
