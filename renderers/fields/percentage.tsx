// A percentage: the number, with its sign.
import NumberField from './number.tsx';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';

export default function Percentage(props: WidgetProps<number>) {
  return <NumberField {...props} options={{ ...props.options, unit: '%' }} />;
}
