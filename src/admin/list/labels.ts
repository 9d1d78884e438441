// What records are called, from their entity's label template.
import { template } from '../../contract/find.ts';
import type { JsonObject } from '../../contract/types.ts';
import { definitions } from '../definitions.ts';

/** labelOf('customer', row) -> "Anna Berg"; "#12" where the template gives nothing. */
export const labelOf = (entity: string, row: JsonObject | { id: string | number }): string => template(definitions.entities[entity]?.record?.label ?? '#{id}', row) || `#${String(row.id)}`;
/** What an entity's records are called in running text. */
export const namesOf = (entity: string): { one: string; many: string } => definitions.entities[entity]?.record?.name ?? { one: 'row', many: 'rows' };
