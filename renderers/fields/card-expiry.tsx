// When a payment card expires, "MM/YY". The slash comes by itself; four digits, a year in full and a
// single digit for the month are read too.
import { ariaProps } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { expiresAt, expiryOf, readExpiry } from '../../src/domain/text/card.ts';
import { t } from '../../src/domain/text/t.ts';

/** How far ahead a card can be issued, 26 years: beyond it is a typing mistake. */
const YEARS_MS = 26 * 365.25 * 86_400_000;

export default function CardExpiry(props: WidgetProps<string>) {
  const { id, form } = props;
  const text = useText<string>({
    ...props,
    read: typed => (typed.trim() === '' ? undefined : readExpiry(typed)) as string | undefined,
    errorOf: typed => {
      const expiry = expiryOf(readExpiry(typed));
      if (!expiry) return undefined;
      if (expiresAt(expiry) <= form.now()) return t`This card has expired.`;
      return expiresAt(expiry) > form.now() + YEARS_MS ? t`No card is good for so long. Check the year.` : undefined;
    },
  });
  const slash = (input: HTMLInputElement, isDeleting: boolean): void => {
    const atEnd = input.selectionStart === input.value.length;
    if (/^[2-9]$/.test(input.value)) input.value = `0${input.value}`;
    if (atEnd && !isDeleting && /^\d{2}$/.test(input.value)) input.value = `${input.value}/`;
    else if (/^\d{3,4}$/.test(input.value)) input.value = `${input.value.slice(0, 2)}/${input.value.slice(2)}`;
  };
  return (
    <input
      id={id}
      type="text"
      inputMode="numeric"
      autoComplete="off"
      className="p-input p-tabular"
      placeholder="MM/YY"
      maxLength={10}
      {...ariaProps(props)}
      {...text}
      onInput={event => {
        slash(event.currentTarget, (event.nativeEvent as InputEvent).inputType?.startsWith('delete') === true);
        text.onInput();
      }}
    />
  );
}
