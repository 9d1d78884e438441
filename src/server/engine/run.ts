// Runs everything that is due in a store, and moves a demo store's clock forward exactly as time would pass.
import { sql } from 'kysely';
import { takeCharges, type Charged } from './charge.ts';
import { nextDueAt, placeDue, placeRetries, resumeDue, unsettled, type Batch, type Clock } from './due.ts';
import type { EngineContext } from './context.ts';
import { transactIn, type Runtime, type Transact } from './runtime.ts';

/** Contracts worked on in one transaction: short enough that a list waits for it no longer than a frame or two. */
const BATCH = 100;
/** A charge without an answer for this long has lost its process. */
const LOST_AFTER_MS = 120_000;

export interface RunOptions {
  clock?: Clock;
  /** The moment that counts as now; the store's clock by default. */
  now?: Date;
  batch?: number;
  /** Look up every charge without an answer, however young: after a start. */
  isStart?: boolean;
  signal?: AbortSignal;
}
export interface RunResult extends Charged { resumed: number }

/**
 * Does everything that is due now: charges that lost their process, pauses that end, retries and stock checks, orders. Any number of workers may run it
 * for the same store at once: each contract is done by one of them, and nothing is charged twice.
 */
export async function runDue(runtime: Runtime, storeId: number, options: RunOptions = {}): Promise<RunResult> {
  const { clock = 'NOW', now, batch = BATCH, signal } = options;
  const transact = transactIn(runtime, storeId, now && (() => now));
  const result: RunResult = { paid: 0, failed: 0, unknown: 0, resumed: 0 };
  const take = async (pending: Batch['pending']): Promise<void> => {
    const charged = await takeCharges(transact, runtime.gateway, pending, clock);
    result.paid += charged.paid;
    result.failed += charged.failed;
    result.unknown += charged.unknown;
  };
  await take(await transact(context => unsettled(context, batch, options.isStart ? 0 : LOST_AFTER_MS)));
  result.resumed = await repeat(transact, context => resumeDue(context, batch, clock), signal);
  for (const step of [placeRetries, placeDue]) {
    await repeat(transact, context => step(context, batch, clock), signal, take);
  }
  return result;
}

async function repeat(transact: Transact, step: (context: EngineContext) => Promise<Batch>, signal?: AbortSignal, take?: (pending: Batch['pending']) => Promise<void>): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const found = await transact(step);
    total += found.done;
    if (found.pending.length) await take?.(found.pending);
    if (found.claimed === 0 || found.done === 0) return total;
  }
}

const HOUR_MS = 3_600_000;

/** Time as a store's clock run has got: kept in `runs.cursor`, so that it goes on where it was after a crash. */
export interface ClockProgress { at: Date; paid: number; failed: number }

/**
 * Moves the clock of a store from `from` to `to`, stopping at everything that is due on the way: each thing happens at its own instant, in order of
 * time from one hour to the next. `reached` is told after every stop, in a transaction that also moves the store's clock.
 */
export async function moveClock(runtime: Runtime, storeId: number, from: Date, to: Date, reached: (context: EngineContext, progress: ClockProgress) => Promise<void>, signal?: AbortSignal): Promise<ClockProgress> {
  const progress: ClockProgress = { at: from, paid: 0, failed: 0 };
  const transact = transactIn(runtime, storeId);
  for (;;) {
    signal?.throwIfAborted();
    const next = await transact(context => nextDueAt(context, to));
    const stop = next === null ? to : new Date(Math.min(to.getTime(), Math.max(next.getTime(), progress.at.getTime()) + HOUR_MS));
    if (next !== null) {
      let before: number | null = null;
      for (let due: Date | null = next; due !== null && due.getTime() !== before; due = await transact(context => nextDueAt(context, stop))) {
        before = due.getTime();
        const result = await runDue(runtime, storeId, { clock: 'DUE', now: stop, signal });
        progress.paid += result.paid;
        progress.failed += result.failed;
      }
    }
    progress.at = stop;
    await transact(async context => {
      await sql`update stores set clock_offset_ms = ${stop.getTime() - Date.now()} where id = ${storeId}::integer`.execute(context.trx);
      await reached(context, progress);
    });
    if (stop >= to) return progress;
  }
}
