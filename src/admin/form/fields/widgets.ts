// Which widget draws a field: the one its hints name, else the one for its format, else the one for its type. The folder is the registry.
import type { JsonObject, JsonValue, Schema, UiHints } from '../../../contract/types.ts';
import { humanise, optionsOf } from '../../../contract/paths.ts';
import type { Frame, WidgetModule } from './widget.ts';

const files = import.meta.glob<WidgetModule>('/renderers/fields/*.tsx', { eager: true });

/** Every widget by its name. */
export const WIDGETS: Readonly<Record<string, WidgetModule>> = Object.fromEntries(
  Object.entries(files).map(([file, module]) => [file.slice(file.lastIndexOf('/') + 1, -'.tsx'.length), module]),
);

const BY_FORMAT: Record<string, string> = {
  email: 'email',
  uri: 'url',
  url: 'url',
  date: 'date',
  'date-time': 'date-time',
  epoch: 'date-time',
  time: 'time',
  money: 'money',
  timezone: 'select',
  color: 'color',
  html: 'rich-text',
};

/** The options of a widget that name members of the same object which it edits too. */
const MEMBERS_BESIDE: Record<string, string[]> = { interval: ['count', 'unit'], frequency: ['unitField'] };

/** What is known about a field before its value is: computed once for each schema. */
export interface FieldPlan {
  name: string;
  module: WidgetModule;
  frame: Frame;
  /** The schema without the wrapping that says "or null". */
  schema: Schema;
  hints: UiHints;
  options: JsonObject;
  title: string | undefined;
  help: string | undefined;
  nullable: boolean;
  /** Members of the same object that this widget edits too (interval: count and unit). */
  also: string[];
}

// An object without a widget of its own is drawn by ObjectField.
const GROUP: WidgetModule = { default: () => null, frame: 'bare' };
const plans = new WeakMap<Schema, FieldPlan>();

export function planOf(declared: Schema): FieldPlan {
  let plan = plans.get(declared);
  if (!plan) plans.set(declared, (plan = makePlan(declared)));
  return plan;
}

function makePlan(declared: Schema): FieldPlan {
  const { schema, nullable } = withoutNull(declared);
  const hints: UiHints = { ...schema['x-ui'], ...declared['x-ui'] };
  const name = hints.widget && WIDGETS[hints.widget] ? hints.widget : widgetFor(schema);
  const module = WIDGETS[name] ?? (name === 'object' ? GROUP : undefined);
  if (!module) throw new Error(`There is no renderers/fields/${name}.tsx.`);
  const options: JsonObject = { ...hints.options };
  for (const key of ['unit', 'placeholder', 'of'] as const)
    if (hints[key] !== undefined && options[key] === undefined) options[key] = hints[key];
  if (schema.format === 'timezone' && options.source === undefined) options.source = 'timezones';
  const also =
    schema.type === 'object'
      ? []
      : (MEMBERS_BESIDE[name] ?? []).map(option => options[option]).filter((member): member is string => typeof member === 'string');
  return {
    name,
    module,
    frame: module.frame ?? 'label',
    schema,
    hints,
    options,
    nullable,
    also,
    title: declared.title ?? schema.title,
    help: hints.help ?? declared.description ?? schema.description,
  };
}

const typesOf = (schema: Schema): string[] => (schema.type === undefined ? [] : Array.isArray(schema.type) ? schema.type : [schema.type]);

/** Takes the "or null" out of a schema, however it is written. */
function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  if (schema.anyOf) {
    const branches = schema.anyOf.filter(branch => branch.type !== 'null');
    if (branches.length === 1) {
      const { anyOf: _anyOf, ...outer } = schema;
      return { schema: { ...branches[0], ...outer }, nullable: branches.length < schema.anyOf.length };
    }
  }
  const types = typesOf(schema);
  const nullable =
    types.includes('null') || Boolean(schema.enum?.includes(null)) || Boolean(schema.oneOf?.some(option => option.const === null));
  const rest = types.filter(type => type !== 'null');
  return { schema: types.length > 1 && rest.length === 1 ? { ...schema, type: rest[0] as NonNullable<Schema['type']> } : schema, nullable };
}

function widgetFor(schema: Schema): string {
  const types = typesOf(schema);
  const type = types[0];
  if (type === 'array' || schema.items) return widgetForArray(schema);
  if (type === 'object' || schema.properties) return schema.properties || !schema.additionalProperties ? 'object' : 'key-value';
  if (type === 'boolean') return 'toggle';
  if (schema.oneOf || schema.enum) return 'select';
  if (schema['x-ui']?.of) return 'reference';
  if (schema.format && BY_FORMAT[schema.format]) return BY_FORMAT[schema.format]!;
  if (type === 'number' || type === 'integer') return 'number';
  return (schema.maxLength ?? 0) > 300 ? 'textarea' : 'text';
}

/** Up to this many plain members fit side by side in a row; longer items become cards. */
const MEMBERS_IN_A_ROW = 5;

function widgetForArray(schema: Schema): string {
  const item = schema.items ? withoutNull(schema.items).schema : {};
  if (schema['x-ui']?.of) return 'references';
  if (optionsOf(item).length) return 'multi-select';
  if (item.properties) {
    const members = Object.values(item.properties);
    const plain = members.every(
      member =>
        !member.properties &&
        (!member.items || optionsOf(member).length) &&
        !['textarea', 'rich-text', 'image', 'radio-cards'].includes(member['x-ui']?.widget ?? ''),
    );
    return plain && members.length <= MEMBERS_IN_A_ROW ? 'rows' : 'cards';
  }
  return typesOf(item)[0] === 'array' ? 'cards' : 'tags';
}

/** The title of a member, from its schema or its name. */
export const titleOf = (name: string, schema: Schema): string => schema.title ?? planOf(schema).title ?? humanise(name);

/** Whether there is nothing in a value that a person would see. */
export const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length);

/** What a cleared text means to a schema: null where it may be null, "" where that is allowed, else nothing at all. */
export function emptyText(schema: Schema, nullable: boolean, required: boolean): JsonValue | undefined {
  if (nullable) return null;
  const mayBeEmpty = !required && schema.type === 'string' && !schema.minLength && !schema.pattern && !schema.format && !schema.enum;
  return mayBeEmpty ? '' : undefined;
}
