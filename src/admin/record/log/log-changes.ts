// What an entry of the account log changed, field by field, in the words of the schema of what was changed.
import { fieldOf, humanise, same } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { wordsOf } from '../../platform/interpolate.ts';
import { t, translated } from '../../../domain/text/t.ts';

export interface LogChange {
  title: string;
  from: string;
  to: string;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isBlank = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
/** Fields that change with every write and say nothing to people. */
const QUIET = new Set(['version', 'updatedAt', 'updatedAtEpoch', 'updatedBy', 'actions', 'refusals']);
/** A value longer than this is cut. */
const LONGEST = 300;

/** Every field whose value differs, in the order of the schema, then of what was written. One side missing: all that the other holds. */
export function logChanges(schema: Schema | undefined, before: JsonValue | undefined, after: JsonValue | undefined): LogChange[] {
  const found: LogChange[] = [];
  if (isObject(before) || isObject(after))
    walk(schema, before ?? null, after ?? null, [], [], found, currencyOf(after) ?? currencyOf(before));
  else if (!same(before ?? null, after ?? null))
    found.push({ title: t`Value`, from: say(before, undefined, undefined), to: say(after, undefined, undefined) });
  return found;
}
const currencyOf = (value: JsonValue | undefined): string | undefined =>
  isObject(value) && typeof value.currencyCode === 'string' ? value.currencyCode : undefined;

function walk(
  schema: Schema | undefined,
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  path: string[],
  titles: string[],
  found: LogChange[],
  currency: string | undefined,
): void {
  if (same(from ?? null, to ?? null) || (isBlank(from) && isBlank(to))) return;
  if (!isObject(from) && !isObject(to)) {
    const field = path.length ? fieldOf(schema, path.join('.')) : schema;
    found.push({ title: titles.join(', '), from: say(from, field, currency), to: say(to, field, currency) });
    return;
  }
  const [a, b] = [isObject(from) ? from : {}, isObject(to) ? to : {}];
  const known = Object.keys((path.length ? fieldOf(schema, path.join('.')) : schema)?.properties ?? {});
  const names = [...new Set([...known, ...Object.keys(a), ...Object.keys(b)])].filter(name => (name in a || name in b) && !QUIET.has(name));
  for (const name of names)
    walk(
      schema,
      a[name],
      b[name],
      [...path, name],
      [...titles, fieldOf(schema, [...path, name].join('.'))?.title ?? translated(humanise(name))],
      found,
      currency,
    );
}

function say(value: JsonValue | undefined, field: Schema | undefined, currency: string | undefined): string {
  if (isBlank(value)) return '';
  const text =
    Array.isArray(value) && value.some(item => isObject(item))
      ? value.map(item => itemOf(item)).join('; ')
      : wordsOf(value, field, currency) || JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()} …` : text;
}
/** An item of a list by what it is called, else by everything it says. */
function itemOf(item: JsonValue): string {
  if (!isObject(item)) return String(item);
  const name = item.title ?? item.name ?? item.label ?? item.key;
  if (typeof name === 'string' && name) return name;
  return Object.entries(item)
    .flatMap(([key, value]) =>
      isBlank(value) || (value !== null && typeof value === 'object') ? [] : [`${humanise(key).toLowerCase()} ${String(value)}`],
    )
    .join(', ');
}
