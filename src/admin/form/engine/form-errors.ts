// What is said at the places of a form: the schema's rules, what the server refused, what fields object to by themselves. Also when: a
// field's errors show once the person changed and left it, all of them after a try to submit.
import type { FieldError } from '../../../contract/types.ts';
import { around } from './channels.ts';
import { isWithin } from './path.ts';

/** Takes out everything inside a place. */
function dropInside(places: Set<string> | Map<string, unknown>, pointer: string): void {
  for (const at of places.keys()) if (at.startsWith(`${pointer}/`)) places.delete(at);
}

export class FormErrors {
  /** Whether the person tried to submit: from then on every error is shown, not only those of fields they left. */
  submitted = false;
  private readonly touched = new Set<string>();
  private readonly edited = new Set<string>();
  private shown = new Map<string, string>();
  private refused: FieldError[] = [];
  private readonly own = new Map<string, string>();

  // --- reading ---

  /** The sentence to show at a field, if any. */
  at(pointer: string): string | undefined {
    return this.own.get(pointer) ?? this.shown.get(pointer);
  }

  /** The first sentence about something inside a place. */
  firstInside(pointer: string): string | undefined {
    for (const errors of [this.own, this.shown]) for (const [at, message] of errors) if (at.startsWith(`${pointer}/`)) return message;
    return undefined;
  }

  /** How many places inside a place have a sentence. */
  countInside(pointer: string): number {
    return [...new Set([...this.own.keys(), ...this.shown.keys()])].filter(at => at.startsWith(`${pointer}/`)).length;
  }

  /** Every sentence that is shown now. */
  all(): { pointer: string; message: string }[] {
    return [...new Map([...this.shown, ...this.own])].map(([pointer, message]) => ({ pointer, message }));
  }

  isEmpty(): boolean {
    return !this.shown.size && !this.own.size;
  }

  /** Whether anything may have to be shown, or taken back, after a change. */
  isWatching(): boolean {
    return this.submitted || this.touched.size > 0 || this.refused.length > 0 || this.shown.size > 0;
  }

  // --- what the person does ---

  edit(pointer: string): void {
    this.edited.add(pointer);
  }

  touch(pointer: string): void {
    this.touched.add(pointer);
  }

  /** The person left a place. True when its errors are shown from now on: they changed it, and left it for the first time. */
  leave(pointer: string): boolean {
    if (!this.edited.has(pointer) || this.touched.has(pointer)) return false;
    this.touched.add(pointer);
    return true;
  }

  /** What was said about the items of an array by their position no longer holds. */
  forgetItems(pointer: string): void {
    for (const places of [this.touched, this.edited, this.own]) dropInside(places, pointer);
  }

  /** Drops what the server said about a place once the person changes it, or an array around it. */
  forgetRefusals(pointer: string): void {
    if (this.refused.length)
      this.refused = this.refused.filter(error => !isWithin(error.pointer, pointer) && !isWithin(pointer, error.pointer));
  }

  /** Another value stands in the form: nothing that was said about the one before holds. What is shown stays until `show`. */
  forget(): void {
    this.touched.clear();
    this.edited.clear();
    this.own.clear();
    this.refused = [];
  }

  // --- what is said ---

  /** What the server refused; each sentence stands at its field until that field is changed. */
  refuse(errors: FieldError[]): void {
    this.refused = errors;
  }

  /** A field's own error, such as a date that isn't complete; `undefined` takes it back. True when that is new. */
  object(pointer: string, message: string | undefined): boolean {
    if (this.own.get(pointer) === message) return false;
    if (message === undefined) this.own.delete(pointer);
    else this.own.set(pointer, message);
    return true;
  }

  /** Own errors of places that are hidden now. */
  dropOwn(isHidden: (pointer: string) => boolean): void {
    for (const pointer of this.own.keys()) if (isHidden(pointer)) this.own.delete(pointer);
  }

  /** Joins what the schema's rules say with what was refused, and adds the channels of every place where that is new. */
  show(validation: FieldError[], isHidden: (pointer: string) => boolean, channels: Set<string>): void {
    const next = new Map<string, string>();
    for (const { pointer, message } of validation) {
      if (!next.has(pointer) && (this.submitted || this.touched.has(pointer))) next.set(pointer, message);
    }
    for (const { pointer, message } of this.refused) if (!isHidden(pointer)) next.set(pointer, message);
    for (const [pointer, message] of next)
      if (this.shown.get(pointer) !== message) for (const channel of around(pointer)) channels.add(channel);
    for (const pointer of this.shown.keys()) if (!next.has(pointer)) for (const channel of around(pointer)) channels.add(channel);
    this.shown = next;
  }
}
