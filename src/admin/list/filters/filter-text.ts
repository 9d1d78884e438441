// What a filter says in words on its chip: "Active, Paused", "$10 to $50", "Last 30 days".
import { country, count, money, plainDay } from '../../platform/format.ts';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonValue } from '../../../contract/types.ts';
import { plainName, wordsOf } from '../../form/fields/condition-values.ts';
import type { Filter } from '../list-head.ts';
import { PRESETS, setIn, splitList, splitRange } from '../../platform/list-query.ts';
import { t } from '../../../domain/text/t.ts';

/**
 * What an amount typed into a filter is counted in: the one currency that the list is filtered by, as the server reads it, or without any
 * the store's. Undefined when it is filtered by several: then it is so many units of each.
 */
export function amountCurrency(filters: Record<string, string>, own: string): string | undefined {
  const named = splitList(filters.currencyCode ?? '');
  if (named.length > 1) return undefined;
  const [one] = named;
  return one !== undefined && /^[A-Z]{3}$/.test(one) ? one : own;
}

/**
 * `labels` names the records a reference filter holds, by id, and the values that a call lists;
 * `currency` is that of amounts (`amountCurrency`).
 */
export function filterText(filter: Filter, value: string, currency: string | undefined, labels: Record<string, string> = {}): string {
  switch (filter.kind) {
    case 'conditions': {
      const n = ((setIn(value)?.rows ?? []) as JsonValue[]).length;
      return n === 1 ? conditionText(filter, value) : t`${n} conditions`;
    }
    case 'boolean':
      return value === 'yes' ? t`Yes` : t`No`;
    case 'number':
      return range(value, text => count(Number(text)));
    case 'money':
      return range(value, text => money(text, currency));
    case 'epoch':
    case 'date':
    case 'date-time':
      return PRESETS[value]?.title ?? range(value, plainDay, true);
    case 'options':
      return list(splitList(value).map(item => filter.options.find(option => String(option.value) === item)?.title ?? item));
    case 'country':
      return list(splitList(value).map(country));
    case 'reference':
      return list(splitList(value).map(item => labels[item] ?? `#${item}`));
    case 'text':
      return list(splitList(value).map(item => labels[item] ?? item));
  }
}
const conditionText = (filter: Filter, value: string): string =>
  wordsOf(filter.schema['x-catalogue'] ?? {}, setIn(value) as ConditionSet, plainName).join('');
function range(value: string, show: (text: string) => string, isTime = false): string {
  const [from, to] = splitRange(value);
  if (from && to) return from === to ? show(from) : `${show(from)} – ${show(to)}`;
  if (from) return isTime ? t`from ${show(from)}` : t`at least ${show(from)}`;
  return isTime ? t`until ${show(to)}` : t`at most ${show(to)}`;
}
const list = (titles: string[]): string =>
  titles.length > 3 ? `${titles.slice(0, 2).join(', ')} +${titles.length - 2}` : titles.join(', ');
