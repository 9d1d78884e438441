// What every torture shares: its options, a server over a database of its own, and an end that says what was wrong.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase, type Database, type OpenOptions } from '../../src/server/store/database.ts';
import { PostgresCluster, skipPostgres } from './postgres.ts';
import { serve, type ServeOptions, type TestServer } from './serve.ts';

/** Reads `--seed N` (a fresh one otherwise) and one number more, such as `--rounds`, or several with their usual values. */
export function options<Name extends string, More extends string = never>(name: Name, usual: number, more?: Record<More, number>): { seed: number } & Record<Name | More, number> {
  const { values } = parseArgs({ options: { ...Object.fromEntries(Object.entries<number>({ ...more, [name]: usual }).map(([key, value]) => [key, { type: 'string' as const, default: String(value) }])), seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) } } });
  const numbers = Object.entries(values).map(([key, value]) => [key, Number(value)] as const);
  for (const [key, value] of numbers) if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${key} must be a whole number.`);
  return Object.fromEntries(numbers) as { seed: number } & Record<Name | More, number>;
}

/** A database of its own: the embedded one in a new folder, or the one of DATABASE_URL, which is filled with nonsense. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>, more: Pick<OpenOptions, 'timeoutMs'> = {}): Promise<T> {
  const url = process.env['DATABASE_URL'];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-torture-'));
  const db = await openDatabase({ ...more, ...(url ? { database: { kind: 'postgres', url } } : { database: { kind: 'embedded' }, dataFolder: folder }) });
  try { return await work(db); } finally {
    await db.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A server with two seeded stores over such a database. */
export const withServer = <T>(work: (server: TestServer) => Promise<T>, seed: ServeOptions['seed'] = { contracts: 200, stores: 2 }): Promise<T> => withDatabase(async db => {
  const server = await serve({ db, remove: async () => undefined }, { seed, jobs: true, config: { workers: 0 } });
  try { return await work(server); } finally { await server.close(); }
});

/** Prints the failures (twenty at most) and makes the process end with 1 when there are any. */
export function end(told: string, failures: readonly string[]): void {
  console.log(`${told}, ${failures.length} wrong`);
  for (const failure of failures.slice(0, 20)) console.log(`\n${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

/** The same twice: over the embedded database, and over a PostgreSQL server of its own, where several really are at work at once (unless PERENNIAL_SKIP_POSTGRES=1). */
export async function onBoth(work: (server: TestServer, kind: Database['kind']) => Promise<void>, seed: ServeOptions['seed'] = { contracts: 4, stores: 1 }): Promise<void> {
  await withServer(server => work(server, server.services.db.kind), seed);
  if (skipPostgres || process.env['DATABASE_URL']) return;
  const cluster = await PostgresCluster.create();
  try {
    const db = await openDatabase({ database: { kind: 'postgres', url: cluster.url() } });
    const server = await serve({ db, remove: () => db.close() }, { seed, jobs: true, config: { workers: 0 } });
    try { await work(server, 'postgres'); } finally { await server.close(); }
  } finally { await cluster.remove(); }
}
