// Names for the items of arrays that stay with them when they move: what React and open cards know them by.

export class ItemKeys {
  private readonly keys = new Map<string, string[]>();
  private last = 0;

  private fresh(): string {
    this.last += 1;
    return `k${this.last}`;
  }

  /** The keys of an array of this length. */
  of(pointer: string, length: number): readonly string[] {
    let keys = this.keys.get(pointer);
    if (!keys) this.keys.set(pointer, (keys = []));
    while (keys.length < length) keys.push(this.fresh());
    keys.length = length;
    return keys;
  }

  /** Does to the keys what is done to the items. A new list each time, so that what was handed out stays as it was. */
  change(pointer: string, length: number, change: (keys: string[], fresh: () => string) => void): void {
    const keys = [...this.of(pointer, length)];
    change(keys, () => this.fresh());
    this.keys.set(pointer, keys);
  }
}
