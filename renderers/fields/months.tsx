// Several months; 1 is January.
import { MONTHS } from '../../src/admin/form/fields/calendar-names.ts';
import { Pills } from '../../src/admin/form/fields/pills.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';
const ALL = MONTHS.short.map((short, i) => ({ value: i + 1, short, long: MONTHS.long[i]! }));

export default function Months(props: WidgetProps<number[]>) {
  return <Pills {...props} pills={ALL} columns={6} value={props.value ?? []} change={props.change} />;
}

export function Show({ value }: { value: JsonValue }) {
  const months = Array.isArray(value) ? value.map(Number) : [];
  return <>{months.length === 12 ? t`Every month` : months.map(month => MONTHS.long[month - 1]).join(', ') || t`None`}</>;
}
