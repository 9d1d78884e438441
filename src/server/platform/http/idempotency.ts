// One key, one effect: a write that is repeated with its idempotency key gets the answer of the first time, refusals included.
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { JsonValue } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { Refusal } from '../context.ts';
import { yieldToEventLoop } from '../queue/yield-to-event-loop.ts';
import { t } from '../../../domain/text/t.ts';
import { STEP, stepsOf } from './long-texts.ts';

/** An answer as it is kept and sent again, byte by byte. */
export interface Kept {
  status: number;
  text: string;
}
export interface KeyOf {
  storeId: number;
  userId: number;
  key: string;
  hash: Buffer;
}

/** Keys are replayed for this long (hours); then they may be used again. */
export const KEPT_HOURS = 24;
/** A request that talks to the outside world may take this long (seconds) before another one with its key takes over. */
const TAKEOVER_SECONDS = 60;

/** Reads the header. @throws Refusal 400 unless it has 1 to 255 printable characters */
export function keyFrom(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(header) || header.trim() === '')
    throw new Refusal(400, 'BAD_REQUEST', t`An idempotency key has 1 to 255 printable characters.`);
  return header;
}

/** One hash for the same request, in whatever order its members come. Long texts are read in steps. */
export async function hashRequest(call: string, input: JsonValue, version: number | undefined): Promise<Buffer> {
  const pieces: (string | (() => string))[] = [];
  let piece = `${call}\n${version ?? ''}\n`;
  const add = (text: string): void => {
    piece += text;
    if (piece.length < STEP) return;
    pieces.push(piece);
    piece = '';
  };
  const write = (value: JsonValue | undefined): void => {
    if (typeof value === 'string' && value.length > STEP) {
      pieces.push(piece, '"', ...stepsOf(value).map(step => () => JSON.stringify(step).slice(1, -1)), '"');
      piece = '';
    } else if (Array.isArray(value)) {
      add('[');
      value.forEach((one, i) => {
        if (i > 0) add(',');
        write(one);
      });
      add(']');
    } else if (value !== null && typeof value === 'object') {
      add('{');
      Object.keys(value)
        .sort()
        .forEach((name, i) => {
          add(`${i > 0 ? ',' : ''}${JSON.stringify(name)}:`);
          write(value[name]);
        });
      add('}');
    } else add(JSON.stringify(value ?? null));
  };
  write(input);
  const hash = createHash('sha256');
  const turn = yieldToEventLoop();
  for (const one of [...pieces, piece]) {
    hash.update(typeof one === 'string' ? one : one());
    await turn();
  }
  return hash.digest();
}

/**
 * Claims the key in the transaction. Undefined: it is ours, do the work and `keep` its answer. Otherwise the answer to send again.
 * A claim of another transaction that is still open is waited for.
 * @throws Refusal 422 IDEMPOTENCY_MISMATCH when the key belongs to another request, 409 IN_PROGRESS when that one still runs
 */
export async function claim(trx: Kysely<Tables>, { storeId, userId, key, hash }: KeyOf): Promise<Kept | undefined> {
  const { rows: claimed } =
    await sql`insert into idempotency_keys as k (store_id, user_id, key, request_hash) values (${storeId}, ${userId}, ${key}, ${hash})
    on conflict (store_id, user_id, key) do update set request_hash = excluded.request_hash, status = null, answer = null,
        created_at = now()
    where k.created_at < now() - make_interval(hours => ${KEPT_HOURS}) or (k.status is null and k.request_hash = excluded.request_hash
      and k.created_at < now() - make_interval(secs => ${TAKEOVER_SECONDS}))
    returning 1`.execute(trx);
  if (claimed.length) return undefined;
  const row = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!row) throw new Refusal(409, 'IN_PROGRESS', t`The same request is still running. Wait for its answer.`, undefined, undefined, 1);
  if (!hash.equals(row.request_hash))
    throw new Refusal(422, 'IDEMPOTENCY_MISMATCH', t`This idempotency key was used for another request. Use a new key for a new request.`);
  if (row.status === null)
    throw new Refusal(409, 'IN_PROGRESS', t`The same request is still running. Wait for its answer.`, undefined, undefined, 1);
  return { status: row.status, text: (row.answer as { text: string }).text };
}

/** Keeps the answer under a claimed key. */
export async function keep(trx: Kysely<Tables>, { storeId, userId, key }: KeyOf, answer: Kept): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ status: answer.status, answer: JSON.stringify({ text: answer.text }) })
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute();
}

/** Gives a claimed key back: nothing happened under it. */
export async function release(trx: Kysely<Tables>, { storeId, userId, key }: KeyOf): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('status', 'is', null)
    .execute();
}

/** Lets requests of this process with the same key follow one another, so that those that wait hold no connection meanwhile. */
export class KeyLocks {
  readonly #last = new Map<string, Promise<unknown>>();
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const mine = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
