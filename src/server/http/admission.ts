// Who may come in: few calls are at work at once, a bounded number waits, and when more come than can be served the rest is told so at once.
import type { StoreLog } from '../store/engine.ts';

/** How many calls are let in, and how long the others wait. The reasons are in docs/decisions.md. */
export interface Limits {
  /** Calls at work at once: those that use a connection of the pool, and half as many again that are being read or written. */
  places: number;
  /** A call that is at it for longer (ms) waits for something else than this process, or streams: it gives its place to the next. */
  longMs: number;
  /** All that are inside, the long ones too. */
  most: number;
  /** Calls that may wait, and for how long (ms), while everybody gets their turn. */
  waiting: number;
  patienceMs: number;
  /** Once somebody had to be refused: fewest places, of which there are fewer the further the process lags behind; as many calls may wait, for so long (ms), so that those who come in are served soon. */
  leastPlaces: number;
  patienceInCrowdMs: number;
  /** The crowd is over when nobody had to be refused for so long (ms). */
  calmMs: number;
}
export const LIMITS: Limits = {
  places: 16,
  longMs: 500,
  most: 400,
  waiting: 256,
  patienceMs: 2500,
  leastPlaces: 4,
  patienceInCrowdMs: 20,
  calmMs: 1000,
};

/** How often those who wait are looked after (ms), after how many times the places of a crowd are thought over, and how often (ms) it is told about while it lasts. */
const TICK_MS = 10;
const THINK_TICKS = 5;
/** How far a process may lag behind (ms) on average: below, it has time for more calls at once; above, each slows down all others. */
const LAG_MS = { small: 2, large: 4 };
const TELL_MS = 10_000;
/** Who has fewer waiting than these takes no room from others. */
const HOARD = 4;
/** However much the process lags behind, who was read a moment ago may wait for a moment (ms). */
const LEAST_PATIENCE_MS = 5;

/** What becomes of a request: exactly one of the two is called, once, unless it leaves before. */
export interface Visitor {
  /** `waited`: for how long (ms) it stood at the door. */
  letIn(waited: number): void;
  refuse(): void;
  /** Whose it is: who has most waiting is refused first. Left out, it is one of all who are not told apart. */
  readonly who?: string;
}
export interface Ticket {
  readonly visitor: Visitor;
  since: number;
  state: 'waiting' | 'inside' | 'long' | 'gone';
}

/** Since when there is one, when somebody was last refused and when it was last told about. */
interface Crowd {
  places: number;
  ticks: number;
  readonly since: number;
  refusedAt: number;
  toldAt: number;
  refused: number;
  letIn: number;
}

export class Admission {
  readonly #limits: Limits;
  readonly #log: StoreLog;
  /** Both in the order in which they came. */
  readonly #inside = new Set<Ticket>();
  readonly #waiting = new Set<Ticket>();
  /** How many each of those who wait has waiting. */
  readonly #waitingOf = new Map<string, number>();
  #long = 0;
  #ticking: NodeJS.Timeout | undefined;
  #tickedAt = 0;
  /** By how much (ms) the process lags behind, on average over the last ticks: so much longer has everybody waited already, unseen, before they were read. */
  #lag = 0;
  #crowd: Crowd | undefined;

  constructor(log: StoreLog, limits: Partial<Limits> = {}) {
    this.#log = log;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Lets the visitor in, has it wait, or refuses it, which may all happen before this returns. It must `leave` in any case. */
  arrive(visitor: Visitor): Ticket {
    const now = performance.now();
    const ticket: Ticket = { visitor, since: now, state: 'waiting' };
    if (this.#waiting.size === 0 && this.#hasPlace(now)) this.#letIn(ticket, now);
    else if (this.#waiting.size < (this.#crowd?.places ?? this.#limits.waiting) || this.#makeRoom(ticket, now)) {
      this.#waiting.add(ticket);
      const who = visitor.who ?? '';
      this.#waitingOf.set(who, (this.#waitingOf.get(who) ?? 0) + 1);
      this.#startTicking(now);
    } else this.#refuse(ticket, now);
    return ticket;
  }

  /** The line is full: the last of whoever has most in it is refused in place of a newcomer who has fewer, if there is one. */
  #makeRoom({ visitor }: Ticket, now: number): boolean {
    const own = this.#waitingOf.get(visitor.who ?? '') ?? 0;
    // Nobody has more than who has half of the line.
    if (own * 2 >= this.#waiting.size) return false;
    let greedy: string | undefined,
      most = Math.max(own + 1, HOARD - 1);
    for (const [who, n] of this.#waitingOf)
      if (n > most) {
        greedy = who;
        most = n;
      }
    if (greedy === undefined) return false;
    let last: Ticket | undefined;
    for (const ticket of this.#waiting) if ((ticket.visitor.who ?? '') === greedy) last = ticket;
    if (!last) return false;
    this.#waitNoLonger(last);
    this.#refuse(last, now);
    return true;
  }

  #waitNoLonger(ticket: Ticket): void {
    if (!this.#waiting.delete(ticket)) return;
    const who = ticket.visitor.who ?? '';
    const left = (this.#waitingOf.get(who) ?? 1) - 1;
    if (left > 0) this.#waitingOf.set(who, left);
    else this.#waitingOf.delete(who);
  }

  /** The visitor was answered, or went away. */
  leave(ticket: Ticket): void {
    const { state } = ticket;
    ticket.state = 'gone';
    if (state === 'waiting') this.#waitNoLonger(ticket);
    else if (state === 'inside') this.#inside.delete(ticket);
    else if (state === 'long') this.#long--;
    if (state !== 'gone') this.#next(performance.now());
  }

  get state(): { inside: number; long: number; waiting: number; isCrowded: boolean } {
    return { inside: this.#inside.size, long: this.#long, waiting: this.#waiting.size, isCrowded: this.#crowd !== undefined };
  }

  close(): void {
    clearInterval(this.#ticking);
  }

  #hasPlace(now: number): boolean {
    for (const ticket of this.#inside) {
      if (now - ticket.since < this.#limits.longMs) break;
      this.#inside.delete(ticket);
      ticket.state = 'long';
      this.#long++;
    }
    return this.#inside.size < (this.#crowd?.places ?? this.#limits.places) && this.#inside.size + this.#long < this.#limits.most;
  }

  #letIn(ticket: Ticket, now: number): void {
    const waited = now - ticket.since;
    ticket.state = 'inside';
    ticket.since = now;
    this.#inside.add(ticket);
    if (this.#crowd) this.#crowd.letIn++;
    ticket.visitor.letIn(waited);
  }

  #refuse(ticket: Ticket, now: number): void {
    ticket.state = 'gone';
    if (!this.#crowd) {
      this.#crowd = { places: this.#limits.leastPlaces, ticks: 0, since: now, refusedAt: now, toldAt: now, refused: 0, letIn: 0 };
      this.#startTicking(now);
      this.#log.warn(this.state, 'More calls come than can be served; some are refused.');
    }
    this.#crowd.refusedAt = now;
    this.#crowd.refused++;
    ticket.visitor.refuse();
  }

  /** The places that are free go to those who wait, in their order. Who waits for too long is refused. */
  #next(now: number): void {
    for (const ticket of this.#waiting) {
      const patience = this.#crowd ? Math.max(LEAST_PATIENCE_MS, this.#limits.patienceInCrowdMs - this.#lag) : this.#limits.patienceMs;
      const isLate = now - ticket.since > patience;
      if (!isLate && !this.#hasPlace(now)) break;
      this.#waitNoLonger(ticket);
      if (isLate) this.#refuse(ticket, now);
      else this.#letIn(ticket, now);
    }
  }

  /** Goes on while somebody waits, and as long as there is a crowd. */
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
    if (this.#crowd) this.#think(this.#crowd);
    this.#next(now);
    if (this.#crowd) this.#tell(this.#crowd, now);
    if (this.#waiting.size > 0 || this.#crowd) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  /** The answers to those who are refused take the time of those who are inside: while they are slow, fewer at once are served sooner, and as many in all. */
  #think(crowd: Crowd): void {
    if (++crowd.ticks % THINK_TICKS > 0) return;
    if (this.#lag > LAG_MS.large) crowd.places = Math.max(this.#limits.leastPlaces, crowd.places - 1);
    else if (this.#lag < LAG_MS.small) crowd.places = Math.min(this.#limits.places, crowd.places + 1);
  }

  /** One line now and then, in place of one for each that was refused. */
  #tell(crowd: Crowd, now: number): void {
    const isOver = now - crowd.refusedAt >= this.#limits.calmMs;
    if (!isOver && now - crowd.toldAt < TELL_MS) return;
    crowd.toldAt = now;
    const told = { seconds: Math.round((now - crowd.since) / 100) / 10, refused: crowd.refused, letIn: crowd.letIn, places: crowd.places };
    if (isOver) this.#crowd = undefined;
    this.#log.warn(told, isOver ? 'All calls are served again.' : 'More calls still come than can be served.');
  }
}
