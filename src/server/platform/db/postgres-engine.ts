// The engine for a PostgreSQL server: three pools, one bound by row-level security, a small one beside it for long reads, and a small one
// for
// the owner. With a pooler in front of the server (pgbouncer, transaction mode) the first two go through it and keep nothing on its
// connections; the owner's, migrations and locks of work have connections of their own.
import { Client, DatabaseError as DriverError, Pool, type ClientConfig, type PoolClient } from 'pg';
import { quoteName, sessionSettings, silent, type Engine, type Lease, type Role, type StoreLog } from './engine.ts';
import { DatabaseError, DatabaseUnavailable, toDatabaseError } from './errors.ts';
import { withoutPlans } from './prepared-statements.ts';
import { SessionLocks } from './session-locks.ts';
import { typeParsers } from './type-parsers.ts';

export interface PostgresOptions {
  readonly url: string;
  /** Address of the server itself, where `url` is that of a pooler; its user owns the tables. */
  readonly directUrl?: string | undefined;
  /** Connections for calls; long reads have up to three more, the owner up to four. */
  readonly connections?: number;
  /** Longest a statement of a call may run on the server. */
  readonly statementMs: number;
  /** How long a start waits for a server that is not there yet. */
  readonly connectMs?: number;
  readonly log?: StoreLog;
}

/** Connections for long reads: as many as may be at work at once on a small machine, and one for a file that goes on beside them. */
const ASIDE = 3;
/** Oldest server we test with. */
const oldest = 15;

/**
 * @throws DatabaseUnavailable when the server cannot be reached within `connectMs`, DatabaseError when it is too old, or behind a pooler
 *   without an address of its own
 */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const log = options.log ?? silent;
  const base: ClientConfig = {
    connectionString: options.url,
    application_name: 'perennial',
    keepAlive: true,
    pipeline: true,
    types: typeParsers,
    connectionTimeoutMillis: 5000,
  };
  const isPooled = options.directUrl !== undefined;
  const direct: ClientConfig = isPooled ? { ...base, connectionString: options.directUrl } : base;
  const limits = `SET statement_timeout=${options.statementMs};SET idle_in_transaction_session_timeout=60000`;
  await waitForServer(direct, options.connectMs ?? 10_000, log);
  if (isPooled) await waitForServer(base, options.connectMs ?? 10_000, log);
  else if (await isPooler(base))
    throw new DatabaseError(
      'DATABASE_URL leads to a pooler in transaction mode (pgbouncer). ' +
        'Set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself.',
    );
  let appRole: string | undefined;

  const pool = (role: Role, max: number): Pool => {
    const made = new Pool({
      ...(role === 'owner' ? direct : base),
      max,
      idleTimeoutMillis: 30_000,
      // A connection that breaks while it is borrowed reports it twice: to the query and as an event, which must not end the process.
      onConnect: client => {
        client.on('error', error => log.warn({ error: error.message }, 'A database connection broke.'));
        const isOwner = role === 'owner';
        if (isPooled && !isOwner) {
          withoutPlans.add(client);
          return undefined;
        }
        // A long read takes one core, not all of them.
        const alone = role === 'aside' ? ';SET max_parallel_workers_per_gather=0' : '';
        const binding = !isOwner && appRole ? `;SET ROLE ${quoteName(appRole)};SET app.store=''` : '';
        return client.query(`${sessionSettings}${isOwner ? '' : `;${limits}`}${alone}${binding}`) as unknown as void;
      },
    });
    made.on('error', () => undefined);
    return made;
  };
  const locks = new SessionLocks(async () => {
    const client = new Client(direct);
    client.on('error', error => log.warn({ error: error.message }, 'The database connection of locks broke.'));
    await client.connect();
    return client;
  }, log);
  const pools = { app: pool('app', options.connections ?? 10), aside: pool('aside', ASIDE), owner: pool('owner', 4) };

  return {
    kind: 'postgres',
    ...(isPooled ? { eachTransaction: `${sessionSettings};${limits}`.replaceAll('SET ', 'SET LOCAL ') } : {}),
    async acquire(role, waitMs) {
      let timer: NodeJS.Timeout | undefined;
      let late = false;
      const borrowed = pools[role].connect();
      // The pool has one waiting time for all; a shorter one is kept here and the connection handed back when it comes too late.
      borrowed.then(
        client => {
          if (late) client.release();
        },
        () => undefined,
      );
      try {
        const client = await Promise.race([
          borrowed,
          new Promise<never>((_, reject) => {
            if (Number.isFinite(waitMs))
              timer = setTimeout(() => {
                late = true;
                reject(new Error('timeout exceeded when trying to connect'));
              }, waitMs);
          }),
        ]);
        return lease(client);
      } catch (error) {
        throw toDatabaseError(error);
      } finally {
        clearTimeout(timer);
      }
    },
    async session(work) {
      const client = new Client(direct);
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query(sessionSettings);
        return await work(client);
      } catch (error) {
        throw toDatabaseErrorIfPg(error);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    lockWork: key => locks.take(key),
    async mayBind(role) {
      if (isPooled) await mayTakeOn(base, role);
    },
    async bind(role) {
      appRole = role;
    },
    async close() {
      await Promise.all([locks.close(), ...Object.values(pools).map(one => one.end())]);
    },
  };
}

/**
 * Refuses a pooler that signs in as a user who may not take on the role of calls.
 * @throws DatabaseError that says what an administrator can do
 */
async function mayTakeOn(base: ClientConfig, role: string): Promise<void> {
  const client = new Client({ ...base, pipeline: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; may: boolean }>(
      "SELECT session_user::text AS name, pg_has_role(session_user, $1, 'MEMBER') AS may",
      [role],
    );
    const [me] = rows;
    if (me && !me.may)
      throw new DatabaseError(
        `The database user ${me.name} of DATABASE_URL may not take on the role ${role}, which calls run as. Let an administrator run: ` +
          `GRANT ${quoteName(role)} TO ${quoteName(me.name)};`,
      );
  } catch (error) {
    throw toDatabaseErrorIfPg(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Errors of the driver become ours; errors of the work itself (a migration's explanation) stay as they are. */
const toDatabaseErrorIfPg = (error: unknown): unknown =>
  error instanceof DriverError || (error instanceof Error && 'code' in error) ? toDatabaseError(error) : error;

function lease(client: PoolClient): Lease {
  return {
    client,
    release: () => client.release(),
    abandon() {
      // The server notices the closed socket and undoes the transaction; a statement that is running ends at its time limit.
      (client as Client).connection.stream.destroy();
      client.release(true);
    },
  };
}

async function waitForServer(base: ClientConfig, connectMs: number, log: StoreLog): Promise<void> {
  const until = Date.now() + connectMs;
  for (let isLogged = false; ; isLogged = true) {
    const client = new Client({ ...base, pipeline: false });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client
        .query<{ version: string }>('SHOW server_version_num')
        .then(() => client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version"));
      const major = Math.floor(Number(rows[0]?.version) / 10_000);
      if (major < oldest) throw new DatabaseError(`The database server is PostgreSQL ${major}; Perennial needs ${oldest} or later.`);
      return;
    } catch (thrown) {
      const error = toDatabaseError(thrown);
      const mayCome = error instanceof DatabaseUnavailable && !/^(?:28|3D)/.test(error.code ?? '');
      if (!mayCome || Date.now() >= until) throw error;
      if (!isLogged) log.warn({ error: error.message }, 'Waiting for the database server.');
      await new Promise(resolve => setTimeout(resolve, 250));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Whether two connections are answered by one process of the server: what is set on one of them would be found on others. */
async function isPooler(base: ClientConfig): Promise<boolean> {
  const clients = [new Client({ ...base, pipeline: false }), new Client({ ...base, pipeline: false })];
  try {
    const seen = new Set<number>();
    for (const client of clients) {
      client.on('error', () => undefined);
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      seen.add(rows[0]?.pid ?? 0);
    }
    return seen.size < clients.length;
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => undefined)));
  }
}
