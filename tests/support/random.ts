// Random numbers that are the same for the same seed, for simulations that can be repeated.

/** A small generator of random numbers that is the same for the same seed. */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (p: number): boolean => next() < p,
    pick: <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T,
  };
}
export type Random = ReturnType<typeof randomFrom>;
