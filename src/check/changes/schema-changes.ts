// What changed in a JSON schema, in words, and whether values that were stored under the old one fit the new one.
import { byName, compareNames, membersOf, same, show, tellNames, type Members } from './compare.ts';

export interface Told {
  /** One sentence for each change. */
  lines: string[];
  /** Why values stored before may not fit, or are not read any more; empty when they are safe. */
  stored: string[];
}

type Verdict = 'wider' | 'narrower';
const smallest = (before: unknown, after: unknown): Verdict => ((after ?? -Infinity) > (before ?? -Infinity) ? 'narrower' : 'wider');
const largest = (before: unknown, after: unknown): Verdict => ((after ?? Infinity) < (before ?? Infinity) ? 'narrower' : 'wider');
/** Keyword -> which way a change of it goes for values that exist. */
const BOUNDS: Record<string, (before: unknown, after: unknown) => Verdict> = {
  minimum: smallest,
  exclusiveMinimum: smallest,
  formatMinimum: () => 'narrower',
  minLength: smallest,
  minItems: smallest,
  minProperties: smallest,
  maximum: largest,
  exclusiveMaximum: largest,
  formatMaximum: () => 'narrower',
  maxLength: largest,
  maxItems: largest,
  maxProperties: largest,
  multipleOf: (_before, after) => (after === undefined ? 'wider' : 'narrower'),
  pattern: (_before, after) => (after === undefined ? 'wider' : 'narrower'),
  contentEncoding: (_before, after) => (after === undefined ? 'wider' : 'narrower'),
  format: (_before, after) => (after === undefined ? 'wider' : 'narrower'),
  uniqueItems: (_before, after) => (after === true ? 'narrower' : 'wider'),
  const: () => 'narrower',
  $ref: () => 'narrower',
};
const WORDS: Record<string, string> = { $ref: 'schema', 'x-limits': 'limits', 'x-errors': 'sentences of errors', oneOf: 'options' };

const types = (node: Members): string[] => (Array.isArray(node['type']) ? node['type'] : [node['type']]).map(String);
const optionName = (option: unknown): string => String(membersOf(option)['const'] ?? membersOf(option)['title'] ?? JSON.stringify(option));
const options = (node: Members): Members =>
  byName(node['oneOf'] ?? node['enum'], option => (membersOf(option) === option ? optionName(option) : String(option)));

/**
 * Tells the changes between two schemas of the same thing.
 * @param path dotted name of the field, empty for the whole
 */
export function schemaChanges(before: unknown, after: unknown, path = ''): Told {
  const [old, now] = [membersOf(before), membersOf(after)];
  const report: Told = { lines: [], stored: [] };
  const at = path ? `"${path}": ` : '';
  const say = (line: string): void => void report.lines.push(`${at}${line}`);
  const warn = (line: string): void => void report.stored.push(`${at}${line}`);

  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (same(old[key], now[key]) || STRUCTURE.has(key)) continue;
    const from = show(old[key]);
    const to = show(now[key]);
    if (key === 'type') {
      say(`type ${types(old).join(' or ')} became ${types(now).join(' or ')}`);
      if (types(old).some(type => !types(now).includes(type) && !(type === 'integer' && types(now).includes('number'))))
        warn('values of the former type do not fit');
    } else if (key in BOUNDS) {
      say(`${WORDS[key] ?? key} ${from} became ${to}`);
      if (BOUNDS[key]?.(old[key], now[key]) === 'narrower') warn(`values that the former ${WORDS[key] ?? key} allowed may not fit ${to}`);
    } else if (HINTS.has(key)) hintChanges(membersOf(old[key]), membersOf(now[key]), say);
    else if (key === 'default') {
      say(`default ${from} became ${to}`);
    } else if (key === 'x-limits') {
      say('limits changed');
      warn("values outside the new limits can't be saved again");
    } else if (typeof old[key] === 'object' || typeof now[key] === 'object') say(`${WORDS[key] ?? key} changed`);
    else say(`${WORDS[key] ?? key} ${from} became ${to}`);
  }

  const choices = compareNames(options(old), options(now));
  for (const line of tellNames(choices, 'option', 'options')) say(line);
  for (const name of choices.changed) say(`option "${name}" changed`);
  if (choices.removed.length && Object.keys(options(now)).length)
    warn(`the value ${choices.removed.map(show).join(', ')} does not fit any more`);

  const fields = compareNames(membersOf(old['properties']), membersOf(now['properties']));
  for (const line of tellNames(fields, 'field', 'fields')) say(line);
  for (const name of fields.removed) warn(`what is stored in "${path ? `${path}.` : ''}${name}" is not read any more`);
  const required = (node: Members): string[] => (Array.isArray(node['required']) ? node['required'].map(String) : []);
  for (const name of required(now).filter(field => !required(old).includes(field))) {
    const field = membersOf(membersOf(now['properties'])[name]);
    say(`"${name}" is required`);
    if (field['default'] === undefined && field['readOnly'] !== true)
      warn(`records without "${name}" can't be saved until it is filled in`);
  }
  for (const name of required(old).filter(field => !required(now).includes(field) && !fields.removed.includes(field)))
    say(`"${name}" is not required any more`);
  for (const name of fields.changed)
    merge(report, schemaChanges(membersOf(old['properties'])[name], membersOf(now['properties'])[name], path ? `${path}.${name}` : name));

  for (const part of ['definitions', 'patternProperties']) {
    const parts = compareNames(membersOf(old[part]), membersOf(now[part]));
    for (const line of tellNames(parts, 'definition', 'definitions')) say(line);
    for (const name of parts.changed)
      merge(report, schemaChanges(membersOf(old[part])[name], membersOf(now[part])[name], path ? `${path}.${name}` : name));
  }
  for (const part of ['items', 'additionalProperties', 'not', 'contains'])
    if (!same(old[part], now[part])) {
      const inner = schemaChanges(old[part], now[part], `${path}[]`);
      if (inner.lines.length) merge(report, inner);
      else say(`${part} ${show(old[part])} became ${show(now[part])}`);
    }
  for (const part of ['anyOf', 'allOf']) if (!same(old[part], now[part])) say(`${part} changed`);
  return report;
}

/** Keywords whose members are listed one by one: how a thing is drawn, found and permitted. */
const HINTS = new Set(['x-ui', 'x-setting', 'x-record']);

/** Keywords that have words of their own above. */
const STRUCTURE = new Set([
  'properties',
  'required',
  'oneOf',
  'enum',
  'definitions',
  'patternProperties',
  'items',
  'additionalProperties',
  'not',
  'contains',
  'anyOf',
  'allOf',
]);

/** Title and texts changed for people, who may see it, and how it is drawn: values are as safe as before. */
function hintChanges(before: Members, after: Members, say: (line: string) => void): void {
  const changes = compareNames(before, after);
  for (const name of [...changes.added, ...changes.removed, ...changes.changed])
    say(
      typeof before[name] === 'object' || typeof after[name] === 'object'
        ? `${HINT_WORDS[name] ?? name} changed`
        : `${HINT_WORDS[name] ?? name} ${show(before[name])} became ${show(after[name])}`,
    );
}
const HINT_WORDS: Record<string, string> = { when: 'condition under which it is shown', permission: 'permission' };

function merge(into: Told, from: Told): void {
  into.lines.push(...from.lines);
  into.stored.push(...from.stored);
}
