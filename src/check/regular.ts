// Finds regular expressions that take very long on some texts: the pattern as an automaton, searched
// for a loop that can be walked in two ways.
import ret, { types, type SetToken, type Tokens } from 'ret';

/** `unknown`: too large, or written in a way that the analysis cannot read. */
export type Slowness = 'exponential' | 'quadratic' | 'unknown';

// A CommonJS package: its default may arrive wrapped once more.
const tokenize = (ret as { default?: typeof ret }).default ?? ret;

interface Nfa {
  next: { on: Set<number>; to: number }[][];
  free: number[][];
  start: number;
  accept: number;
}
const LAST = 256; // one symbol for everything beyond Latin-1
const END = 257; // "$": the end of the text
const LONG = 20; // a bounded repetition of more than this is as slow as an endless one
/** Larger automata would take seconds to search. */
const MAX_STATES = 150;
const all = (): Set<number> => new Set(Array.from({ length: LAST + 1 }, (_, i) => i));

/**
 * Whether a JSON Schema `pattern` (matched anywhere unless anchored) can be slow, and how; undefined when it
 * is harmless. Throws when it is no pattern.
 */
export function slowness(pattern: string): Slowness | undefined {
  RegExp(pattern, 'u'); // throws when it is none
  let tokens: Tokens;
  // The tokenizer knows no property escapes and no look-behind; for speed they count as any letter and as nothing.
  try {
    tokens = tokenize(pattern.replace(/\\[pP]\{[^}]*\}/g, '\\w').replace(/\(\?<[=!]/g, '(?='));
  } catch {
    return 'unknown';
  }
  const nfa = automaton(tokens, /^\^|^\((\?:)?\^/.test(pattern));
  const atoms = alphabet(nfa);
  const closure = nfa.free.map((_, state) => reach(nfa, state));
  // Steps from each state: atom -> how often each next state with moves of its own is reached (twice means two ways).
  const moves = (state: number, atom: number): number[] =>
    [...(closure[state] as Set<number>)].flatMap(s => (nfa.next[s] ?? []).filter(edge => edge.on.has(atom)).map(edge => edge.to));
  const states = [...nfa.next.keys()].filter(state => state === nfa.start || nfa.next.some(edges => edges.some(edge => edge.to === state)));
  const table = new Map(states.map(state => [state, atoms.map(atom => moves(state, atom))]));
  // Where the match is already made, nothing is tried again.
  const done = (state: number): boolean => (closure[state] as Set<number>).has(nfa.accept);
  if (states.length > MAX_STATES) return 'unknown';
  return twice(states, table, done) ? 'exponential' : handedOn(states, table, done) ? 'quadratic' : undefined;
}

/** Two different walks from a state back to itself over the same text: every repetition doubles the work. */
function twice(states: number[], table: Map<number, number[][]>, done: (state: number) => boolean): boolean {
  for (const q of states) {
    if (done(q)) continue;
    const seen = new Set<string>();
    const queue: [number, number, boolean][] = [[q, q, false]];
    for (let item = queue.pop(); item; item = queue.pop()) {
      const [a, b, apart] = item;
      const rowA = table.get(a) as number[][],
        rowB = table.get(b) as number[][];
      for (let i = 0; i < rowA.length; i += 1) {
        const nextA = rowA[i] as number[],
          nextB = rowB[i] as number[];
        for (let x = 0; x < nextA.length; x += 1) {
          for (let y = 0; y < nextB.length; y += 1) {
            const to: [number, number, boolean] = [
              nextA[x] as number,
              nextB[y] as number,
              apart || nextA[x] !== nextB[y] || (a === b && x !== y),
            ];
            if (to[2] && to[0] === q && to[1] === q) return true;
            const key = to.join();
            if (!seen.has(key)) {
              seen.add(key);
              queue.push(to);
            }
          }
        }
      }
    }
  }
  return false;
}

/**
 * A loop p and a later loop q that take the same text, and a way from p to q over it: where one ends and
 * the other begins is tried at every place.
 */
function handedOn(states: number[], table: Map<number, number[][]>, done: (state: number) => boolean): boolean {
  for (const p of states) {
    for (const q of states) {
      if (p === q || done(q)) continue;
      const seen = new Set<string>([`${p},${p},${q}`]);
      const queue: [number, number, number][] = [[p, p, q]];
      for (let item = queue.pop(); item; item = queue.pop()) {
        const rows = item.map(state => table.get(state) as number[][]) as [number[][], number[][], number[][]];
        for (let i = 0; i < rows[0].length; i += 1) {
          for (const a of rows[0][i] as number[])
            for (const b of rows[1][i] as number[])
              for (const c of rows[2][i] as number[]) {
                if (a === p && b === q && c === q) return true;
                const key = `${a},${b},${c}`;
                if (!seen.has(key)) {
                  seen.add(key);
                  queue.push([a, b, c]);
                }
              }
        }
      }
    }
  }
  return false;
}

function reach(nfa: Nfa, from: number): Set<number> {
  const found = new Set([from]);
  const queue = [from];
  for (let state = queue.pop(); state !== undefined; state = queue.pop())
    for (const to of nfa.free[state] ?? [])
      if (!found.has(to)) {
        found.add(to);
        queue.push(to);
      }
  return found;
}

/** One symbol for each group of symbols that no part of the pattern tells apart. */
function alphabet(nfa: Nfa): number[] {
  const sets = [...new Set(nfa.next.flat().map(edge => edge.on))];
  const groups = new Map<string, number>();
  for (let symbol = 0; symbol <= END; symbol += 1) {
    const key = sets.map(set => (set.has(symbol) ? '1' : '0')).join('');
    if (key.includes('1') && !groups.has(key)) groups.set(key, symbol);
  }
  return [...groups.values()];
}

function automaton(root: Tokens, anchored: boolean): Nfa {
  const nfa: Nfa = { next: [], free: [], start: 0, accept: 0 };
  const state = (): number => {
    nfa.next.push([]);
    nfa.free.push([]);
    return nfa.next.length - 1;
  };
  const free = (from: number, to: number): void => {
    (nfa.free[from] as number[]).push(to);
  };
  const edge = (from: number, on: Set<number>): number => {
    const to = state();
    (nfa.next[from] as Nfa['next'][number]).push({ on, to });
    return to;
  };
  const sequence = (tokens: readonly Tokens[], from: number): number => tokens.reduce((here, token) => build(token, here), from);
  const alternatives = (options: readonly (readonly Tokens[])[], from: number): number => {
    const end = state();
    for (const option of options) {
      const start = state();
      free(from, start);
      free(sequence(option, start), end);
    }
    return end;
  };
  const build = (token: Tokens, from: number): number => {
    switch (token.type) {
      case types.ROOT:
        return token.options ? alternatives(token.options, from) : sequence(token.stack ?? [], from);
      case types.GROUP:
        if (token.followedBy || token.notFollowedBy) return from;
        return token.options ? alternatives(token.options, from) : sequence(token.stack ?? [], from);
      case types.POSITION:
        return token.value === '$' ? edge(from, new Set([END])) : from;
      case types.CHAR:
        return edge(from, new Set([Math.min(token.value, LAST)]));
      case types.SET:
        return edge(from, members(token));
      case types.REPETITION: {
        let here = from;
        for (let i = 0; i < Math.min(token.min, 3); i += 1) here = build(token.value, here);
        if (token.max > LONG) {
          const loop = state();
          free(here, loop);
          free(build(token.value, loop), loop);
          const end = state();
          free(loop, end);
          return end;
        }
        const end = state();
        free(here, end);
        for (let i = Math.min(token.min, 3); i < Math.min(token.max, Math.min(token.min, 3) + 3); i += 1) {
          here = build(token.value, here);
          free(here, end);
        }
        return end;
      }
      default:
        return from;
    }
  };
  const start = state();
  nfa.start = start;
  if (!anchored) nfa.next[start] = [{ on: all(), to: start }];
  const first = state();
  free(start, first);
  nfa.accept = build(root, first);
  return nfa;
}

function members(token: SetToken): Set<number> {
  if (token.type === types.CHAR) return new Set([Math.min(token.value, LAST)]);
  if (token.type === types.RANGE) {
    const set = new Set<number>();
    for (let code = Math.min(token.from, LAST); code <= Math.min(token.to, LAST); code += 1) set.add(code);
    return set;
  }
  const inside = new Set(token.set.flatMap(one => [...members(one)]));
  return token.not ? new Set([...all()].filter(code => !inside.has(code))) : inside;
}
