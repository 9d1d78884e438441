// An amount of money: the currency's sign, its number of decimals, a decimal string as the value.
import { AffixInput, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { plainOf } from '../../src/admin/form/fields/numbers.ts';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { currencySymbol, minorDigits } from '../../src/domain/money/money.ts';
import { money } from '../../src/admin/platform/format.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { readDecimal, writeDecimal } from '../../src/domain/text/typed-number.ts';
import { t } from '../../src/domain/text/t.ts';

/** An amount as it goes over the wire. */
const AMOUNT = /^-?\d+(\.\d+)?$/;

/** The currency of an amount: named by the options, held by a field beside it, else the store's. */
function currencyOf(options: JsonObject, form: FormHandle, path: WidgetProps['path']): string {
  const beside = typeof options.currencyField === 'string' ? form.store.get([...path.slice(0, -1), options.currencyField]) : undefined;
  const code = textOption(options, 'currency') ?? (typeof beside === 'string' ? beside : form.currency);
  try {
    minorDigits(code);
    return code;
  } catch {
    return form.currency;
  }
}

export default function Money(props: WidgetProps<string | number>) {
  const { id, schema, options, nullable, form, path } = props;
  const currency = currencyOf(options, form, path);
  const isOfEach = options.each === true;
  // Whose currency it will be is not known: the server refuses decimals where one has none.
  const digits = isOfEach ? Math.max(2, minorDigits(currency)) : minorDigits(currency);
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const written = (plain: string) => {
    const [whole = '0', decimals = ''] = plain.split('.');
    // Padded to the currency's decimals; surplus ones stay, so that nothing typed disappears.
    return digits ? `${whole}.${decimals.padEnd(digits, '0')}` : decimals.replace(/0+$/, '') ? plain : whole;
  };
  const units = [currency, currencySymbol(currency)];
  const text = useText<string | number>({
    ...props,
    show: value => {
      const plain = String(value ?? '');
      return AMOUNT.test(plain) ? writeDecimal(written(plain)) : plain;
    },
    read: typed => {
      const plain = plainOf(typed, schema, units);
      if (plain === undefined) return (nullable ? null : undefined) as undefined;
      return isNumber ? Number(plain) : written(plain);
    },
    isRewritten: true,
    errorOf: typed => {
      const decimals = (readDecimal(typed, units)?.split('.')[1] ?? '').replace(/0+$/, '');
      if (decimals.length <= digits) return undefined;
      return digits === 0
        ? t`Amounts in ${currency} have no decimals.`
        : isOfEach
          ? t`Amounts have at most ${digits} decimals.`
          : t`Amounts in ${currency} have at most ${digits} decimals.`;
    },
  });
  const symbol = currencySymbol(currency);
  return (
    <AffixInput
      id={id}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      className="p-input p-tabular"
      placeholder={textOption(options, 'placeholder')}
      before={isOfEach ? undefined : symbol}
      after={isOfEach || symbol === currency || options.code === false || props.compact ? undefined : currency}
      {...ariaProps(props)}
      {...text}
    />
  );
}

export function Show({
  value,
  options,
  form,
  path,
}: {
  value: JsonValue;
  options: JsonObject;
  form: FormHandle;
  path: WidgetProps['path'];
}) {
  return <>{options.each === true ? String(value) : money(value as string, currencyOf(options, form, path))}</>;
}
