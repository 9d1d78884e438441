// The body of a request is taken in before a place is taken for it: a client that sends slowly, or never ends, keeps only itself
// waiting.
import type { IncomingMessage } from 'node:http';

/** How much of unfinished bodies there may be. The reasons are in docs/decisions.md. */
export interface BodyLimits {
  /** Unfinished bodies of one person, or of all strangers of one address. */
  mostOfOne: number;
  /** Unfinished bodies in all. */
  most: number;
  /** Bytes of bodies that are held at once, until their requests are answered. */
  mostBytes: number;
  /** For so long (ms) a body may come as slowly as it likes; afterwards so many bytes have come for each second since. */
  graceMs: number;
  bytesPerSecond: number;
  /** How often slow ones are looked for (ms). */
  lookMs: number;
}
export const BODY_LIMITS: BodyLimits = {
  mostOfOne: 64,
  most: 512,
  mostBytes: 64 * 1_048_576,
  graceMs: 5000,
  bytesPerSecond: 1000,
  lookMs: 500,
};

/** Why a body was not taken: larger than the call lets in, too slow, or more than there is room for. */
export type BodyFault = 'TOO_LARGE' | 'TOO_SLOW' | 'TOO_MANY';
/** A body is handed over whole, in the pieces that came, or as what was wrong with it; exactly one of the two, once, unless the client leaves before. */
export interface BodyReader {
  /** Whose it is. */
  readonly who: string;
  /** Most bytes that the call lets in. */
  readonly limit: number;
  whole(body: readonly Buffer[], bytes: number): void;
  fault(fault: BodyFault): void;
}

interface Unfinished {
  readonly reader: BodyReader;
  readonly since: number;
  readonly chunks: Buffer[];
  bytes: number;
  readonly stop: () => void;
}

/** Whether a request brings a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export class BodyGate {
  readonly #limits: BodyLimits;
  /** In the order in which they began. */
  readonly #unfinished = new Set<Unfinished>();
  readonly #ofOne = new Map<string, number>();
  #bytes = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(limits: Partial<BodyLimits> = {}) {
    this.#limits = { ...BODY_LIMITS, ...limits };
  }

  get state(): { unfinished: number; bytes: number } {
    return { unfinished: this.#unfinished.size, bytes: this.#bytes };
  }

  close(): void {
    clearInterval(this.#looking);
  }

  /** Reads the body of a request. One that says of itself that it is too large is refused before a byte of it is read. */
  read(request: IncomingMessage, reader: BodyReader): void {
    if (Number(request.headers['content-length'] ?? 0) > reader.limit) {
      reader.fault('TOO_LARGE');
      return;
    }
    const take = (chunk: Buffer): void => {
      body.chunks.push(chunk);
      body.bytes += chunk.length;
      this.#bytes += chunk.length;
      if (body.bytes > reader.limit) this.#refuse(body, 'TOO_LARGE');
      else if (this.#bytes > this.#limits.mostBytes) this.#refuse(this.#largest(body), 'TOO_MANY');
    };
    const end = (): void => {
      this.#remove(body);
      reader.whole(body.chunks, body.bytes);
    };
    const gone = (): void => {
      this.#remove(body);
      this.release(body.bytes);
    };
    const stop = (): void => {
      request.off('data', take).off('end', end).off('close', gone).pause();
    };
    const body: Unfinished = { reader, since: performance.now(), chunks: [], bytes: 0, stop };
    const { who } = reader;
    this.#unfinished.add(body);
    this.#ofOne.set(who, (this.#ofOne.get(who) ?? 0) + 1);
    this.#looking ??= setInterval(() => this.#look(), this.#limits.lookMs).unref();
    request.on('error', () => undefined);
    request.on('data', take).once('end', end).once('close', gone);
    // A newcomer takes the place of the oldest: a body that is all there is read at once, however many dawdle at the same address.
    if ((this.#ofOne.get(who) ?? 0) > this.#limits.mostOfOne) this.#refuse(this.#oldestOf(who), 'TOO_MANY');
    else if (this.#unfinished.size > this.#limits.most) this.#refuse(this.#oldestOf(this.#greediest()), 'TOO_MANY');
  }

  /** The bytes of a body are held no longer: its request was answered. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }

  #look(): void {
    const now = performance.now();
    const { graceMs, bytesPerSecond } = this.#limits;
    for (const body of this.#unfinished) {
      const late = now - body.since - graceMs;
      if (late <= 0) break;
      if (body.bytes < (late / 1000) * bytesPerSecond) this.#refuse(body, 'TOO_SLOW');
    }
  }

  #remove(body: Unfinished): void {
    if (!this.#unfinished.delete(body)) return;
    body.stop();
    const { who } = body.reader;
    const left = (this.#ofOne.get(who) ?? 1) - 1;
    if (left > 0) this.#ofOne.set(who, left);
    else this.#ofOne.delete(who);
    if (this.#unfinished.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #refuse(body: Unfinished, fault: BodyFault): void {
    this.#remove(body);
    this.release(body.bytes);
    body.chunks.length = 0;
    body.reader.fault(fault);
  }

  #oldestOf(who: string): Unfinished {
    for (const body of this.#unfinished) if (body.reader.who === who) return body;
    throw new Error('A caller with unfinished bodies has an oldest one.');
  }

  #greediest(): string {
    let greedy = '',
      most = 0;
    for (const [who, n] of this.#ofOne)
      if (n > most) {
        greedy = who;
        most = n;
      }
    return greedy;
  }

  #largest(least: Unfinished): Unfinished {
    let largest = least;
    for (const body of this.#unfinished) if (body.bytes > largest.bytes) largest = body;
    return largest;
  }
}
