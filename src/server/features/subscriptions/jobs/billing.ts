// Every minute: which stores have something due, by their own clocks; and the work itself, which any number of processes share.
import { runDue } from '../../../engine/index.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import type { Services } from '../../../platform/services.ts';

export const BILLING = 'billing';
/** One store's work is shared by at most this many workers at once. */
const MAX_PARTS = 4;
/** More contracts than this are worth another worker. */
const PER_PART = 500;
/** A charge without an answer after this many minutes has lost its process. */
const LOST_MINUTES = 2;

/** Stores that have something due, and how much, up to a bound. One look over all stores, as the owner of the tables. */
export async function storesDue({ db }: Pick<Services, 'db'>): Promise<{ id: number; due: number }[]> {
  const now = "(now() + s.clock_offset_ms * interval '1 millisecond')";
  const { rows } = await db.ownerQuery<{ id: number; due: number }>(`
    select s.id, d.orders + d.retries + d.pauses + d.lost as due from stores s cross join lateral (select
      (select count(*) from (select 1 from contracts c where c.store_id = s.id and c.status = 'ACTIVE' and c.next_billing_at <= ${now}
        limit ${MAX_PARTS * PER_PART}) x) as orders,
      (select count(*) from (select 1 from orders o where o.store_id = s.id and o.next_retry_at <= ${now} limit ${PER_PART}) x) as retries,
      (select count(*) from (select 1 from contracts c where c.store_id = s.id and c.resume_at <= ${now} and c.status = 'PAUSED'
        limit ${PER_PART}) x) as pauses,
      (select count(*) from (select 1 from orders o where o.store_id = s.id and o.status = 'PROCESSING'
        and o.unclear_since is null and o.updated_at <= ${now} - interval '${LOST_MINUTES} minutes'
        and not exists (select 1 from billing_attempts t where t.store_id = s.id and t.order_id = o.id and not t.ready
          and t.look_up_at > ${now}) limit ${PER_PART}) x) as lost
    ) d
    where d.orders + d.retries + d.pauses + d.lost > 0
      and not exists (select 1 from runs r where r.store_id = s.id and r.kind = 'CLOCK' and r.status in ('QUEUED', 'IN_PROGRESS'))`);
  return rows.map(row => ({ id: row.id, due: Number(row.due) }));
}

/** Hands out the work, in parts where a store has much of it. */
export const tick: JobModule = {
  name: 'tick',
  cron: '* * * * *',
  retries: 0,
  async run(services) {
    for (const { id, due } of await storesDue(services)) {
      const parts = Math.min(MAX_PARTS, Math.ceil(due / PER_PART));
      for (let part = 1; part <= parts; part++)
        await services.queue.send(BILLING, { storeId: id, part }, { singletonKey: `${BILLING}-${id}-${part}` });
    }
  },
};

/** Stores whose charges without an answer this process has looked up once, since it started. */
const started = new Set<number>();

export const billing: JobModule = {
  name: BILLING,
  async run(services, { storeId }: { storeId: number }, job) {
    const isStart = !started.has(storeId);
    started.add(storeId);
    const result = await runDue(services, storeId, { isStart, signal: job.signal });
    if (result.paid + result.failed + result.unknown + result.resumed > 0)
      services.log.info({ storeId, ...result }, 'Orders that were due are placed.');
    services.mailer.kick();
  },
};
