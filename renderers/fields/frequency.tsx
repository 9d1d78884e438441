// A frequency whose count is this field and whose unit is the field beside it.
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import Interval from './interval.tsx';

export { frame, Show } from './interval.tsx';

export default function Frequency(props: WidgetProps<JsonValue>) {
  return <Interval {...props} />;
}
