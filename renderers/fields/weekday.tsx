// One weekday; 1 is Monday.
import { WEEKDAYS } from '../../src/admin/form/fields/calendar-names.ts';
import { OnePill } from '../../src/admin/form/fields/pills.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';

export const frame: Frame = 'group';
export const DAYS = WEEKDAYS.short.map((short, i) => ({ value: i + 1, short, long: WEEKDAYS.long[i]! }));

export default function Weekday(props: WidgetProps<number>) {
  return (
    <OnePill
      {...props}
      pills={DAYS}
      change={day => {
        props.change(day);
        props.leave();
      }}
    />
  );
}

export function Show({ value }: { value: JsonValue }) {
  return <>{WEEKDAYS.long[Number(value) - 1] ?? String(value)}</>;
}
