// Work on what people send (templates, pictures) that could take any time: done in a process of its own, one piece at a time, which is
// killed when the time of a piece is over. Nothing else waits for it: it has its own threads, less priority, and nothing of the server.
import { fork, type ChildProcess } from 'node:child_process';
import { Refusal } from '../context.ts';
import { entryBeside, tsxFile } from '../source-loader.ts';
import { t } from '../../../domain/text/t.ts';

/** The work took longer than it may, or ended its process. */
export class Abandoned extends Error {
  constructor(name: string) {
    super(`The work "${name}" took too long or ended its process.`);
    this.name = 'Abandoned';
  }
}

/** What a process is sent, and what comes back. */
export interface ApartOrder<Task> {
  id: number;
  task: Task;
}
export type ApartReport<Done> = { ready: true } | { id: number; done: Done } | { id: number; failed: string };

export interface ApartLimits {
  /** For one piece of work (ms), once it has begun. */
  timeoutMs: number;
  /** Pieces of one store that may wait, and of all. */
  waitingOfOne: number;
  waiting: number;
}

/** A process has so long (ms) to start, and is ended after so long without work. */
const START_MS = 30_000;
const IDLE_MS = 60_000;
/** Most memory (MB) that its own objects take. */
const HEAP_MB = 256;

interface Waiting<Task, Done> {
  task: Task;
  who: number;
  resolve(done: Done): void;
  reject(error: Error): void;
}

/** A kind of work that is done apart. `from` and `entry`: the file of its process, which calls `serveApart`. */
export class Apart<Task, Done> {
  readonly #name: string;
  readonly #from: string;
  readonly #limits: ApartLimits;
  readonly #waiting: Waiting<Task, Done>[] = [];
  #process: Promise<ChildProcess> | undefined;
  #isAtWork = false;
  #last = 0;
  #id = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(from: string, name: string, limits: ApartLimits) {
    this.#from = from;
    this.#name = name;
    this.#limits = limits;
  }

  /**
   * Does a piece of work for a store; stores take turns. Call it outside of transactions.
   * @throws Refusal 429 when too much waits already; Abandoned
   */
  run(task: Task, who: number): Promise<Done> {
    const { waiting, waitingOfOne } = this.#limits;
    if (this.#waiting.length >= waiting || this.#waiting.filter(one => one.who === who).length >= waitingOfOne)
      return Promise.reject(
        new Refusal(429, 'TOO_MANY_REQUESTS', t`Too much of this is under way. Try again in a few seconds.`, undefined, undefined, 5),
      );
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, who, resolve, reject });
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#isAtWork) return;
    const another = this.#waiting.findIndex(({ who }) => who !== this.#last);
    const [one] = this.#waiting.splice(Math.max(0, another), 1);
    if (!one) return this.#rest();
    this.#isAtWork = true;
    this.#last = one.who;
    clearTimeout(this.#idle);
    try {
      one.resolve(await this.#do(one.task));
    } catch (error) {
      one.reject(error instanceof Error ? error : new Error(String(error)));
    }
    this.#isAtWork = false;
    void this.#next();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS);
    this.#idle.unref();
  }

  async #end(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    (await ending?.catch(() => undefined))?.kill('SIGKILL');
  }

  async #do(task: Task): Promise<Done> {
    const child = await (this.#process ??= this.#start());
    const id = ++this.#id;
    child.ref();
    child.channel?.ref();
    return new Promise<Done>((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        child.off('message', hear).off('exit', fail);
        child.unref();
        child.channel?.unref();
      };
      const fail = (): void => {
        leave();
        void this.#end();
        reject(new Abandoned(this.#name));
      };
      const hear = (report: ApartReport<Done>): void => {
        if (!('id' in report) || report.id !== id) return;
        leave();
        if ('done' in report) resolve(report.done);
        else reject(new Error(`The work "${this.#name}" failed: ${report.failed}`));
      };
      const timer = setTimeout(fail, this.#limits.timeoutMs);
      child.on('message', hear).on('exit', fail);
      child.send({ id, task } satisfies ApartOrder<Task>, error => error && fail());
    });
  }

  #start(): Promise<ChildProcess> {
    const { file, tsx } = entryBeside(this.#from, this.#name);
    const { PATH, HOME, TMPDIR } = process.env;
    const child = fork(file, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [`--max-old-space-size=${HEAP_MB}`, ...(tsx ? ['--import', tsxFile(tsx, 'dist/loader.mjs')] : [])],
      // Nothing of the server's own: secrets and addresses are none of its business.
      env: { PATH, HOME, TMPDIR, UV_THREADPOOL_SIZE: '2', VIPS_CONCURRENCY: '1' },
    });
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        clearTimeout(timer);
        this.#process = undefined;
        child.kill('SIGKILL');
        reject(new Error(`The process for the work "${this.#name}" did not start.`));
      };
      const timer = setTimeout(fail, START_MS);
      child.once('exit', fail).once('error', fail);
      child.once('message', () => {
        clearTimeout(timer);
        child.off('exit', fail).off('error', fail);
        child.on('error', () => undefined);
        child.once('exit', () => {
          this.#process = undefined;
        });
        resolve(child);
      });
    });
  }
}
