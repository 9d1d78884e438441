// A streak as it is kept, and which subscriptions it is for.
import type { Reward } from '../../engine/index.ts';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import type { Tables } from '../../../generated/tables.ts';
import { conditionSql, type Asking } from '../../platform/records/conditions/compile.ts';
import type { Context } from '../../platform/context.ts';

/** The file of schemas/texts. */
export const CATEGORY = 'streak';

export type Milestone = Reward & {
  id: string;
  orderNumber: number;
  title?: string;
  quote?: string;
  imageUrl?: string;
};
export type Streak = {
  id: number;
  name: string;
  status: 'ACTIVE' | 'DRAFT';
  frequencies: Interval[];
  conditions?: ConditionSet;
  gracePeriodDays: number;
  milestones: Milestone[];
  existingEnrolledAt?: string | null;
  bannerImageUrl?: string;
  progressBarImageUrl?: string;
};
type Scope = { trx: Kysely<Tables>; storeId: number };

/** The streaks that new subscriptions may take part in, the first first. */
export async function activeStreaks({ trx, storeId }: Scope): Promise<Streak[]> {
  const { rows } = await sql<{ id: number; data: Omit<Streak, 'id'> }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'streak' and deleted_at is null and data ->> 'status' = 'ACTIVE' order by position, id`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id }));
}

/** One streak, on or off; undefined where it was deleted. */
export async function streakById({ trx, storeId }: Scope, id: number): Promise<Streak | undefined> {
  const { rows } = await sql<{ data: Omit<Streak, 'id'> }>`select data from records where store_id = ${storeId}::integer
    and entity = 'streak' and deleted_at is null and id = ${id}::bigint`.execute(trx);
  return rows[0] && { ...rows[0].data, id };
}

/** A predicate over a row `r` of contracts: it is charged as often as the streak says, and meets its conditions. */
export async function fits(
  context: Asking & { definitions: Pick<Context['definitions'], 'conditions'> },
  { frequencies, conditions }: Pick<Streak, 'frequencies' | 'conditions'>,
): Promise<RawBuilder<unknown>> {
  const often = frequencies.map(({ interval, intervalCount }) => `${interval}:${intervalCount}`);
  const isOften = sql`r.billing_interval || ':' || r.billing_interval_count = any(${often}::text[])`;
  const set = conditions?.rows.length ? (conditions as JsonObject) : undefined;
  const where = set && (await conditionSql(context, set, context.definitions.conditions));
  return where ? sql`(${isOften} and ${where})` : isOften;
}
