// Texts of screens with fields in them, as people read them: "{total}" is "$43.20", "{status}" is "Active",
// "{nextBillingDateEpoch}" is "Nov 28, 2026".
import { anchorLabel, anchorOf } from '../../domain/calendar/anchor.ts';
import { frequencyLabel, type Interval, intervalIn } from '../../domain/calendar/interval.ts';
import { atStart, t } from '../../domain/text/t.ts';
import { at, fieldOf, optionsOf } from '../../contract/paths.ts';
import type { Call, JsonObject, JsonValue, Schema } from '../../contract/types.ts';
import { count, country, day, money, plainDay, relative } from './format.ts';
import { storeNow } from './store-clock.ts';

export interface Interpolation {
  record: JsonObject;
  schema?: Schema | undefined;
  /** The row that "{row.field}" names. */
  row?: JsonObject | undefined;
  rowSchema?: Schema | undefined;
  /** Of amounts whose record names none. */
  currency?: string;
}

/** A value in words by its schema; empty for what is absent. Amounts are in the record's own currency. */
export function wordsOf(value: JsonValue | undefined, schema: Schema | undefined, currency?: string): string {
  const option = optionsOf(schema).find(one => one.value === (value ?? null));
  if (option && !Array.isArray(value)) return option.title;
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value))
    return value
      .map(item => wordsOf(item, schema?.items, currency))
      .filter(Boolean)
      .join(', ');
  if (typeof value === 'object') return typeof value.interval === 'string' ? intervalWords(value) : '';
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (schema?.format === 'money') return money(value, currency);
  if (schema?.format === 'epoch' || schema?.format === 'date-time') return day(value);
  if (schema?.format === 'date') return plainDay(String(value));
  if (schema?.['x-ui']?.cell === 'country') return country(String(value));
  const interval = schema?.['x-ui']?.cell === 'frequency' ? intervalIn(String(value)) : undefined;
  if (interval) return atStart(frequencyLabel(interval));
  const unit = schema?.['x-ui']?.unit;
  // Ids are names, not amounts: they are not grouped by thousands.
  if (typeof value === 'number' && (schema?.minimum !== undefined || unit)) return unit ? `${count(value)} ${unit}` : count(value);
  return String(value);
}

/** { interval: "MONTH", intervalCount: 2 } -> "every 2 months" */
export function intervalWords(value: JsonObject): string {
  return frequencyLabel({ interval: value.interval as Interval['interval'], intervalCount: Number(value.intervalCount ?? 1) });
}

/** A billing policy with its day: "every month on the 15th" */
export function policyWords(value: JsonObject): string {
  const anchor = typeof value.anchorType === 'string' ? anchorOf(value as Parameters<typeof anchorOf>[0]) : null;
  return atStart(`${intervalWords(value)}${anchor ? ` ${anchorLabel(anchor)}` : ''}`);
}

/**
 * A record, and its schema, with what a call was given where the record has no such field: for words about what was just done ("Delayed
 * by {days} days.").
 */
export function withInput(
  { record, schema }: { record: JsonObject; schema: Schema | undefined },
  call: Pick<Call, 'in'> | undefined,
  input: JsonObject,
): { record: JsonObject; schema: Schema } {
  const parameters = Object.fromEntries((call?.in ?? []).map(param => [param.name, param.schema]));
  return { record: { ...input, ...record }, schema: { ...schema, properties: { ...parameters, ...schema?.properties } } };
}

/**
 * A text of the screen's file with its fields in words. `{field?one|many}` chooses a word by number: "{retriesLeft}
 * {retriesLeft?retry|retries} left". `{field:relative}` says how far a moment is from now: "in 5 days".
 */
export function words(text: string, { record, schema, row, rowSchema, currency }: Interpolation): string {
  const currencyOf = (data: JsonObject | undefined): string | undefined =>
    (typeof data?.currencyCode === 'string' ? data.currencyCode : undefined) ??
    (typeof record.currencyCode === 'string' ? record.currencyCode : currency);
  return text
    .replace(/\{([\w.[\]/]+)(?:\?([^{}|]*)\|([^{}]*)|(:relative))?\}/g, (_, name: string, one?: string, many?: string, far?: string) => {
      const ofRow = name.startsWith('row.');
      const path = (ofRow ? name.slice(4) : name).replace(/^\//, '').replace(/\//g, '.');
      const data = ofRow ? row : record;
      const value = at(data, path);
      if (one !== undefined) return Number(value) === 1 || value === true ? one : (many ?? '');
      if (far && (typeof value === 'number' || (typeof value === 'string' && value !== ''))) return relative(value, storeNow());
      return wordsOf(value, fieldOf(ofRow ? rowSchema : schema, path), currencyOf(data));
    })
    .replace(/ {2,}/g, ' ')
    .replace(/^[\s·]+|[\s·]+$/g, '')
    .replace(/(?: ·)+(?= ·)/g, '');
}
