// The state of one form outside of React: its value, and around it what is held, hidden, objected to and open. Each field listens to its
// own place, so a change redraws one field.
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { parts, schemaAt } from '../../../contract/paths.ts';
import { validate } from '../../../contract/validation/validate.ts';
import type { Validator } from '../../../contract/validation/validate.ts';
import { changesBetween, merge } from './changes.ts';
import { around, Channels, holders } from './channels.ts';
import { PendingInput } from './pending-input.ts';
import { ItemKeys } from './item-keys.ts';
import { FormErrors } from './form-errors.ts';
import { DisclosureState } from './disclosure-state.ts';
import { inScreenOrder } from './field-order.ts';
import { afterPointerUp, isPointerDown } from '../page/pointer-state.ts';
import type { Path } from './path.ts';
import { isObject, pointerOf, valueAt, withValueAt } from './path.ts';
import { followers } from './proposals.ts';
import { type Facts, Visibility } from './visibility.ts';

export type { Facts } from './visibility.ts';

export interface StoreOptions {
  schema: Schema;
  /** Compiled ahead of time; without one only the fields' own rules (unreadable dates, files too large) are kept. */
  validator?: Validator;
  value: JsonObject;
  facts?: Facts;
}

export class FormStore {
  readonly schema: Schema;
  readonly facts: Facts;
  readonly validator: Validator | undefined;
  /** What the record was when it was read or last saved. */
  baseline: JsonObject;
  value: JsonObject;
  /** What is open on the screen. */
  readonly opened = new DisclosureState(channels => this.tell(channels));

  private readonly channels = new Channels();
  private readonly held = new PendingInput(() => this.tell(['*']));
  private readonly visibility: Visibility;
  private readonly formErrors = new FormErrors();
  private readonly keys = new ItemKeys();
  private counted: { value: JsonObject; baseline: JsonObject; count: number } | undefined;

  constructor({ schema, validator, value, facts = {} }: StoreOptions) {
    this.schema = schema;
    this.validator = validator;
    this.facts = facts;
    this.baseline = value;
    this.value = value;
    this.visibility = new Visibility(schema, facts, value);
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

  /** Whether the person tried to submit: from then on every error is shown, not only those of fields they left. */
  get submitted(): boolean {
    return this.formErrors.submitted;
  }

  isHidden(pointer: string): boolean {
    return this.visibility.isHidden(pointer);
  }

  /** The sentence to show at a field, if any. */
  errorAt(pointer: string): string | undefined {
    return this.formErrors.at(pointer);
  }

  /** The first sentence about something inside a place. */
  errorInside(pointer: string): string | undefined {
    return this.formErrors.firstInside(pointer);
  }

  /** How many errors are shown inside a place. */
  errorsInside(pointer: string): number {
    return this.formErrors.countInside(pointer);
  }

  /** Every error that is shown now, in the order of the screen. */
  errors(): { pointer: string; message: string }[] {
    return inScreenOrder(this.formErrors.all(), this.schema, this.opened.rootOrder);
  }

  /** Whether the form draws a place: it stands in one of its sections and no condition hides it. What is closed counts as drawn. */
  isDrawn(pointer: string): boolean {
    const [name] = parts(pointer);
    return (
      name !== undefined &&
      (this.opened.rootOrder ?? Object.keys(this.schema.properties ?? {})).includes(name) &&
      this.schema.properties?.[name]?.['x-ui']?.widget !== 'unseen' &&
      !this.visibility.isInsideHidden(pointer)
    );
  }

  /**
   * How many fields say something else than what was read. Hidden fields don't count: they are not saved. Nor do those
   * that a change of another brings to light.
   */
  changeCount(): number {
    if (this.counted?.value !== this.value || this.counted.baseline !== this.baseline) {
      const count =
        this.value === this.baseline
          ? 0
          : changesBetween(this.schema, this.baseline, this.value).filter(change => !this.visibility.isInsideHidden(change.pointer)).length;
      this.counted = { value: this.value, baseline: this.baseline, count };
    }
    return this.counted.count;
  }

  isDirty(): boolean {
    return !this.held.isEmpty() || this.changeCount() > 0;
  }

  /** What is to be saved: the value without what is hidden. */
  result(): JsonObject {
    return this.visibility.strip(this.value);
  }

  // --- texts that a field still keeps for itself ---

  /** A field has text that it has not handed on; see held-texts.ts. */
  hold(pointer: string, commit: () => void, untilLeft = false): void {
    this.held.hold(pointer, commit, untilLeft);
  }

  /** The text that was held is gone again. */
  release(pointer: string): void {
    this.held.release(pointer);
  }

  /** Makes every field, or the one at a place, hand on its text now. */
  flush(pointer?: string): void {
    this.held.flush(pointer);
  }

  // --- changing ---

  set(path: Path, value: JsonValue | undefined): void {
    const pointer = pointerOf(path);
    this.held.drop(pointer);
    this.flush();
    const before = this.get(path);
    if (before === value) return;
    this.value = (withValueAt(this.value, path, value) ?? {}) as JsonObject;
    this.formErrors.edit(pointer);
    this.afterChange(pointer, before, value);
    this.follow(path, before);
  }

  /** Fields beside it whose text is proposed from it (`x-ui.propose`). */
  private follow(path: Path, before: JsonValue | undefined): void {
    const around = path.slice(0, -1);
    const fields = schemaAt(this.schema, pointerOf(around));
    const [now, saved] = [this.get(around), valueAt(this.baseline, around)];
    if (!fields || !isObject(now)) return;
    const was = { ...now, [path.at(-1)!]: before ?? null };
    for (const [name, text] of followers(fields, was, now, isObject(saved) ? saved : undefined)) this.set([...around, name], text);
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
    this.formErrors.forgetRefusals(pointer);
    this.rehide(channels);
    if (this.formErrors.isWatching()) {
      if (isPointerDown()) afterPointerUp(this.recheckNow);
      else this.recheck(channels);
    }
    this.tell(channels);
  }

  private readonly isInsideHidden = (pointer: string): boolean => this.visibility.isInsideHidden(pointer);

  private rehide(channels: Set<string>): void {
    if (this.visibility.follow(this.value, channels)) this.formErrors.dropOwn(this.isInsideHidden);
  }

  // --- arrays ---

  /** Names for the items of an array that stay with them when they move. */
  keysOf(pointer: string, length: number): readonly string[] {
    return this.keys.of(pointer, length);
  }

  insertItem(path: Path, index: number, item: JsonValue): void {
    this.changeItems(path, (list, make) => {
      list.splice(index, 0, make(item));
    });
  }

  /** Takes an item out and returns it. */
  removeItem(path: Path, index: number): JsonValue | undefined {
    this.flush();
    const gone = (this.get(path) as JsonValue[] | undefined)?.[index];
    this.changeItems(path, list => {
      list.splice(index, 1);
    });
    return gone;
  }

  moveItem(path: Path, from: number, to: number): void {
    this.changeItems(path, list => {
      list.splice(to, 0, ...list.splice(from, 1));
    });
  }

  /** The same change for the items and for their keys. */
  private changeItems(path: Path, change: <T>(list: T[], make: (item: JsonValue) => T) => void): void {
    this.flush();
    const pointer = pointerOf(path);
    const before = this.get(path);
    const items = Array.isArray(before) ? [...before] : [];
    this.keys.change(pointer, items.length, (keys, fresh) => change(keys, fresh));
    change(items, item => item);
    this.formErrors.forgetItems(pointer);
    this.value = withValueAt(this.value, path, items) as JsonObject;
    this.formErrors.edit(pointer);
    this.formErrors.touch(pointer);
    this.afterChange(pointer, before, items);
  }

  // --- errors ---

  /** The person left a field. Its errors are shown from now on if they changed it. */
  leave(pointer: string): void {
    this.flush(pointer);
    if (this.formErrors.leave(pointer)) afterPointerUp(this.recheckNow);
  }

  /** Errors that come or go move the fields below, so they wait while a pointer is down. */
  private readonly recheckNow = (): void => {
    const channels = new Set<string>();
    this.recheck(channels);
    if (channels.size) this.tell([...channels, '*']);
  };

  /** A field's own error, such as a date that isn't complete. `undefined` takes it back. */
  object(pointer: string, message: string | undefined): void {
    if (this.formErrors.object(pointer, message)) this.tell(new Set(['*', ...around(pointer)]));
  }

  /** What the server refused; each sentence stands at its field until that field is changed. */
  refuse(errors: FieldError[]): void {
    this.formErrors.refuse(errors);
    const channels = new Set<string>(['*']);
    this.recheck(channels);
    this.tell(channels);
  }

  private recheck(channels: Set<string>): void {
    const validation = this.validator ? validate(this.schema, this.validator, this.value, this.facts) : [];
    this.formErrors.show(validation, this.isInsideHidden, channels);
  }

  /** Checks everything and shows every error; true when the value can be saved. */
  check(): boolean {
    this.flush();
    this.formErrors.submitted = true;
    this.refuse([]);
    return this.formErrors.isEmpty();
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
    this.formErrors.submitted = false;
    this.replace(this.baseline);
    return lost;
  }

  /** `sent` was saved and the server now has `answer`. What was typed meanwhile stays. */
  saved(sent: JsonObject, answer: JsonObject): void {
    const typedMeanwhile = this.value === sent ? answer : merge(this.schema, sent, this.value, answer).merged;
    this.baseline = answer;
    this.formErrors.submitted = false;
    this.replace(typedMeanwhile);
  }

  private replace(value: JsonObject): void {
    this.value = value;
    this.formErrors.forget();
    const channels = new Set<string>(['*', ...this.channels.heard()]);
    this.rehide(channels);
    this.recheck(channels);
    this.tell(channels);
  }
}
