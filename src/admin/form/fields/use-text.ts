// A field keeps its text and hands it on afterwards: typing touches nothing but the input itself. Committed after a pause, on leaving, and
// by the form before anything else happens.
import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { JsonValue } from '../../../contract/types.ts';
import { hasMinus, noMinus, noNumber, writeDecimal } from '../../../domain/text/typed-number.ts';
import { same } from '../engine/path.ts';
import type { FormHandle } from './widget.ts';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

export interface TextBinding<E extends TextElement> {
  ref: RefObject<E | null>;
  defaultValue: string;
  onInput(): void;
  onBlur(): void;
}

export interface TextOptions<V extends JsonValue> {
  value: V | undefined;
  pointer: string;
  form: FormHandle;
  change(value: V | undefined): void;
  leave(): void;
  /** How a value is written in the input. */
  show?: (value: V | undefined) => string;
  /**
   * What a text means. A text that means nothing is handed on as it is, so that the schema's rule says what is wrong with it; a number
   * gives nothing then.
   */
  read?: (text: string) => V | undefined;
  /** Whether the text gives way to its value on leaving even where that breaks a rule, as numbers do: what is none never stays (D099). */
  isRewritten?: boolean;
  /** A sentence when the text can't even be validated by the schema (too many decimals for the currency). A number has one of its own. */
  errorOf?: (text: string, input: TextElement) => string | undefined;
}

const write = <V extends JsonValue>(options: TextOptions<V>, value: V | undefined): string =>
  options.show?.(value) ?? (value === undefined || value === null ? '' : options.isRewritten ? writeDecimal(String(value)) : String(value));

/** Binds an input to a value without redrawing it at every keystroke. */
export function useText<V extends JsonValue, E extends TextElement = HTMLInputElement>(options: TextOptions<V>): TextBinding<E> {
  const ref = useRef<E>(null);
  const latest = useRef(options);
  const handedOn = useRef(options.value);
  const isTyped = useRef(false);
  /** Whether the sentence at the field is about a text that gave way to its value. */
  const isAboutGone = useRef(false);

  useLayoutEffect(() => {
    latest.current = options;
    // Another value than the one handed on last came from outside: a discard, a restored draft, another field.
    if (same(options.value, handedOn.current)) return;
    handedOn.current = options.value;
    if (ref.current) ref.current.value = write(options, options.value);
    options.form.store.object(options.pointer, undefined);
  });

  const commit = () => {
    const { change, read, errorOf, isRewritten = false, form, pointer } = latest.current;
    if (!ref.current) return;
    const text = ref.current.value;
    const value = read ? read(text) : (text as V);
    const isNone = value === undefined || value === null;
    const gone = !isRewritten
      ? undefined
      : isNone
        ? text.trim() === ''
          ? undefined
          : noNumber(text)
        : Number(value) > 0 && hasMinus(text)
          ? noMinus(text, String(value))
          : undefined;
    isAboutGone.current = gone !== undefined;
    form.store.object(pointer, gone ?? errorOf?.(text, ref.current));
    handedOn.current = value;
    change(value);
  };

  return {
    ref,
    defaultValue: write(options, options.value),
    onInput: () => {
      isTyped.current = true;
      latest.current.form.store.hold(latest.current.pointer, commit);
    },
    onBlur: () => {
      latest.current.leave();
      // What was not taken is gone from the field by now, with a sentence about it: leaving it as it stands once more is an answer.
      if (!isTyped.current && isAboutGone.current) latest.current.form.store.object(latest.current.pointer, undefined);
      isTyped.current = false;
      const written = write(latest.current, handedOn.current);
      const { isRewritten = false, form, pointer } = latest.current;
      if (ref.current && ref.current.value !== written && (isRewritten || !form.store.errorAt(pointer))) ref.current.value = written;
    },
  };
}
