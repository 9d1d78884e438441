// A count of a unit of time, side by side: every 2 weeks. The value is an object of both, or two fields of the same object.
import type { KeyboardEvent } from 'react';
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { numberOf, stepFrom } from '../../src/admin/form/fields/numbers.ts';
import { choicesOf } from '../../src/admin/form/fields/options.ts';
import { pointerOf } from '../../src/admin/form/engine/path.ts';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { schemaAt } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

type Places = { count: (string | number)[]; unit: (string | number)[] };

/** Where the count and the unit are kept. */
function placesOf(path: WidgetProps['path'], schema: Schema, options: JsonObject): Places {
  const isObject = schema.type === 'object' || schema.properties !== undefined;
  const within = isObject ? [...path] : path.slice(0, -1);
  const own = String(path.at(-1));
  return {
    count: [...within, textOption(options, 'count') ?? (isObject ? 'intervalCount' : own)],
    unit: [...within, textOption(options, 'unit') ?? textOption(options, 'unitField') ?? (isObject ? 'interval' : own)],
  };
}

const UNITS: Record<string, [string, string]> = {
  DAY: [t`day`, t`days`],
  WEEK: [t`week`, t`weeks`],
  MONTH: [t`month`, t`months`],
  YEAR: [t`year`, t`years`],
};
const unitName = (unit: string, count: JsonValue | undefined, title: string) => UNITS[unit]?.[count === 1 ? 0 : 1] ?? title;

export default function Interval(props: WidgetProps<JsonValue>) {
  const { form, schema, options, path, label, labelId, invalid, describedBy, required, compact } = props;
  const { store } = form;
  const places = placesOf(path, schema, options);
  const [countAt, unitAt] = [pointerOf(places.count), pointerOf(places.unit)];
  const count = store.get(places.count) as number | undefined;
  const unit = store.get(places.unit);
  const countSchema = schemaAt(store.schema, countAt) ?? {};
  const units = choicesOf(schemaAt(store.schema, unitAt) ?? {});
  const text = useText<number>({
    form,
    value: count,
    pointer: countAt,
    change: next => store.set(places.count, next),
    leave: () => {
      store.leave(countAt);
      props.leave();
    },
    read: typed => numberOf(typed, countSchema, UNITS[String(store.get(places.unit))]?.toReversed()),
    isRewritten: true,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    store.flush(countAt);
    const now = store.get(places.count);
    store.set(places.count, stepFrom(typeof now === 'number' ? now : undefined, by, countSchema));
  };
  const countWrong = store.errorAt(countAt) !== undefined || (invalid && store.errorAt(unitAt) === undefined);
  const word = textOption(options, 'prefix');
  return (
    <div role="group" aria-labelledby={labelId} className={compact ? 'f-interval f-interval-compact' : 'f-interval'}>
      {word && <span className="p-muted">{word}</span>}
      <input
        id={props.id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className="p-input p-tabular"
        aria-label={t`${label}: how many`}
        {...ariaProps({ invalid: countWrong, describedBy, required })}
        {...text}
        onKeyDown={onKeyDown}
      />
      <select
        className="p-input p-select"
        aria-label={t`${label}: unit`}
        value={String(unit ?? '')}
        {...ariaProps({ invalid: store.errorAt(unitAt) !== undefined, describedBy, required })}
        onBlur={() => {
          store.leave(unitAt);
          props.leave();
        }}
        onChange={event => store.set(places.unit, event.target.value)}
      >
        {(unit === undefined || unit === null) && (
          <option value="" disabled>
            {t`Choose …`}
          </option>
        )}
        {units.map(choice => (
          <option key={choice.key} value={choice.key}>
            {unitName(choice.key, count, choice.title)}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Show({
  schema,
  options,
  form,
  path,
}: {
  schema: Schema;
  options: JsonObject;
  form: FormHandle;
  path: WidgetProps['path'];
}) {
  const places = placesOf(path, schema, options);
  const [count, unit] = [form.store.get(places.count), form.store.get(places.unit)];
  if (count === undefined || count === null) return <>–</>;
  return (
    <>
      {[textOption(options, 'prefix'), String(count), unitName(String(unit), count, String(unit).toLowerCase())].filter(Boolean).join(' ')}
    </>
  );
}
