// What of an entity a person may have: fields with `x-ui.permission` are left out of rows, records, exports, search, filters and sorts. The
// one place for it.
import { accessOf } from '../../../contract/access.ts';
import { hides, isHidden, masked, mayReadOf, type MayRead } from '../../../contract/mask.ts';
import { humanise, same } from '../../../contract/paths.ts';
import type { Call, Definitions, FieldError, JsonObject, JsonValue, Session } from '../../../contract/types.ts';
import { invalid, Reply, type Context } from '../context.ts';
import type { EntityMapping } from './entity-mapping.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** The shapes of an entity by what is left out of them. */
const variants = new WeakMap<EntityMapping, Map<string, EntityMapping>>();

/** The shape as a person may read, filter, sort and search it. Writes keep to the whole one. */
export function visible(shape: EntityMapping, { session }: { session: Session }): EntityMapping {
  const may = mayReadOf(session);
  if (!hides(shape.schema, may)) return shape;
  const isOpen = (name: string): boolean => !isHidden(shape.schema, name, may);
  const lists = ['filter', 'sort', 'search'] as const;
  const left = [...shape.fields.keys(), ...lists.flatMap(list => shape.hints[list] ?? [])].filter(name => !isOpen(name)).join(' ');
  let known = variants.get(shape);
  if (!known) variants.set(shape, (known = new Map()));
  let variant = known.get(left);
  if (!variant) {
    const fields = new Map([...shape.fields].filter(([name]) => isOpen(name)));
    const hints = { ...shape.hints };
    for (const list of lists) if (hints[list]) hints[list] = hints[list].filter(isOpen);
    known.set(left, (variant = { ...shape, hints, fields, all: [...fields.values()] }));
  }
  return variant;
}

/** Names of members without those that are kept from a person. */
export const visibleNames = (shape: EntityMapping, { session }: { session: Session }, names: readonly string[]): string[] => {
  const may = mayReadOf(session);
  return names.filter(name => !isHidden(shape.schema, name, may));
};

/** The answer of a call without what the schema of its entity keeps from the person. Files keep to it by their shape. */
export function maskedAnswer(definitions: Definitions, call: Call, session: Session, result: JsonValue | Reply): JsonValue | Reply {
  const schema = definitions.entities[call.of];
  const may = mayReadOf(session);
  if (!schema || !hides(schema, may)) return result;
  if (!(result instanceof Reply)) return masked(schema, result, may);
  const { pageInfo, message, status, texts, file, once } = result;
  if (file) return result;
  return new Reply(masked(schema, texts ? null : result.data, may), {
    ...(pageInfo ? { pageInfo } : {}),
    ...(message === undefined ? {} : { message }),
    status,
    once,
    ...(texts ? { texts: texts.map(text => maskedText(schema, text, may)) } : {}),
  });
}

const maskedText = (schema: EntityMapping['schema'], text: string, may: MayRead): string =>
  JSON.stringify(masked(schema, JSON.parse(text) as JsonValue, may));

/**
 * What a write gives of the fields that the person may not change. Left out, or as it is, it stays (`before`); anything else is refused.
 * @throws Refusal 422 for each of them
 */
export function withoutForbidden(
  { schema, guarded }: EntityMapping,
  { session, definitions }: Pick<Context, 'session' | 'definitions'>,
  before: JsonObject,
  given: JsonObject,
): JsonObject {
  const access = accessOf(session);
  const left = { ...given };
  const errors: FieldError[] = [];
  for (const name of guarded) {
    const area = schema.properties?.[name]?.['x-ui']?.permission ?? '';
    if (access.can(area, 'WRITE')) continue;
    const value = given[name] ?? null;
    if (value !== null && !same(value, before[name] ?? null) && !same(value, schema.properties?.[name]?.default ?? null))
      errors.push({
        pointer: `/${name}`,
        rule: 'permission',
        message: t`You may not change ${translated(schema.properties?.[name]?.title ?? humanise(name))}: it needs the permission
          “${translated(definitions.permissions[area]?.label ?? area)}” to make changes.`,
      });
    if (before[name] === undefined) delete left[name];
    else left[name] = before[name];
  }
  if (errors.length) throw invalid(errors);
  return left;
}
