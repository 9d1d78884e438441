// A length with its unit ("16px"): a number, and the unit to choose where there is more than one.
import type { KeyboardEvent } from 'react';
import { AffixInput, ariaProps } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { splitUnit } from '../../src/domain/widgets/style-attributes.ts';
import { noNumber, readDecimal, writeDecimal } from '../../src/domain/text/typed-number.ts';
import { t } from '../../src/domain/text/t.ts';

const numberIn = (value: JsonValue | undefined): string => {
  const { value: number } = splitUnit(value);
  return typeof number === 'number' || typeof number === 'string' ? String(number) : '';
};

export default function Size(props: WidgetProps<string>) {
  const { id, label, options, form, pointer, path, value, change, leave } = props;
  const units = Array.isArray(options.units) ? options.units.map(String) : ['px'];
  const unitOf = (of: JsonValue | undefined): string => splitUnit(of).unit ?? units[0] ?? 'px';
  const text = useText<string>({
    ...props,
    show: of => writeDecimal(numberIn(of)),
    errorOf: typed => (typed.trim() !== '' && readDecimal(typed, units) === undefined ? noNumber(typed) : undefined),
    read: typed => {
      if (typed.trim() === '') return undefined;
      const plain = readDecimal(typed, units);
      return plain === undefined || plain.startsWith('-') ? typed.trim() : `${plain}${unitOf(form.store.get(path))}`;
    },
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (!by || event.altKey) return;
    event.preventDefault();
    form.store.flush(pointer);
    const now = form.store.get(path);
    change(`${Math.max(0, Number(numberIn(now)) + by * (event.shiftKey ? 10 : 1))}${unitOf(now)}`);
  };
  const onlyUnit = units.length === 1 ? units[0] : undefined;
  return (
    <AffixInput
      id={id}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      maxLength={10}
      className="p-input p-tabular"
      {...ariaProps(props)}
      {...text}
      onKeyDown={onKeyDown}
      after={
        onlyUnit ?? (
          <select
            className="p-input p-select f-size-unit"
            aria-label={t`${label}: unit`}
            value={unitOf(value)}
            onBlur={leave}
            onChange={event => change(`${numberIn(form.store.get(path)) || '0'}${event.target.value}`)}
          >
            {units.map(unit => (
              <option key={unit}>{unit}</option>
            ))}
          </select>
        )
      }
    />
  );
}
