// What customers see before they cancel: reasons, benefits pages and offers. What their actions do, who may ask what in their
// conditions, and how they have done of late.
import { sql } from 'kysely';
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { conditionErrors } from '../../platform/records/conditions/condition-errors.ts';
import { newPublicId } from '../../platform/records/public-id.ts';
import { rules, type Derivation, type RuleContext, type WriteVerb } from '../../platform/records/rules.ts';
import { cleanText } from '../../platform/texts/text-verbs.ts';
import { t } from '../../../domain/text/t.ts';
import { STAYED } from './attempts.ts';
import { refuseTried } from './experiment-rules.ts';
import { actionErrors, filledIn, type KeptAction } from '../../engine/index.ts';

export { experimentReportRules as experimentReport, experimentRules as experiment } from './experiment-rules.ts';

const DAYS = 90;

interface Treatment {
  id?: string;
  actions?: KeptAction[];
}
const listOf = <T>(value: JsonValue | undefined): T[] => (Array.isArray(value) ? (value as T[]) : []);
const clean = (html: JsonValue | undefined): string => cleanText({ component: 'RICH_TEXT' }, String(html ?? ''));

/** Whether a page or offer is not shown any more after this. */
const isEnding = (verb: WriteVerb, record: JsonObject | undefined): boolean =>
  verb === 'delete' || (verb === 'move' && record?.status === 'DRAFT');

/** How often a step was shown in the last 90 days, and which part of those attempts stayed, in percent. */
const saveRates = (column: 'benefit_id' | 'offer_id'): Derivation => ({
  needs: ['id'],
  members: ['shown', 'saveRate'],
  async of(records, { trx, storeId, now }) {
    const { rows } = await sql<{ id: number; shown: number; saved: number }>`select ${sql.ref(column)} as id, count(*)::integer as shown,
        count(*) filter (where ${STAYED(now())})::integer as saved
      from cancellation_attempts where store_id = ${storeId}::integer and started_at > ${now()}::timestamptz - ${DAYS} * interval '1 day'
        and ${sql.ref(column)} = any(${records.map(({ id }) => Number(id))}::bigint[]) group by 1`.execute(trx);
    return records.map(({ id }) => {
      const row = rows.find(one => one.id === id);
      return { shown: row?.shown ?? 0, saveRate: row ? Math.round((row.saved / row.shown) * 1000) / 10 : null };
    });
  },
});

export const cancellationReason = rules({
  fill(_verb, { record, input }, context): JsonObject {
    const given = record ?? input;
    if (!Array.isArray(given.treatments)) return {};
    // Suggestions keep their ids over a change: their translations are kept by them.
    const treatments = listOf<Treatment>(given.treatments).map(one => ({
      ...one,
      id: one.id || newPublicId('nano'),
      actions: filledIn(context, 'treatment', one.actions),
    }));
    return { treatments: treatments as JsonValue };
  },
  async validate(verb, { before, record }, context) {
    if (verb === 'delete') return mayGo(context, before ?? {});
    if (!record || verb === 'move') return undefined;
    const wrong = listOf<Treatment>(record.treatments).flatMap(({ actions = [] }, i) =>
      actions.flatMap((action, j) =>
        actionErrors(context, 'treatment', action).map(error => ({ ...error, pointer: `/treatments/${i}/actions/${j}${error.pointer}` })),
      ),
    );
    return [...conditionErrors(context, record.conditions), ...wrong];
  },
  async after(verb, { before }, { trx, storeId }) {
    // Offers for other reasons too lose this one.
    if (verb === 'delete' && before)
      await sql`update records set data = jsonb_set(data, '{reasonIds}', (select coalesce(jsonb_agg(x), '[]') from
          jsonb_array_elements(data -> 'reasonIds') x where x <> to_jsonb(${Number(before.id)}::bigint))), version = version + 1
        where store_id = ${storeId}::integer and entity = 'incentive' and deleted_at is null
          and data -> 'reasonIds' @> to_jsonb(${Number(before.id)}::bigint)`.execute(trx);
  },
  derive: {
    needs: ['title'],
    members: ['timesChosen'],
    async of(reasons, { trx, storeId, now }) {
      const titles = reasons.map(({ title }) => String(title));
      const { rows } = await sql<{ title: string; n: number }>`select cancellation_reason as title, count(*)::integer as n from contracts
        where store_id = ${storeId}::integer and status = 'CANCELLED' and cancelled_at > ${now()}::timestamptz - ${DAYS} * interval '1 day'
          and cancellation_reason = any(${titles}::text[]) group by 1`.execute(trx);
      return reasons.map(({ title }) => ({ timesChosen: rows.find(row => row.title === title)?.n ?? 0 }));
    },
  },
});

/** Why a reason can't be deleted: one is always there, and an offer that is on needs a reason. */
async function mayGo({ trx, storeId }: Context, reason: JsonObject): Promise<Refusal | undefined> {
  if (reason.isSystem === true)
    return new Refusal(409, 'INVALID_STATE', t`“${String(reason.title)}” is always there. Turn it off if it should not be offered.`);
  const { rows } = await sql<{ name: string }>`select data ->> 'name' as name from records where store_id = ${storeId}::integer
    and entity = 'incentive' and deleted_at is null and data ->> 'status' = 'ACTIVE'
    and data -> 'reasonIds' = jsonb_build_array(${Number(reason.id)}::bigint) order by id limit 1`.execute(trx);
  const [offer] = rows;
  return offer && new Refusal(409, 'IN_USE', t`This reason is used by an offer: “${offer.name}” is for it alone. Turn that off first.`);
}

export const subscriptionBenefit = rules({
  fill: (_verb, { record, input }): JsonObject => ({
    type: 'CANCELLATION_FLOW_BENEFIT',
    ...((record ?? input).bodyHtml === undefined ? {} : { bodyHtml: clean((record ?? input).bodyHtml) }),
  }),
  async validate(verb, { before, record }, context) {
    if (isEnding(verb, record)) return refuseTried(context, verb, 'benefitId', before?.id);
    return record && verb !== 'move' ? conditionErrors(context, record.conditions) : undefined;
  },
  derive: saveRates('benefit_id'),
});

/** Reasons that an offer names and that are not there (any more), by their place in its list. */
async function reasonErrors({ trx, storeId }: RuleContext, ids: number[]): Promise<FieldError[]> {
  const { rows } = await sql<{ id: number }>`select id from records where store_id = ${storeId}::integer
    and entity = 'cancellation-reason' and deleted_at is null and id = any(${ids}::bigint[])`.execute(trx);
  return ids.flatMap((id, i) =>
    rows.some(row => row.id === id)
      ? []
      : [{ pointer: `/reasonIds/${i}`, rule: 'reference', message: t`This reason does not exist any more.` }],
  );
}

export const incentive = rules({
  fill(_verb, { record, input }, context): JsonObject {
    const given = record ?? input;
    return {
      ...(given.bodyHtml === undefined ? {} : { bodyHtml: clean(given.bodyHtml) }),
      ...(typeof given.arlBodyHtml === 'string' ? { arlBodyHtml: clean(given.arlBodyHtml) } : {}),
      ...(given.incentives === undefined
        ? {}
        : { incentives: filledIn(context, 'incentive', listOf<KeptAction>(given.incentives)) as JsonValue }),
    };
  },
  async validate(verb, { before, record }, context) {
    if (isEnding(verb, record)) return refuseTried(context, verb, 'incentiveId', before?.id);
    if (!record || verb === 'move') return undefined;
    const wrong = listOf<KeptAction>(record.incentives).flatMap((action, i) =>
      actionErrors(context, 'incentive', action).map(error => ({ ...error, pointer: `/incentives/${i}${error.pointer}` })),
    );
    return [...conditionErrors(context, record.conditions), ...(await reasonErrors(context, listOf<number>(record.reasonIds))), ...wrong];
  },
  derive: saveRates('offer_id'),
});

export const guards = {
  canActivateIncentive: async ({ trx, storeId }: Context, record: JsonObject): Promise<string | undefined> => {
    const { rows } = await sql`select 1 from records where store_id = ${storeId}::integer and entity = 'cancellation-reason'
      and deleted_at is null and data ->> 'status' = 'ACTIVE' and id = any(${listOf<number>(record.reasonIds)}::bigint[]) limit 1`.execute(
      trx,
    );
    return rows.length ? undefined : t`Choose at least one active reason.`;
  },
};
