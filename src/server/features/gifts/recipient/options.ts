// What the recipient of a gift may do now: what the store leaves to them and the state of the gift allows, by the engine's own actions.
import { addDays, instant, isoDay } from '../../../../domain/calendar/calendar.ts';
import { isOutOfStock } from '../../../../domain/schedule/inventory.ts';
import type { Address } from '../../../../domain/places/address.ts';
import {
  act,
  type Aggregate,
  chargeNow,
  isErased,
  nextPlanned,
  orderIdOf,
  programOf,
  readCatalogue,
  refusalOf as engineRefusalOf,
  reschedule,
  skipOrder,
  type SoldVariant,
  swapLine,
  thank,
  type UnitOfWork,
  UnitOfWork as Work,
  updateLocalDeliveryAddress,
  updateShippingDetails,
} from '../../../engine/index.ts';
import { refusalOf as stateRefusalOf } from '../gift.ts';
import type { Visited } from './visit.ts';

export const OPTIONS = ['DATE', 'SKIP', 'NOW', 'SWAP', 'ADDRESS', 'THANKS'] as const;
export type Option = (typeof OPTIONS)[number];
export const isOption = (text: string): text is Option => (OPTIONS as readonly string[]).includes(text);

/** The call of gifts that each is, whose states it shares, and the action of the contract. */
const OF: Readonly<Record<Exclude<Option, 'THANKS'>, { call: string; action: string }>> = {
  DATE: { call: 'rescheduleContract', action: 'reschedule' },
  SKIP: { call: 'rescheduleContract', action: 'skipOrder' },
  NOW: { call: 'chargeNow', action: 'chargeNow' },
  SWAP: { call: 'swapLine', action: 'swapLine' },
  ADDRESS: { call: 'updateShippingAddress', action: 'updateShippingDetails' },
};
const MOST_DAYS = 365;

const isLocal = ({ contract }: Aggregate): boolean => (contract.delivery_method as { type?: string } | null)?.type === 'LOCAL_DELIVERY';
const isSent = ({ contract }: Aggregate): boolean =>
  ['SHIPPING', 'LOCAL_DELIVERY'].includes((contract.delivery_method as { type?: string } | null)?.type ?? '');

/** Whether it is offered to the recipient now. */
export async function mayDo(visited: Visited, option: Option): Promise<boolean> {
  const { gift, subscription, work } = visited;
  if (option === 'THANKS')
    return (
      work.settings.gift.allowThanksMessage === true &&
      gift.thanked_at === null &&
      gift.received_at !== null &&
      gift.status !== 'CANCELLED' &&
      !isErased(subscription.contract.customer_email)
    );
  const { call, action } = OF[option];
  if (stateRefusalOf(gift, call) !== undefined || engineRefusalOf(work, subscription, actionFor(option, subscription, action)) !== null)
    return false;
  if (option === 'ADDRESS') return isSent(subscription);
  if (nextPlanned(subscription, work.zone) === null) return false;
  return option !== 'SWAP' || (await othersOf(visited)).length > 0;
}
const actionFor = (option: Option, subscription: Aggregate, action: string): string =>
  option === 'ADDRESS' && isLocal(subscription) ? 'updateLocalDeliveryAddress' : action;

/** Days that the next order can be moved to. */
export function daysFor({ context, work }: Visited): { first: string; last: string } {
  const day = (ahead: number): string => isoDay(addDays(context.now().getTime(), ahead, work.zone), work.zone);
  return { first: day(1), last: day(MOST_DAYS) };
}

/** Products of the gift's program that it does not hold, and that there are. */
export async function othersOf({ context, gift, subscription }: Visited): Promise<SoldVariant[]> {
  const program = await programOf(context, gift.program_id);
  const held = new Set(subscription.lines.map(line => line.variant_id));
  const ids = (program?.variantIds ?? []).filter(id => !held.has(id));
  const { byId } = await readCatalogue(context, { ids });
  return ids.flatMap(id => {
    const variant = byId.get(id);
    return variant && !variant.deleted_at && variant.product_status === 'ACTIVE' && !isOutOfStock({ ...variant, quantity: 1 })
      ? [variant]
      : [];
  });
}

/** What a press or a form says. */
export type Asked =
  | { option: 'DATE'; to: string }
  | { option: 'SKIP' }
  | { option: 'NOW' }
  | { option: 'SWAP'; lineId: number; variantId: number }
  | { option: 'ADDRESS'; address: Address };

/** Does it, with its line in the log of the gift. @throws Refusal 409, 422 */
export async function carryOut({ context, gift, subscription }: Visited, asked: Asked): Promise<void> {
  const { id } = gift;
  const run = (action: string, change: (work: UnitOfWork, on: Aggregate) => void | Promise<void>, more = {}): Promise<unknown> =>
    act(context, id, { action, ...more }, change);
  if (asked.option === 'DATE') {
    const { zone } = { zone: context.store.timezone };
    const [year = 0, month = 0, day = 0] = asked.to.split('-').map(Number);
    const noon = instant({ year, month, day }, { hour: 12, minute: 0, second: 0, millisecond: 0 }, zone);
    await run('reschedule', (work, on) => reschedule(work, on, { nextBillingDateEpoch: Math.floor(noon / 1000) }));
  } else if (asked.option === 'SKIP') await run('skipOrder', (work, on) => skipOrder(work, on, { reason: 'CUSTOMER' }));
  else if (asked.option === 'NOW') {
    const next = nextPlanned(subscription, context.store.timezone);
    const orderId = next ? orderIdOf(id, next.cycle) : 0;
    await run(
      'chargeNow',
      (work, on) => {
        if (chargeNow(work, on, { orderId })) throw new Error(`An order of gift ${id} was to be charged.`);
      },
      { attempts: 1, orderIds: [orderId] },
    );
  } else if (asked.option === 'SWAP') {
    const { lineId, variantId } = asked;
    await run('swapLine', async (work, on) => {
      await swapLine(work, on, { lineId, variantId, pricingType: 'PRESENT_PRICE' });
    });
  } else {
    const { address } = asked;
    if (isLocal(subscription)) await run('updateLocalDeliveryAddress', (work, on) => updateLocalDeliveryAddress(work, on, { address }));
    // The giver has paid the shipping: its price stays, wherever the recipient moves.
    else await run('updateShippingDetails', (work, on) => updateShippingDetails(work, on, { address, keepShippingPrice: true }));
  }
}

/** Passes thanks on to the giver, once; the gift is locked. @throws Refusal 409, 422 */
export async function sayThanks({ context, gift }: Visited, message: string): Promise<void> {
  const work = await Work.open(context);
  const [subscription] = await work.load([gift.id]);
  if (!subscription) return;
  await thank(work, subscription, gift, message);
  await work.flush();
}
