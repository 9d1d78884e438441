// Who may come in: few calls are at work at once, a bounded number waits, and when more come than
// can be served the rest is refused at once.
import type { StoreLog } from '../db/engine.ts';
import { Tally, type Owner, type Share } from './tally.ts';

/** How many calls are let in, and how long the others wait. The reasons are in docs/decisions.md. */
export interface Limits {
  /** Calls at work at once: those that use a connection of the pool, and half as many again that are being read or written. */
  places: number;
  /** A call that is at it for longer (ms) waits for something else than this process, or streams: it gives its place to the next. */
  longMs: number;
  /** All that are inside, the long ones too. */
  most: number;
  /** How many of the places one person, store, address or link may have at once: the rest is always left to others. */
  share: Share;
  /** Calls that may wait, and for how long (ms), while everybody gets their turn. */
  waiting: number;
  maxWaitMs: number;
  /**
   * Once a request had to be refused: fewest places, of which there are fewer the further the process lags behind; as many calls may wait,
   * for so long (ms), so that those who come in are served soon.
   */
  minSlots: number;
  overloadWaitMs: number;
  /** Left out: there is no such time of fewer places; who comes while the line is full is refused, and nothing else changes. */
  isSteady?: boolean;
  /** The overload is over when no request had to be refused for so long (ms). */
  recoveryMs: number;
}
export const LIMITS: Limits = {
  places: 16,
  longMs: 500,
  most: 400,
  share: { person: 8, store: 12, address: 12 },
  waiting: 256,
  maxWaitMs: 2500,
  minSlots: 4,
  overloadWaitMs: 20,
  recoveryMs: 1000,
};

/**
 * How often those who wait are looked after (ms), after how many times the places of an overload are adjusted, and how often (ms) it is
 * told about while it lasts.
 */
const TICK_MS = 10;
const ADJUST_TICKS = 5;
/** How far a process may lag behind (ms) on average: below, it has time for more calls at once; above, each slows down all others. */
const LAG_MS = { small: 2, large: 4 };
const LOG_EVERY_MS = 10_000;
/** Who has fewer waiting than these is not refused before others. */
const FAIR_SHARE = 4;
/** However much the process lags behind, who was read a moment ago may wait for a moment (ms). */
const MIN_WAIT_MS = 5;

/** What becomes of a request: exactly one of the two is called, once, unless it leaves before. */
export interface PendingRequest {
  /** `waited`: for how long (ms) it stood in the queue. */
  admit(waited: number): void;
  refuse(): void;
  /** Whose it is: who has most waiting is refused first. Left out, it counts with all others that have no owner. */
  readonly owner?: Owner;
}
/** As whom a request counts in the line. */
const groupOf = ({ owner }: PendingRequest): string => owner?.person ?? owner?.link ?? owner?.address ?? '';
export interface Slot {
  readonly request: PendingRequest;
  since: number;
  state: 'waiting' | 'inside' | 'long' | 'gone';
}

/** Since when there is one, when a request was last refused and when it was last logged. */
interface Overload {
  places: number;
  ticks: number;
  readonly since: number;
  refusedAt: number;
  loggedAt: number;
  refused: number;
  admit: number;
}

export class LoadShedder {
  readonly #limits: Limits;
  readonly #log: StoreLog;
  /** Both in the order in which they came. */
  readonly #inside = new Set<Slot>();
  readonly #waiting = new Set<Slot>();
  /** How many each of those who wait has waiting. */
  readonly #waitingOf = new Map<string, number>();
  /** How many places each has. Who is at it for long, and has given the place to the next, still has their share of it. */
  readonly #shares: Tally;
  #long = 0;
  #ticking: NodeJS.Timeout | undefined;
  #tickedAt = 0;
  /**
   * By how much (ms) the process lags behind, on average over the last ticks: so much longer has everybody
   * waited already, unseen, before they were read.
   */
  #lag = 0;
  #overload: Overload | undefined;

  constructor(log: StoreLog, limits: Partial<Limits> = {}) {
    this.#log = log;
    this.#limits = { ...LIMITS, ...limits };
    this.#shares = new Tally(this.#limits.share);
  }

  /** Admits the request, has it wait, or refuses it, which may all happen before this returns. It must `leave` in any case. */
  enter(request: PendingRequest): Slot {
    const now = performance.now();
    const slot: Slot = { request, since: now, state: 'waiting' };
    // Waiting requests go first, unless they wait only for their own share.
    if (this.#waiting.size > 0 && this.#hasPlace(now)) this.#next(now);
    if (this.#hasPlace(now) && this.#shares.hasRoom(request.owner)) this.#admit(slot, now);
    else if (this.#waiting.size < (this.#overload?.places ?? this.#limits.waiting) || this.#displaceLast(slot, now)) {
      this.#waiting.add(slot);
      const who = groupOf(request);
      this.#waitingOf.set(who, (this.#waitingOf.get(who) ?? 0) + 1);
      this.#startTicking(now);
    } else this.#refuse(slot, now);
    return slot;
  }

  /** The line is full: the last request of the caller with most in it is refused in place of a newcomer who has fewer, if there is one. */
  #displaceLast({ request }: Slot, now: number): boolean {
    const own = this.#waitingOf.get(groupOf(request)) ?? 0;
    // No caller has more than the one that has half of the line.
    if (own * 2 >= this.#waiting.size) return false;
    let greedy: string | undefined,
      most = Math.max(own + 1, FAIR_SHARE - 1);
    for (const [who, n] of this.#waitingOf)
      if (n > most) {
        greedy = who;
        most = n;
      }
    if (greedy === undefined) return false;
    let last: Slot | undefined;
    for (const slot of this.#waiting) if (groupOf(slot.request) === greedy) last = slot;
    if (!last) return false;
    this.#dequeue(last);
    this.#refuse(last, now);
    return true;
  }

  #dequeue(slot: Slot): void {
    if (!this.#waiting.delete(slot)) return;
    const who = groupOf(slot.request);
    const left = (this.#waitingOf.get(who) ?? 1) - 1;
    if (left > 0) this.#waitingOf.set(who, left);
    else this.#waitingOf.delete(who);
  }

  /** The request was answered, or went away. */
  leave(slot: Slot): void {
    const { state } = slot;
    slot.state = 'gone';
    if (state === 'waiting') this.#dequeue(slot);
    else if (state === 'inside') this.#inside.delete(slot);
    else if (state === 'long') this.#long--;
    if (state === 'inside' || state === 'long') this.#shares.remove(slot.request.owner);
    if (state !== 'gone') this.#next(performance.now());
  }

  get state(): { inside: number; long: number; waiting: number; isOverloaded: boolean } {
    return { inside: this.#inside.size, long: this.#long, waiting: this.#waiting.size, isOverloaded: this.#overload !== undefined };
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  #hasPlace(now: number): boolean {
    for (const slot of this.#inside) {
      if (now - slot.since < this.#limits.longMs) break;
      this.#inside.delete(slot);
      slot.state = 'long';
      this.#long++;
    }
    const places = Math.min(this.#limits.places, this.#overload?.places ?? this.#limits.places);
    return this.#inside.size < places && this.#inside.size + this.#long < this.#limits.most;
  }

  #admit(slot: Slot, now: number): void {
    const waited = now - slot.since;
    slot.state = 'inside';
    slot.since = now;
    this.#inside.add(slot);
    this.#shares.add(slot.request.owner);
    if (this.#overload) this.#overload.admit++;
    slot.request.admit(waited);
  }

  #refuse(slot: Slot, now: number): void {
    slot.state = 'gone';
    if (this.#limits.isSteady) {
      slot.request.refuse();
      return;
    }
    if (!this.#overload) {
      this.#overload = { places: this.#limits.minSlots, ticks: 0, since: now, refusedAt: now, loggedAt: now, refused: 0, admit: 0 };
      this.#startTicking(now);
      this.#log.warn(this.state, 'More calls come than can be served; some are refused.');
    }
    this.#overload.refusedAt = now;
    this.#overload.refused++;
    slot.request.refuse();
  }

  /** The places that are free go to those who wait, in their order. Who waits for too long is refused. */
  #next(now: number): void {
    for (const slot of this.#waiting) {
      const maxWait = this.#overload ? Math.max(MIN_WAIT_MS, this.#limits.overloadWaitMs - this.#lag) : this.#limits.maxWaitMs;
      const isLate = now - slot.since > maxWait;
      if (!isLate && !this.#hasPlace(now)) break;
      if (!isLate && !this.#shares.hasRoom(slot.request.owner)) continue;
      this.#dequeue(slot);
      if (isLate) this.#refuse(slot, now);
      else this.#admit(slot, now);
    }
  }

  /** Goes on while a request waits, and as long as there is an overload. */
  #startTicking(now: number): void {
    if (this.#ticking) return;
    this.#tickedAt = now;
    this.#lag = 0;
    this.#ticking = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    const now = performance.now();
    this.#lag += (Math.max(0, now - this.#tickedAt - TICK_MS) - this.#lag) / 4;
    this.#tickedAt = now;
    if (this.#overload) this.#adjustSlots(this.#overload);
    this.#next(now);
    if (this.#overload) this.#logOverload(this.#overload, now);
    if (this.#waiting.size > 0 || this.#overload) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  /**
   * The answers to those who are refused take the time of those who are inside: while they are slow, fewer at
   * once are served sooner, and as many in all.
   */
  #adjustSlots(overload: Overload): void {
    if (++overload.ticks % ADJUST_TICKS > 0) return;
    if (this.#lag > LAG_MS.large) overload.places = Math.max(this.#limits.minSlots, overload.places - 1);
    else if (this.#lag < LAG_MS.small) overload.places = Math.min(this.#limits.places, overload.places + 1);
  }

  /** One line now and then, in place of one for each that was refused. */
  #logOverload(overload: Overload, now: number): void {
    const isOver = now - overload.refusedAt >= this.#limits.recoveryMs;
    if (!isOver && now - overload.loggedAt < LOG_EVERY_MS) return;
    overload.loggedAt = now;
    const logged = {
      seconds: Math.round((now - overload.since) / 100) / 10,
      refused: overload.refused,
      admit: overload.admit,
      places: overload.places,
    };
    if (isOver) this.#overload = undefined;
    this.#log.warn(logged, isOver ? 'All calls are served again.' : 'More calls still come than can be served.');
  }
}
