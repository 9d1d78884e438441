// What customers fill in of an action's parameters, on a page of the portal or of a link: the fields, and the input once all is right.
import { addDays, instant, isoDay } from '../../../domain/calendar/calendar.ts';
import { humanise, optionsOf } from '../../../contract/paths.ts';
import { fill, type FillScope } from '../../../contract/find.ts';
import type { CustomerField, Definitions, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import type { Field } from '../../platform/http/form-fields.ts';
import { checkInput, formOf } from './action-input.ts';
import { actionOf } from './catalogue.ts';
import { translated } from '../../../domain/text/t.ts';

interface Asking {
  definitions: Pick<Definitions, 'actions'>;
  now: Date;
  zone: string;
  /** The store's words of a key, and a day, in the customer's language. */
  say(key: string, values?: Readonly<Record<string, string>>): string;
  day(at: Date): string;
}
/** What was filled in, by the names of the fields; empty when the page is opened. */
export type Given = Readonly<Record<string, string>>;
export interface CustomerForm {
  fields: Field[];
  /** The whole input of the action; undefined until everything is filled in and right. */
  input?: JsonObject;
  /** What is wrong beside the fields. */
  wrong?: string;
  /** What was filled in: as a button sends it along, and each with its label, to be read again before it is done. */
  given: Given;
  summary: string[];
}

/** Noon of a day that was filled in, in milliseconds; undefined for what is no day. */
export function noonOf(day: string, zone: string): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (!year || !month || !date || Number.isNaN(Date.parse(day))) return undefined;
  return instant({ year: Number(year), month: Number(month), day: Number(date) }, { hour: 12, minute: 0, second: 0, millisecond: 0 }, zone);
}

const isDay = ({ format }: Schema): boolean => format === 'epoch';
const isNumber = ({ type }: Schema): boolean => [type].flat().some(one => one === 'integer' || one === 'number');
const textOf = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

/** How a parameter is asked of customers, as it was filled in. */
function fieldOf(
  { now, zone, say }: Asking,
  { labelKey, days: [least, latest] = [0, 365] }: CustomerField,
  name: string,
  schema: Schema,
  isRequired: boolean,
  value: string,
  most: number | undefined,
): Field {
  const field = { name, label: say(labelKey) || humanise(name), value, isRequired };
  if (isDay(schema)) {
    const [min, max] = [least, latest].map(days => isoDay(addDays(now.getTime(), days, zone), zone)) as [string, string];
    return { ...field, type: 'date', min, max };
  }
  const options = optionsOf(schema).map(option => ({ value: String(option.value), label: translated(option.title) }));
  if (options.length) return { ...field, options: isRequired ? options : [{ value: '', label: '–' }, ...options] };
  if (isNumber(schema)) return { ...field, type: 'number', min: textOf(schema.minimum) ?? '', max: textOf(most ?? schema.maximum) ?? '' };
  const { maxLength } = schema;
  return { ...field, isLong: schema['x-ui']?.widget === 'textarea', ...(maxLength === undefined ? {} : { maxLength }) };
}

/** What was filled in as the action takes it; undefined where it is none of the kind. */
function valueOf(schema: Schema, text: string, zone: string): JsonValue | undefined {
  if (isDay(schema)) {
    const noon = noonOf(text, zone);
    return noon === undefined ? undefined : Math.floor(noon / 1000);
  }
  return isNumber(schema) ? (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined) : text;
}

/**
 * The fields of an action's page with what was filled in, checked by the schema of the action. `fixed` is what the page's button gives
 * besides; `scope` says what fields begin with and how large they may be. Nothing is done yet: what only the subscription can refuse is
 * refused when the button is pressed.
 */
export function customerForm(
  asking: Asking,
  action: ActionKey,
  names: readonly string[],
  given: Given,
  fixed: JsonObject = {},
  scope: FillScope = {},
): CustomerForm {
  const { properties = {}, required = [] } = formOf(asking.definitions, actionOf(action)) ?? {};
  const isAsked = names.some(name => given[name] !== undefined);
  const input: JsonObject = { ...fixed };
  const sent: Record<string, string> = {};
  const summary: string[] = [];
  const fields = names.map(name => {
    const schema = properties[name] ?? {};
    const own = actionOf(action).fields?.[name] ?? { labelKey: '' };
    const { begins = '', most } = fill({ begins: own.begins ?? null, most: own.most ?? null }, scope);
    const value = (given[name] ?? String(begins ?? '')).trim();
    const field = fieldOf(asking, own, name, schema, required.includes(name), value, typeof most === 'number' ? most : undefined);
    if (!isAsked) return field;
    sent[name] = value;
    if (value === '') return field.isRequired ? { ...field, error: asking.say('a11yRequiredField', { field_name: field.label }) } : field;
    const taken = valueOf(schema, value, asking.zone);
    const shown = (text: string): string => (isDay(schema) ? asking.day(new Date(noonOf(text, asking.zone) ?? 0)) : text);
    const { min = '', max = '' } = field;
    const isOut = isDay(schema)
      ? value < min || value > max
      : typeof taken === 'number' && (taken < Number(min || taken) || taken > Number(max || taken));
    if (taken === undefined || isOut)
      return {
        ...field,
        error:
          min && max
            ? asking.say('portalOutOfRange', { least: shown(min), most: shown(max) })
            : asking.say('a11yInvalidField', { field_name: field.label }),
      };
    input[name] = taken;
    summary.push(`${field.label}: ${field.options?.find(one => one.value === value)?.label ?? shown(value)}`);
    return field;
  });
  const found: CustomerForm = { fields, given: sent, summary };
  if (!isAsked || fields.some(one => 'error' in one)) return found;
  const { input: checked, errors } = checkInput(asking.definitions, {}, asking.now, actionOf(action), input);
  if (errors.length === 0) return { ...found, input: checked };
  const beside = errors.find(({ pointer }) => !names.includes(pointer.slice(1)));
  return {
    ...found,
    fields: fields.map(field => {
      const error = errors.find(({ pointer }) => pointer === `/${field.name}`)?.message;
      return error ? { ...field, error } : field;
    }),
    ...(beside ? { wrong: beside.message } : {}),
  };
}
