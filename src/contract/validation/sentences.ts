// A failed keyword -> one sentence for the person at the form: what is wrong and what would be right.
import type { JsonValue, Schema } from '../types.ts';
import { optionsOf } from '../paths.ts';
import { intlLocale, translated } from '../../domain/text/t.ts';

/** What the validator says about one failure (the parts of ajv's error object that we use). */
export interface AjvError {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  message?: string;
}

const typeOf = (schema: Schema): string[] =>
  [schema.anyOf ? schema.anyOf.flatMap(branch => branch.type ?? []) : (schema.type ?? [])].flat();
const plural = (n: number, one: string, many = one + 's'): string => `${n} ${n === 1 ? one : many}`;
/** 100000 as 100,000. */
const figure = (n: unknown): string => (typeof n === 'number' ? n.toLocaleString(intlLocale(), { maximumFractionDigits: 20 }) : String(n));
const withUnit = (n: unknown, schema: Schema): string => {
  const unit = schema['x-ui']?.unit;
  const text = figure(n);
  return unit ? (unit === '%' ? `${text}%` : `${text} ${unit}`) : text;
};
const listed = (names: string[], word = 'or'): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}` : (names[0] ?? '');
const example = (schema: Schema): string => (schema.examples?.length ? `, for example ${String(schema.examples[0])}` : '');

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  object: 'a group of fields',
  array: 'a list',
  null: 'empty',
};
const FORMATS: Record<string, string> = {
  email: 'Enter an e-mail address such as name@example.com.',
  domain: 'Enter a domain such as shop.example.com, without https://.',
  'merchant-token': 'Enter the token with its 32 characters (digits and the letters a to f).',
  uri: 'Enter a link that begins with https://.',
  date: 'Enter a date that exists, as year-month-day (2026-03-31).',
  time: 'Enter a time of day between 00:00 and 23:59.',
  'date-time': 'Enter a date and a time.',
  money: 'Enter an amount such as 12.50, with a point and without a currency sign.',
  epoch: 'Enter a date.',
  timezone: 'Choose a time zone such as Europe/Berlin.',
  color: 'Enter a colour such as #1f6feb.',
  html: 'Remove scripts and event handlers from the text.',
};

/** The sentence for a failure of `keyword` in a field; the field's own x-errors comes first. `value` is what the field holds. */
export function sentence(error: AjvError, schema: Schema, title: string, value: JsonValue | undefined): string {
  const errors = schema['x-errors'] ?? {};
  const own =
    errors[error.keyword] ??
    (error.keyword === 'enum' ? (errors.oneOf ?? errors.const) : error.keyword === 'anyOf' ? errors.type : undefined);
  if (own) return translated(own);
  const p = error.params;
  const name = `“${title}”`;
  const options = optionsOf(schema);
  switch (error.keyword) {
    case 'required':
      return missing(schema, name, options.length > 0);
    case 'type': {
      const types = typeOf(schema).filter(type => type !== 'null');
      if (value === null || value === undefined || value === '') return missing(schema, name, options.length > 0);
      return `${title} must be ${listed(types.map(type => TYPES[type] ?? type))}.`;
    }
    case 'minLength':
      if (value === '' || value === undefined) return missing(schema, name, false);
      return `${title} needs at least ${plural(Number(p.limit), 'character')}.`;
    case 'maxLength':
      return (
        `${title} can have at most ` +
        `${plural(Number(p.limit), 'character')}${typeof value === 'string' ? `; this has ${[...value].length}` : ''}.`
      );
    case 'pattern':
      return `${title} doesn't have the right form${example(schema)}.`;
    case 'format':
      return FORMATS[String(p.format)] ?? `${title} doesn't have the right form${example(schema)}.`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return range(error, schema, title);
    case 'formatMinimum':
    case 'formatExclusiveMinimum':
      return `${title} must be ${schema.format === 'money' ? `at least ${String(p.limit)}` : `${String(p.limit)} or later`}.`;
    case 'formatMaximum':
    case 'formatExclusiveMaximum':
      return `${title} must be ${schema.format === 'money' ? `at most ${String(p.limit)}` : `${String(p.limit)} or earlier`}.`;
    case 'x-above':
      return `${title} must be greater than ${String(p.sibling).toLowerCase()}.`;
    case 'x-unlike':
      return `${title} must be another one than ${String(p.sibling).toLowerCase()}.`;
    case 'multipleOf': {
      const step = Number(p.multipleOf);
      if (step === 1) return `${title} must be a whole number.`;
      if (step < 1 && /^1e-\d+$|^0\.0*1$/.test(String(step)))
        return `${title} can have at most ${plural(Math.round(-Math.log10(step)), 'digit')} after the point.`;
      return `${title} must be a multiple of ${withUnit(step, schema)}.`;
    }
    case 'enum':
    case 'oneOf':
    case 'anyOf':
    case 'const': {
      if (value === undefined || value === null || value === '') return missing(schema, name, true);
      const titles = options.map(option => option.title);
      if (error.keyword === 'const') return `${title} must be ${String(schema.const ?? p.allowedValue)}.`;
      if (titles.length === 0)
        return `${title} must be ${listed(
          typeOf(schema)
            .filter(type => type !== 'null')
            .map(type => TYPES[type] ?? type),
        )}.`;
      return titles.length <= 7 ? `Choose ${listed(titles)} for ${name}.` : `Choose one of the options for ${name}.`;
    }
    case 'minItems': {
      const n = Number(p.limit);
      return options.length || optionsOf(schema.items).length
        ? `Choose at least ${n === 1 ? 'one' : n} for ${name}.`
        : `Add at least ${plural(n, 'entry', 'entries')} to ${name}.`;
    }
    case 'maxItems':
      return (
        `${title} can have at most ` +
        `${plural(Number(p.limit), 'entry', 'entries')}${Array.isArray(value) ? `; this has ${value.length}` : ''}.`
      );
    case 'uniqueItems':
      return `${title} holds the same entry twice (number ${Number(p.j) + 1} and number ${Number(p.i) + 1}).`;
    case 'additionalProperties':
      return `"${String(p.additionalProperty)}" is not a field of ${name}.`;
    case 'minProperties':
      return `${title} needs at least ${plural(Number(p.limit), 'entry', 'entries')}.`;
    case 'maxProperties':
      return `${title} can have at most ${plural(Number(p.limit), 'entry', 'entries')}.`;
    default:
      return `${title} isn't right: ${error.message ?? error.keyword}.`;
  }
}

function missing(schema: Schema, name: string, choose: boolean): string {
  const types = typeOf(schema);
  if (types.includes('array')) return `Add at least one entry to ${name}.`;
  if (types.includes('object')) return `Fill in ${name}.`;
  return choose || types.includes('boolean') ? `Choose an option for ${name}.` : `Enter a value for ${name}.`;
}

function range(error: AjvError, schema: Schema, title: string): string {
  const branch =
    schema.minimum === undefined && schema.maximum === undefined
      ? (schema.anyOf?.find(one => one.minimum !== undefined || one.maximum !== undefined) ?? schema)
      : schema;
  const { minimum, maximum } = branch;
  if (minimum !== undefined && maximum !== undefined)
    return `${title} must be between ${figure(minimum)} and ${withUnit(maximum, schema)}.`;
  const limit = withUnit(error.params.limit, schema);
  switch (error.keyword) {
    case 'minimum':
      return `${title} must be ${limit} or more.`;
    case 'maximum':
      return `${title} must be ${limit} or less.`;
    case 'exclusiveMinimum':
      return `${title} must be more than ${limit}.`;
    default:
      return `${title} must be less than ${limit}.`;
  }
}
