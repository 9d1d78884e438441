// What is wrong with conditions that a record keeps.
import { accessOf } from '../../../../contract/access.ts';
import { forbiddenRows, type ConditionSet } from '../../../../contract/conditions.ts';
import type { FieldError, JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../context.ts';

/** Conditions of the member `conditions` that ask about what the person who saves may not read. */
export function conditionErrors(
  { definitions, session }: Pick<Context, 'definitions' | 'session'>,
  set: ConditionSet | JsonValue | undefined,
): FieldError[] {
  if (set === null || typeof set !== 'object' || Array.isArray(set)) return [];
  const found = forbiddenRows(definitions.conditions, set as JsonObject, area => accessOf(session).can(area, 'READ'));
  return found.map(error => ({ ...error, pointer: `/conditions${error.pointer}` }));
}
