// Forms that draw a part of a schema and validate all of it.
import type { Schema } from '../../../contract/types.ts';

/**
 * The schema with only the named fields to be drawn: the others travel along unseen, because what is
 * given may decide what is asked and allowed.
 */
export const drawOnly = (schema: Schema, names: readonly string[]): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      names.includes(name) ? field : { ...field, 'x-ui': { ...field['x-ui'], widget: 'unseen' } },
    ]),
  ),
});
