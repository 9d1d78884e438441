// One of a few short choices side by side.
import { choicesOf } from '../../src/admin/form/fields/options.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';

export const frame: Frame = 'group';

export default function Options({ id, labelId, schema, value, change, leave, describedBy, invalid, required }: WidgetProps<JsonValue>) {
  return (
    <div
      role="radiogroup"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      aria-required={required || undefined}
      aria-invalid={invalid || undefined}
      className="f-segment"
      onBlur={leave}
    >
      {choicesOf(schema).map((choice, index) => (
        <label className="f-segment-one" key={choice.key}>
          <input
            type="radio"
            name={id}
            id={index === 0 ? id : undefined}
            checked={value === choice.value}
            onChange={() => change(choice.value)}
          />
          <span>{choice.title}</span>
        </label>
      ))}
    </div>
  );
}
