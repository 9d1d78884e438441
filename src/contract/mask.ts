// Fields that a person may not look at: `x-ui.permission` of a field names the area that it needs. One set of rules for server, page and
// tests.
import { accessOf } from './access.ts';
import type { JsonObject, JsonValue, Schema, Session } from './types.ts';

/** Whether a field's area may be looked at. */
export type MayRead = (area: string) => boolean;
export const mayReadOf = (session: Session): MayRead => {
  const access = accessOf(session);
  return area => access.can(area, 'READ');
};

const known = new WeakMap<Schema, ReadonlySet<string>>();

/** The areas that fields anywhere in a schema need. */
export function areasOf(schema: Schema): ReadonlySet<string> {
  const before = known.get(schema);
  if (before) return before;
  const areas = new Set<string>();
  if (schema['x-ui']?.permission) areas.add(schema['x-ui'].permission);
  for (const inner of innerOf(schema)) for (const area of areasOf(inner)) areas.add(area);
  known.set(schema, areas);
  return areas;
}

const innerOf = (schema: Schema): Schema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items ? [schema.items] : []),
  ...(schema.anyOf ?? []),
];

/** Whether something of the schema is kept from a person. */
export const hides = (schema: Schema, may: MayRead): boolean => ![...areasOf(schema)].every(may);

/** Whether a field, or one that it lies in, is kept from a person; a dotted path goes into objects and lists. */
export function isHidden(schema: Schema | undefined, path: string, may: MayRead): boolean {
  let here = schema;
  for (const step of path.split('.')) {
    here = (here?.items ?? here)?.properties?.[step];
    const area = here?.['x-ui']?.permission;
    if (area && !may(area)) return true;
  }
  return false;
}

/** A value without what its schema keeps from a person; the value itself where nothing is. A list is one of such values. */
export function masked(schema: Schema, value: JsonValue, may: MayRead): JsonValue {
  if (value === null || typeof value !== 'object' || !hides(schema, may)) return value;
  if (Array.isArray(value)) return value.map(one => masked(schema.items ?? schema, one, may));
  const left: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = schema.properties?.[name];
    const area = field?.['x-ui']?.permission;
    if (area && !may(area)) continue;
    left[name] = field ? masked(field, inner, may) : inner;
  }
  // Where a value is one of several kinds, what any of them keeps is kept.
  return (schema.anyOf ?? []).reduce<JsonValue>((rest, branch) => masked(branch, rest, may), left);
}
