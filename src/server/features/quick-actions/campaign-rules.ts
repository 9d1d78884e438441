// Campaigns: what no schema says of them, what may change once they were launched, and what they brought.
import { sql } from 'kysely';
import { deleteRowsOf } from '../../platform/queue/delete-rows.ts';
import { rules } from '../../platform/records/rules.ts';
import { conditionErrors } from '../../platform/records/conditions/condition-errors.ts';
import { invalidState } from '../../platform/context.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { checkIds, type Audience } from './audience.ts';
import { holdLetters } from './campaign-letters.ts';
import type { Offered } from './kinds.ts';
import { filledWords, offeredErrors, ofLinks, shareOf } from './offered.ts';
import { t } from '../../../domain/text/t.ts';

const MOST_DAYS = 180;
const DAY_MS = 86_400_000;
/** What may change while a campaign runs. */
const STAYS_OPEN = new Set(['name', 'endAt', 'title', 'description', 'ctaText', 'successText', 'imageUrl', 'version', 'updatedAt']);
type Campaign = Offered & Audience & { status: string; startAt: string; endAt: string };

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

export const campaign = rules({
  fill: (_verb, { record, input }): JsonObject => filledWords(record ?? input),
  async validate(verb, { before, record }, context) {
    if (!record || verb === 'delete' || verb === 'move') return undefined;
    const given = record as Campaign;
    if (before?.status === 'ARCHIVED') return invalidState(t`This campaign is archived.`);
    const isLaunched = before !== undefined && before.status !== 'DRAFT';
    const changed = Object.keys(record).filter(name => !STAYS_OPEN.has(name) && !isSame(record[name], before?.[name]));
    const isRunning = isLaunched && before.status !== 'SCHEDULED';
    if (isRunning && changed.some(name => name in before || record[name] !== undefined))
      return invalidState(t`Audience and action cannot change after launch.`);
    const errors = [...offeredErrors(context, given), ...conditionErrors(context, given.conditions)];
    const [start, end] = [new Date(given.startAt).getTime(), new Date(given.endAt).getTime()];
    if (end <= start) errors.push({ pointer: '/endAt', rule: 'minimum', message: t`The end must be after the start.` });
    else if (end - start > MOST_DAYS * DAY_MS)
      errors.push({ pointer: '/endAt', rule: 'maximum', message: t`A campaign lasts at most ${MOST_DAYS} days.` });
    if (isRunning && end < new Date(String(before.endAt)).getTime())
      errors.push({ pointer: '/endAt', rule: 'minimum', message: t`A campaign that runs can only be made longer.` });
    if (given.audienceType === 'SUBSCRIPTION_IDS' && !isLaunched && (await checkIds(context, given)).valid.length === 0)
      errors.push({ pointer: '/subscriptionIds', rule: 'minItems', message: t`None of these subscriptions can be used.` });
    return errors;
  },
  async after(verb, { before }, context) {
    if (verb === 'delete' && before) await deleteRowsOf(context, 'campaign_members', Number(before.id));
    if (verb === 'move' && before) await holdLetters(context, Number(before.id));
  },
  derive: {
    needs: ['id', 'audience'],
    members: ['linkClicks', 'confirmations', 'conversionRate', 'revenue'],
    async of(records, context) {
      const found = await ofLinks(
        context,
        'CAMPAIGN',
        records.map(({ id }) => Number(id)),
      );
      return records.map(({ audience }, i) => {
        const one = found[i] ?? { linkClicks: 0, confirmations: 0, revenue: '0' };
        return { ...one, conversionRate: shareOf(one.confirmations, Number(audience ?? 0)) };
      });
    },
  },
});

/** What became of a link, for people; the rows themselves say what became of its letter. */
export const campaignLink = rules({
  columns: ({ storeId }) => {
    const used = (happened: string) => sql`from link_events e where e.store_id = ${storeId}::integer and e.kind = 'CAMPAIGN'
      and e.action_id = r.campaign_id and e.contract_id = r.contract_id and e.happened = ${happened}`;
    return {
      campaignName: sql`(select g.data ->> 'name' from records g where g.store_id = r.store_id and g.id = r.campaign_id)`,
      customerName: sql`(select c.customer_name from contracts c where c.store_id = r.store_id and c.id = r.contract_id)`,
      openedAt: sql`(select min(e.created_at) ${used('OPENED')})`,
      takenAt: sql`(select min(e.created_at) ${used('CONFIRMED')})`,
      revenue: sql`(select sum(e.value)::bigint ${used('CONFIRMED')})`,
    };
  },
});
