// The form of an action, read from its schema: validated input, and the fields as `config` tells them.
import { compileValidator } from '../../../contract/validation/compile.ts';
import { strip } from '../../../contract/validation/condition.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { factsOf } from '../../../contract/facts.ts';
import { humanise, optionsOf } from '../../../contract/paths.ts';
import type { Definitions, FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { validate } from '../../../contract/validation/validate.ts';
import type { Context } from '../../platform/context.ts';
import type { BulkAction } from './bulk-action.ts';

/** The input of an action with its defaults, without what its conditions hide; and what is wrong with it, at pointers below `/input`. */
export function readInput(
  context: Pick<Context, 'definitions' | 'session' | 'now'>,
  action: BulkAction,
  given: JsonObject | undefined,
): { input: JsonObject; errors: FieldError[] } {
  const under = (error: FieldError): FieldError => ({ ...error, pointer: `/input${error.pointer}` });
  if (action.form === null) {
    const [surplus] = Object.keys(given ?? {});
    return {
      input: {},
      errors:
        surplus === undefined
          ? []
          : [{ pointer: `/input/${surplus}`, rule: 'additionalProperties', message: `${action.label} asks for nothing.` }],
    };
  }
  const schema = formOf(context.definitions, action) as Schema;
  const facts = factsOf(context.session, context.definitions.facts);
  const filled = withDefaults<JsonObject>(schema, given ?? {});
  const errors = validate(schema, compileValidator(schema), filled, facts).map(under);
  const input = strip(schema, filled, facts);
  return { input, errors: errors.length ? errors : (action.check?.(input, context.now()) ?? []).map(under) };
}

/** The schema of an action's form; undefined when it has none. */
export const formOf = ({ entities }: Pick<Definitions, 'entities'>, action: BulkAction): Schema | undefined =>
  action.form === null ? undefined : entities[action.form];

function typeOf(schema: Schema): string {
  if (schema['x-ui']?.widget) return schema['x-ui'].widget;
  if (optionsOf(schema).length) return 'select';
  return schema.format ?? [schema.type ?? 'string'].flat().find(type => type !== 'null') ?? 'string';
}

/** The fields of an action's form, in order: `{key, type, label, required, options, default, dependsOn}`. */
export function fieldsOf(definitions: Pick<Definitions, 'entities'>, action: BulkAction): JsonObject[] {
  const schema = formOf(definitions, action);
  return Object.entries(schema?.properties ?? {}).map(([key, field]) => ({
    key,
    type: typeOf(field),
    label: field.title ?? humanise(key),
    description: field.description ?? null,
    required: schema?.required?.includes(key) ?? false,
    options: optionsOf(field).map(option => ({ value: option.value, label: option.title })),
    default: field.default ?? null,
    dependsOn: (field['x-ui']?.when ?? null) as JsonValue,
  }));
}
