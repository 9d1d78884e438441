// Gifts of a demo store: what its customers buy for others while its clock is moved, and what recipients do.
import { sql } from 'kysely';
import { Refusal } from '../../platform/context.ts';
import {
  checkOutGift,
  type EngineContext,
  type GiftRow,
  performOne,
  type Program,
  programsOn,
  reschedule,
  thank,
  UnitOfWork,
} from '../../engine/index.ts';
import { person } from './people.ts';
import type { Random } from './random.ts';

const DAY_MS = 86_400_000;
/** Gifts a day of a store that sells them. */
const BOUGHT = 0.22;
const LATER = 0.3;
const THANKED = 0.5;
const MOVED = 0.08;

export const WISHES = [
  'Happy birthday! Enjoy every cup.',
  'For slow mornings. With love.',
  'Congratulations on the new flat!',
  'Thank you for all your help this year.',
  'Get well soon. This helps.',
  '',
] as const;
export const THANKS = [
  'What a lovely surprise, thank you so much!',
  'It arrived today and the whole kitchen smells of it. Thank you!',
  'You know me too well. Thank you!',
] as const;

interface Giver {
  id: number;
  first_name: string;
  currency: string;
}

/** One gift of an existing customer to a new recipient. */
export async function giveAs(
  context: EngineContext,
  chance: Random,
  { giver, program, startsAt }: { giver: Giver; program: Program; startsAt?: Date },
): Promise<number | undefined> {
  const plan = chance.chance(0.6) ? program.plans.find(one => one.isDefault) : chance.pick(program.plans);
  if (!plan || !program.variantIds?.length) return undefined;
  const who = person(chance, (giver.id * 31) % 990);
  try {
    const { contract } = await checkOutGift(context, {
      customerId: giver.id,
      giftPlanLoopId: plan.loopId ?? '',
      lines: [{ variantId: chance.pick(program.variantIds) }],
      recipientFirstName: who.firstName,
      recipientLastName: who.lastName,
      recipientEmail: who.email,
      ...(chance.chance(0.4) ? { recipientPhone: who.phone } : {}),
      senderName: giver.first_name,
      senderMessage: chance.pick(WISHES),
      ...(startsAt ? { startsAt } : {}),
      address: who.address,
      currencyCode: giver.currency,
    });
    return contract.id;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

/** Customers who may give: active subscribers, by chance. */
export async function giversOf({ trx, storeId }: EngineContext, chance: Random, count: number): Promise<Giver[]> {
  const from = chance.between(0, 996);
  const { rows } = await sql<Giver>`select k.id, k.first_name, min(c.currency_code) as currency from customers k
      join contracts c on c.store_id = k.store_id and c.customer_id = k.id and c.status = 'ACTIVE' and c.source <> 'GIFT'
    where k.store_id = ${storeId}::integer and k.erased_at is null group by k.id, k.first_name
    order by (k.id * 7919 + ${from}::integer * 31) % 997, k.id limit ${count}`.execute(trx);
  return rows;
}

/** Lets customers of a day give, and recipients thank for what they got or move it. */
export async function liveWithGifts(context: EngineContext, chance: Random): Promise<void> {
  const programs = (await context.setting('gift-preferences')).isGiftEnabled === true ? await programsOn(context) : [];
  if (programs.length > 0 && chance.chance(BOUGHT)) {
    const mine = chance.fork('gift');
    const at = new Date(context.now().getTime() - mine.between(0, 14 * 60) * 60_000);
    const [giver] = await giversOf(context, mine, 1);
    const startsAt = mine.chance(LATER) ? new Date(at.getTime() + mine.between(3, 30) * DAY_MS) : undefined;
    if (giver)
      await giveAs({ ...context, source: 'Shopify', now: () => at }, mine, {
        giver,
        program: mine.pick(programs),
        ...(startsAt ? { startsAt } : {}),
      });
  }
  await answerAsRecipients({ ...context, source: 'Customer portal', isOfGift: true }, chance.fork('recipients'));
}

/** Those who got one in the last three days. */
async function answerAsRecipients(context: EngineContext, chance: Random): Promise<void> {
  const { trx, storeId } = context;
  const now = context.now();
  const { rows } = await sql<GiftRow>`select * from gifts where store_id = ${storeId}::integer and thanked_at is null
    and received_at > ${new Date(now.getTime() - 3 * DAY_MS)} and received_at <= ${new Date(now.getTime() - DAY_MS)}
    and status <> 'CANCELLED' order by id limit 100`.execute(trx);
  if (rows.length === 0) return;
  const work = await UnitOfWork.open(context);
  const byId = new Map((await work.load(rows.map(({ id }) => id))).map(subscription => [subscription.contract.id, subscription]));
  for (const gift of rows) {
    const subscription = byId.get(gift.id);
    const mine = chance.fork(gift.id);
    if (!subscription) continue;
    if (mine.chance(THANKED / 2))
      await performOne(work, subscription, { action: null, apply: () => thank(work, subscription, gift, mine.pick(THANKS)) });
    const { next_billing_at: next } = subscription.contract;
    if (!mine.chance(MOVED) || !next) continue;
    const to = new Date(next.getTime() + mine.between(2, 9) * DAY_MS);
    await performOne(work, subscription, {
      action: 'reschedule',
      apply: () => reschedule(work, subscription, { nextBillingDateEpoch: Math.floor(to.getTime() / 1000) }),
    });
  }
  await work.flush();
}
