// Names with values: an object of texts, or a list of {key, value}.
import { useLayoutEffect, useRef, useState } from 'react';
import { Plus, Trash2 } from 'lucide-react';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { same } from '../../src/admin/form/engine/path.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

interface Row {
  id: number;
  key: string;
  value: string;
}

const isList = (schema: Schema) => schema.type === 'array' || schema.items !== undefined;
const pairsOf = (value: JsonValue | undefined, keyName: string, valueName: string): [string, string][] => {
  if (Array.isArray(value))
    return value.map(item => [String((item as JsonObject)[keyName] ?? ''), String((item as JsonObject)[valueName] ?? '')]);
  return Object.entries((value ?? {}) as JsonObject).map(([key, one]) => [key, String(one ?? '')]);
};

let lastId = 0;
const newId = (): number => (lastId += 1);
const rowsOf = (from: JsonValue | undefined, keyName: string, valueName: string): Row[] =>
  pairsOf(from, keyName, valueName).map(([key, one]) => ({ id: newId(), key, value: one }));

export default function KeyValue(props: WidgetProps<JsonValue>) {
  const { id, label, labelId, value, schema, options, change, leave, form, pointer, describedBy, invalid } = props;
  const [keyName, valueName] = [textOption(options, 'key') ?? 'key', textOption(options, 'value') ?? 'value'];
  const box = useRef<HTMLDivElement>(null);
  // Rows being typed may have no name yet or the same one twice, which the value can't hold; so they are kept here.
  const [rows, setRows] = useState(() => rowsOf(value, keyName, valueName));
  const live = useRef(rows);
  const written = useRef(value);
  useLayoutEffect(() => {
    if (same(written.current, value)) return;
    written.current = value;
    live.current = rowsOf(value, keyName, valueName);
    // oxlint-disable-next-line react/set-state-in-effect -- another value came from outside: a discard, a restored draft
    setRows(live.current);
  }, [value, keyName, valueName]);
  const write = () => {
    const filled = live.current.filter(row => row.key.trim() || row.value.trim());
    const names = filled.map(row => row.key.trim());
    const twice = names.find((name, i) => name && names.indexOf(name) !== i);
    form.store.object(
      pointer,
      twice
        ? t`“${twice}” is there twice. Give each line a name of its own.`
        : filled.some(row => !row.key.trim())
          ? t`Give each line a name.`
          : undefined,
    );
    const result: JsonValue = isList(schema)
      ? filled.map(row => ({ [keyName]: row.key.trim(), [valueName]: row.value }))
      : Object.fromEntries(filled.filter(row => row.key.trim()).map(row => [row.key.trim(), row.value]));
    written.current = result;
    change(result);
  };
  const put = (list: Row[]) => {
    live.current = list;
    setRows(list);
  };
  const edit = (row: Row, part: Partial<Row>) => {
    live.current = live.current.map(one => (one.id === row.id ? { ...one, ...part } : one));
    form.store.hold(pointer, write);
  };
  const remove = (row: Row) => {
    put(live.current.filter(one => one.id !== row.id));
    write();
    (box.current?.querySelector('.f-add') as HTMLElement | null)?.focus();
  };
  const add = () => {
    put([...live.current, { id: newId(), key: '', value: '' }]);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('.f-pair:last-of-type input')?.focus());
  };
  const max = schema.maxItems ?? schema.maxProperties ?? Infinity;
  const titles = {
    key: textOption(options, 'keyTitle') ?? schema.items?.properties?.[keyName]?.title ?? t`Name`,
    value: textOption(options, 'valueTitle') ?? schema.items?.properties?.[valueName]?.title ?? t`Value`,
  };
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      className="f-pairs"
      ref={box}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          form.store.flush(pointer);
          leave();
        }
      }}
    >
      {rows.map((row, index) => (
        <div className="f-pair" key={row.id} role="group" aria-label={t`${label}, line ${index + 1}`}>
          <input
            className="p-input"
            id={index === 0 ? id : undefined}
            aria-label={titles.key}
            placeholder={titles.key}
            defaultValue={row.key}
            aria-invalid={invalid || undefined}
            onInput={event => edit(row, { key: event.currentTarget.value })}
          />
          <input
            className="p-input"
            aria-label={titles.value}
            placeholder={titles.value}
            defaultValue={row.value}
            onInput={event => edit(row, { value: event.currentTarget.value })}
          />
          <button type="button" className="p-icon-btn" aria-label={t`Remove line ${index + 1}`} onClick={() => remove(row)}>
            <Trash2 aria-hidden="true" />
          </button>
        </div>
      ))}
      <button type="button" className="p-btn p-btn-s f-add" id={rows.length ? undefined : id} disabled={rows.length >= max} onClick={add}>
        <Plus aria-hidden="true" />
        {textOption(options, 'add') ?? t`Add a line`}
      </button>
    </div>
  );
}

export function Show({ value, options }: { value: JsonValue; options: JsonObject }) {
  const pairs = pairsOf(value, textOption(options, 'key') ?? 'key', textOption(options, 'value') ?? 'value');
  if (!pairs.length) return <>–</>;
  return (
    <>
      {pairs.map(([key, one]) => (
        <span className="f-shown-pair" key={key}>
          <span className="p-muted">{key}</span> {one}
        </span>
      ))}
    </>
  );
}
