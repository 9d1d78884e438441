// Texts that fields still keep for themselves: handed on after a pause, when a field is left, or before anything else happens.

/** How long a field waits after the last keystroke before it hands its text on. */
const IDLE_MS = 150;

export class PendingInput {
  private readonly pending = new Map<string, () => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly tell: () => void;

  /** `tell` is called when texts begin to be held and when they are handed on or gone. */
  constructor(tell: () => void) {
    this.tell = tell;
  }

  isEmpty(): boolean {
    return !this.pending.size;
  }

  /** `commit` hands the text on. With `untilLeft` a pause is not enough: a tag half typed is no tag. */
  hold(pointer: string, commit: () => void, untilLeft = false): void {
    const isFirst = !this.pending.size;
    this.pending.set(pointer, commit);
    if (!untilLeft) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), IDLE_MS);
    }
    if (isFirst) this.tell();
  }

  /** The text that was held is gone again. */
  release(pointer: string): void {
    if (this.pending.delete(pointer)) this.tell();
  }

  /** Another value takes the place of the text, which is shown by itself. */
  drop(pointer: string): void {
    this.pending.delete(pointer);
  }

  /** Makes every field, or the one at a place, hand on its text now. */
  flush(pointer?: string): void {
    if (!this.pending.size) return;
    const commits = pointer === undefined ? [...this.pending] : [...this.pending].filter(([at]) => at === pointer);
    for (const [at] of commits) this.pending.delete(at);
    if (!this.pending.size) clearTimeout(this.timer);
    for (const [, commit] of commits) commit();
    if (commits.length) this.tell();
  }
}
