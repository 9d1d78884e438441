// A row of conditions in words, as far as the server knows names: ids stay numbers.
import type { ConditionKind, ConditionRow } from '../../../contract/conditions.ts';
import { optionsOf } from '../../../contract/paths.ts';

export function wordsInServer(catalogue: Record<string, ConditionKind>, row: ConditionRow | undefined): string {
  const kind = catalogue[row?.conditionKey ?? ''];
  const operator = kind?.operators.find(one => one.name === row?.operator);
  if (!row || !kind || !operator) return row?.conditionKey ?? '';
  const values = (Array.isArray(row.value) ? row.value : [row.value]).map(
    value =>
      optionsOf(kind.value).find(option => option.value === value)?.title ?? (kind.value['x-ui']?.of ? `#${String(value)}` : String(value)),
  );
  return `${kind.title} ${operator.title} ${values.join(operator.takes === 'two' ? ' and ' : ', ')}`;
}
