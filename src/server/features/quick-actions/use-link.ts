// What the button behind a link does: once for each link, and with a reward once for each subscription.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { addEvents } from '../../platform/events/emit.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import type { PageServices } from '../../platform/http/public-pages.ts';
import { rewardAction } from '../bulk-actions/reward.ts';
import { runAction } from '../bulk-actions/run-action.ts';
import type { Link, LinkKind } from '../subscriptions/engine/action-links.ts';
import { takeCharges } from '../subscriptions/engine/charging/charge.ts';
import type { PendingCharge } from '../subscriptions/engine/charging/place-order.ts';
import type { EngineContext } from '../subscriptions/engine/context.ts';
import { transactIn } from '../subscriptions/engine/runtime.ts';
import { KINDS } from './kinds.ts';
import { look, note, ownerOf, type Found, type Said } from './look.ts';

interface Confirmed {
  found: Found | undefined;
  pending: PendingCharge | null;
}

/** Does what the button says: the action, and with it the reward. A link that was used before does nothing more. */
export async function confirm(services: PageServices, link: Link & { signed: string }, choiceIndex: number): Promise<Found | undefined> {
  const transact = transactIn(services, link.storeId);
  const { found, pending } = await transact(context => confirmIn(services, context, link, choiceIndex)).catch(
    (error: unknown): Confirmed => {
      if (error instanceof LinkRefused) return { found: { ...error.found, said: { text: 'quickNotApplicable' } }, pending: null };
      throw error;
    },
  );
  if (!pending || !found) return found;
  const { paid } = await takeCharges(transact, services.gateway, [pending], 'NOW', services.log);
  if (paid > 0) return found;
  // What did not go through may be tried again by the same link.
  await transact(({ trx, storeId }) =>
    sql`delete from link_events where store_id = ${storeId}::integer and happened = 'CONFIRMED' and link = ${link.signed}`.execute(trx),
  );
  return { ...found, said: { text: 'quickUnpaid' } };
}

async function confirmIn(
  services: PageServices,
  opened: EngineContext,
  link: Link & { signed: string },
  choiceIndex: number,
): Promise<Confirmed> {
  const context = { ...opened, source: 'Customer portal' as const, definitions: services.definitions };
  const { trx, storeId, store } = context;
  // Two clicks at once: the second waits here, and finds that it was done.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} link ${link.contractId}`}, 0))`.execute(trx);
  const found = await look(services, context, link, false);
  const owner = found && (await ownerOf(context, link));
  if (!found || !owner || found.said) return { found, pending: null };
  const choice = found.choices[choiceIndex];
  if (!choice) return { found: { ...found, said: { text: 'quickNotApplicable' } }, pending: null };
  const { offered } = found;
  const noteData: JsonObject = owner.kind === 'CAMPAIGN' ? { campaignId: offered.id } : { quickActionId: offered.id };
  const run = (action: ActionKey, input: JsonObject, chargeKey?: string) =>
    runAction(context, action, link.contractId, input, {
      source: 'Customer portal',
      noteData,
      ...(chargeKey === undefined ? {} : { chargeKey }),
    });
  const value = await valueOf(context, link.contractId, offered.type);
  // A gift or discount is for the order that is placed now.
  const reward = rewardAction(choice.reward && !found.wasRewarded ? choice.reward : found.reward, offered.name);
  const isFirst = KINDS[offered.type].charges === true;
  const given = isFirst && reward ? await run(reward.action as ActionKey, reward.input ?? {}) : undefined;
  const done = choice.action ? await run(choice.action, choice.input, `link-${link.signed}`) : undefined;
  if (done?.status === 'SKIPPED') throw new LinkRefused(found);
  const after = !isFirst && reward ? await run(reward.action as ActionKey, reward.input ?? {}) : given;
  if (!choice.action && after?.status !== 'DONE') return { found: { ...found, said: { text: 'quickNotApplicable' } }, pending: null };
  const sentence = [done?.sentence, after?.sentence].filter(Boolean).join(' ');
  await note(context, owner, link, { happened: 'CONFIRMED', rewarded: after?.status === 'DONE', sentence, value });
  await addEvents(trx, [
    {
      store_id: storeId,
      contract_id: link.contractId,
      key: 'quick_action_used',
      source: 'Customer portal',
      entity: '',
      data: { ...noteData, name: offered.name, kind: offered.type, done: choice.label },
      messages: 'NONE',
      created_at: context.now(),
    },
  ]);
  const next = await look(services, context, { ...link, signed: '' }, false);
  const said: Said = {
    text: 'quickSuccess',
    isDone: true,
    ...(choice.successText || offered.successText ? { own: choice.successText ?? offered.successText ?? '' } : {}),
  };
  return {
    found: { ...found, values: next?.values ?? found.values, say: next?.say ?? found.say, storeName: store.name, said },
    pending: done?.pending ?? null,
  };
}

/** Takes back what was done, such as a reward, when the action itself is refused. */
class LinkRefused extends Error {
  readonly found: Found;
  constructor(found: Found) {
    super('The action of a link was refused.');
    this.found = found;
  }
}

/** What the next order is worth, in the store's currency, where the action brings an order. */
async function valueOf({ trx, storeId, store }: EngineContext, contractId: number, type: LinkKind): Promise<number> {
  if (!KINDS[type].isRevenue) return 0;
  const { rows } = await sql<{ total: number; currency_code: string }>`select total, currency_code from contracts
    where store_id = ${storeId}::integer and id = ${contractId}::bigint`.execute(trx);
  return rows[0] ? inStoreCurrency(store as never, rows[0].total, rows[0].currency_code) : 0;
}
