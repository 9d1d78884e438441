// Saving a form: once, whatever is pressed; with the same key when the answer never came; errors to their fields, a conflict to the person.
import { useCallback, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { schemaAt } from '../../../contract/paths.ts';
import type { ErrorAnswer, JsonObject } from '../../../contract/types.ts';
import { CallError, newKey } from '../../platform/transport/transport.ts';
import { focusField } from './focus.ts';
import type { FormStore } from '../engine/store.ts';
import { submitForm } from '../engine/schema-form.tsx';

export interface Sending {
  /** What is saved: without what conditions hide. */
  value: JsonObject;
  /** null for each field that was emptied: a change leaves what it does not name. */
  emptied: JsonObject;
  /** The version it was made from; undefined for something new. */
  version: number | undefined;
  /** Idempotency key: the same for every try of the same save. */
  key: string;
}
export type Conflict = NonNullable<ErrorAnswer['conflict']>;
/** Why a save did not go through, where no field says it. */
export interface Failure {
  message: string;
  requestId: string;
  canRetry: boolean;
}

export interface SaveOptions {
  store: FormStore;
  version: number | undefined;
  within: RefObject<HTMLElement | null>;
  /** Sends it and answers the record as the server now has it. Throws CallError. */
  send: (what: Sending) => Promise<JsonObject>;
  onSaved?: (answer: JsonObject) => void;
}
export interface Save {
  /** Checks and sends. Answers whether it was saved. */
  save: (version?: number) => Promise<boolean>;
  isSaving: boolean;
  failure: Failure | undefined;
  conflict: Conflict | undefined;
  settle: () => void;
}

export function useSave({ store, version, within, send, onSaved }: SaveOptions): Save {
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [conflict, setConflict] = useState<Conflict>();
  const underWay = useRef<Promise<boolean> | undefined>(undefined);
  const attempt = useRef<{ text: string; key: string } | undefined>(undefined);

  const go = useCallback(
    async (from: number | undefined): Promise<boolean> => {
      setFailure(undefined);
      let value: JsonObject | undefined;
      submitForm(store, within, checked => {
        value = checked;
      });
      if (!value) {
        const elsewhere = undrawn(store.errors(), store);
        if (elsewhere) setFailure({ message: elsewhere, requestId: '', canRetry: false });
        return false;
      }
      const sent = store.value;
      const text = JSON.stringify([from ?? null, value]);
      if (attempt.current?.text !== text) attempt.current = { text, key: newKey() };
      setSaving(true);
      try {
        const answer = await send({ value, emptied: emptiedIn(store, value), version: from, key: attempt.current.key });
        attempt.current = undefined;
        setConflict(undefined);
        store.saved(sent, answer);
        onSaved?.(answer);
        return true;
      } catch (error) {
        const isRefused = error instanceof CallError && error.status !== 0 && error.status < 500;
        // A refusal is an answer: the next try is a new save. Only where the answer never came is the same key sent again.
        if (isRefused) attempt.current = undefined;
        if (error instanceof CallError && error.conflict) setConflict(error.conflict);
        else if (error instanceof CallError && error.errors.length) showRefusal(error, store, within.current, setFailure);
        else
          setFailure({
            message: error instanceof Error ? error.message : String(error),
            requestId: error instanceof CallError ? error.requestId : '',
            canRetry: !isRefused,
          });
        return false;
      } finally {
        setSaving(false);
      }
    },
    [store, within, send, onSaved],
  );

  const save = useCallback(
    (from: number | undefined = version) => {
      // A second press while the first is under way joins it.
      underWay.current ??= go(from).finally(() => {
        underWay.current = undefined;
      });
      return underWay.current;
    },
    [go, version],
  );
  return { save, isSaving, failure, conflict, settle: useCallback(() => setConflict(undefined), []) };
}

/** Fields in view that held something when the record was read or last saved, and hold nothing now. */
const emptiedIn = (store: FormStore, value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(store.baseline)
      .filter(name => value[name] === undefined && (store.baseline[name] ?? null) !== null && !store.isHidden(`/${name}`))
      .filter(name => store.schema.properties?.[name] && !store.schema.properties[name].readOnly)
      .map(name => [name, null]),
  );

/** Puts the server's sentences at their fields; those about no field that is drawn are said as a whole. */
function showRefusal(error: CallError, store: FormStore, root: HTMLElement | null, setFailure: (failure: Failure) => void): void {
  store.refuse(error.errors);
  const first = store.errors().find(({ pointer }) => store.isDrawn(pointer));
  if (first) focusField(store, first.pointer, root);
  const elsewhere = undrawn(error.errors, store);
  if (elsewhere) setFailure({ message: elsewhere, requestId: error.requestId, canRetry: false });
}

/** The sentences about what the form does not draw, each with the name of what it is about; "" when there are none. */
function undrawn(errors: readonly { pointer: string; message: string }[], store: FormStore): string {
  return errors
    .filter(({ pointer }) => !store.isDrawn(pointer))
    .map(({ pointer, message }) => {
      const title = schemaAt(store.schema, pointer)?.title;
      return !title || pointer === '' || message.toLowerCase().includes(title.toLowerCase()) ? message : `${title}: ${message}`;
    })
    .join(' ');
}
