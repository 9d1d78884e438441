// Small buttons side by side of which several (or one) can be on: weekdays, months.
import type { WidgetProps } from './widget.ts';

export interface Pill {
  value: number;
  short: string;
  long: string;
}

export function Pills({
  id,
  labelId,
  describedBy,
  invalid,
  pills,
  value,
  change,
  leave,
  columns,
}: Pick<WidgetProps<number[]>, 'id' | 'labelId' | 'describedBy' | 'invalid' | 'leave'> & {
  pills: Pill[];
  value: number[];
  change: (value: number[]) => void;
  columns?: number;
}) {
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      className="f-pills"
      style={columns ? ({ '--f-columns': columns } as React.CSSProperties) : undefined}
      data-grid={columns ? true : undefined}
      onBlur={leave}
    >
      {pills.map((pill, index) => (
        <label className="f-pill" key={pill.value} title={pill.long}>
          <input
            type="checkbox"
            id={index === 0 ? id : undefined}
            aria-invalid={invalid || undefined}
            aria-label={pill.long}
            checked={value.includes(pill.value)}
            onChange={event =>
              change(event.target.checked ? [...value, pill.value].sort((a, b) => a - b) : value.filter(one => one !== pill.value))
            }
          />
          <span aria-hidden="true">{pill.short}</span>
        </label>
      ))}
    </div>
  );
}

/** The same with one choice. */
export function OnePill({
  id,
  labelId,
  describedBy,
  invalid,
  required,
  pills,
  value,
  change,
  leave,
}: Pick<WidgetProps<number>, 'id' | 'labelId' | 'describedBy' | 'invalid' | 'required' | 'leave'> & {
  pills: Pill[];
  value: number | undefined;
  change: (value: number) => void;
}) {
  return (
    <div
      role="radiogroup"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      aria-required={required || undefined}
      aria-invalid={invalid || undefined}
      className="f-pills"
      onBlur={leave}
    >
      {pills.map((pill, index) => (
        <label className="f-pill" key={pill.value} title={pill.long}>
          <input
            type="radio"
            name={id}
            id={index === 0 ? id : undefined}
            aria-label={pill.long}
            checked={value === pill.value}
            onChange={() => change(pill.value)}
          />
          <span aria-hidden="true">{pill.short}</span>
        </label>
      ))}
    </div>
  );
}
