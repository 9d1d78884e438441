// Brings events to their consumers: each in the order of transactions, each exactly once, one that fails keeps no other back.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../context.ts';
import { DatabaseBusy, DatabaseUnavailable, SerializationFailure } from '../db/errors.ts';
import type { Services } from '../services.ts';
import type { EventConsumer, EventScope, StoredEvent } from './consumer.ts';

/** Events of one step, which is one transaction, where a consumer does not say. */
const BATCH = 100;
/** Tries of an event that failed; the pause before the next doubles from a minute on. After the last it stays on the list. */
const MOST_TRIES = 6;
const STEP_MS = 60_000;

interface QueuedEvent extends StoredEvent {
  epoch: number;
  transaction_id: string;
}

/** Columns of an event as `StoredEvent` names them; `e` is the table. */
const COLUMNS = sql`e.id, e.key, e.contract_id as "contractId", e.source, e.entity, e.data as payload, e.messages, e.created_at as at`;

const isPassing = (error: unknown): boolean =>
  error instanceof SerializationFailure || error instanceof DatabaseBusy || error instanceof DatabaseUnavailable;

const storeOf = (trx: Kysely<Tables>, storeId: number): Promise<Store> =>
  trx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirstOrThrow();

/** Does the effect of one event, or notes why not; errors that pass by themselves are thrown. */
async function tryEvent(scope: EventScope, consumer: EventConsumer, event: StoredEvent): Promise<void> {
  const { trx, store, services } = scope;
  await sql`savepoint event`.execute(trx);
  try {
    await consumer.handle(scope, event);
    await sql`release savepoint event`.execute(trx);
  } catch (error) {
    if (isPassing(error)) throw error;
    await sql`rollback to savepoint event`.execute(trx);
    services.log.error({ err: error, storeId: store.id, consumer: consumer.name, event: event.id }, 'The effect of an event failed.');
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await sql`insert into event_failures (store_id, consumer, event_id, reason, retry_at)
        values (${store.id}::integer, ${consumer.name}, ${event.id}::bigint, ${reason}, now() + interval '1 minute')
      on conflict (store_id, consumer, event_id) do update set reason = excluded.reason, failed_at = now(),
        attempts = event_failures.attempts + 1, retry_at = case when event_failures.attempts + 1 >= ${MOST_TRIES} then null
          else now() + interval '1 minute' * power(2, event_failures.attempts) end`.execute(trx);
  }
}

/** One step of a consumer in a store: how many events it passed; null where another worker is at it. */
async function step(services: Services, consumer: EventConsumer, storeId: number, trx: Kysely<Tables>): Promise<number | null> {
  const here = sql`store_id = ${storeId}::integer and consumer = ${consumer.name}`;
  await sql`insert into event_cursors (store_id, consumer) values (${storeId}::integer, ${consumer.name}) on conflict do nothing`.execute(
    trx,
  );
  const {
    rows: [cursor],
  } = await sql<{ epoch: number; transaction_id: string; event_id: number }>`
    select epoch, transaction_id::text, event_id from event_cursors where ${here} for update skip locked`.execute(trx);
  if (!cursor) return null;
  const { rows: events } = await sql<QueuedEvent>`
    select q.epoch, q.transaction_id::text, ${COLUMNS} from event_queue q join events e on e.store_id = q.store_id and e.id = q.event_id
    where q.store_id = ${storeId}::integer
      and (q.epoch, q.transaction_id, q.event_id) > (${cursor.epoch}::integer, ${cursor.transaction_id}::xid8, ${cursor.event_id}::bigint)
      and (q.transaction_id < pg_snapshot_xmin(pg_current_snapshot()) or q.epoch < current_event_epoch())
    order by q.epoch, q.transaction_id, q.event_id limit ${consumer.batch ?? BATCH}`.execute(trx);
  const last = events.at(-1);
  if (!last) return 0;
  const wanted = consumer.keys(services.definitions);
  const mine = events.filter(event => wanted.has(event.key));
  if (mine.length) {
    const scope: EventScope = { trx, store: await storeOf(trx, storeId), services };
    for (const event of mine) await tryEvent(scope, consumer, event);
  }
  await sql`update event_cursors set epoch = ${last.epoch}::integer, transaction_id = ${last.transaction_id}::xid8,
      event_id = ${last.id}::bigint, moved_at = now() where ${here}`.execute(trx);
  return events.length;
}

/** Tries again what failed and is due; what has succeeded leaves the list. Those whose consumer is gone stay as they are. */
async function retryFailed(services: Services, consumer: EventConsumer, storeId: number): Promise<void> {
  await services.db.inStore(
    storeId,
    async trx => {
      const { rows } = await sql<StoredEvent & { attempts: number }>`
        select ${COLUMNS}, f.attempts from event_failures f join events e on e.store_id = f.store_id and e.id = f.event_id
        where f.store_id = ${storeId}::integer and f.consumer = ${consumer.name} and f.retry_at <= now()
        order by f.event_id limit ${BATCH} for update of f skip locked`.execute(trx);
      if (rows.length === 0) return;
      const scope: EventScope = { trx, store: await storeOf(trx, storeId), services };
      for (const { attempts, ...event } of rows) {
        await tryEvent(scope, consumer, event);
        await sql`delete from event_failures where store_id = ${storeId}::integer and consumer = ${consumer.name}
          and event_id = ${event.id}::bigint and attempts = ${attempts}`.execute(trx);
      }
    },
    { timeoutMs: STEP_MS },
  );
}

/** Takes from the queue what every consumer has seen. */
async function empty(services: Services, storeId: number): Promise<void> {
  const names = services.consumers.map(({ name }) => name);
  await services.db.inStore(storeId, trx =>
    sql`with slowest as (select epoch, transaction_id, event_id from event_cursors
          where store_id = ${storeId}::integer and consumer = any(${names}::text[]) order by 1, 2, 3 limit 1)
      delete from event_queue q using slowest s where q.store_id = ${storeId}::integer
        and (q.epoch, q.transaction_id, q.event_id) <= (s.epoch, s.transaction_id, s.event_id)
        and (select count(*) from event_cursors where store_id = ${storeId}::integer and consumer = any(${names}::text[])) = ${names.length}
      `.execute(trx),
  );
}

/**
 * Brings everything that can be delivered now to every consumer of a store, or to those that are named. Safe to run in several processes
 * at once.
 * @returns how many events were passed, counted for each consumer
 */
export async function deliverEvents(
  services: Services,
  storeId: number,
  signal?: AbortSignal,
  consumers: readonly EventConsumer[] = services.consumers,
): Promise<number> {
  let passed = 0;
  for (const consumer of consumers) {
    await retryFailed(services, consumer, storeId);
    for (;;) {
      signal?.throwIfAborted();
      const count = await services.db.inStore(storeId, trx => step(services, consumer, storeId, trx), { timeoutMs: STEP_MS });
      passed += count ?? 0;
      if (count === null || count < (consumer.batch ?? BATCH)) break;
    }
  }
  if (passed > 0) await empty(services, storeId);
  return passed;
}
