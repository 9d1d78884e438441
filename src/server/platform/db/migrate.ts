// Brings a database to the newest schema: numbered SQL files, each in a transaction of its own, each exactly once.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client, ClientBase } from 'pg';
import { quoteName, quoteText, silent, type StoreLog } from './engine.ts';

/** The role that calls run as: it owns nothing and is bound by row-level security. */
export const appRole = 'perennial_app';

export interface Migration {
  readonly number: number;
  /** The file's name, e.g. `001-stores.sql`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** A migration cannot run or must not: the message says which, why, and what to do. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/** The folder of the product's own migrations: beside this file in the source, beside the bundle when built. */
export const migrationsFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'migrations');

/**
 * Reads `NNN-name.sql` from a folder, in order of their numbers.
 * @throws MigrationError for a name without a number or a number used twice
 */
export function readMigrations(folder: string = migrationsFolder): readonly Migration[] {
  const files = fs
    .readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .sort();
  const seen = new Map<number, string>();
  return files.map(name => {
    const number = Number(/^(\d{3})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
    if (!(number > 0)) throw new MigrationError(`The migration ${name} must be named like 001-stores.sql.`);
    const other = seen.get(number);
    if (other) throw new MigrationError(`The migrations ${other} and ${name} have the same number.`);
    seen.set(number, name);
    // The same text on every system, however line ends were checked out.
    const sql = fs.readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/** One short name for a list of migrations; changes when any of them does. */
export const migrationsHash = (migrations: readonly Migration[]): string =>
  createHash('sha256')
    .update(migrations.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex')
    .slice(0, 16);

/** Any fixed number: two processes that start at once wait for each other on it. */
const lockKey = 7_303_014;

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** The role for calls; another name only in tests. */
  readonly role?: string;
  /** What else may refuse the start: asked once the role is there and before anything is changed. */
  readonly mayStart?: () => Promise<void>;
  readonly log?: StoreLog;
}

/**
 * Applies what is missing and makes sure that the role for calls exists and is bound by row-level security.
 * @param client a connection of the owner without time limits, outside of a transaction
 * @returns the names of the migrations that were applied now
 * @throws MigrationError when a migration fails, was changed after it ran, is newer than this release, or rights are missing
 */
export async function migrate(client: ClientBase, options: MigrateOptions = {}): Promise<readonly string[]> {
  const migrations = options.migrations ?? readMigrations();
  const role = options.role ?? appRole;
  const log = options.log ?? silent;
  await client.query(`SELECT pg_advisory_lock(${lockKey})`);
  try {
    await ensureRole(client, role);
    await refuseOtherOwner(client);
    await withRights(client, 'The table of applied migrations', () =>
      client.query(
        'CREATE TABLE IF NOT EXISTS perennial_migrations (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, ' +
          'applied_at timestamptz NOT NULL DEFAULT now())',
      ),
    );
    const { rows: applied } = await client.query<{ number: number; name: string; checksum: string }>(
      'SELECT number, name, checksum FROM perennial_migrations ORDER BY number',
    );
    const missing = plan(migrations, applied);
    await refuseLostRights(client, role, migrations, applied);
    await options.mayStart?.();
    for (const migration of missing) {
      const started = performance.now();
      await apply(client, migration);
      log.info({ migration: migration.name, ms: Math.round(performance.now() - started) }, 'Applied a migration.');
    }
    return missing.map(({ name }) => name);
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${lockKey})`).catch(() => undefined);
  }
}

/** Tables that were restored by another user belong to them, and nothing of them could be changed. */
async function refuseOtherOwner(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ owner: string; me: string }>(
    `SELECT tableowner AS owner, session_user::text AS me FROM pg_tables
     WHERE schemaname = 'public' AND tablename = 'perennial_migrations' AND NOT pg_has_role(session_user, tableowner, 'USAGE')`,
  );
  const [found] = rows;
  if (found)
    throw new MigrationError(
      `The tables of the database belong to ${found.owner}, and the server signs in as ${found.me}: they were restored by another user. ` +
        `Restore them again as ${found.me} (pg_restore --no-owner; docs/operate.md, "Backup and restore").`,
    );
}

/** A dump that was restored where the role was missing has its tables, and no right on any of them: nothing would work. */
async function refuseLostRights(
  client: ClientBase,
  role: string,
  migrations: readonly Migration[],
  applied: readonly { number: number }[],
): Promise<void> {
  const gives = new RegExp(`\\bto ${role}\\b`, 'i');
  if (!migrations.some(({ number, sql }) => gives.test(sql) && applied.some(row => row.number === number))) return;
  const { rows } = await client.query<{ database: string }>(
    `SELECT current_database()::text AS database WHERE NOT EXISTS
       (SELECT FROM pg_tables WHERE schemaname = 'public' AND has_table_privilege($1, format('%I.%I', schemaname, tablename), 'SELECT'))`,
    [role],
  );
  if (rows[0])
    throw new MigrationError(
      `The role ${role}, which calls run as, may read no table: the database was restored where the role was missing. It is there now; ` +
        `give it its rights again from the same file:\n  pg_restore --list FILE | grep ' ACL ' > rights\n  ` +
        `pg_restore --use-list=rights --no-owner --dbname=${quoteName(rows[0].database)} FILE`,
    );
}

/** What is still to do. */
function plan(
  migrations: readonly Migration[],
  applied: readonly { number: number; name: string; checksum: string }[],
): readonly Migration[] {
  const byNumber = new Map(migrations.map(migration => [migration.number, migration]));
  for (const row of applied) {
    const migration = byNumber.get(row.number);
    if (!migration)
      throw new MigrationError(
        `The database has the migration ${row.name}, which this release does not know. It was written by a newer release; start that one.`,
      );
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `The migration ${migration.name} was changed after it had been applied to this database. Undo the change and put it into a ` +
          `new migration with the next number.`,
      );
    }
  }
  const last = applied.at(-1);
  const missing = migrations.filter(({ number }) => !applied.some(row => row.number === number));
  const late = last && missing.find(({ number }) => number < last.number);
  if (late)
    throw new MigrationError(
      `The migration ${late.name} comes before ${last.name}, which has been applied already. Give it the next free number.`,
    );
  return missing;
}

async function apply(client: ClientBase, migration: Migration): Promise<void> {
  await withRights(client, `The migration ${migration.name}`, async () => {
    await client.query('BEGIN');
    try {
      await client.query(migration.sql);
      if ((client as Client).getTransactionStatus() !== 'T')
        throw new MigrationError(`The migration ${migration.name} ends its own transaction; leave BEGIN, COMMIT and ROLLBACK out of it.`);
      await client.query('INSERT INTO perennial_migrations (number, name, checksum) VALUES ($1, $2, $3)', [
        migration.number,
        migration.name,
        migration.checksum,
      ]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      if (error instanceof MigrationError || isRights(error)) throw error;
      throw new MigrationError(
        `The migration ${migration.name} failed${place(migration, error)}: ${error instanceof Error ? error.message : String(error)}. ` +
          `Nothing of it was kept.`,
        { cause: error },
      );
    }
  });
}

/** ` in line 12`, when the database says where. */
function place(migration: Migration, error: unknown): string {
  const position = Number((error as { position?: string }).position);
  return position > 0 ? ` in line ${migration.sql.slice(0, position).split('\n').length}` : '';
}

const isRights = (error: unknown): boolean => (error as { code?: string }).code === '42501';

/** Turns a refusal for want of rights into the statements that an administrator has to run. */
async function withRights<T>(client: ClientBase, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRights(error)) throw error;
    const {
      rows: [who],
    } = await client.query<{ user: string; database: string }>('SELECT session_user::text AS "user", current_database()::text AS database');
    const user = quoteName(who!.user);
    throw new MigrationError(
      `${what} needs rights that the database user ${user} does not have (${(error as Error).message}). Let an administrator run:\n` +
        `  GRANT CREATE ON DATABASE ${quoteName(who!.database)} TO ${user};\n  GRANT USAGE, CREATE ON SCHEMA public TO ${user};`,
      { cause: error },
    );
  }
}

/** Creates the role for calls when it is missing, and refuses one that row-level security would not bind. */
async function ensureRole(client: ClientBase, role: string): Promise<void> {
  const name = quoteName(role);
  const {
    rows: [me],
  } = await client.query<{ name: string }>('SELECT session_user::text AS name');
  const user = quoteName(me!.name);
  const find = async () =>
    (
      await client.query<{ bypasses: boolean; parents: string | null; can: boolean }>(
        `SELECT rolsuper OR rolbypassrls AS bypasses, pg_has_role(session_user, oid, 'MEMBER') AS can,
       (SELECT string_agg(parent.rolname, ', ') FROM pg_auth_members JOIN pg_roles parent ON parent.oid = roleid WHERE member = role.oid)
         AS parents
     FROM pg_roles role WHERE rolname = $1`,
        [role],
      )
    ).rows[0];

  let found = await find();
  if (!found || !found.can) {
    const statements = `${found ? '' : `CREATE ROLE ${name} NOLOGIN;\n  `}GRANT ${name} TO ${user};`;
    try {
      // Roles belong to the whole server, so another database's start may create it at the same moment.
      if (!found)
        await client.query(
          `DO $$ BEGIN CREATE ROLE ${name} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
        );
      await client.query(
        `DO $$ BEGIN EXECUTE format('GRANT %I TO %I', ${quoteText(role)}, session_user); EXCEPTION WHEN unique_violation THEN NULL; END $$`,
      );
    } catch (error) {
      if (!isRights(error)) throw error;
      throw new MigrationError(
        `The database user ${user} may not create or take on the role ${name}, which calls run as. Let an administrator run:\n  ` +
          `${statements}`,
        { cause: error },
      );
    }
    found = await find();
  }
  if (found?.bypasses) {
    throw new MigrationError(
      `The role ${name} must not get around row-level security, or stores could see each other's rows. Let an administrator run:\n  ` +
        `ALTER ROLE ${name} NOSUPERUSER NOBYPASSRLS;`,
    );
  }
  if (found?.parents) {
    throw new MigrationError(
      `The role ${name} must not be a member of another role (${found.parents}), or it may inherit rights that get around row-level ` +
        `security. Let an administrator revoke it.`,
    );
  }
}
