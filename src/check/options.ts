// Options of a renderer against the schema that stands beside it.
import type { JsonObject, JsonValue, Schema, When } from '../contract/types.ts';
import { checkWhen } from './conditions.ts';
import { compileValidator } from '../contract/validation/compile.ts';
import { placeholders } from '../contract/find.ts';
import { fieldOf, pointer } from '../contract/paths.ts';
import { validate } from '../contract/validation/validate.ts';
import { listed } from './grammar.ts';
import { REFERENCES } from './references.ts';
import { isObject, known, own, type CheckContext } from './context.ts';

/**
 * Options of a renderer against the schema beside it. A string option whose schema says "x-field" must name a field beside the one it
 * stands on.
 */
export function checkOptions(
  context: CheckContext,
  file: string,
  at: string,
  kind: string,
  name: string,
  options: JsonObject,
  siblings?: Schema,
): void {
  if (!context.options.options) return;
  const path = `renderers/${kind}/${name}.options.json`;
  const text = context.options.options?.[path];
  if (text === undefined) {
    context.report({ file, pointer: at, on: 'key', message: `"${name}" takes no options (there is no ${path}).` });
    return;
  }
  let schema: Schema;
  try {
    schema = JSON.parse(text) as Schema;
  } catch {
    context.report({ file: path, pointer: '', message: 'This is not JSON.' });
    return;
  }
  const { $schema: _schema, ...plain } = schema;
  const properties = plain.properties ?? {};
  for (const key of Object.keys(options)) {
    const option = own(properties, key) as (Schema & { 'x-ui'?: { of?: string } }) | undefined;
    if (!option && plain.additionalProperties === false)
      context.report({
        file,
        pointer: at + pointer([key]),
        on: 'key',
        message: `"${key}" is not an option of ${name}. It has ${listed(Object.keys(properties))}.`,
        wanted: key,
        among: Object.keys(properties),
      });
  }
  namedInOptions(context, file, at, `${kind}/${name}`, options, siblings);
  try {
    const validator = compileValidator(plain);
    for (const error of validate(plain, validator, options))
      if (error.rule !== 'additionalProperties') context.report({ file, pointer: at + error.pointer, message: error.message });
  } catch (error) {
    context.report({ file: path, pointer: '', message: `The options can't be checked: ${(error as Error).message}` });
  }
}

/** Options of the table of references, and those of renderers beside the product by their name. */
const namesField = (place: string): boolean => (REFERENCES[place] ?? (place.endsWith('Field') ? 'field' : undefined)) === 'field';

/** Fields and facts in the parameters that a renderer gives to its calls ("{field}"). */
function namedInWith(context: CheckContext, file: string, at: string, value: JsonValue, siblings: Schema | undefined): void {
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) namedInWith(context, file, at + pointer([key]), inner, siblings);
    return;
  }
  for (const name of placeholders(value)) {
    const facts = Object.keys(context.definitions.facts);
    if (name.startsWith('@'))
      known(context, file, at, name.slice(1), facts, fact => `There is no fact "@${fact}" in schemas/common/session.json.`);
    else if (siblings && /^\w/.test(name) && !name.startsWith('row.') && !fieldOf(siblings, name))
      context.report({
        file,
        pointer: at,
        message: `There is no field "${name}" in ${siblings.title ?? 'this entity'}.`,
        wanted: name,
        among: Object.keys(siblings.properties ?? {}),
      });
  }
}

/** Fields and conditions that options name, wherever they stand in them. */
function namedInOptions(
  context: CheckContext,
  file: string,
  at: string,
  place: string,
  value: JsonValue,
  siblings: Schema | undefined,
): void {
  if (Array.isArray(value)) value.forEach((one, i) => namedInOptions(context, file, `${at}/${i}`, place, one, siblings));
  else if (typeof value === 'string') {
    const where = place.startsWith('fields/') ? 'beside this one' : `in ${siblings?.title ?? 'this entity'}`;
    if (namesField(place) && siblings && !fieldOf(siblings, value))
      context.report({
        file,
        pointer: at,
        message: `There is no field "${value}" ${where}.`,
        wanted: value,
        among: Object.keys(siblings.properties ?? {}),
      });
  } else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      const here = at + pointer([key]);
      if (key === 'with') namedInWith(context, file, here, inner, siblings);
      else if (key === 'when') checkWhen(context, file, here, inner as When, siblings ?? 'unknown', siblings);
      else if (key === 'rowWhen') {
        const rows = typeof value.rows === 'string' && siblings ? fieldOf(siblings, value.rows)?.items : undefined;
        checkWhen(context, file, here, inner as When, rows ?? 'unknown', siblings);
      } else namedInOptions(context, file, here, `${place}/${key}`, inner, siblings);
    }
}
