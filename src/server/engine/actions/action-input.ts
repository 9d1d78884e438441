// The form of an action, read from its schema: validated input, and the fields as `config` tells them.
import { compileValidator } from '../../../contract/validation/compile.ts';
import { strip } from '../../../contract/validation/condition.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { factsOf } from '../../../navigation/facts.ts';
import type { Facts } from '../../../navigation/navigation.ts';
import { humanise, optionsOf } from '../../../contract/paths.ts';
import type { Definitions, FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { validate } from '../../../contract/validation/validate.ts';
import type { Context } from '../../platform/context.ts';
import type { SubscriptionAction } from './action.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** The input of an action with its defaults, without what its conditions hide; and what is wrong with it, at pointers below `/input`. */
export function readInput(
  context: Pick<Context, 'definitions' | 'session' | 'now'>,
  action: SubscriptionAction,
  given: JsonObject | undefined,
): { input: JsonObject; errors: FieldError[] } {
  const { definitions, session } = context;
  const { input, errors } = checkInput(definitions, factsOf(session, definitions.facts), context.now(), action, given);
  return { input, errors: errors.map(error => ({ ...error, pointer: `/input${error.pointer}` })) };
}

/** The same without a session: facts are those that conditions of the form may ask, pointers begin at the input itself. */
export function checkInput(
  definitions: Pick<Definitions, 'actions'>,
  facts: Facts,
  now: Date,
  action: SubscriptionAction,
  given: JsonObject = {},
): { input: JsonObject; errors: FieldError[] } {
  const schema = formOf(definitions, action);
  if (!schema) {
    const surplus = Object.keys(given).slice(0, 1);
    return {
      input: {},
      errors: surplus.map(name => ({
        pointer: `/${name}`,
        rule: 'additionalProperties',
        message: t`${translated(action.title)} asks for nothing.`,
      })),
    };
  }
  const filled = withDefaults<JsonObject>(schema, given);
  const errors = validate(schema, compileValidator(schema), filled, facts);
  const input = strip(schema, filled, facts);
  return { input, errors: errors.length ? errors : (action.check?.(input, now) ?? []) };
}

/** The schema of an action's form; undefined when it has none. */
export const formOf = ({ actions }: Pick<Definitions, 'actions'>, action: SubscriptionAction): Schema | undefined =>
  actions[action.key]?.form ?? undefined;

function typeOf(schema: Schema): string {
  if (schema['x-ui']?.widget) return schema['x-ui'].widget;
  if (optionsOf(schema).length) return 'select';
  return schema.format ?? [schema.type ?? 'string'].flat().find(type => type !== 'null') ?? 'string';
}

/** The fields of an action's form, in order: `{key, type, label, required, options, default, dependsOn}`. */
export function fieldsOf(definitions: Pick<Definitions, 'actions'>, action: SubscriptionAction): JsonObject[] {
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
