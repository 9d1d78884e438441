// A key or password: hidden while it is typed. What is kept already stands there as its mask, which leaves it as it is.
import { AffixInput, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';

const isMask = (value: unknown): boolean => typeof value === 'string' && value.startsWith('••••');

export default function Secret(props: WidgetProps<string>) {
  const { id, schema, options, nullable, required, value } = props;
  const text = useText<string>({
    ...props,
    read: typed => (typed.trim() === '' ? emptyText(schema, nullable, required) : typed.trim()) as string | undefined,
  });
  return (
    <AffixInput
      id={id}
      // A mask is nothing to hide.
      type={isMask(value) ? 'text' : 'password'}
      className="p-input p-mono"
      placeholder={textOption(options, 'placeholder')}
      autoComplete="new-password"
      spellCheck={false}
      {...ariaProps(props)}
      {...text}
    />
  );
}
