// An e-mail address.
import { AffixInput, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';

export default function Email(props: WidgetProps<string>) {
  const { id, schema, options, nullable, required } = props;
  // Pasted addresses often come as "Ann Lee <ann@example.com>".
  const read = (typed: string) =>
    (typed.trim() === '' ? emptyText(schema, nullable, required) : (/<([^<>\s]+)>\s*$/.exec(typed)?.[1] ?? typed.trim())) as
      | string
      | undefined;
  const text = useText<string>({ ...props, read });
  return (
    <AffixInput
      id={id}
      type="email"
      inputMode="email"
      autoComplete={textOption(options, 'autocomplete') ?? 'off'}
      autoCapitalize="none"
      spellCheck={false}
      placeholder={textOption(options, 'placeholder') ?? 'name@example.com'}
      {...ariaProps(props)}
      {...text}
    />
  );
}
