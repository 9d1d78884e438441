// A calendar day, "2026-03-31".
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { plainDay } from '../../src/admin/platform/format.ts';
import { addDays, dayOf } from '../../src/admin/platform/time-zone.ts';
import { t } from '../../src/domain/text/t.ts';

export default function DateField(props: WidgetProps<string>) {
  const { id, schema, options, nullable, form } = props;
  const limit = (name: 'min' | 'max', bound: string | undefined) => {
    const word = textOption(options, name);
    const today = /^today(?:([+-]\d+))?$/.exec(word ?? '');
    return today ? addDays(dayOf(form.now(), form.timezone), Number(today[1] ?? 0)) : (word ?? bound);
  };
  const [min, max] = [limit('min', schema.formatMinimum), limit('max', schema.formatMaximum)];
  const text = useText<string>({
    ...props,
    read: typed => (typed || (nullable ? null : undefined)) as string | undefined,
    errorOf: (typed, input) => {
      if (input.validity.badInput) return t`Enter the whole date: day, month and year.`;
      if (typed && min && typed < min) return t`Choose ${plainDay(min)} or a later day.`;
      if (typed && max && typed > max) return t`Choose ${plainDay(max)} or an earlier day.`;
      return undefined;
    },
  });
  return <input id={id} type="date" className="p-input f-date" min={min} max={max} {...ariaProps(props)} {...text} />;
}
