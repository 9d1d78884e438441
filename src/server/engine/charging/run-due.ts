// Runs everything that is due in a store, and moves a demo store's clock forward exactly as time would pass.
import { sql } from 'kysely';
import { takeCharges, type Charged } from './charge.ts';
import {
  agendaOf,
  contractsDue,
  firstOf,
  placeDue,
  placeRetries,
  putOff,
  resumeDue,
  unsettled,
  type Agenda,
  type Batch,
  type Clock,
} from './due.ts';
import type { EngineContext } from '../context.ts';
import { nextReminderAt, sendReminders } from './reminders.ts';
import { isOutage, transactIn, type Runtime, type Transact } from '../runtime.ts';
import { BatchSize } from '../../platform/queue/batch-size.ts';

/** Most contracts worked on in one transaction. */
const BATCH = 100;
/** A charge without an answer for this long has lost its process. */
const LOST_AFTER_MS = 120_000;

export interface RunOptions {
  clock?: Clock;
  /** The moment that counts as now; the store's clock by default. */
  now?: Date;
  /** Contracts of every transaction, in tests. */
  batch?: number;
  /** How many contracts a transaction takes on, where several runs follow each other. */
  batchSize?: BatchSize;
  /** Look up every charge without an answer, however young: after a start. */
  isStart?: boolean;
  /** What is known to be due; looked up by default. */
  agenda?: Agenda;
  signal?: AbortSignal;
}
export interface RunResult extends Charged {
  resumed: number;
}

/**
 * Does everything that is due now: charges that lost their process, pauses that end, retries and stock checks, orders. Any number of
 * workers may run it for the same store at once: each contract is done by one of them, and nothing is charged twice.
 */
export async function runDue(runtime: Runtime, storeId: number, options: RunOptions = {}): Promise<RunResult> {
  const { clock = 'NOW', now, signal } = options;
  const batchSize = options.batchSize ?? new BatchSize(runtime.db, BATCH, { exactly: options.batch });
  const plain = transactIn(runtime, storeId, now && (() => now));
  const transact = inBatches(plain, batchSize);
  const result: RunResult = { paid: 0, failed: 0, unknown: 0, resumed: 0 };
  const take = async (pending: Batch['pending']): Promise<void> => {
    const charged = await takeCharges(transact, runtime.gateway, pending, clock, runtime.log);
    result.paid += charged.paid;
    result.failed += charged.failed;
    result.unknown += charged.unknown;
  };
  const look = (): Promise<Agenda & { now: Date }> => plain(async context => ({ ...(await agendaOf(context)), now: context.now() }));
  let agenda = options.agenda && now ? { ...options.agenda, now } : await look();
  const isDue = (at: Date | null): boolean => at !== null && at <= agenda.now;
  if (agenda.isCharging) {
    const size = batchSize.next();
    await take(await transact(context => unsettled(context, size, options.isStart ? 0 : LOST_AFTER_MS)));
    agenda = await look();
  }
  if (isDue(agenda.pauses)) {
    result.resumed = await repeat(size => transact(context => resumeDue(context, size, clock)), batchSize, signal);
    agenda = await look();
  }
  for (const [name, step] of [
    ['RETRIES', placeRetries],
    ['ORDERS', placeDue],
  ] as const) {
    if (!isDue(name === 'RETRIES' ? agenda.retries : agenda.orders)) continue;
    await repeat(
      async size => {
        try {
          return await transact(context => step(context, size, clock));
        } catch (error) {
          if (isOutage(error)) throw error;
          return oneByOne(runtime, storeId, transact, name, size, clock);
        }
      },
      batchSize,
      signal,
      take,
    );
    // A retry that went through may have set the contract's orders going again.
    if (name === 'RETRIES') agenda = await look();
  }
  return result;
}

/** Does each contract in a transaction of its own; one that can't be worked on is logged and looked at again in an hour. */
async function oneByOne(
  runtime: Runtime,
  storeId: number,
  transact: Transact,
  name: 'ORDERS' | 'RETRIES',
  batch: number,
  clock: Clock,
): Promise<Batch> {
  const step = name === 'ORDERS' ? placeDue : placeRetries;
  const all: Batch = { claimed: 0, done: 0, more: true, pending: [] };
  for (const contractId of await transact(context => contractsDue(context, name, batch))) {
    all.claimed++;
    try {
      const one = await transact(context => step(context, 1, clock, contractId));
      all.done += one.done;
      all.pending.push(...one.pending);
    } catch (error) {
      if (isOutage(error)) throw error;
      runtime.log?.error(
        { err: error, storeId, contractId },
        'The order of a subscription could not be made; it is tried again in an hour.',
      );
      await transact(context => putOff(context, name, contractId));
      all.done++;
    }
  }
  return all;
}

/** Transactions whose time counts for the batch size. */
const inBatches =
  (transact: Transact, batchSize: BatchSize): Transact =>
  work =>
    batchSize.timed(begun =>
      transact(context => {
        begun();
        return work(context);
      }),
    );

/** Repeats a step, each time with as many contracts as the batch size says, until it finds nothing more that is due. */
async function repeat(
  step: (size: number) => Promise<Batch>,
  batchSize: BatchSize,
  signal?: AbortSignal,
  take?: (pending: Batch['pending']) => Promise<void>,
): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const found = await step(batchSize.next());
    total += found.done;
    if (found.pending.length) await take?.(found.pending);
    if (found.done === 0 || !found.more) return total;
  }
}

const HOUR_MS = 3_600_000;

/** Sends the reminders that are due; safe to repeat and to share. Answers how many were due. */
export async function remind(
  runtime: Pick<Runtime, 'db' | 'definitions' | 'config'>,
  storeId: number,
  {
    clock = 'NOW',
    now,
    batch,
    batchSize = new BatchSize(runtime.db, BATCH, { exactly: batch }),
    signal,
  }: Pick<RunOptions, 'clock' | 'now' | 'batch' | 'batchSize' | 'signal'> = {},
): Promise<number> {
  const transact = inBatches(transactIn(runtime, storeId, now && (() => now)), batchSize);
  for (let total = 0; ;) {
    signal?.throwIfAborted();
    const size = batchSize.next();
    const { claimed, more } = await transact(context => sendReminders(context, size, clock));
    total += claimed;
    if (!more) return total;
  }
}

/** Time as a store's clock run has got: kept in `runs.cursor`, so that it goes on where it was after a crash. */
export interface ClockProgress {
  at: Date;
  paid: number;
  failed: number;
}

/**
 * Moves the clock of a store from `from` to `to`, stopping at everything that is due on the way: each thing happens at its own
 * instant, in order of time from one hour to the next. `reached` is called after every stop, in a transaction that also moves
 * the store's clock; 'over' ends it there. `settled` is waited for after that, outside any transaction: what follows of events.
 */
export async function moveClock(
  runtime: Runtime,
  storeId: number,
  from: Date,
  to: Date,
  reached: (context: EngineContext, progress: ClockProgress) => Promise<'over' | void>,
  signal?: AbortSignal,
  settled?: () => Promise<unknown>,
): Promise<ClockProgress | 'over'> {
  const progress: ClockProgress = { at: from, paid: 0, failed: 0 };
  const transact = transactIn(runtime, storeId);
  const batchSize = new BatchSize(runtime.db, BATCH);
  const ahead = async (context: EngineContext) => ({
    agenda: await agendaOf(context),
    reminder: await nextReminderAt(context, progress.at, to),
  });
  for (let { agenda, reminder } = await transact(ahead); ;) {
    signal?.throwIfAborted();
    const due = firstOf(agenda);
    const next = due && due <= to ? due : null;
    const first = next === null || reminder === null ? (next ?? reminder) : reminder < next ? reminder : next;
    const stop = first === null ? to : new Date(Math.min(to.getTime(), Math.max(first.getTime(), progress.at.getTime()) + HOUR_MS));
    let before: number | null = null;
    for (let at = next; at !== null && at <= stop && at.getTime() !== before; at = firstOf(agenda)) {
      before = at.getTime();
      const result = await runDue(runtime, storeId, { clock: 'DUE', now: stop, agenda, batchSize, signal });
      progress.paid += result.paid;
      progress.failed += result.failed;
      agenda = await transact(agendaOf);
    }
    if (reminder !== null && reminder <= stop) await remind(runtime, storeId, { clock: 'DUE', now: stop, batchSize, signal });
    progress.at = stop;
    const then = await transact(async context => {
      await sql`update stores set clock_offset_ms = ${stop.getTime() - Date.now()} where id = ${storeId}::integer`.execute(context.trx);
      return (await reached(context, progress)) === 'over' ? ('over' as const) : ahead(context);
    });
    if (then === 'over') return 'over';
    ({ agenda, reminder } = then);
    if (settled) {
      await settled();
      ({ agenda, reminder } = await transact(ahead));
    }
    if (stop >= to) return progress;
  }
}
