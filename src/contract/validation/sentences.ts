// A failed keyword -> one sentence for the person at the form: what is wrong and what would be right.
import type { JsonValue, Schema } from '../types.ts';
import { optionsOf } from '../paths.ts';
import { inFigures, inSentence, later, t, translated } from '../../domain/text/t.ts';

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
const characters = (n: number): string => (n === 1 ? t`1 character` : t`${n} characters`);
const entries = (n: number): string => (n === 1 ? t`1 entry` : t`${n} entries`);
const digits = (n: number): string => (n === 1 ? t`1 digit` : t`${n} digits`);
/** 100000 as 100,000. */
const figure = (n: unknown): string => (typeof n === 'number' ? inFigures(n, { maximumFractionDigits: 20 }) : String(n));
const withUnit = (n: unknown, schema: Schema): string => {
  const unit = schema['x-ui']?.unit && translated(schema['x-ui'].unit);
  const text = figure(n);
  return unit ? (unit === '%' ? `${text}%` : `${text} ${unit}`) : text;
};
/** "paused, failed or expired" */
export function listed(names: readonly string[]): string {
  const [others, last] = [names.slice(0, -1).join(', '), names.at(-1) ?? ''];
  return names.length > 1 ? t`${others} or ${last}` : last;
}

const TYPES: Record<string, string> = {
  string: later`text`,
  number: later`a number`,
  integer: later`a whole number`,
  boolean: later`yes or no`,
  object: later`a group of fields`,
  array: later`a list`,
  null: later`empty`,
};
const FORMATS: Record<string, string> = {
  email: later`Enter an e-mail address such as name@example.com.`,
  domain: later`Enter a domain such as shop.example.com, without https://.`,
  'merchant-token': later`Enter the token with its 32 characters (digits and the letters a to f).`,
  uri: later`Enter a link that begins with https://.`,
  date: later`Enter a date that exists, as year-month-day (2026-03-31).`,
  time: later`Enter a time of day between 00:00 and 23:59.`,
  'date-time': later`Enter a date and a time.`,
  money: later`Enter an amount such as 12.50, with a point and without a currency sign.`,
  epoch: later`Enter a date.`,
  timezone: later`Choose a time zone such as Europe/Berlin.`,
  color: later`Enter a colour such as #1f6feb.`,
  picture: later`Upload a picture, or enter a link that begins with https://.`,
  html: later`Remove scripts and event handlers from the text.`,
};

/** "text or a number": what a schema takes, besides nothing. */
const kindsOf = (schema: Schema): string =>
  listed(
    typeOf(schema)
      .filter(type => type !== 'null')
      .map(type => translated(TYPES[type] ?? type)),
  );
const mustBe = (title: string, wanted: string): string => t`${title} must be ${wanted}.`;
const needs = (title: string, least: string): string => t`${title} needs at least ${least}.`;
const atMost = (title: string, most: string, has?: number): string =>
  has === undefined ? t`${title} can have at most ${most}.` : t`${title} can have at most ${most}; this has ${has}.`;
function wrongForm(title: string, schema: Schema): string {
  const example = String(schema.examples?.[0] ?? '');
  return schema.examples?.length
    ? t`${title} doesn't have the right form, for example ${example}.`
    : t`${title} doesn't have the right form.`;
}

/** The sentence for a failure of `keyword` in a field; the field's own x-errors comes first. `value` is what the field holds. */
export function sentence(error: AjvError, schema: Schema, heading: string, value: JsonValue | undefined): string {
  const errors = schema['x-errors'] ?? {};
  const own =
    errors[error.keyword] ??
    (error.keyword === 'enum' ? (errors.oneOf ?? errors.const) : error.keyword === 'anyOf' ? errors.type : undefined);
  if (own) return translated(own);
  const p = error.params;
  const title = translated(heading);
  const limit = String(p.limit);
  const options = optionsOf(schema);
  switch (error.keyword) {
    case 'required':
      return missing(schema, title, options.length > 0);
    case 'type':
      if (value === null || value === undefined || value === '') return missing(schema, title, options.length > 0);
      return mustBe(title, kindsOf(schema));
    case 'minLength':
      if (value === '' || value === undefined) return missing(schema, title, false);
      return needs(title, characters(Number(limit)));
    case 'maxLength':
      return atMost(title, characters(Number(limit)), typeof value === 'string' ? [...value].length : undefined);
    case 'pattern':
      return wrongForm(title, schema);
    case 'format': {
      const formatSentence = FORMATS[String(p.format)];
      return formatSentence === undefined ? wrongForm(title, schema) : translated(formatSentence);
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return range(error, schema, title);
    case 'formatMinimum':
    case 'formatExclusiveMinimum':
      return schema.format === 'money' ? t`${title} must be at least ${limit}.` : t`${title} must be ${limit} or later.`;
    case 'formatMaximum':
    case 'formatExclusiveMaximum':
      return schema.format === 'money' ? t`${title} must be at most ${limit}.` : t`${title} must be ${limit} or earlier.`;
    case 'x-above':
      return t`${title} must be greater than ${inSentence(translated(String(p.sibling)))}.`;
    case 'x-unlike':
      return t`${title} must be another one than ${inSentence(translated(String(p.sibling)))}.`;
    case 'multipleOf': {
      const step = Number(p.multipleOf);
      if (step === 1) return mustBe(title, translated(TYPES.integer as string));
      if (step < 1 && /^1e-\d+$|^0\.0*1$/.test(String(step)))
        return t`${title} can have at most ${digits(Math.round(-Math.log10(step)))} after the point.`;
      return t`${title} must be a multiple of ${withUnit(step, schema)}.`;
    }
    case 'enum':
    case 'oneOf':
    case 'anyOf':
    case 'const': {
      if (value === undefined || value === null || value === '') return missing(schema, title, true);
      const titles = options.map(option => translated(option.title));
      if (error.keyword === 'const') return mustBe(title, String(schema.const ?? p.allowedValue));
      if (titles.length === 0) return mustBe(title, kindsOf(schema));
      return titles.length <= 7 ? t`Choose ${listed(titles)} for “${title}”.` : t`Choose one of the options for “${title}”.`;
    }
    case 'minItems': {
      const n = Number(limit);
      if (!options.length && !optionsOf(schema.items).length) return t`Add at least ${entries(n)} to “${title}”.`;
      return n === 1 ? t`Choose at least one for “${title}”.` : t`Choose at least ${n} for “${title}”.`;
    }
    case 'maxItems':
      return atMost(title, entries(Number(limit)), Array.isArray(value) ? value.length : undefined);
    case 'uniqueItems': {
      const [one, other] = [Number(p.j) + 1, Number(p.i) + 1];
      return t`${title} holds the same entry twice (number ${one} and number ${other}).`;
    }
    case 'additionalProperties':
      return t`"${String(p.additionalProperty)}" is not a field of “${title}”.`;
    case 'minProperties':
      return needs(title, entries(Number(limit)));
    case 'maxProperties':
      return atMost(title, entries(Number(limit)));
    default:
      return t`${title} isn't right: ${error.message ?? error.keyword}.`;
  }
}

function missing(schema: Schema, title: string, choose: boolean): string {
  const types = typeOf(schema);
  if (types.includes('array')) return t`Add at least one entry to “${title}”.`;
  if (types.includes('object')) return t`Fill in “${title}”.`;
  return choose || types.includes('boolean') ? t`Choose an option for “${title}”.` : t`Enter a value for “${title}”.`;
}

function range(error: AjvError, schema: Schema, title: string): string {
  const branch =
    schema.minimum === undefined && schema.maximum === undefined
      ? (schema.anyOf?.find(one => one.minimum !== undefined || one.maximum !== undefined) ?? schema)
      : schema;
  const { minimum, maximum } = branch;
  if (minimum !== undefined && maximum !== undefined)
    return t`${title} must be between ${figure(minimum)} and ${withUnit(maximum, schema)}.`;
  const limit = withUnit(error.params.limit, schema);
  switch (error.keyword) {
    case 'minimum':
      return t`${title} must be ${limit} or more.`;
    case 'maximum':
      return t`${title} must be ${limit} or less.`;
    case 'exclusiveMinimum':
      return t`${title} must be more than ${limit}.`;
    default:
      return t`${title} must be less than ${limit}.`;
  }
}
