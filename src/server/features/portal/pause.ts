// Pausing: the store's pause flow first (what could be done instead, and a reward for it), then for how long.
import { sql } from 'kysely';
import { stepDate } from '../../../domain/calendar/calendar.ts';
import { toMinor } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { namesOf } from '../quick-actions/asked.ts';
import { discountOf, rewardSaid } from '../quick-actions/look.ts';
import type { PauseFlow } from '../quick-actions/pause-flow.ts';
import { nextPlanned, type Reward } from '../../engine/index.ts';
import type { Action, Choice } from './action.ts';
import { skippedInARow, spanOf, type Portal } from './portal.ts';

/** In the lines of the log that a reward of the pause flow leaves: it is given once to a subscription. */
export const OF_PAUSE_FLOW = { pauseFlow: true };

/** The page of a pause, with what the store would rather see done above its buttons. */
export async function withPauseFlow(portal: Portal, action: Action): Promise<Action> {
  const { context } = portal;
  const flow = (await context.setting('pause-flow')) as PauseFlow;
  const reward = flow.status === 'ACTIVE' ? await rewardOf(portal, flow.reward) : undefined;
  const instead = flow.status === 'ACTIVE' && portal.planHas('cancellation_flows') ? await insteadOf(portal, flow, reward) : [];
  if (instead.length === 0) return action;
  const { title: _title, ...without } = action;
  const said = reward ? await rewardWords(portal, reward) : '';
  return {
    ...without,
    ...(flow.title ? { title: flow.title } : {}),
    question: [flow.description ?? '', said].filter(Boolean).join('\n'),
    choices: [...instead, ...action.choices.map(one => ({ ...one, isQuiet: true }))],
  };
}

/** The reward, where this subscription has not had it before. */
async function rewardOf({ context, subscription }: Portal, reward: Reward | undefined): Promise<Reward | undefined> {
  if (!reward || reward.rewardType === 'NONE') return undefined;
  const { rows } =
    await sql`select 1 from events where store_id = ${context.storeId}::integer and contract_id = ${subscription.contract.id}::bigint
    and data ? 'pauseFlow' limit 1`.execute(context.trx);
  return rows.length ? undefined : reward;
}

/** What the store offers in place of a pause; the limit of orders that are skipped in a row holds here too. */
async function insteadOf(portal: Portal, flow: PauseFlow, reward: Reward | undefined): Promise<Choice[]> {
  const { subscription, work, may } = portal;
  const next = nextPlanned(subscription, work.zone);
  if (!next) return [];
  const { alternatives = [], delayOptions = [], skipText = '', delayText = '' } = flow;
  const most = may.maxConsecutiveSkips ?? 0;
  const isFull = most > 0 && (await skippedInARow(portal)) >= most;
  const choice = (label: string, action: ActionKey, input: JsonObject): Choice => ({
    label,
    does: { action, input, ...(reward ? { reward } : {}) },
    done: 'rescheduled',
  });
  return alternatives.flatMap((kind): Choice[] => {
    if (kind === 'SKIP_ORDER') return isFull ? [] : [choice(skipText, 'SKIP_ORDER', { count: 1 })];
    return delayOptions.map(one => {
      const at = Math.floor(stepDate(next.billingAt, one, 1, work.zone) / 1000);
      return choice(`${delayText} ${spanOf(portal, one)}`, 'RESCHEDULE', { mode: 'DATE', nextBillingDateEpoch: at, scope: 'ALL' });
    });
  });
}

async function rewardWords({ context, subscription, say, speech }: Portal, reward: Reward): Promise<string> {
  const names = reward.variantId ? await namesOf(context, [reward.variantId], speech) : undefined;
  const values = {
    discount:
      reward.rewardType === 'DISCOUNT'
        ? discountOf(reward, amount =>
            speech.money(toMinor(amount, subscription.contract.currency_code), subscription.contract.currency_code),
          )
        : '',
    gift_title: names?.get(reward.variantId ?? 0) ?? '',
  };
  return rewardSaid(reward, key => say(key, values));
}
