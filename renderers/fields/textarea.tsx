// Text of several lines; the box grows with it.
import { useState } from 'react';
import { ariaProps, numberOption, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';

export default function Textarea(props: WidgetProps<string>) {
  const { id, schema, options, nullable, required, value } = props;
  const text = useText<string, HTMLTextAreaElement>({
    ...props,
    read: typed => (typed.trim() === '' ? emptyText(schema, nullable, required) : typed) as string | undefined,
  });
  const limit = options.counter === true ? schema.maxLength : undefined;
  const [length, setLength] = useState(value?.length ?? 0);
  return (
    <div className="f-textarea">
      <textarea
        className={options.mono === true ? 'p-input p-mono' : 'p-input'}
        id={id}
        rows={numberOption(options, 'rows') ?? 3}
        placeholder={textOption(options, 'placeholder')}
        {...ariaProps(props)}
        {...text}
        onInput={() => {
          text.onInput();
          if (limit) setLength(text.ref.current?.value.length ?? 0);
        }}
      />
      {limit && (
        <span className={length > limit ? 'f-counter f-counter-over' : 'f-counter'} aria-hidden="true">
          {length} / {limit}
        </span>
      )}
    </div>
  );
}
