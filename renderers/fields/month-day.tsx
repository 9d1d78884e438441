// A day of the month, 1 to 31; 32 is the last day whatever the month.
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { monthDayName } from '../../src/admin/form/fields/calendar-names.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

const DAYS = Array.from({ length: 32 }, (_, i) => i + 1);

export default function MonthDay(props: WidgetProps<number>) {
  const { id, value, nullable, options, change, leave, schema } = props;
  const days = DAYS.filter(day => day >= (schema.minimum ?? 1) && day <= (schema.maximum ?? 32));
  return (
    <>
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
            {textOption(options, 'empty') ?? (nullable ? t`Disabled` : t`Choose …`)}
          </option>
        )}
        {days.map(day => (
          <option key={day} value={day}>
            {monthDayName(day)}
          </option>
        ))}
      </select>
      {!props.compact && typeof value === 'number' && value > 28 && value < 32 && (
        <p className="p-help">{t`In shorter months it is the last day.`}</p>
      )}
    </>
  );
}

export function Show({ value }: { value: JsonValue }) {
  return <>{typeof value === 'number' ? monthDayName(value) : '–'}</>;
}
