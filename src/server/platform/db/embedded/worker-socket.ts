// The socket between the PostgreSQL driver and the thread of the embedded database: what the driver writes goes to the thread,
// what the thread answers is what the driver reads.
import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';

/** The first byte of the driver's goodbye. */
const terminate = 0x58;

export class WorkerSocket extends Duplex {
  readonly #worker: Worker;
  readonly #hear: (message: unknown) => void;

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    this.#hear = message => {
      if (message instanceof Uint8Array) this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength));
    };
    worker.on('message', this.#hear);
  }

  /** The driver connects to a host and port; here both ends exist already. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  #send(chunks: readonly Buffer[]): void {
    if (chunks[0]?.[0] === terminate) return;
    // A copy of its own: the driver's buffers are windows on larger ones, and a message carries the whole of what it is given.
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#worker.postMessage(bytes, [bytes.buffer]);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send([chunk]);
    done();
  }
  override _writev(items: { chunk: Buffer }[], done: () => void): void {
    this.#send(items.map(item => item.chunk));
    done();
  }
  override _read(): void {
    /* answers are pushed as they come */
  }
  override _final(done: () => void): void {
    this.push(null);
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#worker.off('message', this.#hear);
    done(error);
  }
}
