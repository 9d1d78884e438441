// The field in which the number of subscriptions is typed before what can't be undone starts (typed-confirmation.ts).
import { type ReactElement, useId } from 'react';
import { count } from '../../../platform/format.ts';
import { tx } from '../../../ui/tx.ts';

export function TypedNumber({
  of,
  value,
  onChange,
}: {
  /** How many subscriptions there are. */
  of: number;
  value: string;
  onChange: (text: string) => void;
}): ReactElement {
  const id = useId();
  return (
    <div className="p-field">
      <label className="p-label" htmlFor={id}>
        {tx`To confirm, type the number of subscriptions: ${count(of)}`}
      </label>
      <input
        id={id}
        className="p-input p-tabular"
        style={{ maxWidth: 180 }}
        inputMode="numeric"
        autoComplete="off"
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  );
}
