// The thread of the embedded database. It speaks PostgreSQL's own wire protocol with the main thread, so that one driver serves
// both engines, and it flushes to disk where PGlite alone does not.
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** What the main thread asks for besides wire bytes. `copy`: the data folder as it is now, into `to`. */
export type WorkerOrder =
  | { readonly id: number; readonly order: 'copy'; readonly to: string }
  | { readonly id: number; readonly order: 'close' };
/** What it is sent, besides wire bytes. */
export type WorkerReport =
  | { readonly report: 'ready' }
  | { readonly report: 'failed'; readonly message: string }
  | { readonly report: 'stderr'; readonly line: string }
  | { readonly report: 'done'; readonly id: number; readonly error?: string };

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const { folder } = workerData as { folder: string };
const report = (what: WorkerReport): void => port.postMessage(what);

/** The parts of the emscripten module that are used here. */
interface Module {
  NODEFS: { stream_ops: Record<string, unknown>; tryFSOperation<T>(work: () => T): T };
}

/**
 * PGlite's folder on disk leaves out the one operation that makes data durable: its `fsync` does nothing. With it, and with the
 * server's own fsync switched on, a commit is on disk before it is answered, and checkpoints order their writes as PostgreSQL does.
 */
class DurableFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...args);
    result.emscriptenOpts.preRun = [
      ...((result.emscriptenOpts.preRun ?? []) as ((module: Module) => void)[]),
      (module: Module) => {
        module.NODEFS.stream_ops['fsync'] = (stream: { nfd: number }) => {
          module.NODEFS.tryFSOperation(() => fs.fsyncSync(stream.nfd));
          return 0;
        };
      },
    ] as never;
    // A PANIC of the server (a full or failing disk) ends this thread; the main thread starts a new one, which recovers.
    Object.assign(result.emscriptenOpts, {
      onAbort: () => {
        if (!closing) process.exit(70);
      },
      onExit: () => {
        if (!closing) process.exit(70);
      },
    });
    return result;
  }
}

let closing = false;
/**
 * Less shared memory than the default: it starts faster, and the files are in the system's cache anyway. No other statement runs
 * while one statement does, so little may be put off until it takes long: entries that wait to be merged into the indexes of
 * words and tags are few (while calls come in, fewer still: `pending.ts`), and a new file of the log is not filled with zeros
 * first (each commit flushes its length with it).
 */
const settings: Record<string, string> = {
  shared_buffers: '64MB',
  max_connections: '10',
  wal_sync_method: 'fsync',
  work_mem: '8MB',
  random_page_cost: '1.1',
  min_wal_size: '32MB',
  gin_pending_list_limit: '1MB',
  wal_init_zero: 'off',
};

try {
  const db = await PGlite.create({
    dataDir: folder,
    fs: new DurableFS(folder),
    startParams: [
      ...PGlite.defaultStartParams.filter(param => param !== '-F'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    extensions: { pg_trgm, btree_gin },
    onStderr: line => {
      report({ report: 'stderr', line });
      return false;
    },
  });

  const speak = (bytes: Uint8Array): void => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    // What comes back is a view on memory that the next statement overwrites: copy it at once.
    void db.execProtocolRawStream(bytes, {
      syncToFs: false,
      onRawData: data => {
        chunks.push(data.slice());
        size += data.length;
      },
    });
    let answer = chunks[0] ?? new Uint8Array(0);
    if (chunks.length > 1) {
      answer = new Uint8Array(size);
      let at = 0;
      for (const chunk of chunks) {
        answer.set(chunk, at);
        at += chunk.length;
      }
    }
    port.postMessage(answer, [answer.buffer as ArrayBuffer]);
  };

  const obey = async (order: WorkerOrder): Promise<void> => {
    if (order.order === 'copy') {
      fs.cpSync(folder, order.to, { recursive: true, mode: fs.constants.COPYFILE_FICLONE });
      return;
    }
    closing = true;
    await db.close();
  };

  port.on('message', (message: Uint8Array | WorkerOrder) => {
    if (message instanceof Uint8Array) {
      speak(message);
      return;
    }
    obey(message).then(
      () => report({ report: 'done', id: message.id }),
      (error: unknown) => report({ report: 'done', id: message.id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  report({ report: 'ready' });
} catch (error) {
  report({ report: 'failed', message: error instanceof Error ? error.message : String(error) });
}
