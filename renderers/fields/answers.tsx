// One of what a call answers for the form as it is filled in so far: saved addresses and cards of the
// chosen customer, plans of the chosen products.
import { useEffect, useRef } from 'react';
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useAnswers } from '../../src/admin/form/fields/answers.ts';
import { keyOf } from '../../src/admin/form/fields/options.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export default function Answers(props: WidgetProps<JsonValue>) {
  const { id, options, value, required, nullable, change, leave, describedBy, invalid, form } = props;
  const { choices, error } = useAnswers(form, options);
  const none = textOption(options, 'none');
  const touched = useRef(value !== undefined);
  const isGone = value !== undefined && value !== null && choices !== undefined && !choices.some(choice => choice.value === value);
  const first = options.first === true ? choices?.[0]?.value : undefined;
  useEffect(() => {
    if (choices === undefined) return;
    // A card of another customer, a plan that no longer fits: what depends on another field follows it.
    if (isGone) change(first ?? (nullable ? null : undefined));
    else if (first !== undefined && (value === undefined || (value === null && !touched.current))) change(first);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- every drawing makes a new `change`
  }, [choices === undefined, isGone, first, value]);
  if (choices !== undefined && choices.length === 0 && none === undefined)
    return (
      <p id={id} className="p-hint" aria-describedby={describedBy}>
        {error ?? textOption(options, 'empty') ?? t`There is nothing to choose yet.`}
      </p>
    );
  const key = value === undefined || value === null ? '' : keyOf(value);
  return (
    <>
      <select
        id={id}
        className="p-input p-select"
        value={key}
        {...ariaProps({ invalid, describedBy, required })}
        onBlur={leave}
        onChange={event => {
          touched.current = true;
          const found = choices?.find(choice => keyOf(choice.value) === event.target.value);
          change(found ? found.value : nullable ? null : undefined);
          leave();
        }}
      >
        {(none !== undefined || key === '') && (
          <option value="" disabled={none === undefined}>
            {none ?? t`Choose …`}
          </option>
        )}
        {choices?.map(choice => (
          <option key={keyOf(choice.value)} value={keyOf(choice.value)}>
            {choice.detail ? `${choice.title} (${choice.detail})` : choice.title}
          </option>
        ))}
      </select>
      {error && (
        <p className="p-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
