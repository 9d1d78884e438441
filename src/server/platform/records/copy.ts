// What a copy of a record begins with.
import type { JsonObject } from '../../../contract/types.ts';
import type { Context } from '../context.ts';
import type { EntityMapping } from './entity-mapping.ts';
import { findRow } from './record-repository.ts';

/** What a person could have given of a record; its unique texts get "(copy)". */
export async function copyOf(context: Context, shape: EntityMapping, record: JsonObject): Promise<JsonObject> {
  const isTaken = (name: string): boolean =>
    shape.schema.properties?.[name]?.readOnly !== true && shape.hints.notCopied?.includes(name) !== true;
  const copy = Object.fromEntries(Object.entries(record).filter(([name]) => isTaken(name)));
  for (const unique of shape.hints.unique ?? []) {
    const name = typeof unique === 'string' ? unique : unique.field;
    if (typeof copy[name] === 'string') copy[name] = await freeCopy(context, shape, name, copy[name]);
  }
  return copy;
}

/** How many copies of one record get a name of their own by themselves. */
const MAX_COPIES = 100;
/** "Support (copy)", or "Support (copy 2)" where that is taken; shortened to what the field holds. */
async function freeCopy(context: Context, shape: EntityMapping, name: string, value: string): Promise<string> {
  const field = shape.fields.get(name);
  const longest = field?.schema.maxLength ?? Number.POSITIVE_INFINITY;
  for (let n = 1; n <= MAX_COPIES; n++) {
    const end = n === 1 ? ' (copy)' : ` (copy ${n})`;
    const candidate = value.slice(0, longest - end.length) + end;
    if (!field || !(await findRow(context, shape, candidate, { by: field }))) return candidate;
  }
  return value;
}
