// One of a few choices that need a sentence each: cards to pick from.
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { numberOption } from '../../src/admin/form/fields/affix.tsx';
import { choicesOf } from '../../src/admin/form/fields/options.ts';
import type { JsonValue } from '../../src/contract/types.ts';

export const frame: Frame = 'group';

export default function RadioCards({
  id,
  labelId,
  schema,
  options,
  value,
  change,
  leave,
  describedBy,
  invalid,
  required,
}: WidgetProps<JsonValue>) {
  const choices = choicesOf(schema);
  const columns = numberOption(options, 'columns') ?? (choices.length === 2 || choices.length === 4 ? 2 : choices.length === 3 ? 3 : 1);
  return (
    <div
      role="radiogroup"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      aria-required={required || undefined}
      aria-invalid={invalid || undefined}
      className="f-cards-pick"
      style={{ '--f-columns': columns } as React.CSSProperties}
      onBlur={leave}
    >
      {choices.map((choice, index) => (
        <label className="f-pick" key={choice.key} data-chosen={value === choice.value}>
          <input
            type="radio"
            className="p-radio"
            name={id}
            id={index === 0 ? id : undefined}
            checked={value === choice.value}
            onChange={() => change(choice.value)}
          />
          <span className="f-choice-text">
            <span className="p-strong">{choice.title}</span>
            {choice.detail && <span className="p-hint">{choice.detail}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}
