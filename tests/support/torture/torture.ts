// What every torture shares: its options, a server over a database of its own, and an end that says what was wrong.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase, type Database, type OpenOptions } from '../../../src/server/platform/db/database.ts';
import { PostgresCluster, skipPostgres } from '../postgres.ts';
import { serve, type ServeOptions, type TestServer } from '../serve.ts';

/** The time that a torture, or a part of one, may take. It ends with the round it is at. */
export class Time {
  readonly #until: number;
  /** @param until by the process's own clock (`performance.now()`, ms) */
  constructor(until = Number.POSITIVE_INFINITY) {
    this.#until = until;
  }
  readonly isOver = (): boolean => performance.now() >= this.#until;
  /** The first of so many equal parts of what is left. */
  part(parts: number): Time {
    const now = performance.now();
    return new Time(now + Math.max(0, this.#until - now) / parts);
  }
  /** Seconds that are left; undefined where there is no end. */
  get left(): number | undefined {
    return Number.isFinite(this.#until) ? Math.max(0, (this.#until - performance.now()) / 1000) : undefined;
  }
}

/** Reads `--seed N` (a fresh one otherwise), `--seconds N` (how long it may take; without it, as long as it takes) and one number more, such as `--rounds`, or several with their usual values. */
export function options<Name extends string, More extends string = never>(
  name: Name,
  usual: number,
  more?: Record<More, number>,
): { seed: number; time: Time } & Record<Name | More, number> {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(
        Object.entries<number>({ ...more, [name]: usual, seconds: 0 }).map(([key, value]) => [
          key,
          { type: 'string' as const, default: String(value) },
        ]),
      ),
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  });
  const numbers = Object.entries(values).map(([key, value]) => [key, Number(value)] as const);
  for (const [key, value] of numbers) if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${key} must be a whole number.`);
  const seconds = numbers.find(([key]) => key === 'seconds')?.[1] ?? 0;
  // Counted from the start of the process, so that what it sets up first is part of its time.
  return {
    ...(Object.fromEntries(numbers) as { seed: number } & Record<Name | More, number>),
    time: new Time(seconds > 0 ? seconds * 1000 : undefined),
  };
}

/** A database of its own: the embedded one in a new folder, or the one of DATABASE_URL, which is filled with nonsense. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>, more: Pick<OpenOptions, 'timeoutMs'> = {}): Promise<T> {
  const url = process.env['DATABASE_URL'];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-torture-'));
  const db = await openDatabase({
    ...more,
    ...(url ? { database: { kind: 'postgres', url } } : { database: { kind: 'embedded' }, dataFolder: folder }),
  });
  try {
    return await work(db);
  } finally {
    await db.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A server with two seeded stores over such a database. */
export const withServer = <T>(
  work: (server: TestServer) => Promise<T>,
  seed: ServeOptions['seed'] = { contracts: 200, stores: 2 },
): Promise<T> =>
  withDatabase(async db => {
    const server = await serve({ db, remove: async () => undefined }, { seed, jobs: true, config: { workers: 0 } });
    try {
      return await work(server);
    } finally {
      await server.close();
    }
  });

/** How far a torture came: rounds that were done, of those that were meant, and what a round is. */
export interface Rounds {
  done: number;
  of: number;
  unit: string;
}
/** What `npm run torture` is sent for its table. */
export interface Told {
  rounds: Rounds;
  wrong: number;
}

/** Prints how far it came and the failures (twenty at most), and makes the process end with 1 when there are any. */
export function end(told: string, rounds: Rounds, failures: readonly string[]): void {
  const early = rounds.done < rounds.of ? `, its time was over after ${rounds.done} of ${rounds.of} ${rounds.unit}` : '';
  console.log(`${told}${early}, ${failures.length} wrong`);
  for (const failure of failures.slice(0, 20)) console.log(`\n${failure}`);
  if (failures.length > 0) process.exitCode = 1;
  process.send?.({ rounds, wrong: failures.length } satisfies Told);
}

/** What a torture did on one database: its rounds, and in words what came of them. */
export interface Part {
  done: number;
  told: string;
  failures: readonly string[];
}

/** A torture on both databases (`onBoth`) and its end: `of` rounds are meant on each. */
export async function endOnBoth(
  name: string,
  { of, unit }: Omit<Rounds, 'done'>,
  time: Time,
  work: (server: TestServer, time: Time) => Promise<Part>,
): Promise<void> {
  const parts: (Part & { kind: string })[] = [];
  await onBoth(time, async (server, kind, share) => {
    parts.push({ kind, ...(await work(server, share)) });
  });
  const done = parts.reduce((rounds, part) => rounds + part.done, 0);
  end(
    `${name}: ${parts.map(({ told, kind }) => `${told} on ${kind}`).join(', ')}`,
    { done, of: of * parts.length, unit },
    parts.flatMap(({ kind, failures }) => failures.map(line => `${kind}, ${line}`)),
  );
}

/** The same twice: over the embedded database, and over a PostgreSQL server of its own, where several really are at work at once (unless PERENNIAL_SKIP_POSTGRES=1). */
async function onBoth(
  time: Time,
  work: (server: TestServer, kind: Database['kind'], time: Time) => Promise<void>,
  seed: ServeOptions['seed'] = { contracts: 4, stores: 1 },
): Promise<void> {
  const isOne = skipPostgres || Boolean(process.env['DATABASE_URL']);
  await withServer(server => work(server, server.services.db.kind, isOne ? time : time.part(2)), seed);
  if (isOne) return;
  const cluster = await PostgresCluster.create();
  try {
    const db = await openDatabase({ database: { kind: 'postgres', url: cluster.url() } });
    const server = await serve({ db, remove: () => db.close() }, { seed, jobs: true, config: { workers: 0 } });
    try {
      await work(server, 'postgres', time);
    } finally {
      await server.close();
    }
  } finally {
    await cluster.remove();
  }
}

/**
 * A torture over a PostgreSQL server of its own, at which processes are killed: `of` times, or until its time is over. Left out where there
 * is no PostgreSQL.
 */
export async function endOnPostgres(
  name: string,
  of: number,
  work: (at: { url: string; db: Database }) => Promise<Part>,
  settings: readonly string[] = [],
): Promise<void> {
  if (skipPostgres) return end(`${name}: left out, it needs PostgreSQL`, { done: 0, of: 0, unit: 'kills' }, []);
  const cluster = await PostgresCluster.create(settings);
  try {
    const url = cluster.url();
    const db = await openDatabase({ database: { kind: 'postgres', url } });
    try {
      const { done, told, failures } = await work({ url, db });
      end(`${name}: ${told}`, { done, of, unit: 'kills' }, failures);
    } finally {
      await db.close();
    }
  } finally {
    await cluster.remove();
  }
}
