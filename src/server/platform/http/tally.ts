// Who has how much of something at the moment: the one way in which a person, a store, an address and a link are counted.

/** Whose work something is, as far as it is known: ids or addresses by what they are of. */
export interface Owner {
  /** "3 3001": a person of a store's team, or a token of the store. */
  readonly person?: string | undefined;
  readonly store?: string | undefined;
  /** A network address, as `networkOf` gives it. */
  readonly address?: string | undefined;
  /** The address of a page that customers open without signing in. */
  readonly link?: string | undefined;
}
type Party = keyof Owner;
/** The most that one person, one store, one address, one link may have at once; left out: any number. */
export type Share = Readonly<Partial<Record<Party, number>>>;

export class Tally {
  readonly #share: readonly [Party, number][];
  readonly #counts = new Map<string, number>();

  constructor(share: Share) {
    this.#share = Object.entries(share) as [Party, number][];
  }

  /** Whether one more is within the share of each party it belongs to. */
  hasRoom(owner: Owner = {}): boolean {
    return this.#share.every(([party, most]) => {
      const name = owner[party];
      return name === undefined || (this.#counts.get(`${party} ${name}`) ?? 0) < most;
    });
  }

  add(owner?: Owner): void {
    this.#change(owner, 1);
  }

  remove(owner?: Owner): void {
    this.#change(owner, -1);
  }

  #change(owner: Owner = {}, by: 1 | -1): void {
    for (const [party] of this.#share) {
      const name = owner[party];
      if (name === undefined) continue;
      const key = `${party} ${name}`;
      const count = (this.#counts.get(key) ?? 0) + by;
      if (count > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }
}
