// A time of day, "09:30".
import { ariaProps } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { t } from '../../src/domain/text/t.ts';

export default function TimeField(props: WidgetProps<string>) {
  const text = useText<string>({
    ...props,
    show: value => (value ?? '').slice(0, 5),
    read: typed => (typed || (props.nullable ? null : undefined)) as string | undefined,
    errorOf: (_typed, input) => (input.validity.badInput ? t`Enter hours and minutes.` : undefined),
  });
  return <input id={props.id} type="time" className="p-input f-date" {...ariaProps(props)} {...text} />;
}
