// The processes of one server on PostgreSQL: some answer calls, one runs jobs, and this one watches over them. They share nothing but the
// port and the
// database, as servers on several machines do; one that ends unexpectedly is replaced.
import cluster, { type Worker } from 'node:cluster';
import type { AggregatorRegistry, PrometheusContentType } from 'prom-client';
import { newToken } from './platform/auth/tokens.ts';
import type { Config } from './platform/config.ts';
import type { StoreLog } from './platform/db/engine.ts';

/** What a process is there for. The process that runs jobs gets the address under which people reach the server: mails carry links. */
export type Duty = ({ readonly of: 'calls' } | { readonly of: 'jobs'; readonly address: string }) & {
  /** How many processes with this duty ended unexpectedly before this one. */
  readonly replaces: number;
};

/** What processes send each other. */
export interface ProcessMessage {
  /** This process is ready and answers calls at this address. */
  ready?: string;
  /** A job was sent to this queue: the process that runs jobs may fetch it without waiting for its next look. */
  sent?: string;
  /** All processes are ready: print the address of the server. */
  greet?: boolean;
  /** This process wants the figures of all processes, under this number; or here they are. */
  wantsFigures?: number;
  figures?: { of: number; text: string };
  /** The key of the outbox page, one for all processes. */
  outboxKey?: string;
}

/** The duty that a process was started with. */
export const dutyOf = ([of, replaces = '0', address = '']: readonly string[]): Duty =>
  of === 'jobs' ? { of, address, replaces: Number(replaces) } : { of: 'calls', replaces: Number(replaces) };

/** Sends a message to the process that watches over this one. */
export const sendToPrimary = (message: ProcessMessage): void => {
  if (process.connected) process.send?.(message);
};
/** Receives the messages of that one. */
export const onProcessMessage = (listener: (message: ProcessMessage) => void): void => {
  process.on('message', listener);
};

/** Who ended unexpectedly is replaced after so long (ms), twice as long each time it lives no longer than `STEADY_MS`. */
const AGAIN_MS = { least: 100, most: 10_000 };
const STEADY_MS = 10_000;
/** After the signal to stop, processes end by themselves in less; one that hangs is ended (ms). */
const STOP_MS = 45_000;

/** A connection on its way to a process. */
interface Handle {
  close(): void;
}

/**
 * A connection that is being handed to a process when that one dies stays open for ever, without an answer: Node forgets it. There is
 * never more than
 * one, so remembering the last one is enough; closing it again does nothing.
 */
function lastHandle({ process: child }: Worker): () => Handle | undefined {
  let last: Handle | undefined;
  const send = child.send.bind(child) as (...values: unknown[]) => boolean;
  child.send = (...values: unknown[]) => {
    last = (values[1] as Handle | undefined) ?? last;
    return send(...values);
  };
  return () => last;
}

interface Part {
  readonly of: Duty['of'];
  worker?: Worker;
  isReady: boolean;
  startedAt: number;
  againMs: number;
  /** How many of its processes ended unexpectedly. */
  replaced: number;
}

/** Starts the processes and keeps them going until a signal ends them all. This process ends with the last of them. */
export function watchOver(config: Config, log: StoreLog): void {
  new Watch(config, log).begin();
}

class Watch {
  readonly #log: StoreLog;
  readonly #parts: readonly Part[];
  readonly #outboxKey = newToken();
  #address = '';
  #hasGreeted = false;
  #isStopping = false;
  #figures: AggregatorRegistry<PrometheusContentType> | undefined;
  #exitCode = 0;

  constructor(config: Config, log: StoreLog) {
    this.#log = log;
    const part = (of: Duty['of']): Part => ({ of, isReady: false, startedAt: 0, againMs: AGAIN_MS.least, replaced: 0 });
    this.#parts = [...Array.from({ length: config.processes }, () => part('calls')), ...(config.workers > 0 ? [part('jobs')] : [])];
  }

  /** The first one brings the database up to date; the others begin when it answers. */
  begin(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#stop());
    this.#start(this.#parts[0]!);
  }

  #start(part: Part): void {
    if (this.#isStopping) return;
    cluster.setupPrimary({ args: [part.of, String(part.replaced), ...(part.of === 'jobs' ? [this.#address] : [])] });
    const worker = cluster.fork();
    const last = lastHandle(worker);
    Object.assign(part, { worker, isReady: false, startedAt: Date.now() });
    this.#log.info({ duty: part.of, pid: worker.process.pid }, 'A process of the server starts.');
    worker.on('message', (message: ProcessMessage) => this.#receive(part, message));
    worker.once('exit', (code, signal) => {
      last()?.close();
      this.#ended(part, code, signal);
    });
    // Sent to a process that is just ending; its end is dealt with above.
    worker.on('error', () => undefined);
  }

  #receive(part: Part, { ready, sent, wantsFigures }: ProcessMessage): void {
    if (wantsFigures !== undefined) void this.#addUp(part, wantsFigures);
    if (sent !== undefined) this.#parts.find(one => one.of === 'jobs')?.worker?.send({ sent } satisfies ProcessMessage);
    if (ready === undefined) return;
    part.isReady = true;
    if (part.of === 'calls') part.worker?.send({ outboxKey: this.#outboxKey } satisfies ProcessMessage);
    const isFirst = this.#address === '';
    this.#address ||= ready;
    if (isFirst) for (const other of this.#parts) if (other !== part) this.#start(other);
    if (this.#hasGreeted || !this.#parts.every(one => one.isReady)) return;
    this.#hasGreeted = true;
    this.#parts[0]?.worker?.send({ greet: true } satisfies ProcessMessage);
  }

  /** What all processes counted, for the one that is asked by the monitoring. Nothing where one of them does not answer: it asks again. */
  async #addUp({ worker }: Part, of: number): Promise<void> {
    const { AggregatorRegistry } = await import('prom-client');
    this.#figures ??= new AggregatorRegistry();
    try {
      worker?.send({ figures: { of, text: await this.#figures.clusterMetrics() } } satisfies ProcessMessage);
    } catch (error) {
      this.#log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'The figures of the processes could not be added up.',
      );
    }
  }

  #ended(part: Part, code: number | null, signal: string | null): void {
    delete part.worker;
    part.isReady = false;
    if (this.#isStopping || this.#address === '') {
      // It said itself why it could not start.
      this.#exitCode ||= code ?? (this.#isStopping ? 0 : 1);
      if (this.#parts.every(one => !one.worker)) process.exit(this.#exitCode);
      return;
    }
    part.replaced++;
    part.againMs = Date.now() - part.startedAt > STEADY_MS ? AGAIN_MS.least : Math.min(AGAIN_MS.most, part.againMs * 2);
    this.#log.error({ duty: part.of, code, signal, againMs: part.againMs }, 'A process of the server ended unexpectedly; it is replaced.');
    setTimeout(() => this.#start(part), part.againMs);
  }

  /** Each stops by itself: it finishes what it is at, and hands back its jobs. */
  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const all = this.#parts.flatMap(({ worker }) => worker ?? []);
    if (all.length === 0) process.exit(0);
    for (const worker of all) worker.process.kill('SIGTERM');
    setTimeout(() => {
      this.#log.error({}, 'Some processes did not stop in time.');
      this.#exitCode = 1;
      for (const { worker } of this.#parts) worker?.process.kill('SIGKILL');
    }, STOP_MS);
  }
}
