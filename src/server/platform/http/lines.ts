// The lines in which work that costs much stands, and how much of each may be done at once. The reasons of the numbers are in
// docs/decisions.md ("Overload").
import { availableParallelism } from 'node:os';
import { LIMITS, type Limits } from './load-shedder.ts';

/** Work that needs a core for itself gets half of them, but no more than two for one person. */
const FEW = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** Longer than anything. */
const NEVER = Number.POSITIVE_INFINITY;

/** A line whose places stay taken until their work is done, and in which an overload changes nothing but who is refused. */
const steady = (limits: Pick<Limits, 'places' | 'share' | 'waiting' | 'maxWaitMs'>): Limits => ({
  ...LIMITS,
  ...limits,
  longMs: NEVER,
  most: NEVER,
  isSteady: true,
});
/** What takes seconds of a core or of the database: two may do so at once on a small machine, and never two for one store. */
const heavy = steady({ places: 2 * FEW, share: { person: FEW, store: FEW }, waiting: 256, maxWaitMs: 8000 });

/** The lines. A new kind of work that costs much is one more of them. */
export const LINES = {
  /** Calls of the admin and of programs, before anything of them is read. */
  calls: LIMITS,
  /** Whatever people open who are not signed in: pages are drawn at once, and each that is drawn has all others wait for it. */
  pages: steady({ places: 2 * FEW, share: { link: FEW, address: FEW + 1 }, waiting: 512, maxWaitMs: 2500 }),
  /** Figures that are summed up over a whole store. */
  charts: heavy,
  /** Files that are written while they are read; all of them share few connections, so many may be open. */
  exports: steady({ places: 32, share: { person: FEW, store: 2 * FEW }, waiting: 256, maxWaitMs: 20_000 }),
  /** Pictures that are drawn or made smaller. */
  pictures: heavy,
  /** Templates that a person writes and previews. */
  templates: heavy,
} satisfies Record<string, Limits>;
export type Line = keyof typeof LINES;
