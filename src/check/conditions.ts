// Conditions: every key is a field or a fact that exists, every value one that it can have, and none depends on itself in a circle.
import { ways } from '../contract/validation/condition.ts';
import type { JsonValue, Lines, Schema, When } from '../contract/types.ts';
import { fieldOf, optionsOf, parts, pointer } from '../contract/paths.ts';
import { listed } from './grammar.ts';
import { isObject, own, type CheckContext } from './context.ts';

const JSON_TYPE = (value: JsonValue): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/**
 * Checks one `when`. Without `siblings` (navigation) only facts may be named, of 'unknown' ones any field; without
 * `root` paths from the root are left alone.
 */
export function checkWhen(
  context: CheckContext,
  file: string,
  at: string,
  when: When,
  siblings: Schema | undefined | 'unknown',
  root?: Schema,
): void {
  if (Array.isArray(when)) when.forEach((lines, i) => checkLines(context, file, `${at}/${i}`, lines, siblings, root));
  else checkLines(context, file, at, when, siblings, root);
}

function checkLines(
  context: CheckContext,
  file: string,
  at: string,
  lines: Lines,
  siblings: Schema | undefined | 'unknown',
  root?: Schema,
): void {
  for (const [key, wanted] of Object.entries(lines)) {
    if (siblings === 'unknown' && !key.startsWith('@')) continue;
    const here = at + pointer([key]);
    let field: Schema | undefined;
    if (key.startsWith('@')) {
      field = own(context.definitions.facts, key.slice(1))?.schema;
      if (!field) {
        context.report({
          file,
          pointer: here,
          on: 'key',
          message: `There is no fact "${key}" in schemas/common/session.json.`,
          wanted: key,
          among: Object.keys(context.definitions.facts).map(name => `@${name}`),
        });
        continue;
      }
    } else if (key.startsWith('/')) {
      if (!root) continue;
      field = fieldOf(
        root,
        parts(key)
          .filter(part => !/^\d+$/.test(part))
          .join('.'),
      );
      if (!field) {
        context.report({
          file,
          pointer: here,
          on: 'key',
          message: `The root has no field "${key}".`,
          wanted: key,
          among: Object.keys(root.properties ?? {}).map(name => `/${name}`),
        });
        continue;
      }
    } else {
      field = siblings && siblings !== 'unknown' ? fieldOf(siblings, key) : undefined;
      if (!field) {
        const message = siblings ? `There is no field "${key}" beside this one.` : `Only facts can be named here: "@${key}"?`;
        context.report({
          file,
          pointer: here,
          on: 'key',
          message,
          wanted: siblings ? key : `@${key}`,
          among:
            siblings && siblings !== 'unknown'
              ? Object.keys(siblings.properties ?? {})
              : Object.keys(context.definitions.facts).map(name => `@${name}`),
        });
        continue;
      }
    }
    const name = key.replace(/^@/, '');
    if (isObject(wanted)) checkTest(context, file, here, wanted as Schema, field, name);
    else if (Array.isArray(wanted))
      wanted.forEach((value, i) => checkValue(context, file, `${here}/${i}`, value as JsonValue, field as Schema, name));
    else checkValue(context, file, here, wanted as JsonValue, field, name);
  }
}

function checkTest(
  context: CheckContext,
  file: string,
  at: string,
  test: Schema & { contains?: Schema },
  field: Schema,
  name: string,
): void {
  if (test.const !== undefined) checkValue(context, file, `${at}/const`, test.const, field, name);
  test.enum?.forEach((value, i) => checkValue(context, file, `${at}/enum/${i}`, value, field, name));
  if (test.contains) checkTest(context, file, `${at}/contains`, test.contains, field.items ?? {}, name);
}

function checkValue(context: CheckContext, file: string, at: string, value: JsonValue, field: Schema, name: string): void {
  if (value === null) return; // absent
  const inner = field.items ?? field;
  const options = optionsOf(inner);
  if (options.length) {
    if (options.some(option => option.value === value)) return;
    const values = options.map(option => option.value).filter(one => one !== null);
    context.report({
      file,
      pointer: at,
      message: `${JSON.stringify(value)} is not an option of ${name}. It has ${listed(values)}.`,
      wanted: String(value),
      among: values.map(String),
    });
    return;
  }
  const types = [inner.anyOf ? inner.anyOf.flatMap(branch => branch.type ?? []) : (inner.type ?? [])].flat();
  const type = JSON_TYPE(value);
  if (types.length && !types.some(one => one === type || (one === 'integer' && Number.isInteger(value)))) {
    context.report({
      file,
      pointer: at,
      message: `${name} is ${types.filter(one => one !== 'null').join(' or ')}; it can never be ${JSON.stringify(value)}.`,
    });
  }
}

/** Fields of one object whose conditions lead in a circle; each circle is reported once, at its first field. */
export function checkCircles(context: CheckContext, file: string, at: string, properties: Record<string, Schema>): void {
  const edges = (name: string): string[] =>
    ways(properties[name]?.['x-ui']?.when ?? [])
      .flatMap(lines => Object.keys(lines))
      .map(key => (at === '' && key.startsWith('/') ? key.slice(1) : key))
      .map(key => key.split(/[./]/)[0] as string)
      .filter(key => properties[key] !== undefined);
  const done = new Set<string>();
  const visit = (name: string, path: string[]): void => {
    const start = path.indexOf(name);
    if (start >= 0) {
      const circle = path.slice(start);
      context.report({
        file,
        pointer: `${at}/properties/${name}/x-ui/when`,
        message:
          circle.length === 1
            ? `The condition of ${name} depends on ${name} itself.`
            : `The conditions of ${circle.join(', ')} depend on each other in a circle.`,
      });
      return;
    }
    if (done.has(name)) return;
    for (const next of edges(name)) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of Object.keys(properties)) visit(name, []);
}
