// An hour of the day, 0 to 23, or not set.
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { hourName, zoneName } from '../../src/admin/form/fields/calendar-names.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export default function Hour(props: WidgetProps<number>) {
  const { id, value, nullable, options, change, leave, schema } = props;
  return (
    <select
      id={id}
      className="p-input p-select"
      value={value ?? ''}
      {...ariaProps(props)}
      onBlur={leave}
      onChange={event => {
        change((event.target.value === '' ? (nullable ? null : undefined) : Number(event.target.value)) as number | undefined);
        leave();
      }}
    >
      {(nullable || value === undefined || value === null) && (
        <option value="" disabled={!nullable}>
          {textOption(options, 'empty') ?? (nullable ? t`Not set` : t`Choose …`)}
        </option>
      )}
      {HOURS.filter(hour => hour >= (schema.minimum ?? 0) && hour <= (schema.maximum ?? 23)).map(hour => (
        <option key={hour} value={hour}>
          {hourName(hour)}
        </option>
      ))}
    </select>
  );
}

export function Show({ value, options, form }: { value: JsonValue; options: Record<string, JsonValue>; form: WidgetProps['form'] }) {
  return (
    <>
      {typeof value === 'number'
        ? `${hourName(value)}, ${zoneName(form.timezone, form.now())}`
        : (textOption(options, 'empty') ?? t`Not set`)}
    </>
  );
}
