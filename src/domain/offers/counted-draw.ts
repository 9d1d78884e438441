// A draw whose odds are kept exactly: by counting, not by chance.

/**
 * Which of several things the `n`-th draw (from 1) brings, where `chances` says how many of each are among as many draws as they are
 * together: of 9 and 1, every ten draws in a row from the first on bring the first nine times and the second once. `rank` orders the
 * places of a block, by the number of the block and the place: who can't guess it can't guess what comes.
 */
export function drawn(chances: readonly number[], n: number, rank: (block: number, place: number) => string): number {
  const things = chances.flatMap((chance, thing) => Array.from({ length: chance }, () => thing));
  const [block, place] = [Math.floor((n - 1) / things.length), (n - 1) % things.length];
  const order = things.map((thing, i) => ({ thing, key: rank(block, i) })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return order[place]?.thing ?? 0;
}
