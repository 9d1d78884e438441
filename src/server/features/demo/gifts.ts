// Gifts of the demo store: its programs, and what was given in the last months: bought and sent by the engine, each at its own instant.
import { sql, type Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import {
  cancel,
  type EngineContext,
  engineForJob,
  giftsOf,
  keepGiftTimes,
  placeDue,
  programsOn,
  thank,
  UnitOfWork,
} from '../../engine/index.ts';
import { random } from './random.ts';
import { giveAs, giversOf, THANKS } from './simulated-gifts.ts';
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;
const PREFERENCES = { isGiftEnabled: true, allowRecipientSkip: true };

const plan = (n: number, orders: number, label: string, percent: string | null, isDefault = false): JsonObject => ({
  loopId: `demoGiftPlan_${String(n).padStart(8, '0')}`,
  label,
  orders,
  intervalCount: 1,
  interval: 'MONTH',
  discountType: percent === null ? 'NONE' : 'PERCENTAGE',
  ...(percent === null ? {} : { discountValue: percent }),
  isDefault,
});
const PROGRAMS = [
  {
    name: 'Coffee for a friend',
    description: 'Whole beans for three, six or twelve months.',
    status: 'ACTIVE',
    plans: [plan(1, 3, '3 months', null, true), plan(2, 6, '6 months', '5'), plan(3, 12, 'A whole year', '10')],
    shippingMode: 'PER_ORDER',
    shippingPricePerOrder: '4.00',
    skus: ['HHB-250-W', 'EE-250-W', 'SRD-250-W'],
  },
  {
    name: 'A tea a month',
    description: '',
    status: 'ACTIVE',
    plans: [plan(4, 3, '3 teas', null, true), plan(5, 6, '6 teas', '8')],
    shippingMode: 'FREE',
    skus: ['ORC-ROO', 'QUI-HOU-CHA', 'SMO-BRE-TEA', 'MOS-30'],
  },
  {
    name: 'Winter care box',
    description: 'For the holidays. Not on sale yet.',
    status: 'DRAFT',
    plans: [plan(6, 2, '2 boxes', null, true)],
    shippingMode: 'STORE_RATES',
    skus: ['DAI-MAG', 'SLE-DRO'],
  },
];

/** Days ago on which one was bought, and what became of it: days after which it starts, or was cancelled; whether thanks were written. */
const GIVEN: { ago: number; later?: number; cancelledAfter?: number; thanks?: boolean }[] = [
  { ago: 118, thanks: true },
  { ago: 104 },
  { ago: 96, thanks: true },
  { ago: 81, cancelledAfter: 33 },
  { ago: 70 },
  { ago: 64, later: 12, thanks: true },
  { ago: 52 },
  { ago: 45, thanks: true },
  { ago: 37 },
  { ago: 31, later: 8 },
  { ago: 24, thanks: true },
  { ago: 19, cancelledAfter: 4 },
  { ago: 13, later: 40 },
  { ago: 11, thanks: true },
  { ago: 9, later: 26 },
];

/** Stores with fewer subscriptions have programs and no gifts: the newest of their subscriptions would be gifts. */
const GIFTS_FROM = 500;

/** Writes them for one store. Triggers count them, as they do whatever comes later. */
export async function writeGifts(
  trx: Kysely<Tables>,
  store: SeedStore,
  { definitions, now, contracts }: { definitions: Definitions; now: number; contracts: number },
): Promise<void> {
  const at = new Date(now - 180 * DAY_MS);
  for (const [i, { skus, ...program }] of PROGRAMS.entries())
    await sql`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
      select ${store.id}::integer, 'gift-program', ${i + 1}::integer, ${JSON.stringify(program)}::jsonb || jsonb_build_object('variantIds',
        coalesce((select jsonb_agg(id order by id) from variants where store_id = ${store.id}::integer and deleted_at is null
          and sku = any(${skus}::text[])), '[]')), ${at}::timestamptz, ${at}::timestamptz, ${store.email}`.execute(trx);
  await sql`insert into settings (store_id, name, data, updated_by)
    values (${store.id}::integer, 'gift-preferences', ${JSON.stringify(PREFERENCES)}::jsonb, ${store.email})`.execute(trx);
  if (contracts < GIFTS_FROM) return;
  await sql`select set_config('app.counts_later', 'no', true), set_config('app.store', ${String(store.id)}, true)`.execute(trx);
  const contextAt = await contextOf(trx, store.id, definitions);
  const programs = await programsOn(contextAt(now));
  const chance = random(store.id).fork('gifts');
  const givers = await giversOf(contextAt(now), chance, GIVEN.length);
  for (const [i, given] of GIVEN.entries()) {
    const mine = chance.fork(i);
    const program = programs[i % 3 === 2 ? 1 : 0];
    const giver = givers[i];
    if (!program || !giver) continue;
    const boughtAt = now - given.ago * DAY_MS - mine.between(30, 700) * 60_000;
    const startsAt = given.later === undefined ? undefined : new Date(boughtAt + given.later * DAY_MS);
    const id = await giveAs(contextAt(boughtAt), mine, { giver, program, ...(startsAt ? { startsAt } : {}) });
    if (id === undefined) continue;
    const until = given.cancelledAfter === undefined ? now : boughtAt + given.cancelledAfter * DAY_MS;
    const heardOf = Math.min(until, (startsAt?.getTime() ?? boughtAt) + 2 * DAY_MS);
    for (const moment of [heardOf, until]) {
      await keepGiftTimes(contextAt(moment), 50, 'DUE');
      if (moment === heardOf && given.thanks) await writeThanks(contextAt(heardOf), id);
      while ((await placeDue({ ...contextAt(moment), source: 'System' }, 1, 'DUE', id)).done > 0);
    }
    if (given.cancelledAfter !== undefined) await cancelOne(contextAt(until), id);
  }
  await keepGiftTimes(contextAt(now), 50, 'DUE');
  await sql`update gifts set portal_token = md5(store_id || ':' || id) where store_id = ${store.id}::integer`.execute(trx);
  // They have left long ago.
  await sql`update outbox set sent_at = send_after + interval '40 seconds', attempts = 1 where store_id = ${store.id}::integer
    and template like 'GIFT\\_%' and send_after <= ${new Date(now)}::timestamptz`.execute(trx);
  await sql`select set_config('app.store', '', true)`.execute(trx);
}

async function writeThanks(context: EngineContext, id: number): Promise<void> {
  const work = await UnitOfWork.open({ ...context, source: 'Customer portal', isOfGift: true });
  const [subscription] = await work.load([id]);
  const gift = subscription && (await giftsOf(context, [subscription])).get(id);
  if (subscription && gift) await thank(work, subscription, gift, THANKS[id % THANKS.length] ?? THANKS[0]);
  await work.flush();
}
async function cancelOne(context: EngineContext, id: number): Promise<void> {
  const work = await UnitOfWork.open({ ...context, source: 'Admin portal', isOfGift: true });
  const [subscription] = await work.load([id]);
  const reason = 'The giver changed their mind';
  if (subscription) cancel(work, subscription, { reason, comment: null, source: 'MERCHANT', notifyCustomer: false });
  await work.flush();
}

/** The engine at a moment, as a purchase in the store has it. */
export async function contextOf(trx: Kysely<Tables>, storeId: number, definitions: Definitions): Promise<(at: number) => EngineContext> {
  const common = await engineForJob({ definitions, config: { portalUrl: undefined } }, trx, storeId);
  return at => ({ ...common, now: () => new Date(at), source: 'Shopify', mails: 'CUSTOMER' });
}
