// What waits for work in the database, over all stores: the figures that tell an operator that something is behind. They are the same
// whichever process reads them. Features add theirs in backlogs.ts.
import { Gauge, Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import type { StoreLog } from '../db/engine.ts';

/** Something that waits for work. */
export interface Backlog {
  /** Its name in the label `of`; docs/operate.md says what to do when it grows. */
  of: string;
  /**
   * One row: `waiting`, how many are due; `since`, when the oldest of them became due (real time, not a store's clock; null where none
   * waits); `stuck`, how many are not tried again by themselves.
   */
  sql: string;
}

/** The platform's own. */
export const OWN: readonly Backlog[] = [
  {
    of: 'events',
    sql: `select count(*) as waiting, min(queued_at) as since, (select count(*) from event_failures where retry_at is null) as stuck
      from event_queue`,
  },
  {
    of: 'mail',
    sql: `select count(*) as waiting, min(o.send_after - s.clock_offset_ms * interval '1 millisecond') as since,
        (select count(*) from outbox f where f.failed_reason is not null and f.created_at > now() - interval '1 day') as stuck
      from stores s join outbox o on o.store_id = s.id and o.sent_at is null and o.failed_reason is null
        and o.send_after <= now() + s.clock_offset_ms * interval '1 millisecond'`,
  },
  {
    of: 'deliveries',
    sql: `select count(*) as waiting, min(next_at) as since,
        (select count(*) from deliveries f where f.state = 'FAILED' and f.finished_at > now() - interval '1 day') as stuck
      from deliveries where state = 'PENDING' and next_at <= now()`,
  },
];

/** Jobs by queue; a queue that stands still shows by its name. */
const JOBS = `select 'job ' || name as of, count(*) filter (where state in ('created', 'retry') and start_after <= now()) as waiting,
    min(start_after) filter (where state in ('created', 'retry') and start_after <= now()) as since,
    count(*) filter (where state = 'failed') as stuck
  from pgboss.job group by name`;

const gauges = {
  waiting: 'How many are due, by what they are.',
  oldest: 'Seconds since the oldest of them became due.',
  stuck: 'How many are not tried again by themselves: a person has to look at them (of mail and deliveries, those of the last day).',
};

/** The figures in the text format of Prometheus; without the backlogs where the database does not answer: `perennial_database_up` is 0. */
export async function backlogText({ db, log }: { db: Database; log: StoreLog }, backlogs: readonly Backlog[]): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge<'of'> => new Gauge({ name, help, labelNames: ['of'], registers });
  const waiting = gauge('perennial_waiting', gauges.waiting);
  const oldest = gauge('perennial_oldest_seconds', gauges.oldest);
  const stuck = gauge('perennial_stuck', gauges.stuck);
  const up = new Gauge({ name: 'perennial_database_up', help: 'Whether the database answers: 1, else 0.', registers });
  const idle = new Gauge({ name: 'perennial_jobs_idle_seconds', help: 'Seconds since any process began a job.', registers });
  const all = [...OWN, ...backlogs].map(one => `select '${one.of}' as of, b.waiting, b.since, b.stuck from (${one.sql}) b`);
  try {
    // By the address that calls use too, which may be that of a pooler. All its connections may be taken: then the few for long reads tell.
    await Promise.any([db.ping(), db.aside.ping()]);
    const { rows } = await db.ownerQuery<{ of: string; waiting: number; seconds: number | null; stuck: number }>(
      `select of, waiting::integer, greatest(0, extract(epoch from now() - since))::float8 as seconds, stuck::integer
        from (${[...all, JOBS].join(' union all ')}) found order by of`,
    );
    for (const row of rows) {
      waiting.set({ of: row.of }, row.waiting);
      oldest.set({ of: row.of }, row.seconds ?? 0);
      stuck.set({ of: row.of }, row.stuck);
    }
    const { rows: begun } = await db.ownerQuery<{ seconds: number | null }>(
      'select extract(epoch from now() - max(started_on))::float8 as seconds from pgboss.job',
    );
    idle.set(begun[0]?.seconds ?? 0);
    up.set(1);
  } catch (error) {
    const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
    log.warn({ error: first instanceof Error ? first.message : String(first) }, 'What waits could not be read for the monitoring.');
    up.set(0);
  }
  return registry.metrics();
}
