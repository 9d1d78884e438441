// Streaks: figures, what a streak can be for, and the streak of one subscription as it is shown.
import { sql } from 'kysely';
import { dateLabel } from '../../../../domain/calendar/calendar.ts';
import { frequencyLabel, sameInterval, type Interval } from '../../../../domain/calendar/interval.ts';
import { filledOut } from '../../../../domain/text/placeholders.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalidState, notFound, Reply, type Context } from '../../../platform/context.ts';
import { needRow, recordOf, updateRow } from '../../../platform/records/record-repository.ts';
import { readWords } from '../../../platform/texts/words.ts';
import type { Enrollment } from '../enrollment.ts';
import { ENROL } from '../jobs/enrol-existing.ts';
import { progressValues } from '../progress.ts';
import { COUNTS, NONE } from '../rules.ts';
import { CATEGORY, streakById, type Milestone, type Streak } from '../streak.ts';
import { intlLocale, later, t } from '../../../../domain/text/t.ts';

/** C508: what became of all streaks, or of one, with how many reached each milestone. */
export async function stats({ trx, storeId }: Context, { streakId }: { streakId?: number }): Promise<JsonObject> {
  const which = sql`store_id = ${storeId}::integer ${streakId === undefined ? sql`` : sql`and streak_id = ${streakId}::bigint`}`;
  const { rows } = await sql<JsonObject>`select ${COUNTS} from streak_enrollments where ${which}`.execute(trx);
  const reached = await sql<{ step: number; count: number }>`select n as step, count(e.id)::integer as count from generate_series(1, 5) n
    left join streak_enrollments e on ${which} and e.step >= n group by 1 order by 1`.execute(trx);
  return { ...NONE, ...rows[0], milestones: reached.rows };
}

/** C511: how often subscriptions of the store are charged, the most frequent choice first. */
export async function frequencies({ trx, storeId }: Context): Promise<JsonValue> {
  const { rows } = await sql<Interval & { subscriptions: number }>`select billing_interval as interval,
      billing_interval_count as "intervalCount", count(*)::integer as subscriptions
    from contracts where store_id = ${storeId}::integer and status in ('ACTIVE', 'PAUSED') group by 1, 2 order by 3 desc, 1, 2`.execute(
    trx,
  );
  return rows.map(row => ({ ...row, label: frequencyLabel(row) }));
}

interface Plan {
  lspId: number;
  name: string;
  isPrepaid?: boolean;
  recurringDeliveryPolicyInterval: Interval['interval'];
  recurringDeliveryPolicyIntervalCount: number;
  recurringBillingPolicyIntervalCount?: number;
}
/** C515: the selling plans of published groups whose orders are charged this often. */
export async function availableSellingPlans(
  { trx, storeId }: Context,
  { frequencies: given }: { frequencies: Interval[] },
): Promise<JsonValue> {
  const { rows } = await sql<{ id: number; name: string; plans: Plan[] }>`select id, data ->> 'name' as name,
      data -> 'sellingPlans' as plans from records
    where store_id = ${storeId}::integer and entity = 'selling-plan-group' and deleted_at is null and data ->> 'status' = 'ACTIVE'
    order by data ->> 'name', id`.execute(trx);
  return rows.flatMap(group =>
    (group.plans ?? []).flatMap(plan => {
      const often = { interval: plan.recurringDeliveryPolicyInterval, intervalCount: plan.recurringDeliveryPolicyIntervalCount };
      if (plan.isPrepaid || (given.length > 0 && !given.some(one => sameInterval(one, often)))) return [];
      return [{ id: plan.lspId, name: plan.name, groupId: group.id, groupName: group.name, ...often, label: frequencyLabel(often) }];
    }),
  );
}

/** Enrols the active subscriptions that fit, once for each streak. @throws Refusal 404, 409 */
export async function enrollExisting(context: Context, { id }: { id: number }): Promise<Reply> {
  const shape = context.shape('streak');
  const row = await needRow(context, shape, id, { lock: true });
  const before = recordOf(context, shape, row);
  if (before.status !== 'ACTIVE') throw invalidState(t`Turn the streak on first.`);
  if (before.existingEnrolledAt) throw invalidState(t`Existing subscriptions were already enrolled.`);
  const after = recordOf(
    context,
    shape,
    await updateRow(context, shape, row, { ...before, existingEnrolledAt: context.now().toISOString() }),
  );
  await context.queue.send(ENROL, { storeId: context.storeId, streakId: id }, { trx: context.trx });
  await context.log({
    action: 'streak.enrolled',
    category: 'Streaks',
    entity: 'streak',
    entityId: id,
    description: `Existing subscriptions are enrolled in streak "${String(before.name)}"`,
  });
  return new Reply(after, { message: t`Existing subscriptions are being enrolled. It goes on when you leave this page.` });
}

type Row = Enrollment & { customer_first_name: string; next_billing_at: Date | null };

/**
 * The streak that a subscription is in, or was in last, with its words as the subscriber reads them; null without one.
 * @throws Refusal 404
 */
export async function ofSubscription(
  context: Context,
  { subscriptionId, locale }: { subscriptionId: number; locale?: string },
): Promise<JsonValue> {
  const { trx, storeId } = context;
  const { rows } = await sql<
    Row & { locale: string | null; enrolled_at: Date }
  >`select e.*, c.customer_first_name, c.customer_locale as locale,
      c.next_billing_at
    from contracts c left join streak_enrollments e on e.store_id = c.store_id and e.contract_id = c.id
    where c.store_id = ${storeId}::integer and c.id = ${subscriptionId}::bigint
    order by (e.state = 'ACTIVE') desc nulls last, e.enrolled_at desc limit 1`.execute(trx);
  const [row] = rows;
  if (!row) throw notFound(later`subscription`);
  if (row.id === null) return null;
  const streak = await streakById(context, row.streak_id);
  return {
    id: row.id,
    streakId: row.streak_id,
    name: row.streak_name,
    state: row.state,
    step: row.step,
    length: row.length,
    dueAt: row.due_at?.toISOString() ?? null,
    lapsesAt: row.lapses_at?.toISOString() ?? null,
    bannerImageUrl: streak?.bannerImageUrl ?? null,
    progressBarImageUrl: streak?.progressBarImageUrl ?? null,
    milestones: (streak?.milestones ?? []).map(milestone => milestoneOf(row, milestone)),
    texts: streak ? await textsOf(context, row, streak, locale ?? row.locale) : [],
  };
}

function milestoneOf(row: Row, { orderNumber, rewardType, title = '', quote = '', imageUrl }: Milestone): JsonObject {
  const given = row.rewards.find(one => one.step === orderNumber);
  return {
    orderNumber,
    rewardType,
    title,
    quote,
    imageUrl: imageUrl ?? null,
    isReached: orderNumber <= row.step,
    given: given?.status ?? null,
    sentence: given?.sentence ?? null,
  };
}

/** The words of the category, filled in for one subscriber. */
async function textsOf(context: Context, row: Row, streak: Streak, locale: string | null): Promise<JsonObject[]> {
  const words = await readWords(context, ['store', 'streak']);
  const texts = context.definitions.texts[CATEGORY]?.texts ?? {};
  const shared = (key: string): string => words.find(locale, { ownerKind: 'store', ownerId: '', key })?.value ?? texts[key]?.default ?? '';
  const day = (at: Date): string => dateLabel(at.getTime(), context.store.timezone, intlLocale());
  const values: Record<string, string> = {
    ...progressValues(row, streak, { words, locale, shared, day }),
    next_order_date: row.next_billing_at ? day(row.next_billing_at) : '',
    customer_first_name: row.customer_first_name,
    store_name: context.store.name,
  };
  return Object.keys(texts).map(fieldKey => {
    const text = shared(fieldKey);
    return { fieldKey, value: filledOut(text, values).replace(/ {2,}/g, ' ').trim() };
  });
}
