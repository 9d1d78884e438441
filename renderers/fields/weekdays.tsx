// Several weekdays; 1 is Monday.
import { WEEKDAYS } from '../../src/admin/form/fields/calendar-names.ts';
import { Pills } from '../../src/admin/form/fields/pills.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { DAYS } from './weekday.tsx';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

export default function Weekdays(props: WidgetProps<number[]>) {
  return <Pills {...props} pills={DAYS} value={props.value ?? []} change={props.change} />;
}

export function Show({ value }: { value: JsonValue }) {
  const days = Array.isArray(value) ? value.map(Number) : [];
  return <>{days.length === 7 ? t`Every day` : days.map(day => WEEKDAYS.long[day - 1]).join(', ') || t`None`}</>;
}
