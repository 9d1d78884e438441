// An adopted schema as a settings page that the check accepts, and the words for what became of it.
import { checkAll, type CheckOptions } from '../../src/check/index.ts';
import { isObject } from '../../src/check/context.ts';
import { atPointer, humanise, parts } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { adopt, type Notes, type Union } from './adopt.ts';
import { nameOf } from './adopt-parts.ts';
import { jsonFile } from './json-text.ts';
import { Refused } from './new-definitions.ts';

export interface AdoptedPage {
  file: string;
  text: string;
  /** How many fields people fill in. */
  fields: number;
  /** What can be chosen yet. */
  unions: Union[];
  /** Lines for the terminal. */
  report: string[];
}
export interface Wishes {
  name: string;
  permission: string;
  group: string;
  icon: string;
  /** Fields of several kinds of values, and the kind that each is to have. */
  kinds?: Record<string, string>;
}

/** Sections from some ten fields on: what is single first, then one for each object. */
function sections(properties: JsonObject): JsonObject[] | undefined {
  const objects = Object.entries(properties).filter(([, field]) => isObject(field) && isObject(field.properties));
  const single = Object.keys(properties).filter(name => !objects.some(([other]) => other === name));
  if (objects.length === 0) return undefined;
  return [
    ...(single.length ? [{ id: 'general', title: 'General', fields: single }] : []),
    ...objects.map(([name, field]) => ({
      id: name,
      title: String((field as JsonObject).title),
      ...((field as JsonObject).description ? { description: (field as JsonObject).description as string } : {}),
      fields: Object.keys((field as JsonObject).properties as JsonObject).map(inner => `${name}.${inner}`),
    })),
  ];
}

export const countFields = (schema: JsonValue | undefined): number =>
  !isObject(schema)
    ? 0
    : isObject(schema.properties)
      ? Object.values(schema.properties).reduce<number>((sum, field) => sum + countFields(field), 0)
      : 1;

const remove = (root: JsonObject, at: string): void => {
  const names = parts(at);
  const last = names.pop() as string;
  const holder = atPointer(root, names.map(name => `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`).join(''));
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (isObject(holder)) delete holder[last];
};

const MOST_FIELDS = 200;

/** Makes a page of a schema. @throws Refused with the way out where nothing useful comes of it */
export function pageOf(source: unknown, wishes: Wishes, files: Record<string, string>, options?: CheckOptions): AdoptedPage {
  if (!isObject(source))
    throw new Refused('This is no JSON schema: it must be an object such as { "type": "object", "properties": { … } }.');
  const file = `schemas/settings/${wishes.name}.json`;
  if (files[file] !== undefined) throw new Refused(`${file} exists already. Give another name: --name ${wishes.name}-2.`);
  const { schema, changed, lost, unions } = adopt(source, wishes.kinds);
  for (const [name, kind] of Object.entries(wishes.kinds ?? {}))
    if (!unions.some(one => one.name === name && one.kinds[0] === kind))
      throw new Refused(
        `--kind ${name}=${kind} names none of these: ${unions.flatMap(one => one.kinds.map(other => `${one.name}=${other}`)).join(', ') || 'no field has several kinds of values'}.`,
      );
  const note = (notes: Notes, at: string, sentence: string): void => void notes.set(sentence, [...(notes.get(sentence) ?? []), at]);
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (Object.keys(properties).length === 0)
    throw new Refused(
      `No field of this schema can stand in a form.\n${reportLines(lost).join('\n')}\nMend that in a copy of the schema, and adopt the copy.`,
    );

  const size = countFields(schema);
  if (size > MOST_FIELDS)
    throw new Refused(
      `This schema has ${size} fields; a page of more than ${MOST_FIELDS} is too long to use. Adopt one part of it: ` +
        `${Object.keys(isObject(source.properties) ? source.properties : {})
          .slice(0, 4)
          .map(name => `--part /properties/${name}`)
          .join(', ')} …`,
    );

  // A page is valid before anybody has typed: what is required has a default, or may be missing.
  const required = (Array.isArray(schema.required) ? (schema.required as string[]) : []).filter(name => {
    const isGiven = isObject(properties[name]) && properties[name].default !== undefined;
    if (!isGiven)
      note(
        changed,
        `/properties/${name}`,
        'may be left empty, because a page must be valid before it was filled in; with a default it can be required.',
      );
    return isGiven;
  });
  const page: JsonObject = {
    $schema: '../meta/setting.json',
    title: typeof source.title === 'string' && source.title.trim() ? source.title.trim() : humanise(wishes.name),
    description:
      typeof source.description === 'string' && source.description.trim() ? source.description.trim() : `Made of ${wishes.name}.`,
    type: 'object',
    additionalProperties: false,
    'x-setting': {
      category: wishes.name.replace(/-/g, '_').toUpperCase(),
      type: 'ADOPTED',
      permission: wishes.permission,
      group: wishes.group,
      icon: wishes.icon,
    },
    ...(required.length ? { required } : {}),
    properties,
  };
  repair(page, file, files, options, (at, sentence) => note(lost, at, sentence));
  const by = sections(properties);
  if (by) (page['x-setting'] as JsonObject).sections = by;
  const wrong = problemsOf(page, file, files, options);
  if (wrong[0]) throw new Refused(`${wrong[0].pointer}: ${wrong[0].message}\nMend that in a copy of the schema, and adopt the copy.`);
  const fields = countFields(page);
  return {
    file,
    text: jsonFile(page),
    fields,
    unions,
    report: [
      `Wrote ${file}: ${fields} ${fields === 1 ? 'field' : 'fields'}${by ? ` in ${by.length} sections` : ''}.`,
      ...(changed.size ? ['', 'Changed:', ...reportLines(changed)] : []),
      ...(lost.size ? ['', 'Not taken over:', ...reportLines(lost)] : []),
    ],
  };
}

const problemsOf = (page: JsonObject, file: string, files: Record<string, string>, options?: CheckOptions) => {
  // The pages that are there stand for the fields of others only; without them the check is quicker.
  const rest = Object.fromEntries(Object.entries(files).filter(([path]) => /^schemas\/(meta|common|calls\/_hosts)/.test(path)));
  return checkAll({ ...rest, [file]: jsonFile(page) }, options).problems.filter(problem => problem.file === file);
};

const SMALL = /\/(default|pattern|format|min\w+|max\w+|exclusive\w+|multipleOf|uniqueItems)$/;
/** Takes out what the check refuses: a default, a bound, at last the field itself. */
function repair(
  page: JsonObject,
  file: string,
  files: Record<string, string>,
  options: CheckOptions | undefined,
  lost: (at: string, why: string) => void,
): void {
  for (let round = 0; round < 12; round++) {
    const problems = problemsOf(page, file, files, options);
    if (problems.length === 0) return;
    const done = new Set<string>();
    // Later entries of a list first, so that the places of the others stay; a field goes only where nothing of it alone can be corrected.
    const ways = [...problems].sort((a, b) => b.line - a.line);
    const small = ways.filter(({ pointer }) => SMALL.test(pointer));
    for (const { pointer, message } of small.length ? small : ways) {
      if (done.has(pointer)) continue;
      done.add(pointer);
      const last = parts(pointer).at(-1) as string;
      const [, top] = parts(pointer);
      if (SMALL.test(pointer)) {
        remove(page, pointer);
        lost(
          pointer.slice(0, -last.length - 1),
          `has no "${last}" any more. ${message.replace(/^The default .* is not valid/, 'The default was not valid')}`,
        );
      } else if (
        message.startsWith('A page starts from its defaults') &&
        isObject(atPointer(page, pointer)) &&
        loosen(atPointer(page, pointer) as JsonObject)
      ) {
        lost(pointer, 'requires nothing inside any more, because a page must be valid before it was filled in.');
      } else if (top !== undefined && pointer.startsWith('/properties/')) {
        remove(page, pointer);
        lost(pointer, `is left out: ${message}`);
      }
    }
  }
}

/** Lets everything within a field be missing; whether there was anything to change. */
function loosen(field: JsonObject): boolean {
  let any = field.required !== undefined || field.minProperties !== undefined || field.minItems !== undefined;
  delete field.required;
  delete field.minProperties;
  delete field.minItems;
  for (const inner of Object.values(isObject(field.properties) ? field.properties : {})) if (isObject(inner) && loosen(inner)) any = true;
  return any;
}

/** One line for each cause, with the first places of it. */
function reportLines(notes: Notes): string[] {
  return [...notes].map(([sentence, places]) => {
    const unique = [...new Set(places.map(nameOf))];
    return unique.length === 1
      ? `- ${unique[0]} ${sentence}`
      : `- ${unique.length} of them: … ${sentence}\n  ${unique.slice(0, 6).join(', ')}${unique.length > 6 ? ` and ${unique.length - 6} more` : ''}`;
  });
}
