// What time brings to gifts: the day on which the recipient hears of one, and the last e-mail some days after the last order.
import { sql } from 'kysely';
import type { Clock } from '../charging/due.ts';
import type { EngineContext } from '../context.ts';
import type { GiftRow } from '../rows.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { mailGiftCompleted, mailGiftReceived } from './gift-mails.ts';

const farewellDays = async (context: EngineContext): Promise<number> =>
  Number((await context.setting('gift-preferences')).completedNotificationDelayDays ?? 0);
const farewellAt = (days: number) => sql<Date>`greatest(g.completed_at, g.received_at) + ${days}::integer * interval '1 day'`;

/** Starts gifts whose day has come, and says goodbye to recipients; at most `limit` of each. Answers how many there were. */
export async function keepGiftTimes(context: EngineContext, limit: number, clock: Clock): Promise<number> {
  const { trx, storeId } = context;
  const now = context.now();
  const days = await farewellDays(context);
  const { rows: due } = await sql<{ id: number; at: Date }>`
    (select g.id, g.start_at as at from gifts g where g.store_id = ${storeId}::integer and g.received_at is null and g.start_at <= ${now}
      and g.status <> 'CANCELLED' order by g.start_at, g.id limit ${limit})
    union all (select g.id, ${farewellAt(days)} as at from gifts g where g.store_id = ${storeId}::integer and g.status = 'COMPLETED'
      and g.farewell_at is null and ${farewellAt(days)} <= ${now} order by 2, 1 limit ${limit})`.execute(trx);
  if (due.length === 0) return 0;
  const work = await UnitOfWork.open(context);
  const byId = new Map((await work.load(due.map(({ id }) => id))).map(subscription => [subscription.contract.id, subscription]));
  for (const { id, at } of due) {
    const subscription = byId.get(id);
    // Only what is read under the lock of the contract counts: another worker may have been here.
    const { rows } = await sql<GiftRow>`select * from gifts where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
    const [gift] = rows;
    if (!subscription || !gift) continue;
    work.at = clock === 'DUE' && at < now ? at : now;
    if (gift.received_at === null && gift.status !== 'CANCELLED') {
      await sql`update gifts g set received_at = ${work.at}::timestamptz, updated_at = ${work.at}::timestamptz,
        status = gift_status(${subscription.contract.status}, ${work.at}::timestamptz)
        where g.store_id = ${storeId}::integer and g.id = ${id}::bigint`.execute(trx);
      work.note(subscription, 'gift_received', { orders: gift.total_orders });
      mailGiftReceived(work, subscription, gift);
    } else if (gift.status === 'COMPLETED' && gift.farewell_at === null) {
      await sql`update gifts g set farewell_at = ${work.at}::timestamptz where g.store_id = ${storeId}::integer
        and g.id = ${id}::bigint`.execute(trx);
      work.note(subscription, 'gift_completed', { orders: gift.total_orders });
      mailGiftCompleted(work, subscription, gift);
    }
  }
  await work.flush();
  return due.length;
}

/** When the next of these is due; null when none is. */
export async function nextGiftTime(context: EngineContext): Promise<Date | null> {
  const { trx, storeId } = context;
  const days = await farewellDays(context);
  const { rows } = await sql<{ at: Date | null }>`select least(
    (select min(g.start_at) from gifts g where g.store_id = ${storeId}::integer and g.received_at is null and g.status <> 'CANCELLED'),
    (select min(${farewellAt(days)}) from gifts g where g.store_id = ${storeId}::integer and g.status = 'COMPLETED'
      and g.farewell_at is null)) as at`.execute(trx);
  return rows[0]?.at ?? null;
}
