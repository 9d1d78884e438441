// Quick actions: the words they begin with, what no schema says of them, and what became of their links.
import { sql } from 'kysely';
import { conditionErrors } from '../../platform/records/conditions/condition-errors.ts';
import { rules } from '../../platform/records/rules.ts';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { LINK_NAMES, rewardErrors, type Reward } from '../../engine/index.ts';
import type { Offered } from './kinds.ts';
import { filledWords, offeredErrors, ofLinks, shareOf } from './offered.ts';
import { t } from '../../../domain/text/t.ts';

export { campaign, campaignLink } from './campaign-rules.ts';

type Segment = { conditions?: ConditionSet; reward?: Reward };
type QuickAction = Offered & { segments?: Segment[] };

/** What new quick actions for failed payments begin with: a step for each third of the retries (actions.md 2.4). */
async function defaultSegments(context: Context): Promise<JsonValue> {
  const { maxRetries } = await context.setting('paymentRecovery');
  const most = typeof maxRetries === 'number' ? maxRetries : 0;
  const segment = (name: string, from: number, to: number): JsonObject => ({
    name,
    conditions: { match: 'ALL', rows: [{ conditionKey: 'AVAILABLE_RETRY_COUNT', operator: 'BETWEEN', value: [from, to] }] },
    reward: { rewardType: 'NONE' },
  });
  return [
    segment('Last retry', 0, 1),
    ...(most > 2 ? [segment('Some retries left', 2, most - 1)] : []),
    ...(most > 1 ? [segment('All retries left', most, most)] : []),
  ];
}

export const quickAction = rules({
  async fill(verb, { record, input }, context): Promise<JsonObject> {
    const given = record ?? input;
    const isRecovery = given.type === 'RECOVER_FAILED_PAYMENT';
    return {
      ...filledWords(given),
      ...(verb === 'create' && isRecovery && !(given.segments as JsonValue[] | undefined)?.length
        ? { segments: await defaultSegments(context) }
        : {}),
    };
  },
  validate(verb, { before, record }, context) {
    if (!record || verb === 'delete' || verb === 'move') return undefined;
    const given = record as QuickAction;
    const errors = offeredErrors(context, given);
    if (before && before.type !== given.type)
      errors.push({ pointer: '/type', rule: 'unchanged', message: t`What a link does stays as it is. Create another quick action.` });
    for (const [i, { conditions, reward }] of (given.segments ?? []).entries())
      errors.push(
        ...conditionErrors(context, conditions).map(error => ({ ...error, pointer: `/segments/${i}${error.pointer}` })),
        ...rewardErrors(context, reward, `/segments/${i}/reward`),
      );
    return errors;
  },
  derive: {
    needs: ['id', 'type'],
    members: ['urlVariableName', 'linkClicks', 'confirmations', 'conversionRate', 'revenue'],
    async of(records, context) {
      const found = await ofLinks(
        context,
        'QUICK_ACTION',
        records.map(({ id }) => Number(id)),
      );
      return records.map(({ type }, i) => {
        const one = found[i] ?? { linkClicks: 0, confirmations: 0, revenue: '0' };
        return {
          ...one,
          urlVariableName: `{{ quickAction.${LINK_NAMES[type as Offered['type']]} }}`,
          conversionRate: shareOf(one.confirmations, one.linkClicks),
        };
      });
    },
  },
});

export const guards = {
  /** A variable of e-mails leads to one quick action. */
  canActivateQuickAction: async ({ trx, storeId }: Context, record: JsonObject): Promise<string | undefined> => {
    const { rows } = await sql<{ name: string }>`select data ->> 'name' as name from records where store_id = ${storeId}::integer
      and entity = 'quick-action' and deleted_at is null and data ->> 'status' = 'ACTIVE' and data ->> 'type' = ${String(record.type)}
      and id <> ${Number(record.id)}::bigint limit 1`.execute(trx);
    return rows[0] && t`Another active quick action already does this: “${rows[0].name}”. Turn that off first.`;
  },
};
