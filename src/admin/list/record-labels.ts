// What records are called, from their entity's label template.
import { template } from '../../contract/find.ts';
import { at } from '../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { useAsk } from '../platform/transport/calls.ts';
import { definitions } from '../platform/definitions.ts';
import type { Filter } from './list-head.ts';
import { t } from '../../domain/text/t.ts';

/** labelOf('customer', row) -> "Anna Berg"; "#12" where the template gives nothing. */
export const labelOf = (entity: string, row: JsonObject | { id: string | number }): string =>
  template(definitions.entities[entity]?.record?.label ?? '#{id}', row) || `#${String(row.id)}`;
/** What an entity's records are called in running text. */
export const namesOf = (entity: string): { one: string; many: string } =>
  definitions.entities[entity]?.record?.name ?? { one: t`row`, many: t`rows` };

/** The values that a filter's own call lists (`x-ui.choices`), as choices; nothing is asked for other filters. */
export function useChoices(filter: Filter): { choices: { value: string; title: string }[] | undefined; error: Error | null } {
  const source = filter.schema['x-ui']?.choices;
  const { data, error } = useAsk<JsonValue>(source?.call ?? '', source ? {} : undefined, { staleTime: 60_000 });
  const rows = Array.isArray(data) ? data : undefined;
  return { choices: source && rows?.map(row => ({ value: String(at(row, source.value)), title: String(at(row, source.title)) })), error };
}
