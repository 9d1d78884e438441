// The engine for the embedded database: PGlite in a worker thread, a lock on its folder, upkeep and backups.
//
// What is promised (the README repeats it): a change is on disk before it is answered, so neither a killed process nor a power
// cut loses an answered change, as far as the disk keeps what it confirmed. One process at a time opens a folder; a second one is
// refused. After every hour with changes a backup is written to `backups`, the last three are kept.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Client, type ClientBase } from 'pg';
import { Backups } from './backup.ts';
import type { WorkerOrder, WorkerReport } from './embedded-worker.ts';
import { quoteName, sessionSettings, silent, type Engine, type Lease, type Role, type StoreLog, type WorkLock } from '../engine.ts';
import { DatabaseUnavailable, toDatabaseError } from '../errors.ts';
import { lockFolder, type FolderLock } from './folder-lock.ts';
import { IndexMaintenance } from './index-maintenance.ts';
import { flush, flushAll, unpack } from './tarball.ts';
import { ConnectionMutex } from './connection-mutex.ts';
import { typeParsers } from '../type-parsers.ts';
import { Upkeep } from './upkeep.ts';
import { entryBeside, tsxFile } from '../../source-loader.ts';
import { WorkerSocket } from './worker-socket.ts';

export interface EmbeddedOptions {
  /** The data folder; the database is in `db` below it. Created when it is not there. */
  readonly folder: string;
  /** Gives the file (.tar.gz) a new database starts from; absent: an empty one is made (slow). */
  readonly seed?: () => Promise<string>;
  /** Checkpoints, vacuum and hourly backups; on by default. */
  readonly upkeep?: boolean;
  readonly log?: StoreLog;
}

/** The major version of PostgreSQL inside PGlite; a folder of another one does not open. */
const engineMajor = '18';

const ignore = (): void => undefined;

class EmbeddedEngine implements Engine {
  readonly kind = 'embedded';
  readonly folder: string;
  readonly #log: StoreLog;
  readonly #lock: FolderLock;
  readonly #turn = new ConnectionMutex();
  readonly #backups: Backups;
  readonly #upkeep: Upkeep | undefined;
  readonly #pending: IndexMaintenance;
  readonly #work = new Set<string>();
  #thread: Thread | undefined;
  #opening: Promise<Thread> | undefined;
  #appRole: string | undefined;
  #closed: string | undefined;

  constructor(options: EmbeddedOptions, lock: (lost: () => void) => FolderLock) {
    this.folder = options.folder;
    this.#log = options.log ?? silent;
    this.#lock = lock(() => void this.#lost());
    this.#backups = new Backups(path.join(this.folder, 'backups'));
    this.#upkeep =
      options.upkeep === false
        ? undefined
        : new Upkeep({
            idle: () => this.#turn.idle,
            borrow: () => this.acquire('owner', Number.POSITIVE_INFINITY, true),
            backup: async () => {
              await this.backup();
            },
            backedUpAt: this.#backups.latest(),
            log: this.#log,
          });
    this.#pending = new IndexMaintenance({ borrow: () => this.acquire('owner', Number.POSITIVE_INFINITY, true), log: this.#log });
  }

  async #lost(): Promise<void> {
    this.#closed = 'Another process took over its folder while this one stood still.';
    this.#log.error({ folder: this.folder }, 'Another process took over the data folder; this one stops using it.');
    this.#upkeep?.stop();
    this.#pending.stop();
    await this.#thread?.worker.terminate();
  }

  /** The running thread; a new one when the last one broke. */
  async open(): Promise<Thread> {
    if (this.#closed !== undefined) throw new DatabaseUnavailable(`The embedded database is closed. ${this.#closed}`.trim());
    if (this.#thread && !this.#thread.broken) return this.#thread;
    this.#opening ??= startThread(path.join(this.folder, 'db'), this.#log).finally(() => {
      this.#opening = undefined;
    });
    this.#thread = await this.#opening;
    if (this.#appRole) await this.bind(this.#appRole);
    return this.#thread;
  }

  async acquire(role: Role, waitMs: number, isPatient = false): Promise<Lease> {
    if (!isPatient && this.#appRole) this.#pending.asked();
    await this.#turn.enter(waitMs, isPatient);
    const from = performance.now();
    try {
      const thread = await this.open();
      const { client } = thread;
      const bound = this.#appRole;
      if (role === 'owner' && bound) client.query('SET ROLE NONE').catch(ignore);
      const leave = (): void => {
        if (role === 'owner' && bound) client.query(`SET ROLE ${quoteName(bound)}`).catch(ignore);
        this.#upkeep?.touched();
        if (isPatient) {
          this.#pending.worked(performance.now() - from);
          this.#turn.leave();
        } else this.#turn.leaveAfterCall();
      };
      return {
        client,
        release: leave,
        // A statement cannot be interrupted here: the turn ends when it has run and its transaction is undone.
        abandon: () => {
          client.query('ROLLBACK').catch(ignore).finally(leave);
        },
      };
    } catch (error) {
      this.#turn.leave();
      throw toDatabaseError(error);
    }
  }

  async session<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const lease = await this.acquire('owner', Number.POSITIVE_INFINITY);
    try {
      return await work(lease.client);
    } finally {
      lease.abandon();
    }
  }

  async bind(appRole: string): Promise<void> {
    this.#appRole = appRole;
    await this.#thread?.client.query(`SET ROLE ${quoteName(appRole)};SET app.store=''`);
    this.#upkeep?.start();
  }

  /** One process has the folder, so it need only know what it does itself. */
  async lockWork(key: string): Promise<WorkLock | null> {
    if (this.#work.has(key)) return null;
    this.#work.add(key);
    return {
      lost: new AbortController().signal,
      release: async () => {
        this.#work.delete(key);
      },
    };
  }

  announce(address: string): void {
    this.#lock.announce(address);
  }

  /** Writes a backup of everything committed so far. Calls wait while the files are copied (about a second for a gigabyte). */
  async backup(): Promise<string> {
    const copy = this.#backups.draft();
    try {
      const lease = await this.acquire('owner', Number.POSITIVE_INFINITY, true);
      try {
        await lease.client.query('CHECKPOINT');
        await this.#thread!.order({ order: 'copy', to: copy });
      } finally {
        lease.release();
      }
      const file = await this.#backups.keep(copy);
      this.#log.info({ file }, 'Wrote a backup.');
      return file;
    } finally {
      fs.rmSync(copy, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    if (this.#closed !== undefined) return;
    this.#upkeep?.stop();
    this.#pending.stop();
    await this.#turn.enter(Number.POSITIVE_INFINITY, true);
    this.#closed = '';
    try {
      if (this.#thread && !this.#thread.broken) await this.#thread.close();
    } finally {
      this.#lock.release();
      this.#turn.leave();
    }
  }
}

/** A worker thread with its one connection. */
interface Thread {
  readonly worker: Worker;
  readonly client: Client;
  readonly broken: boolean;
  order(order: { order: 'copy'; to: string } | { order: 'close' }): Promise<void>;
  close(): Promise<void>;
}

function startWorker(folder: string): Worker {
  const options = { workerData: { folder }, execArgv: [], name: 'embedded-database' };
  const { file, tsx } = entryBeside(import.meta.url, 'embedded-worker');
  if (!tsx) return new Worker(file, options);
  // Node 20 does not hand `--import tsx` on to the entry of a worker, so the loader is registered from within.
  const loader = JSON.stringify(tsxFile(tsx, 'dist/esm/api/index.mjs'));
  const worker = JSON.stringify(pathToFileURL(file).href);
  return new Worker(`import(${loader}).then((tsx) => { tsx.register(); return import(${worker}); });`, { ...options, eval: true });
}

async function startThread(folder: string, log: StoreLog): Promise<Thread> {
  const worker = startWorker(folder);
  const lastLines: string[] = [];
  const orders = new Map<number, (error?: Error) => void>();
  let nextOrder = 1;
  let broken: Error | undefined;
  let ending = false;

  await new Promise<void>((resolve, reject) => {
    const fail = (message: string): void => {
      broken ??= new DatabaseUnavailable(`The embedded database stopped: ${[message, ...lastLines].join(' ').trim()}`);
      reject(broken);
      for (const done of orders.values()) done(broken);
      orders.clear();
      void worker.terminate();
    };
    worker.on('message', (message: Uint8Array | WorkerReport) => {
      if (message instanceof Uint8Array) return;
      if (message.report === 'ready') resolve();
      else if (message.report === 'failed') fail(message.message);
      else if (message.report === 'stderr') {
        lastLines.push(message.line);
        if (lastLines.length > 5) lastLines.shift();
      } else {
        orders.get(message.id)?.(message.error === undefined ? undefined : new Error(message.error));
        orders.delete(message.id);
      }
    });
    worker.on('error', (error: unknown) => fail(error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => fail('its thread ended.'));
  });

  const stream = new WorkerSocket(worker);
  // host, user and the rest are given so that no PG* variable of the environment gets a say.
  const client = new Client({
    stream: () => stream,
    pipeline: true,
    types: typeParsers,
    ssl: false,
    host: 'embedded',
    port: 1,
    user: 'postgres',
    database: 'postgres',
    password: '',
  });
  client.on('error', error => {
    if (!ending)
      log.error({ error: error.message, lines: lastLines }, 'The embedded database stopped; it is started again with the next call.');
  });
  worker.on('exit', () => stream.destroy(ending ? undefined : broken));
  await client.connect();
  await client.query(sessionSettings);

  const order: Thread['order'] = what =>
    new Promise((resolve, reject) => {
      if (broken) {
        reject(broken);
        return;
      }
      const id = nextOrder++;
      orders.set(id, error => (error ? reject(error) : resolve()));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage({ id, ...what } satisfies WorkerOrder);
    });
  return {
    worker,
    client,
    order,
    get broken() {
      return broken !== undefined;
    },
    async close() {
      ending = true;
      await client.end();
      await order({ order: 'close' });
      await worker.terminate();
    },
  };
}

/** Makes sure that `folder/db` is a database: unpacked from the seed beside its place, flushed, then moved there whole. */
async function prepare(folder: string, seed: EmbeddedOptions['seed']): Promise<void> {
  const place = path.join(folder, 'db');
  const version = path.join(place, 'PG_VERSION');
  for (const name of fs.readdirSync(folder))
    if (name.startsWith('db.new-')) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  if (fs.existsSync(version)) {
    const major = fs.readFileSync(version, 'utf8').trim();
    if (major === engineMajor) return;
    throw new DatabaseUnavailable(
      `The folder ${place} holds a database of PostgreSQL ${major}; this release opens version ${engineMajor}. ` +
        'Start it with the release that wrote it, or give another folder with PERENNIAL_DATA.',
    );
  }
  if (fs.existsSync(place) && fs.readdirSync(place).length > 0) {
    throw new DatabaseUnavailable(
      `The folder ${place} is not empty and is not a database. Move it away, or give another folder with PERENNIAL_DATA.`,
    );
  }
  if (!seed) {
    fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    return;
  }
  const draft = path.join(folder, `db.new-${process.pid}`);
  await unpack(await seed(), draft);
  await flushAll(draft);
  fs.rmSync(place, { recursive: true, force: true });
  fs.renameSync(draft, place);
  flush(folder);
}

/**
 * Opens the embedded database of a data folder.
 * @throws FolderLocked when another process holds the folder, DatabaseUnavailable when it cannot be opened
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Engine> {
  const folder = path.resolve(options.folder);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  let lost = ignore;
  const lock = await lockFolder(folder, () => lost());
  try {
    await prepare(folder, options.seed);
    const engine = new EmbeddedEngine({ ...options, folder }, callback => {
      lost = callback;
      return lock;
    });
    await engine.open();
    return engine;
  } catch (error) {
    lock.release();
    throw error;
  }
}
