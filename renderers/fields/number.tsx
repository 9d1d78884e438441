// A number with its unit. Arrow keys step; buttons do too where `steppers` is set.
import { Minus, Plus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { AffixInput, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { limitsOf, numberOf, stepFrom } from '../../src/admin/form/fields/numbers.ts';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { t } from '../../src/domain/text/t.ts';

export default function NumberField(props: WidgetProps<number>) {
  const { id, label, schema, options, nullable, value, change, form, pointer } = props;
  const unit = textOption(options, 'unit');
  const text = useText<number>({
    ...props,
    read: typed => (numberOf(typed, schema, unit === undefined ? [] : [unit]) ?? (nullable ? null : undefined)) as number | undefined,
    isRewritten: true,
  });
  const step = (by: number) => {
    form.store.flush(pointer);
    const now = form.store.get(props.path);
    change(stepFrom(typeof now === 'number' ? now : undefined, by, schema));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (!by || event.altKey) return;
    event.preventDefault();
    step(by * (event.shiftKey ? 10 : 1));
  };
  const { min, max } = limitsOf(schema);
  const steppers = options.steppers === true && !props.compact;
  return (
    <div className={steppers ? 'f-stepper' : undefined}>
      <AffixInput
        id={id}
        type="text"
        inputMode={schema.type === 'integer' && min >= 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        className="p-input p-tabular"
        placeholder={textOption(options, 'placeholder') ?? textOption(options, 'empty')}
        before={textOption(options, 'prefix')}
        after={steppers ? undefined : unit}
        {...ariaProps(props)}
        {...text}
        onKeyDown={onKeyDown}
      />
      {steppers && (
        <>
          {unit && (
            <span className="f-stepper-unit" aria-hidden="true">
              {unit}
            </span>
          )}
          <button
            type="button"
            className="p-icon-btn f-step"
            aria-label={t`Less: ${label}`}
            disabled={typeof value === 'number' && value <= min}
            onClick={() => step(-1)}
          >
            <Minus aria-hidden="true" />
          </button>
          <button
            type="button"
            className="p-icon-btn f-step"
            aria-label={t`More: ${label}`}
            disabled={typeof value === 'number' && value >= max}
            onClick={() => step(1)}
          >
            <Plus aria-hidden="true" />
          </button>
        </>
      )}
    </div>
  );
}
