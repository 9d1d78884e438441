// A text input with something before or after it inside the same box: a unit, a currency, a button.
import type { InputHTMLAttributes, ReactNode, Ref } from 'react';

type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export function AffixInput({ before, after, ...input }: InputProps & { before?: ReactNode; after?: ReactNode }) {
  if (!before && !after) return <input className="p-input" {...input} />;
  return (
    <div className="p-affix">
      {before &&
        (typeof before === 'string' ? (
          <span className="p-affix-text" aria-hidden="true">
            {before}
          </span>
        ) : (
          before
        ))}
      <input className="p-input" {...input} />
      {after &&
        (typeof after === 'string' ? (
          <span className="p-affix-text" aria-hidden="true">
            {after}
          </span>
        ) : (
          after
        ))}
    </div>
  );
}

/** What every control of a widget says about itself. */
export const ariaProps = (props: { invalid: boolean; describedBy: string | undefined; required: boolean }) => ({
  'aria-invalid': props.invalid || undefined,
  'aria-describedby': props.describedBy,
  'aria-required': props.required || undefined,
});

/** An option of a widget where it is a text, else undefined. */
export const textOption = (options: Record<string, unknown>, name: string): string | undefined =>
  typeof options[name] === 'string' ? (options[name] as string) : undefined;
export const numberOption = (options: Record<string, unknown>, name: string): number | undefined =>
  typeof options[name] === 'number' ? (options[name] as number) : undefined;
