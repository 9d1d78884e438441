// A list of short texts: Enter or a comma adds one, Backspace takes the last one back, a pasted list is taken apart.
import { useRef } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { X } from 'lucide-react';
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { Combobox } from '../../src/admin/form/fields/combobox.tsx';
import { keyOf } from '../../src/admin/form/fields/options.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { readDecimal } from '../../src/domain/text/typed-number.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

export default function Tags(props: WidgetProps<JsonValue[]>) {
  const { id, label, labelId, value, schema, options, change, leave, form, pointer, path, describedBy, invalid } = props;
  const input = useRef<HTMLInputElement>(null);
  const held = value ?? [];
  const isNumber = schema.items?.type === 'integer' || schema.items?.type === 'number';
  const splitsAt = options.separator === 'line' ? /\n+/ : /[,;\n]+/;
  // Read from the store, not from the last drawing: several may be added before the next one.
  const now = () => (form.store.get(path) as JsonValue[] | undefined | null) ?? [];
  const add = (text: string) => {
    const texts = text
      .split(splitsAt)
      .map(one => one.trim())
      .filter(Boolean);
    const list = [...now()];
    for (const one of texts) {
      const plain = isNumber ? readDecimal(one) : undefined;
      const item: JsonValue = plain === undefined ? one : Number(plain);
      if (!list.some(held => String(held).toLowerCase() === String(item).toLowerCase())) list.push(item);
    }
    if (texts.length) change(list);
  };
  const take = () => {
    if (!input.current) return;
    const text = input.current.value;
    input.current.value = '';
    add(text);
  };
  const suggestions = Array.isArray(options.suggestions) ? options.suggestions.map(String) : [];
  if (suggestions.length) {
    const chosen = held.map(one => ({ key: keyOf(one), value: one, title: String(one) }));
    return (
      <div role="group" aria-labelledby={labelId}>
        <Combobox
          id={id}
          label={label}
          describedBy={describedBy}
          invalid={invalid}
          multiple
          chosen={chosen}
          choices={suggestions.map(one => ({ key: one, value: one, title: one }))}
          things="tags"
          placeholder={textOption(options, 'placeholder') ?? t`Add …`}
          onPick={choice => add(String(choice.value))}
          onCreate={add}
          onRemove={choice => change(now().filter(one => keyOf(one) !== choice.key))}
          onLeave={leave}
        />
      </div>
    );
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value;
    if ((event.key === 'Enter' && text.trim()) || (event.key === ',' && options.separator !== 'line')) {
      event.preventDefault();
      take();
    } else if (event.key === 'Backspace' && !text && now().length) {
      change(now().slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    if (!splitsAt.test(text)) return;
    event.preventDefault();
    add(text);
  };
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      className="p-affix f-combo f-combo-many"
      onPointerDown={event => {
        if (event.target === event.currentTarget) {
          event.preventDefault();
          input.current?.focus();
        }
      }}
    >
      {held.map((tag, index) => (
        <span className="f-chip" key={keyOf(tag)} data-wrong={form.store.errorAt(`${pointer}/${index}`) !== undefined || undefined}>
          <span className="p-cut">{String(tag)}</span>
          <button
            type="button"
            className="f-chip-x"
            aria-label={t`Remove ${String(tag)}`}
            onClick={() => {
              change(now().filter((_, i) => i !== index));
              input.current?.focus();
            }}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </span>
      ))}
      <input
        ref={input}
        id={id}
        className="p-input"
        type="text"
        autoComplete="off"
        inputMode={isNumber ? 'numeric' : undefined}
        aria-label={label}
        placeholder={held.length ? '' : (textOption(options, 'placeholder') ?? t`Type and press Enter`)}
        {...ariaProps({ invalid, describedBy, required: false })}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onInput={event => (event.currentTarget.value.trim() ? form.store.hold(pointer, take, true) : form.store.release(pointer))}
        onBlur={() => {
          take();
          leave();
        }}
      />
    </div>
  );
}
