// How much a discount takes off: a percentage or an amount, as the field beside it says.
import { AffixInput, ariaProps } from '../../src/admin/form/fields/affix.tsx';
import { useChannel } from '../../src/admin/form/engine/hooks.ts';
import { plainOf } from '../../src/admin/form/fields/numbers.ts';
import { pointerOf } from '../../src/admin/form/engine/path.ts';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { writeDecimal } from '../../src/domain/text/typed-number.ts';
import { money } from '../../src/admin/platform/format.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import Money from './money.tsx';
import Percentage from './percentage.tsx';

const typeAt = (path: WidgetProps['path'], options: JsonObject): WidgetProps['path'] => {
  const field = String(options.typeField);
  return field.startsWith('/') ? field.slice(1).split('/') : [...path.slice(0, -1), field];
};

export default function DiscountValue(props: WidgetProps<string | number>) {
  const { form, path, options, schema } = props;
  useChannel(form.store, pointerOf(typeAt(path, options)));
  const isShare = form.store.get(typeAt(path, options)) === 'PERCENTAGE';
  // Amounts are decimal strings where the schema allows them, so that no cent is lost.
  const types = [schema.type].flat();
  if (isShare && !types.includes('number')) return <Share {...(props as WidgetProps<string>)} />;
  if (isShare) return <Percentage {...(props as WidgetProps<number>)} schema={{ ...schema, type: 'number', minimum: 0, maximum: 100 }} />;
  return <Money {...props} schema={{ ...schema, type: types.includes('string') ? 'string' : 'number' }} />;
}

/** A percentage that goes over the wire as text, as the amounts in its place do. */
function Share(props: WidgetProps<string>) {
  const text = useText<string>({
    ...props,
    show: value => writeDecimal(String(value ?? '').replace(/\.0+$/, '')),
    read: typed => plainOf(typed, props.schema, ['%']),
    isRewritten: true,
  });
  return (
    <AffixInput
      id={props.id}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      className="p-input p-tabular"
      after="%"
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
  form: WidgetProps['form'];
  path: WidgetProps['path'];
}) {
  return <>{form.store.get(typeAt(path, options)) === 'PERCENTAGE' ? `${String(value)}%` : money(value as string, form.currency)}</>;
}
