// A real PostgreSQL for the tests: found on this machine, started in a folder of its own when the first test asks for it, and
// stopped at the end. As vitest's globalSetup it costs nothing to runs that need no server.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Ask here (GET) for the address of the shared server; empty when the tests run without PostgreSQL. */
    postgresStarter: string;
  }
}

/** True when the person who runs the tests chose to do without PostgreSQL. */
export const skipPostgres = process.env['PERENNIAL_SKIP_POSTGRES'] === '1';

const byVersion = (parent: string, below: string): string[] =>
  fs.existsSync(parent)
    ? fs
        .readdirSync(parent)
        .filter(name => /\d/.test(name))
        .sort((a, b) => Number(/\d+/.exec(b)?.[0]) - Number(/\d+/.exec(a)?.[0]))
        .map(name => path.join(parent, name, below))
    : [];

/** The folder with `initdb` and `postgres`: in PATH, else the newest one where packages put them. Undefined when there is none. */
export function findPostgres(): string | undefined {
  const candidates = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...byVersion('/usr/lib/postgresql', 'bin'),
    ...byVersion('/opt/homebrew/opt', 'bin').filter(name => name.includes('postgresql')),
    ...byVersion('/usr/local/opt', 'bin').filter(name => name.includes('postgresql')),
  ];
  return candidates.find(
    folder => folder !== '' && fs.existsSync(path.join(folder, 'initdb')) && fs.existsSync(path.join(folder, 'postgres')),
  );
}

const missing =
  'The tests need PostgreSQL 15 or later, and its programs initdb and postgres were found neither in PATH nor in /usr/lib/postgresql/*/bin. ' +
  'Install it (Debian: apt-get install postgresql; macOS: brew install postgresql), or set PERENNIAL_SKIP_POSTGRES=1 to test the embedded database only.';

/** PostgreSQL refuses to run as root; then the user `postgres`, else `nobody`, runs it. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const ids = ['-u', '-g'].map(flag => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout));
    if (ids[0] && ids[1]) return { uid: ids[0], gid: ids[1] };
  }
  throw new Error('The tests run as root, and there is no user "postgres" or "nobody" to run PostgreSQL as.');
}

/** A port on loopback at which no server listens. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net
      .createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
  });

/** A server in a folder of its own, reachable on loopback only. */
export class PostgresCluster {
  readonly folder: string;
  readonly port: number;
  readonly #bin: string;
  readonly #user: { uid: number; gid: number } | undefined;
  readonly #settings: readonly string[];
  readonly #isKept: boolean;
  #process: ChildProcess | undefined;
  #watch: ChildProcess | undefined;

  private constructor(
    bin: string,
    folder: string,
    port: number,
    user: { uid: number; gid: number } | undefined,
    settings: readonly string[],
    isKept: boolean,
  ) {
    this.#bin = bin;
    this.#isKept = isKept;
    this.folder = folder;
    this.port = port;
    this.#user = user;
    this.#settings = settings;
  }

  /**
   * Creates and starts a server. `settings` are further `name=value` of postgresql.conf. With `keep`, its folder is that one: it is used
   * again when it is there, and `remove` only stops the server.
   */
  static async create(settings: readonly string[] = [], keep?: string): Promise<PostgresCluster> {
    const bin = findPostgres();
    if (!bin) throw new Error(missing);
    const folder = keep === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-postgres-')) : path.resolve(keep);
    const user = otherUser();
    if (!fs.existsSync(path.join(folder, 'db', 'PG_VERSION'))) {
      fs.mkdirSync(folder, { recursive: true });
      if (user) fs.chownSync(folder, user.uid, user.gid);
      const made = spawnSync(
        path.join(bin, 'initdb'),
        ['-D', path.join(folder, 'db'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
        { ...user, cwd: folder, encoding: 'utf8' },
      );
      if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
    }
    const cluster = new PostgresCluster(bin, folder, await freePort(), user, settings, keep !== undefined);
    await cluster.start();
    return cluster;
  }

  /** Address of a database of this server; without a name the administrator's. */
  url(database = 'postgres', user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      ...(this.#isKept ? [] : ['fsync=off', 'full_page_writes=off']),
      'synchronous_commit=off',
      'max_connections=200',
      // Queries of small stores take milliseconds; making machine code for one takes longer than it runs.
      'jit=off',
      'shared_buffers=64MB',
      'log_min_messages=panic',
      ...this.#settings,
    ];
    const child = spawn(
      path.join(this.#bin, 'postgres'),
      ['-D', path.join(this.folder, 'db'), ...settings.flatMap(setting => ['-c', setting])],
      { ...this.#user, cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#process = child;
    // A test run that is killed must not leave a server behind: a shell waits for a line, and without one it cleans up.
    this.#watch?.stdin?.end('stop\n');
    this.#watch = spawn(
      'sh',
      [
        '-c',
        'read line || { [ "$(head -n 1 "$1/db/postmaster.pid")" = "$0" ] && kill -QUIT "$0"; sleep 1; [ -z "$2" ] || rm -rf "$2"; }',
        String(child.pid),
        this.folder,
        this.#isKept ? '' : this.folder,
      ],
      { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
    );
    this.#watch.stdin?.on('error', () => undefined);
    this.#watch.unref();
    let said = '';
    child.stderr?.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-2000);
    });
    for (let tries = 0; ; tries++) {
      const client = new Client({ connectionString: this.url(), connectionTimeoutMillis: 2000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return;
      } catch (error) {
        if (child.exitCode !== null || tries > 600) throw new Error(`PostgreSQL did not start: ${said || String(error)}`, { cause: error });
        await new Promise(resolve => setTimeout(resolve, 50));
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  /** `fast` undoes open transactions and ends; `immediate` ends like a crash. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
    this.#watch?.stdin?.end('stop\n');
    this.#watch = undefined;
  }

  async remove(): Promise<void> {
    await this.stop(this.#isKept ? 'fast' : 'immediate');
    if (!this.#isKept) fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

const starter: keyof ProvidedContext = 'postgresStarter';

/** vitest's globalSetup. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (skipPostgres) {
    project.provide(starter, '');
    return async () => undefined;
  }
  if (!findPostgres()) throw new Error(missing);
  let cluster: Promise<PostgresCluster> | undefined;
  const server = http.createServer((_request, response) => {
    // A worker that was busy for seconds would ask over a connection that has timed out meanwhile.
    response.setHeader('Connection', 'close');
    cluster ??= PostgresCluster.create();
    cluster.then(
      running => response.end(running.url()),
      (error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      },
    );
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  project.provide(starter, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return async () => {
    server.closeAllConnections();
    server.close();
    await cluster?.then(
      running => running.remove(),
      () => undefined,
    );
  };
}
