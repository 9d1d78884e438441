// What a form field gets and what its file may say about itself. One file of renderers/fields is one widget; its name is the file's name.
import type { ComponentType, ReactNode } from 'react';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import type { Path } from '../engine/path.ts';
import type { Facts, FormStore } from '../engine/store.ts';

/** What is asked of the rest of the admin: records to refer to, and a place for files. */
export interface FormServices {
  /** Records of an entity that match a text, one page at a time; by another call than the entity's own list where one is named. */
  find(
    of: string,
    query: { q?: string; page?: number; filter?: JsonObject; pageSize?: number; by?: Listing },
  ): Promise<{ items: JsonObject[]; hasMore: boolean }>;
  /** The records with these keys; those that are gone are left out. */
  many(of: string, ids: JsonValue[]): Promise<JsonObject[]>;
  /** What a reading call of the catalogue answers. Rejects with an Error whose message is for people. */
  ask(call: string, input: JsonObject, signal: AbortSignal): Promise<JsonValue>;
  /** A schema by kind and name ("entities/subscription"); absent where there are no definitions. */
  schema?: (name: string) => Promise<Schema | undefined>;
  /** How an entity names and pictures its records. */
  looks(of: string): EntityDisplay;
  /** Stores a file and answers its address. Absent where the product stores no files. */
  upload?: Upload;
  /** The same by a call that takes { name, content (base64) } and answers { url }. */
  uploadBy?: (call: string) => Upload;
}
/** Stores a file; `progress` hears how much of it is done, from 0 to 1. Rejects with an Error whose message is for people. */
export type Upload = (file: File, progress: (part: number) => void) => Promise<{ url: string }>;
/** A read that lists records of an entity, and its parameters. */
export interface Listing {
  call: string;
  with: JsonObject;
}
export interface EntityDisplay {
  key: string;
  one: string;
  many: string;
  label(record: JsonObject): string;
  detail?(record: JsonObject): string | undefined;
  picture?(record: JsonObject): string | undefined;
}

/** What all fields of one form share. */
export interface FormHandle {
  store: FormStore;
  facts: Facts;
  services: FormServices;
  /** Why nothing can be changed, or false. */
  readOnly: string | false;
  /** Root fields that can be seen but not changed, because their section's permission is not held. */
  locked?: ReadonlySet<string>;
  /** ISO code of the store's currency and its time zone (IANA), for amounts and instants that name none of their own. */
  currency: string;
  timezone: string;
  /** The store's present moment in ms: the demo store's clock can be moved. */
  now(): number;
}

export interface WidgetProps<V extends JsonValue = JsonValue> {
  /** For the control that the label names. */
  id: string;
  labelId: string;
  label: string;
  path: Path;
  pointer: string;
  value: V | undefined;
  schema: Schema;
  /** `x-ui.options`, with `unit`, `placeholder` and `of` of the hints beside them. */
  options: JsonObject;
  required: boolean;
  /** Whether the schema allows null. */
  nullable: boolean;
  invalid: boolean;
  error: string | undefined;
  describedBy: string | undefined;
  /** In a row of a table: little space, the column's title is the label. */
  compact: boolean;
  /** The title stands right above already, as that of a section; a bare widget needs it only for screen readers. */
  hideLabel: boolean;
  form: FormHandle;
  change(value: V | undefined): void;
  /** The person is done with the field for now. */
  leave(): void;
  /** Draws a field inside this one: a member of an object, an item of an array. */
  nested(step: string | number | (string | number)[], schema: Schema, how?: NestedHow): ReactNode;
}
export interface NestedHow {
  required?: boolean;
  compact?: boolean;
  hideLabel?: boolean;
  label?: string;
  key?: string;
}

/**
 * How the frame around a widget looks. `label`: a label above that names the control with `id` (the usual). `group`: a title above
 * several controls, which name themselves by `labelId`. `inline`: the widget writes its label itself, beside the control. `bare`: no
 * frame at all, the widget draws title, help and error.
 */
export type Frame = 'label' | 'group' | 'inline' | 'bare';

export interface WidgetModule {
  default: ComponentType<WidgetProps<never>>;
  frame?: Frame;
  /** How a value is written where nothing can be changed; without one, `show-value.tsx` writes it by its schema. */
  Show?: ComponentType<{ value: JsonValue; schema: Schema; options: JsonObject; form: FormHandle; path: Path }>;
  /** What an empty value is, when "add" makes a new item. */
  empty?: (schema: Schema) => JsonValue;
}
