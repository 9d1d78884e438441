// The number of a payment card, written in groups as it stands on the card, with the brand it begins like. It is
// handed to the card vault and kept nowhere.
import { useState } from 'react';
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { PaymentBrandIcon } from '../../src/admin/ui/payment-brand.tsx';
import { MenuButton } from '../../src/admin/ui/overlays/menu.tsx';
import { useQuery } from '@tanstack/react-query';
import { at } from '../../src/contract/paths.ts';
import { brandOf, digitsOf, groupedDigits, passesLuhn, type PaymentBrand } from '../../src/domain/text/card.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

/** Where the cursor goes when the digits are grouped again: behind as many digits as before. */
function cursorBehind(text: string, digits: number): number {
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    if (seen === digits) return i;
    if (/\d/.test(text[i]!)) seen += 1;
  }
  return text.length;
}

export default function CardNumber(props: WidgetProps<string>) {
  const { id, options, value, form } = props;
  const [brand, setBrand] = useState<PaymentBrand | undefined>(() => brandOf(digitsOf(value ?? '')));
  const text = useText<string>({
    ...props,
    read: typed => (typed.trim() === '' ? undefined : typed.trim()) as string | undefined,
    errorOf: typed =>
      digitsOf(typed).length >= 12 && !/[^\d ]/.test(typed) && !passesLuhn(digitsOf(typed))
        ? t`This number has a typing mistake. Compare it with the card.`
        : undefined,
  });
  const write = (input: HTMLInputElement): void => {
    setBrand(brandOf(digitsOf(input.value)));
    if (/[^\d \-.]/.test(input.value)) return; // no number: its rule refuses it, it is not repaired
    const cursor = input.selectionStart ?? input.value.length;
    const before = digitsOf(input.value.slice(0, cursor)).length;
    const grouped = groupedDigits(digitsOf(input.value).slice(0, 19));
    if (grouped === input.value) return;
    input.value = grouped;
    input.setSelectionRange(cursorBehind(grouped, before), cursorBehind(grouped, before));
  };
  const tests = useTests(form.services, options);
  const use = (number: string): void => {
    if (!text.ref.current) return;
    text.ref.current.value = number;
    setBrand(brandOf(digitsOf(number)));
    text.onInput();
    text.ref.current.focus();
  };
  return (
    <>
      <div className="p-affix f-card">
        <span className="p-affix-text">
          <PaymentBrandIcon brand={brand} />
        </span>
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          className="p-input p-tabular"
          placeholder="1234 1234 1234 1234"
          maxLength={30}
          {...ariaProps(props)}
          {...text}
          onInput={event => {
            write(event.currentTarget);
            text.onInput();
          }}
        />
      </div>
      {tests.length > 0 && (
        <p className="f-card-tests p-hint">
          {t`No real card can be entered in this store.`}{' '}
          <MenuButton
            label={t`Use a test card`}
            className="p-link"
            align="start"
            items={[
              { kind: 'head', title: t`What it does when it is charged` },
              ...tests.map(one => ({ title: one.title, hint: one.number.slice(-4), onSelect: () => use(one.number) })),
            ]}
          >
            {t`Use a test card`}
          </MenuButton>
        </p>
      )}
    </>
  );
}

/** Cards for trying things out, where the vault has some. */
function useTests(services: WidgetProps['form']['services'], options: JsonObject): { title: string; number: string }[] {
  const call = textOption(options, 'tests');
  const { data } = useQuery<JsonValue>({
    queryKey: ['answers', call ?? '', {}],
    enabled: call !== undefined,
    staleTime: 300_000,
    retry: false,
    queryFn: ({ signal }) => services.ask(call ?? '', {}, signal),
  });
  const found = at(data ?? null, textOption(options, 'list') ?? '');
  return Array.isArray(found) ? (found as { title: string; number: string }[]) : [];
}
