// The inputs of a condition's row, by its kind of value and its operator; and a set of conditions in words.
import type { ConditionKind, ConditionSet, Takes } from '../../../contract/conditions.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { JsonValue, Schema } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

const made = new WeakMap<ConditionKind, Partial<Record<Takes, Schema>>>();

/** The schema that draws the value of a row; several values are a list, two are drawn one by one with the schema of one. */
export function inputOf(kind: ConditionKind, takes: Takes): Schema {
  const known = made.get(kind) ?? {};
  made.set(kind, known);
  return (known[takes] ??= takes === 'several' ? severalOf(kind) : { ...kind.value, title: t`Value` });
}

function severalOf({ value }: ConditionKind): Schema {
  const { 'x-ui': hints = {}, ...item } = value;
  const { unit: _unit, options: given, ...others } = hints;
  const options = given !== null && typeof given === 'object' && !Array.isArray(given) ? given : {};
  const isListed = optionsOf(value).length > 0;
  const widget = hints.of ? 'references' : isListed || options.source !== undefined ? 'multi-select' : 'tags';
  return {
    title: t`Values`,
    type: 'array',
    items: { ...item, ...(hints.of ? { 'x-ui': { of: hints.of } } : {}) },
    'x-ui': { ...others, widget, options: { ...options, ...(isListed ? { display: 'menu' } : {}) } },
  };
}

/** What a row begins with when its condition or operator is chosen. */
export const emptyValue = (takes: Takes): JsonValue => (takes === 'one' ? null : takes === 'two' ? [null, null] : []);

/** Each row in words: "Orders of the subscription is at least 3". `name` says the names of records and options. */
export function wordsOf(
  catalogue: Record<string, ConditionKind>,
  set: ConditionSet | undefined,
  name: (kind: ConditionKind, value: JsonValue) => string,
): string[] {
  return (set?.rows ?? []).map(row => {
    const kind = catalogue[row.conditionKey];
    const operator = kind?.operators.find(one => one.name === row.operator);
    if (!kind || !operator) return row.conditionKey;
    const values = (Array.isArray(row.value) ? row.value : [row.value]).map(value => name(kind, value));
    const unit = kind.value['x-ui']?.unit;
    const [first, last] = values;
    const text = operator.takes === 'two' && first !== undefined && last !== undefined ? t`${first} and ${last}` : values.join(', ');
    return `${kind.title} ${operator.title} ${text}${unit && values.length > 0 ? ` ${unit}` : ''}`;
  });
}

/** A value without looking anything up. */
export const plainName = (kind: ConditionKind, value: JsonValue): string =>
  optionsOf(kind.value).find(option => option.value === value)?.title ?? String(value ?? '–');
