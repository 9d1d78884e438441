// What the button behind a link does: once for each link, and with a reward once for each subscription.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { addEvents } from '../../platform/events/emit.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import type { PageServices } from '../../platform/http/page-request.ts';
import {
  type ActionResult,
  type CameWith,
  type EngineContext,
  type Given,
  type Link,
  linkOf,
  orderedNow,
  type PendingCharge,
  runAction,
  takeCharges,
  transactIn,
  rewardAction,
} from '../../engine/index.ts';
import { subjectOf } from './asked.ts';
import { draw, MYSTERY } from './mystery.ts';
import { look, note, ownerOf, type Found, type Owner, type Said } from './look.ts';

type Signed = Link & { signed: string };
interface Confirmed {
  found: Found | undefined;
  pending: PendingCharge | null;
}

/**
 * Does what the button says: the action, and with it the reward. A link that was used before does nothing more, and a button that is none
 * of the page as it stands now does nothing: the page is shown with what it offers now. A charge that is declined counts as no use, and
 * what came with it is gone again.
 */
export async function confirm(services: PageServices, link: Signed, choiceKey: string, given: Given): Promise<Found | undefined> {
  const transact = transactIn(services, link.storeId);
  const { found, pending } = await transact(context => confirmIn(services, context, link, { choiceKey, given })).catch(
    (error: unknown): Confirmed => {
      if (error instanceof LinkRefused) return { found: { ...error.found, said: { text: 'quickNotApplicable' } }, pending: null };
      throw error;
    },
  );
  if (!pending || !found) return found;
  const { paid, unknown } = await takeCharges(transact, services.gateway, [pending], 'NOW', services.log);
  if (paid > 0) return found;
  if (unknown > 0) return { ...found, said: { text: 'quickPending' } };
  return transact(context => declined(services, context, link));
}

/** The page after a decline: what became of the order, and the buttons, which work again. */
async function declined(services: PageServices, context: EngineContext, link: Signed): Promise<Found | undefined> {
  const found = await look(services, context, link, {});
  return found && { ...found, notices: ['quickUnpaid', ...(found.values.retry_date ? ['quickRetry'] : [])] };
}

async function confirmIn(
  services: PageServices,
  opened: EngineContext,
  link: Signed,
  { choiceKey, given }: { choiceKey: string; given: Given },
): Promise<Confirmed> {
  const context = { ...opened, source: 'Customer portal' as const, definitions: services.definitions };
  const { trx, storeId, store } = context;
  // Two clicks at once: the second waits here, and finds that it was done.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} link ${link.contractId}`}, 0))`.execute(trx);
  // What the button is compared with stays as it is until it is done.
  await sql`select 1 from contracts where store_id = ${storeId}::integer and id = ${link.contractId}::bigint for update`.execute(trx);
  const found = await look(services, context, link, { given });
  const owner = found && (await ownerOf(context, link));
  if (!found || !owner || found.said) return { found, pending: null };
  const choice = found.choices.find(one => one.key === choiceKey);
  if (!choice) return { found: { ...found, notices: ['quickChanged'] }, pending: null };
  const { offered } = found;
  const noteData: JsonObject = owner.kind === 'CAMPAIGN' ? { campaignId: offered.id } : { quickActionId: offered.id };
  const { revenue: isRevenue, charges } = linkOf(offered.type, services.definitions);
  const run = (action: ActionKey, input: JsonObject, more: { orderId?: number; cameWith?: CameWith } = {}): Promise<ActionResult> =>
    runAction(context, action, link.contractId, input, { source: 'Customer portal', noteData, ...more });
  const before = isRevenue ? await nextTotal(context, link) : 0;
  const mystery = offered.type === MYSTERY ? await draw(context, offered, found.customerId) : undefined;
  if (offered.type === MYSTERY && !mystery) return { found: { ...found, said: { text: 'quickUsed' } }, pending: null };
  const held = mystery?.reward ?? (choice.reward && !found.wasRewarded ? choice.reward : found.reward);
  const reward = rewardAction(held, offered.name);
  const give = (): Promise<ActionResult> | undefined => (reward ? run(reward.action as ActionKey, reward.input ?? {}) : undefined);
  // A gift or discount that comes with a charge is for the order that is placed now, and one with it: it stays when that is paid.
  const known = charges ? await rowsOf(context, link) : undefined;
  const came = known && (await give());
  const { orderId } = choice;
  const charged = known && orderId !== undefined ? { orderId, cameWith: newRows(known, await rowsOf(context, link)) } : {};
  const done = choice.action ? await run(choice.action, choice.input, charged) : undefined;
  if (done?.status === 'SKIPPED') throw new LinkRefused(found);
  const order = orderId === undefined ? undefined : await orderOf(context, orderId);
  // Refused on the spot, before anybody was asked: there was no way to charge it.
  if (order?.status === 'FAILED') return { found: await declined(services, context, link), pending: null };
  const after = known ? came : await give();
  // What was drawn and can't be given is drawn again, by the next customer.
  if (mystery && reward && after?.status !== 'DONE') throw new LinkRefused(found);
  if (!choice.action && !mystery && after?.status !== 'DONE')
    return { found: { ...found, said: { text: 'quickNotApplicable' } }, pending: null };
  const sentence = [done?.sentence, after?.sentence].filter(Boolean).join(' ');
  const total = order?.total ?? (isRevenue ? await nextTotal(context, link) : 0);
  // What is added to an order brings what the order costs more than before.
  const brought = inStoreCurrency(store as never, Math.max(0, offered.type === 'ADD_PRODUCT' ? total - before : total), found.currency);
  await note(context, owner, link, {
    happened: 'CONFIRMED',
    rewarded: after?.status === 'DONE',
    sentence,
    value: isRevenue ? brought : 0,
    ...(mystery ? { draw: mystery.number } : {}),
    ...(done?.pending ? { orderId: done.pending.orderId } : {}),
  });
  await noteUsed(context, owner, link, { noteData, label: choice.label });
  const next = await look(services, context, { ...link, signed: '' }, {});
  const said: Said = {
    text: 'quickSuccess',
    isDone: true,
    ...(choice.successText || offered.successText ? { own: choice.successText ?? offered.successText ?? '' } : {}),
    ...(mystery ? { holds: await found.saysOf(mystery.reward) } : {}),
  };
  return {
    found: { ...found, values: next?.values ?? found.values, say: next?.say ?? found.say, storeName: store.name, said },
    pending: done?.pending ?? null,
  };
}

const noteUsed = (
  { trx, storeId, now }: EngineContext,
  { data }: Owner,
  { contractId }: Link,
  { noteData, label }: { noteData: JsonObject; label: string },
): Promise<unknown> =>
  addEvents(trx, [
    {
      store_id: storeId,
      contract_id: contractId,
      key: 'quick_action_used',
      source: 'Customer portal',
      entity: '',
      data: { ...noteData, name: data.name, kind: data.type, done: label },
      messages: 'NONE',
      created_at: now(),
    },
  ]);

/** Takes back what was done, such as a reward, when the action itself is refused. */
class LinkRefused extends Error {
  readonly found: Found;
  constructor(found: Found) {
    super('The action of a link was refused.');
    this.found = found;
  }
}

/** Ids of the products and discounts of a subscription. */
async function rowsOf({ trx, storeId }: EngineContext, { contractId }: Link): Promise<CameWith> {
  const { rows } = await sql<CameWith>`select
    array(select id::float8 from contract_lines where store_id = ${storeId}::integer and contract_id = ${contractId}::bigint) as "lineIds",
    array(select id::float8 from contract_discounts where store_id = ${storeId}::integer
      and contract_id = ${contractId}::bigint) as "discountIds"`.execute(trx);
  return rows[0] ?? { lineIds: [], discountIds: [] };
}
const newRows = (before: CameWith, after: CameWith): CameWith => ({
  lineIds: after.lineIds.filter(id => !before.lineIds.includes(id)),
  discountIds: after.discountIds.filter(id => !before.discountIds.includes(id)),
});

async function orderOf({ trx, storeId }: EngineContext, orderId: number): Promise<{ status: string; total: number } | undefined> {
  const { rows } = await sql<{ status: string; total: number }>`select status, total::float8 as total from orders
    where store_id = ${storeId}::integer and id = ${orderId}::bigint`.execute(trx);
  return rows[0];
}

/** What the next order comes to, in minor units; 0 where none is planned. */
async function nextTotal(context: EngineContext, { contractId }: Link): Promise<number> {
  const subject = await subjectOf(context, contractId);
  return (subject && orderedNow(subject.subscription, subject.work.zone, subject.work.settings.prepaidShippingCharge)?.total) ?? 0;
}
