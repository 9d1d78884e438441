// What figures are narrowed to, as on the pages of analytics: a button for each filter, with the values that the store has.
import { choiceLabel, FilterBar, useFilterChoices } from '../../src/admin/dashboard/analytics/filters.tsx';
import '../../src/admin/dashboard/analytics/analytics.css';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { FILTER_NAMES, FILTERS, type FilterName } from '../../src/domain/analytics/facts.ts';
import { t, translated } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

type Values = (string | number)[];

export default function FigureFilters({ value, change, leave }: WidgetProps<JsonObject>) {
  const held = value ?? {};
  const chosen = Object.fromEntries(Object.entries(held).map(([name, values]) => [name, (values as Values).map(String)]));
  const put = (name: string, values: readonly string[]): void => {
    const { [name]: _before, ...others } = held;
    const typed: Values = 'isId' in FILTERS[name as FilterName] ? values.map(Number) : [...values];
    change(typed.length ? { ...others, [name]: typed } : others);
  };
  return (
    <div onBlur={leave}>
      <FilterBar names={FILTER_NAMES} chosen={chosen} put={put} clear={() => change({})} />
    </div>
  );
}

export function Show({ value }: { value: JsonValue }) {
  const entries = Object.entries((value ?? {}) as Record<string, Values>).filter(([, values]) => values.length);
  if (entries.length === 0) return <>{t`Everything`}</>;
  return (
    <ul className="p-plain-list">
      {entries.map(([name, values]) => (
        <li key={name}>
          <Words name={name} values={values} />
        </li>
      ))}
    </ul>
  );
}

/** One filter in words, with the names of what is chosen. */
function Words({ name, values }: { name: string; values: Values }) {
  const { data } = useFilterChoices(name);
  return <>{`${translated(FILTERS[name as FilterName].title)}: ${values.map(one => choiceLabel(data, String(one))).join(', ')}`}</>;
}
