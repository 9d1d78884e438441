// The day on which a frequency falls: a weekday for weeks, a day of the month for months and years.
import { useChannel } from '../../src/admin/form/engine/hooks.ts';
import { monthDayName, WEEKDAYS } from '../../src/admin/form/fields/calendar-names.ts';
import { pointerOf } from '../../src/admin/form/engine/path.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { ariaProps } from '../../src/admin/form/fields/affix.tsx';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import MonthDay from './month-day.tsx';
import { t } from '../../src/domain/text/t.ts';

const unitAt = (path: WidgetProps['path'], options: JsonObject) => [...path.slice(0, -1), String(options.unitField)];

export default function AnchorDay(props: WidgetProps<number>) {
  const { id, form, path, options, value, nullable, schema, change, leave } = props;
  useChannel(form.store, pointerOf(unitAt(path, options)));
  const unit = form.store.get(unitAt(path, options));
  if (unit !== 'WEEK')
    return (
      <MonthDay
        {...props}
        options={{ empty: t`Choose a day` }}
        schema={{ ...schema, maximum: unit === 'YEAR' ? 31 : (schema.maximum ?? 32) }}
      />
    );
  const known = typeof value === 'number' && value >= 1 && value <= 7;
  return (
    <select
      id={id}
      className="p-input p-select"
      value={known ? value : ''}
      {...ariaProps(props)}
      onBlur={leave}
      onChange={event => {
        change((event.target.value === '' ? (nullable ? null : undefined) : Number(event.target.value)) as number | undefined);
        leave();
      }}
    >
      {!known && (
        <option value="" disabled>
          {t`Choose a day`}
        </option>
      )}
      {WEEKDAYS.long.map((day, i) => (
        <option key={day} value={i + 1}>
          {day}
        </option>
      ))}
    </select>
  );
}

export function Show({
  value,
  options,
  form,
  path,
}: {
  value: JsonValue;
  options: JsonObject;
  form: WidgetProps['form'];
  path: WidgetProps['path'];
}) {
  if (typeof value !== 'number') return <>–</>;
  return <>{form.store.get(unitAt(path, options)) === 'WEEK' ? WEEKDAYS.long[value - 1] : monthDayName(value)}</>;
}
