// A length of time kept in one unit and typed in the one that suits it: 90 minutes, 2 hours, 3 days.
import { useState } from 'react';
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { numberOf } from '../../src/admin/form/fields/numbers.ts';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { writeDecimal } from '../../src/domain/text/typed-number.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

const SECONDS: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400, weeks: 604_800 };
const NAMES: Record<string, { one: string; many: string }> = {
  seconds: { one: t`second`, many: t`seconds` },
  minutes: { one: t`minute`, many: t`minutes` },
  hours: { one: t`hour`, many: t`hours` },
  days: { one: t`day`, many: t`days` },
  weeks: { one: t`week`, many: t`weeks` },
};
const unitNames = (unit: string): string[] => (NAMES[unit] ? [NAMES[unit].many, NAMES[unit].one] : []);
const baseOf = (options: JsonObject) => textOption(options, 'base') ?? 'minutes';
const unitsOf = (options: JsonObject): string[] => {
  const named = Array.isArray(options.units) ? options.units.map(String) : ['minutes', 'hours', 'days'];
  return named.filter(unit => SECONDS[unit]! >= SECONDS[baseOf(options)]!);
};
const sizeOf = (unit: string, options: JsonObject) => SECONDS[unit]! / SECONDS[baseOf(options)]!;
/** The largest unit that says a length without a remainder. */
const suiting = (value: JsonValue | undefined, options: JsonObject): string => {
  const units = unitsOf(options);
  return units.toReversed().find(unit => typeof value === 'number' && value > 0 && value % sizeOf(unit, options) === 0) ?? units[0]!;
};

export default function Duration(props: WidgetProps<number>) {
  const { id, label, labelId, schema, value, options, nullable, change, leave, form, pointer } = props;
  const [chosen, setChosen] = useState<string>();
  const unit = chosen ?? suiting(value, options);
  const size = sizeOf(unit, options);
  const text = useText<number>({
    ...props,
    show: length =>
      typeof length === 'number'
        ? writeDecimal(String(Number((length / size).toFixed(4))))
        : length === undefined || length === null
          ? ''
          : String(length),
    read: typed => {
      const count = numberOf(typed, schema, unitNames(unit));
      return count === undefined ? ((nullable ? null : undefined) as undefined) : Math.round(count * size * 1e6) / 1e6;
    },
    isRewritten: true,
  });
  const changeUnit = (next: string) => {
    form.store.flush(pointer);
    const count = numberOf(text.ref.current?.value ?? '', schema, unitNames(unit));
    setChosen(next);
    if (count !== undefined) change(count * sizeOf(next, options));
    leave();
  };
  return (
    <div role="group" aria-labelledby={labelId} className="f-interval">
      <input
        key={unit}
        id={id}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        className="p-input p-tabular"
        aria-label={t`${label}: how many`}
        {...ariaProps(props)}
        {...text}
      />
      <select className="p-input p-select" aria-label={t`${label}: unit`} value={unit} onChange={event => changeUnit(event.target.value)}>
        {unitsOf(options).map(one => (
          <option key={one} value={one}>
            {(value === sizeOf(one, options) ? NAMES[one]?.one : NAMES[one]?.many) ?? one}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Show({ value, options }: { value: JsonValue; options: JsonObject }) {
  if (typeof value !== 'number') return <>–</>;
  const unit = suiting(value, options);
  const count = value / sizeOf(unit, options);
  const name = count === 1 ? NAMES[unit]?.one : NAMES[unit]?.many;
  return <>{`${count} ${name ?? unit}`}</>;
}
