// Deterministic chance: the same seed gives the same store, row for row. Not for secrets.

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the entries, by weight. */
  weighted<T>(list: readonly (readonly [T, number])[]): T;
  /** An independent stream: what is drawn from it changes nothing elsewhere. */
  fork(name: string | number): Random;
}

/** 32-bit hash of a text (FNV-1a), to derive streams by name. */
function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}

/** A stream of chance from a 32-bit seed (the mulberry32 generator). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: probability => next() < probability,
    pick: list => list[Math.floor(next() * list.length)]!,
    weighted: list => {
      let at = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of list) if ((at -= weight) < 0) return value;
      return list[list.length - 1]![0];
    },
    fork: name => random(hash(`${seed}/${name}`)),
  };
}
