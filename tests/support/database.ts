// Fresh databases for tests, of both kinds: an embedded one in a folder of its own, and one on the shared PostgreSQL server.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openDatabase, type Database, type OpenOptions } from '../../src/server/platform/db/database.ts';
import { seedStores, type SeedOptions } from '../../src/server/features/demo/seed.ts';
import { migrationsHash, readMigrations, type Migration } from '../../src/server/platform/db/migrate.ts';
import { skipPostgres } from './postgres.ts';

export type EngineKind = Database['kind'];

/** The engines to test, for `describe.each(engines)`: both, unless PERENNIAL_SKIP_POSTGRES=1. */
export const engines: readonly EngineKind[] = skipPostgres ? ['embedded'] : ['embedded', 'postgres'];

/**
 * One of them, for `describe.each(oneEngine)` where rules and calls are the subject. What the database itself does (SQL, locks,
 * transactions, the queue, events) is tried on both. Races, broken connections and kills of workers run on both in the torture, which tries
 * these files on the embedded one too (`npm run torture -- embedded`); so do the journeys of a start and of a support case.
 * PERENNIAL_BOTH_ENGINES=1 tries everything on both.
 */
export const oneEngine: readonly EngineKind[] = process.env.PERENNIAL_BOTH_ENGINES === '1' ? engines : engines.slice(-1);

const folders = new Set<string>();
/** What a test that failed in the middle left behind. */
process.once('exit', () => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** An empty folder below the system's temporary one; removed with the process at the latest. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-test-'));
  folders.add(folder);
  return folder;
}

/** Address of the shared server's administrator. */
export async function sharedPostgres(): Promise<string> {
  const starter = inject('postgresStarter');
  if (!starter) throw new Error('This test needs PostgreSQL, which PERENNIAL_SKIP_POSTGRES=1 leaves out.');
  const response = await fetch(starter);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Statements on a server, as the user of the address. */
export async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same address with another user or database. */
export function withPart(url: string, part: { user?: string; database?: string }): string {
  const changed = new URL(url);
  if (part.user) changed.username = part.user;
  if (part.database) changed.pathname = `/${part.database}`;
  return changed.href;
}

/** An ordinary user owns the test databases, as in production: not the administrator, whom row-level security does not bind. */
const owner = 'perennial_owner';

/**
 * Creates an empty database on the shared server, owned by an ordinary user that may create roles.
 * @returns its address as that user, and how to remove it
 */
export async function createPostgresDatabase(template?: string): Promise<{ url: string; remove(): Promise<void> }> {
  const admin = await sharedPostgres();
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await onServer(admin, async client => {
    await client.query(
      `DO $$ BEGIN CREATE ROLE ${owner} LOGIN CREATEROLE; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
    );
    // Copied file by file: half of the work of writing each page into the log as well.
    await client.query(`CREATE DATABASE ${name} OWNER ${owner} TEMPLATE ${template ?? 'template0'} STRATEGY FILE_COPY`);
  });
  return {
    url: withPart(admin, { user: owner, database: name }),
    remove: () =>
      onServer(admin, async client => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/**
 * A database to copy from, made once per run by the first file that needs it: the others wait for it.
 * @param make fills the empty database at the address, and closes its connections
 */
export async function postgresTemplate(name: string, make: (url: string) => Promise<unknown>): Promise<string> {
  const admin = await sharedPostgres();
  const key = Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 7), 16);
  await onServer(admin, async client => {
    await client.query('SELECT pg_advisory_lock($1)', [key]);
    if ((await client.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount) return;
    const made = await createPostgresDatabase();
    await make(made.url);
    await client.query(`ALTER DATABASE ${new URL(made.url).pathname.slice(1)} RENAME TO ${name}`);
  });
  return name;
}

const templateFor = (migrations: readonly Migration[]): Promise<string> =>
  postgresTemplate(`template_${migrationsHash(migrations)}`, async url => {
    await (await openDatabase({ database: { kind: 'postgres', url }, migrations })).close();
  });

/** Makes a database whose stores are there, once an hour: what is due depends on the hour, so that a copy is as good as one that is seeded now. */
const seededTemplate = (migrations: readonly Migration[], seed: Required<Stores>): Promise<string> => {
  const made = createHash('sha256').update(JSON.stringify([migrationsHash(migrations), seed, Math.floor(Date.now() / 3_600_000)]));
  return postgresTemplate(`seeded_${made.digest('hex').slice(0, 16)}`, async url => {
    const db = await openDatabase({ database: { kind: 'postgres', url }, migrations });
    try {
      await seedStores(db, seed);
    } finally {
      await db.close();
    }
  });
};

/** Stores of the seed. */
export type Stores = Pick<SeedOptions, 'contracts' | 'stores' | 'areas'>;

/** A database of a test. `reopen` closes it and opens it again, as a restart does; `remove` closes it and leaves nothing behind. */
export interface TestDatabase {
  readonly db: Database;
  /** The data folder of an embedded one. */
  readonly folder?: string;
  /** The address of a PostgreSQL one. */
  readonly url?: string;
  reopen(): Promise<Database>;
  remove(): Promise<void>;
}

let compiled: Promise<WebAssembly.Module> | undefined;
/**
 * Compiles PGlite once for this process, and keeps it: V8 gives the same machine code, as far as it has become fast, to every thread
 * that compiles the same bytes while they are held. Without it each embedded database warms up for seconds.
 */
export const keepCompiled = (): Promise<WebAssembly.Module> =>
  (compiled ??= WebAssembly.compile(
    fs.readFileSync(path.join(path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm')),
  ));

/** A fresh database with the product's schema (or `options.migrations`), ready in a fraction of a second; with `seed`, on PostgreSQL, its stores as well. */
export async function openTestDatabase(
  kind: EngineKind,
  options: Partial<OpenOptions> = {},
  seed?: Required<Stores>,
): Promise<TestDatabase> {
  const migrations = options.migrations ?? readMigrations();
  const folder = kind === 'embedded' ? temporaryFolder() : undefined;
  const template = kind === 'postgres' ? await (seed ? seededTemplate(migrations, seed) : templateFor(migrations)) : undefined;
  const made = template === undefined ? undefined : await createPostgresDatabase(template);
  if (folder) await keepCompiled();
  const open = (): Promise<Database> =>
    openDatabase({
      connections: 5,
      // A machine that is busy with other tests is no reason to fail; tests of time limits give their own.
      timeoutMs: 30_000,
      ...options,
      migrations,
      ...(made ? { database: { kind: 'postgres', url: made.url } } : { database: { kind: 'embedded' }, dataFolder: folder! }),
    });
  let db = await open();
  return {
    get db() {
      return db;
    },
    folder,
    url: made?.url,
    async reopen() {
      await db.close();
      db = await open();
      return db;
    },
    async remove() {
      await db.close();
      await made?.remove();
      if (folder) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
