// A country by its two-letter code.
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { country } from '../../src/admin/platform/format.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import Select from './select.tsx';
import { t } from '../../src/domain/text/t.ts';

export default function Country(props: WidgetProps<JsonValue>) {
  return <Select {...props} options={{ placeholder: t`Choose a country`, ...props.options, source: 'countries' }} />;
}

export function Show({ value }: { value: JsonValue }) {
  return <>{country(String(value))}</>;
}
