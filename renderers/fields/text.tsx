// A line of text.
import { AffixInput, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';

export default function Text(props: WidgetProps<string>) {
  const { id, schema, options, nullable, required } = props;
  const text = useText<string>({
    ...props,
    read: typed => (typed.trim() === '' ? emptyText(schema, nullable, required) : typed.trim()) as string | undefined,
  });
  return (
    <AffixInput
      id={id}
      type="text"
      className={options.mono === true ? 'p-input p-mono' : 'p-input'}
      placeholder={textOption(options, 'placeholder')}
      autoComplete={textOption(options, 'autocomplete') ?? 'off'}
      before={textOption(options, 'prefix')}
      after={textOption(options, 'suffix') ?? textOption(options, 'unit')}
      spellCheck={options.mono === true ? false : undefined}
      {...ariaProps(props)}
      {...text}
    />
  );
}
