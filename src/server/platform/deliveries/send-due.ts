// Sends what is due: claims it, lets its sender make the request, sends that outside of any transaction, notes what came back.
import { sql, type Kysely } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { OutgoingError, type OutgoingAnswer, type OutgoingRequest } from '../outgoing/outgoing.ts';
import type { Services } from '../services.ts';
import type { Delivery, DeliveryScope, DeliverySender, Outcome } from './sender.ts';

/** Sent at the same time. */
const BATCH = 16;
/** A worker that claimed a delivery has so long (s) before another may claim it: longer than any request may take. */
const LEASE_SECONDS = 90;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pause after each try; the last one goes on. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];
/** A pause is up to so much longer or shorter, so that those who failed together do not come back together. */
const JITTER = 0.2;
/** What is kept of texts of requests and answers (characters). */
const KEPT = 8000;
/** Headers of a request whose values are never kept. */
const SECRET_HEADERS = /^(authorization|cookie|proxy-)/i;
/** Headers of an answer that are kept. */
const TOLD = ['content-type', 'retry-after', 'location', 'x-request-id'];

/** Milliseconds until the next try after so many; a receiver that says when it wants the next one is listened to, for up to eight hours. */
export function pauseAfter(attempts: number, retryAfter: string | undefined, random: () => number = Math.random): number {
  const usual = (PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? 0) * (1 + JITTER * (2 * random() - 1));
  const waitMs = Number(retryAfter) * SECOND;
  return Math.round(waitMs > 0 ? Math.max(usual, Math.min(waitMs, 8 * HOUR)) : usual);
}

interface Claimed extends Delivery {
  storeId: number;
}

async function claim(trx: Kysely<Tables>, storeId: number, aheadMs: number): Promise<Claimed[]> {
  const now = sql`now() + ${aheadMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<Claimed>`
    update deliveries d set attempts = d.attempts + 1, next_at = ${now} + ${LEASE_SECONDS} * interval '1 second'
    where d.store_id = ${storeId}::integer and d.id in (
      select id from deliveries where store_id = ${storeId}::integer and state = 'PENDING' and next_at <= ${now}
      order by next_at, id limit ${BATCH} for update skip locked)
    returning d.store_id as "storeId", d.id, d.sender, d.target, d.subject, d.event_id as "eventId", d.topic, d.payload, d.attempts,
      d.created_at as "createdAt", d.give_up_at as "giveUpAt"`.execute(trx);
  return rows;
}

/** A text without secrets, and no longer than is kept. */
const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((left, secret) => (secret ? left.replaceAll(secret, '••••') : left), text).slice(0, KEPT);
const toldHeaders = (headers: Record<string, string>, secrets: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.test(name) ? '••••' : withoutSecrets(value, secrets)]),
  );

interface Tried extends Outcome {
  request?: JsonObject;
  secrets: readonly string[];
  /** The target is gone. */
  isCancelled?: boolean;
}

/** One try without its note. */
async function attempt(services: Services, sender: DeliverySender | undefined, delivery: Claimed, now: Date): Promise<Tried> {
  if (!sender) return { state: 'FAILED', error: `Nothing sends for “${delivery.sender}” any more.`, secrets: [] };
  let prepared;
  try {
    prepared = await inScope(services, delivery, now, scope => sender.prepare(scope, delivery));
  } catch (error) {
    services.log.error({ err: error, storeId: delivery.storeId, delivery: delivery.id }, 'The request of a delivery could not be made.');
    return { state: 'PENDING', error: 'The request could not be made.', secrets: [] };
  }
  if (!prepared) return { state: 'FAILED', error: 'The receiver was disconnected.', secrets: [], isCancelled: true };
  const { request: unsigned, secrets = [] } = prepared;
  const headers = { 'idempotency-key': delivery.subject, ...unsigned.headers };
  const exchange: JsonObject = {
    method: unsigned.method,
    url: withoutSecrets(unsigned.url, secrets),
    headers: toldHeaders(headers, secrets),
    body: withoutSecrets(unsigned.body ?? '', secrets),
  };
  return { ...(await sent(services, sender, { ...unsigned, headers })), request: exchange, secrets };
}

async function sent(services: Services, sender: DeliverySender, request: OutgoingRequest): Promise<Outcome> {
  let answer: OutgoingAnswer;
  try {
    answer = await services.outgoing.send(request);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { state: error.code === 'FORBIDDEN' ? 'FAILED' : 'PENDING', error: error.message };
  }
  const isTaken = sender.isTaken?.(answer) ?? (answer.status >= 200 && answer.status < 300);
  if (isTaken) return { state: 'SENT', answer };
  return { state: sender.isFinal?.(answer) ? 'FAILED' : 'PENDING', answer, error: `It answered with status ${answer.status}.` };
}

const inScope = <T>(services: Services, { storeId }: Claimed, now: Date, work: (scope: DeliveryScope) => Promise<T>): Promise<T> =>
  services.db.inStore(storeId, async trx => {
    const store = await trx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirstOrThrow();
    return work({ trx, store, services, now });
  });

async function note(services: Services, sender: DeliverySender | undefined, delivery: Claimed, tried: Tried, now: Date): Promise<void> {
  const { answer, error, request, secrets } = tried;
  const isOver = tried.state === 'PENDING' && now.getTime() >= delivery.giveUpAt.getTime();
  const state = isOver ? 'FAILED' : tried.state;
  const pause = pauseAfter(delivery.attempts, answer?.headers['retry-after']);
  const nextAt = new Date(Math.min(now.getTime() + pause, delivery.giveUpAt.getTime()));
  const keptAnswer: JsonValue = answer
    ? {
        status: answer.status,
        headers: toldHeaders(Object.fromEntries(Object.entries(answer.headers).filter(([name]) => TOLD.includes(name))), secrets),
        body: withoutSecrets(answer.body, secrets),
        ms: answer.ms,
      }
    : null;
  await inScope(services, delivery, now, async scope => {
    const { numUpdatedRows } = await scope.trx
      .updateTable('deliveries')
      .set({
        state: tried.isCancelled ? 'CANCELLED' : state,
        next_at: nextAt,
        finished_at: state === 'PENDING' ? null : now,
        request: request ? JSON.stringify(request) : null,
        answer: keptAnswer && JSON.stringify(keptAnswer),
        status: answer?.status ?? null,
        error: error ? withoutSecrets(error, secrets) : null,
      })
      .where('store_id', '=', delivery.storeId)
      .where('id', '=', delivery.id)
      // Where the lease ran out and another worker has it, or it was cancelled, that counts.
      .where('state', '=', 'PENDING')
      .where('attempts', '=', delivery.attempts)
      .executeTakeFirst();
    if (!sender || numUpdatedRows === 0n || tried.isCancelled) return;
    const outcome: Outcome = { state, ...(answer ? { answer } : {}), ...(error ? { error } : {}) };
    await sender.tried?.(scope, delivery, outcome);
    if (state === 'FAILED') await sender.gaveUp?.(scope, delivery, outcome);
  });
}

/**
 * Sends what is due in a store. Safe to run in several processes at once; what one of them took with it is due again after a minute and a
 * half.
 * @param aheadMs how far ahead of the real time it is, in tests
 * @returns how many were tried
 */
export async function sendDueDeliveries(services: Services, storeId: number, signal?: AbortSignal, aheadMs = 0): Promise<number> {
  const now = (): Date => new Date(Date.now() + aheadMs);
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const claimed = await services.db.inStore(storeId, trx => claim(trx, storeId, aheadMs));
    await Promise.all(
      claimed.map(async delivery => {
        const sender = services.senders.get(delivery.sender);
        await note(services, sender, delivery, await attempt(services, sender, delivery, now()), now());
      }),
    );
    count += claimed.length;
    if (claimed.length < BATCH) return count;
  }
}
