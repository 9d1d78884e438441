// Subscriptions in streaks: who takes part, each order that counts, what it brings, and when a streak breaks.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { EventKey } from '../../../generated/families.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { addEvents, type EventRow } from '../../platform/events/emit.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { type EngineContext, runAction, rewardAction } from '../../engine/index.ts';
import { fits, streakById, type Streak } from './streak.ts';

export interface Reward {
  step: number;
  reward: string;
  status: 'DONE' | 'SKIPPED';
  sentence: string;
  at: string;
}
export interface Enrollment {
  id: number;
  streak_id: number;
  streak_name: string;
  contract_id: number;
  state: 'ACTIVE' | 'COMPLETED' | 'FAILED' | 'ENDED';
  step: number;
  length: number;
  last_order: number;
  due_at: Date | null;
  lapses_at: Date | null;
  rewards: Reward[];
}
/** The engine, and what conditions are compiled with. */
export type StreakScope = EngineContext & { definitions: RuleContext['definitions']; shape: RuleContext['shape'] };
type Writing = Pick<EngineContext, 'trx' | 'storeId' | 'now'>;

const epoch = (at: Date | null): number | null => at && Math.floor(at.getTime() / 1000);

/** An event of a streak: everybody's e-mails may follow it, and it is the system that acts. */
const eventRow = ({ storeId, now }: Writing, contractId: number, key: EventKey, data: JsonObject, at = now()): EventRow => ({
  store_id: storeId,
  contract_id: contractId,
  key,
  source: 'System',
  entity: '',
  data,
  messages: 'ALL',
  created_at: at,
});

/** The end of the last day, in the store's time zone, on which an order that is due then counts. */
const lapsesAt = (due: RawBuilder<unknown>, graceDays: number, zone: string): RawBuilder<unknown> =>
  sql`((${due} at time zone ${zone}::text)::date + ${graceDays}::integer + 1)::timestamp at time zone ${zone}::text`;

/** When the next order of a contract `r` is due. One that is paused has none: it is expected an interval from now. */
const nextDue = (now: Date, zone: string): RawBuilder<unknown> =>
  sql`coalesce(r.next_billing_at, (${now}::timestamptz at time zone ${zone}::text
    + (r.billing_interval_count || ' ' || r.billing_interval)::interval) at time zone ${zone}::text)`;

/**
 * Enrols contracts that fit and were never in this streak, and are in no other: one, or a step of all active ones. A new subscription
 * begins with the order that it was bought with, one that is there already with its next order.
 */
export async function enrol(
  scope: StreakScope,
  streak: Streak,
  which: { contractId: number } | { limit: number },
): Promise<{ id: number; contractId: number; step: number }[]> {
  const { trx, storeId, store, now } = scope;
  const asking = {
    trx,
    storeId,
    store: store as RuleContext['store'],
    shape: scope.shape,
    now,
    session: undefined,
    definitions: scope.definitions,
  };
  const where = await fits(asking, streak);
  const isOne = 'contractId' in which;
  const { rows } = await sql<{
    id: number;
    contractId: number;
    step: number;
    due: Date;
  }>`insert into streak_enrollments (store_id, streak_id,
      streak_name, contract_id, customer_id, step, length, last_order, due_at, lapses_at, enrolled_at)
    select r.store_id, ${streak.id}::bigint, ${streak.name}, r.id, r.customer_id, ${isOne ? sql`least(r.completed_orders, 1)` : sql`0`},
      ${streak.milestones.length}::integer, r.completed_orders, ${nextDue(now(), store.timezone)},
      ${lapsesAt(nextDue(now(), store.timezone), streak.gracePeriodDays, store.timezone)}, ${now()}::timestamptz
    from contracts r where r.store_id = ${storeId}::integer and r.status = 'ACTIVE' and ${where}
      ${isOne ? sql`and r.id = ${which.contractId}::bigint` : sql``}
      and not exists (select 1 from streak_enrollments e where e.store_id = r.store_id and e.contract_id = r.id
        and (e.streak_id = ${streak.id}::bigint or e.state = 'ACTIVE'))
    order by r.id ${isOne ? sql`` : sql`limit ${which.limit}`}
    on conflict do nothing returning id, contract_id as "contractId", step, due_at as due`.execute(trx);
  const { id: streakId, name, milestones } = streak;
  await addEvents(
    trx,
    rows.map(({ contractId, step, due }) =>
      eventRow(scope, contractId, 'streak_enrolled', { streakId, name, step, length: milestones.length, nextDueDateEpoch: epoch(due) }),
    ),
  );
  return rows;
}

/** A new subscription takes part in the first streak that fits it; what it was bought with is its first order. */
export async function enrolNew(scope: StreakScope, streaks: readonly Streak[], contractId: number): Promise<void> {
  for (const streak of streaks) {
    const [made] = await enrol(scope, streak, { contractId });
    if (!made) continue;
    const row = made.step > 0 ? await running(scope, contractId) : undefined;
    if (row) await reach(scope, row, streak, made.step);
    return;
  }
}

/** The streak that a subscription is in now, locked. */
async function running({ trx, storeId }: Writing, contractId: number): Promise<Enrollment | undefined> {
  const { rows } = await sql<Enrollment>`select id, streak_id, streak_name, contract_id, state, step, length, last_order, due_at, lapses_at,
      rewards from streak_enrollments
    where store_id = ${storeId}::integer and contract_id = ${contractId}::bigint and state = 'ACTIVE' for update`.execute(trx);
  return rows[0];
}

/** Counts an order that was paid at `at`; one that comes too late breaks the streak. */
export async function countOrder(scope: StreakScope, contractId: number, orderNumber: number, at: Date): Promise<void> {
  const row = await running(scope, contractId);
  if (!row || orderNumber <= row.last_order) return;
  const streak = await streakById(scope, row.streak_id);
  if (!streak) return;
  if (row.lapses_at && at >= row.lapses_at) {
    await breakStreaks(scope, at, row.id);
    return;
  }
  const { trx, storeId, store } = scope;
  await sql`update streak_enrollments e set last_order = ${orderNumber}::integer, due_at = ${nextDue(at, store.timezone)},
      lapses_at = ${lapsesAt(nextDue(at, store.timezone), streak.gracePeriodDays, store.timezone)}
    from contracts r where e.store_id = ${storeId}::integer and e.id = ${row.id}::bigint and r.store_id = e.store_id
      and r.id = e.contract_id`.execute(trx);
  await reach(scope, row, streak, row.step + 1);
}

/** Gives what the milestone of this step brings, once: it is noted in the same transaction. */
async function reach(scope: StreakScope, row: Enrollment, streak: Streak, step: number): Promise<void> {
  const { trx, storeId, now } = scope;
  const milestone = streak.milestones[step - 1];
  const action = milestone && rewardAction(milestone, milestone.title || streak.name);
  const done =
    action &&
    (await runAction(scope, action.action as ActionKey, row.contract_id, action.input ?? {}, {
      source: 'System',
      noteData: { streakId: streak.id },
    }));
  const length = streak.milestones.length;
  const isOver = step >= length;
  const reward: Reward[] =
    milestone && done
      ? [{ step, reward: milestone.rewardType, status: done.status, sentence: done.sentence, at: now().toISOString() }]
      : [];
  const { rows } = await sql<{ due: Date | null }>`update streak_enrollments set step = ${step}::integer, length = ${length}::integer,
      rewards = rewards || ${JSON.stringify(reward)}::jsonb
      ${isOver ? sql`, state = 'COMPLETED', ended_at = ${now()}::timestamptz, due_at = null, lapses_at = null` : sql``}
    where store_id = ${storeId}::integer and id = ${row.id}::bigint returning due_at as due`.execute(trx);
  const what = { streakId: streak.id, name: streak.name, length };
  await addEvents(trx, [
    eventRow(scope, row.contract_id, 'streak_milestone_reached', {
      ...what,
      step,
      ...(milestone && done ? { reward: milestone.title || milestone.rewardType } : {}),
      ...(done?.status === 'SKIPPED' ? { refused: done.sentence } : {}),
      ...(isOver ? {} : { nextDueDateEpoch: epoch(rows[0]?.due ?? null) }),
    }),
    ...(isOver ? [eventRow(scope, row.contract_id, 'streak_completed', what)] : []),
  ]);
}

type Ended = Pick<Enrollment, 'contract_id' | 'streak_id' | 'streak_name' | 'step' | 'length'> & { at: Date };
const endedWith = ({ streak_id, streak_name, step, length }: Ended): JsonObject => ({
  streakId: streak_id,
  name: streak_name,
  step,
  length,
});

/** Breaks streaks whose next order did not come in time: one, or up to a thousand that are overdue. */
export async function breakStreaks(scope: Writing, now: Date, id?: number): Promise<number> {
  const { trx, storeId } = scope;
  const one = id === undefined ? sql`` : sql`and id = ${id}::bigint`;
  const { rows } = await sql<Ended>`update streak_enrollments set state = 'FAILED', ended_at = lapses_at
    where (store_id, id) in (select store_id, id from streak_enrollments where store_id = ${storeId}::integer and state = 'ACTIVE'
      and lapses_at <= ${now}::timestamptz ${one} order by lapses_at limit 1000 for update skip locked)
    returning contract_id, streak_id, streak_name, step, length, ended_at as at`.execute(trx);
  await addEvents(
    trx,
    rows.map(row => eventRow(scope, row.contract_id, 'streak_broken', { ...endedWith(row), dateEpoch: epoch(row.at) }, row.at)),
  );
  return rows.length;
}

/** Ends a streak that was deleted for so many who are in it. @returns for how many */
export async function endSome(scope: Writing, streakId: number, most: number): Promise<number> {
  const { rows } = await sql<Ended>`update streak_enrollments set state = 'ENDED', ended_at = ${scope.now()}::timestamptz
    where (store_id, id) in (select store_id, id from streak_enrollments where store_id = ${scope.storeId}::integer
      and streak_id = ${streakId}::bigint and state = 'ACTIVE' order by id limit ${most} for update)
    returning contract_id, streak_id, streak_name, step, length, ended_at as at`.execute(scope.trx);
  await addEvents(
    scope.trx,
    rows.map(row => eventRow(scope, row.contract_id, 'streak_ended', endedWith(row))),
  );
  return rows.length;
}
