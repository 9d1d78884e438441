// The state of one form outside of React: value, errors, visibility. Each field listens to its own place, so a change redraws one field.
import { hasConditions, hiddenPointers, inside, strip } from '../../contract/condition.ts';
import type { FieldError, JsonObject, JsonValue, Schema } from '../../contract/types.ts';
import { parts } from '../../contract/paths.ts';
import { judge } from '../../contract/validate.ts';
import type { Validator } from '../../contract/validate.ts';
import { changesBetween, merge } from './changes.ts';
import { around, Channels, holders } from './channels.ts';
import { ItemKeys } from './item-keys.ts';
import { inScreenOrder } from './order.ts';
import { afterPress, isPressed } from './press.ts';
import type { Path } from './path.ts';
import { isWithin, parentOf, pointerOf, valueAt, withValueAt } from './path.ts';

export type Facts = Record<string, JsonValue>;

export interface StoreOptions {
  schema: Schema;
  /** Compiled ahead of time; without one only the fields' own rules (unreadable dates, files too large) are kept. */
  validator?: Validator;
  value: JsonObject;
  facts?: Facts;
}

/** How long a field waits after the last keystroke before it hands its text on. */
const IDLE_MS = 150;

export class FormStore {
  readonly schema: Schema;
  readonly facts: Facts;
  readonly validator: Validator | undefined;
  /** What the record was when it was read or last saved. */
  baseline: JsonObject;
  value: JsonObject;
  /** Whether the person tried to submit: from then on every error is shown, not only those of fields they left. */
  submitted = false;

  private hidden: Set<string>;
  private readonly conditional: boolean;
  private readonly touched = new Set<string>();
  private readonly edited = new Set<string>();
  private shown = new Map<string, string>();
  private refused: FieldError[] = [];
  private readonly own = new Map<string, string>();
  private readonly pending = new Map<string, () => void>();
  private readonly keys = new ItemKeys();
  private readonly open = new Map<string, boolean>();
  private readonly channels = new Channels();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private counted: { value: JsonObject; baseline: JsonObject; count: number } | undefined;
  private openSectionOf: (pointer: string) => void = () => {};
  private rootOrder: string[] | undefined;

  constructor({ schema, validator, value, facts = {} }: StoreOptions) {
    this.schema = schema;
    this.validator = validator;
    this.facts = facts;
    this.baseline = value;
    this.value = value;
    this.conditional = hasConditions(schema);
    this.hidden = this.conditional ? hiddenPointers(schema, value, facts) : new Set();
  }

  // --- listening ---

  /** Calls back when a channel changes; see channels.ts. */
  subscribe(channel: string, listener: () => void): () => void {
    return this.channels.subscribe(channel, listener);
  }

  /** A number that is another one after each change of the channel. */
  stamp(channel: string): number {
    return this.channels.stamp(channel);
  }

  private tell(channels: Iterable<string>): void {
    this.channels.tell(channels);
  }

  // --- reading ---

  get(path: Path): JsonValue | undefined {
    return valueAt(this.value, path);
  }

  isHidden(pointer: string): boolean {
    return this.hidden.has(pointer);
  }

  /** The sentence to show at a field, if any. */
  errorAt(pointer: string): string | undefined {
    return this.own.get(pointer) ?? this.shown.get(pointer);
  }

  /** The first sentence about something inside a place. */
  errorInside(pointer: string): string | undefined {
    for (const errors of [this.own, this.shown]) for (const [at, message] of errors) if (at.startsWith(`${pointer}/`)) return message;
    return undefined;
  }

  /** How many errors are shown inside a place. */
  errorsInside(pointer: string): number {
    return [...new Set([...this.own.keys(), ...this.shown.keys()])].filter(at => at.startsWith(`${pointer}/`)).length;
  }

  /** Every error that is shown now, in the order of the screen. */
  errors(): { pointer: string; message: string }[] {
    const all = new Map([...this.shown, ...this.own]);
    return inScreenOrder([...all].map(([pointer, message]) => ({ pointer, message })), this.schema, this.rootOrder);
  }

  /** Whether the form draws a place: it stands in one of its sections and no condition hides it. What is closed counts as drawn. */
  isDrawn(pointer: string): boolean {
    const [name] = parts(pointer);
    return name !== undefined && (this.rootOrder ?? Object.keys(this.schema.properties ?? {})).includes(name) && this.schema.properties?.[name]?.['x-ui']?.widget !== 'unseen' && !inside(pointer, this.hidden);
  }

  /** How many fields say something else than what was read. Hidden fields don't count: they are not saved. Nor do those that a change of another brings to light. */
  changeCount(): number {
    if (this.counted?.value !== this.value || this.counted.baseline !== this.baseline) {
      const count = this.value === this.baseline ? 0 : changesBetween(this.schema, this.baseline, this.value).filter(change => !inside(change.pointer, this.hidden)).length;
      this.counted = { value: this.value, baseline: this.baseline, count };
    }
    return this.counted.count;
  }

  isDirty(): boolean {
    return this.pending.size > 0 || this.changeCount() > 0;
  }

  /** What is to be saved: the value without what is hidden. */
  result(): JsonObject {
    return (this.conditional ? strip(this.schema, this.value, this.facts) : this.value) as JsonObject;
  }

  // --- texts that a field still keeps for itself ---

  /**
   * A field has text that it has not handed on. `commit` is called after a pause (not so with `untilLeft`: a tag half typed is no
   * tag), when the field is left, or before anything else happens.
   */
  hold(pointer: string, commit: () => void, untilLeft = false): void {
    const isFirst = !this.pending.size;
    this.pending.set(pointer, commit);
    if (!untilLeft) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), IDLE_MS);
    }
    if (isFirst) this.tell(['*']);
  }

  /** The text that was held is gone again. */
  release(pointer: string): void {
    if (this.pending.delete(pointer)) this.tell(['*']);
  }

  /** Makes every field hand on its text now. */
  flush(pointer?: string): void {
    if (!this.pending.size) return;
    const commits = pointer === undefined ? [...this.pending] : [...this.pending].filter(([at]) => at === pointer);
    for (const [at] of commits) this.pending.delete(at);
    if (!this.pending.size) clearTimeout(this.timer);
    for (const [, commit] of commits) commit();
    if (commits.length) this.tell(['*']);
  }

  // --- changing ---

  set(path: Path, value: JsonValue | undefined): void {
    const pointer = pointerOf(path);
    this.pending.delete(pointer);
    this.flush();
    const before = this.get(path);
    if (before === value) return;
    this.value = (withValueAt(this.value, path, value) ?? {}) as JsonObject;
    this.edited.add(pointer);
    this.afterChange(pointer, before, value);
  }

  /** Several places at once, such as the count and the unit of an interval. */
  setMany(changes: [Path, JsonValue | undefined][]): void {
    for (const [path, value] of changes) this.set(path, value);
  }

  private afterChange(pointer: string, before: JsonValue | undefined, after: JsonValue | undefined): void {
    const channels = new Set(['*', pointer, ...holders(pointer)]);
    const deep = typeof before === 'object' || typeof after === 'object';
    if (deep) {
      channels.add(`${pointer}#`);
      for (const channel of this.channels.heard()) if (channel.startsWith(`${pointer}/`)) channels.add(channel);
    }
    this.forgetRefusals(pointer);
    if (this.conditional) this.rehide(channels);
    if (this.submitted || this.touched.size || this.refused.length || this.shown.size) {
      if (isPressed()) afterPress(this.recheckNow); else this.recheck(channels);
    }
    this.tell(channels);
  }

  private rehide(channels: Set<string>): void {
    const next = hiddenPointers(this.schema, this.value, this.facts);
    for (const pointer of next) if (!this.hidden.has(pointer)) channels.add(`${parentOf(pointer)}#`);
    for (const pointer of this.hidden) if (!next.has(pointer)) channels.add(`${parentOf(pointer)}#`);
    for (const pointer of this.own.keys()) if (inside(pointer, next)) this.own.delete(pointer);
    this.hidden = next;
  }

  /** Drops what the server said about a place once the person changes it, or an array around it. */
  private forgetRefusals(pointer: string): void {
    if (this.refused.length) this.refused = this.refused.filter(error => !isWithin(error.pointer, pointer) && !isWithin(pointer, error.pointer));
  }

  // --- arrays ---

  /** Names for the items of an array that stay with them when they move. */
  keysOf(pointer: string, length: number): readonly string[] {
    return this.keys.of(pointer, length);
  }

  insertItem(path: Path, index: number, item: JsonValue): void {
    this.changeItems(path, (list, make) => { list.splice(index, 0, make(item)); });
  }

  /** Takes an item out and returns it. */
  removeItem(path: Path, index: number): JsonValue | undefined {
    this.flush();
    const gone = (this.get(path) as JsonValue[] | undefined)?.[index];
    this.changeItems(path, list => { list.splice(index, 1); });
    return gone;
  }

  moveItem(path: Path, from: number, to: number): void {
    this.changeItems(path, list => { list.splice(to, 0, ...list.splice(from, 1)); });
  }

  /** The same change for the items and for their keys. */
  private changeItems(path: Path, change: <T>(list: T[], make: (item: JsonValue) => T) => void): void {
    this.flush();
    const pointer = pointerOf(path);
    const before = this.get(path);
    const items = Array.isArray(before) ? [...before] : [];
    this.keys.change(pointer, items.length, (keys, fresh) => change(keys, fresh));
    change(items, item => item);
    // What was said about items by their position no longer holds.
    for (const set of [this.touched, this.edited]) for (const at of set) if (at.startsWith(`${pointer}/`)) set.delete(at);
    for (const at of this.own.keys()) if (at.startsWith(`${pointer}/`)) this.own.delete(at);
    this.value = withValueAt(this.value, path, items) as JsonObject;
    this.edited.add(pointer);
    this.touched.add(pointer);
    this.afterChange(pointer, before, items);
  }

  // --- errors ---

  /** The person left a field. Its errors are shown from now on if they changed it. */
  leave(pointer: string): void {
    this.flush(pointer);
    if (!this.edited.has(pointer) || this.touched.has(pointer)) return;
    this.touched.add(pointer);
    afterPress(this.recheckNow);
  }

  /** Errors that come or go move the fields below, so they wait while a pointer is down. */
  private readonly recheckNow = (): void => {
    const channels = new Set<string>();
    this.recheck(channels);
    if (channels.size) this.tell([...channels, '*']);
  };

  /** A field's own objection, such as a date that isn't complete. `undefined` takes it back. */
  object(pointer: string, message: string | undefined): void {
    if (this.own.get(pointer) === message) return;
    if (message === undefined) this.own.delete(pointer);
    else this.own.set(pointer, message);
    this.tell(new Set(['*', ...around(pointer)]));
  }

  /** What the server refused; each sentence stands at its field until that field is changed. */
  refuse(errors: FieldError[]): void {
    this.refused = errors;
    const channels = new Set<string>(['*']);
    this.recheck(channels);
    this.tell(channels);
  }

  private judged(): FieldError[] {
    return this.validator ? judge(this.schema, this.validator, this.value, this.facts) : [];
  }

  private recheck(channels: Set<string>): void {
    const next = new Map<string, string>();
    for (const { pointer, message } of this.judged()) {
      if (!next.has(pointer) && (this.submitted || this.touched.has(pointer))) next.set(pointer, message);
    }
    for (const { pointer, message } of this.refused) if (!inside(pointer, this.hidden)) next.set(pointer, message);
    for (const [pointer, message] of next) if (this.shown.get(pointer) !== message) for (const channel of around(pointer)) channels.add(channel);
    for (const pointer of this.shown.keys()) if (!next.has(pointer)) for (const channel of around(pointer)) channels.add(channel);
    this.shown = next;
  }

  /** Checks everything and shows every error; true when the value can be saved. */
  check(): boolean {
    this.flush();
    this.submitted = true;
    this.refused = [];
    const channels = new Set<string>(['*']);
    this.recheck(channels);
    this.tell(channels);
    return !this.shown.size && !this.own.size;
  }

  // --- what is open ---

  isOpen(key: string, byDefault: boolean): boolean {
    return this.open.get(key) ?? byDefault;
  }

  setOpen(key: string, open: boolean): void {
    if (this.open.get(key) === open) return;
    this.open.set(key, open);
    this.tell(['open', `open:${key}`]);
  }

  /** Told by the form: the order of the root's fields on the screen, and how to open the section a field is in. */
  layOut(rootOrder: string[], openSectionOf: (pointer: string) => void): void {
    this.rootOrder = rootOrder;
    this.openSectionOf = openSectionOf;
  }

  /** Opens whatever is closed around a place. */
  reveal(pointer: string): void {
    this.openSectionOf(pointer);
    for (let at = pointer; at; at = parentOf(at)) this.setOpen(at, true);
  }

  // --- the whole value ---

  /** Puts another value in, keeping what was read: a restored draft, an undone discard. */
  put(value: JsonObject): void {
    this.flush();
    this.replace(value);
  }

  /** Back to what was read. Returns what is thrown away, so that it can be put back. */
  discard(): JsonObject {
    this.flush();
    const lost = this.value;
    this.submitted = false;
    this.replace(this.baseline);
    return lost;
  }

  /** `sent` was saved and the server now has `answer`. What was typed meanwhile stays. */
  saved(sent: JsonObject, answer: JsonObject): void {
    const typedMeanwhile = this.value === sent ? answer : merge(this.schema, sent, this.value, answer).merged;
    this.baseline = answer;
    this.submitted = false;
    this.replace(typedMeanwhile);
  }

  private replace(value: JsonObject): void {
    this.value = value;
    this.touched.clear();
    this.edited.clear();
    this.own.clear();
    this.refused = [];
    const channels = new Set<string>(['*', ...this.channels.heard()]);
    if (this.conditional) this.rehide(channels);
    this.recheck(channels);
    this.tell(channels);
  }
}
