// What is open on the screen of a form (sections, cards), and how to open what is around a place.
import { parentOf } from './path.ts';

export class DisclosureState {
  private readonly open = new Map<string, boolean>();
  private openSectionOf: (pointer: string) => void = () => {};
  private readonly tell: (channels: string[]) => void;
  /** The root's fields in the order of the screen, once the form has said it. */
  rootOrder: string[] | undefined;

  constructor(tell: (channels: string[]) => void) {
    this.tell = tell;
  }

  isOpen(key: string, byDefault: boolean): boolean {
    return this.open.get(key) ?? byDefault;
  }

  setOpen(key: string, open: boolean): void {
    if (this.open.get(key) === open) return;
    this.open.set(key, open);
    this.tell(['open', `open:${key}`]);
  }

  /** Told by the form: the order of the root's fields, and how to open the section a field is in. */
  layOut(rootOrder: string[], openSectionOf: (pointer: string) => void): void {
    this.rootOrder = rootOrder;
    this.openSectionOf = openSectionOf;
  }

  /** Opens whatever is closed around a place. */
  reveal(pointer: string): void {
    this.openSectionOf(pointer);
    for (let at = pointer; at; at = parentOf(at)) this.setOpen(at, true);
  }
}
