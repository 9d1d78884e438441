// The schemas: keywords that fit their types, defaults that are valid, options, hints, widgets, patterns, records, states and settings.
import type { JsonObject, JsonValue, Schema } from '../contract/types.ts';
import { compileValidator } from '../contract/validation/compile.ts';
import { withDefaults } from '../contract/validation/defaults.ts';
import { placeholders } from '../contract/find.ts';
import { fieldOf, optionsOf, pointer } from '../contract/paths.ts';
import { rendererFor } from './renderer-for.ts';
import { validate } from '../contract/validation/validate.ts';
import { checkCircles, checkWhen } from './conditions.ts';
import { listed } from './grammar.ts';
import { slowness } from './regular.ts';
import { FOLDER as ACTIONS } from '../contract/actions.ts';
import { isObject, known, own, type CheckContext } from './context.ts';
import { checkOptions } from './options.ts';
import { checkRecord, checkSetting } from './record-hints.ts';

const FITS: Record<string, string[]> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  contentEncoding: ['string'],
  formatMinimum: ['string'],
  formatMaximum: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
};
const PAIRS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;
const COMPARABLE = ['money', 'date', 'time', 'date-time'];
const typesOf = (schema: Schema): string[] =>
  [schema.anyOf ? schema.anyOf.flatMap(branch => branch.type ?? []) : (schema.type ?? [])].flat();

/** Where schemas stand in a file: roots with what surrounds a field of theirs. `root` is set where "/field" can be followed. */
interface Root {
  at: string;
  siblings?: Schema;
  root?: Schema;
  /** What it is with all that it takes from elsewhere. */
  whole?: Schema;
  kind: 'entity' | 'setting' | 'common' | 'part';
}
function rootsOf(context: CheckContext, file: string, document: JsonObject): Root[] {
  const within = (member: string, siblings: Schema): Root[] =>
    isObject(document[member])
      ? Object.keys(document[member]).map(name => ({ at: pointer([member, name]), siblings, kind: 'part' as const }))
      : [];
  if (file === 'schemas/common/params.json') return within('params', { properties: context.definitions.params });
  if (file === 'schemas/common/session.json') return within('facts', {});
  if (/^schemas\/common\/(permissions|plans|set-up)\.json$/.test(file)) return [];
  if (file.startsWith('schemas/calls/')) {
    if (file.endsWith('/_hosts.json')) return [];
    const table: Schema = {
      properties: {
        ...context.definitions.params,
        ...Object.fromEntries(
          Object.keys(isObject(document.params) ? document.params : {}).map(name => [
            name,
            context.references.schema(file, pointer(['params', name])),
          ]),
        ),
      },
    };
    const bodies = Object.entries(isObject(document.calls) ? document.calls : {})
      .filter(([, call]) => isObject(call) && isObject(call.in))
      .map(([key]) => pointer(['calls', key, 'in']));
    return [...within('params', table), ...bodies.map(at => ({ at, root: context.references.schema(file, at), kind: 'part' as const }))];
  }
  if (file.startsWith('schemas/entities/')) return [{ at: '', root: context.references.schema(file), kind: 'entity' }];
  if (file.startsWith('schemas/settings/')) return [{ at: '', root: context.references.schema(file), kind: 'setting' }];
  if (file.startsWith('schemas/actions/')) return paramsOf(context, file);
  return file.startsWith('schemas/common/') ? [{ at: '', kind: 'common' }] : [];
}

/** The parameters of an action: what its file says of each, over what its call says. */
function paramsOf({ definitions, documents }: CheckContext, file: string): Root[] {
  const params = (documents[file] as { params?: JsonObject }).params ?? {};
  const form = definitions.actions[file.slice(ACTIONS.length, -'.json'.length)]?.form ?? {};
  return Object.keys(params).map(name => {
    const whole = form.properties?.[name.replace(/\?$/, '')];
    return { at: pointer(['params', name]), siblings: form, root: form, ...(whole ? { whole } : {}), kind: 'part' };
  });
}

export function checkSchemas(context: CheckContext): void {
  const pairs = new Map<string, string>();
  for (const [file, document] of Object.entries(context.documents)) {
    if (!file.startsWith('schemas/') || !context.sound(file) || !isObject(document)) continue;
    for (const root of rootsOf(context, file, document)) checkSchema(context, file, root);
    if (file.startsWith('schemas/entities/')) checkRecord(context, file, context.references.schema(file));
    if (file.startsWith('schemas/settings/')) checkSetting(context, file, context.references.schema(file), pairs);
  }
}

function checkSchema(context: CheckContext, file: string, root: Root): void {
  const visit = (raw: unknown, at: string, siblings: Schema | undefined): void => {
    if (!isObject(raw)) return;
    const schema = (at === root.at ? root.whole : undefined) ?? context.references.schema(file, at);
    node(context, file, at, raw as JsonObject & Schema, schema, root, siblings);
    if (isObject(raw.properties)) {
      checkCircles(context, file, at, schema.properties ?? {});
      for (const name of Object.keys(raw.properties)) visit(raw.properties[name], at + pointer(['properties', name]), schema);
    }
    if (isObject(raw.definitions))
      for (const name of Object.keys(raw.definitions)) visit(raw.definitions[name], at + pointer(['definitions', name]), undefined);
    visit(raw.items, `${at}/items`, undefined);
    visit(raw.additionalProperties, `${at}/additionalProperties`, undefined);
    if (Array.isArray(raw.anyOf)) raw.anyOf.forEach((branch, i) => visit(branch, `${at}/anyOf/${i}`, undefined));
  };
  let raw: unknown = context.documents[file];
  for (const part of root.at.split('/').slice(1)) raw = isObject(raw) ? raw[part.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined;
  visit(raw, root.at, root.siblings);
}

function node(
  context: CheckContext,
  file: string,
  at: string,
  raw: Schema,
  schema: Schema,
  root: Root,
  siblings: Schema | undefined,
): void {
  const report = (below: string, message: string, more: { on?: 'key'; wanted?: string; among?: string[] } = {}): void =>
    context.report({ file, pointer: at + below, message, ...more });
  const allowed: Record<string, boolean> = {
    'x-record': root.kind === 'entity' && at === '',
    'x-states': root.kind === 'entity' && at === '',
    'x-setting': root.kind === 'setting' && at === '',
  };
  for (const [keyword, fits] of Object.entries(allowed)) {
    if (raw[keyword as 'x-record'] && !fits)
      report(`/${keyword}`, `${keyword} stands at the root of ${keyword === 'x-setting' ? 'a settings page' : 'an entity'} only.`, {
        on: 'key',
      });
  }

  const types = typesOf(schema);
  const named = types.filter(type => type !== 'null').join(' or ');
  for (const [keyword, fitting] of Object.entries(FITS)) {
    if (raw[keyword as keyof Schema] === undefined) continue;
    if (types.length === 0) {
      if (!raw.anyOf && !raw.$ref) report(`/${keyword}`, `"${keyword}" needs "type": "${fitting[0]}" beside it.`, { on: 'key' });
    } else if (!types.some(type => fitting.includes(type)))
      report(`/${keyword}`, `"${keyword}" says nothing about ${named}; it is for ${fitting.join(' and ')}.`, { on: 'key' });
  }
  if (raw.format && types.length) {
    const fitting = raw.format === 'epoch' ? ['integer', 'number'] : ['string'];
    if (!types.some(type => fitting.includes(type)))
      report('/format', `The format "${raw.format}" is for ${fitting[0]}, not for ${named}.`);
  }
  if (raw.contentEncoding !== undefined && schema.pattern === undefined)
    report('/contentEncoding', 'contentEncoding needs a pattern beside it, which says what is wrong with other texts.', { on: 'key' });
  if ((raw.formatMinimum !== undefined || raw.formatMaximum !== undefined) && !COMPARABLE.includes(schema.format ?? ''))
    report(
      raw.formatMinimum !== undefined ? '/formatMinimum' : '/formatMaximum',
      `formatMinimum and formatMaximum need one of the formats ${listed(COMPARABLE)} beside them.`,
      { on: 'key' },
    );
  for (const [low, high] of PAIRS) {
    const a = schema[low],
      b = schema[high];
    if (a !== undefined && b !== undefined && a > b && (raw[low] !== undefined || raw[high] !== undefined))
      report(`/${raw[low] !== undefined ? low : high}`, `${low} ${a} is more than ${high} ${b}: nothing is valid.`);
  }
  raw.required?.forEach((name, i) => {
    if (!schema.properties?.[name])
      report(`/required/${i}`, `"${name}" is required but not among the properties.`, {
        wanted: name,
        among: Object.keys(schema.properties ?? {}),
      });
  });

  if (raw.oneOf) {
    raw.oneOf.forEach((option, i) => {
      const value = option.const as JsonValue;
      if (raw.oneOf?.findIndex(other => other.const === value) !== i)
        report(`/oneOf/${i}`, `The option ${JSON.stringify(value)} stands here twice.`);
      const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
      if (types.length && !types.some(one => one === type || (one === 'integer' && Number.isInteger(value))))
        report(`/oneOf/${i}/const`, `${JSON.stringify(value)} is not ${types.join(' or ')}, as the type of the field says.`);
    });
  }
  const choices = raw.oneOf?.map(option => option.const) ?? raw.enum;
  if (choices && types.includes('null') && !choices.includes(null))
    report(
      raw.oneOf ? '/oneOf' : '/enum',
      'The type of the field allows null, and no option is null: the empty value is refused. Add the option null, or take null ' +
        'out of the type.',
      { on: 'key' },
    );
  if (raw.pattern !== undefined) {
    try {
      const slow = slowness(raw.pattern);
      if (slow)
        report(
          '/pattern',
          slow === 'unknown'
            ? 'This pattern is too large, or too unusual, to tell whether it is slow. Make it shorter.'
            : slow === 'exponential'
              ? 'This pattern can run for hours on some texts: a repeated part can match the same text in several ways. Make the ' +
                'parts of the repetition tell each other apart.'
              : 'This pattern is slow on long texts: two repetitions that can match the same characters follow each other, or it ' +
                'begins with one. Begin it with ^ and make what stands between them differ.',
        );
    } catch (error) {
      report('/pattern', `This is not a regular expression: ${(error as Error).message.replace(/^Invalid regular expression: /, '')}.`);
    }
  }
  for (const keyword of ['x-above', 'x-unlike'] as const) {
    const name = raw[keyword];
    const among = Object.keys(siblings?.properties ?? {});
    if (name !== undefined && !among.includes(name)) report(`/${keyword}`, `There is no field "${name}" beside this one.`);
  }
  ui(context, file, at, raw, schema, root, siblings);
  limits(context, file, at, raw, types, root, siblings);
  if (raw.default !== undefined) checkSample(context, file, `${at}/default`, schema, raw.default, 'The default');
  raw.examples?.forEach((value, i) => checkSample(context, file, `${at}/examples/${i}`, schema, value, 'The example'));
}

function checkSample(context: CheckContext, file: string, at: string, schema: Schema, value: JsonValue, what: string): void {
  // Options are recognized by their values, which stand in the file, and not by the titles that people read.
  const options = optionsOf(schema.type === 'array' || schema.items ? undefined : schema).map(option => option.value);
  if (options.length && (typeof value === 'string' || typeof value === 'number') && !options.includes(value)) {
    context.report({
      file,
      pointer: at,
      message: `${what} ${JSON.stringify(value)} is not an option. There are ${listed(options.filter(option => option !== null))}.`,
      wanted: String(value),
      among: options.map(String),
    });
    return;
  }
  try {
    const data = withDefaults<JsonValue>(schema, value);
    // A default may be empty where something must be filled in: the form starts with nothing and says so.
    const wrong = validate(schema, compileValidator(schema), data).filter(
      error => what !== 'The default' || !['required', 'minItems', 'minLength', 'minProperties'].includes(error.rule),
    );
    if (wrong[0]) context.report({ file, pointer: at, message: `${what} ${JSON.stringify(value)} is not valid: ${wrong[0].message}` });
  } catch {
    /* the schema itself is wrong, and is reported elsewhere */
  }
}

function ui(context: CheckContext, file: string, at: string, raw: Schema, schema: Schema, root: Root, siblings: Schema | undefined): void {
  const hints = raw['x-ui'];
  if (!hints) return;
  const here = `${at}/x-ui`;
  const { renderers } = context.options;
  if (renderers?.fields)
    known(context, file, `${here}/widget`, hints.widget, renderers.fields, name => `There is no widget "${name}" in renderers/fields.`);
  const draws = hints.widget === undefined ? undefined : own(context.options.widgetTypes ?? {}, hints.widget);
  const types = typesOf(schema).filter(type => type !== 'null');
  if (draws && types.length && !types.some(type => draws.includes(type))) {
    const fitting = Object.entries(context.options.widgetTypes ?? {}).flatMap(([name, drawn]) =>
      types.some(type => drawn.includes(type)) ? [name] : [],
    );
    context.report({
      file,
      pointer: `${here}/widget`,
      message:
        `The widget "${hints.widget}" is for ${draws.join(' or ')}, and this field is ${types.join(' or ')}. ` +
        `For it there are ${listed(fitting)}.`,
    });
  }
  if (renderers?.cells)
    known(context, file, `${here}/cell`, hints.cell, renderers.cells, name => `There is no cell "${name}" in renderers/cells.`);
  known(
    context,
    file,
    `${here}/permission`,
    hints.permission,
    Object.keys(context.definitions.permissions),
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  known(
    context,
    file,
    `${here}/of`,
    hints.of,
    Object.keys(context.definitions.entities),
    name => `There is no entity "${name}" in schemas/entities.`,
  );
  if (hints.options && renderers?.fields) {
    const widget = rendererFor(schema, 'fields', new Set(renderers.fields));
    if (widget && renderers.fields.includes(widget))
      checkOptions(context, file, `${here}/options`, 'fields', widget, hints.options, siblings);
  }
  hints.propose?.of.forEach((name, i) => {
    if (!siblings?.properties?.[name])
      context.report({
        file,
        pointer: `${here}/propose/of/${i}`,
        message: `There is no field "${name}" beside this one.`,
        wanted: name,
        among: Object.keys(siblings?.properties ?? {}),
      });
  });
  hints.displayWhen?.forEach(({ when, text }, i) => {
    if (siblings) checkWhen(context, file, `${here}/displayWhen/${i}/when`, when, siblings, root.root);
    for (const name of placeholders(text))
      if (siblings && !fieldOf(siblings, name))
        context.report({
          file,
          pointer: `${here}/displayWhen/${i}/text`,
          message: `There is no field "${name}" beside this one.`,
          wanted: name,
          among: Object.keys(siblings.properties ?? {}),
        });
  });
  for (const condition of ['when', 'optional'] as const) {
    const given = hints[condition];
    if (!given) continue;
    if (!siblings && !root.root)
      context.report({ file, pointer: `${here}/${condition}`, on: 'key', message: 'A condition stands on a field of an object only.' });
    else checkWhen(context, file, `${here}/${condition}`, given, siblings, root.root);
  }
}

function limits(
  context: CheckContext,
  file: string,
  at: string,
  raw: Schema,
  types: string[],
  root: Root,
  siblings: Schema | undefined,
): void {
  raw['x-limits']?.forEach((limit, i) => {
    const here = `${at}/x-limits/${i}`;
    if ([limit.minimum, limit.exclusiveMinimum, limit.maximum, limit.multipleOf].every(bound => bound === undefined))
      context.report({ file, pointer: here, message: 'A limit needs a bound: minimum, exclusiveMinimum, maximum or multipleOf.' });
    if (types.length && !types.some(type => ['number', 'integer', 'string'].includes(type)))
      context.report({
        file,
        pointer: here,
        message: `"x-limits" says nothing about ${types.join(' or ')}; it is for numbers and amounts.`,
      });
    if (!limit.when) return;
    if (!siblings && !root.root)
      context.report({ file, pointer: `${here}/when`, on: 'key', message: 'A condition stands on a field of an object only.' });
    else checkWhen(context, file, `${here}/when`, limit.when, siblings, root.root);
  });
}
