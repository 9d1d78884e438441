// Streaks: their milestones in order, what no schema says of them, and what became of those who take part.
import { sql } from 'kysely';
import { shortestDays } from '../../../domain/calendar/interval.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { conditionErrors } from '../../platform/records/conditions/condition-errors.ts';
import { newPublicId } from '../../platform/records/public-id.ts';
import { rules } from '../../platform/records/rules.ts';
import { engineOf, readCatalogue, rewardErrors } from '../../engine/index.ts';
import { END } from './jobs/end-streak.ts';
import type { Milestone, Streak } from './streak.ts';
import { t } from '../../../domain/text/t.ts';

export const streak = rules({
  fill(_verb, { record, input }): JsonObject {
    const given = (record ?? input).milestones;
    if (!Array.isArray(given)) return {};
    // Milestones keep their ids over a change: their translations are kept by them.
    const milestones = (given as Milestone[]).map((one, i) => ({
      ...one,
      id: one.id || newPublicId('nano'),
      orderNumber: i + 1,
    }));
    return { milestones: milestones as JsonValue, streakLength: milestones.length };
  },
  validate(verb, { record }, context) {
    if (!record || verb === 'delete' || verb === 'move') return undefined;
    const given = record as Streak;
    const errors = [
      ...conditionErrors(context, given.conditions),
      ...given.milestones.flatMap((one, i) => rewardErrors(context, one, `/milestones/${i}`)),
    ];
    if (given.frequencies.some(one => shortestDays(one) <= given.gracePeriodDays))
      errors.push({ pointer: '/gracePeriodDays', rule: 'maximum', message: t`Grace period must be shorter than the delivery interval.` });
    return errors;
  },
  async after(verb, { before }, context) {
    if (verb === 'delete' && before)
      await context.queue.send(END, { storeId: context.storeId, streakId: Number(before.id) }, { trx: context.trx });
  },
  derive: {
    needs: ['id'],
    members: ['enrolled', 'inProgress', 'completed', 'failed', 'completionRate', 'rewardsIssued'],
    async of(records, { trx, storeId }) {
      const { rows } = await sql<JsonObject & { id: number }>`select streak_id as id, ${COUNTS} from streak_enrollments
        where store_id = ${storeId}::integer and streak_id = any(${records.map(({ id }) => Number(id))}::bigint[]) group by 1`.execute(trx);
      return records.map(({ id }) => {
        const { id: _id, ...found } = rows.find(row => row.id === id) ?? { id, ...NONE };
        return found;
      });
    },
  },
});

/** Figures of rows of streak_enrollments. */
export const COUNTS = sql`count(*)::integer as enrolled, count(*) filter (where state = 'ACTIVE')::integer as "inProgress",
  count(*) filter (where state = 'COMPLETED')::integer as completed, count(*) filter (where state = 'FAILED')::integer as failed,
  round(1000.0 * count(*) filter (where state = 'COMPLETED')
    / nullif(count(*) filter (where state in ('COMPLETED', 'FAILED')), 0)) / 10::float8 as "completionRate",
  coalesce(sum((select count(*) from jsonb_array_elements(rewards) x where x ->> 'status' = 'DONE')), 0)::integer as "rewardsIssued"`;
export const NONE = { enrolled: 0, inProgress: 0, completed: 0, failed: 0, completionRate: null, rewardsIssued: 0 };

export const guards = {
  /** A gift has to be there. */
  canActivateStreak: async (context: Context, record: JsonObject): Promise<string | undefined> => {
    const gifts = (record as Streak).milestones.flatMap(one => (one.rewardType === 'GIFT' ? (one.variantId ?? []) : []));
    if (gifts.length === 0) return undefined;
    const { byId } = await readCatalogue(engineOf(context), { ids: gifts });
    return gifts.every(id => byId.has(id)) ? undefined : t`A gift is not in the store any more. Choose another product.`;
  },
};
