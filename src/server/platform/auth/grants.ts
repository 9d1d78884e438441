// People can't give, make or start what they may not do themselves: the one place that asks. What a value gives is declared where its
// schema stands (`x-grants`); every record, settings page and input of a call is looked through when it is written.
import { holds } from '../../../contract/validation/condition.ts';
import { same } from '../../../contract/paths.ts';
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { invalid, Refusal, type Context } from '../context.ts';
import { unmet, type Need } from './needs.ts';
import { t, translated } from '../../../domain/text/t.ts';

export type Granting = Pick<Context, 'definitions' | 'session' | 'user' | 'grantKinds'>;

type Grant = {
  pointer: string;
  value: JsonValue;
  needs: readonly Need[];
  /** Of a right: its name. */
  right?: string;
};

const granting = new WeakMap<Schema, boolean>();
/** Whether values of a schema can give anything: most can't, and are not looked through. */
function grantsAny(schema: Schema): boolean {
  let found = granting.get(schema);
  if (found === undefined) granting.set(schema, (found = schema['x-grants'] !== undefined || innerOf(schema).some(grantsAny)));
  return found;
}
const innerOf = ({ properties = {}, items, additionalProperties }: Schema): Schema[] => [
  ...Object.values(properties),
  ...(items ? [items] : []),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
];

/** What gives nothing: a discount of 0 too. */
const isEmpty = (value: JsonValue): boolean => value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

/** Everything that a value gives, with where it stands. @throws Error for a kind that no feature knows */
function grantsIn(context: Granting, schema: Schema, value: JsonValue | undefined, pointer = ''): Grant[] {
  if (!grantsAny(schema) || value === undefined || value === null || isEmpty(value)) return [];
  const found: Grant[] = [];
  const what = schema['x-grants'];
  if (typeof what === 'string') {
    const kind = context.grantKinds[what];
    if (!kind) throw new Error(`No feature says what "x-grants": "${what}" gives. Export it from the grants.ts of a feature.`);
    const at = pointer + (kind.at ?? '');
    if (kind.rights)
      for (const [right, one] of kind.rights(value)) found.push({ pointer: at, value: one, needs: kind.needs(one, context), right });
    else found.push({ pointer: at, value, needs: kind.needs(value, context) });
  } else if (what)
    found.push({
      pointer,
      value,
      needs: Object.entries(what).map(([permission, mode]): Need => ({ permission, mode })),
    });
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) found.push(...value.flatMap((one, i) => grantsIn(context, items, one, `${pointer}/${i}`)));
  } else if (typeof value === 'object')
    for (const [name, one] of Object.entries(value)) {
      const field =
        schema.properties?.[name] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
      if (field) found.push(...grantsIn(context, field, one, `${pointer}/${name}`));
    }
  return found;
}

/** Whether one need includes another: who may change an area may look at it. */
const includes = (had: Need, need: Need): boolean =>
  'permission' in had && 'permission' in need
    ? had.permission === need.permission && (had.mode === 'WRITE' || had.mode === need.mode)
    : false;

function errorOf({ definitions }: Pick<Granting, 'definitions'>, { pointer, right }: Grant, missing: Need): FieldError {
  const label = 'permission' in missing ? translated(definitions.permissions[missing.permission]?.label ?? missing.permission) : '';
  return right !== undefined
    ? { pointer, rule: 'rights', message: t`You can't give more than you have yourself: ${label}.` }
    : { pointer, rule: 'permission', message: t`You don't have permission for this action (${label}). Ask an admin of your store for it.` };
}

/**
 * What a person gives with a value and does not hold. Rights that `before` gave may stay; anything else that it gave may stay on a settings
 * page, and while the record does nothing (`x-idle`), because setting it going is a write of its own.
 */
export function grantErrors(context: Granting, schema: Schema, after: JsonValue, before?: JsonValue): FieldError[] {
  if (!grantsAny(schema)) return [];
  const had = before === undefined ? [] : grantsIn(context, schema, before);
  const isSetting = schema['x-setting'] !== undefined;
  const isIdle = isSetting || (schema['x-idle'] !== undefined && holds(schema['x-idle'], { siblings: after, root: after }));
  return grantsIn(context, schema, after).flatMap(grant => {
    if (isIdle && had.some(one => same(one.value, grant.value))) return [];
    const before = grant.right === undefined ? [] : had.filter(one => one.right === grant.right).flatMap(one => one.needs);
    const added = grant.needs.filter(need => !before.some(one => includes(one, need)));
    const missing = unmet(context, added);
    return missing ? [errorOf(context, grant, missing)] : [];
  });
}

/** The same as a refusal: for what is written, and for the input of any other call that changes something. @throws Refusal 422 */
export function refuseGrants(context: Granting, schema: Schema, after: JsonValue, before?: JsonValue): void {
  const errors = grantErrors(context, schema, after, before);
  if (errors.length) throw invalid(errors);
}

/** Refuses to hand out or run what stands in a record: a token that is shown, a link, an action tried again. @throws Refusal 403 */
export function refuseUse(context: Granting, schema: Schema, record: JsonObject): void {
  const [error] = grantErrors(context, schema, record);
  if (error) throw new Refusal(403, 'FORBIDDEN', error.message);
}
