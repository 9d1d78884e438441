// Locks of work on PostgreSQL: they live on one connection of their own, so the server frees them when their process is gone.
import type { Client } from 'pg';
import type { StoreLog, WorkLock } from './engine.ts';
import { toDatabaseError } from './errors.ts';

const lockOf = 'hashtextextended($1, 7303016)';
/** A machine that vanishes frees its locks after this time: 10 s of silence and three probes. */
const settings = 'SET tcp_keepalives_idle=10;SET tcp_keepalives_interval=5;SET tcp_keepalives_count=3';
const againMs = 250;

interface Held {
  readonly key: string;
  readonly lost: AbortController;
  /** On the server, not just on its way there. */
  isTaken: boolean;
}

export class SessionLocks {
  readonly #connect: () => Promise<Client>;
  readonly #log: StoreLog;
  /** A session may take its lock twice, so what this process holds is known here too. */
  readonly #held = new Map<string, Held>();
  #client: Promise<Client> | undefined;
  #isClosed = false;

  /** @param connect opens a connection that belongs to one session of the server for as long as it is open */
  constructor(connect: () => Promise<Client>, log: StoreLog) {
    this.#connect = connect;
    this.#log = log;
  }

  /** @returns null when this or another process holds it. @throws DatabaseUnavailable */
  async take(key: string): Promise<WorkLock | null> {
    if (this.#held.has(key)) return null;
    const held: Held = { key, lost: new AbortController(), isTaken: false };
    this.#held.set(key, held);
    try {
      held.isTaken = await isTaken(await this.#connected(), key);
    } catch (error) {
      throw toDatabaseError(error);
    } finally {
      if (!held.isTaken) this.#held.delete(key);
    }
    return held.isTaken ? { lost: held.lost.signal, release: () => this.#release(held) } : null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#held.clear();
    await this.#client?.then(client => client.end()).catch(() => undefined);
  }

  async #release(held: Held): Promise<void> {
    if (this.#held.get(held.key) !== held) return;
    this.#held.delete(held.key);
    // Without the connection it is free already.
    await this.#client?.then(client => unlock(client, held.key)).catch(() => undefined);
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#open();
    return this.#client;
  }

  #open(): Promise<Client> {
    const opening = (async () => {
      const client = await this.#connect();
      client.once('end', () => this.#broke(opening));
      await client.query(settings);
      return client;
    })();
    opening.catch(() => this.#broke(opening));
    return opening;
  }

  #broke(connection: Promise<Client>): void {
    if (this.#client !== connection) return;
    this.#client = undefined;
    if (!this.#isClosed && this.#held.size > 0) setTimeout(() => void this.#regain(), againMs).unref();
  }

  /** Takes again what was held on a connection that broke. What another process has taken meanwhile is lost. */
  async #regain(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const client = await this.#connected();
      for (const held of [...this.#held.values()]) {
        if (!held.isTaken) continue;
        if (await isTaken(client, held.key)) {
          // It may have been released on the way.
          if (this.#held.get(held.key) !== held) await unlock(client, held.key);
          continue;
        }
        this.#held.delete(held.key);
        this.#log.warn({ work: held.key }, 'Another process took over what this one was at while the line to the database was broken.');
        held.lost.abort(new Error('Another process took over while the line to the database was broken.'));
      }
    } catch {
      // The end of the connection leads here again.
    }
  }
}

const isTaken = async (client: Client, key: string): Promise<boolean> =>
  (await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${lockOf}) AS taken`, [key])).rows[0]?.taken === true;
const unlock = (client: Client, key: string): Promise<unknown> => client.query(`SELECT pg_advisory_unlock(${lockOf})`, [key]);
